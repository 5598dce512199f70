"""Embeddings of data sets, against eigenvectors of the covariance and what a biplot is."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deadheat.core.errors import DataError, UsageError
from deadheat.statistics.embedding import RatingMatrix, embedding, rating_matrix


def matrix(ratings, separated=None):
    ratings = np.asarray(ratings, dtype=float)
    rows, columns = ratings.shape
    return RatingMatrix(
        data_sets=tuple(f"d{d}" for d in range(rows)),
        settings=tuple(f"s{k}" for k in range(columns)),
        ratings=ratings,
        separated=np.zeros(ratings.shape, bool) if separated is None else np.asarray(separated),
    )


@given(seed=st.integers(0, 999), rows=st.integers(2, 7), columns=st.integers(1, 8))
def test_components_are_eigenvectors_of_the_covariance(seed, rows, columns):
    ratings = np.random.default_rng(seed).normal(size=(rows, columns)) * np.arange(1, columns + 1)
    found = embedding(matrix(ratings), components=2)
    centred = ratings - ratings.mean(axis=0)
    values, vectors = np.linalg.eigh(centred.T @ centred)
    kept = min(2, rows - 1, columns)
    assert found.loadings.shape == (columns, kept)
    for c in range(kept):
        direction = vectors[:, -1 - c]
        direction = direction * np.sign(direction[np.abs(direction).argmax()])
        np.testing.assert_allclose(found.loadings[:, c], direction, atol=1e-6)
        np.testing.assert_allclose(found.points[:, c], centred @ direction, atol=1e-6)
        assert found.shares[c] == pytest.approx(values[-1 - c] / values.sum(), abs=1e-9)


def test_all_components_keep_all_distances_and_all_ratings():
    ratings = np.random.default_rng(1).normal(size=(4, 6))
    found = embedding(matrix(ratings), components=10)
    assert found.points.shape == (4, 3)
    assert found.shares.sum() == pytest.approx(1)
    np.testing.assert_allclose(found.points @ found.loadings.T + found.centre, ratings)
    for a in range(4):
        for b in range(4):
            apart = np.linalg.norm(ratings[a] - ratings[b])
            assert np.linalg.norm(found.points[a] - found.points[b]) == pytest.approx(apart)


def test_columns_are_centred_and_not_scaled():
    """A setting whose ratings vary ten times as much has the first component to itself."""
    rng = np.random.default_rng(2)
    found = embedding(matrix(rng.normal(size=(30, 2)) * [1, 10] + [5, -7]))
    assert abs(found.loadings[1, 0]) > 0.99
    np.testing.assert_allclose(found.points.mean(axis=0), 0, atol=1e-12)


def test_the_sign_does_not_depend_on_the_order_of_data_sets():
    ratings = np.random.default_rng(3).normal(size=(5, 4))
    plain, turned = embedding(matrix(ratings)), embedding(matrix(ratings[::-1]))
    np.testing.assert_allclose(turned.points[::-1], plain.points, atol=1e-12)
    np.testing.assert_allclose(turned.loadings, plain.loadings, atol=1e-12)
    largest = np.abs(plain.loadings).argmax(axis=0)
    assert (plain.loadings[largest, [0, 1]] > 0).all()


def test_arrows_reach_as_far_as_the_points():
    found = embedding(matrix(np.random.default_rng(4).normal(size=(5, 4))))
    reach = np.linalg.norm(found.points, axis=1).max()
    assert np.linalg.norm(found.arrows, axis=1).max() == pytest.approx(reach)
    turned = found.arrows[:, 0] * found.loadings[:, 1] - found.arrows[:, 1] * found.loadings[:, 0]
    np.testing.assert_allclose(turned, 0, atol=1e-12)


def test_the_reversed_data_set_stands_at_the_other_end():
    """The paper's figure 4: the marginal data sets are those that reverse each other."""
    order = np.linspace(-1, 1, 6)
    ratings = np.stack([2 * order, 1.8 * order, 2.2 * order, -2 * order])
    first = embedding(matrix(ratings)).points[:, 0]
    assert np.sign(first[3]) == -np.sign(first[0])
    assert abs(first[3]) == np.abs(first).max()


def test_a_matrix_from_ratings_by_name():
    found = rating_matrix(
        {"iris": {"k=1": 1.0, "k=5": -1.0}, "adult": {"k=5": 0.5, "k=9": -0.5}},
        separated={"adult": ["k=9"]},
    )
    assert found.settings == ("k=1", "k=5", "k=9")
    np.testing.assert_array_equal(found.ratings, [[1, -1, np.nan], [np.nan, 0.5, -0.5]])
    assert np.argwhere(found.separated).tolist() == [[1, 2]]


def test_missing_entries_are_named():
    rows = {"iris": {"k=1": 1.0, "k=5": -1.0}, "adult": {"k=5": 0.5}, "wine": {"k=1": 0.0}}
    with pytest.raises(DataError, match=r"2 ratings of 6 are missing: k=1 on adult, k=5 on wine"):
        embedding(rating_matrix(rows))
    del rows["wine"]
    with pytest.raises(DataError, match=r"1 rating of 4 is missing: k=1 on adult"):
        embedding(rating_matrix(rows))


def test_separated_entries_are_flagged_and_used():
    ratings = np.random.default_rng(5).normal(size=(3, 3))
    flagged = np.zeros((3, 3), bool)
    flagged[1, 2] = True
    found = embedding(matrix(ratings, flagged))
    assert found.separated == (("d1", "s2"),)
    np.testing.assert_array_equal(found.points, embedding(matrix(ratings)).points)


def test_what_cannot_be_embedded_is_refused():
    with pytest.raises(DataError, match="1 data set and 2 settings"):
        embedding(matrix([[1.0, 2]]))
    with pytest.raises(DataError, match="the same ratings"):
        embedding(matrix([[1.1, 2.3, -0.7]] * 3))
    with pytest.raises(UsageError, match="components"):
        embedding(matrix([[1.0, 2], [2, 1]]), components=0)
    with pytest.raises(UsageError, match="is inf"):
        rating_matrix({"iris": {"k=1": float("inf")}})

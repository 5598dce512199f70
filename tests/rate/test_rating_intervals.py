"""Intervals of ratings, differences and win probabilities, against loops and sums of normals."""

from __future__ import annotations

from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deadheat.core.errors import UnknownNameError, UsageError
from deadheat.rate import evidence as module
from deadheat.rate.evidence import (
    RatingEvidence,
    difference_intervals,
    rating_intervals,
    win_matrix,
)
from deadheat.statistics.units import every_pair


def evidence(seed=0, n=4, size=200, **more):
    rng = np.random.default_rng(seed)
    ratings = rng.normal(size=n)
    ratings -= ratings.mean()
    replicates = ratings + 0.3 * rng.normal(size=(size, n))
    replicates -= replicates.mean(axis=1, keepdims=True)
    return RatingEvidence(ratings=ratings, replicates=replicates, **more)


def covariance(seed=0, n=4):
    half = np.random.default_rng(seed).normal(size=(n, n))
    return half @ half.T


@given(seed=st.integers(0, 99), alpha=st.sampled_from([0.05, 0.2]))
def test_percentiles_of_ratings_and_of_every_difference(seed, alpha):
    given_ = evidence(seed)
    found = rating_intervals(given_, alpha=alpha)
    i, j = every_pair(4)
    apart = difference_intervals(given_, i, j, alpha=alpha)
    ends = [alpha / 2, 1 - alpha / 2]
    for k in range(4):
        column = given_.replicates[:, k]
        assert [found.low[k], found.high[k]] == pytest.approx(np.quantile(column, ends).tolist())
        assert found.errors[k] == pytest.approx(column.std(ddof=1))
    for k, (a, b) in enumerate(zip(i, j, strict=True)):
        gaps = given_.replicates[:, a] - given_.replicates[:, b]
        assert [apart.low[k], apart.high[k]] == pytest.approx(np.quantile(gaps, ends).tolist())
        assert apart.values[k] == pytest.approx(given_.ratings[a] - given_.ratings[b])
        assert apart.errors[k] == pytest.approx(gaps.std(ddof=1))


def test_wald_intervals_from_a_covariance():
    ratings, sigma = np.array([1.0, 0.0, -0.5, -0.5]), covariance()
    given_ = RatingEvidence(ratings=ratings, covariance=sigma)
    z = NormalDist().inv_cdf(0.95)
    found = rating_intervals(given_, alpha=0.1)
    assert found.kind == "wald"
    np.testing.assert_allclose(found.low, ratings - z * np.sqrt(np.diag(sigma)))
    apart = difference_intervals(given_, np.array([0, 2]), np.array([3, 1]), alpha=0.1)
    for k, contrast in enumerate([[1, 0, 0, -1], [0, -1, 1, 0]]):
        error = np.sqrt(np.array(contrast) @ sigma @ contrast)
        assert apart.errors[k] == pytest.approx(error)
        assert apart.high[k] == pytest.approx(ratings @ contrast + z * error)


def test_an_anchor_moves_ratings_and_leaves_differences():
    plain = evidence(3)
    moved = RatingEvidence(
        ratings=plain.ratings - plain.ratings[2],
        replicates=plain.replicates - plain.replicates[:, 2:3],
    )
    i, j = every_pair(4)
    for kind in ("percentile", "basic", "wald"):
        before = difference_intervals(plain, i, j, kind=kind)
        after = difference_intervals(moved, i, j, kind=kind)
        np.testing.assert_allclose(after.low, before.low, atol=1e-12)
        np.testing.assert_allclose(after.high, before.high, atol=1e-12)
    assert rating_intervals(moved).low[2] == rating_intervals(moved).high[2] == 0


def test_win_probabilities_are_transformed_differences():
    given_ = evidence(1)
    found = win_matrix(given_, alpha=0.1)
    for a in range(4):
        assert found.p[a, a] == found.low[a, a] == found.high[a, a] == 0.5
        for b in set(range(4)) - {a}:
            gap = given_.ratings[a] - given_.ratings[b]
            ends = np.quantile(given_.replicates[:, a] - given_.replicates[:, b], [0.05, 0.95])
            assert found.p[a, b] == pytest.approx(1 / (1 + np.exp(-gap)))
            assert found.low[a, b] == pytest.approx(1 / (1 + np.exp(-ends[0])))
            assert found.high[a, b] == pytest.approx(1 / (1 + np.exp(-ends[1])))
            assert found.p[a, b] + found.p[b, a] == pytest.approx(1)
            assert found.low[a, b] + found.high[b, a] == pytest.approx(1)


def test_pairs_in_parts_are_the_same_pairs(monkeypatch):
    given_ = evidence(4, n=7)
    whole = win_matrix(given_)
    monkeypatch.setattr("deadheat.statistics.units.AT_ONCE", 450)
    parts = win_matrix(given_)
    np.testing.assert_array_equal(parts.low, whole.low)
    np.testing.assert_array_equal(parts.high, whole.high)


def test_few_rounds_make_expanded_intervals_wider():
    given_ = evidence(5, units=10)
    plain, wide = (rating_intervals(given_, kind=k) for k in ("percentile", "expanded-percentile"))
    assert (wide.low < plain.low).all()
    assert (wide.high > plain.high).all()


def test_one_round_gives_no_interval():
    assert np.isnan(rating_intervals(evidence(6, units=1)).low).all()


def test_identical_candidates_have_a_difference_without_error():
    given_ = evidence(7)
    copies = given_.replicates[:, [0, 0, 1, 2]]
    found = difference_intervals(
        RatingEvidence(ratings=given_.ratings[[0, 0, 1, 2]], replicates=copies),
        np.array([0]),
        np.array([1]),
    )
    assert (found.values[0], found.errors[0], found.low[0], found.high[0]) == (0, 0, 0, 0)


def test_what_the_evidence_cannot_give_is_refused():
    only = RatingEvidence(ratings=np.zeros(4), covariance=covariance())
    with pytest.raises(UsageError, match="needs replicates"):
        rating_intervals(only, kind="percentile")
    with pytest.raises(UnknownNameError, match="Did you mean 'percentile'"):
        rating_intervals(evidence(), kind="percentil")


def test_every_kind_is_one_that_intervals_knows():
    for kind in module.RATING_INTERVALS:
        found = rating_intervals(evidence(units=20), kind=kind)
        assert (found.low < found.high).all()

"""Units: sums over clusters, ratio errors, and plans in terms of units."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deadheat.core.errors import DataError
from deadheat.resampling.plans import Bootstrap
from deadheat.statistics.units import every_pair, units
from pair_oracle import difference_and_error


@st.composite
def designs(draw):
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n, m = draw(st.integers(2, 4)), draw(st.integers(4, 12))
    clusters = rng.integers(0, draw(st.integers(2, m)), m) if draw(st.booleans()) else None
    of = np.arange(m) if clusters is None else clusters
    strata = (of % 2) + 7 if draw(st.booleans()) else None
    weights = rng.integers(0, 4, m).astype(float) if draw(st.booleans()) else None
    return rng.normal(size=(n, m)), weights, clusters, strata


def literal(q, weights, clusters, strata):
    """Return values, sizes and strata of units by loops."""
    m = q.shape[1]
    w = np.ones(m) if weights is None else weights
    names = np.arange(m) if clusters is None else clusters
    kept = [c for c in sorted(set(names.tolist())) if w[names == c].sum() > 0]
    values = np.array(
        [[sum(w[k] * row[k] for k in range(m) if names[k] == c) for c in kept] for row in q]
    )
    sizes = [sum(w[k] for k in range(m) if names[k] == c) for c in kept]
    of = [0 if strata is None else strata[names == c][0] for c in kept]
    return values, sizes, of


@given(design=designs())
def test_units_and_errors_follow_the_definition(design):
    values, sizes, strata = literal(*design)
    if len(sizes) - len(set(strata)) < 1:
        return
    found = units(design[0], weights=design[1], clusters=design[2], strata=design[3])
    np.testing.assert_allclose(found.values, values, atol=1e-12)
    np.testing.assert_allclose(found.sizes, sizes)
    np.testing.assert_allclose(found.merits, values.sum(axis=1) / sum(sizes))
    i, j = every_pair(found.n)
    for pair, d, se in zip(
        zip(i, j, strict=True), found.differences(i, j), found.errors(i, j), strict=True
    ):
        expected = difference_and_error(values, sizes, strata, *pair, [1] * len(sizes))
        assert (d, se) == pytest.approx(expected, abs=1e-11)


def test_merits_are_weighted_means_whatever_the_clusters():
    rng = np.random.default_rng(0)
    q, w = rng.normal(size=(3, 9)), rng.random(9)
    found = units(q, weights=w, clusters=np.arange(9) // 2, strata=np.arange(9) // 6)
    np.testing.assert_allclose(found.merits, np.average(q, axis=1, weights=w))


def test_the_means_of_units_are_weighted_means_of_their_judges():
    q, w = np.array([[1.0, 4, 10], [0, 2, 5]]), np.array([1.0, 2, 3])
    assert units(q, weights=w, clusters=np.array([0, 0, 1])).means.tolist() == [
        [3, 10],
        [pytest.approx(4 / 3), 5],
    ]


def test_the_error_of_single_judges_is_that_of_a_paired_t_test():
    q = np.random.default_rng(1).normal(size=(2, 20))
    d = q[0] - q[1]
    error = units(q).errors(np.array([0]), np.array([1]))[0]
    assert error == pytest.approx(d.std(ddof=1) / np.sqrt(20))


def test_a_constant_per_judge_changes_no_error():
    rng = np.random.default_rng(2)
    q, w = rng.normal(size=(3, 8)), rng.random(8)
    design = {"weights": w, "clusters": np.arange(8) // 2}
    pairs = every_pair(3)
    shifted = units(q + 100 * rng.normal(size=8), **design)
    np.testing.assert_allclose(shifted.errors(*pairs), units(q, **design).errors(*pairs))


def test_weight_0_means_absent():
    rng = np.random.default_rng(3)
    q = rng.normal(size=(2, 6))
    w = np.array([1.0, 0, 2, 1, 0, 1])
    with_them, without = units(q, weights=w), units(q[:, w > 0], weights=w[w > 0])
    pairs = every_pair(2)
    assert with_them.u == 4
    np.testing.assert_allclose(with_them.errors(*pairs), without.errors(*pairs))
    drawn = rng.integers(0, 3, (5, 6)).astype(float)
    np.testing.assert_array_equal(with_them.multiplicities(drawn), drawn[:, w > 0])


def test_a_clustered_plan_gives_every_unit_the_weight_of_its_judges():
    labels = tuple("baabbca")
    codes = np.array([1, 0, 0, 1, 1, 2, 0])
    plan = Bootstrap(clusters=labels, replicates=50, seed=0)
    drawn = plan.draw(0, 2, 7).judges
    found = units(np.ones((2, 7)), clusters=codes).multiplicities(drawn)
    np.testing.assert_array_equal(found, drawn[:, [1, 0, 5]])
    assert (found.sum(axis=1) == 3).all()


def test_where_judges_of_a_unit_differ_it_has_the_mean_of_theirs():
    of_units = units(np.ones((2, 4)), clusters=np.array([0, 1, 0, 1]))
    assert of_units.multiplicities(np.array([[1.0, 2, 4, 2]])).tolist() == [[2.5, 2]]


def test_what_is_only_rounding_is_0():
    row = np.random.default_rng(4).random(50)
    of_units = units(np.stack([row, row + 0.1, row * 3 - row - row]))
    i, j = every_pair(3)
    differences, errors = of_units.differences(i, j), of_units.errors(i, j)
    assert (errors == 0).all()
    assert (differences == 0).tolist() == [False, True, False]


def test_nothing_to_learn_a_variance_from_is_refused():
    with pytest.raises(DataError, match="1 judge: nothing"):
        units(np.ones((2, 1)))
    with pytest.raises(DataError, match="1 cluster: nothing"):
        units(np.ones((2, 3)), clusters=np.zeros(3, dtype=int))
    with pytest.raises(DataError, match="3 judges, each in a stratum of its own"):
        units(np.ones((2, 3)), strata=np.arange(3))

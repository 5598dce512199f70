"""Bootstrap p-values of pairs against counts by loops."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

import deadheat as dh
from deadheat.ranking.ranks import ranks
from deadheat.statistics import groups as pairs
from deadheat.statistics.groups import (
    all_pairs,
    columnwise,
    monte_carlo_error,
    p_beats,
    pair_p_values,
)
from verdict_oracle import graded, table, worlds

small_merits = arrays(
    np.float64,
    st.tuples(st.integers(1, 12), st.integers(1, 5)),
    elements=st.integers(0, 3).map(float),
)


def places_of(merits):
    return ranks(merits, convention="min").astype(np.int64)


def p_by_hand(merits, i, j, *, plus_one):
    """Transcribe spec item 41 on merits: p = #{S_i* <= S_j*} / k."""
    count = sum(1 for row in merits if row[i] <= row[j])
    return (count + 1) / (len(merits) + 1) if plus_one else count / len(merits)


@pytest.mark.parametrize("plus_one", [True, False])
@given(merits=small_merits)
def test_p_values_count_the_replicates_that_speak_for_the_other(merits, plus_one):
    n = merits.shape[1]
    expected = [[p_by_hand(merits, i, j, plus_one=plus_one) for j in range(n)] for i in range(n)]
    places = places_of(merits)
    if plus_one:
        np.testing.assert_allclose(all_pairs(places), expected)
    for i in range(n):
        found = p_beats(places, i, np.arange(n), plus_one=plus_one)
        np.testing.assert_allclose(found, expected[i])


def test_clones_and_oneself_have_p_1():
    places = np.array([[1, 1, 3], [2, 2, 1]])
    assert p_beats(places, 0, np.array([0, 1])).tolist() == [1, 1]
    assert np.diagonal(all_pairs(places)).tolist() == [1, 1, 1]


def test_the_default_is_never_0_and_the_papers_may_be():
    places = np.tile([1, 2], (99, 1))
    assert p_beats(places, 0, np.array([1])).tolist() == [0.01]
    assert p_beats(places, 0, np.array([1]), plus_one=False).tolist() == [0]


def test_nobody_else_gives_no_p_values():
    assert p_beats(np.array([[1]]), 0, np.array([], dtype=np.int64)).shape == (0,)


def test_parts_of_the_replicates_add_up(monkeypatch):
    rng = np.random.default_rng(1)
    places = places_of(rng.integers(0, 4, size=(50, 6)).astype(float))
    whole = all_pairs(places)
    monkeypatch.setattr(pairs, "WORKING_SET", 12)  # 8 replicates at a time, and 2 at last
    np.testing.assert_array_equal(all_pairs(places), whole)


@pytest.mark.parametrize("convention", ["min", "mean", "dense"])
def test_any_convention_of_ranks_serves_as_places(convention):
    rng = np.random.default_rng(2)
    merits = rng.integers(0, 3, size=(40, 7)).astype(float)
    found = all_pairs(ranks(merits, convention=convention))
    np.testing.assert_array_equal(found, all_pairs(places_of(merits)))


@pytest.mark.parametrize(("largest", "kind"), [(255, np.uint8), (256, np.uint16)])
def test_columns_are_contiguous_and_small(largest, kind):
    columns = columnwise(np.array([[1, largest], [2, 1]]))
    assert columns.dtype == kind
    assert columns[:, 1].flags.c_contiguous
    assert columns.tolist() == [[1, largest], [2, 1]]


def test_the_monte_carlo_error_is_that_of_a_proportion():
    """Against the standard deviation of the binomial, and never 0 at the ends."""
    p, k = np.array([0.1, 0.5, 0.97]), 400
    simulated = np.random.default_rng(3).binomial(k, p, size=(200_000, 3)).std(axis=0) / k
    np.testing.assert_allclose(monte_carlo_error(p, k), simulated, rtol=0.02)
    ends = monte_carlo_error(np.array([0.0, 1.0]), 98)
    np.testing.assert_allclose(ends, [np.sqrt(0.01 * 0.99 / 98)] * 2)
    assert float(monte_carlo_error(0.5, 100)) == 0.05


def test_the_p_values_of_a_verdict_are_counts_or_those_of_students_test():
    results = table(graded(1, (0.8, 0.4, 0.0), 20))
    drawn = dh.verdict(results, by="mean", replicates=99)
    means = [[row[judges].mean() for row in results.scores] for judges in
             worlds(drawn.evidence.plan, 3, 20)]  # fmt: skip
    found = pair_p_values(drawn.evidence, drawn.spread)
    left = dh.verdict(results, by="mean", plan="jackknife")
    of_t = pair_p_values(left.evidence, left.spread)
    for i in range(3):
        for j in range(3):
            if i == j:
                assert found[i, j] == of_t[i, j] == 1
                continue
            assert found[i, j] == pytest.approx((1 + sum(w[i] <= w[j] for w in means)) / 100)
            test = stats.ttest_rel(results.scores[i], results.scores[j], alternative="greater")
            assert of_t[i, j] == pytest.approx(test.pvalue)

"""From merits to ranks."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import rankdata

from deadheat.core.errors import UnknownNameError
from deadheat.ranking.ranks import levels, ranks, signs, winners

SCIPY = {"mean": "average", "min": "min", "dense": "dense"}
merits = st.lists(st.integers(-3, 3), min_size=1, max_size=9).map(lambda x: np.array(x) / 7)


@pytest.mark.parametrize("convention", SCIPY)
@given(values=merits)
def test_ranks_are_those_of_scipy(convention, values):
    expected = rankdata(-values, method=SCIPY[convention])
    np.testing.assert_array_equal(ranks(values, convention=convention), expected)


@given(values=merits, data=st.data())
def test_the_rank_is_one_plus_those_above_plus_half_of_those_level(values, data):
    i = data.draw(st.integers(0, len(values) - 1))
    expected = 1 + (values > values[i]).sum() + ((values == values[i]).sum() - 1) / 2
    assert ranks(values)[i] == expected


@given(seed=st.integers(0, 10_000), size=st.sampled_from([1e-3, 1.0, 1e6]))
def test_the_order_of_summation_makes_no_difference(seed, size):
    rng = np.random.default_rng(seed)
    scores = rng.uniform(0, size, 40)
    sums = np.array([sum(rng.permutation(scores).tolist()) / 40 for _ in range(6)])
    assert ranks(sums, unit=size).tolist() == [3.5] * 6
    assert winners(sums, unit=size).all()


def test_merits_that_differ_in_the_ninth_digit_are_told_apart():
    assert ranks(np.array([1.0, 1.0 + 1e-9])).tolist() == [2, 1]
    assert ranks(np.array([1.0, 1.0 + 1e-13])).tolist() == [1.5, 1.5]


def test_the_tolerance_follows_the_unit_and_the_merits_that_are_compared():
    assert ranks(np.array([0.0, 1e-8])).tolist() == [2, 1]
    assert ranks(np.array([0.0, 1e-8]), unit=1e6).tolist() == [1.5, 1.5]
    assert ranks(np.array([0.0, 1e-14]), unit=0.0).tolist() == [2, 1]
    assert ranks(np.array([1e6, 1e6 + 1e-8])).tolist() == [1.5, 1.5]


@pytest.mark.parametrize("n", [2, 5, 44, 2_048, 2_049])  # above, no bits are left for places
@pytest.mark.parametrize("size", [1.0, -1.0, 1e-200, 1e-295, 5e-324])
def test_numbers_that_differ_in_their_last_bits_are_ranked_as_they_stand(n, size):
    """From the best down, one more rank wherever the step is beyond the tolerance."""
    rng = np.random.default_rng(n)
    steps = rng.choice([0.0, 1e-16, 4e-13, 9e-13, 1.1e-12, 1e-9], n).cumsum()
    values = size * rng.permutation(1 + steps)
    unit = abs(size) / 2
    place, expected = 0, {}
    ordered = sorted(values.tolist(), reverse=True)
    for k, value in enumerate(ordered):
        if k and ordered[k - 1] - value > 1e-12 * max(abs(ordered[k - 1]), abs(value)):
            place = k
        expected.setdefault(value, place + 1)
    found = ranks(values, convention="min", unit=unit)
    assert found.tolist() == [expected[value] for value in values.tolist()]


def test_a_third_merit_of_another_size_ties_nobody():
    assert ranks(np.array([1e6, 5.0, 5.0 + 1e-8])).tolist() == [1, 3, 2]
    assert ranks(np.array([-1e13, 1.0, 2.0]), unit=0.0).tolist() == [3, 2, 1]


def test_each_candidate_may_have_a_unit_of_its_own():
    close = np.array([0.0, 1e-8, 5.0, 5.0 + 1e-8])
    assert ranks(close, unit=np.array([1.0, 1.0, 1e6, 1.0])).tolist() == [4, 3, 1.5, 1.5]
    assert ranks(close, unit=np.array([1.0, 1e6, 1.0, 1.0])).tolist() == [3.5, 3.5, 2, 1]
    both = ranks(np.stack([close, close[::-1]]), unit=np.array([1.0, 1.0, 1e6, 1.0]))
    assert both.tolist() == [[4, 3, 1.5, 1.5], [1, 2, 3.5, 3.5]]
    assert winners(close, unit=np.array([1.0, 1.0, 1e6, 1.0])).tolist() == [
        False,
        False,
        True,
        True,
    ]


def test_single_precision_has_a_tolerance_of_its_own():
    values = np.array([1.0, 1.0 + 3e-7, 1.0 + 1e-4], dtype=np.float32)
    assert ranks(values).tolist() == [2.5, 2.5, 1]


def test_the_absent_have_no_rank_and_take_no_place():
    assert ranks(np.array([np.nan, 2.0, np.nan, 3.0]))[[1, 3]].tolist() == [2, 1]
    assert np.isnan(ranks(np.array([np.nan, 2.0]))[0])
    assert np.isnan(ranks(np.array([np.nan, np.nan]))).all()
    assert winners(np.array([np.nan, 2.0])).tolist() == [False, True]


@pytest.mark.parametrize("convention", SCIPY)
def test_infinite_merits_tie_with_each_other_only(convention):
    values = np.array([np.inf, 1.0, -np.inf, np.inf, -np.inf])
    expected = rankdata(-values, method=SCIPY[convention])
    np.testing.assert_array_equal(ranks(values, convention=convention), expected)


@given(seed=st.integers(0, 10_000))
def test_a_batch_is_its_rows(seed):
    rng = np.random.default_rng(seed)
    table = rng.integers(0, 4, size=(5, 6)).astype(float)
    table[rng.random(table.shape) < 0.2] = np.nan
    table[0] *= 1e9
    np.testing.assert_array_equal(ranks(table), np.stack([ranks(row) for row in table]))
    assert ranks(table[0]).shape == (6,)
    assert ranks(np.empty((0, 6))).shape == (0, 6)


def test_an_unknown_convention_is_named():
    with pytest.raises(UnknownNameError, match=r"unknown rank convention 'averge'"):
        ranks(np.ones(2), convention="averge")


def test_signs_of_exact_counts_are_exact_and_others_forgive_noise():
    differences = np.array([[1e-13, -1e-13, 0.5, -0.5, 0.0]])
    assert signs(differences, noise=np.array([[0.0]])).tolist() == [[1, -1, 1, -1, 0]]
    assert signs(differences, noise=np.array([[1e-12]])).tolist() == [[0, 0, 1, -1, 0]]
    assert signs(differences, noise=np.array([[1e-18]])).tolist() == [[1, -1, 1, -1, 0]]


# Levels


def test_without_a_tolerance_scores_stay_as_they_are():
    scores = np.array([[0.3], [0.1]])
    assert levels(scores, tolerance=0) is scores


def test_a_level_reaches_the_tolerance_below_its_best_and_no_chain_goes_on():
    scores = np.array([[1.0], [0.9], [0.8], [0.7], [0.6]])
    assert levels(scores, tolerance=0.1)[:, 0].tolist() == [1.0, 1.0, 0.8, 0.8, 0.6]


def test_levels_are_made_judge_by_judge():
    scores = np.array([[1.0, 5.0], [0.95, 1.0], [0.5, 5.05]])
    assert levels(scores, tolerance=0.1).tolist() == [[1.0, 5.05], [1.0, 1.0], [0.5, 5.05]]


@given(seed=st.integers(0, 10_000), tolerance=st.sampled_from([0.05, 0.1, 0.3]))
def test_levels_are_what_going_down_from_the_best_gives(seed, tolerance):
    scores = np.random.default_rng(seed).integers(0, 20, size=(7, 2)) / 20
    found = levels(scores.copy(), tolerance=tolerance)
    for k in range(2):
        best, expected = None, {}
        for score in sorted(set(scores[:, k].tolist()), reverse=True):
            if best is None or best - score > tolerance + 1e-9:
                best = score
            expected[score] = best
        assert found[:, k].tolist() == [expected[score] for score in scores[:, k].tolist()]


def test_missing_and_infinite_scores_keep_their_place():
    scores = np.array([[np.inf], [np.nan], [1.0], [np.inf], [0.95], [-np.inf]])
    found = levels(scores, tolerance=0.1)[:, 0]
    np.testing.assert_array_equal(found, [np.inf, np.nan, 1.0, np.inf, 1.0, -np.inf])

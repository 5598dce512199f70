"""Tests of scores that carry standard errors: against scipy, statsmodels, and by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from deadheat.statistics import own_errors

NAN = float("nan")


def leader_tests(scores, errors, alpha=0.05):
    return own_errors.leader_tests(np.array(scores), np.array(errors), alpha)


@given(
    st.lists(st.tuples(st.floats(-5, 5), st.floats(0.1, 3)), min_size=2, max_size=9),
    st.sampled_from([0.01, 0.05, 0.2]),
)
def test_p_values_are_normal_tails_and_holm_goes_down_from_the_smallest(pairs, alpha):
    scores, errors = np.array(pairs).T
    found = leader_tests(scores, errors, alpha)
    assert scores[found.leader] == scores.max()
    expected, left = {}, []
    for i in range(len(scores)):
        if i != found.leader:
            spread = (errors[found.leader] ** 2 + errors[i] ** 2) ** 0.5
            lead = scores[found.leader] - scores[i]
            expected[i] = stats.norm.sf(lead, scale=spread)
            left.append(i)
    assert np.isnan(found.p[found.leader])
    assert all(found.p[i] == pytest.approx(p, rel=1e-9) for i, p in expected.items())
    rejected = set()
    for k, i in enumerate(sorted(left, key=expected.__getitem__)):
        if expected[i] > alpha / (len(left) - k) * (1 + 1e-9):
            break
        rejected.add(i)
    assert set(np.flatnonzero(found.worse).tolist()) == rejected


def test_holm_by_hand():
    """Leads of 5, 20, 60 with errors of 3: z = 1.18, 4.71, 14.1; the least lead shows nothing."""
    found = leader_tests([1310, 1305, 1290, 1250], [3, 3, 3, 3])
    assert found.p[1:] == pytest.approx([0.119296, 1.2142e-6, 0], abs=1e-6)
    assert found.worse.tolist() == [False, False, True, True]


def test_one_lead_that_a_single_test_shows_is_not_shown_among_many():
    """A lead of 1.8 errors has p = 0.036: below 5 % alone, above 5 % / 2 beside an equal one."""
    assert leader_tests([1.8, 0.0], [1.0, 0.0]).worse.tolist() == [False, True]
    assert not leader_tests([1.8, 0.0, 0.0], [1.0, 0.0, 0.0]).worse.any()


def test_nobody_knows_how_far_a_score_without_an_error_is_off():
    found = leader_tests([3.0, 2.0, 1.0, NAN], [0.1, NAN, 0.1, 0.1])
    assert found.tested.tolist() == [True, False, True, False]
    assert found.worse.tolist() == [False, False, True, False]
    assert np.isnan(found.p).tolist() == [True, True, False, True]
    blind = leader_tests([3.0, 2.0, 1.0], [NAN, 0.1, 0.1])
    assert blind.leader == 0
    assert not blind.tested.any()
    assert not blind.worse.any()


def test_of_equal_scores_the_surest_leads_and_errors_of_nothing_decide_exactly():
    assert leader_tests([1.0, 1.0], [0.2, 0.1]).leader == 1
    assert leader_tests([1.0, 1.0], [0.2, 0.1]).p[0] == 0.5
    assert leader_tests([1.0, 1.0, 0.9], [0.0, 0.0, 0.0]).worse.tolist() == [False, False, True]


@pytest.mark.parametrize("spread", [0.0, 1.5])
def test_the_best_is_seldom_missed_and_equals_are_kept_at_least_as_often(spread):
    """The best of ten, equal or not, is shown worse than the leader in at most 5 % of cases."""
    draw, missed, rounds = np.random.default_rng(1), 0, 2_000
    true = np.linspace(0, -spread, 10)
    errors = np.full(10, 0.7)
    for _ in range(rounds):
        missed += bool(leader_tests(true + draw.normal(0, 0.7, 10), errors).worse[0])
    assert missed / rounds <= 0.05 + 3 * (0.05 * 0.95 / rounds) ** 0.5

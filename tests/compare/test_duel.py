"""Wins, ties and losses, and the sign test."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import deadheat as dh
from deadheat.compare.api import duel, sign_test


@given(seed=st.integers(0, 10**6), weighted=st.booleans())
def test_wins_ties_and_losses_by_loops(seed, weighted):
    rng = np.random.default_rng(seed)
    m = int(rng.integers(1, 12))
    scores = rng.integers(0, 3, size=(3, m)).astype(float)
    weights = rng.integers(0, 3, size=m) + np.eye(m, dtype=int)[0] if weighted else np.ones(m)
    found = duel(dh.Results(scores=scores, better="higher", judge_weights=weights), 0, 2)
    judges = [j for j in range(m) if weights[j] > 0]
    won = [j for j in judges if scores[0, j] > scores[2, j]]
    lost = [j for j in judges if scores[0, j] < scores[2, j]]
    assert (found.higher, found.lower) == (len(won), len(lost))
    assert found.tied == len(judges) - len(won) - len(lost)
    total = sum(weights)
    assert found.win_rate == pytest.approx(sum(weights[j] for j in won) / total)
    halves = [1.0 if j in won else 0.0 if j in lost else 0.5 for j in judges]
    assert found.effect == pytest.approx(
        sum(weights[j] * half for j, half in zip(judges, halves, strict=True)) / total
    )
    if won or lost:
        known = stats.binomtest(len(won), len(won) + len(lost)).pvalue
        assert found.sign_p == pytest.approx(known)
    else:
        assert found.sign_p == 1


@pytest.mark.parametrize(("higher", "lower"), [(0, 0), (1, 0), (5, 5), (61, 30), (0, 40)])
def test_the_sign_test_is_the_exact_binomial_test(higher, lower):
    number = higher + lower
    known = stats.binomtest(higher, number).pvalue if number else 1.0
    assert sign_test(higher, lower) == pytest.approx(known)


def test_a_cluster_counts_once_in_the_sign_test():
    """Cluster x is for a on two of three judges, y is a draw, z is for b."""
    scores = [[2, 2, 1, 2, 1, 1], [1, 1, 2, 1, 2, 2]]
    table = dh.Results(scores=scores, better="higher", clusters=list("xxxyyz"))
    found = duel(table, 0, 1)
    assert (found.higher, found.lower) == (3, 3)
    assert found.signs_over == "clusters"
    assert found.sign_p == 1  # one against one
    more = dh.Results(scores=scores, better="higher", clusters=list("uvwxyz"))
    assert duel(more, 0, 1).sign_p == stats.binomtest(3, 6).pvalue


def test_scores_within_the_tolerance_are_tied():
    table = dh.Results(scores=[[0.90, 0.5], [0.88, 0.1]], better="higher", tie_tol=0.05)
    found = duel(table, 0, 1)
    assert (found.higher, found.tied, found.lower) == (1, 1, 0)
    assert found.differences.tolist() == [0, 0.4]


def test_equal_infinities_are_tied_and_missing_scores_count_for_nobody():
    scores = [[np.inf, np.inf, np.nan, 1], [np.inf, 0, 3, 2]]
    table = dh.Results(scores=scores, better="higher", missing="available")
    found = duel(table, 0, 1)
    assert (found.higher, found.tied, found.lower) == (1, 1, 1)
    assert found.judges == 3

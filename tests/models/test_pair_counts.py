"""Battles and rounds become counts of pairs."""

from __future__ import annotations

from unittest import mock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rating_cases import battles, counts
from scipy.stats import mannwhitneyu

from deadheat.core.errors import UnknownNameError
from deadheat.models.rating.pair_counts import (
    CellPairs,
    Sums,
    pairs_of_rounds,
)
from deadheat.ranking import block as blocks

LOG = [(0, 1, 1, 3, 3), (1, 0, 1, 2, 2), (1, 0, 0, 1, 0.5), (2, 1, -1, 4, 4), (0, 1, 1, 1, 2)]


def as_dict(pairs):
    columns = (pairs.first, pairs.second, pairs.wins, pairs.losses, pairs.ties)
    return {(int(i), int(j)): tuple(map(float, rest)) for i, j, *rest in zip(*columns, strict=True)}


def test_a_battle_is_the_same_from_both_sides():
    pairs = CellPairs(battles(LOG, "abc")).counts()
    assert as_dict(pairs) == {(0, 1): (5, 2, 0.5), (1, 2): (4, 0, 0)}
    assert (pairs.n, pairs.names) == (3, ("a", "b", "c"))


def test_replicates_of_cells_are_counted_row_by_row():
    log = battles(LOG, "abc")
    drawn = np.random.default_rng(0).integers(0, 5, size=(6, len(LOG))).astype(float)
    drawn[1] = 0
    many = CellPairs(log).counts(drawn)
    assert many.wins.shape == (6, 2)
    for b, row in enumerate(drawn):
        log.weights = row
        assert as_dict(many.of_replicate(b)) == as_dict(CellPairs(log).counts())


def test_no_battle_is_no_pair():
    pairs = CellPairs(battles([], "ab")).counts()
    assert (pairs.n, len(pairs.first)) == (2, 0)
    assert Sums(pairs)(pairs.wins, pairs.losses).tolist() == [0, 0]
    assert CellPairs(battles([], "ab")).counts(np.zeros((3, 0))).wins.shape == (3, 0)


@given(seed=st.integers(0, 10_000), n=st.integers(1, 6))
def test_sums_go_to_the_candidates(seed, n):
    rng = np.random.default_rng(seed)
    chosen = [(i, j, 0, 0, 0) for i in range(n) for j in range(i + 1, n) if rng.random() < 0.6]
    pairs = counts(n, chosen)
    mine, yours = rng.random((2, 3, len(chosen)))
    expected = np.zeros((3, n))
    for p, (i, j, *_) in enumerate(chosen):
        expected[:, i] += mine[:, p]
        expected[:, j] += yours[:, p]
    np.testing.assert_allclose(Sums(pairs)(mine, yours), expected)


def test_some_candidates_keep_their_battles():
    pairs = CellPairs(battles([*LOG, (3, 1, 1, 1, 1), (0, 3, 0, 1, 1)], "abcd")).counts()
    some = pairs.among(np.array([0, 1, 3]))
    assert as_dict(some) == {(0, 1): (5, 2, 0.5), (0, 2): (0, 0, 1), (1, 2): (0, 1, 0)}
    assert some.names == ("a", "b", "d")


# Rounds


@st.composite
def rounds(draw):
    """Draw scores with holes and ties, and weights of the rounds."""
    n, size = draw(st.integers(2, 5)), draw(st.integers(1, 5))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    scores = rng.integers(0, 4, size=(n, size)).astype(float)
    scores[rng.random((n, size)) < 0.2] = np.nan
    return scores, rng.integers(0, 3, size=(3, size)).astype(float)


def literally(scores, weights, pairing):
    """Return the counts by four loops."""
    n, size = scores.shape
    found = {}
    for i in range(n):
        for j in range(i + 1, n):
            total, met = [0.0, 0.0, 0.0], False
            for s in range(size):
                for t in range(size) if pairing == "all" else (s,):
                    x, y = scores[i, s], scores[j, t]
                    if not np.isnan(x + y):
                        met = True
                        weight = weights[s] * (weights[t] if pairing == "all" else 1)
                        total[0 if x > y else 1 if x < y else 2] += weight
            if met:
                found[i, j] = tuple(total)
    return found


@pytest.mark.parametrize("pairing", ["same", "all"])
@given(drawn=rounds())
def test_rounds_are_counted_as_four_loops_count_them(pairing, drawn):
    scores, weights = drawn
    plain = pairs_of_rounds(scores, pairing=pairing)
    assert as_dict(plain) == literally(scores, np.ones(scores.shape[1]), pairing)
    for size in (1, 7, 4_000_000):
        with mock.patch.object(blocks, "WORKING_SET", size):
            many = pairs_of_rounds(scores, weights, pairing=pairing)
        for b, row in enumerate(weights):
            assert as_dict(many.of_replicate(b)) == literally(scores, row, pairing)


def test_all_pairs_of_rounds_are_the_statistic_of_mann_and_whitney():
    scores = np.random.default_rng(1).integers(0, 30, size=(4, 12)).astype(float)
    pairs = pairs_of_rounds(scores, pairing="all")
    for i, j, points in zip(pairs.first, pairs.second, pairs.points, strict=True):
        assert points == mannwhitneyu(scores[i], scores[j]).statistic


def test_scores_within_the_tolerance_are_tied():
    scores = np.array([[0.50, 0.9], [0.51, 0.7]])
    assert as_dict(pairs_of_rounds(scores, tie_tol=0.02)) == {(0, 1): (1, 0, 1)}
    assert as_dict(pairs_of_rounds(scores, tie_tol=0.02, pairing="all")) == {(0, 1): (2, 1, 1)}


def test_an_infinite_score_is_the_best():
    pairs = pairs_of_rounds(np.array([[np.inf, 1.0], [np.inf, -np.inf]]), pairing="all")
    assert as_dict(pairs) == {(0, 1): (2, 1, 1)}


# Refusals


def test_rounds_that_are_none_are_refused():
    scores = np.ones((2, 3))
    with pytest.raises(UnknownNameError, match="pairing 'sam'"):
        pairs_of_rounds(scores, pairing="sam")

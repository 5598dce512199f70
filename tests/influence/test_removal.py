"""Leaving out a candidate, against a literal recount."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import deadheat as dh
from deadheat.influence.api import removals


def mean_ranks(scores: np.ndarray) -> list[float]:
    """Mean ranks by counting, judge by judge: 1 + those better + half of the other tied ones."""
    n, m = scores.shape
    return [
        sum(
            1
            + sum(scores[k, j] > scores[i, j] for k in range(n))
            + sum(scores[k, j] == scores[i, j] for k in range(n) if k != i) / 2
            for j in range(m)
        )
        / m
        for i in range(n)
    ]


def order(a: float, b: float) -> int:
    return int(a > b + 1e-9) - int(a < b - 1e-9)


@pytest.mark.parametrize("seed", range(5))
def test_agrees_with_a_recount(seed):
    scores = np.random.default_rng(seed).integers(0, 5, (6, 7)).astype(float)
    names = list("abcdef")
    table = dh.Results(scores=scores, candidates=names, better="higher")
    whole = mean_ranks(scores)
    found = {row["candidate"]: row for row in removals(table, by="average_rank").rows()}
    for i, name in enumerate(names):
        rest = [k for k in range(6) if k != i]
        now = dict(zip(rest, mean_ranks(scores[rest]), strict=True))
        changed = sum(
            order(whole[a], whole[b]) != order(now[a], now[b])
            for a, b in itertools.combinations(rest, 2)
        )
        first = [names[k] for k in rest if now[k] <= min(now.values()) + 1e-9]
        expected = [names[k] for k in rest if whole[k] <= min(whole[r] for r in rest) + 1e-9]
        assert found[name]["reversed_pairs"] == changed
        assert found[name]["first"] == first
        assert found[name]["winner_changes"] == (first != expected)


def test_a_mean_does_not_care_who_else_is_there():
    scores = np.random.default_rng(1).normal(size=(5, 9))
    found = removals(dh.Results(scores=scores, better="higher"), by="mean")
    assert found.facts()["order"] == 0
    assert found.verdict == "Whichever candidate is left out, the others keep their order."


def test_two_candidates_are_refused():
    table = dh.Results(scores=[[1.0, 2.0], [2.0, 1.0]], better="higher")
    with pytest.raises(dh.DataError, match="2 candidates"):
        removals(table)

"""Who is first in the optimal rankings, against every ranking that there is."""

from __future__ import annotations

import math

import numpy as np
import pytest

import consensus_oracle as oracle
import deadheat as dh
from deadheat.models.aggregation import programs

CYCLE = [[3, 1, 2], [2, 3, 1], [1, 2, 3]]
OPPOSITE = np.column_stack([np.arange(4.0), -np.arange(4.0)])
STRICT = ["kendall", "spearman", "footrule", "hamming", "euclidean", "cayley"]


def consensus(scores, **options):
    names = [f"c{i}" for i in range(len(scores))]
    return dh.consensus(dh.Results(scores=scores, candidates=names, better="higher"), **options)


def profile(seed, *, ties):
    """Return few judges of few candidates, so that optima are rarely unique."""
    rng = np.random.default_rng(seed)
    n, m = int(rng.integers(2, 6)), int(rng.integers(1, 5))
    if ties:
        return rng.integers(0, 3, (n, m)).astype(float)
    return np.argsort(rng.random((n, m)), axis=0).astype(float)


def firsts(rankings):
    """Return who shares the first place, of each ranking."""
    return {frozenset(np.flatnonzero(r == r.min()).tolist()) for r in rankings}


@pytest.mark.parametrize("name", STRICT)
@pytest.mark.parametrize("seed", range(25))
def test_the_winners_of_all_optimal_rankings_are_known(name, seed):
    scores = profile(seed, ties=name != "cayley" and seed % 2 == 0)
    rankings = oracle.strict_rankings(len(scores))
    _, optima = oracle.optima(name, scores, np.ones(scores.shape[1]), rankings=rankings)
    found = consensus(scores, distance=name)
    assert found.found.leads == firsts(optima)
    assert found.found.every == (len(optima) == len(rankings))
    expected = sorted({i for first in firsts(optima) for i in first})
    assert found.facts()["winners"] == [f"c{i}" for i in expected]


@pytest.mark.parametrize("seed", range(40))
def test_the_winners_of_all_optimal_rankings_with_ties_are_known(seed):
    scores = profile(seed, ties=seed % 2 == 0)
    rankings = oracle.weak_rankings(len(scores))
    _, optima = oracle.optima("kendall", scores, np.ones(scores.shape[1]), rankings=rankings)
    found = consensus(scores, output="weak").found
    assert found.leads == firsts(optima)
    assert found.every == (len(optima) == len(rankings))


def test_a_large_first_block_leaves_the_winners_open_and_a_large_later_one_does_not(monkeypatch):
    monkeypatch.setattr(programs, "MOST", 2)
    cycle = np.array([[3, 1, 2, 3], [2, 3, 1, 2], [1, 2, 3, 1.0], [0, 0, 0, 0]])
    cycle = np.column_stack([cycle, cycle[[2, 1, 0, 3]][:, 3]])  # a draw, so that optima are many
    open_ended = consensus(cycle)
    assert open_ended.facts()["unique"] is False
    assert open_ended.facts()["winners"] is None
    assert "whether they have the same winner is not known" in open_ended.verdict
    settled = consensus(np.vstack([np.full(5, 9.0), cycle]))
    assert settled.facts()["unique"] is False
    assert settled.facts()["winners"] == ["c0"]
    assert "one of several optimal rankings, which all put c0 first" in settled.verdict


def test_a_winner_that_optimal_rankings_dispute_is_not_named_as_one():
    verdict = consensus(CYCLE).verdict
    assert verdict.startswith("3 rankings disagree least with the 3 judges, and they differ in who")
    assert "each of c0, c1 and c2 is first in some of them" in verdict
    many = consensus(np.vstack([np.tile(OPPOSITE, (3, 1)), np.full(2, -9.0)]))
    assert "each of 12 candidates is first in some of them" in many.verdict


@pytest.mark.parametrize("scores", [OPPOSITE, np.ones((5, 3)), np.ones((30, 3))])
def test_where_every_ranking_is_as_good_that_is_said(scores):
    found = consensus(scores)
    assert found.verdict.startswith("Every ranking is equally good")
    assert "puts" not in found.verdict
    assert found.facts()["all_equal"]
    n = len(scores)
    assert found.facts()["optima"] == (math.factorial(n) if n < 18 else None)
    assert len(found.facts()["winners"]) == n


@pytest.mark.parametrize("distance", ["kendall", "spearman"])
def test_a_number_of_optima_that_no_line_could_hold_is_left_out(distance):
    found = consensus(np.ones((2_000, 2)), distance=distance)
    assert found.facts()["optima"] is None
    assert '"optima": null' in found.to_json()
    half = np.ones((2_001, 2))
    half[0] = 2
    assert "one of more than 10^15 optimal rankings" in consensus(half, distance="spearman").verdict


def test_a_shared_winner_is_named():
    found = consensus([[4, 4, 4], [3, 3, 3], [1, 2, 1.5], [2, 1, 1.5]])
    assert "puts c0 first" in found.verdict
    assert found.verdict.endswith("It is one of 2 optimal rankings, which both put c0 first.")


@pytest.mark.parametrize(
    ("scores", "output", "told"),
    [
        ([[2, 2], [1, 1]], "strict", False),
        ([[2, 1], [1, 1]], "strict", True),
        (CYCLE, "strict", False),
        (OPPOSITE, "weak", True),
    ],
)
def test_that_a_tie_counts_one_half_is_said_where_there_is_one(scores, output, told):
    assert ("a tie counts one half" in consensus(scores, output=output).verdict) == told


def test_the_possible_disagreements_are_those_of_judges_who_know_both():
    """Three pairs and two judges, less the two pairs that the second judge cannot compare."""
    table = dh.Results(scores=[[3, np.nan], [2, 2], [1, 1]], better="higher", missing="available")
    assert "0 disagreements of 4 possible" in dh.consensus(table).verdict


def test_a_watcher_is_told_objectives_that_fall_and_bounds_that_rise():
    scores = np.random.default_rng(1).random((26, 9))
    told = []
    found = consensus(scores, progress=lambda objective, bound: told.append((objective, bound)))
    assert len(told) > 1
    objectives, bounds = zip(*told, strict=True)
    assert list(objectives) == sorted(objectives, reverse=True)
    assert list(bounds) == sorted(bounds)
    assert bounds[-1] <= found.facts()["objective"] <= objectives[-1]
    weak = []
    tied = np.round(scores * 4)
    rest = consensus(tied, output="weak", progress=lambda *reached: weak.append(reached))
    assert all(bound <= rest.facts()["objective"] <= objective for objective, bound in weak)
    assert weak

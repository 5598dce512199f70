"""Kemeny's rule as a ranking function: beyond the laws of tests/contract."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import consensus_oracle as oracle
import deadheat as dh
from deadheat.core.errors import UsageError
from deadheat.models.aggregation import kemeny as mean_optima
from deadheat.models.aggregation import programs
from deadheat.ranking import function as registry
from strategies import drawn_bytes

KEMENY = registry.get("kemeny")


@st.composite
def profiles(draw):
    n, m = draw(st.integers(1, 6)), draw(st.integers(1, 6))
    return (drawn_bytes(draw, n, m) % 7).astype(float)


@given(scores=profiles())
def test_a_single_optimum_is_the_ranking(scores):
    n, m = scores.shape
    _, optima = oracle.optima("kendall", scores, np.ones(m), rankings=oracle.strict_rankings(n))
    if len(optima) == 1:
        np.testing.assert_array_equal(-KEMENY(scores)[0], optima[0])


def test_the_cycle_of_three_is_a_tie_of_three():
    assert KEMENY([[3, 1, 2], [2, 3, 1], [1, 2, 3]]).tolist() == [[-2.0, -2.0, -2.0]]


def test_copies_stand_together_and_share_their_ranks():
    assert KEMENY([[3.0], [2.0], [1.0]], None, [2, 3, 1]).tolist() == [[-1.5, -4.0, -6.0]]


def test_margins_against_an_absent_candidate_tell_nobody_apart():
    """Whoever is not there must not decide who stands together."""
    scores = [[0.37, 2.22], [1.48, 1.48], [2.22, 1.85], [1.85, 0.74]]
    both = [[0.1, 0.3], [0.3, 0.1], [0.1, 0.7], [0.2, 0.3], [0.1, 0.1]]
    for table in (np.array(scores), np.array(both)):
        n = len(table)
        for absent in range(n):
            there = np.arange(n) != absent
            found = KEMENY(table, None, there)[0, there]
            np.testing.assert_allclose(found, KEMENY(table[there])[0], rtol=1e-12)


def test_many_candidates_have_the_ranks_of_an_optimal_ranking():
    """Beyond what subsets can do: the objective is that of the consensus, proven elsewhere."""
    scores = np.random.default_rng(0).random((20, 9))
    table = dh.Results(scores=scores, better="higher")
    merits = KEMENY(scores)[0]
    assert sorted(-merits) == list(range(1, 21))
    written = oracle.objective("kendall", -merits, scores, np.ones(9))
    assert written == dh.consensus(table).facts()["objective"]


def test_real_weights_that_are_whole_but_for_a_factor_change_nothing_for_many():
    rng = np.random.default_rng(1)
    scores, weights = rng.random((18, 8)), rng.integers(1, 4, 8)
    np.testing.assert_array_equal(KEMENY(scores, weights), KEMENY(scores, weights / 7))


def largest_cycle(scores):
    """Return how many candidates of the largest cycle reach each other along majorities."""
    n = len(scores)
    beats = [[j for j in range(n) if np.sign(scores[i] - scores[j]).sum() > 0] for i in range(n)]
    reached = []
    for start in range(n):
        seen, waiting = {start}, [start]
        while waiting:
            new = [j for j in beats[waiting.pop()] if j not in seen]
            seen.update(new)
            waiting += new
        reached.append(seen)
    return max(sum(i in reached[j] for j in reached[i]) for i in range(n))


def test_too_large_a_cycle_is_refused_before_it_is_tried():
    scores = np.random.default_rng(0).random((60, 51))
    size = largest_cycle(scores)
    assert size > mean_optima.LARGEST == 40
    with pytest.raises(
        UsageError, match=rf"{size} candidates form one cycle.* at most 40"
    ) as caught:
        KEMENY(scores)
    assert "consensus" in caught.value.hint


def test_a_cycle_that_only_a_resampled_table_has_is_told_as_such(monkeypatch):
    """The table itself has no cycle: replicates of it have."""
    scores = np.array([[3, 3, 1, 2, 3], [2, 2, 3, 1, 2], [1, 1, 2, 3, 1]])
    assert largest_cycle(scores) == 1
    monkeypatch.setattr(programs, "MOST", 1)
    monkeypatch.setattr(mean_optima, "LARGEST", 2)
    table = dh.Results(scores=scores, better="higher")
    assert dh.rank(table, by="kemeny").rows()
    for ask in (
        lambda: dh.verdict(table, by="kemeny", replicates=999),
        lambda: dh.criteria(table, by="kemeny", trials=500, over="judges", repeats=1),
    ):
        with pytest.raises(UsageError, match=r"^on a resampled table kemeny .* 3 cand") as caught:
            ask()
        assert "fewer candidates" in caught.value.hint


def test_criteria_say_where_not_all_optima_are_known():
    scores = np.random.default_rng(0).random((20, 9))
    table = dh.Results(scores=scores, better="higher")
    found = dh.criteria(table, by="kemeny,mean", trials=2, q=2, repeats=1)
    assert any("too many to know all optimal rankings" in w for w in found.warnings)
    other = dh.criteria(table, by="mean", trials=2, q=2, repeats=1)
    assert not any("too many to know" in w for w in other.warnings)


def test_what_is_not_proven_in_time_is_refused_and_not_guessed(monkeypatch):
    monkeypatch.setattr(mean_optima, "PATIENCE", 1e-9)
    with pytest.raises(UsageError, match="did not suffice to prove"):
        KEMENY(np.random.default_rng(0).random((30, 15)))


def test_a_large_table_without_large_cycles_is_ranked():
    skill = np.linspace(3, 0, 200)[:, None]
    scores = skill + np.random.default_rng(0).normal(scale=0.01, size=(200, 15))
    ranks = -KEMENY(scores)[0]
    assert np.corrcoef(ranks, np.arange(200))[0, 1] > 0.99


def test_a_ranking_says_where_not_all_optima_are_known():
    scores = np.random.default_rng(0).random((20, 9))
    table = dh.Results(scores=scores, better="higher")
    (warning,) = [w for w in dh.rank(table, by="kemeny").warnings if w.startswith("kemeny")]
    assert "too many to know all optimal rankings" in warning
    small = dh.Results(scores=scores[:6], better="higher")
    assert not [w for w in dh.rank(small, by="kemeny").warnings if w.startswith("kemeny")]


def test_it_is_left_out_of_all_and_serves_a_verdict():
    table = dh.examples.load("compressors")
    assert "kemeny" not in {f.name for f in dh.rank(table, by="all").functions}
    found = dh.verdict(table, by="kemeny", replicates=200)
    assert found.rows()[0]["candidate"] in table.candidates
    assert dh.rank(table, by="kemeny-young").functions == (KEMENY,)

"""The audit of a table, against loops over copied tables."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

import deadheat as dh
from deadheat.axioms import api as audit
from deadheat.axioms import axiom as laws
from deadheat.core.errors import DataError, UsageError
from deadheat.ranking import function as registry
from deadheat.ranking.on_tables import PAPER as THEORY
from deadheat.ranking.ranks import ranks

NAMES = ("average_rank", "copeland", "median", "success_rate", "relative_difference", "mean")


def ranked(f, scores):
    return ranks(f(scores)[0], unit=f.unit(scores))


def order(rank, u, v):
    return int(np.sign(rank[v] - rank[u]))


def worst(before, after, pairs):
    """Return 2 for a reversed order, 1 for a tie made or broken, else 0, over ordered pairs."""
    return max((max(before(u, v) - after(u, v), 0) for u, v in pairs), default=0)


def by_hand(f, scores):
    """Return (applicable, strong, weak) of each axiom by copying rows and columns."""
    n, m = scores.shape
    whole = ranked(f, scores)
    found = {"participation": [], "iia": [], "clones": []}
    for k in range(m):
        without = ranked(f, np.delete(scores, k, axis=1))
        pairs = [(u, v) for u, v in permutations(range(n), 2) if scores[u, k] > scores[v, k]]
        if pairs:
            found["participation"].append(
                worst(
                    lambda u, v, r=without: order(r, u, v), lambda u, v: order(whole, u, v), pairs
                )
            )
    for z in range(n):
        rest = [i for i in range(n) if i != z]
        pairs = list(permutations(rest, 2))
        alone = dict(zip(rest, ranked(f, scores[rest]), strict=True))
        found["iia"].append(
            worst(lambda u, v: order(whole, u, v), lambda u, v, r=alone: order(r, u, v), pairs)
        )
        cloned = ranked(f, np.vstack([scores, scores[z]]))
        found["clones"].append(
            worst(lambda u, v: order(whole, u, v), lambda u, v, r=cloned: order(r, u, v), pairs)
        )
    return {name: (len(levels), levels.count(2), levels.count(1)) for name, levels in found.items()}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("seed", range(6))
def test_the_counts_are_those_of_copied_tables(name, seed):
    rng = np.random.default_rng(seed)
    scores = rng.integers(1, 5, (int(rng.integers(3, 8)), int(rng.integers(3, 9)))).astype(float)
    f = registry.get(name)
    table = dh.Results(scores=scores, better="higher")
    rows = {row["axiom"]: row for row in dh.axioms(name, table=table).rows()}
    for axiom, counts in by_hand(f, scores).items():
        row = rows[axiom]
        assert (row["searched"], row["strong"], row["weak"]) == counts, axiom
        assert row["holds"] == (row["strong"] == 0) == (row["counterexample"] is None)


def test_the_removal_that_flips_the_winner_is_named():
    """Borda: three judges say a b c, two say b c a: b wins, and without c, a does."""
    scores = [[3, 3, 3, 1, 1], [2, 2, 2, 3, 3], [1, 1, 1, 2, 2]]
    table = dh.Results(scores=scores, candidates=["a", "b", "c"], better="higher")
    row = next(r for r in dh.axioms("borda", table=table).rows() if r["axiom"] == "iia")
    (finding,) = [f for f in row["findings"] if "without c" in f["change"]]
    assert finding["change"] == "b is above a; without c, a is above b."
    assert (finding["first"], finding["reversed"]) == (["a"], 1)
    assert sorted(finding["pairs"][0]) == ["a", "b"]
    assert (row["winner"], row["searched"]) == (1, 3)


def test_a_winner_that_is_taken_away_is_no_other_winner():
    """Plurality: without a, who is first, b passes c; nobody who was first lost to anybody."""
    scores = [[4, 4, 4, 1, 1, 1, 1], [3, 3, 3, 4, 4, 2, 2], [1, 1, 1, 2, 2, 4, 4], [2] * 7]
    scores[1][4], scores[2][4] = 3, 4  # a is first for three judges, c for three, b for one
    scores[0][3] = 4.5
    table = dh.Results(scores=scores, candidates=["a", "b", "c", "d"], better="higher")
    result = dh.axioms("plurality", table=table)
    assert result.facts()["first"] == {"plurality": ["a"]}
    row = next(r for r in result.rows() if r["axiom"] == "iia")
    (finding,) = [f for f in row["findings"] if "without a" in f["change"]]
    assert finding["first"] is None
    assert row["strong"] > row["winner"]


def test_the_judge_that_hurts_whom_it_prefers_is_named():
    example = dh.axioms("median", only="participation").rows()[0]["counterexample"]
    bad = dh.Results(
        scores=example["scores"],
        candidates=example["candidates"],
        judges=example["judges"],
        better="higher",
    )
    row = next(r for r in dh.axioms("median", table=bad).rows() if r["axiom"] == "participation")
    assert not row["holds"]
    assert any(example["change"] == finding["change"] for finding in row["findings"])


def test_majority_and_condorcet_winners_are_found_and_whether_they_win():
    scores = [[1, 1, 1, 0, 0], [0.9, 0.9, 0.9, 1, 1], [0.5, 0.5, 0.5, 0.6, 0.6]]
    table = dh.Results(scores=scores, candidates=["A", "B", "C"], better="higher")
    result = dh.axioms(["success_rate", "copeland"], table=table)
    facts = result.facts()
    assert facts["majority_winner"] == facts["condorcet_winner"] == "A"
    assert facts["first"] == {"success_rate": ["B"], "copeland": ["A"]}
    assert (
        "A is first for a majority of the judges and is not first by success rate."
        in result.verdict
    )
    holds = {(r["function"], r["axiom"]): r["holds"] for r in result.rows()}
    assert not holds["success_rate", "majority"]
    assert holds["copeland", "majority"]
    cycle = dh.Results(scores=[[3, 1, 2], [2, 3, 1], [1, 2, 3]], better="higher")
    nobody = dh.axioms("copeland", table=cycle)
    assert nobody.facts()["condorcet_winner"] is None
    assert "no Condorcet winner" in nobody.verdict


def test_strata_that_rank_alike_are_joined():
    example = dh.axioms("median", only="consistency").rows()[0]["counterexample"]
    first = set(example["judges_before"])
    table = dh.Results(
        scores=example["scores"],
        judges=example["judges"],
        strata=["one" if judge in first else "two" for judge in example["judges"]],
        better="higher",
    )
    row = next(r for r in dh.axioms("median", table=table).rows() if r["axiom"] == "consistency")
    assert (row["searched"], row["strong"]) == (1, 1)
    plain = dh.Results(scores=example["scores"], better="higher")
    row = next(r for r in dh.axioms("median", table=plain).rows() if r["axiom"] == "consistency")
    assert (row["searched"], row["holds"], row["share"]) == (0, None, None)


def test_judge_weights_count():
    table = dh.Results(scores=[[3, 1, 1], [1, 2, 2]], judge_weights=[3, 1, 1], better="higher")
    assert dh.axioms("mean", table=table).facts()["majority_winner"] == "candidate_1"
    absent = dh.Results(scores=[[3, 1, 1], [1, 2, 2]], judge_weights=[0, 1, 1], better="higher")
    result = dh.axioms("mean", table=absent)
    assert result.facts()["majority_winner"] == "candidate_2"
    assert next(r for r in result.rows() if r["axiom"] == "participation")["searched"] == 2


def test_large_tables_are_sampled_and_that_is_said(monkeypatch):
    monkeypatch.setattr(audit, "STEPS", 1)
    scores = np.random.default_rng(0).normal(size=(30, 40))
    result = dh.axioms("copeland", table=dh.Results(scores=scores, better="higher"))
    assert result.warnings[0] == (
        "copeland: 20 of 30 candidates and 20 of 40 judges were taken away, drawn at random."
    )
    searched = {row["axiom"]: row["searched"] for row in result.rows()}
    assert searched["iia"] == searched["clones"] == searched["participation"] == 20


def test_the_functions_of_theory_are_the_default_and_lower_scores_can_be_better():
    table = dh.Results(scores=[[1, 2], [3, 4], [2, 9]], candidates=["a", "b", "c"], better="lower")
    result = dh.axioms(table=table)
    assert tuple(result.made["function"]) == THEORY
    assert result.facts()["majority_winner"] == "a"
    asked = {name for name, axiom in laws.AXIOMS.items() if axiom.audited}
    assert {row["axiom"] for row in result.rows()} == asked >= set(laws.FIRST)


def test_by_default_those_that_cannot_rank_the_table_are_left_out_and_named():
    table = dh.Results(scores=[[-1, 2, 1], [3, 4, 2], [2, 9, -3]], better="higher")
    result = dh.axioms(table=table)
    assert set(result.made["function"]) == set(THEORY) - {"relative_difference"}
    assert any("relative_difference is left out" in warning for warning in result.warnings)


def test_a_table_of_runs_is_asked_about_the_function_that_ranks_it_too():
    runs = dh.Runs(
        candidate=["a", "a", "b", "b", "c", "c"],
        instance=["x", "y"] * 3,
        status=["solved", "timeout", "solved", "solved", "timeout", "solved"],
        time=[1.0, 9, 2, 3, 9, 4],
        cutoff=5.0,
    )
    functions = dh.axioms(table=runs, rule="categories-won", only="iia").made["function"]
    assert functions == ["categories_won", *THEORY]
    assert dh.axioms(table=runs, rule="solved", only="iia").made["function"] == list(THEORY)


def test_several_functions_share_the_time_there_is(monkeypatch):
    scores = np.random.default_rng(0).normal(size=(30, 40))
    monkeypatch.setattr(audit, "STEPS", 30 * 30 * 70 * 60)  # sixty pairwise questions
    table = dh.Results(scores=scores, better="higher")
    alone, two = (
        dh.axioms(by, table=table, only="iia,participation")
        for by in ("copeland", "copeland,minimax")
    )
    assert alone.warnings == ()
    assert two.warnings == (
        "copeland and minimax: 30 of 40 judges were taken away, drawn at random.",
    )


def test_a_budget_is_refused_where_it_would_do_nothing():
    table = dh.Results(scores=[[1, 2], [2, 1]], better="higher")
    with pytest.raises(UsageError, match="budget is that of a search"):
        dh.axioms("mean", table=table, budget=10)


def test_a_table_that_is_too_small_is_refused():
    with pytest.raises(DataError, match="1 candidate"):
        dh.axioms("mean", table=dh.Results(scores=[[1, 2]], better="higher"))

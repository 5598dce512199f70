"""The audit of tables with weights, holes and tolerated differences, against loops."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

import deadheat as dh

HOLE = float("nan")


def majority_winner(scores, weights, tolerance=0.0):
    """Who is ahead of all others by more than the tolerance, for more than half of the weight."""
    votes = np.zeros(len(scores))
    for k, weight in enumerate(weights):
        column = scores[:, k]
        if np.isnan(column).any():
            continue
        for u in range(len(scores)):
            if all(column[u] > column[v] + tolerance for v in range(len(scores)) if v != u):
                votes[u] += weight
    found = [u for u in range(len(scores)) if 2 * votes[u] > sum(weights)]
    return found[0] if found else None


def condorcet_winner(scores, weights, tolerance=0.0):
    """Who beats each rival on more weight than not, over the judges that know both."""
    n = len(scores)
    for u in range(n):
        margins = [
            sum(
                weight * np.sign(scores[u, k] - scores[v, k])
                for k, weight in enumerate(weights)
                if abs(scores[u, k] - scores[v, k]) > tolerance  # false for NaN
            )
            for v in range(n)
            if v != u
        ]
        if min(margins) > 0:
            return u
    return None


def order(rank, u, v):
    return int(np.sign(rank[v] - rank[u]))


def worst_of(pairs, wanted, found):
    return max((max(wanted(u, v) - found(u, v), 0) for u, v in pairs), default=0)


def counts(levels):
    return len(levels), levels.count(2), levels.count(1)


def table_of(scores, **options):
    return dh.Results(scores=scores, better="higher", **options)


def rank_of(name, scores, **options):
    """Rank a table that was really made, by the public function; whole numbers are places."""
    rows = dh.rank(table_of(scores, **options), by=name).rows()
    place = {row["candidate"]: row["rank"] for row in rows}
    return np.array([place[f"candidate_{i + 1}"] for i in range(len(scores))], dtype=float)


def by_hand(name, scores, weights, **options):
    """Return (applicable, strong, weak) of the axioms by making every changed table."""
    n, m = scores.shape
    tolerance = options.get("tie_tol", 0.0)
    whole = rank_of(name, scores, judge_weights=weights, **options)
    found = {name: [] for name in ("majority", "condorcet", "unanimity", "liia", "participation")}
    everybody = list(permutations(range(n), 2))
    for axiom, winner in (
        ("majority", majority_winner(scores, weights, tolerance)),
        ("condorcet", condorcet_winner(scores, weights, tolerance)),
    ):
        if winner is not None:
            pairs = [(winner, v) for v in range(n) if v != winner]
            found[axiom].append(worst_of(pairs, lambda u, v: 1, lambda u, v: order(whole, u, v)))
    here = [k for k in range(m) if weights[k] > 0]
    agreed = [
        (u, v) for u, v in everybody if all(scores[u, k] > scores[v, k] + tolerance for k in here)
    ]
    if agreed:
        found["unanimity"].append(worst_of(agreed, lambda u, v: 1, lambda u, v: order(whole, u, v)))
    kept = {
        tuple(i for i in range(n) if low <= whole[i] <= high) for low in whole for high in whole
    }
    for members in sorted(kept):
        if 1 < len(members) < n:
            rows = list(members)
            alone = dict(
                zip(
                    rows, rank_of(name, scores[rows], judge_weights=weights, **options), strict=True
                )
            )
            pairs = list(permutations(rows, 2))
            found["liia"].append(
                worst_of(
                    pairs, lambda u, v: order(whole, u, v), lambda u, v, r=alone: order(r, u, v)
                )
            )
    for k in here:
        pairs = [(u, v) for u, v in everybody if scores[u, k] > scores[v, k] + tolerance]
        if pairs and len(here) > 1:
            less = np.where(np.arange(m) == k, 0.0, weights)
            without = rank_of(name, scores, judge_weights=less, **options)
            found["participation"].append(
                worst_of(
                    pairs, lambda u, v, r=without: order(r, u, v), lambda u, v: order(whole, u, v)
                )
            )
    return {axiom: counts(levels) for axiom, levels in found.items()}


def drawn(seed):
    rng = np.random.default_rng(seed)
    shape = int(rng.integers(3, 7)), int(rng.integers(2, 8))
    return rng, rng.integers(1, 6, shape).astype(float)


def compared(name, scores, weights, **options):
    table = table_of(scores, judge_weights=weights, **options)
    rows = {row["axiom"]: row for row in dh.axioms(name, table=table).rows()}
    for axiom, expected in by_hand(name, scores, weights, **options).items():
        row = rows[axiom]
        assert (row["searched"], row["strong"], row["weak"]) == expected, axiom
    facts = dh.axioms(name, table=table).facts()
    for key, winner in (
        ("majority_winner", majority_winner(scores, weights, options.get("tie_tol", 0.0))),
        ("condorcet_winner", condorcet_winner(scores, weights, options.get("tie_tol", 0.0))),
    ):
        assert facts[key] == (None if winner is None else f"candidate_{winner + 1}")


@pytest.mark.parametrize("name", ["average_rank", "copeland", "success_rate", "median"])
@pytest.mark.parametrize("seed", range(6))
def test_weights_count_as_they_do_by_hand(name, seed):
    rng, scores = drawn(seed)
    weights = rng.choice([0.0, 0.5, 1.0, 2.0, 5.0], scores.shape[1])
    weights[0] = 1.0
    compared(name, scores, weights)


@pytest.mark.parametrize("name", ["average_rank", "copeland", "success_rate"])
@pytest.mark.parametrize("seed", range(6))
def test_differences_within_the_tolerance_are_ties_as_they_are_by_hand(name, seed):
    """Multiples of 2 with noise of up to 0.4, so that what is level is level with all alike."""
    rng, scores = drawn(100 + seed)
    noisy = 2 * scores + rng.uniform(0, 0.4, scores.shape)
    compared(name, noisy, np.ones(scores.shape[1]), tie_tol=0.5)


@pytest.mark.parametrize("name", ["copeland", "minimax"])
@pytest.mark.parametrize("seed", range(12))
def test_holes_are_compared_on_those_that_are_known_as_by_hand(name, seed):
    rng, scores = drawn(200 + seed)
    scores = np.repeat(scores, 2, axis=1)
    holes = rng.random(scores.shape) < 0.2
    holes[:, 0] = False  # every two have a judge in common
    scores[holes] = HOLE
    compared(name, scores, np.ones(scores.shape[1]), missing="available")


def test_the_table_has_majority_winners_with_holes_too():
    """Otherwise the comparison above shows nothing about them."""
    scores = np.array([[3, 3, 3, 1, 1], [2, 2, 2, 3, HOLE], [1, 1, 1, 2, 3]])
    facts = dh.axioms("copeland", table=table_of(scores, missing="available")).facts()
    assert facts["majority_winner"] == "candidate_1"


def test_who_is_missing_is_not_beaten():
    """C is first where A and B are missing, and loses every duel that there is."""
    scores = [[3, 3, HOLE, HOLE, HOLE], [2, 2, HOLE, HOLE, HOLE], [1, 1, 3, 3, 3]]
    table = table_of(scores, candidates=["A", "B", "C"], missing="available")
    result = dh.axioms("copeland", table=table)
    assert result.facts()["majority_winner"] is None
    assert result.facts()["condorcet_winner"] == "A"
    holds = {row["axiom"]: row["holds"] for row in result.rows()}
    assert holds["majority"] is None
    assert holds["condorcet"]


@pytest.mark.parametrize(
    ("weights", "told"),
    [
        ([5, 1, 1, 1], "A is first for judges of weight 5 of 8, and B is above A."),
        ([0, 5, 1, 1, 1], "A is first for judges of weight 5 of 8, and B is above A."),
    ],
)
def test_the_favourite_is_told_by_weight(weights, told):
    scores = np.array([[3, 3, 0, 0, 0], [2, 2, 2, 2, 2], [0, 0, 1, 1, 1]])[:, -len(weights) :]
    table = table_of(scores, candidates=["A", "B", "C"], judge_weights=weights)
    (row,) = dh.axioms("success_rate", table=table, only="majority").rows()
    assert row["counterexample"]["change"] == told


def test_judges_of_weight_zero_are_not_among_those_told():
    scores = [[3, 3, 3, 0, 0, 0], [2, 2, 2, 3, 3, 3], [1, 1, 1, 2, 2, 9]]
    table = table_of(scores, candidates=["A", "B", "C"], judge_weights=[1, 1, 1, 1, 1, 0])
    (row,) = dh.axioms("success_rate", table=table, only="majority").rows()
    change = row["counterexample"]["change"]
    assert change == "A is first for 3 of 5 judges, and B is above A."


def test_the_favourite_is_told_within_the_tolerance():
    """The fifth judge sees A ahead of B by less than counts, and supports nobody."""
    scores = [
        *([3, 3, 3, 3, 3.1, 0, 0], [2, 2, 2, 2, 3, 3, 3]),
        *([1, 1, 1, 1, 1, 2, 2], [0, 0, 0, 0, 0, 1, 1]),
    ]
    table = table_of(scores, candidates=list("ABCD"), tie_tol=0.5)
    (row,) = dh.axioms("success_rate", table=table, only="majority").rows()
    change = row["counterexample"]["change"]
    assert change == "A is first for 4 of 7 judges, and B is above A."


def test_one_judge_decides_everything():
    """Majority and Condorcet winner are that judge's first; nobody can be left out."""
    result = dh.axioms(table=table_of([[1], [3], [2]], candidates=["a", "b", "c"]))
    facts = result.facts()
    assert facts["majority_winner"] == facts["condorcet_winner"] == "b"
    assert set(map(tuple, facts["first"].values())) == {("b",)}
    asked = {row["axiom"]: row["searched"] for row in result.rows()}
    assert asked["participation"] == asked["consistency"] == 0
    assert asked["iia"] == asked["clones"] == 3
    assert {row["strong"] for row in result.rows()} == {0}


def test_a_finding_tells_orders_that_are_reversed_from_ties():
    """At most ten findings per axiom: on small tables that is all of them."""
    met = {"strong": 0, "weak": 0}
    for seed in range(10):
        scores = np.random.default_rng(seed).integers(1, 6, (5, 5)).astype(float)
        for row in dh.axioms("copeland,success_rate", table=table_of(scores)).rows():
            findings = row["findings"]
            if row["strong"] + row["weak"] <= 10:
                assert sum(f["reversed"] > 0 for f in findings) == row["strong"]
                assert sum(f["reversed"] == 0 < f["ties"] for f in findings) == row["weak"]
            met = {key: met[key] + row[key] for key in met}
    assert min(met.values()) > 0


def test_what_liia_leaves_out_is_said():
    rng = np.random.default_rng(0)
    large = table_of(rng.normal(size=(21, 5)))
    (warning,) = dh.axioms("copeland", table=large, only="liia,iia").warnings
    assert "only tops and bottoms of the ranking" in warning
    assert dh.axioms("copeland", table=large, only="iia").warnings == ()
    small = table_of(rng.normal(size=(20, 5)))
    assert dh.axioms("copeland", table=small, only="liia").warnings == ()

"""Kemeny's rule against dynamic programming, enumeration and scipy's whole-number solver."""

from __future__ import annotations

import importlib
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import coo_array

import consensus_oracle as oracle
import deadheat as dh
from deadheat.models.aggregation import kemeny as kendall
from deadheat.models.aggregation import kemeny as strict
from deadheat.models.aggregation import programs
from deadheat.models.aggregation.ballots import Clock, common_unit, contest_of
from strategies import drawn_bytes

WEIGHTS = {
    "ones": lambda rng, m: np.ones(m),
    "whole": lambda rng, m: rng.integers(0, 4, m).astype(float) + np.eye(m)[0],
    "tenths": lambda rng, m: rng.integers(1, 9, m) / 10,
    "real": lambda rng, m: rng.dirichlet(np.ones(m)),
}


def profile(seed, n, m, *, levels):
    return np.random.default_rng(seed).integers(0, levels, size=(n, m)).astype(float)


def consensus(scores, weights=None, **options):
    table = dh.Results(scores=scores, better="higher", judge_weights=weights)
    return dh.consensus(table, **options)


@pytest.fixture
def no_highspy(monkeypatch):
    """Pretend that highspy is not installed."""
    monkeypatch.setitem(sys.modules, "highspy", None)
    with pytest.raises(ImportError):
        importlib.import_module("highspy")


@pytest.fixture
def no_subsets(monkeypatch):
    """Let the linear program solve even the smallest cycle."""
    monkeypatch.setattr(programs, "MOST", 1)
    monkeypatch.setattr(programs, "MOST_IN_BUCKETS", 1)


def check_strict(scores, weights, *, number=True):
    found = consensus(scores, weights)
    facts = found.facts()
    best, ways = oracle.best_of_subsets(oracle.pair_costs(scores, weights))
    assert facts["status"] == "optimal"
    assert facts["objective"] == pytest.approx(best, abs=1e-6)
    assert facts["bound"] == facts["objective"]
    assert sorted(found.ranks) == list(range(1, len(scores) + 1))
    written = oracle.objective("kendall", found.ranks, scores, weights)
    assert facts["objective"] == pytest.approx(written, abs=1e-9)
    assert facts["unique"] == (ways == 1)
    if number:
        assert facts["optima"] == ways


@pytest.mark.parametrize("kind", WEIGHTS)
@pytest.mark.parametrize("seed", range(75))
def test_the_optimum_is_that_of_all_subsets(seed, kind):
    rng = np.random.default_rng(seed)
    n, m, levels = rng.integers(1, 11), rng.integers(1, 9), rng.integers(2, 9)
    check_strict(profile(seed, n, m, levels=levels), WEIGHTS[kind](rng, m))


@pytest.mark.parametrize("kind", WEIGHTS)
@pytest.mark.parametrize("seed", range(20))
def test_the_linear_program_finds_the_same_optimum(no_subsets, seed, kind):
    rng = np.random.default_rng(seed)
    n, m = rng.integers(4, 9), rng.integers(3, 9)
    check_strict(profile(seed, n, m, levels=9), WEIGHTS[kind](rng, m), number=False)


@pytest.mark.parametrize("seed", range(12))
def test_without_highspy_scipy_finds_the_same_optimum(no_highspy, no_subsets, seed):
    rng = np.random.default_rng(seed)
    n, m = rng.integers(4, 9), rng.integers(3, 9)
    check_strict(profile(seed, n, m, levels=9), np.ones(m), number=False)


def whole_program(scores):
    """Return the optimum from scipy's milp, with a variable per pair and every triangle at once."""
    costs = oracle.pair_costs(scores, np.ones(scores.shape[1]))
    n = len(scores)
    number = {(i, j): i * n + j for i in range(n) for j in range(n)}
    rows, upper = [], []
    for i in range(n):
        for j in range(n):
            if i < j:
                rows.append([(number[i, j], 1), (number[j, i], 1)])
                upper.append((1, 1))
            for k in range(n):
                if len({i, j, k}) == 3 and i < min(j, k):
                    rows.append([(number[i, j], 1), (number[j, k], 1), (number[k, i], 1)])
                    upper.append((0, 2))
    cells = [(r, v, c) for r, row in enumerate(rows) for v, c in row]
    r, v, c = zip(*cells, strict=True)
    matrix = coo_array((c, (r, v)), shape=(len(rows), n * n)).tocsr()
    low, high = zip(*upper, strict=True)
    found = milp(
        costs.ravel(),
        integrality=np.ones(n * n),
        bounds=Bounds(0, 1),
        constraints=LinearConstraint(matrix, low, high),
    )
    return found.fun


@pytest.mark.parametrize(("n", "m", "levels"), [(20, 6, 30), (22, 9, 8), (26, 25, 100), (18, 4, 3)])
def test_beyond_subsets_the_optimum_is_that_of_scipy(n, m, levels):
    scores = profile(n, n, m, levels=levels)
    facts = consensus(scores).facts()
    assert facts["status"] == "optimal"
    assert facts["objective"] == pytest.approx(whole_program(scores))


def test_without_highspy_a_large_cycle_is_proven_too(no_highspy):
    scores = profile(3, 20, 9, levels=50)
    assert max(len(p.order) for p in parts_of(scores)) > programs.MOST
    facts = consensus(scores).facts()
    assert facts["status"] == "optimal"
    assert facts["objective"] == pytest.approx(whole_program(scores))


def parts_of(scores):
    contest = contest_of(scores, np.ones(scores.shape[1]))
    return strict.strict_parts(contest, Clock(60))


def tournament(seed, n):
    """Return votes whose margins are all 2 or -2 at random: linear programs leave fractions."""
    ahead = np.random.default_rng(seed).integers(0, 2, (n, n))
    judges = []
    for i in range(n):
        for j in range(i):
            first, second = (i, j) if ahead[i, j] else (j, i)
            rest = [k for k in range(n) if k not in (i, j)]
            judges += [[first, second, *rest], [*rest[::-1], first, second]]
    return np.array([-np.argsort(order).astype(float) for order in judges]).T  # McGarvey (1953)


@pytest.mark.parametrize("absent", [False, True], ids=["highspy", "scipy"])
def test_where_fractions_do_not_settle_it_whole_numbers_do(monkeypatch, absent):
    if absent:
        monkeypatch.setitem(sys.modules, "highspy", None)
    kind = programs._Scipy if absent else programs._Highs
    asked, solve = [], kind.completed

    def completed(self, seconds, values):
        asked.append(values)
        return solve(self, seconds, values)

    monkeypatch.setattr(kind, "completed", completed)
    scores = tournament(15, 14)
    facts = consensus(scores).facts()
    assert (np.abs(asked[0] - np.rint(asked[0])) > 0.1).any()
    assert facts["status"] == "optimal"
    assert facts["objective"] == pytest.approx(whole_program(scores))


@pytest.mark.parametrize("output", ["strict", "weak"])
@pytest.mark.parametrize("absent", [False, True], ids=["highspy", "scipy"])
def test_whole_numbers_prove_it_from_any_ranking(monkeypatch, absent, output):
    if absent:
        monkeypatch.setitem(sys.modules, "highspy", None)
    monkeypatch.setattr(programs, "SHARE", 0.0)  # no time for a better ranking beforehand
    scores = tournament(15, 14)
    facts = consensus(scores, output=output).facts()
    assert facts["status"] == "optimal"
    assert facts["objective"] == pytest.approx(whole_program(scores))


def test_a_single_optimum_of_a_large_cycle_is_known_to_be_single():
    scores = tournament(10, 16)
    facts = consensus(scores).facts()
    assert (facts["unique"], facts["optima"]) == (True, 1)
    order = np.argsort(consensus(scores).ranks)
    costs = oracle.pair_costs(scores, np.ones(scores.shape[1]))
    rng = np.random.default_rng(0)
    for _ in range(200):  # no move of a stretch of the order is as good
        a, b, c = np.sort(rng.choice(len(order) + 1, 3, replace=False))
        moved = np.concatenate([order[:a], order[b:c], order[a:b], order[c:]])
        assert np.triu(costs[np.ix_(moved, moved)], 1).sum() > facts["objective"]


def test_a_program_that_finds_nothing_in_time_still_bounds(monkeypatch):
    """As scipy does where the limit is hit before any solution in whole numbers."""
    monkeypatch.setitem(sys.modules, "highspy", None)
    nothing = programs.Solution(None, 0.0, optimal=False)
    monkeypatch.setattr(programs._Scipy, "completed", lambda self, seconds, values: nothing)
    monkeypatch.setattr(programs._Scipy, "whole", lambda self, seconds, **_: nothing)
    facts = consensus(tournament(15, 14)).facts()
    assert facts["status"] == "time limit"
    assert facts["bound"] < facts["objective"]


@pytest.mark.parametrize("limit", [0.0, 60.0])
def test_without_time_it_is_not_known_whether_an_order_is_the_only_one(monkeypatch, limit):
    stopped = programs.Solution(None, 0.0, optimal=False)
    monkeypatch.setattr(programs._Highs, "relaxed", lambda self, seconds: stopped)
    contest = contest_of(tournament(10, 16), np.ones(240))
    order = np.arange(16)
    assert strict._is_unique_part(contest, order, contest.against(order), Clock(limit)) is None


def test_a_time_limit_is_honoured_with_a_ranking_a_bound_and_a_warning():
    scores = np.random.default_rng(0).random((150, 31))
    found = consensus(scores, time_limit=0.3)
    facts = found.facts()
    assert facts["status"] == "time limit"
    assert facts["unique"] is facts["optima"] is None
    assert 0 < facts["gap"] == facts["objective"] - facts["bound"]
    assert sorted(found.ranks) == list(range(1, 151))
    assert any("time limit of 0.3 s was reached" in warning for warning in found.warnings)
    assert "no ranking comes below" in found.verdict
    costs = oracle.pair_costs(scores, np.ones(31))
    assert facts["bound"] >= np.triu(np.minimum(costs, costs.T), 1).sum()


def test_the_time_limit_holds_for_rankings_with_ties():
    scores = np.random.default_rng(0).integers(0, 4, (90, 9)).astype(float)
    facts = consensus(scores, time_limit=0.2, output="weak").facts()
    assert facts["status"] == "time limit"
    assert facts["bound"] < facts["objective"]


# Rankings with ties


@pytest.mark.parametrize("seed", range(60))
def test_with_ties_the_optimum_is_that_of_all_rankings(seed):
    rng = np.random.default_rng(seed)
    n, m = rng.integers(1, 6), rng.integers(1, 8)
    scores = profile(seed, n, m, levels=rng.integers(2, 6))
    weights = WEIGHTS[sorted(WEIGHTS)[seed % 4]](rng, m)
    best, rankings = oracle.optima("kendall", scores, weights, rankings=oracle.weak_rankings(n))
    found = consensus(scores, weights, output="weak")
    assert found.facts()["objective"] == pytest.approx(best, abs=1e-6)
    assert found.facts()["optima"] == len(rankings)
    assert any(np.array_equal(found.ranks, ranks) for ranks in rankings)


@pytest.mark.parametrize("seed", range(15))
def test_with_ties_the_linear_program_agrees(no_subsets, seed):
    rng = np.random.default_rng(seed)
    n, m = rng.integers(3, 6), rng.integers(2, 8)
    scores = profile(seed, n, m, levels=4)
    best, _ = oracle.optima("kendall", scores, np.ones(m), rankings=oracle.weak_rankings(n))
    facts = consensus(scores, output="weak").facts()
    assert facts["objective"] == pytest.approx(best)
    assert facts["status"] == "optimal"


def test_with_ties_a_large_part_is_proven_and_no_worse_than_without():
    scores = profile(5, 16, 7, levels=3)
    tied, strictly = consensus(scores, output="weak"), consensus(scores)
    assert tied.facts()["status"] == strictly.facts()["status"] == "optimal"
    assert tied.facts()["objective"] < strictly.facts()["objective"]
    written = oracle.objective("kendall", tied.ranks, scores, np.ones(7))
    assert tied.facts()["objective"] == pytest.approx(written)


# Properties


@st.composite
def profiles(draw):
    n, m = draw(st.integers(2, 7)), draw(st.integers(1, 7))
    return (drawn_bytes(draw, n, m) % 5).astype(float)


@settings(max_examples=100)
@given(scores=profiles())
def test_a_condorcet_winner_is_first_in_every_optimal_ranking(scores):
    contest = contest_of(scores, np.ones(scores.shape[1]))
    beats = (contest.margins > 0).sum(axis=1) == len(scores) - 1
    found = kendall.closest_strict(contest, Clock(60))
    for ranks in found.optima:
        assert (ranks[beats] == 1).all()


@settings(max_examples=100)
@given(scores=profiles(), data=st.data())
def test_an_interval_of_the_ranking_is_optimal_on_its_own(scores, data):
    """Local independence of irrelevant alternatives (Young 1988)."""
    ranks = consensus(scores).ranks
    n = len(scores)
    low = data.draw(st.integers(1, n))
    high = data.draw(st.integers(low, n))
    inside = (ranks >= low) & (ranks <= high)
    alone = consensus(scores[inside]).facts()["objective"]
    kept = ranks[inside] - low + 1
    weights = np.ones(scores.shape[1])
    assert alone == oracle.objective("kendall", kept, scores[inside], weights)


@given(scores=profiles())
def test_the_optima_that_are_listed_are_all(scores):
    n, m = scores.shape
    if n > 5:
        scores, n = scores[:5], 5
    found = consensus(scores)
    _, expected = oracle.optima("kendall", scores, np.ones(m), rankings=oracle.strict_rankings(n))
    assert found.facts()["optima"] == len(expected)
    if len(expected) <= 10:
        assert {tuple(r) for r in found.found.optima} == {tuple(r) for r in expected}
    else:
        assert found.optima == []


def test_missing_scores_are_compared_on_the_judges_that_know_both():
    rng = np.random.default_rng(1)
    for _ in range(20):
        scores = rng.integers(0, 5, (6, 7)).astype(float)
        scores[rng.random((6, 7)) < 0.3] = np.nan
        table = dh.Results(scores=scores, better="higher", missing="available")
        best, ways = oracle.best_of_subsets(oracle.pair_costs(scores, np.ones(7)))
        facts = dh.consensus(table).facts()
        assert (facts["objective"], facts["optima"]) == (best, ways)


def test_a_hundred_tied_candidates_are_ranked_at_once():
    facts = consensus(np.ones((100, 3))).facts()
    assert facts["objective"] == 100 * 99 / 2 * 3 / 2
    assert facts["unique"] is False
    assert facts["status"] == "optimal"


# The unit of the weights


@pytest.mark.parametrize(
    ("weights", "unit"),
    [([1, 1, 1], 1), ([2, 4, 6], 2), ([0.1, 0.3, 0.7], 0.1), ([0.5, 0.75], 0.25), ([1, np.pi], 0)],
)
def test_weights_are_counted_in_their_common_unit(weights, unit):
    assert common_unit(np.array(weights, dtype=float)) == pytest.approx(unit)


def test_objectives_are_told_apart_by_the_divisor_of_the_margins():
    scores = np.random.default_rng(0).random((5, 8))  # without ties all margins are even
    assert contest_of(scores, np.ones(8)).strict_steps.size == 2
    assert contest_of(scores, np.full(8, 0.5)).strict_steps.size == 1
    real = contest_of(scores, np.random.default_rng(0).random(8)).strict_steps
    assert not real.whole


# Real tables


@pytest.mark.shared
@pytest.mark.parametrize("name", ["Artificial", "AutoDL-ALC", "AutoDL-AUC", "AutoML", "Statlog"])
def test_the_matrices_of_the_paper_are_proven(shared_data, name):
    """Supplement, sec. 5, left Kemeny-Young out for its complexity."""
    table = dh.read(shared_data / "esann2021" / f"{name}.csv", better="higher")
    found = dh.consensus(table)
    facts = found.facts()
    assert facts["status"] == "optimal"
    assert facts["objective"] == pytest.approx(whole_program(np.asarray(table.scores)))
    borda = dh.consensus(table, distance="spearman")
    written = oracle.objective("kendall", borda.ranks, table.scores, table.weights)
    assert facts["objective"] <= written


@pytest.mark.shared
def test_openml_with_292_candidates_is_proven(shared_data):
    table = dh.read(shared_data / "esann2021" / "OpenML.csv", better="higher")
    found = dh.consensus(table)
    facts = found.facts()
    assert facts["status"] == "optimal"
    costs = oracle.pair_costs(table.scores[:, :], table.weights)
    order = np.argsort(found.ranks)
    assert facts["objective"] == np.triu(costs[np.ix_(order, order)], 1).sum()
    footrule = np.argsort(dh.consensus(table, distance="footrule").ranks)
    assert facts["objective"] <= np.triu(costs[np.ix_(footrule, footrule)], 1).sum()

"""The other distances against every ranking that there is, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

import consensus_oracle as oracle
import deadheat as dh
from deadheat.core.errors import DataError, UnknownNameError, UsageError
from deadheat.models.aggregation import objectives as cayley
from deadheat.models.aggregation import objectives as euclidean
from deadheat.models.aggregation import objectives as swaps
from deadheat.models.aggregation.objectives import DISTANCES

BY_ASSIGNMENT = ["footrule", "hamming"]
BY_SEARCH = ["cayley", "euclidean"]


def profile(seed, *, most=6, ties=True):
    rng = np.random.default_rng(seed)
    n, m = int(rng.integers(2, most + 1)), int(rng.integers(1, 8))
    levels = int(rng.integers(2, 8))
    scores = rng.integers(0, levels, (n, m)) if ties else np.argsort(rng.random((n, m)), axis=0)
    weights = [np.ones(m), rng.integers(1, 4, m), rng.random(m) + 0.1][seed % 3]
    return scores.astype(float), weights.astype(float)


def consensus(scores, weights=None, **options):
    table = dh.Results(scores=scores, better="higher", judge_weights=weights)
    return dh.consensus(table, **options)


def check(name, scores, weights):
    rankings = oracle.strict_rankings(len(scores))
    best, optima = oracle.optima(name, scores, weights, rankings=rankings)
    found = consensus(scores, weights, distance=name)
    facts = found.facts()
    assert facts["objective"] == pytest.approx(best)
    assert any(np.array_equal(found.ranks, ranks) for ranks in optima)
    assert (facts["status"], facts["bound"]) == ("optimal", facts["objective"])
    assert facts["unique"] == (len(optima) == 1)
    assert facts["mean_distance"] == pytest.approx(best / weights.sum())
    return found, optima


@pytest.mark.parametrize("name", BY_ASSIGNMENT)
@pytest.mark.parametrize("seed", range(60))
def test_the_best_assignment_is_the_best_of_all_rankings(name, seed):
    check(name, *profile(seed))


@pytest.mark.parametrize("seed", range(60))
def test_the_order_of_mean_ranks_is_closest_by_squares(seed):
    scores, weights = profile(seed)
    found, optima = check("spearman", scores, weights)
    assert found.facts()["optima"] == len(optima)
    if len(optima) <= 10:
        assert {tuple(r) for r in found.found.optima} == {tuple(r) for r in optima}


@pytest.mark.parametrize("seed", range(60))
def test_with_ties_the_closest_by_squares_is_the_best_of_all_rankings(seed):
    scores, weights = profile(seed, most=5)
    rankings = oracle.weak_rankings(len(scores))
    best, optima = oracle.optima("spearman", scores, weights, rankings=rankings)
    found = consensus(scores, weights, distance="spearman", output="weak")
    assert found.facts()["objective"] == pytest.approx(best)
    assert any(np.array_equal(found.ranks, ranks) for ranks in optima)


@pytest.mark.parametrize("name", BY_SEARCH)
@pytest.mark.parametrize("seed", range(15))
def test_few_candidates_are_tried_in_all_orders(name, seed):
    scores, weights = profile(seed, most=5, ties=name == "euclidean")
    found, optima = check(name, scores, weights)
    assert found.facts()["optima"] == len(optima)


@pytest.mark.parametrize("name", BY_SEARCH)
@pytest.mark.parametrize("seed", range(25))
def test_a_search_is_above_its_bound_and_near_the_optimum(monkeypatch, name, seed):
    monkeypatch.setattr(swaps, "FEW", 1)
    scores, weights = profile(seed, ties=name == "euclidean")
    rankings = oracle.strict_rankings(len(scores))
    best, _ = oracle.optima(name, scores, weights, rankings=rankings)
    found = consensus(scores, weights, distance=name)
    facts = found.facts()
    assert facts["bound"] <= best + 1e-9 <= facts["objective"] + 2e-9
    assert facts["objective"] <= 1.1 * best + 1e-9
    written = oracle.objective(name, found.ranks, scores, weights)
    assert facts["objective"] == pytest.approx(written)
    if facts["status"] == "optimal":
        assert facts["objective"] == pytest.approx(best)
    else:
        assert facts["status"] == "heuristic"
        assert any("comes from a search" in warning for warning in found.warnings)


@pytest.mark.parametrize("name", BY_SEARCH)
@pytest.mark.parametrize("seed", range(40))
def test_the_bound_of_a_search_is_one(monkeypatch, name, seed):
    module = {"cayley": cayley, "euclidean": euclidean}[name]
    asked, search = [], module.closest_by_swaps

    def watched(*args, bound, clock):
        asked.append(bound)
        return search(*args, bound=bound, clock=clock)

    monkeypatch.setattr(module, "closest_by_swaps", watched)
    scores, weights = profile(seed, most=5, ties=name == "euclidean")
    best = consensus(scores, weights, distance=name).facts()["objective"]  # all orders are tried
    assert asked[0] <= best + 1e-9
    if name == "cayley":  # the closest judge is at most twice as far as the optimum
        assert asked[0] >= best / 2 - 1e-9


@pytest.mark.parametrize("name", BY_SEARCH)
def test_a_search_stops_at_the_time_limit(name):
    scores = np.argsort(np.random.default_rng(0).random((40, 9)), axis=0).astype(float)
    found = consensus(scores, distance=name, time_limit=1e-9)
    assert found.facts()["status"] == "time limit"
    assert sorted(found.ranks) == list(range(1, 41))


@pytest.mark.parametrize("seed", range(40))
def test_the_closest_by_footrule_has_at_most_twice_the_disagreements(seed):
    """Dwork et al. (2001): footrule and Kendall's distance are within a factor of two."""
    scores, weights = profile(seed, most=7, ties=False)
    ranks = consensus(scores, weights, distance="footrule").ranks
    least = consensus(scores, weights).facts()["objective"]
    assert oracle.objective("kendall", ranks, scores, weights) <= 2 * least + 1e-9


@pytest.mark.parametrize("name", DISTANCES)
def test_a_candidate_alone_and_a_judge_alone(name):
    alone = consensus([[1.0, 2.0]], distance=name)
    assert (alone.ranks.tolist(), alone.facts()["objective"]) == ([1.0], 0.0)
    single = consensus([[2.0], [9.0], [5.0]], distance=name)
    assert (single.ranks.tolist(), single.facts()["objective"]) == ([3.0, 1.0, 2.0], 0.0)


def test_the_tie_tolerance_ties_judges():
    table = dh.Results(scores=[[0.50, 0.9], [0.51, 0.1]], better="higher", tie_tol=0.05)
    assert dh.consensus(table).facts()["objective"] == 0.5


def test_a_judge_without_weight_says_nothing():
    scores = [[1.0, 9.0], [2.0, 1.0]]
    assert consensus(scores, [1.0, 0.0], distance="footrule").ranks.tolist() == [2.0, 1.0]


# What is refused


def refused(kind, match, scores=((1.0, 2.0), (2.0, 2.0)), **options):
    with pytest.raises(kind, match=match) as caught:
        consensus(np.array(scores), **options)
    assert caught.value.hint


def test_wrong_requests_are_refused_with_a_way_out():
    refused(UnknownNameError, "Did you mean 'kendall'", distance="kendal")
    refused(UnknownNameError, "unknown output", output="both")
    refused(UsageError, "strict rankings only", distance="footrule", output="weak")
    for limit in (0, -1, float("nan"), "soon", True):
        refused(UsageError, "time limit", time_limit=limit)


def test_swaps_need_judges_without_ties():
    refused(DataError, "1 of 2 judges tie candidates, first 'judge_2'", distance="cayley")


def test_ties_of_three_are_seen_although_one_has_a_whole_rank():
    scores = [[1.0], [1.0], [1.0]]
    refused(DataError, "1 of 1 judges tie", scores, distance="cayley")


@pytest.mark.parametrize("name", sorted(set(DISTANCES) - {"kendall"}))
def test_ranks_of_missing_scores_are_refused(name):
    table = dh.Results(scores=[[1, np.nan], [2, 3]], better="higher", missing="available")
    with pytest.raises(DataError, match="1 scores are missing"):
        dh.consensus(table, distance=name)


def test_missing_scores_without_a_policy_are_refused():
    with pytest.raises(DataError, match="missing"):
        consensus([[1, np.nan], [2, 3]])

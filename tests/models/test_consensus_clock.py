"""The time limit of a consensus, with a clock that moves when it is looked at: nothing is timed."""

from __future__ import annotations

from itertools import count

import numpy as np
import pytest

import consensus_oracle as oracle
from deadheat.consensus.api import warnings_on
from deadheat.models.aggregation import objectives as cayley
from deadheat.models.aggregation import objectives as euclidean
from deadheat.models.aggregation import objectives as swaps
from deadheat.models.aggregation.ballots import Ballots, Clock, FoundRanking
from deadheat.models.aggregation.kemeny import order_by_moves
from deadheat.models.aggregation.objectives import DISTANCES, cheapest_assignment
from deadheat.models.aggregation.programs import strict_relation

NEVER = Clock(float("inf"))
NAMES = ("kendall", "spearman", "footrule", "hamming", "cayley", "euclidean")


def looks(limit):
    """Return a clock on which so many looks take all the time there is."""
    return Clock(float(limit), started=0.0, now=count(1).__next__)


def ballots_of(seed, n, m):
    rng = np.random.default_rng(seed)
    weights = rng.integers(1, 4, m).astype(float)
    return Ballots(rng.permuted(np.tile(np.arange(1.0, n + 1)[:, None], m), axis=0), weights)


def counting(f, calls):
    def counted(*args, **options):
        calls.append(1)
        return f(*args, **options)

    return counted


@pytest.mark.parametrize("limit", [1, 2, 7, 40, 200])
@pytest.mark.parametrize("name", NAMES)
def test_whenever_it_stops_the_ranking_and_its_bound_are_true(name, limit):
    for seed in range(3):
        ballots = ballots_of(seed, 15, 8)
        stopped = DISTANCES[name].closest(ballots, "strict", looks(limit))
        whole = DISTANCES[name].closest(ballots, "strict", NEVER)
        written = oracle.objective(name, stopped.ranks, ballots.scores, ballots.weights)
        assert stopped.objective == pytest.approx(written)
        assert stopped.bound <= whole.objective + 1e-9
        assert stopped.status != "optimal" or stopped.objective <= whole.objective + 1e-9
        assert sorted(stopped.ranks) == list(range(1, 16))


@pytest.mark.parametrize("name", ["kendall", "cayley", "euclidean"])
def test_a_search_says_that_the_time_was_over(name):
    found = DISTANCES[name].closest(ballots_of(0, 30, 9), "strict", looks(2))
    assert found.status == "time limit"
    assert found.bound < found.objective


@pytest.mark.parametrize("limit", [10, 20])
def test_judges_are_compared_in_groups_and_only_in_a_share_of_the_time(monkeypatch, limit):
    ballots = ballots_of(1, 9, 400)
    calls = []
    monkeypatch.setattr(cayley, "_within", counting(cayley._within, calls))
    cayley.closest_by_cayley(ballots, "strict", looks(limit))
    assert len(calls) <= cayley.SHARE * limit
    calls.clear()
    cayley.closest_by_cayley(ballots, "strict", NEVER)
    assert len(calls) == 400 // cayley.TOGETHER


@pytest.mark.parametrize("m", [1, 2, 9, 10, 25])
def test_the_bound_of_groups_of_judges_is_one(m):
    for seed in range(5):
        ballots = ballots_of(seed, 5, m)
        judged = ballots.ranks.astype(int) - 1
        least, _ = oracle.optima(
            "cayley", ballots.scores, ballots.weights, rankings=oracle.strict_rankings(5)
        )
        bound = cayley._between_judges(judged, ballots.weights, NEVER)
        assert bound <= least + 1e-9
        assert bound > 0.3 * least or m == 1  # half of it is what pairs can say


def test_swaps_are_tried_one_look_at_a_time():
    calls = []

    def changes(ranks, i):
        calls.append(i)
        return -np.ones(len(ranks))

    swaps._descend(np.arange(1.0, 51.0), changes, looks(10))
    assert 0 < len(calls) <= 10


def test_few_candidates_are_not_tried_in_all_orders_when_the_time_is_over():
    calls = []
    starts = [np.arange(1.0, 7.0)]
    found = swaps.closest_by_swaps(
        starts, counting(lambda r: float(r[0]), calls), None, bound=0.5, clock=looks(10)
    )
    assert len(calls) <= 11
    assert (found.status, found.bound, found.unique) == ("time limit", 0.5, None)


def test_the_centre_of_the_judges_takes_a_share_of_the_time(monkeypatch):
    ballots = ballots_of(0, 12, 9)
    calls = []
    monkeypatch.setattr(euclidean, "_distances", counting(euclidean._distances, calls))
    euclidean._centre(ballots.ranks, ballots.weights, ballots.mean_ranks, looks(20))
    assert 0 < len(calls) <= euclidean.SHARE * 20


def test_candidates_are_moved_one_look_at_a_time():
    """Everybody wants to the other end: so many looks, so many moves."""
    n = 30
    losses = np.triu(np.ones((n, n)), 1)
    order = order_by_moves(losses, np.arange(n), looks(4))
    assert 0 < order[0] <= 4
    assert order[: n - 4].tolist() == list(range(order[0], order[0] + n - 4))
    assert order_by_moves(losses, np.arange(n), NEVER).tolist() == list(range(n))[::-1]


def test_triangles_are_looked_at_as_long_as_there_is_time():
    """The only cycle goes through candidates that are looked at last."""
    margins = np.triu(np.ones((30, 30)), 1)
    margins[27, 29] = -1.0
    margins -= np.triu(margins, 1).T
    contest = Ballots(np.zeros((30, 1)), np.ones(1)).contest
    contest = type(contest)(margins, contest.ties * 0, np.abs(margins) + 1, 1.0)
    relation = strict_relation(contest, np.arange(30))
    nothing = np.zeros(len(relation.costs))
    assert relation.violated(nothing, NEVER)
    assert not relation.violated(nothing, looks(10))


def test_others_as_cheap_are_not_looked_for_when_the_time_is_over():
    costs = np.zeros((3, 3))
    found = cheapest_assignment(costs, looks(1))
    assert (found.status, found.objective, found.unique, found.leads) == ("optimal", 0, None, None)
    assert cheapest_assignment(costs, NEVER).unique is False


def test_a_method_that_could_not_be_stopped_is_told():
    found = FoundRanking(ranks=np.ones(1), objective=0.0, bound=0.0, status="optimal")
    (warning,) = warnings_on(found, time_limit=1.0, seconds=9.456)
    assert warning.startswith("it took 9.46 s, more than the time limit of 1 s")
    assert not list(warnings_on(found, time_limit=1.0, seconds=0.9))


@pytest.mark.parametrize("name", ["footrule", "hamming"])
def test_running_sums_cost_what_the_definition_says(name):
    """Weights and ties: rank p + 1 of candidate i, against a loop."""
    from deadheat.models.aggregation.objectives import differences, mismatches

    rng = np.random.default_rng(3)
    scores, weights = rng.integers(0, 4, (6, 9)).astype(float), rng.random(9)
    judged = oracle.judge_rankings(scores)
    apart = (lambda r, p: abs(r - p)) if name == "footrule" else (lambda r, p: r != p)
    expected = [
        [
            sum(w * apart(ranking[i], p) for w, ranking in zip(weights, judged, strict=True))
            for p in range(1, 7)
        ]
        for i in range(6)
    ]
    costs = {"footrule": differences, "hamming": mismatches}[name](Ballots(scores, weights))
    np.testing.assert_allclose(costs, expected, atol=1e-12)

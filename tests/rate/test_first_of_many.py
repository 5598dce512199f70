"""What tests, ratings and criteria draw has the same bits however much is asked for."""

from __future__ import annotations

import numpy as np
import pytest
from rate_logs import drawn

import deadheat as dh
from deadheat.criteria.criterion import CRITERIA
from deadheat.criteria.trials import Stage, Task, measure_table
from deadheat.ranking.function import get
from deadheat.rate.matches import RATED, BattleMatches
from deadheat.resampling.engines import engine
from deadheat.resampling.plans import Bootstrap
from deadheat.statistics import max_t as studentized
from deadheat.statistics.max_t import Signs, worlds
from deadheat.statistics.units import units

RNG = np.random.default_rng(3)
SCORES = RNG.random((6, 41))


def test_worlds_are_made_of_the_same_replicates():
    of_units = units(SCORES)
    few, many = (
        list(worlds(of_units, Bootstrap(replicates=b), 0)) for b in (30, studentized.AT_ONCE + 10)
    )
    assert [(asked, nobody) for _, asked, nobody in few] == [(30, 0)]
    assert [asked for _, asked, _ in many] == [studentized.AT_ONCE, 10]
    assert {len(some.weights) for some, _, _ in [*few, *many]} == {studentized.AT_ONCE}
    assert np.array_equal(few[0][0].shifts, many[0][0].shifts)
    assert np.array_equal(few[0][0].weights, many[0][0].weights)


def test_sums_under_signs_are_the_first_of_more():
    few, many = (Signs(n=6, u=41, asked=b, seed=1).sums(SCORES, 0) for b in (13, 430))
    assert few.shape == (6, 13)
    assert np.array_equal(few, many[:, :13])


@pytest.mark.parametrize("clusters", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
def test_battles_are_drawn_in_tiles_of_one_size(clusters, weighted):
    more = {"weight": RNG.integers(1, 4, 200)} if weighted else {}
    if clusters:
        more["cluster"] = RNG.integers(0, 30, 200)
    log = dh.Battles(**drawn(number=200), **more)
    few, many = (
        list(BattleMatches(battles=log, replicates=b, seed=4).draw_pairs(0)) for b in (7, RATED + 3)
    )
    assert [asked for _, asked in few] == [7]
    assert [asked for _, asked in many] == [RATED, 3]
    assert {len(pairs.wins) for pairs, _ in [*few, *many]} == {RATED}
    assert np.array_equal(few[0][0].wins, many[0][0].wins)


@pytest.mark.parametrize("model", ["epp", "plackett-luce"])
def test_ratings_of_few_replicates_are_the_first_of_many(model):
    table = dh.Results(scores=SCORES[:, :12].round(1), better="higher")
    few, many = (
        dh.rate(table, model=model, replicates=b, simulations=0).evidence.replicates
        for b in (20, 130)
    )
    assert np.array_equal(few, many[:20])


def test_so_are_ratings_under_circumstances():
    log = dh.Battles(**drawn(number=200))
    few, many = (
        dh.rate(log, advantage=True, replicates=b, simulations=0).evidence.replicates
        for b in (20, 130)
    )
    assert np.array_equal(few, many[:20])


def test_trials_of_criteria_are_the_first_of_more():
    table = dh.Results(scores=SCORES[:, :12].round(1), better="higher")
    functions = tuple(map(get, ("mean", "average_rank", "copeland")))
    on_trials = tuple(c for c in CRITERIA.values() if c.over == "trials")

    def measured(trials):
        task = Task(results=table, functions=functions, seed=1)
        stage = Stage(criteria=on_trials, plan=Bootstrap(over="both", replicates=trials))
        with engine("serial") as running:
            return measure_table(task, (stage,), running, lambda _: None)

    few, many = measured(30), measured(140)
    for c in on_trials:
        assert np.array_equal(few.values[c.name], many.values[c.name][:, :30], equal_nan=True)
    winners = few.counts["condorcet_rate: condorcet winners"]
    assert winners == np.count_nonzero(~np.isnan(few.values["condorcet_rate"][0]))

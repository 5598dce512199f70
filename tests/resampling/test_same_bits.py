"""A replicate has the same bits whatever else is asked for, also where products depend on shapes.

Some kernels of linear algebra give other last bits for other shapes. ``hostile`` makes any machine
worse than those: merits change with the shape of the batch and with everybody in it.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import deadheat as dh
from deadheat.ranking.contributions import Contributions
from deadheat.ranking.function import functions
from deadheat.resampling import replicate as module
from deadheat.resampling.plans import (
    Bayesian,
    Bootstrap,
    Subsample,
    block_size,
    tiles,
)
from deadheat.resampling.replicate import replicate

PAIRS = tuple("aabbccddee")
PLANS = {
    "bootstrap": Bootstrap(),
    "bootstrap candidates": Bootstrap(over="candidates"),
    "bootstrap both": Bootstrap(over="both"),
    "stratified": Bootstrap(strata=PAIRS),
    "clustered": Bootstrap(clusters=PAIRS),
    "two levels": Bootstrap(clusters=PAIRS, levels=2),
    "bayesian": Bayesian(),
    "subsample": Subsample(strata=tuple("aaabbbbccc")),
}


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(0)
    scores = rng.random((5, 10)).round(1) + 0.1
    return dh.Results(
        scores=scores, better="higher", judge_weights=[1, 1, 0.3, 2, 1, 1, 1, 0.7, 1, 1]
    )


@pytest.fixture
def hostile(monkeypatch):
    """Let merits change with the batch that they are computed in."""
    of_table, of_judges = module.merits_of, Contributions.merits

    def spoilt(merits, *weights):
        batch = sum(float(np.sum(w)) + len(w) for w in weights)
        return merits * (1 + 1e-9 * batch)

    def merits_of(results, fs, judges, candidates, **known):
        found = of_table(results, fs, judges, candidates, **known)
        return {name: spoilt(merits, judges, candidates) for name, merits in found.items()}

    monkeypatch.setattr(module, "merits_of", merits_of)
    monkeypatch.setattr(
        Contributions, "merits", lambda known, judges: spoilt(of_judges(known, judges), judges)
    )


def same(mine, yours):
    return np.array_equal(mine, yours, equal_nan=True)


def check(table, plan, short, long):
    for f in functions():
        whole, _ = replicate(table, f, replace(plan, replicates=long), on="threads")
        first, _ = replicate(table, f, replace(plan, replicates=short), on="serial")
        assert len(first) == short
        assert same(first, whole[:short]), f.name


@pytest.mark.parametrize("name", PLANS)
def test_few_replicates_are_the_first_of_many(table, name):
    check(table, PLANS[name], 7, 230)


@pytest.mark.parametrize("name", ["bootstrap", "bayesian"])
def test_so_they_are_beyond_a_block(name):
    rng = np.random.default_rng(1)
    small = dh.Results(scores=rng.random((3, 10)) + 0.1, better="higher")
    check(small, PLANS[name], 1_007, 1_240)


@pytest.mark.usefixtures("hostile")
@pytest.mark.parametrize("name", PLANS)
def test_so_they_are_under_kernels_that_look_at_the_shape(table, name):
    check(table, PLANS[name], 7, 230)


@pytest.mark.usefixtures("hostile")
def test_so_are_those_of_somebody_s_own_function(table):
    @dh.ranks_scores("of_the_batch", scale="interval", shared_scale=True)
    def of_the_batch(scores, judge_weights, candidate_weights):
        """Rank by means, spoilt by who else is there."""
        return judge_weights @ scores.T + judge_weights.std() + len(candidate_weights)

    few, many = (replicate(table, of_the_batch, Bootstrap(replicates=b))[0] for b in (3, 450))
    assert same(few, many[:3])


def test_the_last_tile_is_as_large_as_the_others():
    assert [(rows.stop - rows.start, asked) for rows, asked in tiles(7, 5)] == [(5, 5), (5, 2)]


def test_a_plan_draws_whole_blocks():
    plan = Bootstrap(replicates=3)
    whole = plan.whole_block(0, 4, 6).judges
    assert len(whole) == block_size(4, 6)
    assert same(plan.draw(0, 4, 6).judges, whole[:3])

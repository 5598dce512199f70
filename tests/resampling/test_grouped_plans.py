"""Strata keep their size, clusters stay together, and the engine changes nothing."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import deadheat as dh
from deadheat.core.errors import DataError, UsageError
from deadheat.ranking.function import get
from deadheat.resampling.plans import (
    Bayesian,
    Bootstrap,
    Jackknife,
    Subsample,
    blocks,
    plan_for,
)
from deadheat.resampling.replicate import replicate

STRATA = ("b", "a", "a", "b", "a", "c", "a", "b", "c")
CLUSTERS = ("x", "u", "u", "x", "v", "z", "v", "y", "z")  # nested in the strata
M = len(STRATA)
PLAIN = dh.Results(scores=[[1, 2], [2, 1]], better="higher")


def weights(plan, m=M):
    return np.concatenate([plan.draw(k, 3, m).judges for k in blocks(plan, 3, m)])


def sums(drawn, labels):
    names = sorted(set(labels))
    return np.stack([drawn[:, np.array(labels) == name].sum(axis=1) for name in names], axis=1)


def test_a_stratum_keeps_its_number_of_judges():
    drawn = weights(Bootstrap(strata=STRATA, replicates=3_000, seed=1))
    np.testing.assert_allclose(sums(drawn, STRATA), [[4, 3, 2]] * 3_000)
    covariance = np.cov(drawn.T)
    assert covariance[1, 2] == pytest.approx(-1 / 3, abs=0.05)  # both in stratum a, of four
    assert covariance[0, 1] == pytest.approx(0, abs=0.05)  # in two strata


def test_the_judges_of_a_cluster_come_and_go_together():
    drawn = weights(Bootstrap(clusters=CLUSTERS, replicates=2_000, seed=1))
    assert (drawn[:, 0] == drawn[:, 3]).all()
    assert (drawn[:, 1] == drawn[:, 2]).all()
    per_cluster = drawn[:, [0, 1, 4, 5, 7]]
    assert (per_cluster.sum(axis=1) == 5).all()
    assert (per_cluster != 1).any()


def test_clusters_are_drawn_inside_strata():
    plan = Bootstrap(clusters=CLUSTERS, strata=STRATA, replicates=500, seed=2)
    drawn = weights(plan)
    first = [CLUSTERS.index(name) for name in "uvxyz"]
    per_cluster = drawn[:, first]
    assert (per_cluster[:, 0] + per_cluster[:, 1] == 2).all()  # u, v in stratum a
    assert (per_cluster[:, 2] + per_cluster[:, 3] == 2).all()  # x, y in stratum b
    assert (per_cluster[:, 4] == 1).all()  # z is all of stratum c
    other = weights(Bootstrap(clusters=CLUSTERS, strata=STRATA, replicates=500, seed=2))
    assert np.array_equal(drawn, other)


def test_the_second_level_draws_judges_inside_the_drawn_clusters():
    one = weights(Bootstrap(clusters=CLUSTERS, replicates=4_000, seed=3))
    two = weights(Bootstrap(clusters=CLUSTERS, replicates=4_000, seed=3, levels=2))
    assert np.array_equal(sums(two, CLUSTERS), sums(one, CLUSTERS))
    assert (two[:, 0] != two[:, 3]).any()
    pair = two[one[:, 1] == 1][:, [1, 2]]  # a cluster of two, drawn once: (2,0), (1,1) or (0,2)
    shares = [(pair == kind).all(axis=1).mean() for kind in ((2, 0), (1, 1), (0, 2))]
    assert shares == pytest.approx([0.25, 0.5, 0.25], abs=0.04)


def test_a_cluster_in_two_strata_is_refused_with_both():
    plan = Bootstrap(clusters=("p", "p", "q"), strata=("a", "b", "b"), replicates=5)
    with pytest.raises(DataError, match=r"'p' lies in two strata: 'a' and 'b'"):
        plan.draw(0, 2, 3)


@pytest.mark.parametrize("strata", [None, STRATA])
def test_bayesian_weights_are_dirichlet(strata):
    """Exponential spacings: mean 1, variance (s - 1)/(s + 1) in a pot of s, and never 0."""
    drawn = weights(Bayesian(strata=strata, replicates=20_000, seed=4))
    pot = 4 if strata else M
    assert (drawn > 0).all()
    assert drawn.sum(axis=1) == pytest.approx(np.full(20_000, M))
    assert drawn[:, 1].mean() == pytest.approx(1, abs=0.03)
    assert drawn[:, 1].var() == pytest.approx((pot - 1) / (pot + 1), abs=0.04)


def test_a_subsample_holds_half_of_the_judges_each_once():
    drawn = weights(Subsample(replicates=20_000, seed=5), m=10)
    assert set(np.unique(drawn)) == {0, 1}
    assert (drawn.sum(axis=1) == 5).all()
    assert drawn.mean(axis=0) == pytest.approx(np.full(10, 0.5), abs=0.02)


@pytest.mark.parametrize("strata", [STRATA, tuple("aaaaabcdd"), tuple("aaaabbccc")])
def test_subsamples_keep_the_total_of_every_stratum(strata):
    """Equal weights inside a stratum, as many as half of it rounds to, one at least."""
    drawn = weights(Subsample(replicates=200, strata=strata, seed=2), m=M)
    names, sizes = np.unique(strata, return_counts=True)
    assert sums(drawn, strata) == pytest.approx(np.tile(sizes, (200, 1)))
    for name, size in zip(names, sizes.tolist(), strict=True):
        inside = drawn[:, np.array(strata) == name]
        number = max(1, round(0.5 * size))
        assert ((inside > 0).sum(axis=1) == number).all()
        assert inside[inside > 0] == pytest.approx(size / number)
    assert drawn.mean(axis=0) == pytest.approx(np.ones(M), abs=0.5)


def test_subsamples_of_unequal_strata_do_not_move_the_merits():
    """Strata of 1 and 3 judges: half of 3 is 2, and drawn judges alone would count 1 : 2."""
    plan = Subsample(replicates=6_000, strata=tuple("abbb"), seed=1)
    scores = np.array([1.0, 0.0, 0.0, 0.0])
    drawn = weights(plan, m=4)
    assert (drawn @ scores / drawn.sum(axis=1)).mean() == pytest.approx(0.25)


def test_half_samples_spread_as_the_bootstrap_does():
    rng = np.random.default_rng(0)
    scores = rng.normal(size=40)
    halves = weights(Subsample(replicates=8_000), m=40) @ scores / 20
    assert halves.std() == pytest.approx(scores.std() / np.sqrt(39), rel=0.05)


def test_the_jackknife_leaves_out_every_label_once():
    drawn = weights(Jackknife(labels=CLUSTERS))
    assert drawn.shape == (5, M)
    for row, name in zip(drawn, dict.fromkeys(CLUSTERS), strict=True):
        assert row.tolist() == [float(label != name) for label in CLUSTERS]


def test_the_jackknife_inside_strata_keeps_their_totals():
    """The others of a stratum make up for the one that is left out; an only one stays."""
    strata = tuple("aaabbbbcc")
    drawn = weights(Jackknife(labels=tuple("tuvwxyzpp"), strata=strata))
    assert sums(drawn, strata) == pytest.approx(np.tile([3, 4, 2], (8, 1)))
    assert drawn[1] == pytest.approx([3 / 2, 0, 3 / 2] + [1] * 6)
    assert drawn[6] == pytest.approx([1] * 3 + [4 / 3] * 3 + [0, 1, 1])
    assert drawn[7].tolist() == [1] * M


def test_jackknife_blocks_follow_on():
    labels = tuple(map(str, range(2_500)))
    plan = Jackknife(labels=labels)
    drawn = weights(plan, m=2_500)
    assert len(blocks(plan, 3, 2_500)) == 3
    assert np.array_equal(np.argmin(drawn, axis=1), np.arange(2_500))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: plan_for(PLAIN, "stratified"), "needs strata"),
        (lambda: plan_for(PLAIN, "clustered"), "needs clusters"),
        (lambda: Bootstrap(strata=("a", "b"), replicates=3).draw(0, 2, 3), "labels for 2 judges"),
    ],
)
def test_impossible_plans_are_refused(make, message):
    with pytest.raises(UsageError, match=message):
        make()


PLANS = [
    Bootstrap(replicates=1_500, seed=1),
    Bootstrap(strata=STRATA, replicates=1_500, seed=1),
    Bootstrap(clusters=CLUSTERS, levels=2, replicates=1_500, seed=1),
    Bayesian(replicates=1_500, seed=1),
    Subsample(replicates=1_500, seed=1),
    Subsample(strata=STRATA, replicates=1_500, seed=1),
    Bayesian(clusters=CLUSTERS, strata=STRATA, replicates=1_500, seed=1),
    Bootstrap(clusters=CLUSTERS, strata=STRATA, replicates=1_500, seed=1),
    Jackknife(labels=tuple(map(str, range(M)))),
]


@pytest.mark.parametrize("plan", PLANS, ids=lambda plan: type(plan).__name__)
def test_the_engine_changes_nothing_under_any_plan(plan):
    rng = np.random.default_rng(1)
    table = dh.Results(scores=rng.random((4, M)).round(1), better="higher")
    for name in ("mean", "average_rank", "success_rate", "copeland"):
        serial, threads = (
            replicate(table, get(name), plan, on=on)[0] for on in ("serial", "threads:3")
        )
        assert np.array_equal(serial, threads)


@pytest.mark.parametrize("plan", PLANS[:-1], ids=lambda plan: type(plan).__name__)
@pytest.mark.parametrize("fewer", [3, 1_017])
def test_fewer_replicates_are_the_first_of_more(plan, fewer):
    few = weights(replace(plan, replicates=fewer))
    assert np.array_equal(few, weights(plan)[:fewer])


def test_progress_is_told_after_every_block():
    table = dh.Results(scores=np.eye(3), better="higher")
    told: list[tuple[int, int]] = []
    replicate(
        table,
        get("mean"),
        Bootstrap(replicates=2_100),
        progress=lambda done, number: told.append((done, number)),
    )
    assert told == [(1, 3), (2, 3), (3, 3)]

"""Which plan a table asks for, and what is said about it."""

from __future__ import annotations

import numpy as np
import pytest

import deadheat as dh
from deadheat.resampling.plans import (
    Bayesian,
    Bootstrap,
    Jackknife,
    Subsample,
    plan_for,
    plan_over_runs,
    plan_warnings,
)

STRATA = list("xxxxyyyy")
CLUSTERS = list("11223344")
PAIRS = tuple(f"h{j // 2}" for j in range(24))


def table(**options):
    return dh.Results(scores=np.arange(16.0).reshape(2, 8), better="higher", **options)


PLAIN, LAYERED, SEEDS = table(), table(strata=STRATA), table(clusters=CLUSTERS)
BOTH = table(strata=STRATA, clusters=CLUSTERS)


@pytest.mark.parametrize(
    ("results", "kind", "strata", "clusters"),
    [
        (PLAIN, Bootstrap, False, False),
        (LAYERED, Bootstrap, True, False),
        (SEEDS, Bootstrap, False, True),
        (BOTH, Bootstrap, True, True),
    ],
)
def test_without_a_name_the_table_decides(results, kind, strata, clusters):
    plan = plan_for(results, replicates=5, seed=9)
    assert type(plan) is kind
    assert (plan.replicates, plan.seed) == (5, 9)
    assert (getattr(plan, "strata", None) is not None) == strata
    assert (getattr(plan, "clusters", None) is not None) == clusters


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("bootstrap", Bootstrap),
        ("stratified", Bootstrap),
        ("clustered", Bootstrap),
        ("two-level", Bootstrap),
        ("two_level", Bootstrap),
        ("bayesian", Bayesian),
        ("subsample", Subsample),
        ("jackknife", Jackknife),
    ],
)
def test_a_name_decides_otherwise(name, kind):
    plan = plan_for(BOTH, name)
    assert type(plan) is kind
    assert getattr(plan, "levels", 1) == (2 if name.startswith("two") else 1)
    assert plan.strata == (None if name == "bootstrap" else tuple(STRATA))


def test_the_jackknife_leaves_out_clusters_where_there_are_some():
    assert plan_for(SEEDS, "jackknife").labels == tuple(CLUSTERS)
    assert plan_for(PLAIN, "jackknife").replicates == 8
    assert plan_for(LAYERED, "jackknife").strata == tuple(STRATA)
    assert "only 4 clusters" in warned(SEEDS, "jackknife")[0]


def test_what_is_no_plan_is_refused():
    plan = Bootstrap(replicates=3)
    assert plan_for(PLAIN, plan) is plan
    for wrong in ("strtified", 3, ("bootstrap",)):
        with pytest.raises(dh.UsageError, match="unknown resampling plan"):
            plan_for(PLAIN, wrong)


@pytest.mark.parametrize(
    ("results", "name", "words"),
    [
        (PLAIN, None, "8 judges, drawn with replacement"),
        (LAYERED, None, "8 judges, drawn with replacement in 2 strata (Rao-Wu weights)"),
        (SEEDS, None, "4 clusters of 8 judges, drawn with replacement"),
        (BOTH, "clustered", ("4 clusters of 8 judges, drawn with replacement in 2 strata "
                            "(Rao-Wu weights)")),
        (BOTH, "two-level", ("4 clusters of 8 judges, drawn with replacement in 2 strata, and "
                            "judges inside each (Rao-Wu weights)")),
        (LAYERED, "bayesian", "8 judges, weighted at random in 2 strata (Bayesian bootstrap)"),
        (LAYERED, "subsample", "8 judges, drawn without replacement in 2 strata, half of them"),
        (PLAIN, "jackknife", "8 judges, one judge left out at a time"),
        (SEEDS, "jackknife", "8 judges, one cluster left out at a time"),
        (BOTH, "jackknife", "8 judges in 2 strata, one cluster left out at a time"),
    ],
)  # fmt: skip
def test_plans_in_words(results, name, words):
    assert plan_for(results, name).in_words(results.m) == words


def warned(results, name=None):
    return list(plan_warnings(results, plan_for(results, name)))


def test_plans_that_fit_are_not_warned_of():
    assert warned(PLAIN) == warned(LAYERED) == []
    many = dh.Results(
        scores=np.zeros((2, 24)), better="higher", clusters=[str(k // 2) for k in range(24)]
    )
    assert warned(many) == []


def test_a_stratum_of_one_judge_is_named():
    (single,) = warned(table(strata=list("xxxxyyyz")))
    assert single.startswith("1 stratum of one judge (z)")
    many = dh.Results(scores=np.zeros((2, 60)), better="higher", strata=["x"] * 59 + ["z"])
    assert warned(many) == []  # 1 of 60 judges makes no interval too narrow


def test_a_stratum_of_one_cluster_is_named():
    found, *_ = warned(table(strata=list("xxxxxxyy"), clusters=CLUSTERS))
    assert found.startswith("1 stratum of one cluster (y)")


def test_what_a_plain_bootstrap_ignores_is_told():
    assert warned(LAYERED, "bootstrap") == [
        "the 2 strata are not kept: judges are drawn from all of them at once."
    ]
    assert "plan='clustered' keeps them together" in warned(SEEDS, "bootstrap")[0]


def test_the_plan_over_runs_ignores_clusters_says_so_and_keeps_strata():
    """Erratum F6: Fawcett et al. draw runs, and not instances."""
    plan = plan_over_runs(BOTH, replicates=5, seed=9)
    assert plan == Bootstrap(strata=tuple(STRATA), replicates=5, seed=9, draws="paper")
    assert any("drawn one by one" in w for w in plan_warnings(BOTH, plan))
    assert plan_over_runs(SEEDS, replicates=5) == Bootstrap(replicates=5, draws="paper")


@pytest.mark.parametrize(("number", "few"), [(9, True), (10, False)])
def test_fewer_than_10_clusters_are_few(number, few):
    results = dh.Results(
        scores=np.zeros((2, 20)), better="higher", clusters=[str(k % number) for k in range(20)]
    )
    assert [f"only {number} clusters" in w for w in warned(results)] == [True] * few


def test_halves_spread_as_the_whole_does():
    assert warned(PLAIN, "subsample") == []


@pytest.mark.parametrize(
    ("plan", "kept"),
    [
        (Bootstrap(), 23 / 24),
        (Bayesian(), 23 / 25),
        (Subsample(), 1.0),
        (Bayesian(strata=PAIRS), 1 / 3),
        (Bootstrap(strata=PAIRS), 1.0),
        (Bootstrap(strata=PAIRS, draws="paper"), 1 / 2),
        (Bootstrap(clusters=PAIRS), 11 / 12),
    ],
)
def test_the_variance_that_a_plan_keeps_is_that_of_its_replicates(plan, kept):
    """Against the weights themselves: Var(sum of w x) of x that add to 0 in every pot."""
    assert plan.variance_kept(24) == pytest.approx(kept)
    weights = plan.draw(0, 2, 24).judges
    units = np.array([weights[:, PAIRS.index(label)] for label in dict.fromkeys(PAIRS)]).T
    pots = [weights] if getattr(plan, "strata", None) is None else np.split(weights, 12, axis=1)
    pots = [units] if isinstance(plan, Bootstrap) else pots
    moved = np.mean([(pot[:, 0] - pot[:, 1]).var() for pot in pots]) / 2
    size = pots[0].shape[1]
    mean = 1.0 if not isinstance(plan, Subsample) else 0.5
    assert moved / mean**2 * (size - 1) / size == pytest.approx(kept, rel=0.15)


def test_a_stratum_whose_name_looks_like_a_placeholder_keeps_it():
    table = dh.Results(scores=[[1, 2, 3], [3, 1, 2]], strata=["{}", "b", "b"], better="higher")
    told = [text for text in plan_warnings(table, plan_for(table)) if "of one judge" in text]
    assert len(told) == 1
    assert "({})" in told[0]

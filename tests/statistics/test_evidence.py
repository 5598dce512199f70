"""What the replicates say about each candidate, and what they rest on."""

from __future__ import annotations

import numpy as np
import pytest

import deadheat as dh
from deadheat.ranking.function import get
from deadheat.resampling.plans import (
    Bayesian,
    Bootstrap,
    Jackknife,
    Subsample,
    plan_for,
)
from deadheat.statistics.evidence import collect_evidence, leaving_out, spread, whole
from verdict_oracle import graded, quantile, rank_of, table

STRATA = ("x",) * 4 + ("y",) * 4
CLUSTERS = tuple("11223344")
DRAW = {"replicates": 7, "seed": 3}


def test_places_are_twice_the_mean_ranks_and_first_places_are_shared():
    merits = np.array([[3.0, 3.0, 1.0], [2.0, 5.0, 2.0], [1.0, 1.0, 1.0], [4.0, 0.0, 2.0]])
    found = spread(merits, alpha=0.5, unit=1.0)
    ranked = [[rank_of(world, i) for i in range(3)] for world in merits.tolist()]
    assert found.places.tolist() == [[2 * r for r in world] for world in ranked]
    assert found.first.tolist() == [3 / 4, 3 / 4, 1 / 4]
    assert found.medians.tolist() == [2.5, 2.0, 1.5]
    for i in range(3):
        own = [world[i] for world in ranked]
        assert found.rank_low[i] == quantile(own, 0.25)
        assert found.rank_high[i] == quantile(own, 0.75)
        assert found.iqr[i] == quantile(own, 0.75) - quantile(own, 0.25)


def test_rounding_does_not_break_a_tie():
    merits = np.array([[0.1 + 0.2, 0.3], [0.3, 0.1 + 0.2]])
    assert spread(merits, alpha=0.05, unit=1.0).first.tolist() == [1.0, 1.0]


def test_many_candidates_have_places_beyond_a_byte():
    merits = np.arange(400.0)[None, :].repeat(3, axis=0)
    found = spread(merits, alpha=0.05, unit=400.0)
    assert found.places[0, 0] == 800
    assert found.rank_low[0] == found.rank_high[0] == 400


def test_places_do_not_depend_on_how_many_replicates_are_ranked_at_once(monkeypatch):
    merits = np.random.default_rng(0).integers(0, 4, (50, 6)).astype(float)
    at_once = spread(merits, alpha=0.05, unit=4.0).places
    monkeypatch.setattr("deadheat.statistics.evidence.WORKING_SET", 100)
    assert (spread(merits, alpha=0.05, unit=4.0).places == at_once).all()


def test_replicates_in_which_somebody_has_no_merit_are_left_out():
    merits = np.array([[1.0, 2.0], [np.nan, 1.0], [3.0, 4.0]])
    kept, number = whole(merits)
    assert kept.tolist() == [[1, 2], [3, 4]]
    assert number == 1
    assert whole(kept) == (kept, 0)
    with pytest.raises(dh.DataError, match="in every resample"):
        whole(merits[1:2])


def test_a_function_that_gives_no_merit_is_named():
    def none_of(scores):
        return np.where(np.arange(len(scores)) == 1, np.nan, 1.0)

    broken = dh.ranks_table("test_none_of", scale="interval", shared_scale=True)(none_of)
    try:
        with pytest.raises(dh.DataError, match="test_none_of gives no merit to 1 candidate: b"):
            dh.verdict(table(graded()), by=broken, replicates=99)
    finally:
        from deadheat.ranking.function import forget

        forget("test_none_of")


@pytest.mark.parametrize(
    "plan",
    [
        Bootstrap(**DRAW),
        Bootstrap(strata=STRATA, draws="paper", **DRAW),
        Bootstrap(clusters=CLUSTERS, **DRAW),
        Bayesian(**DRAW),
        Bayesian(strata=STRATA, **DRAW),
        Subsample(clusters=CLUSTERS, **DRAW),
        Jackknife(labels=tuple("abcdefgh")),
        Jackknife(labels=CLUSTERS),
        Jackknife(labels=tuple("abcdefgh"), strata=STRATA),
        Jackknife(labels=CLUSTERS, strata=STRATA),
    ],
)
def test_every_plan_has_one_that_draws_the_same_units_with_replacement(plan):
    found = plan.bootstrap()
    assert type(found) is Bootstrap
    assert (found is plan) == (type(plan) is Bootstrap)
    assert (found.strata, found.clusters) == (plan.strata, plan.clusters)
    if not isinstance(plan, Jackknife):
        assert (found.replicates, found.seed) == (7, 3)


@pytest.mark.parametrize(
    ("options", "independent", "effective"),
    [
        ({}, 8, 8),
        ({"judge_weights": [2, 2, 1, 1, 1, 1, 0, 0]}, 6, 64 / 12),
        ({"clusters": CLUSTERS}, 4, 4),
        ({"clusters": CLUSTERS, "judge_weights": [3, 3, 1, 1, 1, 1, 1, 1]}, 4, 144 / 48),
        ({"strata": STRATA}, 8, 8),
    ],
)
def test_how_many_judges_there_are_and_what_they_are_worth(options, independent, effective):
    results = table(graded(0, (1, 0), 8), **options)
    found = collect_evidence(results, get("mean"), plan_for(results, replicates=99))
    assert found.independent == independent
    assert found.effective == pytest.approx(effective)
    assert found.size == (2, 8, 99)


@pytest.mark.parametrize("m", [40, 90])
def test_more_replicates_are_more_of_the_same(m):
    results = table(graded(m=m))
    few = collect_evidence(results, get("mean"), Bootstrap(replicates=99, seed=4))
    many = collect_evidence(results, get("mean"), few.plan.with_replicates(250))
    assert len(many.merits) == 250
    assert (many.merits[:99] == few.merits).all()


def test_labels_for_other_judges_are_refused():
    plan = Bootstrap(strata=STRATA, replicates=99)
    with pytest.raises(dh.UsageError, match="labels for 8 judges, not for 40"):
        dh.verdict(table(graded()), by="mean", plan=plan)


@pytest.mark.parametrize("by", ["mean", "median"])
def test_each_unit_is_left_out_by_ranking_what_is_left(by):
    scores, weights = graded(0, (1, 0), 8), np.array([2.0, 1, 1, 3, 0, 0, 1, 1])
    results = table(scores, judge_weights=weights, clusters=CLUSTERS)
    found = leaving_out(collect_evidence(results, get(by), plan_for(results, replicates=99))).merits
    expected = []
    for cluster in "124":  # nobody of cluster 3 has weight
        left = [j for j in range(8) if CLUSTERS[j] != cluster]
        rest = table(scores[:, left], judge_weights=weights[left])
        expected.append([row["merit"] for row in sorted(
            dh.rank(rest, by=by).rows(), key=lambda row: row["candidate"])])  # fmt: skip
    assert found == pytest.approx(np.array(expected))


def test_what_is_left_out_has_its_stratum_and_what_is_absent_is_not_left_out():
    results = table(graded(0, (1, 0), 8), judge_weights=[1, 1, 1, 0, 1, 1, 1, 1], strata=STRATA)
    found = collect_evidence(results, get("mean"), plan_for(results, "jackknife"))
    assert found.rows.tolist() == [0, 1, 2, 4, 5, 6, 7]
    assert found.left_out_strata.tolist() == [0, 0, 0, 1, 1, 1, 1]
    assert found.freedom == 5
    plain = collect_evidence(
        table(graded(0, (1, 0), 8)), get("mean"), plan_for(results, "bootstrap")
    )
    assert plain.left_out_strata is None


def test_replicates_without_somebody_lose_their_stratum_too():
    """Candidate a has only judge 5: without it there is no merit of a."""
    scores = graded(0, (1, 0), 8)
    scores[0, [0, 1, 2, 3, 4, 6, 7]] = np.nan
    results = table(scores, strata=STRATA, missing="available")
    found = collect_evidence(results, get("mean"), plan_for(results, "jackknife"))
    assert found.skipped == 1
    assert found.left_out_strata.tolist() == [0, 0, 0, 0, 1, 1, 1]


def test_why_judges_contribute_nothing():
    scores = graded(0, (1, 0), 8)
    by_median = collect_evidence(table(scores), get("median"), Bootstrap(**DRAW))
    assert by_median.no_mean == "median is not a mean over the judges"
    scores[0, 0] = np.nan
    holes = collect_evidence(table(scores, missing="available"), get("mean"), Bootstrap(**DRAW))
    assert holes.no_mean.startswith("scores are missing")


def test_the_tests_of_all_pairs_are_of_as_many_replicates_as_they_draw():
    results = table(graded(0, (1, 0), 8))
    found = collect_evidence(results, get("mean"), plan_for(results, "jackknife"))
    assert found.size == (2, 8, 10_000)

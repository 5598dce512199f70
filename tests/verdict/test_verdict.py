"""The robust ranking end to end, against loops over the judges that the plan drew."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from statistics import fmean, median

import numpy as np
import pytest

import deadheat as dh
from verdict_oracle import (
    first_shares,
    graded,
    mean_of,
    quantile,
    rank_of,
    robust_ranking,
    table,
    worlds,
)

K = 299


def oracle_merits(v, function=None):
    """Return the merits of every replicate of a verdict: judges repeated, ranked by loops."""
    results, plan = v.evidence.results, v.evidence.plan
    of_world = function or (lambda judges: [mean_of(row, judges) for row in results.scores])
    return [of_world(judges) for judges in worlds(plan, results.n, results.m)]


def sets_of(v):
    return [set(group) for group in v.members]


TABLES = {
    "near ties": table(graded()),
    "clear": table(graded(1, (2, 1, 0, 0, -1))),
    "equal": table(graded(2, (0, 0, 0, 0))),
    "shares": table((graded(3, (0.8, 0.5, 0.4, -1), 60) > 0).astype(float)),
    "lower": table(graded(4, (0, 0.3, 1.2)), better="lower"),
    "clones": table(graded(5, (0.6, 0, 0))[[0, 0, 1, 2]]),
}


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("p_value", ["plus-one", "paper"])
@pytest.mark.parametrize("leader", ["plurality", "best-score"])
def test_groups_are_those_of_the_loops(name, p_value, leader):
    v = dh.verdict(TABLES[name], by="mean", replicates=K, p_value=p_value, leader=leader)
    observed = [fmean(row) for row in TABLES[name].scores]
    plain = [round(x, 9) for x in observed]
    expected = robust_ranking(
        oracle_merits(v), plain, 0.05, plus_one=p_value == "plus-one", leader=leader
    )
    assert sets_of(v) == expected


@pytest.mark.parametrize("name", TABLES)
def test_rows_are_those_of_the_loops(name):
    v = dh.verdict(TABLES[name], by="mean", replicates=K, alpha=0.1)
    merits = oracle_merits(v)
    n = len(v.candidates)
    ranked = [[rank_of(world, i) for i in range(n)] for world in merits]
    shares = first_shares(ranked, range(n))
    observed = [fmean(row) for row in TABLES[name].scores]
    iqr = []
    for i, candidate in enumerate(v.candidates):
        row, own, places = v.row(candidate), [w[i] for w in merits], [w[i] for w in ranked]
        assert row.merit == pytest.approx(observed[i])
        assert row.interval == pytest.approx((quantile(own, 0.05), quantile(own, 0.95)))
        assert (row.rank_low, row.rank_high) == (quantile(places, 0.05), quantile(places, 0.95))
        assert row.first_share == shares[i] / K
        assert row.median_merit == pytest.approx(median(own))
        assert row.rank == rank_of(observed, i)
        iqr.append(quantile(places, 0.75) - quantile(places, 0.25))
    assert v.facts()["mean_iqr"] == pytest.approx(fmean(iqr))


def test_groups_are_ordered_inside_by_median_merit_and_share_their_mean_position():
    v = dh.verdict(TABLES["clear"], by="mean", replicates=K)
    rows = v.rows()
    before = 0
    for place, group in enumerate(v.groups, start=1):
        mine = [row for row in rows if row["group"] == place]
        assert [row["candidate"] for row in mine] == list(group)
        medians = [row["median_merit"] for row in mine]
        assert medians == sorted(medians, reverse=True)
        positions = range(before + 1, before + len(group) + 1)
        assert {row["fractional_rank"] for row in mine} == {fmean(positions)}
        before += len(group)


def test_a_median_is_replicated_by_repeating_judges():
    scores = graded(6, (0.9, 0.5, 0), 15)
    v = dh.verdict(table(scores), by="median", replicates=K)
    merits = oracle_merits(v, lambda judges: [median(row[judges]) for row in scores])
    assert v.merits == pytest.approx(np.array(merits))
    assert sets_of(v) == robust_ranking(merits, [median(row) for row in scores], 0.05)
    assert v.evidence.contributions is None


def test_copeland_is_replicated_by_repeating_judges():
    scores = graded(7, (0.9, 0.5, 0), 15)

    def copeland(judges):
        beats = [[np.sign((a[judges] > b[judges]).sum() - (b[judges] > a[judges]).sum())
                  for b in scores] for a in scores]  # fmt: skip
        return [sum((x + 1) / 2 for k, x in enumerate(row) if k != i) / 2
                for i, row in enumerate(beats)]  # fmt: skip

    v = dh.verdict(table(scores), by="copeland", replicates=K)
    merits = oracle_merits(v, copeland)
    assert v.merits == pytest.approx(np.array(merits))
    assert sets_of(v) == robust_ranking(merits, copeland(list(range(15))), 0.05)


def test_weights_of_judges_multiply_the_draws():
    scores, weights = graded(8, (0.5, 0.3, 0), 12), np.arange(12) % 3 + 0.5
    v = dh.verdict(table(scores, judge_weights=weights), by="mean", replicates=K)

    def weighted(judges):
        w = weights[judges]
        return [float((row[judges] * w).sum() / w.sum()) for row in scores]

    merits = oracle_merits(v, weighted)
    assert v.merits == pytest.approx(np.array(merits))
    assert sets_of(v) == robust_ranking(merits, weighted(list(range(12))), 0.05)


def test_a_weight_of_two_is_a_judge_of_twice_the_weight_and_not_two_judges():
    scores = graded(9, (0.5, 0), 10)
    heavy = dh.verdict(table(scores, judge_weights=[5] + [1] * 9), by="mean", replicates=K)
    light = dh.verdict(table(scores), by="mean", replicates=K)
    assert heavy.evidence.effective == pytest.approx(14**2 / (25 + 9))
    assert light.evidence.effective == 10


def test_available_scores_leave_out_the_replicates_in_which_somebody_has_no_judge():
    scores = graded(10, (1, 0), 8)
    scores[0, :6] = np.nan
    v = dh.verdict(table(scores), by="mean", missing="available", replicates=K)
    kept = [j for j in worlds(v.evidence.plan, 2, 8) if set(j) & {6, 7}]
    assert 0 < v.evidence.skipped == K - len(kept)
    assert v.made["replicates"] == len(kept)
    assert any(f"{K - len(kept)} resamples left out" in warning for warning in v.warnings)
    expected = [np.nanmean(scores[:, judges], axis=1) for judges in kept]
    assert v.merits == pytest.approx(np.array(expected))


@pytest.mark.parametrize("by", ["mean", "average_rank", "median", "copeland"])
@pytest.mark.parametrize("engine", ["threads:2", "pool"])
def test_the_engine_changes_nothing(by, engine, monkeypatch):
    monkeypatch.setattr("deadheat.resampling.plans.LARGEST_BLOCK", 50)  # several blocks
    alone = dh.verdict(TABLES["clear"], by=by, replicates=K, engine="serial", strict=True)
    with ThreadPoolExecutor(2) as pool:
        on = pool if engine == "pool" else engine
        other = dh.verdict(TABLES["clear"], by=by, replicates=K, engine=on, strict=True)
        assert other.to_json() == alone.to_json()
    assert (other.merits == alone.merits).all()


def test_the_seed_changes_the_replicates_and_nothing_else_does():
    one, same, other = (dh.verdict(TABLES["near ties"], by="mean", replicates=K, seed=s)
                        for s in (1, 1, 2))  # fmt: skip
    assert one.to_json() == same.to_json()
    assert (one.merits != other.merits).any()
    assert one.row("a").merit == other.row("a").merit
    assert one.made["seed"] == 1


def test_more_replicates_keep_the_first_ones():
    few, many = (dh.verdict(TABLES["near ties"], by="mean", replicates=b) for b in (K, 3 * K))
    assert (many.merits[:K] == few.merits).all()


def test_a_table_in_single_precision_gives_the_same_groups():
    double = TABLES["clear"].scores
    single = dh.verdict(table(double.astype(np.float32)), by="mean", replicates=K)
    v = dh.verdict(TABLES["clear"], by="mean", replicates=K)
    assert single.merits.dtype == np.float32
    assert single.groups == v.groups
    assert single.merits == pytest.approx(v.merits, abs=1e-5)


def test_all_tied_is_one_group_with_p_1():
    v = dh.verdict(table(np.full((4, 30), 0.7)), by="mean", replicates=K)
    assert v.facts()["groups"] == [4]
    assert v.facts()["ties"] == 6
    assert v.facts()["mean_iqr"] == 0
    assert v.winners == ("a", "b", "c", "d")
    assert (v.paper.rounds[0].p == 1).all()
    assert {row["first_share"] for row in v.rows()} == {1.0}
    assert (v.low == v.high).all()


@pytest.mark.parametrize("options", [{}, {"strict": True}, {"plan": "jackknife"}])
@pytest.mark.parametrize("by", ["mean", "average_rank", "copeland"])
def test_clones_share_a_group(options, by):
    scores = np.random.default_rng(0).random((5, 40))
    scores[3] = scores[0] = scores[0] + 0.4
    v = dh.verdict(table(scores), by=by, replicates=K, **options)
    assert v.row("a").group == v.row("d").group == 1
    assert v.row("a").first_share == v.row("d").first_share


def test_two_candidates_are_enough_and_a_clear_winner_is_alone():
    v = dh.verdict(table(graded(0, (3, 0), 30)), by="mean", replicates=K)
    assert v.groups == (("a",), ("b",))
    assert v.paper.rounds[0].p == pytest.approx(1 / (K + 1))
    assert v.row("a").first_share == 1

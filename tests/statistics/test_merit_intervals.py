"""Intervals of merits, from a table to their ends, against loops and scipy."""

from __future__ import annotations

from statistics import NormalDist, fmean, stdev

import numpy as np
import pytest
from scipy import stats

import deadheat as dh
from deadheat.resampling.plans import Jackknife, blocks
from deadheat.statistics import evidence as merit_intervals
from pair_oracle import difference_and_error
from verdict_oracle import graded, mean_of, quantile, table, worlds

K = 399
ALPHA = 0.1
SKEWED = np.exp(graded(0, (0.8, 0.5, 0.0), 14))
SHARES = (graded(1, (0.9, 0.3, -0.5), 30) > 0).astype(float)
Z = NormalDist()


def judged(results, interval, **options):
    chosen = {"by": "mean", "replicates": K, "alpha": ALPHA} | options
    return dh.verdict(results, interval=interval, **chosen)


def bca(own, observed, left_out):
    below = sum((x < observed - 1e-12) + 0.5 * (abs(x - observed) <= 1e-12) for x in own)
    bias = Z.inv_cdf(below / len(own))
    away = [fmean(left_out) - x for x in left_out]
    a = sum(x**3 for x in away) / (6 * sum(x**2 for x in away) ** 1.5)
    ends = []
    for level in (ALPHA / 2, 1 - ALPHA / 2):
        z = bias + Z.inv_cdf(level)
        ends.append(quantile(own, Z.cdf(bias + z / (1 - a * z))))
    return ends


@pytest.mark.parametrize("by", ["mean", "median"])
def test_bca_leaves_out_judges_by_computing_again(by):
    merit = {"mean": np.mean, "median": np.median}[by]
    v = judged(table(SKEWED), "bca", by=by)
    drawn = worlds(v.evidence.plan, 3, 14)
    for i, row in enumerate(SKEWED):
        own = [float(merit(row[judges])) for judges in drawn]
        left_out = [float(merit(np.delete(row, j))) for j in range(14)]
        assert v.row("abc"[i]).interval == pytest.approx(bca(own, merit(row), left_out))


def test_bca_leaves_out_whole_clusters():
    clusters = [f"c{j // 2}" for j in range(14)]
    v = judged(table(SKEWED, clusters=clusters), "bca")
    drawn = worlds(v.evidence.plan, 3, 14)
    for i, row in enumerate(SKEWED):
        own = [mean_of(row, judges) for judges in drawn]
        left_out = [fmean(np.delete(row, [2 * c, 2 * c + 1])) for c in range(7)]
        assert v.row("abc"[i]).interval == pytest.approx(bca(own, fmean(row), left_out))


def test_bca_inside_strata_takes_the_skewness_inside_them():
    strata = ["x"] * 5 + ["y"] * 9
    scores = SKEWED + 10 * (np.arange(14) < 5)
    v = judged(table(scores, strata=strata), "bca")
    drawn = v.evidence.plan.draw(0, 3, 14).judges
    for i, row in enumerate(scores):
        own = [float(row @ weights) / 14 for weights in drawn]
        centred = np.concatenate([row[:5] - row[:5].mean(), row[5:] - row[5:].mean()])
        expected = bca(own, fmean(row), (-centred).tolist())
        assert v.row("abc"[i]).interval == pytest.approx(expected)


def test_bca_of_missing_scores_leaves_out_only_what_leaves_everybody_a_merit():
    scores = SKEWED.copy()
    scores[0, 1:] = np.nan
    v = judged(table(scores), "bca", missing="available")
    assert v.row("a").interval == pytest.approx((scores[0, 0],) * 2)
    assert v.row("b").low < v.row("b").merit < v.row("b").high


def student(observed, error, own, errors):
    t = [(x - observed) / max(s, error / 4) for x, s in zip(own, errors, strict=True)]
    return [
        observed - quantile(t, 1 - ALPHA / 2) * error,
        observed - quantile(t, ALPHA / 2) * error,
    ]


@pytest.mark.parametrize("scores", [SKEWED, SHARES], ids=["skewed", "shares"])
def test_bootstrap_t_uses_the_standard_error_of_each_replicate(scores):
    m = scores.shape[1]
    v = judged(table(scores), "bootstrap-t")
    drawn = worlds(v.evidence.plan, 3, m)
    for i, row in enumerate(scores):
        own = [mean_of(row, judges) for judges in drawn]
        errors = [stdev(row[judges].tolist()) / m**0.5 for judges in drawn]
        expected = student(fmean(row), stdev(row.tolist()) / m**0.5, own, errors)
        assert v.row("abc"[i]).interval == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize("kind", ["strata", "clusters"])
def test_bootstrap_t_under_strata_and_clusters(kind):
    labels = np.arange(14) // (7 if kind == "strata" else 2)
    v = judged(table(SKEWED, **{kind: labels.astype(str).tolist()}), "bootstrap-t")
    of_units, sizes, strata = SKEWED, np.ones(14), labels
    if kind == "clusters":
        of_units, sizes, strata = SKEWED.reshape(3, 7, 2).sum(axis=2), np.full(7, 2.0), np.zeros(7)
    values = np.vstack([of_units, np.zeros(len(sizes))])  # a merit is its difference to nobody
    times = v.evidence.plan.bootstrap().draw(0, 3, 14).judges
    times = times if kind == "strata" else times[:, ::2]
    assert len(times) == K
    for i in range(3):
        observed, error = difference_and_error(values, sizes, strata, i, 3, np.ones(len(sizes)))
        each = [difference_and_error(values, sizes, strata, i, 3, w) for w in times]
        expected = student(observed, error, *zip(*each, strict=True))
        assert v.row("abc"[i]).interval == pytest.approx(expected, rel=1e-5)


def test_bootstrap_t_does_not_depend_on_how_many_candidates_are_taken_at_once(monkeypatch):
    monkeypatch.setattr(
        "deadheat.resampling.plans.NUMBERS_IN_A_BLOCK", 900
    )  # by n, which is larger
    results = table(graded(5, np.linspace(1, 0, 9), 6))
    whole = judged(results, "bootstrap-t")
    assert len(blocks(whole.evidence.plan, 9, 6)) == 4
    monkeypatch.setattr(merit_intervals, "AT_ONCE", 1)
    monkeypatch.setattr(merit_intervals, "FEWEST", 3)
    parts = judged(results, "bootstrap-t")
    assert parts.low == pytest.approx(whole.low, rel=1e-6)
    assert parts.high == pytest.approx(whole.high, rel=1e-6)


def test_bootstrap_t_leaves_out_replicates_without_judges():
    weights = [1, 1, 1] + [0] * 11
    v = judged(table(SKEWED, judge_weights=weights), "bootstrap-t")
    drawn = worlds(v.evidence.plan, 3, 14)
    kept = [[j for j in judges if j < 3] for judges in drawn if min(judges) < 3]
    assert v.evidence.skipped == K - len(kept) > 0
    assert len(v.merits) == len(kept)
    assert v.merits[:, 1] == pytest.approx([mean_of(SKEWED[1], judges) for judges in kept])
    assert (v.low < v.evidence.observed).all()


@pytest.mark.parametrize("better", ["higher", "lower"])
def test_wilson_is_that_of_scipy(better):
    v = judged(table(SHARES, better=better), "wilson")
    sign = 1 if better == "higher" else -1
    for i, row in enumerate(SHARES):
        found = stats.binomtest(int(row.sum()), 30).proportion_ci(1 - ALPHA, method="wilson")
        ends = sorted([sign * found.low, sign * found.high])
        assert v.row("abc"[i]).interval == pytest.approx(ends)


def test_wilson_counts_only_the_judges_that_scored():
    scores = SHARES.copy()
    scores[0, :18] = np.nan
    v = judged(table(scores), "wilson", missing="available")
    for i, row in enumerate(scores):
        there = row[~np.isnan(row)]
        found = stats.binomtest(int(there.sum()), len(there)).proportion_ci(0.9, method="wilson")
        assert v.row("abc"[i]).interval == pytest.approx((found.low, found.high))


def test_wilson_counts_what_the_weights_are_worth():
    v = judged(table(SHARES, judge_weights=[7] + [1] * 29), "wilson")
    plain = judged(table(SHARES), "wilson")
    assert ((v.high - v.low) > (plain.high - plain.low)).all()
    assert v.evidence.effective == pytest.approx(36**2 / (49 + 29))


@pytest.mark.parametrize(("better", "ends"), [("higher", (0, 0.114)), ("lower", (-0.114, 0))])
def test_wilson_of_scores_of_0_alone_lies_on_the_side_of_the_direction(better, ends):
    v = judged(table(np.zeros((2, 30)), better=better), "wilson", alpha=0.05)
    assert v.row("a").interval == pytest.approx(ends, abs=5e-4)


@pytest.mark.parametrize("kind", ["percentile", "simultaneous"])
def test_a_constant_candidate_in_float32_has_an_interval_of_no_width(kind):
    """The sums of 0.1 in float32 differ in the last digits; 1e-12 would call that spread."""
    scores = graded(2, (0.5, 0.2, 0.0), 3_000).astype(np.float32)
    scores[1] = 0.1
    v = judged(table(scores), kind, replicates=199)
    assert v.merits.dtype == np.float32
    assert len(np.unique(v.merits[:, 1])) > 1
    assert v.low[1] == v.high[1] == v.evidence.observed[1]
    alone = judged(table(scores[[0, 2]]), kind, replicates=199)
    assert v.low[[0, 2]] == pytest.approx(alone.low, rel=1e-5)


@pytest.mark.parametrize("by", ["success_rate", "copeland", "average_rank"])
def test_wilson_is_refused_where_the_merit_is_no_share_of_the_scores(by):
    with pytest.raises(dh.DeadheatError, match="not means"):
        judged(table(SHARES), "wilson", by=by)


def test_wilson_is_refused_for_other_scores():
    with pytest.raises(dh.DataError, match="scores of 0 and 1"):
        judged(table(SKEWED), "wilson")


def test_the_simultaneous_band_is_studentized():
    """By loops: the largest distance of a replicate, each over its own error."""
    v = judged(table(SKEWED), "simultaneous")
    errors = [stdev(row.tolist()) / 14**0.5 for row in SKEWED]
    largest = []
    for judges in worlds(v.evidence.plan, 3, 14):
        t = []
        for row, error in zip(SKEWED, errors, strict=True):
            own = max(stdev(row[judges].tolist()) / 14**0.5, error / 4)
            t.append(abs(mean_of(row, judges) - fmean(row)) / own)
        largest.append(max(t))
    half = quantile(largest, 1 - ALPHA) * np.array(errors)
    assert v.high == pytest.approx(SKEWED.mean(axis=1) + half, rel=1e-5)
    assert v.low == pytest.approx(SKEWED.mean(axis=1) - half, rel=1e-5)


def test_the_simultaneous_band_of_shares_is_exact():
    """Clopper and Pearson, by inverting binomial tests at alpha / (2 n)."""
    v = judged(table(SHARES), "simultaneous")
    for i, row in enumerate(SHARES):
        won = int(row.sum())
        test = stats.binomtest(won, 30).proportion_ci(1 - ALPHA / 3, method="exact")
        assert v.row("abc"[i]).interval == pytest.approx((test.low, test.high), abs=1e-9)
    lower = judged(table(1 - SHARES, better="lower"), "simultaneous")
    assert lower.high == pytest.approx(v.high - 1)


@pytest.mark.parametrize("options", [{"by": "median"}, {"by": "mean", "plan": "bayesian"}])
def test_the_simultaneous_band_of_others_holds_as_many_replicates_as_it_says(options):
    v = judged(table(SKEWED), "simultaneous", **options)
    inside = ((v.merits >= v.low) & (v.merits <= v.high)).all(axis=1)
    assert inside.mean() == pytest.approx(1 - ALPHA, abs=1.5 / K)
    assert (v.low + v.high) / 2 == pytest.approx(v.evidence.observed)


def test_inside_strata_percentiles_have_the_level_of_student():
    strata = [f"s{j // 2}" for j in range(14)]
    v = judged(table(SKEWED, strata=strata), "percentile")
    level = stats.norm.cdf(-stats.t.ppf(1 - ALPHA / 2, 7))
    for i, name in enumerate("abc"):
        own = v.merits[:, i].tolist()
        expected = (quantile(own, level), quantile(own, 1 - level))
        assert v.row(name).interval == pytest.approx(expected)
    pair = v.compare("a", "b").paired
    own = (v.merits[:, 0] - v.merits[:, 1]).tolist()
    assert (pair.low, pair.high) == pytest.approx((quantile(own, level), quantile(own, 1 - level)))
    paper = dh.verdict(
        table(SKEWED, strata=strata), by="mean", replicates=K, alpha=ALPHA, compat="fawcett-paper"
    )
    own = paper.merits[:, 0].tolist()
    expected = (quantile(own, ALPHA / 2), quantile(own, 1 - ALPHA / 2))
    assert paper.row("a").interval == pytest.approx(expected)


def test_basic_is_the_percentile_interval_turned_round():
    turned, single = (judged(table(SKEWED), kind) for kind in ("basic", "percentile"))
    assert turned.low == pytest.approx(2 * turned.evidence.observed - single.high)
    assert turned.high == pytest.approx(2 * turned.evidence.observed - single.low)


def test_the_expanded_percentile_has_the_level_of_student():
    v = judged(table(SKEWED), "expanded-percentile")
    level = stats.norm.cdf(-((14 / 13) ** 0.5) * stats.t.ppf(1 - ALPHA / 2, 13))
    for i, name in enumerate("abc"):
        own = v.merits[:, i].tolist()
        expected = (quantile(own, level), quantile(own, 1 - level))
        assert v.row(name).interval == pytest.approx(expected)


def test_the_jackknife_gives_the_interval_of_student():
    v = judged(table(SKEWED), "percentile", plan="jackknife")
    for i, row in enumerate(SKEWED):
        expected = stats.t.interval(1 - ALPHA, 13, loc=row.mean(), scale=stats.sem(row))
        assert v.row("abc"[i]).interval == pytest.approx(expected)
    assert v.interval == v.made["interval"] == "jackknife"


def test_the_jackknife_tests_as_a_paired_t_test_does():
    v = judged(table(graded(3, (0.6, 0.3, 0), 25)), "percentile", plan="jackknife")
    tested = v.paper.rounds[0]
    scores = v.evidence.results.scores
    for other, p in zip(tested.others, tested.p, strict=True):
        test = stats.ttest_rel(scores[tested.leader], scores[other], alternative="greater")
        assert p == pytest.approx(test.pvalue)
    assert v.paper.borderline == ()


def test_the_jackknife_does_not_count_judges_of_weight_0():
    scores = graded(4, (0.6, 0), 9)
    some = judged(table(scores[:, :6]), "percentile", plan="jackknife")
    all_of = judged(table(scores, judge_weights=[1] * 6 + [0] * 3), "percentile", plan="jackknife")
    for mine, theirs in zip(all_of.rows(), some.rows(), strict=True):
        assert mine == pytest.approx(theirs)
    assert all_of.paper.rounds[0].p == pytest.approx(some.paper.rounds[0].p)


def test_the_jackknife_leaves_out_whole_clusters():
    clusters = np.repeat(np.arange(7), 2).astype(str).tolist()
    v = judged(table(SKEWED, clusters=clusters), "percentile", plan="jackknife")
    pairs = SKEWED.reshape(3, 7, 2).mean(axis=2)
    for i, row in enumerate(pairs):
        expected = stats.t.interval(1 - ALPHA, 6, loc=row.mean(), scale=stats.sem(row))
        assert v.row("abc"[i]).interval == pytest.approx(expected)
    assert isinstance(v.evidence.plan, Jackknife)


@pytest.mark.parametrize("kind", ["strata", "both"])
def test_the_jackknife_inside_strata_has_the_errors_of_stratified_draws(kind):
    """Cochran's stratified error by loops; a stratum of one adds nothing, and no freedom."""
    labels = np.repeat([0, 1, 2], [4, 8, 2] if kind == "both" else [5, 8, 1])
    clusters = np.arange(14) // 2
    given = {"strata": labels.astype(str).tolist()}
    of_units, sizes, strata = SKEWED, np.ones(14), labels
    if kind == "both":
        given["clusters"] = clusters.astype(str).tolist()
        of_units, sizes = SKEWED.reshape(3, 7, 2).sum(axis=2), np.full(7, 2.0)
        strata = labels[::2]
    v = judged(table(SKEWED, **given), "percentile", plan="jackknife")
    freedom = len(sizes) - 3
    values = np.vstack([of_units, np.zeros(len(sizes))])
    t = stats.t.ppf(1 - ALPHA / 2, freedom)
    for i in range(3):
        merit, error = difference_and_error(values, sizes, strata, i, 3, np.ones(len(sizes)))
        assert v.row("abc"[i]).interval == pytest.approx((merit - t * error, merit + t * error))
    tested = v.paper.rounds[0]
    for other, p in zip(tested.others.tolist(), tested.p, strict=True):
        d, error = difference_and_error(
            values, sizes, strata, tested.leader, other, [1] * len(sizes)
        )
        assert p == pytest.approx(stats.t.sf(d / error, freedom))


def test_strata_on_levels_of_their_own_do_not_widen_the_intervals_of_the_jackknife():
    scores = SKEWED + 100 * (np.arange(14) < 5)
    strata = ["x"] * 5 + ["y"] * 9
    kept = judged(table(scores, strata=strata), "percentile", plan="jackknife")
    mixed = judged(table(scores), "percentile", plan="jackknife")
    assert ((kept.high - kept.low) < 0.2 * (mixed.high - mixed.low)).all()


def test_equal_scores_are_not_told_apart_by_the_jackknife_and_constant_gaps_are():
    v = judged(table([[1.0] * 9, [1.0] * 9, [0.5] * 9]), "percentile", plan="jackknife")
    assert v.groups == (("a", "b"), ("c",))
    assert v.paper.rounds[0].p.tolist() == [1.0, 0.0]


@pytest.mark.slow
def test_jackknife_intervals_of_a_median_cover_too_little():
    """.71 instead of .95 on 30 normal scores; those of a mean cover .95."""
    rng = np.random.default_rng(0)
    hits = {np.median: 0, np.mean: 0}
    for _ in range(3_000):
        scores = rng.normal(size=30)
        for merit in hits:
            left_out = np.array([merit(np.delete(scores, j)) for j in range(30)])
            error = merit_intervals.jackknife_errors(left_out[:, None])[0]
            hits[merit] += abs(merit(scores)) <= stats.t.ppf(0.975, 29) * error
    assert hits[np.median] / 3_000 == pytest.approx(0.71, abs=0.03)
    assert hits[np.mean] / 3_000 == pytest.approx(0.95, abs=0.015)

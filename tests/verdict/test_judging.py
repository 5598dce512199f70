"""Verdicts as in the paper, other corrections, settled strict groups, plans that do not fit."""

from __future__ import annotations

import numpy as np
import pytest

import deadheat as dh
from deadheat.resampling.plans import Bootstrap
from deadheat.verdict import api as settling
from verdict_oracle import (
    close_call,
    graded,
    mean_of,
    near_copies,
    robust_ranking,
    table,
    worlds,
)

CLUSTERS = [str(j // 4) for j in range(40)]
STRATA = [str(j // 20) for j in range(40)]
K = 299


@pytest.mark.parametrize("strata", [None, STRATA])
def test_the_paper_draws_runs_counts_over_k_and_says_so(strata):
    """Errata F6 and F8, as printed: runs are drawn one by one, and p is count/k."""
    scores = graded(2, (0.6, 0.4, 0.1, 0.0))
    results = table(scores, clusters=CLUSTERS, strata=strata)
    v = dh.verdict(results, by="mean", replicates=K, compat="fawcett-paper")
    assert type(v.evidence.plan) is Bootstrap
    assert (v.evidence.plan.strata is None, v.evidence.plan.clusters) == (strata is None, None)
    merits = [[mean_of(row, judges) for row in scores] for judges in worlds(v.evidence.plan, 4, 40)]
    observed = scores.mean(axis=1).tolist()
    expected = robust_ranking(merits, observed, 0.05, plus_one=False)
    assert [set(group) for group in v.members] == expected
    made = v.made
    assert (made["compat"], made["p_value"]) == ("fawcett-paper", "paper")
    assert (made["interval"], made["leader"], made["correction"]) == (
        "percentile",
        "plurality",
        "holm",
    )
    assert any("drawn one by one" in warning for warning in v.warnings)


def test_without_compat_clusters_are_kept_and_nothing_is_said():
    v = dh.verdict(table(graded(), clusters=CLUSTERS), by="mean", replicates=K)
    assert v.evidence.plan.clusters == tuple(CLUSTERS)
    assert "compat" not in v.made


@pytest.mark.parametrize(
    "other",
    [
        {"plan": "clustered"},
        {"interval": "bca"},
        {"leader": "best-score"},
        {"correction": "bonferroni"},
        {"strict": True},
        {"p_value": "sign-flip"},
    ],
)
def test_what_the_paper_does_otherwise_is_refused(other):
    with pytest.raises(dh.UsageError, match=f"leaves no choice of {next(iter(other))}"):
        dh.verdict(table(graded()), by="mean", compat="fawcett-paper", **other)


def test_the_paper_ranks_by_the_total_of_the_scores():
    """The competition's own count, not average ranks: a sum of whole scores is a whole number."""
    scores = np.array([[1, 1, 1, 0] * 10, [1, 1, 0, 0] * 10, [0, 9, 0, 0] * 10], dtype=float)
    weights = np.tile([1.0, 2.0, 1.0, 1.0], 10)
    v = dh.verdict(table(scores, judge_weights=weights), replicates=K, compat="fawcett-paper")
    assert {row["candidate"]: row["shown"] for row in v.rows()} == {"a": 40, "b": 30, "c": 180}
    assert (v.heading, v.winners) == ("total", ("c",))
    assert "(total, 40 judges)" in v.sentences[0]
    assert dh.verdict(table(scores), replicates=K).winners == ("a",)  # by average rank
    said = dh.verdict(table(scores), by="median", replicates=K, compat="fawcett-paper")
    assert said.function.name == "median"
    holes = np.where(scores == 9, np.nan, scores)
    mean = dh.verdict(table(holes, missing="available"), replicates=K, compat="fawcett-paper")
    assert mean.heading == "mean"


def test_an_unknown_procedure_is_refused_with_the_known_one():
    with pytest.raises(dh.UsageError, match="Did you mean 'fawcett-paper'"):
        dh.verdict(table(graded()), by="mean", compat="fawcet-paper")


def test_another_correction_changes_the_groups_and_is_told():
    """Four rivals near the level: Holm stops at the first, Hochberg starts at the last."""
    rng = np.random.default_rng(0)
    noise = rng.normal(size=40)
    noise = (noise - noise.mean()) / noise.std()
    results = table([np.zeros(40)] + [noise - gap / 40**0.5 for gap in (1.8, 1.85, 1.9, 1.95)])
    options = {"by": "mean", "replicates": 999, "leader": "best-score"}
    holm, hochberg = (dh.verdict(results, correction=c, **options) for c in ("holm", "hochberg"))
    assert len(holm.groups) == 1
    assert hochberg.groups[0] == ("a",)
    assert (holm.made["correction"], hochberg.made["correction"]) == ("holm", "hochberg")
    with pytest.raises(dh.UsageError, match="unknown correction 'none'"):
        dh.verdict(results, correction="none", **options)


@pytest.mark.parametrize("over", ["candidates", "both"])
def test_a_plan_that_resamples_candidates_is_refused(over):
    plan = Bootstrap(over=over, replicates=99)
    with pytest.raises(dh.UsageError, match="resamples candidates") as refused:
        dh.verdict(table(graded()), by="mean", plan=plan)
    assert "criteria" in str(refused.value)


def test_strict_groups_are_settled_by_their_own_decisions():
    """Near p = .05 the paper's one-sided test is borderline and the two-sided one is not."""
    options = {"by": "mean", "replicates": 99, "strict": True}
    few = dh.verdict(close_call(), **options)
    assert few.paper.borderline
    assert not few.strictly.borderline
    settled = dh.verdict(close_call(), until_settled=True, **options)
    assert settled.made["replicates"] == 99
    assert not any("not settled" in warning for warning in settled.warnings)


def two_sided_call():
    """Return two candidates that differ at a two-sided p near .05."""
    z = np.random.default_rng(1).normal(size=40)
    z = (z - z.mean()) / z.std()
    return table([z + 2.0 / 40**0.5, np.zeros(40)])


def test_a_borderline_strict_decision_is_sampled_on():
    options = {"by": "mean", "replicates": 199, "strict": True}
    few = dh.verdict(two_sided_call(), **options)
    (close,) = few.strictly.borderline
    assert (close.leader, close.other, close.threshold) == (0, 1, 0.05)
    assert close.p == few.strictly.tests.p[0, 1]
    assert close.error == pytest.approx((close.p * (1 - close.p) / 199) ** 0.5)
    assert abs(close.p - 0.05) <= 2 * close.error
    many = dh.verdict(two_sided_call(), until_settled=True, **options)
    assert not many.strictly.borderline
    assert many.made["replicates"] in {199 * 4**k for k in range(1, 8)}


def test_sampling_on_stops_where_nobody_would_wait(monkeypatch):
    monkeypatch.setattr(settling, "bearable", lambda *_, **__: False)
    v = dh.verdict(two_sided_call(), by="mean", replicates=199, strict=True, until_settled=True)
    assert v.made["replicates"] == 199
    assert any("not settled after 199 resamples" in warning for warning in v.warnings)


@pytest.mark.parametrize("test", ["t-holm", "wilcoxon-holm", "nemenyi"])
def test_exact_tests_have_nothing_borderline(test):
    v = dh.verdict(two_sided_call(), by="mean", replicates=99, strict=True, test=test)
    assert v.strictly.borderline == ()


def test_all_signs_there_are_leave_nothing_borderline():
    """11 judges have 1,024 sign vectors: the p-value is exact, however near alpha it is."""
    options = {"by": "mean", "strict": True, "test": "sign-flip"}
    results = table(graded(3, (0.9, 0.0), 11))
    p = dh.verdict(results, replicates=1_024, **options).strictly.tests.p[0, 1]
    assert 0.01 < p < 0.5
    for replicates, close in ((1_024, False), (5_000, False), (1_023, True)):
        v = dh.verdict(results, replicates=replicates, alpha=1.001 * p, **options)
        assert v.strictly.tests.replicates == min(replicates, 1_024)
        assert bool(v.strictly.borderline) == close


def test_somebody_better_than_the_leader_is_no_borderline_exclusion():
    """Erratum F4: the leader by first places has a lower merit than two near-copies."""
    options = {"by": "mean", "replicates": 999, "strict": True}
    tests = dh.verdict(near_copies(), **options).strictly.tests
    assert tests.differences[2, 0] < 0
    alpha = float(tests.p[2, 0])
    assert alpha < 1
    found = dh.verdict(near_copies(), alpha=alpha, **options).strictly
    assert not any((b.leader, b.other) == (2, 0) for b in found.borderline)


def test_the_jackknife_has_no_more_to_draw():
    with pytest.raises(dh.UsageError, match="no more replicates"):
        dh.verdict(table(graded()), by="mean", plan="jackknife", until_settled=True)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("by", ["mean", "median"])
@pytest.mark.parametrize(
    "scores",
    [
        np.array([[1.0, 4.0], [2.0, 3.0], [0.0, 7.0]]),
        np.arange(12.0) + np.array([[0.0], [1.0], [5.0]]),
        np.ones((3, 12)),
    ],
    ids=["two judges", "constant differences", "all the same"],
)
def test_tables_that_say_little_have_an_answer_without_holes(scores, by, strict):
    table = dh.Results(scores=scores, better="higher")
    found = dh.verdict(table, by=by, strict=strict, replicates=199)
    assert "NaN" not in found.to_json()
    assert "nan" not in found.verdict


def test_a_table_in_which_nobody_has_weight_is_refused():
    with pytest.raises(dh.DataError, match="all judge weights are 0"):
        dh.verdict(dh.Results(scores=np.eye(3), judge_weights=[0, 0, 0], better="higher"))

"""Two candidates, against plain loops over the same weights."""

from __future__ import annotations

import json

import numpy as np
import pytest
from scipy import stats

import deadheat as dh
from deadheat.compare.api import comparison
from deadheat.core.errors import DataError, UnknownNameError, UsageError
from deadheat.ranking.function import get
from deadheat.resampling.plans import Bootstrap, Subsample, blocks
from deadheat.statistics.evidence import Evidence, collect_evidence

RNG = np.random.default_rng(4)
SCORES = RNG.integers(0, 5, size=(4, 25)) / 4
NAMES = ["ada", "bob", "cyd", "dan"]
WEIGHTS = RNG.integers(1, 4, size=25)
CLUSTERS = [str(k // 3) for k in range(25)]
CLUSTERS_OF_3 = [str(k // 3) for k in range(63)]


def example(**options):
    given = {"scores": SCORES, "candidates": NAMES, "better": "higher"} | options
    return dh.Results(**given)


def by_loops(table, f, plan, a, b):
    """The difference of merits in every replicate, each a table of its own."""
    found = []
    for k in blocks(plan, table.n, table.m):
        for weights in plan.draw(k, table.n, table.m).judges:
            merits = f(table.scores, weights * table.weights)[0]
            found.append(merits[a] - merits[b])
    return np.round(found, 12)


PLANS = [
    Bootstrap(replicates=400, seed=3),
    Bootstrap(strata=tuple("ab"[k % 2] for k in range(25)), replicates=400, seed=3),
    Bootstrap(clusters=tuple(CLUSTERS), replicates=400, seed=3),
    Subsample(replicates=400, seed=3),
]


@pytest.mark.parametrize("name", ["mean", "average_rank", "median", "copeland"])
@pytest.mark.parametrize("plan", PLANS, ids=lambda plan: type(plan).__name__)
@pytest.mark.parametrize("weights", [None, WEIGHTS], ids=["plain", "weighted"])
def test_interval_shares_and_p_as_by_loops(name, plan, weights):
    table, f = example(judge_weights=weights), get(name)
    a, b = 1, 3
    found = dh.compare(table, "bob", "dan", by=name, plan=plan, alpha=0.1).facts()
    differences = by_loops(table, f, plan, a, b)
    merits = f(table.scores, table.weights)[0]
    assert found["merit_a"] == pytest.approx(merits[a])
    assert found["merit_b"] == pytest.approx(merits[b])
    assert found["difference"] == pytest.approx(merits[a] - merits[b], abs=1e-12)
    tail = 0.05
    if plan.strata is not None:  # two of them
        freedom = int(np.count_nonzero(table.weights)) - 2
        tail = stats.norm.cdf(-stats.t.ppf(0.95, freedom))
    ends = np.quantile(differences, [tail, 1 - tail])
    assert [found["low"], found["high"]] == pytest.approx(ends, abs=1e-11)
    assert found["ahead_share"] == (differences > 0).mean()
    assert found["tied_share"] == (differences == 0).mean()
    assert found["behind_share"] == (differences < 0).mean()
    assert found["p_a_better"] == ((differences <= 0).sum() + 1) / 401
    assert found["p_b_better"] == ((differences >= 0).sum() + 1) / 401
    assert found["p"] == min(1, 2 * min(found["p_a_better"], found["p_b_better"]))
    share = found["ahead_share"]
    assert found["share_error"] == pytest.approx(np.sqrt(share * (1 - share) / 400))
    assert found["replicates"] == 400


def test_the_seed_decides_and_the_engine_does_not():
    first, same, other = (
        dh.compare(example(), "ada", "bob", by="mean", replicates=2_500, seed=seed, engine=engine)
        for seed, engine in ((1, "serial"), (1, "threads:3"), (2, "serial"))
    )
    assert first.facts() == same.facts()
    assert first.rows() == same.rows()
    assert first.facts()["ahead_share"] != other.facts()["ahead_share"]


def test_the_plan_follows_the_table():
    found = dh.compare(example(clusters=CLUSTERS), "ada", "bob", replicates=100)
    assert "9 clusters of 25 judges" in found.facts()["plan"]
    assert found.facts()["over"] == "clusters"
    assert found.made["replicates"] == 100


def test_sums_in_another_order_are_no_difference():
    """In every cluster both have the same scores in another order."""
    scores = np.tile([[0.1, 0.2, 0.7], [0.7, 0.2, 0.1]], 21)
    scores *= np.repeat(np.arange(1, 22), 3)
    table = dh.Results(scores=scores, better="higher", clusters=CLUSTERS_OF_3)
    facts = dh.compare(table, "candidate_1", "candidate_2", by="mean", replicates=200).facts()
    assert (facts["difference"], facts["low"], facts["high"]) == (0, 0, 0)
    assert (facts["tied_share"], facts["p_a_better"], facts["p"]) == (1, 1, 1)


def test_turning_the_pair_round_turns_everything_round():
    here = dh.compare(example(), "ada", "cyd", by="mean", replicates=300)
    there = dh.compare(example(), "cyd", "ada", by="mean", replicates=300)
    mine, yours = here.facts(), there.facts()
    assert mine["difference"] == -yours["difference"]
    assert (mine["low"], mine["high"]) == pytest.approx((-yours["high"], -yours["low"]))
    assert (mine["p_a_better"], mine["p"]) == (yours["p_b_better"], yours["p"])
    assert (mine["higher"], mine["lower"]) == (yours["lower"], yours["higher"])
    assert mine["effect"] == pytest.approx(1 - yours["effect"])
    assert mine["sign_p"] == yours["sign_p"]
    assert mine["deciding_for_a"] == yours["deciding_for_b"]
    assert mine["flip"] == yours["flip"]
    assert here.verdict == there.verdict


def test_rows_hold_the_scores_as_written_and_contributions_that_add_up():
    costs = np.array([[3.0, 1, 2], [1, 4, 2.5], [9, 9, 9]])
    table = dh.Results(scores=costs, judges=list("pqr"), better=["lower", "lower", "higher"])
    for name in ("mean", "average_rank", "success_rate_half"):
        found = dh.compare(table, "candidate_1", "candidate_2", by=name, replicates=50)
        rows = {row["judge"]: row for row in found.rows()}
        assert [(rows[j]["a"], rows[j]["b"]) for j in "pqr"] == [(3, 1), (1, 4), (2, 2.5)]
        assert [rows[j]["difference"] for j in "pqr"] == [-2, 3, -0.5]
        gains = [row["contribution"] for row in found.rows()]
        assert sum(gains) == pytest.approx(found.facts()["difference"])
        assert gains == sorted(gains, reverse=True)
    mean = {row["judge"]: row["contribution"] for row in dh.compare(
        table, "candidate_1", "candidate_2", by="mean", replicates=50
    ).rows()}  # fmt: skip
    assert [mean[j] for j in "pqr"] == pytest.approx([-2 / 3, 1, -1 / 6])


def test_what_is_no_mean_has_no_contributions():
    found = dh.compare(example(), "ada", "bob", by="median", replicates=50)
    assert all(row["contribution"] is None for row in found.rows())
    assert found.flip is None
    assert found.facts()["flip"] is None
    differences = [row["difference"] for row in found.rows()]
    assert differences == sorted(differences, reverse=True)


def test_the_judges_that_decide_it_and_the_flip():
    scores = [[5, 1, 3, 2, 2], [1, 2, 2, 2, 2]]
    table = dh.Results(scores=scores, judges=list("pqrst"), better="higher")
    facts = dh.compare(table, "candidate_1", "candidate_2", by="mean", replicates=50).facts()
    assert facts["deciding_for_a"] == ["p", "r"]
    assert facts["deciding_for_b"] == ["q"]
    assert facts["flip"] == {
        "ahead": "candidate_1",
        "behind": "candidate_2",
        "left_out": ["p"],
        "passed": False,
    }


def test_the_contract():
    found = dh.compare(example(), "ada", "bob", by="mean", replicates=99)
    document = json.loads(found.to_json())
    assert document["schema"] == "deadheat.compare/1"
    assert list(document["rows"][0]) == ["judge", "a", "b", "difference", "contribution"]
    assert len(document["rows"]) == 25
    assert {"seed", "replicates", "plan", "alpha", "sha256"} <= set(document["made"])


def test_a_verdict_can_hand_over_the_replicates_it_has():
    table, f, plan = example(), get("mean"), Bootstrap(replicates=500, seed=7)
    mine = comparison(collect_evidence(table, f, plan), 2, 0, alpha=0.05)
    asked = dh.compare(table, "cyd", "ada", by="mean", replicates=500, seed=7)
    assert mine.facts() == asked.facts()
    assert mine.made == asked.made


def test_replicates_without_one_of_the_two_are_left_out():
    scores = np.array(SCORES)
    scores[0, 2:] = np.nan
    table = example(scores=scores, missing="available")
    plan = Bootstrap(replicates=300, seed=0)
    found = dh.compare(table, "ada", "bob", by="mean", plan=plan)
    drawn = np.concatenate([plan.draw(k, 4, 25).judges for k in blocks(plan, 4, 25)])
    kept = drawn[drawn[:, :2].any(axis=1)]
    assert 0 < len(kept) < 300
    assert found.facts()["replicates"] == len(kept)
    assert any(f"{300 - len(kept)} resamples left out" in w for w in found.warnings)
    means = [
        (row[:2] @ scores[0, :2]) / row[:2].sum() - (row @ scores[1]) / row.sum() for row in kept
    ]
    assert found.facts()["ahead_share"] == (np.round(means, 12) > 0).mean()
    others = dh.compare(table, "bob", "cyd", by="mean", plan=plan)
    assert others.facts()["replicates"] == 300


def test_under_the_jackknife_it_is_students_t():
    """For a mean the jackknife error is the standard error of the paired differences."""
    found = dh.compare(example(), "ada", "bob", by="mean", plan="jackknife").facts()
    paired = SCORES[0] - SCORES[1]
    known = stats.ttest_1samp(paired, 0.0)
    interval = known.confidence_interval(0.95)
    assert (found["low"], found["high"]) == pytest.approx((interval.low, interval.high))
    assert found["p"] == pytest.approx(known.pvalue)
    assert found["share_error"] is None
    words = dh.compare(example(), "ada", "bob", by="mean", plan="jackknife").verdict
    assert "of 25 cases with one judge left out" in words


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"a": "adda"}, UnknownNameError, r"unknown candidate 'adda'. Did you mean 'ada'\?"),
        ({"b": "ada"}, UsageError, "'ada' is compared with itself"),
        ({"alpha": 5}, UsageError, "alpha must lie strictly between 0 and 1, got 5"),
        ({"alpha": 0}, UsageError, "got 0"),
        ({"replicates": 0}, UsageError, "replicates must be a whole number of at least 1"),
        ({"replicates": 10}, UsageError, "10 replicates are too few"),
        ({"seed": -1}, UsageError, "seed"),
        ({"plan": "bootsrap"}, UnknownNameError, "bootstrap"),
        ({"plan": "stratified"}, UsageError, "needs strata"),
        ({"by": "men"}, UnknownNameError, "mean 'mean'"),
    ],
)
def test_what_cannot_be_asked_is_refused(options, error, message):
    asked = {"a": "ada", "b": "bob", "by": "mean", "replicates": 50} | options
    with pytest.raises(error, match=message):
        dh.compare(example(), asked.pop("a"), asked.pop("b"), **asked)


def test_too_little_data_is_refused():
    with pytest.raises(DataError, match=r"one score for each candidate .*nothing shows how far"):
        dh.compare(example(scores=SCORES[:, :1]), "ada", "bob")
    weights = np.eye(25)[0]
    with pytest.raises(DataError, match="1 judge with a weight above 0"):
        dh.compare(example(judge_weights=weights), "ada", "bob")
    with pytest.raises(DataError, match="1 candidate: nobody to compare it with"):
        dh.compare(example(scores=SCORES[:1], candidates=["ada"]), "ada", "ada")


def test_who_has_no_score_cannot_be_compared():
    scores = np.array(SCORES)
    scores[0] = np.nan
    table = example(scores=scores, missing="available")
    f, plan, merits = get("mean"), Bootstrap(replicates=50), np.ones((50, 4))
    given_ = {"observed": merits[0], "merits": merits, "contributions": None}
    evidence = Evidence(results=table, function=f, plan=plan, **given_)
    with pytest.raises(DataError, match="mean gives no merit to candidate 'ada'"):
        comparison(evidence, 0, 1, alpha=0.05)


@pytest.mark.parametrize("plan", [None, "jackknife"])
def test_judges_each_in_a_stratum_of_its_own_are_refused_as_by_verdict(plan):
    """It ended in an IndexError (a case of the fuzzer)."""
    table = dh.Results(
        scores=[[4, 0, 0], [1, 2, 0], [3, 3, 0]], strata=["f0", "f1", "f2"], better="higher"
    )
    one, two = table.candidates[:2]
    for ask in (
        lambda: dh.compare(table, one, two, plan=plan),
        lambda: dh.verdict(table, plan=plan),
    ):
        with pytest.raises(DataError, match="3 judges, each in a stratum of its own"):
            ask()

"""What can be asked of a verdict, what it answers, and what it refuses."""

from __future__ import annotations

import json
from importlib import import_module

import numpy as np
import pytest

import deadheat as dh
from deadheat.ranking.function import get
from deadheat.resampling.plans import Bootstrap
from deadheat.verdict import api as settling
from verdict_oracle import close_call, graded, mean_of, quantile, table, worlds

ROWS = [  # what people write first, merits last
    *("candidate", "shown", "shown_low", "shown_high", "rank", "group", "first_share"),
    *("rank_low", "rank_high", "official", "may_be_best", "fractional_rank", "first_error"),
    *("merit", "low", "high", "median_merit"),
]
FACTS = {"groups", "ties", "inversions", "mean_iqr", "borderline"}
K = 299
TABLES = {
    "near ties": table(graded()),
    "clear": table(graded(1, (2, 1, 0, 0, -1))),
    "lower": table(graded(4, (0, 0.3, 1.2)), better="lower"),
}


def oracle_merits(v):
    """Return the means of every replicate of a verdict, judges repeated."""
    results, plan = v.evidence.results, v.evidence.plan
    drawn = worlds(plan, results.n, results.m)
    return [[mean_of(row, judges) for row in results.scores] for judges in drawn]


def test_the_contract_of_the_json():
    v = dh.verdict(TABLES["clear"], by="mean", replicates=K, official=list("abcde"))
    whole = json.loads(v.to_json())
    keys = ["schema", "made", "verdict", "sentences", "warnings", "reasons", "facts", "rows"]
    assert list(whole) == [*keys, "table"]
    said = [(reason["says"], reason["good"]) for reason in whole["reasons"]]
    assert said == [(str(reason), reason.good) for reason in v.reasons]
    assert whole["schema"] == "deadheat.verdict/1"
    assert all(list(row) == ROWS for row in whole["rows"])
    assert len(whole["rows"]) == 5
    assert set(whole["facts"]) >= FACTS
    assert whole["facts"]["groups"] == [len(group) for group in v.groups]
    made = whole["made"]
    assert (made["replicates"], made["alpha"], made["seed"]) == (K, 0.05, 0)
    assert made["function"] == ["mean"]
    assert made["plan"] == "40 judges, drawn with replacement"
    assert len(made["sha256"]) == 64


def test_ties_and_inversions_are_counted_pair_by_pair():
    official = {"a": 5, "b": 1, "c": 2, "d": 2, "e": 1}
    v = dh.verdict(TABLES["clear"], by="mean", replicates=K, official=official)
    group = {name: g for g, names in enumerate(v.groups) for name in names}
    pairs = [(x, y) for x in "abcde" for y in "abcde" if x < y]
    assert v.facts()["ties"] == sum(group[x] == group[y] for x, y in pairs)
    assert v.facts()["inversions"] == sum(
        (group[x] - group[y]) * (official[x] - official[y]) < 0 for x, y in pairs
    )
    assert v.facts()["inversions"] > 0


def test_the_top_is_cut_from_the_official_order_with_all_who_share_its_last_place():
    official = {"a": 1, "b": 2, "c": 3, "d": 3, "e": 5}
    near = table(graded(1, (0.5, 0.4, 0.4, 0.3, -2)))
    v = dh.verdict(near, by="mean", replicates=K, official=official, top=2)
    facts = v.facts()
    assert [facts[key]["candidates"] for key in ("top10", "top3", "top2")] == [5, 4, 2]
    iqr = v.spread.iqr
    assert iqr[:2].mean() != iqr.mean() != iqr[:4].mean()
    assert facts["top2"]["mean_iqr"] == pytest.approx(iqr[:2].mean())
    assert facts["top3"]["mean_iqr"] == pytest.approx(iqr[:4].mean())
    assert len(v.rows()) == 5
    at = [column.name for column in v.grid().columns].index("candidate")
    assert {cells[at] for cells in v.grid().cells} == {"a", "b"}


def test_without_an_official_order_the_observed_one_is_meant():
    v = dh.verdict(TABLES["lower"], by="mean", replicates=K)
    assert not v.has_official
    assert (v.official == v.evidence.ranks).all()


def test_the_default_function_is_the_average_rank_and_another_can_be_given():
    assert dh.verdict(TABLES["clear"], replicates=K).function.name == "average_rank"
    assert dh.verdict(TABLES["clear"], by=get("median"), replicates=K).function.name == "median"


def test_a_path_is_read_with_the_options_of_read(tmp_path):
    path = tmp_path / "t.csv"
    rows = "\n".join(f"{name}," + ",".join(map(str, row)) for name, row in
                     zip("abc", graded().round(3).tolist(), strict=True))  # fmt: skip
    path.write_text("model," + ",".join(f"j{k}" for k in range(40)) + "\n" + rows + "\n")
    v = dh.verdict(path, better="higher", by="mean", replicates=K)
    same = dh.verdict(table(graded().round(3)), by="mean", replicates=K)
    assert v.groups == same.groups
    assert (v.merits == same.merits).all()


def test_sampling_goes_on_until_nothing_is_borderline():
    few = dh.verdict(close_call(), by="mean", replicates=99)
    assert few.paper.borderline
    settled = dh.verdict(close_call(), by="mean", replicates=99, until_settled=True)
    assert not settled.paper.borderline
    assert settled.made["replicates"] in {99 * 4**k for k in range(1, 9)}
    assert not any("not settled" in warning for warning in settled.warnings)
    assert settled.facts()["borderline"] == []
    said = f"Settled after {settled.made['replicates']:,} resamples: b is level with a."
    assert said in settled.reasons
    assert not any(each.startswith("Settled") for each in few.reasons)


def test_sampling_stops_where_memory_ends_and_says_so(monkeypatch):
    monkeypatch.setattr(settling, "MOST_NUMBERS", 2 * 150)
    v = dh.verdict(close_call(), by="mean", replicates=99, until_settled=True)
    assert v.made["replicates"] == 150
    assert v.paper.borderline
    assert any("not settled after 150 resamples" in warning for warning in v.warnings)


def test_a_borderline_decision_is_named_with_its_numbers():
    v = dh.verdict(close_call(), by="mean", replicates=99)
    (close,) = v.facts()["borderline"]
    merits = oracle_merits(v)
    p = (sum(world[0] <= world[1] for world in merits) + 1) / 100
    assert (close["leader"], close["other"]) == ("a", "b")
    assert close["p"] == pytest.approx(p)
    assert close["threshold"] == pytest.approx(0.05)
    assert close["error"] == pytest.approx((p * (1 - p) / 99) ** 0.5)
    assert abs(p - 0.05) <= 2 * close["error"]
    assert close["excluded"] == (p <= 0.05) == (len(v.groups) == 2)


def test_progress_is_told_to_the_end():
    told = []
    dh.verdict(TABLES["near ties"], by="mean", replicates=2500, progress=lambda *x: told.append(x))
    assert told == [(1, 3), (2, 3), (3, 3)]


def test_a_plan_of_ones_own_is_taken():
    plan = Bootstrap(replicates=77, seed=5)
    v = dh.verdict(TABLES["near ties"], by="mean", plan=plan, replicates=K, seed=1)
    assert v.made["replicates"] == 77
    assert v.made["seed"] == 5


def test_unknown_candidates_are_named():
    v = dh.verdict(TABLES["near ties"], by="mean", replicates=K)
    with pytest.raises(dh.UsageError, match="unknown candidate 'z'"):
        v.row("z")
    with pytest.raises(dh.UsageError, match="unknown candidate 'z'"):
        v.compare("a", "z")


def test_two_of_them_are_compared_from_the_same_replicates():
    v = dh.verdict(TABLES["near ties"], by="mean", replicates=K)
    merits = oracle_merits(v)
    facts = v.compare("a", "c").facts()
    assert (facts["a"], facts["b"]) == ("a", "c")
    assert facts["difference"] == pytest.approx(v.row("a").merit - v.row("c").merit)
    own = [world[0] - world[2] for world in merits]
    low, high = facts["low"], facts["high"]
    assert (low, high) == pytest.approx((quantile(own, 0.025), quantile(own, 0.975)))


def test_influence_is_computed_where_it_is_cheap_and_otherwise_left_out(monkeypatch):
    v = dh.verdict(TABLES["near ties"], by="mean", replicates=K)
    assert v.facts()["influence"]["judges"] == 40
    monkeypatch.setattr(import_module("deadheat.verdict.claims"), "LEAVE_ONE_OUT", 10)
    v = dh.verdict(TABLES["near ties"], by="mean", replicates=K)
    assert v.facts()["influence"] is None
    assert "eaving out" not in v.verdict


def test_a_result_can_be_written_in_every_form():
    v = dh.verdict(TABLES["clear"], by="mean", replicates=K)
    assert v.to_frame("pandas").shape == (5, len(ROWS))
    told = [name for name in ROWS if name != "official"]  # which is empty for everybody
    assert v.to_csv().splitlines()[0] == ",".join(told)
    assert "|" in v.to_md()
    assert r"\toprule" in v.to_latex()
    assert "<table" in v._repr_html_()


BAD = [
    ({"alpha": 0}, "alpha must lie strictly between 0 and 1"),
    ({"alpha": 1.0}, "alpha must lie strictly between 0 and 1"),
    ({"alpha": 5}, "for 5 %: alpha=0.05"),
    ({"replicates": 0}, "replicates must be a whole number of at least 1"),
    ({"replicates": 18}, "18 replicates are too few for alpha = 0.05"),
    ({"replicates": True}, "replicates must be a whole number"),
    ({"seed": -1}, "the seed must be a whole number"),
    ({"plan": "bootstrip"}, "unknown resampling plan 'bootstrip'. Did you mean 'bootstrap'"),
    ({"plan": 3}, "unknown resampling plan '3'"),
    ({"plan": "stratified"}, "needs strata"),
    ({"plan": "clustered"}, "needs clusters"),
    ({"plan": "two-level"}, "needs clusters"),
    ({"interval": "bcaa"}, "unknown interval 'bcaa'. Did you mean 'bca'"),
    ({"test": "t"}, "unknown test of all pairs 't'"),
    ({"leader": "me"}, "unknown leader 'me'"),
    ({"p_value": "small"}, "unknown p-value 'small'"),
    ({"top": 0}, "top must be a whole number of at least 1"),
    ({"engine": "steam"}, "unknown engine 'steam'"),
    ({"by": "meen"}, "unknown ranking function 'meen'"),
    ({"plan": "jackknife", "interval": "bca"}, "the jackknife gives standard errors"),
    ({"plan": "jackknife", "until_settled": True}, "no more replicates to draw"),
    ({"plan": "bayesian", "interval": "bootstrap-t"}, "needs a plan that draws with replacement"),
    ({"by": "median", "interval": "bootstrap-t"}, "mean over the judges"),
    ({"by": "median", "strict": True, "test": "nemenyi"}, "is not a mean over the judges"),
    ({"official": 7}, "the official order is of type int"),
]  # fmt: skip


@pytest.mark.parametrize(("options", "words"), BAD, ids=lambda x: str(x)[:30])
def test_wrong_use_is_refused_in_words(options, words):
    with pytest.raises(dh.UsageError) as refused:
        dh.verdict(TABLES["clear"], **{"by": "mean", "replicates": K} | options)
    assert words in str(refused.value)
    assert "Hint: " in str(refused.value)


def test_19_replicates_are_the_fewest_for_alpha_5_percent():
    v = dh.verdict(table(graded(0, (3, 0), 30)), by="mean", replicates=19)
    assert v.groups == (("a",), ("b",))


@pytest.mark.parametrize(
    ("scores", "options", "words"),
    [
        ([[1, 2, 3]], {}, "1 candidate"),
        ([[1], [2]], {}, "one score for each candidate"),
        ([[1, 2], [2, 3]], {"judge_weights": [1, 0]}, "1 judge with a weight above 0"),
        ([[1, 2], [2, 3]], {"strata": ["x", "y"]}, "each in a stratum of its own"),
        ([[1, 2], [2, 3]], {"clusters": ["x", "x"]}, "1 cluster"),
    ],
)
@pytest.mark.parametrize("by", ["mean", "median"])
def test_too_little_data_is_refused(scores, options, words, by):
    with pytest.raises(dh.DataError, match=words):
        dh.verdict(table(np.array(scores, dtype=float), **options), by=by, replicates=99)


def test_a_candidate_that_nobody_ever_scored_together_with_the_rest_is_refused():
    scores = np.array([[1.0, np.nan], [np.nan, 2.0]])
    with pytest.raises(dh.DataError):
        dh.verdict(table(scores), by="mean", plan="jackknife", missing="available")


def test_several_functions_are_refused():
    results = dh.Results(scores=np.eye(3, 8), better="higher")
    with pytest.raises(dh.UsageError, match="one ranking function is needed here, and 2 are named"):
        dh.verdict(results, by=["mean", "median"])


@pytest.mark.parametrize("alpha", ["x", True, None])
def test_an_alpha_that_is_no_number_is_refused(alpha):
    results = dh.Results(scores=np.eye(3, 8), better="higher")
    with pytest.raises(dh.UsageError, match="alpha must be a number"):
        dh.verdict(results, alpha=alpha)


def test_strict_tests_name_who_may_be_the_best():
    rng = np.random.default_rng(5)
    scores = np.concatenate([rng.normal(1, 0.1, (2, 60)), rng.normal(0, 0.1, (2, 60))])
    results = dh.Results(scores=scores, candidates=["a", "b", "c", "d"], better="higher")
    v = dh.verdict(results, by="mean", strict=True, replicates=999)
    assert set(v.best) == {"a", "b"}
    assert v.facts()["best"] == list(v.best)
    assert {row["candidate"] for row in v.rows() if row["may_be_best"]} == {"a", "b"}
    assert dh.verdict(results, by="mean", replicates=999).best == v.best
    assert dh.verdict(results, by="median", strict=True, replicates=999).best is None

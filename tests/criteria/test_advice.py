"""What the criteria advise in words, and where they advise nothing."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import friedmanchisquare

import deadheat as dh
from deadheat.criteria.result import sure
from deadheat.criteria.trials import TableValues, above_baseline
from deadheat.ranking.function import RankingFunction

QUICK = {"trials": 400, "q": 10, "repeats": 3, "engine": "serial"}


def skilled(seed=0, n=6, m=15, noise=1.0):
    rng = np.random.default_rng(seed)
    scores = np.arange(n)[:, None] + noise * rng.normal(size=(n, m))
    return dh.Results(scores=scores - scores.min() + 1, better="higher")


def two_camps(size=6, each=10):
    up = np.arange(1.0, size + 1)
    return dh.Results(scores=np.column_stack([up] * each + [up[::-1]] * each), better="higher")


def noise(seed=5, n=6, m=25):
    return dh.Results(scores=np.random.default_rng(seed).random((n, m)), better="higher")


def advice(found):
    return " ".join(found.verdict.split())


def test_where_no_function_beats_a_random_judge_none_is_to_be_trusted():
    """Two camps: whoever is drawn more often rules, and the others were drawn less."""
    found = dh.criteria(two_camps(), by="mean,average_rank,copeland", **QUICK)
    values = [row["generalization"] for row in found.rows()]
    assert max(values[:-1]) < values[-1]
    words = advice(found)
    assert "No function predicts unseen judges better" in words
    assert "opposite of what they say: trust none of them here" in words
    assert "best, or level" not in words
    assert "next to nothing" not in words
    assert found.facts()["above_baseline"] == [[]]


def test_opposite_judges_are_called_opposite():
    up = np.arange(6.0)
    table = dh.Results(scores=np.column_stack([up, up[::-1]]), better="higher")
    words = advice(dh.criteria(table, by="mean,copeland", **QUICK))
    assert "-1.000 at best (mean), -1.000 by that judge. That is the opposite" in words


def test_judges_that_agree_by_chance_advise_nothing_with_their_test():
    table = noise()
    found = dh.criteria(table, by="mean,average_rank,copeland", **QUICK)
    p = found.facts()["kendall_w_p"][0]
    assert p == pytest.approx(friedmanchisquare(*table.scores).pvalue, abs=0.03)
    assert p > 0.05
    words = advice(found)
    assert "The judges agree no more than by chance (Kendall's W = " in words
    assert "so the table cannot say which function to trust" in words
    assert "best, or level" not in words


def test_large_tables_are_tested_by_friedman():
    table = noise(n=30, m=40)
    p = dh.criteria(table, by="mean", **QUICK).facts()["kendall_w_p"][0]
    assert p == pytest.approx(friedmanchisquare(*table.scores).pvalue)


def test_judges_that_agree_are_said_to_agree():
    words = advice(dh.criteria(skilled(), by="mean,median", **QUICK))
    assert "The judges agree more than by chance (Kendall's W = 0.8" in words


def test_judges_that_say_the_same_need_no_choice():
    """A judge at random is as good as any function, and no reason to trust none."""
    table = dh.Results(scores=np.tile(np.arange(5.0)[:, None], 8), better="higher")
    words = advice(dh.criteria(table, by="mean,average_rank", **QUICK))
    assert "The judges agree so much that the choice hardly matters." in words
    assert "trust none" not in words.lower()


def test_only_what_the_table_decides_is_counted():
    """Two judges of a huge scale rule the mean, which predicts nobody else."""
    rng = np.random.default_rng(0)
    scores = np.arange(6.0)[:, None] + rng.normal(size=(6, 20))
    scores[:, :2] = 1_000 * rng.normal(size=(6, 2))
    table = dh.Results(scores=scores, better="higher")
    found = dh.criteria(table, by="mean,average_rank,copeland", **QUICK)
    words = advice(found)
    assert "that the table decides (generalization" in words
    assert "winner rank (average rank is best)" in words
    counted = words.split("that the table decides (")[1].split(")")[0]
    assert "winner rank" not in counted
    assert "Condorcet" not in counted
    assert "over candidates" not in counted
    said = words.split("), ")[1]
    assert said.startswith(("average rank", "copeland"))


def test_without_functions_that_are_sure_every_criterion_counts():
    rng = np.random.default_rng(3)
    scores = np.arange(6.0)[:, None] + 3 * rng.normal(size=(6, 20))
    table = dh.Results(scores=scores - scores.min() + 1, better="higher")
    words = advice(dh.criteria(table, by="success_rate,plurality", **QUICK))
    assert "winner rank, Condorcet rate" in words.split("decides (")[1].split(")")[0]
    assert "Not counted" not in words


def test_stability_speaks_only_for_those_who_predict():
    """A function that looks at names alone is as stable as can be, and predicts nobody."""
    fixed = RankingFunction(
        name="fixed",
        kernel=lambda scores: -np.arange(len(scores), dtype=float),
        form="table",
        scale="interval",
    )
    found = dh.criteria(skilled(noise=3.0), by=[fixed, "mean"], over="judges", **QUICK)
    assert found.rows()[0]["stability_judges"] == pytest.approx(1)
    words = advice(found)
    assert "), mean is best, or level with the best." in words
    assert "stability over judges" not in words.split("decides (")[1].split(")")[0]


def test_leads_are_said_with_their_size():
    found = dh.criteria(skilled(noise=3.0, n=8, m=30), **QUICK)
    lead = found.leads["generalization"]
    behind = np.where(lead.level[:-1], np.inf, lead.differences[:-1])
    who, best = (found.names[i].replace("_", " ") for i in (behind.argmin(), lead.best))
    assert f"{who} is {behind.min():.3f} behind {best} in generalization" in advice(found).lower()


def test_small_leads_are_called_small():
    rng = np.random.default_rng(1)
    scores = np.arange(12.0)[:, None] + 4 * rng.normal(size=(12, 40))
    table = dh.Results(scores=scores - scores.min() + 1, better="higher")
    words = advice(
        dh.criteria(table, by="average_rank,relative_difference_ranks", **QUICK | {"trials": 2_000})
    )
    assert "by all functions within 0.01 of each other" in words
    assert "real, but small" in words


@pytest.mark.parametrize(
    ("axiom", "kernel"),
    [
        ("condorcet", lambda scores: scores[:, 0]),  # one judge alone
        ("iia", lambda scores: scores[:, 0] * (-1) ** len(np.unique(scores[:, 0]))),
    ],
)
def test_a_claim_that_the_table_refutes_is_called_violated(axiom, kernel):
    liar = RankingFunction(
        name="liar", kernel=kernel, form="table", scale="interval", satisfies=frozenset({axiom})
    )
    words = advice(dh.criteria(skilled(noise=4.0), by=[liar, "copeland"], **QUICK))
    called = axiom.replace("condorcet", "Condorcet")
    assert f"liar is claimed to satisfy {called}, but violates it here" in words
    assert "liar has 1" not in words
    assert "liar and copeland have 1" not in words


def test_what_is_undefined_is_not_said_to_be_1_by_definition():
    """In the cycle the mean ties all, so no field has a correlation of its rankings."""
    table = dh.Results(scores=[[3.0, 2, 1], [1, 3, 2], [2, 1, 3]], better="higher")
    found = dh.criteria(table, by="mean,copeland", **QUICK)
    assert np.isnan(found.rows()[0]["stability_candidates"])
    by_name = {c.name: c for c in found.criteria}
    assert sure(found, by_name["stability_candidates"]) == []
    assert sure(found, by_name["condorcet_rate"]) == ["copeland"]


def test_one_judge_says_nothing():
    table = dh.Results(scores=[[1.0], [3.0], [2.0]], better="higher")
    words = advice(dh.criteria(table, by="mean,copeland", **QUICK))
    assert "There is one judge, so nothing says which function to trust." in words
    assert "best, or level" not in words


def test_one_candidate_is_one_sentence():
    found = dh.criteria(dh.Results(scores=[[1.0, 3, 2]], better="higher"), by="mean", **QUICK)
    assert found.warnings == ()
    assert found.verdict == "There is nothing to compare: the table has one candidate."


def test_what_was_skipped_is_one_warning_with_shares():
    scores = [[3.0, 2, 1, 1], [1, 3, 2, 1], [2, 1, 3, 1]]
    found = dh.criteria(dh.Results(scores=scores, better="higher"), by="mean,copeland", **QUICK)
    counts = found.facts()["counts"][0]
    told = [w for w in found.warnings if "skipped" in w]
    assert len(told) == 1
    unseen = counts["generalization: no judge out of the bag"]
    assert f"{unseen} of 400 trials in generalization (every judge was drawn)" in told[0]
    pairs = 3 * 3 * 45  # functions and baseline, sets, pairs of ten
    share = counts["stability_candidates: pairs of rankings without a correlation"] / pairs
    assert f"{share:.0%} of the" not in told[0]
    assert f"{100 * share:.0f} % " in told[0]


def test_what_hardly_happens_is_only_counted():
    table = skilled(n=9, m=12)
    found = dh.criteria(table, by="mean", **QUICK | {"trials": 20_000})
    counts = found.facts()["counts"][0]
    assert 0 < counts["generalization: no judge out of the bag"] < 200
    assert not any("skipped" in w for w in found.warnings)


def test_several_tables_name_those_that_say_nothing():
    found = dh.criteria([skilled(), skilled(1), noise()], by="mean,median", **QUICK)
    words = advice(found)
    assert "the table (3) says nothing about which function to trust" in words
    none = advice(dh.criteria([noise(5), noise(6)], by="mean,median", **QUICK))
    assert "No table can say which function to trust" in none
    assert "best, or level" not in none


def test_equal_values_of_w_are_said_once():
    scores = skilled().scores
    tables = [dh.Results(scores=scores * k, better="higher") for k in (1, 2)]
    found = dh.criteria(tables, by="mean,median", **QUICK)
    w = found.facts()["kendall_w"][0]
    assert f"Kendall's W of the tables is {w:.3f}." in advice(found)


def test_the_legend_says_what_brackets_and_stars_are():
    one = dh.criteria(skilled(), by="mean,median", **QUICK).grid()
    several = dh.criteria([skilled(), skilled(1)], by="mean,median", **QUICK)
    assert "trial by trial" in one.legend[0]
    assert "Monte-Carlo error" in one.legend[0]
    grid = several.grid()
    assert "table by table" in grid.legend[0]
    assert "standard error over the tables" in grid.legend[0]
    row = several.rows()[0]
    assert grid.cells[0][1].endswith(f"({round(1000 * row['winner_rank_se_tables'])})")


@pytest.mark.parametrize(("gain", "expected"), [(0.0, False), (0.02, False), (0.5, True)])
def test_the_baseline_is_beaten_beyond_the_noise_alone(gain, expected):
    rng = np.random.default_rng(0)
    base = rng.normal(size=200)
    values = np.stack([base + gain + 0.5 * rng.normal(size=200), base])
    table = TableValues(results=skilled(), values={"x": values}, counts={}, benchmark="x")
    assert above_baseline(table, "x").tolist() == [expected]


def test_equal_to_the_baseline_is_not_better():
    base = np.random.default_rng(0).normal(size=50)
    table = TableValues(
        results=skilled(), values={"x": np.stack([base, base])}, counts={}, benchmark="x"
    )
    assert not above_baseline(table, "x").any()
    lonely = TableValues(
        results=skilled(), values={"x": np.array([[1.0], [0.0]])}, counts={}, benchmark="x"
    )
    assert not above_baseline(lonely, "x").any()  # one trial has no noise to compare with

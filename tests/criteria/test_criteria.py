"""The function itself: options, several tables, words, and what is refused."""

from __future__ import annotations

import json

import numpy as np
import pytest

import deadheat as dh
from deadheat.criteria.criterion import CRITERIA
from deadheat.criteria.trials import lead_of, moments
from deadheat.ranking.function import get

QUICK = {"trials": 150, "q": 10, "repeats": 3, "engine": "serial"}
FIVE = (
    *("winner_rank", "condorcet_rate", "generalization", "stability_judges"),
    "stability_candidates",
)


def skilled(seed=0, n=6, m=15, noise=1.0):
    rng = np.random.default_rng(seed)
    scores = np.arange(n)[:, None] + noise * rng.normal(size=(n, m))
    return dh.Results(scores=scores - scores.min() + 1, better="higher")


def test_rows_have_the_keys_that_others_build_on():
    found = dh.criteria(skilled(), **QUICK)
    rows = found.rows()
    assert [row["function"] for row in rows] == [
        *("mean", "median", "average_rank", "success_rate", "relative_difference"),
        *("relative_difference_ranks", "copeland", "random_dictator"),
    ]
    for row in rows:
        assert {key for name in FIVE for key in (name, f"{name}_se")} <= set(row)
        assert not any(key.endswith("_se_tables") for key in row)
        assert all(-1 <= row[name] <= 1 for name in FIVE)
    facts = found.facts()
    assert set(facts["correlations"]["mean"]) == {row["function"] for row in rows[:-1]}
    assert facts["correlations"]["mean"]["mean"] == pytest.approx(1)
    whole = json.loads(found.to_json())
    assert whole["schema"] == "deadheat.criteria/1"
    assert whole["made"]["trials"] == 150


def test_the_engine_changes_nothing_and_the_seed_does():
    table = skilled()
    serial = dh.criteria(table, **QUICK | {"trials": 1_200}).rows()
    threads = dh.criteria(table, **QUICK | {"trials": 1_200, "engine": "threads:2"}).rows()
    assert serial == threads
    assert dh.criteria(table, **QUICK | {"trials": 1_200}, seed=1).rows() != serial


def test_other_functions_do_not_change_the_trials_of_a_function():
    table = skilled()
    alone = dh.criteria(table, by="copeland", **QUICK).rows()[0]
    among = dh.criteria(table, by="mean,copeland", **QUICK).rows()[1]
    assert alone == among


def test_errors_are_those_of_the_mean_over_trials():
    found = dh.criteria(skilled(), by="mean", **QUICK)
    values = found.measured[0].values["generalization"][0]
    row = found.rows()[0]
    assert row["generalization"] == pytest.approx(values.mean())
    assert row["generalization_se"] == pytest.approx(values.std(ddof=1) / np.sqrt(150))


def test_moments_of_nothing_and_of_one_value():
    mean, error = moments(np.array([[np.nan, np.nan], [0.5, np.nan], [0.0, 1.0]]))
    np.testing.assert_allclose(mean, [np.nan, 0.5, 0.5])
    np.testing.assert_allclose(error, [np.nan, np.nan, 0.5])


def test_several_tables_are_averaged_and_kept():
    tables = [skilled(0), skilled(1, n=4), skilled(2, m=9)]
    found = dh.criteria(tables, by="mean,copeland", **QUICK)
    alone = [dh.criteria(table, by="mean,copeland", **QUICK).rows()[1] for table in tables]
    row = found.rows()[1]
    for name in ("winner_rank", "generalization", "stability_judges"):
        values = np.array([each[name] for each in alone])
        errors = np.array([each[f"{name}_se"] for each in alone])
        assert row[name] == pytest.approx(values.mean())
        assert row[f"{name}_se"] == pytest.approx(np.sqrt((errors**2).sum()) / 3)
        assert row[f"{name}_se_tables"] == pytest.approx(values.std(ddof=1) / np.sqrt(3))
    records = found.tables().rows()
    assert len(records) == 9
    assert records[1]["winner_rank"] == pytest.approx(alone[0]["winner_rank"])
    assert found.view("tables").facts() == {"table": "tables"}


def test_correlations_are_those_of_scipy_on_the_whole_table():
    from scipy.stats import kendalltau, spearmanr

    table = skilled(noise=4.0)
    names = ["mean", "median", "copeland"]
    merits = [get(name)(table.scores)[0] for name in names]
    for kind, measure in (("spearman", spearmanr), ("kendall", kendalltau)):
        found = dh.criteria(table, by=names, correlation=kind, **QUICK).correlations().rows()
        for a, row in zip(merits, found, strict=True):
            for name, b in zip(names, merits, strict=True):
                assert row[name] == pytest.approx(measure(a, b).statistic)


def test_opposite_judges_tie_all_but_by_relative_difference():
    """Pavao et al., section 3: no correlation with a tie of all, and no Condorcet winner ever."""
    up = np.arange(1.0, 6)
    table = dh.Results(scores=np.column_stack([up, up, up[::-1], up[::-1]]), better="higher")
    found = dh.criteria(table, over="candidates", **QUICK)
    correlations = found.facts()["correlations"]
    assert np.isnan(correlations["mean"]["copeland"])
    assert correlations["relative_difference"]["relative_difference_ranks"] == pytest.approx(-1)
    assert np.isnan([row["condorcet_rate"] for row in found.rows()]).all()
    assert any("no trial" in w and "Condorcet rate is undefined" in w for w in found.warnings)
    assert any("generalization is undefined" in w for w in found.warnings)
    assert json.loads(found.to_json())["rows"][0]["condorcet_rate"] is None


def test_rare_condorcet_winners_are_said_to_be_rare():
    rng = np.random.default_rng(5)
    table = dh.Results(scores=rng.normal(size=(9, 4)), better="higher")
    found = dh.criteria(table, by="mean", **QUICK)
    cases = found.facts()["cases"]["majority_rate"][0]
    assert 0 < cases < 100
    assert any(f"only {cases} of 150" in w and "majority rate is unr" in w for w in found.warnings)


def test_few_trials_are_not_blamed_on_the_table():
    """Ten of ten trials with a Condorcet winner are not rare: there are only ten."""
    found = dh.criteria(skilled(), by="mean", **QUICK | {"trials": 10})
    cases = found.facts()["cases"]
    few = [w for w in found.warnings if "too few for rates" in w]
    assert len(few) == 1
    assert f"{cases['condorcet_rate'][0]} of them have a Condorcet winner" in few[0]
    assert not any("unreliable" in w for w in found.warnings)


def test_tables_with_few_condorcet_winners_are_left_out_of_the_average():
    up = np.arange(1.0, 6)
    tied = np.column_stack([up, up, up[::-1], up[::-1]])
    tables = [skilled(), dh.Results(scores=tied, better="higher")]
    found = dh.criteria(tables, by="average_rank", over="candidates", **QUICK)
    alone = dh.criteria(tables[0], by="average_rank", over="candidates", **QUICK).rows()[0]
    assert found.rows()[0]["condorcet_rate"] == alone["condorcet_rate"]
    assert len(found.used("condorcet_rate")) == 1
    assert len(found.used("winner_rank")) == 2


def test_the_notebook_resamples_candidates_only_for_winners():
    table = skilled(noise=3.0)
    found = dh.criteria(table, by="average_rank", compat="esann-notebook", **QUICK)
    assert found.made["stability"] == "kendall_w"
    text = dh.criteria(table, by="average_rank", over="candidates", **QUICK)
    cases = found.facts()["cases"]["condorcet_rate"][0]
    assert 0 < cases < text.facts()["cases"]["condorcet_rate"][0] <= 150
    assert not np.isnan(found.rows()[0]["generalization"])
    of_mean = [  # no two means are tied, so nothing but the trials could differ
        dh.criteria(table, by="mean", **QUICK | asked).measured[0].values["winner_rank"][0]
        for asked in ({"compat": "esann-notebook"}, {"over": "candidates"}, {"over": "both"})
    ]
    np.testing.assert_array_equal(of_mean[0], of_mean[1])
    assert (of_mean[0] != of_mean[2]).any()


def test_certain_values_are_said_to_be_certain():
    found = dh.criteria(skilled(), **QUICK)
    words = " ".join(found.verdict.split())
    assert (
        "Not counted, because it is so by definition: winner rank (average rank is best), "
        "Condorcet rate (copeland has 1) and stability when the field is redrawn (mean and median "
        "have 1)."
    ) in words
    assert "others may order functions otherwise" in found.grid().notes[1]


def test_equal_functions_are_inside_the_noise():
    found = dh.criteria(skilled(), by="average_rank,borda", **QUICK)
    assert "do not tell the 2 functions apart" in found.verdict
    for name in FIVE:
        assert found.leads[name].level[:2].all()


def test_clear_differences_are_outside_the_noise():
    """Two judges of a much larger scale rule the mean and know nothing of the others."""
    rng = np.random.default_rng(0)
    scores = np.arange(6.0)[:, None] + rng.normal(size=(6, 20))
    scores[:, :2] = 1_000 * rng.normal(size=(6, 2))
    table = dh.Results(scores=scores, better="higher")
    found = dh.criteria(table, by="mean,average_rank,median", **QUICK)
    level = found.leads["generalization"].level
    assert not level[0]
    assert level[1] or level[2]
    assert "generalization" in found.facts()["best"]


def test_noise_is_called_noise():
    rng = np.random.default_rng(5)
    table = dh.Results(scores=rng.normal(size=(12, 40)), better="higher")
    found = dh.criteria(table, by="average_rank,copeland,mean", **QUICK)
    assert found.concordance[0] < 0.1
    assert "stability over judges is bias here" in " ".join(found.verdict.split())


def test_one_trial_has_no_error_and_tells_nobody_apart():
    found = dh.criteria(skilled(), by="mean,median", **QUICK | {"trials": 1, "repeats": 1})
    assert np.isnan(found.rows()[0]["winner_rank_se"])
    for name in FIVE:
        if found.leads[name] is not None:
            assert found.leads[name].level[:2].all()


def test_a_margin_is_wide_enough_for_all_pairs():
    """Equal functions with independent noise: the leader stands out in few of many experiments."""

    class Drawn:
        def __init__(self, rng):
            self.values, self.benchmark = {"x": rng.normal(size=(5, 200))}, "x"

    rng = np.random.default_rng(0)
    alone = [lead_of([Drawn(rng)], "x", 4).level[:4].all() for _ in range(300)]
    assert np.mean(alone) > 0.93


def test_few_candidates_and_few_judges():
    two = dh.criteria(dh.Results(scores=[[1.0, 3, 2], [2.0, 1, 1]], better="higher"), **QUICK)
    assert any("2 candidates" in w for w in two.warnings)
    one = dh.criteria(dh.Results(scores=[[1.0, 3, 2]], better="higher"), by="mean", **QUICK)
    assert one.rows()[0]["winner_rank"] == 1
    assert np.isnan(one.rows()[0]["generalization"])
    judge = dh.criteria(
        dh.Results(scores=[[1.0], [3.0], [2.0]], better="higher"), by="mean", **QUICK
    )
    assert np.isnan(judge.rows()[0]["generalization"])
    assert any("one judge" in w for w in judge.warnings)


def test_constant_tables_have_no_correlation():
    found = dh.criteria(dh.Results(scores=np.ones((4, 5)), better="higher"), by="mean", **QUICK)
    row = found.rows()[0]
    assert row["winner_rank"] == pytest.approx(0.5)
    assert np.isnan([row["generalization"], row["stability_judges"]]).all()
    assert found.warnings == ()  # the verdict says it, once
    assert found.verdict == (
        "There is nothing to compare: every judge of the table ties all candidates."
    )


def test_every_criterion_is_documented():
    for criterion in CRITERIA.values():
        assert criterion.summary.startswith("Tell")
        assert criterion.formula
        assert criterion.reference


def test_the_grid_fits_80_columns_and_stars_the_best():
    grid = dh.criteria(skilled(), **QUICK).grid()
    copeland = [row[0] for row in grid.cells].index("copeland")
    assert (copeland, 2) in grid.marked
    assert grid.cells[copeland][2] == "1.000"
    assert not any(i == len(grid.cells) - 1 for i, _ in grid.marked)  # the baseline

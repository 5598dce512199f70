"""How far tests of all pairs of very many candidates go, and what is said where they do not."""

from __future__ import annotations

from importlib import import_module

import numpy as np
import pytest

import deadheat as dh
from deadheat.ranking.on_tables import function_for
from deadheat.resampling.plans import Bootstrap
from deadheat.verdict import api as effort
from deadheat.verdict.api import effort_of, holds
from verdict_oracle import graded, table

FEW = table(graded(0, (1.2, 1.1, 0.2, 0.1), 6))
ENOUGH = table(graded(0, (1.2, 1.1, 0.2, 0.1), 40))


def of_size(n, m, **more):
    results = dh.Results(scores=np.zeros((n, m)), better="higher")
    given = {"test": "max-t", "chosen": False} | more
    return effort_of(results, function_for(results, "mean"), Bootstrap(), **given)


def no_tests(*_, **__):
    raise AssertionError("all pairs are tested")


def test_small_tables_are_tested_on_all_replicates():
    for n, m in ((2, 2), (30, 6), (300, 6), (100, 1_000), (1_000, 20)):
        assert of_size(n, m) == effort.Effort()


def test_thousands_on_few_judges_are_not_tested_whoever_chose_the_number():
    for chosen in (False, True):
        found = of_size(3_000, 6, chosen=chosen)
        assert found.untested.startswith(
            "6 judges are too few to show anything, and testing all pairs of 3,000 candidates"
        )
        assert found.decides is None


def test_what_is_quick_on_few_judges_is_tested_however_many_there_are():
    assert not of_size(3_000, 6, test="t-holm").untested
    assert not of_size(3_000, 6, test="sign-flip").untested  # there are 32 signs


def test_thousands_on_enough_judges_are_tested_on_fewer_replicates():
    found = of_size(3_000, 50)
    assert not found.untested
    assert effort.FEWEST <= found.most < 10_000
    assert found.most % effort.STEP == 0
    assert of_size(3_000, 50, chosen=True) == effort.Effort()


def test_too_many_are_not_tested_and_a_number_decides(monkeypatch):
    found = of_size(6_000, 50)
    assert "6,000 candidates would take 4.5 GB of memory" in found.untested
    monkeypatch.setenv("DEADHEAT_MEMORY", "10GB")
    found = of_size(6_000, 50)
    assert "in 1,000 resamples would take" in found.untested
    assert found.decides == 1_000


def test_few_judges_of_many_are_undecided_without_a_test(monkeypatch):
    monkeypatch.setattr(effort, "TOO_MUCH", 1)
    monkeypatch.setattr("deadheat.statistics.strict_groups.max_t", no_tests)
    heard = []
    v = dh.verdict(FEW, by="mean", strict=True, replicates=499, note=heard.append)
    assert v.undecided
    assert v.strictly is None
    assert [set(group) for group in v.groups] == [{"a", "b", "c", "d"}]
    assert v.verdict.startswith("Undecided: 6 judges are too few to show anything, and testing")
    for word in ("dead heat", "shown better", "family-wise", "at level"):
        assert word not in v.to_json()
    assert heard == [f"the answer will be undecided: {v.untested}."]
    assert v.guarantee.startswith("There are no groups: 6 judges")
    assert "undecided: 6 judges" in holds(v, "tie-at-top")
    assert v.borderline == ()
    assert len(v.reading.leaders) == 1
    assert v.best is None
    assert not any("groups err" in warning or "leader" in warning for warning in v.warnings)


def test_a_page_of_it_has_no_groups(monkeypatch):
    monkeypatch.setattr(effort, "TOO_MUCH", 1)
    report = dh.report(FEW, by="mean", strict=True, replicates=499)
    assert report.summary.headline.startswith("Undecided: 6 judges are too few")
    page = report.html()
    assert "Dead heats" not in page
    assert "No test puts candidates into groups" in page


def test_sampling_until_settled_does_not_go_on_without_tests(monkeypatch):
    monkeypatch.setattr(effort, "TOO_MUCH", 1)
    v = dh.verdict(FEW, by="mean", strict=True, replicates=499, until_settled=True)
    assert len(v.merits) == 499


@pytest.mark.parametrize("by", ["mean", "median"])
def test_fewer_replicates_are_the_first_ones_and_are_told(monkeypatch, by):
    fewer = dh.verdict(ENOUGH, by=by, strict=True, replicates=1_000)
    monkeypatch.setattr(
        import_module("deadheat.verdict.api"),
        "effort_of",
        lambda *_, **__: effort.Effort(most=1_000),
    )
    v = dh.verdict(ENOUGH, by=by, strict=True)
    assert len(v.merits) == 10_000
    assert v.made["pairs_tested"] == v.strictly.tests.replicates == 1_000
    np.testing.assert_array_equal(v.strictly.tests.p, fewer.strictly.tests.p)
    assert any("tested on 1,000 of 10,000 resamples" in warning for warning in v.warnings)
    assert "pairs_tested" not in fewer.made
    assert not any("tested on" in warning for warning in fewer.warnings)

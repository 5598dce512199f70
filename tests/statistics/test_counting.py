"""Tests on more replicates than are kept, against all of them in memory."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import deadheat as dh
from deadheat.ranking.on_tables import function_for
from deadheat.ranking.ranks import ranks, times_not_ahead
from deadheat.resampling.plans import Bootstrap
from deadheat.resampling.replicate import BYTES_PER_MERIT
from deadheat.statistics.groups import KEPT, numbers_of
from deadheat.verdict.api import holds


def table_of(n, m, *, spread=1.0, seed=3):
    rng = np.random.default_rng(seed)
    scores = spread * rng.standard_normal((n, 1)) + rng.standard_normal((n, m))
    return dh.Results(scores=scores, better="higher")


@pytest.mark.parametrize("by", ["mean", "average_rank", "median"])
def test_counted_tests_are_those_of_all_replicates_in_memory(by):
    table = table_of(40, 30)
    streamed = dh.verdict(table, by=by, alpha=1e-3)
    number = streamed.made["tested"]
    assert streamed.made["replicates"] == 10_000
    assert number + 1 >= 39 / 1e-3
    whole = dh.verdict(table, by=by, alpha=1e-3, replicates=number)
    assert "tested" not in whole.made
    assert streamed.groups == whole.groups
    for one, other in zip(streamed.paper.rounds, whole.paper.rounds, strict=True):
        assert one.leader == other.leader
        np.testing.assert_array_equal(one.p, other.p)


def test_the_engine_does_not_change_counted_tests():
    table = table_of(30, 12)
    found = [
        dh.verdict(table, by="mean", alpha=1e-3, engine=engine).paper.rounds
        for engine in ("serial", "threads:3")
    ]
    for one, other in zip(*found, strict=True):
        np.testing.assert_array_equal(one.p, other.p)


def test_a_number_that_nobody_chose_is_not_called_few():
    found = dh.verdict(table_of(40, 30), by="mean", alpha=1e-3)
    assert found.made["tested"] < 10 * 39 / 1e-3
    assert not any("resamples are few" in warning for warning in found.warnings)
    chosen = dh.verdict(table_of(40, 30), by="mean", alpha=1e-3, replicates=40_000)
    assert any("resamples are few" in warning for warning in chosen.warnings)


@pytest.mark.parametrize("free", [10**6, 10**12])
def test_the_memory_of_the_machine_changes_no_interval(monkeypatch, free):
    """What is kept hangs on the request alone: 40 candidates x 60,000 merits are 77 MB."""
    monkeypatch.setattr("deadheat.core.memory.free", lambda: free)
    monkeypatch.setattr("deadheat.statistics.groups.free", lambda: free, raising=False)
    few, many = table_of(40, 30), table_of(3_000, 3)
    mean = function_for(few, "mean")
    plan = Bootstrap(replicates=60_000)
    given = {"chosen": True, "alpha": 1e-3, "correction": "holm"}
    kept, tested = numbers_of(few, mean, plan, **given)
    assert (kept.replicates, tested) == (60_000, 60_000)
    more = replace(plan, replicates=KEPT // (BYTES_PER_MERIT * 3_000) + 1)
    kept, tested = numbers_of(many, mean, more, **given | {"alpha": 0.05})
    assert (kept.replicates, tested) == (10_000, more.replicates)


def test_the_usual_number_stays_where_it_is_enough():
    found = dh.verdict(table_of(50, 12), by="mean")
    assert found.made["replicates"] == found.paper.draws == 10_000
    assert "tested" not in found.made


def test_too_few_replicates_are_undecided_and_no_tie():
    table = table_of(40, 30)
    found = dh.verdict(table, by="mean", alpha=1e-3, replicates=10_000)
    assert found.undecided
    assert found.facts()["undecided"] is True
    assert found.verdict.startswith(
        "Undecided: 10,000 resamples cannot separate 40 candidates; replicates=39000 can (mean"
    )
    assert "dead heat" not in found.verdict.lower()
    assert "undecided" in holds(found, "tie-at-top")
    assert not dh.verdict(table, by="mean", alpha=1e-3, replicates=39_000).undecided


def test_equals_are_a_tie_however_few_the_replicates():
    """Everybody is often ahead of the leader: no number of replicates would exclude them."""
    table = table_of(8, 30, spread=0.0)
    found = dh.verdict(table, by="mean", alpha=2e-4, replicates=10_000)
    smallest = min(found.paper.rounds[0].p)
    assert smallest > 10 / 10_001
    assert not found.undecided
    assert found.verdict.startswith("Dead heat: all 8 candidates share first place")


@pytest.mark.slow
def test_three_thousand_candidates_do_not_end_in_a_dead_heat():
    scores = np.random.default_rng(0).standard_normal((3_000, 6))
    scores[7] += 100
    found = dh.verdict(dh.Results(scores=scores, better="higher"), by="mean")
    assert found.groups[0] == ("candidate_0008",)
    assert found.made["tested"] + 1 >= 2_999 / 0.05


@pytest.mark.parametrize("unit", [1.0, np.array([1.0, 100.0, 1.0, 5.0])])
def test_counts_without_ranking_are_those_of_ranks(unit):
    rng = np.random.default_rng(1)
    merits = rng.integers(-3, 4, (600, 4)) / 3 + rng.uniform(-1e-15, 1e-15, (600, 4))
    merits[:5, 0] = np.inf
    merits[3:7, 1] = np.inf
    merits[7:9, 2] = -np.inf
    places = ranks(merits, unit=unit)
    expected = (places[:, [0, 3], None] >= places[:, None, :]).sum(axis=0)
    np.testing.assert_array_equal(times_not_ahead(merits, [0, 3], unit=unit), expected)


def test_a_page_calls_what_is_undecided_no_tie():
    page = dh.report(table_of(12, 30), by="mean", alpha=1e-3, replicates=1_000)
    assert page.summary.headline == (
        "Undecided: 1,000 resamples cannot separate 12 candidates; 11,000 can (mean, 30 judges)."
    )
    assert "dead heat" not in page.html().lower()

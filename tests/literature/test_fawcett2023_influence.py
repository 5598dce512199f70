"""Fawcett, Vallati, Hoos, Gerevini (2023), "Competitions in AI - Robustly Ranking Solvers Using
Statistical Resampling", table 1: leaving out one instance of the SAT Competition 2016.
"""

from __future__ import annotations

import csv

import pytest

import deadheat as dh

pytestmark = pytest.mark.shared

WHERE = {"main": (), "application": "subtrack=application", "crafted": "subtrack=crafted"}
PRINTED = {"main": "main", "application": "main-app", "crafted": "main-craft"}
OFFICIAL_WINNER = {
    "main": "MapleCOMSPS_DRUP / seq_LRB_VSIDS_drup",
    "application": "MapleCOMSPS_LRB_DRUP / LRB_VSIDS_drup",
    "crafted": "tc_glucose / default",
}


def of_track(shared_data, track):
    return dh.read(
        shared_data / "sat2016/main.csv.gz", score="solved", better="higher", where=WHERE[track]
    )


@pytest.mark.parametrize(
    ("track", "instances", "changing"),
    [("main", 500, 164), ("application", 300, 93), ("crafted", 200, 71)],
)
def test_the_instances_that_change_the_ranking(shared_data, track, instances, changing):
    """Table 1, column "all"."""
    facts = dh.influence(of_track(shared_data, track), by="mean").facts()
    assert facts["judges"] == instances
    assert facts["any"] == changing
    assert facts["first"] == [OFFICIAL_WINNER[track]]


def solver_numbers(shared_data, track):
    """Return the number of each solver: it breaks the ties of table 1, the later one first."""
    with (shared_data / "sat2016/official_ranking.csv").open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["track"] == PRINTED[track]]
    printed = (row["solver_as_printed"].rsplit(",", 2) for row in rows)
    return {f"{solver} / {version}": int(number) for solver, version, number in printed}


@pytest.mark.parametrize(
    ("track", "cells"),
    [("main", (0, 105, 0, 36)), ("application", (56, 20, 3, 8)), ("crafted", (6, 26, 7, 4))],
)
def test_the_instances_that_change_the_top(shared_data, track, cells):
    """Table 1, composition and order of the top 10, then of the top 3: all twelve cells."""
    numbers = solver_numbers(shared_data, track)
    order = sorted(numbers, key=lambda name: -numbers[name])
    facts = dh.influence(of_track(shared_data, track), by="mean", official=order).facts()
    kinds = ("top10_set", "top10_order", "top3_set", "top3_order")
    assert tuple(facts[kind] for kind in kinds) == cells


def test_order_counts_where_the_set_stays(shared_data):
    """Table 1, main-app: order 20 < comp 56, so order cannot include changes of the set."""
    changes = dh.influence(of_track(shared_data, "application"), by="mean").changes
    both = changes.flag("top10_set") & changes.flag("top10_order")
    assert not both.any()
    assert changes.flag("top10_order").sum() < changes.flag("top10_set").sum()


def test_one_solved_instance_decides_the_main_track(shared_data):
    """203 against 202 solved: leaving out any instance that only the winner solved levels them."""
    table = of_track(shared_data, "main")
    result = dh.influence(table, by="mean")
    first, second = (table.candidates.index(name) for name in (
        OFFICIAL_WINNER["main"], "Riss6 / noPP_DRAT"
    ))  # fmt: skip
    only = (table.scores[first] == 1) & (table.scores[second] == 0)
    assert result.winners() == [
        {
            "first": [table.candidates[i] for i in sorted((first, second))],
            "without": [table.judges[j] for j in only.nonzero()[0]],
        }
    ]
    assert result.facts()["flip"]["behind"] == "Riss6 / noPP_DRAT"
    assert len(result.facts()["flip"]["left_out"]) == 1

"""Fawcett, Vallati, Hoos, Gerevini (2023), "Competitions in AI - Robustly Ranking Solvers Using
Statistical Resampling", table 1: leaving out one instance of the SAT Competition 2016.
"""

from __future__ import annotations

import pytest

import deadheat as dh

pytestmark = pytest.mark.shared

WHERE = {"main": (), "application": "subtrack=application", "crafted": "subtrack=crafted"}
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
    """Table 1, column "all". The others rest on an unstated rule for ties at the last place."""
    facts = dh.influence(of_track(shared_data, track), by="mean").facts()
    assert facts["judges"] == instances
    assert facts["any"] == changing
    assert facts["first"] == [OFFICIAL_WINNER[track]]


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

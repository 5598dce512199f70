"""What a consensus says and writes."""

from __future__ import annotations

import json

import numpy as np
import pytest

import deadheat as dh

CYCLE = [[3, 1, 2], [2, 3, 1], [1, 2, 3]]  # a > b > c, b > c > a, c > a > b


def consensus(scores, **options):
    names = [chr(ord("a") + i) for i in range(len(scores))]
    return dh.consensus(dh.Results(scores=scores, candidates=names, better="higher"), **options)


def test_rows_and_facts_are_those_of_the_contract():
    found = consensus([[3, 3, 1], [2, 2, 3], [1, 1, 2]])
    whole = json.loads(found.to_json())
    assert whole["schema"] == "deadheat.consensus/1"
    assert whole["rows"] == [
        {"candidate": "a", "rank": 1.0},
        {"candidate": "b", "rank": 2.0},
        {"candidate": "c", "rank": 3.0},
    ]
    facts = whole["facts"]
    assert facts["seconds"] >= 0
    assert {key: facts[key] for key in ("objective", "bound", "status", "unique")} == {
        "objective": 2.0,
        "bound": 2.0,
        "status": "optimal",
        "unique": True,
    }
    assert whole["made"]["distance"] == "kendall"


def test_a_cycle_has_three_optimal_rankings_and_says_so():
    found = consensus(CYCLE)
    assert found.facts()["optima"] == 3
    assert sorted(map(tuple, found.optima)) == [tuple("abc"), tuple("bca"), tuple("cab")]
    assert found.verdict.startswith("3 rankings disagree least with the 3 judges")
    assert found.verdict.endswith(
        "It has 4 disagreements of 9 possible (44 %), which is proven optimal."
    )


def test_with_ties_the_first_may_be_several():
    found = consensus([[2, 2], [2, 2], [1, 1]], output="weak")
    assert found.ranks.tolist() == [1.5, 1.5, 3.0]
    assert "puts a and b first, tied" in found.verdict


@pytest.mark.parametrize("distance", ["spearman", "footrule", "hamming", "euclidean", "cayley"])
def test_other_distances_say_what_they_count(distance):
    found = consensus([[3, 3, 1], [2, 2, 3], [1, 1, 2]], distance=distance)
    assert f"({found.distance.unit}), which is proven optimal." in found.verdict
    assert "closest to the 3 judges" in found.verdict


def test_where_nothing_is_known_of_other_rankings_that_is_said():
    found = consensus(CYCLE, distance="spearman", output="weak")
    assert found.facts()["unique"] is None
    assert found.verdict.endswith("Whether others are as good is not known.")


def test_the_table_shows_the_mean_ranks_where_there_are_some():
    head = consensus(CYCLE).to_md().splitlines()[0]
    assert "average rank" in head
    table = dh.Results(scores=[[1, np.nan], [2, 3]], better="higher", missing="available")
    assert "average rank" not in dh.consensus(table).to_md()


def test_it_reads_what_every_command_reads(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("model,p,q\na,1,2\nb,2,1.5\n", encoding="utf-8")
    assert dh.consensus(path, better="lower").made["source"] == "t.csv"

"""What influence says, in words and as a table."""

from __future__ import annotations

import numpy as np
import pytest
from influence_oracle import by_loops, example, random_table, told

import deadheat as dh
from deadheat.influence.api import KINDS
from deadheat.ranking.function import get

NO_FIRST = "No single judge changes who is first by mean"
STAYS = "Whatever judges are left out, a stays first alone."
TWO_MOVE = "Without it 2 candidates change their rank."


@pytest.mark.parametrize(
    ("scores", "changes", "rest"),
    [
        (
            [[9, 5, 5], [6, 6, 6], [1, 2, 1]],
            "1 of 3 judges alone decides who is first by mean; 1 changes some rank",
            "Without it b is first, and 2 candidates change their rank.",
        ),
        (
            [[9, 9, 9], [8, 8, 8], [7, 7, 7], [5, 1, 1], [1, 2, 2]],
            f"{NO_FIRST}; none changes the podium, 1 changes some rank",
            f"{TWO_MOVE} {STAYS}",
        ),
        (
            [[9, 9, 9], [8, 8, 8], [7, 3, 3], [1, 4, 4]],
            f"{NO_FIRST}; 1 changes the podium, 1 changes some rank",
            f"{TWO_MOVE} {STAYS}",
        ),
        (
            [[9, 9, 9], [8, 3, 3], [2, 5, 5], [1, 1, 1]],
            f"{NO_FIRST}; 1 changes the podium, 1 changes some rank",
            f"{TWO_MOVE} {STAYS}",
        ),
        (
            [[9, 9, 9], [8, 3, 3], [2, 5, 5]],
            f"{NO_FIRST}; 1 changes some rank",
            f"{TWO_MOVE} {STAYS}",
        ),
    ],
    ids=["the winner", "the tail", "the set", "the order", "three candidates"],
)
def test_the_verdict_where_one_judge_matters(scores, changes, rest):
    said = dh.influence(example(scores), by="mean").sentences
    assert said[0] == f"{changes}."
    assert " ".join(said[1:]) == rest


def test_the_verdict_where_no_judge_matters():
    scores = [[9, 9, 9], [5, 5, 5], [4, 3, 3], [1, 1, 1]]
    same = "The ranking by mean is the same whichever one of 3 judges is left out."
    assert dh.influence(example(scores), by="mean").sentences == (same, STAYS)


def test_the_verdict_counts_the_podium_and_the_winner():
    """Without p b passes a; c and d are tied for the third place, and without anybody are not."""
    scores = [[9, 5, 5, 5], [5, 6, 6, 6], [4, 4, 2, 2], [3, 3, 3, 3]]
    result = dh.influence(example(scores), by="mean")
    loops = by_loops(example(scores), get("mean"), "pqrs")
    counts = {kind: sum(row[kind] for row in loops.values()) for kind in KINDS}
    assert counts["any"] == 4
    assert (counts["top3_set"], counts["top3_order"], counts["winner"]) == (4, 0, 1)
    lead, decisive = result.sentences
    assert lead == (
        "1 of 4 judges alone decides who is first by mean; 4 change the podium, 4 change some rank."
    )
    assert decisive.startswith("The most decisive is p: without it b is first, and ")


def test_the_flip_is_told_where_no_single_judge_changes_the_winner():
    scores = [[4, 4, 1, 1, 1, 1], [1, 1, 1.5, 1.5, 1.5, 1.5]]
    words = dh.influence(example(scores), by="mean").verdict
    assert words.endswith("Leaving out 2 judges (p, q) would put b ahead of a; fewer would not.")
    assert "would put" not in dh.influence(example(scores), by="median").verdict


def test_the_table_has_all_that_change_the_ranking_and_terminals_show_the_first():
    scores = np.zeros((2, 30))
    scores[0, :15] = scores[1, 15:] = 1
    result = dh.influence(dh.Results(scores=scores, better="higher"), by="mean")
    grid = result.grid()
    assert len(grid.cells) == 30
    assert 0 < grid.leading < 30
    assert [column.name for column in grid.columns] == [
        "without judge",
        "first",
        "moved",
        "furthest",
    ]
    assert grid.cells[0][1] == "candidate_2"
    assert len(result.rows()) == 30
    few = dh.influence(example([[9, 5, 5], [6, 6, 6]]), by="mean").grid()
    assert few.cells == (("p", "b", 2, 1.0),)
    assert few.legend == ()


def test_nothing_to_show_is_no_table():
    result = dh.influence(example([[9, 9], [1, 1]]), by="mean")
    assert result.grid().columns == ()
    assert result.to_md()
    assert "is the same" in repr(result)


def test_the_table_tells_the_set_from_the_order():
    rng = np.random.default_rng(8)
    result = dh.influence(random_table(rng, 12, 15, grades=9), by="mean")
    grid = result.grid()
    assert [column.name for column in grid.columns][1:4] == ["first", "top 3", "top 10"]
    rows = told(result)
    seen = set()
    for judge, first, podium, ten, moved, furthest in grid.cells:
        row = rows[judge]
        for k, shown in (("top3", podium), ("top10", ten)):
            known = "set" if row[f"{k}_set"] else "order" if row[f"{k}_order"] else "same"
            assert shown == known
            seen.add(shown)
        assert (first == "same") == (not row["winner"])
        assert (moved, furthest) == (len(row["moved"]), row["shift"])
    assert seen == {"same", "order", "set"}


def test_a_tie_of_many_is_counted_and_an_idle_podium_is_told():
    """Without p all five are level; in the second, only the last two ever change places."""
    many = dh.influence(example([[2, 1, 1], *[[1, 1, 1]] * 4]), by="mean")
    assert "Without it 5 candidates are tied for first" in many.verdict
    tail = [[9, 9, 9], [8, 8, 8], [7, 7, 7], [3, 0, 2], [0, 3, 1]]
    words = dh.influence(example(tail), by="mean").verdict
    assert f"{NO_FIRST}; none changes the podium, 2 change some rank." in words

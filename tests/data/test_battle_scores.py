"""Matches of which a log tells what both sides scored, and not who won."""

from __future__ import annotations

import pytest

import deadheat as dh

HEAD = "home,away,home_goals,away_goals"
ROWS = ["ann,bob,2,1", "bob,cyd,0,0", "cyd,ann,1.5,3", "ann,cyd,10,9"]  # 10 > 9, not as text
WON = ["ann,bob,left", "bob,cyd,tie", "cyd,ann,right", "ann,cyd,left"]


def written(folder, *rows, head=HEAD):
    path = folder / "log.csv"
    path.write_text("\n".join([head, *rows]), "utf-8")
    return path


@pytest.fixture
def winners(tmp_path):
    (tmp_path / "won.csv").write_text("\n".join(["home,away,winner", *WON]), "utf-8")
    return dh.read_battles(tmp_path / "won.csv")


def test_the_higher_score_wins_and_equal_is_a_tie(tmp_path, winners):
    guessed = dh.read_battles(written(tmp_path, *ROWS))
    named = written(tmp_path, *ROWS, head="home,away,us,them")
    said = dh.read_battles(named, left_score="us", right_score="them")
    assert guessed.sha256 == said.sha256 == winners.sha256
    assert not guessed.notes
    layout = dict(guessed.reading)["layout"]
    assert "left score 'home_goals', right score 'away_goals'; the higher wins" in layout


def test_the_lower_score_wins_where_the_columns_are_named_the_other_way_round(tmp_path):
    lower = dh.read_battles(
        written(tmp_path, *ROWS, head="home,away,us,them"), left_score="them", right_score="us"
    )
    (tmp_path / "won.csv").write_text(
        "home,away,winner\nann,bob,right\nbob,cyd,tie\ncyd,ann,left\nann,cyd,right\n", "utf-8"
    )
    assert lower.sha256 == dh.read_battles(tmp_path / "won.csv").sha256


@pytest.mark.parametrize("word", ["score", "points", "sets"])
def test_what_may_count_wins_is_told_with_the_options_that_say_so(tmp_path, word):
    path = written(tmp_path, *ROWS[:2], head=f"home,away,home_{word},away_{word}")
    (note,) = dh.read_battles(path).notes
    assert f"left_wins='home_{word}' right_wins='away_{word}'" in note
    counts = dh.read_battles(path, left_wins=f"home_{word}", right_wins=f"away_{word}")
    assert counts.total == 3
    assert not dh.read_battles(path, left_score=f"home_{word}", right_score=f"away_{word}").notes


def test_a_column_of_winners_and_wins_of_both_come_first(tmp_path):
    path = written(tmp_path, "ann,bob,2,1,right", head=f"{HEAD},winner")
    assert dh.read_battles(path).outcome.tolist() == [-1]
    path = written(tmp_path, "ann,bob,2,1,0,3", head=f"{HEAD},home_wins,away_wins")
    assert dh.read_battles(path).outcome.tolist() == [-1]


@pytest.mark.parametrize(("row", "column"), [("ann,bob,,", "home"), ("ann,bob,1,", "away")])
def test_a_match_without_a_score_is_asked_about(tmp_path, row, column):
    path = written(tmp_path, *ROWS, row)
    with pytest.raises(dh.DataError, match=f"row 6: '{column}_goals' is empty") as refused:
        dh.read_battles(path)
    assert f"where=['{column}_goals!=']" in refused.value.hint or (
        f"where='{column}_goals!='" in refused.value.hint
    )
    assert dh.read_battles(path, where=f"{column}_goals!=").total == 4
    assert dh.read_battles(path, outcomes={"": "drop"}).total == 4


def test_a_word_where_a_score_belongs_is_an_outcome_to_be_explained(tmp_path):
    path = written(tmp_path, *ROWS, "bob,ann,w/o,0", "bob,ann,nan,0")
    with pytest.raises(dh.DataError, match=r"'w/o'.*first in log\.csv: row 6"):
        dh.read_battles(path)
    found = dh.read_battles(path, outcomes={"w/o": "right", "nan": "drop"})
    assert found.total == 5


@pytest.mark.parametrize(
    "said",
    [
        {"left_score": "home_goals"},
        {"right_score": "away_goals"},
        {"left_score": "home_goals", "right_score": "away_goals", "winner": "home"},
        {"left_score": "home_goals", "right_score": "away_goals", "draws": "away"},
        {"left_score": "home_goals", "right_score": "home_goals"},
    ],
)
def test_half_a_pair_of_scores_and_a_contradiction_are_refused(tmp_path, said):
    with pytest.raises(dh.UsageError) as refused:
        dh.read_battles(written(tmp_path, *ROWS), **said)
    assert refused.value.hint


def test_a_frame_and_files_and_an_order_have_scores_too(tmp_path, winners):
    import pandas as pd

    frame = pd.read_csv(written(tmp_path, *ROWS))
    assert dh.read_battles(frame).sha256 == winners.sha256
    assert dh.read_battles(frame, ordered=True).outcome.tolist() == [1, 0, -1, 1]
    twice = pd.concat([frame, frame])
    assert dh.read_battles(twice, deduplicate=True).sha256 == winners.sha256

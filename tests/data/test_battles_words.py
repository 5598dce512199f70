"""Outcomes are known words, words of one convention, or names; nothing else, and never a guess."""

import pytest

from deadheat.core.errors import DataError, UnknownNameError, UsageError
from deadheat.data.battles import Battles
from deadheat.data.reading.battle_outcomes import CONVENTIONS, Word, meanings
from deadheat.data.reading.read import read_battles


def outcomes(*words, left="x", right="y", **options):
    """Return the outcome of one battle per word, in order."""
    size = len(words)
    battles = Battles(
        left=[left] * size, right=[right] * size, winner=words, ordered=True, **options
    )
    return battles.outcome.tolist()


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["left", "right", "tie"], [1, -1, 0]),
        (["Left", " RIGHT ", "Draw"], [1, -1, 0]),
        (["model_a", "model_b", "tie", "both_bad"], [1, -1, 0, 0]),
        (["model_a", "model_b", "tie (bothbad)"], [1, -1, 0]),
        (["A", "B", "tie"], [1, -1, 0]),
        ([1, 0, -1], [1, 0, -1]),
        ([1.0, 0.5, 0.0], [1, 0, -1]),
        ([1, 2], [1, -1]),
        (["1-0", "1/2-1/2", "0-1"], [1, 0, -1]),
        (["H", "D", "A"], [1, 0, -1]),
        (["W", "L", "D"], [1, -1, 0]),
        (["l", "r"], [1, -1]),
        (["home", "away", "draw"], [1, -1, 0]),
        (["player 1", "player2"], [1, -1]),
        (["A wins", "B is better", "equal"], [1, -1, 0]),
        (["x", "y", "tie"], [1, -1, 0]),
        (["win", "loss"], [1, -1]),
        ([1, "tie", 2], [1, 0, -1]),
        (["2:1", "1:3", "0:0", "10:9"], [1, -1, 0, 1]),
        (["2-1", "1 - 3", "0\u20130"], [1, -1, 0]),
    ],
)
def test_known_words(words, expected):
    assert outcomes(*words) == expected


@pytest.mark.parametrize("words", [[1, 0], [0], ["a"], ["1.0", "0.0"], ["l"]])
def test_what_can_be_read_in_two_ways_is_refused(words):
    with pytest.raises(DataError, match="can be read as") as caught:
        outcomes(*words)
    assert "outcomes=" in caught.value.hint
    own = {str(words[-1]): "right"}
    assert outcomes(*words, outcomes=own)[-1] == -1


def test_0_1_and_2_have_two_readings_and_each_is_offered():
    with pytest.raises(DataError, match="can be read as") as caught:
        outcomes(0, 1, 2)
    assert outcomes(0, 1, 2, outcomes={"1": "left", "2": "right", "0": "tie"}) == [0, 1, -1]
    assert outcomes(0, 1, 2, outcomes={"0": "left", "1": "right", "2": "tie"}) == [1, -1, 0]
    for said in ("0=tie,1=left,2=right", "0=left,1=right,2=tie"):
        assert f"outcomes={said!r}" in caught.value.hint


@pytest.mark.parametrize(
    "words", [[0, 1, 3], ["2:1", "x:1"], ["a", "b", "h"], ["left", "lefft"], ["tie", ""]]
)
def test_what_cannot_be_read_is_refused(words):
    with pytest.raises(DataError, match="unknown outcome"):
        outcomes(*words)


def test_unknown_words_are_listed_with_counts_places_and_neighbours(table):
    text = "left,right,winner\na,b,left\na,b,lefft\na,b,\na,b,lefft\na,b,skip\n"
    with pytest.raises(DataError) as caught:
        read_battles(table(text, "log.csv"))
    assert caught.value.fact == (
        "log.csv has 3 unknown outcomes: 'lefft' (2 battles, first in log.csv: row 3; did you mean "
        "'left'?), an empty cell (1 battle, first in log.csv: row 4), 'skip' (1 battle, first in "
        "log.csv: row 6)."
    )
    assert "lefft=?,=?,skip=?" in caught.value.hint


def test_own_words():
    assert outcomes("us", "them", "left", outcomes={"us": "left", "Them": "right"}) == [1, -1, 1]
    assert outcomes("us", "skip", outcomes="us=left,skip=drop") == [1]
    assert outcomes("left", "right", outcomes={"left": "right", "right": "left"}) == [-1, 1]
    assert outcomes("left", "", outcomes={"": "drop"}) == [1]


def test_dropped_outcomes_are_told():
    battles = Battles(
        left=["a", "a", "c"],
        right=["b", "b", "a"],
        winner=["left", "tie (bothbad)", "bothbad"],
        outcomes={"both_bad": "drop"},
    )
    assert battles.total == 1
    assert battles.notes == (
        "1 battle with the outcome 'bothbad' dropped.",
        "1 battle with the outcome 'tie (bothbad)' dropped.",
        "1 candidate has no battle left: 'c'.",
    )


def test_own_words_that_no_battle_has_are_told():
    battles = Battles(left=["a"], right=["b"], winner=["left"], outcomes={"skip": "drop"})
    assert battles.notes == ("no battle has the outcome 'skip'.",)


def test_wrong_meanings_are_refused():
    with pytest.raises(UnknownNameError, match="Did you mean 'right'"):
        outcomes("us", outcomes={"us": "rigth"})
    with pytest.raises(UsageError, match="WORD=MEANING"):
        outcomes("us", outcomes="us")


def test_winners_may_be_called_by_their_names():
    battles = Battles(
        left=["a", "b", "c", "a"],
        right=["b", "c", "a", "b"],
        winner=["a", "c", "tie", "b"],
        ordered=True,
    )
    assert battles.outcome.tolist() == [1, -1, 0, -1]


def test_numbers_as_names_beat_a_convention_that_explains_less():
    battles = Battles(left=[3, 1, 1], right=[1, 2, 3], winner=[1, 2, 3], ordered=True)
    assert battles.outcome.tolist() == [-1, -1, -1]


def test_a_word_that_is_also_a_name_must_be_settled():
    given = {"left": ["a", "b"], "right": ["b", "a"], "winner": ["a", "a"], "ordered": True}
    with pytest.raises(DataError, match="is the name of a candidate"):
        Battles(**{**given, "winner": ["a", "b"]})
    assert Battles(**given, outcomes={"a": "name"}).outcome.tolist() == [1, -1]
    assert Battles(**given, outcomes={"a": "left"}).outcome.tolist() == [1, 1]


def test_a_winner_who_is_not_there_is_refused():
    with pytest.raises(DataError, match="2: the winner is neither of the two candidates"):
        Battles(left=["a", "a"], right=["b", "c"], winner=["b", "b"], outcomes={"b": "name"})


def test_no_convention_contradicts_itself():
    """Every convention is read as it says when all of its words are there."""
    for convention in CONVENTIONS:
        words = [Word(word, 1) for word in convention]
        assert meanings(words, {}, "") == convention

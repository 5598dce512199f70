"""Results from arrays: what the constructor takes, turns and refuses."""

from __future__ import annotations

import numpy as np
import pytest

import deadheat as dh
from deadheat.core.errors import DataError, UnknownNameError, UsageError

SCORES = [[1.0, 2.0], [3.0, 4.0]]


def refused(match, kind=DataError, **fields):
    with pytest.raises(kind, match=match):
        dh.Results(**({"scores": SCORES, "better": "higher"} | fields))


def test_lower_is_turned_once_and_can_be_had_back():
    table = dh.Results(scores=[[1, 0], [2, 3]], better=["lower", "higher"])
    assert table.scores.tolist() == [[-1, 0], [-2, 3]]
    assert table.original.tolist() == [[1, 0], [2, 3]]
    assert table.of_judges([0]).scores.tolist() == [[-1], [-2]]
    assert table.of_judges([0]).better == ("lower",)
    assert table.of_candidates([1]).original.tolist() == [[2, 3]]


def test_turning_leaves_no_negative_zero():
    table = dh.Results(scores=[[0.0], [1.0]], better="lower")
    assert not np.signbit(table.scores[0, 0])


def test_an_array_that_the_caller_may_still_write_to_is_copied():
    scores = np.array(SCORES)
    table = dh.Results(scores=scores, better="higher")
    scores[0, 0] = 9
    assert table.scores.tolist() == SCORES
    with pytest.raises(ValueError, match="read-only"):
        table.scores[0, 0] = 9


def test_a_frame_that_the_caller_may_still_write_to_is_copied():
    class Frame:
        values = np.array(SCORES)

        def __array__(self, dtype=None, copy=None):
            return self.values

    table = dh.Results(scores=Frame(), better="higher")
    assert not np.shares_memory(Frame.values, table.scores)


def test_a_locked_array_and_one_of_float32_are_kept():
    locked = np.array(SCORES)
    locked.flags.writeable = False
    small = np.array(SCORES, dtype=np.float32)
    for scores in (locked, small):
        table = dh.Results(scores=scores, better="higher")
        assert np.shares_memory(scores, table.scores)
        assert not table.scores.flags.writeable
    assert small.flags.writeable


def test_names_are_made_where_none_are_given():
    table = dh.Results(scores=np.ones((2, 12)), better="higher")
    assert table.candidates == ("candidate_1", "candidate_2")
    assert table.judges[0] == "judge_01"


def test_labels_weights_and_names_follow_a_selection():
    table = dh.Results(
        scores=np.arange(6.0).reshape(2, 3),
        better="higher",
        judges="xyz",
        judge_weights=[1, 2, 3],
        strata="aab",
        clusters="ppq",
    )
    part = table.of_judges([2, 0])
    assert part.judges == ("z", "x")
    assert part.weights.tolist() == [3, 1]
    assert part.strata == ("b", "a")
    assert part.clusters == ("q", "p")
    masked = table.of_candidates(np.array([False, True]))
    assert masked.candidates == ("candidate_2",)


def test_what_cannot_be_a_table_is_refused_with_the_reason():
    refused("2 dimension|1 dimension", scores=[1.0, 2.0])
    refused("not numbers", scores=[["a", "b"]])
    refused("complex", scores=np.array([[1 + 2j, 1]]))
    refused("not numbers", scores=np.array([[1 + 2j, 1]], dtype=object))
    refused("datetime64", scores=np.array([["2020-01-01"]], dtype="M8[D]"))
    refused("not numbers", scores=[[1, 2], [3]])
    refused("nothing to rank", scores=np.empty((0, 3)))
    refused("all 4 cells are missing", scores=np.full((2, 2), np.nan))
    refused("3 candidate names for 2 candidates", candidates=["a", "b", "c"])
    refused(r"judge 'x' appears twice \(judges 1 and 2\)", judges=["x", "x"])


def test_wrong_weights_and_labels_are_refused_with_the_judge():
    refused("weight of judge 'judge_2' is -1", judge_weights=[1, -1])
    refused("weight of judge 'judge_1' is nan", judge_weights=[np.nan, 1])
    refused("all judge weights are 0", judge_weights=[0, 0])
    refused(r"shape \(3,\) for 2 judges", judge_weights=[1, 1, 1])
    refused("judge weights are not numbers", judge_weights=["x", 1])
    refused("judge weights are not numbers", judge_weights=[1j, 1])
    refused("strata has 1 label for 2 judges", strata=["a"])


def test_wrong_directions_are_refused_with_the_word():
    refused("direction of the scores is not known", UsageError, better=None)
    refused("got 'up'", UsageError, better="up")
    refused("got 3", UsageError, better=3)
    refused("1 direction for 2 judges", UsageError, better=["higher"])
    refused("nothing about judge 'judge_2'", UsageError, better={"judge_1": "lower"})
    refused("unknown judge in better 'judge_9'", UnknownNameError, better={"judge_9": "lower"})


def test_wrong_policies_and_tolerances_are_refused():
    refused(
        "unknown missing policy 'wurst'. Did you mean 'worst'", UnknownNameError, missing="wurst"
    )
    refused("tie tolerance must be", UsageError, tie_tol=-1)
    refused("tie tolerance must be", UsageError, tie_tol=np.nan)
    refused("tie tolerance must be", UsageError, tie_tol="x")


def test_a_copy_takes_only_fields_that_exist():
    table = dh.Results(scores=SCORES, better="higher")
    assert table.changed(source="x").source == "x"
    with pytest.raises(TypeError, match="no field 'colour'"):
        table.changed(colour="red")


def test_the_direction_in_words():
    assert dh.Results(scores=SCORES, better="lower").direction() == "lower is better"
    mixed = dh.Results(scores=SCORES, judges=["acc", "secs"], better=["higher", "lower"])
    assert mixed.direction() == "higher is better, but lower on secs"
    holey = dh.Results(scores=[[1, np.nan]], better="higher")
    assert repr(holey) == "<Results: 1 candidate x 2 judges, higher is better, 1 missing cell>"


def test_scores_are_standardised_over_all_or_by_judge():
    """The global one is the "Norm" of Pavao et al. (2021), table 1."""
    written = np.array([[1.0, 100.0, 5.0], [2.0, 300.0, 5.0], [4.0, np.nan, 5.0]])
    better = ["higher", "lower", "higher"]
    table = dh.Results(scores=written, better=better, missing="available")
    everything = dh.read(table, scale_scores="global").original
    np.testing.assert_allclose(everything, (written - np.nanmean(written)) / np.nanstd(written))
    by_judge = dh.read(table, scale_scores="judge")
    expected = (written - np.nanmean(written, axis=0)) / [*np.nanstd(written[:, :2], axis=0), 1]
    np.testing.assert_allclose(by_judge.original, expected)
    assert by_judge.lower.tolist() == [False, True, False]
    assert dh.read(table, scale_scores="none").sha256 == table.sha256
    assert dh.rank(by_judge, by="mean").made["scale_scores"] == "judge"


def test_standardised_scores_keep_ties_order_and_huge_sizes():
    written = np.array([[1e300, 0.1, 3.0], [2e300, 0.1, 3.0], [2e300, 0.3, np.inf]])
    table = dh.read(dh.Results(scores=written, better="higher"), scale_scores="judge")
    np.testing.assert_allclose(table.scores[:, 0], np.array([-2, 1, 1]) / np.sqrt(2))
    assert table.scores[0, 1] == table.scores[1, 1] < table.scores[2, 1]
    assert table.scores[:, 2].tolist() == [0.0, 0.0, np.inf]


def test_a_tie_tolerance_is_in_the_unit_of_the_scores_as_written():
    written = [[100.0, 500.0], [110.0, 500.0], [130.0, 530.0]]
    table = dh.Results(scores=written, better="higher", tie_tol=15.0)
    ranked = dh.rank(dh.read(table, scale_scores="global"), by="average_rank")
    assert ranked.ranks.tolist() == dh.rank(table, by="average_rank").ranks.tolist()
    assert len({*ranked.ranks[0].tolist()}) == 2
    with pytest.raises(UsageError, match="tie tolerance of 15 is in the unit of the scores"):
        dh.read(table, scale_scores="judge")


def test_scores_are_standardised_once_and_not_those_of_runs():
    table = dh.read(dh.Results(scores=[[1.0], [2.0]], better="higher"), scale_scores="judge")
    with pytest.raises(UsageError, match=r"standardised already \(judge\)"):
        dh.read(table, scale_scores="global")
    with pytest.raises(UsageError, match="its scores are scores of runs"):
        dh.rank(dh.examples.load("sat-race"), scale_scores="judge")
    with pytest.raises(UnknownNameError, match="way to scale scores"):
        dh.read(table, scale_scores="jugde")

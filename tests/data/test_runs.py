"""Runs from arrays: words, codes, and what is refused."""

import numpy as np
import pytest

import deadheat as dh
from deadheat.core.errors import DataError, UnknownNameError, UsageError
from deadheat.data.runs import STATUSES, status_codes

TWO = {"candidate": ["a", "b"], "instance": ["i", "i"]}


@pytest.mark.parametrize(
    ("words", "status"),
    [
        ("ok|complete|SAT|UNSAT|SAT-VERIFIED|solved|Solved |1|true", "solved"),
        (
            "timeout|timeout (wallclock)|timeout (cpu)|TO|out_of_time|out_of_time_and_memory",
            "timeout",
        ),
        ("memout|out_of_memory|OutOfMemory|MO", "memout"),
        ("crash|error|segfault|error_and_out_of_time", "crash"),
        ("wrong|wrong answer|SAT-INCORRECT|invalid", "wrong"),
        ("unknown|UNKNOWN|--|other|not_applicable||n/a|0", "unknown"),
    ],
)
def test_status_words_are_known_however_they_are_spelled(words, status):
    codes = status_codes(words.split("|"))
    assert {STATUSES[code] for code in codes} == {status}


def test_unknown_words_are_listed_with_their_counts_and_the_mapping():
    candidates = [f"c{k}" for k in range(6)]
    words = ["ok", "went home", "melted", "melted", "melted", "went home"]
    with pytest.raises(DataError) as caught:
        dh.Runs(candidate=candidates, instance=["i"] * 6, status=words)
    assert "'melted' (3 runs), 'went home' (2 runs)" in caught.value.fact
    assert "statuses='melted=?,went home=?'" in caught.value.hint
    runs = dh.Runs(
        candidate=candidates,
        instance=["i"] * 6,
        status=words,
        statuses={"melted": "crash", "went home": "unknown"},
    )
    assert runs.statuses_in_words == "1 solved, 3 crash, 2 unknown"


def test_a_word_of_ones_own_beats_the_known_one_and_means_a_status():
    runs = dh.Runs(**TWO, status=["error", "ok"], statuses={"ERROR": "wrong answer"})
    assert runs.statuses_in_words == "1 solved, 1 wrong"
    with pytest.raises(UnknownNameError, match="status for 'ok' 'fine'"):
        dh.Runs(**TWO, status=["ok", "ok"], statuses={"ok": "fine"})


def test_runs_are_columns_of_codes_with_names():
    runs = dh.Runs(
        candidate=["b", "a", "b"],
        instance=["i", "i", "j"],
        status=["ok", "TO", "ok"],
        time=[1, 60, 2],
        cutoff=60,
        stratum=["p", "p", "q"],
    )
    assert (runs.candidates, runs.candidate.tolist()) == (("b", "a"), [0, 1, 0])
    assert (runs.instances, runs.strata) == (("i", "j"), ("p", "q"))
    assert runs.cutoff.tolist() == [60.0] * 3
    assert repr(runs) == "<Runs: 3 runs of 2 candidates on 2 instances, 2 solved>"
    with pytest.raises(ValueError, match="read-only"):
        runs.time[0] = 3
    with pytest.raises(AttributeError):
        runs.time = None


@pytest.mark.parametrize(
    ("columns", "solved"),
    [
        ({"quality": [3, np.nan]}, [True, False]),
        ({"time": [59.9, 60], "cutoff": 60}, [True, False]),
        ({"time": [5, np.nan]}, [True, False]),
        ({"time": [61, np.nan], "cutoff": [60, 60]}, [False, False]),
    ],
)
def test_without_a_status_quality_or_time_tells(columns, solved):
    assert dh.Runs(**TWO, **columns).solved.tolist() == solved


def test_nothing_that_tells_is_refused():
    with pytest.raises(UsageError, match="nothing says which runs are solved"):
        dh.Runs(**TWO)


def test_verification_comes_from_the_word_or_the_column():
    words = ["SAT-VERIFIED", "UNSAT"]
    assert dh.Runs(**TWO, status=words).verified.tolist() == [True, False]
    assert dh.Runs(**TWO, status=words, verified=[False, True]).verified.tolist() == [True, True]
    assert dh.Runs(**TWO, status=["ok", "ok"]).verified is None


@pytest.mark.parametrize(
    ("words", "verified", "statuses"),
    [
        (["verified", "unchecked"], [True, False], "2 solved (1 verified)"),
        (["UNSAT-VERIFIED", "--"], [True, False], "2 solved (1 verified)"),
        (["verified", "wrong"], [True, False], "1 solved (1 verified), 1 wrong"),
        (["incorrect", "invalid"], [False, False], "2 wrong"),
        (["verified", None], [True, False], "2 solved (1 verified)"),
    ],
)
def test_what_a_checker_calls_wrong_is_a_wrong_answer(words, verified, statuses):
    runs = dh.Runs(**TWO, status=["sat", "sat"], verified=words)
    assert (runs.verified.tolist(), runs.statuses_in_words) == (verified, statuses)
    timed = dh.Runs(**TWO, time=[1, 2], verified=words)
    assert timed.statuses_in_words == statuses


def test_a_run_without_an_answer_has_no_wrong_one():
    runs = dh.Runs(**TWO, status=["timeout", "sat"], verified=["wrong", "sound"],
                   statuses={"sound": "solved"})  # fmt: skip
    assert runs.statuses_in_words == "1 solved (1 verified), 1 timeout"


@pytest.mark.parametrize(
    ("columns", "words"),
    [
        ({"time": [1, -2.5]}, "run 2: candidate 'b' on instance 'i' has the time -2.5"),
        ({"time": [np.inf, 2]}, "has the time inf"),
        ({"cutoff": 0}, r"has the cutoff 0 \(2 such runs\)"),
        ({"time": [1, 61], "cutoff": 60}, "is solved after 61 s, above the cutoff of 60 s"),
        ({"time": [1]}, "time has shape"),
        ({"time": ["x", "y"]}, "what is no number"),
        ({"status": ["ok"]}, "1 status value for 2 runs"),
        ({"stratum": ["x"]}, "1 stratum value for 2 runs"),
        ({"instance": ["i", ""]}, "the instance of run 2 has no name"),
        ({"candidate": ["a", "a"]}, r"candidate 'a' has 2 runs on instance 'i' \(runs 1, 2\)"),
        (
            {"candidate": ["a", "a"], "seed": [7, 7]},
            r"candidate 'a' has 2 runs on instance 'i' with seed '7'",
        ),
        ({"candidate": [], "instance": [], "status": []}, "has no run"),
    ],
)
def test_bad_columns_are_refused_with_the_place(columns, words):
    with pytest.raises(DataError, match=words) as caught:
        dh.Runs(**(TWO | {"status": ["ok", "ok"]} | columns))
    assert caught.value.hint


def test_a_timeout_may_take_longer_than_the_cutoff():
    runs = dh.Runs(**TWO, status=["ok", "timeout"], time=[60, 99], cutoff=60)
    assert runs.solved.tolist() == [True, False]


def test_late_answers_are_what_they_are_said_to_be():
    late = TWO | {"status": ["ok", "ok"], "time": [1, 61], "cutoff": 60}
    with pytest.raises(DataError) as caught:
        dh.Runs(**late)
    assert "late='timeout'" in caught.value.hint
    timeout = dh.Runs(**late, late="timeout")
    assert timeout.statuses_in_words == "1 solved, 1 timeout"
    assert timeout.notes == ("1 solved run above the cutoff counted as timeouts.",)
    solved = dh.Runs(**late, late="solved")
    assert (solved.solved.all(), solved.time.tolist()) == (True, [1, 60])
    with pytest.raises(UnknownNameError, match="late answers"):
        dh.Runs(**late, late="maybe")


def test_one_name_in_several_strata_is_several_instances():
    runs = dh.Runs(
        candidate=["a", "a", "b", "b"],
        instance=["p01", "p01", "p01", "p01"],
        stratum=["depot", "rover", "depot", "rover"],
        status=["ok"] * 4,
    )
    assert runs.instances == ("depot/p01", "rover/p01")
    assert dh.read(runs).scores.tolist() == [[1, 1], [1, 1]]


def test_absent_runs_become_runs_of_unknown_status():
    runs = dh.Runs(
        candidate=["a", "a", "b"],
        instance=["i", "j", "i"],
        status=["ok"] * 3,
        time=[1, 2, 3],
        cutoff=[10, 20, 10],
    )
    whole = runs.completed()
    assert len(whole) == 4
    assert whole.cutoff.tolist() == [10, 20, 10, 20]
    assert whole.statuses_in_words == "3 solved, 1 unknown"
    assert whole.completed() is whole

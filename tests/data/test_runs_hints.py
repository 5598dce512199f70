"""Runs that cannot be read as they are: the hint must name what is there, and nothing else."""

import io

import pytest

import deadheat as dh
from deadheat.core.errors import DataError, UsageError
from deadheat.data.reading.read import read

STARS = """solver,instance,exit_status,answer,cpu_time,wall_time,memory
a,i,ok,SAT,1.5,2.5,100
a,j,ok,UNKNOWN,3.5,4.5,100
b,i,ok,SAT,1,2,30
b,j,crash,UNKNOWN,1,2,30
"""


def refused(content, kind, **options):
    with pytest.raises(kind) as caught:
        read(io.StringIO(content), **options)
    assert caught.value.hint
    return caught.value


@pytest.mark.parametrize("options", [{}, {"better": "lower"}])
def test_runs_with_two_statuses_are_asked_about(options):
    error = refused(STARS, UsageError, **options)
    assert "looks like runs: which column holds the status of a run?" in error.fact
    assert "'exit_status', 'answer'" in error.fact
    assert "status='exit_status'" in error.hint
    assert "status='answer'" in error.hint
    assert "score=" not in error.hint


def test_the_answer_settles_it_and_two_times_are_asked_about_where_one_is_needed():
    assert read(io.StringIO(STARS), status="answer").scores.tolist() == [[1, 0], [1, 0]]
    assert read(io.StringIO(STARS), status="exit_status").scores.tolist() == [[1, 1], [1, 0]]
    for options in ({"rule": "par2"}, {}):  # a cutoff is there to be compared with a time
        error = refused(STARS, UsageError, status="answer", cutoff=60, **options)
        assert "which column holds the time of a run?" in error.fact
        assert "time='cpu_time'" in error.hint
        assert "time='wall_time'" in error.hint
    found = read(io.StringIO(STARS), status="answer", cutoff=60, rule="par2", time="wall_time")
    assert found.original.tolist() == [[2.5, 120], [2, 120]]


@pytest.mark.parametrize(
    "column", ["status", "solver_status", "Exit-Status", "answer", "termination", "SolverResult"]
)
@pytest.mark.parametrize("time", ["wall_time", "CPU time (s)", "duration", "wallclock", "walltime"])
def test_runs_are_known_by_the_usual_names(column, time):
    content = f"solver,instance,{column},{time}\na,i,SAT,1\nb,i,TO,2\n"
    assert read(io.StringIO(content)).scores.tolist() == [[1], [0]]


def test_free_text_is_no_status():
    content = "model,question,answer,score,time\na,q1,Paris,1,3\nb,q1,Rome,0,2\n"
    found = read(io.StringIO(content), better="higher", score="score")
    assert found.scores.tolist() == [[1], [0]]
    refused(content, UsageError)  # the direction is asked for, as for any table
    assert "status" not in refused(content, UsageError).fact


def test_unknown_statuses_are_put_into_one_neutral_option():
    content = "solver,instance,status,time\na,i,geloest,1\nb,i,Zeitueberschreitung,3\nc,i,es,1\n"
    hint = refused(content, DataError).hint
    assert "statuses='Zeitueberschreitung=?,es=?,geloest=?'" in hint
    assert "? is one of solved, timeout, memout, crash, wrong, unknown" in hint
    assert "=crash" not in hint
    statuses = "geloest=solved,Zeitueberschreitung=timeout,es=unknown"
    assert read(io.StringIO(content), statuses=statuses).scores.tolist() == [[1], [0], [0]]


REPEATED = "solver,instance,status,time\nb,i,ok,3\na,i,ok,1\na,i,ok,2\n"


def test_a_run_that_stands_twice_names_its_lines_and_no_column():
    hint = refused(REPEATED, DataError).hint
    assert "keep only one of lines 3 and 4" in hint
    assert "combine='mean'" in hint
    assert "seed" not in hint
    found = read(io.StringIO(REPEATED), combine="mean", rule="par2", cutoff=60)
    assert found.candidates == ("a", "b")
    assert found.original.tolist() == [[1.5], [3]]
    assert read(io.StringIO(REPEATED), combine="judges", missing="worst").m == 2


def test_the_column_that_tells_runs_apart_comes_first_and_as_one_thing():
    rows = [f"{s},{d},p1,solved,{k}" for s in "ab" for k, d in enumerate("uvw", start=1)]
    content = "\n".join(["solver,domain,problem,status,time", *rows]) + "\n"
    ways = refused(content, DataError).hint.split("\n")
    assert ways[0] == "if 'domain' tells them apart: stratum='domain'"
    assert ways[-1].startswith("else keep only one of lines")
    assert "repeat='domain'" not in ways
    assert len({way.partition(": ")[0] for way in ways}) == len(ways)


def test_a_seed_that_stands_twice_cannot_be_combined():
    content = "solver,instance,seed,status\na,i,1,ok\na,i,1,ok\na,i,2,ok\n"
    error = refused(content, DataError, layout="runs")
    assert "with seed '1'" in error.fact
    assert error.hint == "keep only one of lines 2 and 3, or give each a seed of its own."


def test_runs_from_arrays_are_told_apart_by_a_seed():
    with pytest.raises(DataError, match="keep only one of runs 1, 2 and 3") as caught:
        dh.Runs(candidate=["a"] * 3, instance=["i"] * 3, status=["ok"] * 3)
    assert "seed=" in caught.value.hint
    assert "--" not in caught.value.hint


@pytest.mark.parametrize(
    ("cell", "meaning"),
    [
        ("TO", "a timeout"),
        ("timeout (cpu)", "a timeout"),
        ("MO", "a memout"),
        ("segfault", "a crash"),
        ("wrong answer", "a wrong answer"),
    ],
)
def test_a_failure_in_a_table_of_times_is_known_for_what_it_is(cell, meaning):
    error = refused(f"solver,i,j\na,1.5,{cell}\nb,3,2\n", DataError, better="lower")
    assert f"it looks like {meaning}" in error.fact
    assert error.hint == "if they are times of runs: better=None, rule='par2'"
    scored = read(io.StringIO(f"solver,i,j\na,1.5,{cell}\nb,3,2\n"), rule="par2", cutoff=10)
    assert scored.original.tolist() == [[1.5, 20], [3, 2]]


def test_any_other_word_is_only_no_number():
    hint = refused("solver,i,j\na,1.5,blue\nb,3,2\n", DataError, better="lower").hint
    assert "looks like" not in hint


FOREIGN = "Verfahren;Stadt;Wert\nA;{0};3\nA;{1};4\nB;{0};5\nB;{1};5\n"


@pytest.mark.parametrize("stadt", [("K", "E"), ("1", "2")])
def test_a_long_table_in_another_language_is_offered_as_one(stadt):
    hint = refused(FOREIGN.format(*stadt), DataError, better="higher").hint
    assert "if it is a long table: candidate='Verfahren', judge='Stadt', score='Wert'" in hint
    found = read(
        io.StringIO(FOREIGN.format(*stadt)),
        better="higher", candidate="Verfahren", judge="Stadt", score="Wert",
    )  # fmt: skip
    assert found.scores.tolist() == [[3, 4], [5, 5]]


def test_a_name_that_stands_twice_among_a_hundred_columns_is_no_long_table():
    columns = [f"t{k}" for k in range(120)]
    rows = "".join(f"{name}," + ",".join(["1"] * 120) + "\n" for name in "xyx")
    hint = refused("who," + ",".join(columns) + "\n" + rows, DataError, better="higher").hint
    assert "long table" not in hint

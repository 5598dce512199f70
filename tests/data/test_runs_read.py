"""Runs from files: which columns are what, and what is refused."""

import io
import json

import numpy as np
import pandas as pd
import pytest

import deadheat as dh
from deadheat.core.errors import DataError, MissingScoresError, UnknownNameError, UsageError
from deadheat.data.reading.read import read, read_runs, read_with_holes

RUNS = """solver,instance,family,seed,cpu_time,status,cost
a,i1,easy,1,3,ok,10
a,i1,easy,2,5,ok,12
a,i2,hard,1,60,timeout,
a,i2,hard,2,50,ok,30
b,i1,easy,1,4,ok,20
b,i1,easy,2,60,TO,
b,i2,hard,1,9,ok,15
b,i2,hard,2,8,ok,15
"""
PLAIN = "solver,instance,time,status\na,i,3,ok\na,j,5,ok\nb,i,9,timeout\nb,j,1,ok\n"


def test_status_and_time_mean_runs_without_a_word(table):
    results = read(table(PLAIN))
    assert results.scores.tolist() == [[1, 1], [0, 1]]
    assert (results.by, results.rule, results.total) == ("mean", "solved", "solved")
    assert "runs (guessed)" in dict(results.reading)["layout"]
    assert dict(results.reading)["statuses"] == "3 solved, 1 timeout"


def test_a_score_means_a_long_table_as_before(table):
    results = read(table(PLAIN), score="time", better="lower")
    assert (results.rule, results.original.tolist()) == ("", [[3, 5], [9, 1]])


def test_seeds_become_judges_clustered_by_instance(table):
    results = read(table(RUNS), rule="par2", cutoff=60, stratum="family")
    assert results.judges == ("i1 #1", "i1 #2", "i2 #1", "i2 #2")
    assert results.clusters == ("i1", "i1", "i2", "i2")
    assert results.strata == ("easy", "easy", "hard", "hard")
    assert results.original.tolist() == [[3, 5, 120, 50], [4, 120, 9, 8]]
    assert (results.better, results.total) == (("lower",) * 4, "")


def test_seeds_can_be_averaged(table):
    results = read(table(RUNS), rule="par2", cutoff=60, combine="mean")
    assert results.judges == ("i1", "i2")
    assert results.original.tolist() == [[4, 85], [62, 8.5]]


def test_a_seed_that_tells_nothing_apart_names_no_judge(table):
    content = PLAIN.replace(",time,", ",run,time,").replace("i,", "i,1,").replace("j,", "j,7,")
    assert content.startswith("solver,instance,run,time,status\na,i,1,3,ok")
    assert read(table(content)).judges == ("i", "j")


def test_runs_without_a_seed_are_numbered_where_asked(table):
    content = PLAIN + "a,i,4,crash\nb,i,4,crash\n"
    with pytest.raises(DataError, match=r"'a' has 2 runs on instance 'i' \(lines 2, 6\)"):
        read(table(content))
    results = read(table(content), combine="judges", layout="runs", missing="worst")
    assert results.judges == ("i #1", "i #2", "j #1")


def test_unequal_numbers_of_seeds_get_a_note(table):
    lines = [line for line in RUNS.splitlines() if ",i2,hard,2," not in line]
    results = read(table("\n".join(lines)), rule="solved")
    assert "judges have 1 to 2 repeats; those with more count more." in results.notes


def test_columns_can_be_named(table):
    content = "x,y,z,sec,lim,c\na,i,fine,3,60,4\nb,i,TO,60,60,\n"
    results = read(
        table(content), candidate="x", judge="y", status="z", time="sec", cutoff="lim",
        quality="c", statuses="fine=solved", rule="par10",
    )  # fmt: skip
    assert results.original.tolist() == [[3], [600]]


def test_two_columns_that_may_be_the_status_are_asked_about(table):
    content = "solver,instance,time,status,result\na,i,3,complete,SAT\nb,i,3,complete,UNKNOWN\n"
    with pytest.raises(UsageError, match="It could be 'status', 'result'") as caught:
        read(table(content), rule="solved")
    assert caught.value.hint == (
        "'result' (SAT, UNKNOWN): status='result'\n'status' (complete): status='status'"
    )
    assert read(table(content), status="result").scores.tolist() == [[1], [0]]
    assert read(table(content), status="status").scores.tolist() == [[1], [1]]


@pytest.mark.parametrize(
    ("status", "result", "told"),
    [
        ("complete", "UNKNOWN", "'status' calls 1 run solved that 'result' does not (1 UNKNOWN)"),
        ("complete", "SAT-INCORRECT", "does not (1 SAT-INCORRECT)"),
        ("complete", "SAT", ""),
        ("complete", "--", ""),  # nothing was written there
        ("complete", "0", ""),
        ("timeout", "UNKNOWN", ""),
    ],
)
def test_a_status_that_another_column_contradicts_is_doubted(table, status, result, told):
    content = f"solver,instance,time,status,result\na,i,3,complete,SAT\nb,i,3,{status},{result}\n"
    notes = [n for n in read(table(content), status="status").notes if "calls" in n]
    assert len(notes) == bool(told)
    for note in notes:
        assert told in note
        assert note.endswith(": status='result'.")
        assert note.good is False
    assert not any("calls" in n for n in read(table(content), status="result").notes)


def test_the_stratum_is_only_pointed_at(table):
    results = read(table(RUNS))
    assert results.strata is None
    assert dict(results.reading)["strata"] == "'family' could be the stratum: stratum='family'"


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"rule": "par2"}, UsageError, "par2 needs the cutoff of every run"),
        ({"rule": "ipc-sat"}, UsageError, "which column holds the quality of a run"),
        ({"rule": "par-x"}, UsageError, "unknown scoring rule 'par-x'"),
        ({"rule": "par0"}, UsageError, "would not penalise"),
        ({"rule": "solvd"}, UnknownNameError, "Did you mean 'solved'"),
        ({"rule": "par2", "cutoff": 4}, DataError, "line 3: .* is solved after 5 s"),
        ({"rule": "par2", "cutoff": -4}, UsageError, "cutoff must be a number of seconds above 0"),
        ({"rule": "par2", "cutoff": "lim"}, UnknownNameError, "unknown column 'lim'"),
        ({"rule": "par2", "better": "higher"}, UsageError, "contradicts the rule par2"),
        ({"better": "lower"}, UsageError, "score='time'"),
        ({"rule": "solved", "score": "time"}, UsageError, "rule= is about runs, yet score="),
        ({"rule": "solved", "layout": "long"}, UsageError, "yet layout='long'"),
        ({"layout": "runs", "candidates": "rows"}, UsageError, "yet candidates='rows'"),
        ({"rule": "solved", "reference": "replicate"}, UsageError, "nothing can be replicated"),
        ({"rule": "solved-verified"}, UsageError, "solved-verified needs the verified of every"),
        ({"wrong": "kill"}, UnknownNameError, "wrong answers 'kill'"),
        ({"late": "kill"}, UnknownNameError, "late answers 'kill'"),
        ({"statuses": "ok"}, UsageError, "WORD=STATUS"),
        ({"rule": "solved", "where": "solver=c"}, DataError, "no row has solver=c"),
    ],
)
def test_what_cannot_be_is_refused(table, options, error, words):
    with pytest.raises(error, match=words) as caught:
        read(table(PLAIN), **options)
    assert caught.value.hint or "Did you mean" in caught.value.fact


@pytest.mark.parametrize(
    ("cell", "words"),
    [
        ("-3", "line 2: candidate 'a' on instance 'i' has the time -3"),
        ("soon", "line 2, column 'time': 'soon' is not a number"),
    ],
)
def test_a_bad_time_is_refused_with_its_line(table, cell, words):
    with pytest.raises(DataError, match=words):
        read(table(PLAIN.replace("a,i,3", f"a,i,{cell}")), rule="solved")


def test_unknown_words_in_a_file_are_listed(table):
    with pytest.raises(DataError, match=r"results.csv has an unknown status: 'boom' \(1 run\)"):
        read(table(PLAIN.replace("timeout", "boom")))


def test_who_misses_runs_is_named_and_worst_counts_them_as_unsolved(table):
    path = table("".join(line + "\n" for line in PLAIN.splitlines() if not line.startswith("b,j")))
    with pytest.raises(
        MissingScoresError, match=r"1 candidate misses runs: 'b' \(1 of 2: 'j'\)"
    ) as c:
        read(path)
    assert "missing='worst'" in c.value.hint
    worst = read(path, rule="par2", cutoff=60, missing="worst")
    assert worst.original.tolist() == [[3, 5], [120, 120]]  # not 5, the worst that was seen
    assert "1 absent run counted as unsolved." in worst.notes
    assert read(path, missing="drop-judges").judges == ("i",)
    assert read_with_holes(path).holes.tolist() == [[False, False], [False, True]]


def test_an_instance_nobody_solved_is_noted(table):
    path = table(PLAIN.replace("a,i,3,ok", "a,i,3,crash"))
    assert "nobody solved 1 of 2 instances." in read(path).notes


def test_an_empty_status_is_unknown(table):
    assert read(table(PLAIN.replace("timeout", ""))).scores.tolist() == [[1, 1], [0, 1]]


def test_a_sidecar_can_say_all_of_it(table):
    content = PLAIN.replace("status", "ending").replace("ok", "fine")
    sidecar = (
        'rule = "par2"\ncutoff = 60\n[columns]\nstatus = "ending"\n[statuses]\nfine = "solved"\n'
    )
    table(sidecar, "results.toml")
    results = read(table(content))
    assert (results.rule, results.original.tolist()) == ("par2", [[3, 5], [120, 1]])
    assert read(table(content), rule="solved").rule == "solved"


@pytest.mark.parametrize("bad", ["cutoff = true", "rule = 3", "statuses = 'x'"])
def test_a_sidecar_that_says_nonsense_is_refused(table, bad):
    table(bad + "\n", "results.toml")
    with pytest.raises(UsageError, match=bad.split()[0]):
        read(table(PLAIN))


def test_a_frame_is_read_as_a_file_is(table):
    frame = pd.read_csv(table(RUNS))
    ours, theirs = read(table(RUNS), rule="ipc-sat"), read(frame, rule="ipc-sat")
    np.testing.assert_array_equal(ours.scores, theirs.scores)
    assert theirs.library == "pandas"


def test_runs_are_read_as_runs_and_scored_later(table):
    runs = read_runs(table(RUNS))
    assert repr(runs) == "<Runs: 8 runs of 2 candidates on 2 instances with 2 seeds, 6 solved>"
    later, at_once = read(runs, rule="par2", cutoff=60), read(table(RUNS), rule="par2", cutoff=60)
    np.testing.assert_array_equal(later.scores, at_once.scores)
    assert later.notes == at_once.notes
    with pytest.raises(UsageError, match="time= says how to read a table, yet this one is a Runs"):
        read(runs, time="x")
    with pytest.raises(TypeError, match="unexpected keyword"):
        read_runs(table(RUNS), colour=1)


def test_a_ranking_of_runs_shows_the_total(table):
    ranking = dh.rank(table(PLAIN))
    assert [row["shown"] for row in ranking.rows()] == [2, 1]
    assert [row["merit"] for row in ranking.rows()] == [1, 0.5]
    assert [column.name for column in ranking.grid().columns] == ["rank", "solver", "solved"]
    assert json.loads(ranking.to_json())["made"]["rule"] == "solved"
    par2 = dh.rank(table(PLAIN), rule="par2", cutoff=60)
    assert [row["shown"] for row in par2.rows()] == [4, 60.5]
    assert dh.rank(table(PLAIN), by="average_rank").functions[0].name == "average_rank"
    assert dh.check(table(PLAIN)).made["function"] == ["mean"]


def test_seeds_are_the_judges_of_runs_where_nothing_else_is(table):
    content = "solver,seed,status,time\na,1,ok,3\na,2,ok,4\nb,1,timeout,9\nb,2,ok,1\n"
    results = read(table(content), rule="solved")
    assert (results.candidates, results.judges) == (("a", "b"), ("1", "2"))
    assert results.scores.tolist() == [[1, 1], [0, 1]]


SEEDS = "solver,benchmark,family,seed,status,time\n" + "".join(
    f"{s},b{b},{'bmc' if b < 2 else 'sat'},{k},{'ok' if (b * k + i) % 3 else 'TO'},{1 + b}\n"
    for i, s in enumerate("xyz") for b in range(4) for k in (1, 2, 3)
)  # fmt: skip


def test_seeds_are_told_from_benchmarks(table):
    """4 benchmarks x 3 seeds are 12 runs, and no 12 benchmarks."""
    results = read(table(SEEDS))
    assert results.judged_on == "4 benchmarks x 3 seeds"
    assert (results.nouns.judge, results.nouns.cluster) == ("benchmark run", "benchmark")
    verdict = dh.verdict(results, replicates=99)
    assert "first by solved, but 4 benchmarks are too few" in verdict.verdict
    assert dh.influence(results).parts.in_words(4) == "4 benchmarks"
    assert verdict.plan_in_words.startswith("4 benchmarks of 12 benchmark runs, drawn")
    assert read(table(SEEDS), combine="mean").judged_on == "4 benchmarks"
    some = "\n".join(line for line in SEEDS.splitlines() if ",b3,sat,2," not in line)
    assert read(table(some)).judged_on == "11 benchmark runs on 4 benchmarks"


@pytest.mark.parametrize(("noun", "called"), [(None, "2 families"), ("cluster=group", "2 groups")])
def test_clusters_have_a_noun_of_their_own(table, noun, called):
    results = read(table(SEEDS), cluster="family", noun=noun)
    assert results.judged_on == f"12 benchmark runs of {called}"
    assert dh.influence(results).parts.in_words(2) == called
    single = read(table(SEEDS), cluster="family", combine="mean")
    assert dh.influence(single).parts.in_words(2) == "2 families"


def test_names_that_differ_only_by_quotes_are_one():
    rows = [f"{s},i{k},ok,{k + 1}" for s in ('"""a b"""', "c") for k in range(3)]
    rows += ["a b,i3,ok,4", "c,i3,TO,9"]
    content = "\n".join(["solver,instance,status,time", *rows]) + "\n"
    runs = read_runs(io.StringIO(content))
    assert sorted(runs.candidates) == ["a b", "c"]
    assert 'names that differ only by quotes are one candidate: "a b".' in runs.notes
    solved = read(io.StringIO(content), rule="solved")
    assert dict(zip(solved.candidates, solved.scores.sum(axis=1).tolist(), strict=True)) == {
        "a b": 4, "c": 3
    }  # fmt: skip
    alone = read_runs(io.StringIO(content.replace("\na b,", "\nd,")))
    assert sorted(alone.candidates) == ['"a b"', "c", "d"]


def test_no_hint_drops_every_instance():
    rows = ["x,i,ok,1", "x,j,ok,2", "y,i,ok,1", "z,j,ok,3"]
    content = "\n".join(["solver,instance,status,time", *rows]) + "\n"
    with pytest.raises(DataError) as told:
        read(io.StringIO(content), rule="solved")
    assert told.value.hint == "count them as unsolved: missing='worst'"


@pytest.mark.parametrize(
    "content",
    [
        "model,dataset,accuracy\na,x,.5\nb,x,.6\na,y,.7\nb,y,.8\n",
        "dataset,C4.5,CN2\nx,.5,.6\ny,.7,.8\n",
    ],
)
def test_scores_are_no_runs(content):
    for more in ({}, {"candidate": "dataset"} if "C4.5" in content else {}):
        with pytest.raises(UsageError, match="holds scores, not runs: no column says how a run"):
            read_runs(io.StringIO(content), **more)
        with pytest.raises(UsageError, match=r"to rank by the scores: deadheat.verdict\(table\)"):
            dh.score(io.StringIO(content), **more)


def test_costs_of_which_some_are_missing_are_runs():
    content = "planner,problem,plan_cost\na,x,5\nb,x,\na,y,7\nb,y,8\n"
    runs = read_runs(io.StringIO(content))
    unsolved = runs.candidate[~runs.solved], runs.instance[~runs.solved]
    assert [runs.candidates[k] for k in unsolved[0]] == ["b"]
    assert [runs.instances[k] for k in unsolved[1]] == ["x"]
    whole = content.replace("b,x,\n", "b,x,6\n")
    assert read_runs(io.StringIO(whole), quality="plan_cost").solved.all()

"""Times of solvers in columns, with words where runs failed: read as runs where a rule is given."""

import numpy as np
import pytest

import deadheat as dh
from deadheat.core.errors import DataError, UsageError
from deadheat.data.reading.read import read, read_runs

TIMES = """hash,family,kissat,minisat
7e5f,crypto,12.5,60
9a01,crypto,TO,MO
b3c2,bmc,-,
d4d4,bmc,3,59
"""
PAR2 = [[12.5, 120, 120, 3], [120, 120, 120, 59]]


def test_solvers_in_columns_are_runs_where_a_rule_is_given(table):
    """Counted by hand: 60 s is the limit, so minisat solves one instance of four."""
    results = read(table(TIMES), rule="par2", cutoff=60)
    assert (results.candidates, results.judges) == (
        ("kissat", "minisat"),
        ("7e5f", "9a01", "b3c2", "d4d4"),
    )
    assert results.original.tolist() == PAR2
    assert (results.by, results.heading, results.nouns.judge) == ("mean", "PAR2", "instance")
    facts = dict(results.reading)
    assert facts["statuses"] == "3 solved, 2 timeout, 1 memout, 2 unknown"
    assert facts["columns not used"] == "family"
    assert facts["strata"] == "'family' could be the stratum: stratum='family'"
    assert facts["layout"].startswith(
        "runs: candidates in columns, instances in rows (named in col"
    )
    assert "nobody solved 2 of 4 instances." in results.notes
    assert not results.has_holes


def test_solvers_in_rows_are_runs_too(table):
    results = read(table("solver,i,j\nkissat,12.5,TO\nminisat,60,-\n"), rule="par2", cutoff=60)
    assert (results.candidates, results.judges) == (("kissat", "minisat"), ("i", "j"))
    assert results.original.tolist() == [[12.5, 120], [120, 120]]


def test_rows_that_no_header_names_are_asked_about_and_said(table):
    content = TIMES.replace("hash,family", "x,y")
    with pytest.raises(UsageError, match="are the candidates in the rows"):
        read(table(content), rule="par2", cutoff=60)
    results = read(table(content), rule="par2", cutoff=60, candidates="columns")
    assert results.original.tolist() == PAR2
    turned = read(table(content), rule="par2", cutoff=60, candidates="rows")
    assert turned.original.tolist() == np.transpose(PAR2).tolist()


def test_what_is_about_instances_goes_with_them(table):
    content = TIMES.replace("family,", "family,w,").replace("crypto,", "crypto,2,")
    content = content.replace("bmc,", ",1,", 1).replace("bmc,", "bmc,1,")
    said = {"rule": "par2", "cutoff": 60, "stratum": "family", "weight": "w"}
    results = read(table(content), **said)
    by_name = dict(zip(results.judges, results.strata, strict=True))
    assert by_name == {"7e5f": "crypto", "9a01": "crypto", "b3c2": "(none)", "d4d4": "bmc"}
    weights = dict(zip(results.judges, results.weights.tolist(), strict=True))
    assert weights == {"7e5f": 2, "9a01": 2, "b3c2": 1, "d4d4": 1}
    clustered = read(table(TIMES), rule="par2", cutoff=60, cluster="family")
    assert clustered.clusters == ("crypto", "crypto", "bmc", "bmc")


def test_the_cells_are_costs_where_the_rule_is_about_them(table):
    results = read(table("problem,a,b\np,4,2\nq,3,failed\n"), rule="ipc-sat")
    assert results.original.tolist() == [[0.5, 1], [1, 0]]


def test_words_of_ones_own_are_mapped(table):
    content = TIMES.replace("TO", "out of luck")
    with pytest.raises(DataError, match="'out of luck' is not a number") as caught:
        read(table(content), rule="par2", cutoff=60)
    assert "is called so: statuses='out of luck=timeout'\n" in caught.value.hint
    mapped = read(table(content), rule="par2", cutoff=60, statuses={"out of luck": "timeout"})
    assert mapped.original.tolist() == PAR2


@pytest.mark.parametrize("word", ["TO", "memout", "inf", "T.O.", "-", "n/a", ""])
def test_a_word_among_the_times_of_a_long_table_is_a_run_that_failed(table, word):
    content = f"solver,instance,time\na,i,3\na,j,{word}\nb,i,4\nb,j,5\n"
    results = read(table(content), rule="par2", cutoff=60, statuses="T.O.=timeout")
    assert results.original.tolist() == [[3, 120], [4, 5]]


def test_a_time_column_of_words_alone_is_still_the_time(table):
    content = "solver,instance,time\na,i,TO\na,j,TO\nb,i,MO\nb,j,5\n"
    runs = read_runs(table(content), cutoff=60)
    assert runs.statuses_in_words == "1 solved, 2 timeout, 1 memout"


def test_a_status_says_more_than_a_word_among_the_times(table):
    content = "solver,instance,status,time\na,i,ok,TO\nb,i,crash,TO\n"
    assert read_runs(table(content)).statuses_in_words == "1 solved, 1 crash"
    with pytest.raises(DataError, match="is solved, yet has no time"):
        read(table(content), rule="par2", cutoff=60)


@pytest.mark.parametrize("content", [
    "instance,a,b\ni,3,10\nj,10,10\n", "solver,instance,time\na,i,3\na,j,10\nb,i,10\nb,j,10\n",
])  # fmt: skip
def test_times_alone_do_not_say_who_failed(table, content):
    """Each cell is a number; 10 may be the limit, or a time."""
    with pytest.raises(UsageError, match="nothing says which ones failed") as caught:
        read(table(content), rule="solved")
    assert caught.value.hint.startswith("if the limit was 10 s: cutoff=10\n")
    assert read(table(content), rule="solved", cutoff=10).scores.tolist() == [[1, 0], [0, 0]]
    agile = read(table(content), rule="ipc-agile")  # a time relative to the best needs no limit
    assert agile.original.max() == 1


def test_who_is_wrong_in_a_wide_table_is_wrong(table):
    content = "instance,a,b\ni,3,wrong\nj,4,5\n"
    assert read(table(content), rule="solved", wrong="penalise").original.tolist() == [
        [1, 1],
        [-1, 1],
    ]


def test_rows_of_runs_with_names_of_their_own_are_no_wide_table(table):
    content = "who,what,used,paid\na,i,3,1\na,j,4,1\nb,i,5,1\nb,j,5,1\n"
    with pytest.raises(UsageError, match="which column holds the candidates"):
        read(table(content), rule="par2", cutoff=60)


@pytest.mark.shared
def test_the_official_table_of_sat_2024_in_one_command(shared_data):
    """Results page: mean PAR-2 and solved instances of the first three."""
    path = shared_data / "sat2024/main.csv.gz"
    official = {"kissat-sc2024": (2788.13, 306), "Kissat_MAB-DC": (3435.23, 290),
                "hKis-bva": (3461.15, 285)}  # fmt: skip
    par2 = {r["candidate"]: r["shown"] for r in dh.rank(path, rule="par2", cutoff=5000).rows()}
    solved = {r["candidate"]: r["shown"] for r in dh.rank(path, rule="solved", cutoff=5000).rows()}
    assert len(par2) == 14
    for name, (mean, number) in official.items():
        assert (round(par2[name], 2), solved[name]) == (mean, number)
    assert dh.score(path, rule="par2", cutoff=5000).facts()["totals"] == pytest.approx(par2)
    with pytest.raises(UsageError) as caught:
        dh.score(path, rule="solved")
    assert caught.value.hint.startswith("if the limit was 5,000 s: cutoff=5000\n")

"""``deadheat axioms``."""

from __future__ import annotations

import json

import pytest

import deadheat as dh
from deadheat.axioms import axiom as laws
from terminals import in_terminal

FLIP = "model,p,q,r,s,t\na,3,3,3,1,1\nb,2,2,2,3,3\nc,1,1,1,2,2\n"


@pytest.fixture
def flip(tmp_path):
    path = tmp_path / "flip.csv"
    path.write_text(FLIP, encoding="utf-8")
    return path


def test_json_has_a_row_per_function_and_axiom(run):
    done = run("axioms", "mean", "copeland", "--only", "iia,condorcet", "--json")
    assert done.exit_code == 0, done.stderr
    whole = json.loads(done.stdout)
    assert whole["schema"] == "deadheat.axioms/1"
    holds = {(row["function"], row["axiom"]): row["holds"] for row in whole["rows"]}
    assert holds == {
        ("mean", "iia"): True,
        ("mean", "condorcet"): False,
        ("copeland", "iia"): False,
        ("copeland", "condorcet"): True,
    }


def test_one_function_shows_its_counter_examples(run):
    args = ("axioms", "success-rate", "--only", "majority", "--format", "table", "--explain")
    written = run(*args).stdout
    assert "violated by 3 x 5 scores" in written
    assert "A is first for 3 of 5 judges" in written
    assert "j1  j2  j3  j4  j5    rank" in written


@pytest.mark.parametrize("name", ["copeland", "mean", "relative_difference"])
@pytest.mark.parametrize("audit", [False, True], ids=["search", "audit"])
def test_a_terminal_shows_violations_in_a_sentence_and_explains_them_in_full(tmp_path, name, audit):
    table = ("--table", dh.examples.path("compressors")) if audit else ()
    how = {"folder": tmp_path, "NO_COLOR": "1", "LINES": "24", "DEADHEAT_PROGRESS": "0"}
    lines = in_terminal("axioms", name, *table, **how)[1].splitlines()
    names = {axiom for axiom in laws.AXIOMS if any(line.startswith(axiom) for line in lines)}
    assert len(lines) <= len(names) + 14
    reasons = [line for line in lines if line.startswith((" ! ", " \u2713 ", " \u00b7 "))]
    assert 1 <= len(reasons) <= 5
    if not audit:
        assert not any("j1  j2" in line for line in lines)
        assert lines[-1].endswith("very counter-example in full: --explain")
        explained = in_terminal("axioms", name, "--explain", **how)[1]
        assert explained.count("j1  j2") == explained.count("violated by")


@pytest.mark.parametrize("names", [("copeland",), ("copeland", "mean")])
def test_a_saved_search_shows_the_same_on_a_terminal(run, tmp_path, names):
    how = {"folder": tmp_path, "NO_COLOR": "1", "LINES": "24", "DEADHEAT_PROGRESS": "0"}
    asked = ("axioms", *names, "--budget", "50")
    assert run(*asked, "-q", "-o", tmp_path / "saved.json").exit_code == 0
    shown = in_terminal("show", tmp_path / "saved.json", **how)[1]
    assert shown == in_terminal(*asked, "-q", **how)[1]
    said = "very counter-example in full" if len(names) == 1 else "hat the columns mean"
    assert said in shown.splitlines()[-1]


def test_a_terminal_of_80_columns_is_enough(run):
    args = ("axioms", "copeland", "relative_difference_ranks", "--budget", 50, "--format", "table")
    done = run(*args)
    assert done.exit_code == 0, done.stderr
    assert max(map(len, done.stdout.splitlines())) <= 80


def test_a_table_is_audited(run, flip):
    done = run("axioms", "borda", "--table", flip, "--better", "higher", "--json")
    assert done.exit_code == 0, done.stderr
    whole = json.loads(done.stdout)
    iia = next(row for row in whole["rows"] if row["axiom"] == "iia")
    assert not iia["holds"]
    assert iia["counterexample"]["candidates"] == ["a", "b", "c"]
    assert whole["facts"]["majority_winner"] == "a"
    table = run(
        "axioms", "borda", "--table", flip, "--better", "higher", "--format", "table"
    ).stdout
    assert "without c, a is above b" in table
    assert "Then a is first." in " ".join(table.split())


def test_a_function_of_ones_own_is_searched(run, own):
    done = run("axioms", f"{own}:top_score", "--only", "majority,clones", "--budget", 200, "--json")
    assert done.exit_code == 0, done.stderr
    assert [row["holds"] for row in json.loads(done.stdout)["rows"]] == [False, True]


def test_the_list_has_the_axioms(run):
    done = run("list", "axioms", "--json")
    names = [row["name"] for row in json.loads(done.stdout)["rows"]]
    assert names[:2] == ["majority", "condorcet"]
    assert "monotonicity" in names


@pytest.mark.parametrize(
    ("args", "code", "message"),
    [
        (("copland",), 2, "Did you mean 'copeland'?"),
        (("mean", "--only", "iiaa"), 2, "Did you mean 'iia'?"),
        (("mean", "--better", "higher"), 2, "--better says how to read a table"),
        (("mean", "--budget", "0"), 2, "Hint: as usual: deadheat axioms mean\n"),
        (("results.csv",), 2, "Hint: its axioms: deadheat axioms --table results.csv\n"),
        (("mean", "--table", "no.csv", "--better", "higher"), 3, "no.csv"),
        (("mean", "--table", ""), 2, "is empty"),
    ],
)
def test_what_cannot_be_done_is_told(run, args, code, message):
    done = run("axioms", *args)
    assert done.exit_code == code, done.stderr
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_a_table_in_the_place_of_a_function_is_recognised_by_its_file(run, tmp_path):
    path = tmp_path / "my results"
    path.write_text(FLIP, encoding="utf-8")
    done = run("axioms", path)
    assert done.exit_code == 2
    assert f"--table '{path}'" in done.stderr


def test_a_budget_for_a_table_is_refused(run, flip):
    done = run("axioms", "mean", "--table", flip, "--better", "higher", "--budget", 10)
    assert done.exit_code == 2
    assert "Hint: without the budget: deadheat axioms mean --table" in done.stderr


def test_without_a_function_a_table_is_audited_for_all_seven(run, flip):
    args = ("axioms", "--table", flip, "--better", "higher", "--format", "table")
    written = " ".join(run(*args).stdout.split())
    for name in ("mean", "median", "average_rank", "success_rate", "relative_difference"):
        assert f"{name} " in written
    assert "not first by" in written


def test_the_output_does_not_replace_the_table(run, flip):
    done = run("axioms", "--table", flip, "--better", "higher", "-o", flip)
    assert done.exit_code == 2
    assert "it is the input" in done.stderr

"""`deadheat list examples` and `deadheat demo --data`."""

from __future__ import annotations

import json
import re
from functools import cache

import pytest
from click.testing import CliRunner

import deadheat as dh
from deadheat.cli.program import deadheat
from deadheat.data.examples import examples

MADE = sorted(examples())


def test_the_list_says_what_there_is_in_80_columns(run):
    done = run("list", "examples", "--format", "table")
    assert done.exit_code == 0
    assert max(map(len, done.stdout.splitlines())) <= 80
    words = done.stdout.split()
    assert {"name", "rows", "candidates", "size", "summary", *MADE} <= set(words)


def test_the_list_counts_what_is_in_the_files(run):
    for row in json.loads(run("list", "examples", "--json").stdout)["rows"]:
        table = dh.examples.load(row["name"])
        assert row["candidates"] == len(table.candidates)
        assert row["path"] == str(dh.examples.path(row["name"]))
        if isinstance(table, dh.Battles):
            assert row["rows"] == table.total
        elif row["name"] == "models":
            assert row["rows"] == table.scores.size


@pytest.fixture(scope="module")
def demo():
    """Run the demo of an example once, however many tests look at it."""

    @cache
    def shown(name):
        asked = ["demo", "--data", name, "--format", "table", "-q", "--explain"]
        return CliRunner(env={"COLUMNS": "80"}).invoke(deadheat, asked)

    return shown


@pytest.mark.parametrize("name", MADE)
def test_the_demo_of_each_example_fits_a_terminal_and_says_who_won(demo, name):
    done = demo(name)
    assert done.exit_code == 0, done.output
    lines = done.stdout.splitlines()
    assert max(map(len, lines)) <= 80
    assert any(line.startswith(f"{name}: ") for line in lines[1:3])
    said = " ".join(done.stdout.split())
    assert re.search("(?i)dead heat|clear winner|tests at 5 % show", said)


def test_a_battle_log_is_rated(demo):
    assert re.search(r"^.*(candidate|model|setting) +rating ", demo("arena").stdout, re.MULTILINE)
    assert "30,000 battles, weighted at random" in demo("arena").stdout


def test_models_are_judged_with_whole_data_sets_drawn(demo):
    clusters = len(set(dh.examples.load("models").clusters))
    assert f"10,000 resamples: {clusters} data sets of 400 " in demo("models").stdout


def test_the_path_is_all_that_is_printed_and_other_commands_take_it(run):
    told = run("demo", "--data", "models", "--path")
    assert told.exit_code == 0
    path = told.stdout.rstrip("\n")
    assert path == str(dh.examples.path("models"))
    done = run("rank", path, "--json", "-q")
    assert done.exit_code == 0
    assert len(json.loads(done.stdout)["rows"]) == 44


def test_a_wrong_name_is_wrong_use(run):
    done = run("demo", "--data", "sat-rice", "--path")
    assert done.exit_code == 2
    assert "unknown example 'sat-rice'" in done.output

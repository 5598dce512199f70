"""``deadheat compare``."""

from __future__ import annotations

import json
import shlex
from importlib import import_module

import pytest


def compared(run, table, *args, a="rf", b="svm"):
    return run("compare", table, a, b, "--better", "higher", "--replicates", 99, *args)


def test_json_has_facts_and_every_judge(run, table):
    done = compared(run, table, "--by", "mean", "--json")
    assert done.exit_code == 0, done.stderr
    whole = json.loads(done.stdout)
    assert whole["schema"] == "deadheat.compare/1"
    assert whole["facts"]["difference"] == pytest.approx((0.05 + 0.1 + 0.1) / 3)
    assert (whole["facts"]["higher"], whole["facts"]["lower"]) == (3, 0)
    assert whole["made"]["replicates"] == 99
    assert whole["made"]["seed"] == 0
    assert {row["judge"]: (row["a"], row["b"]) for row in whole["rows"]} == {
        "a": (0.9, 0.85),
        "b": (0.8, 0.7),
        "c": (0.7, 0.6),
    }


def test_a_pipe_gets_one_line_per_judge(run, table):
    lines = compared(run, table).stdout.splitlines()
    assert lines[0].split("\t") == ["judge", "a", "b", "difference", "contribution"]
    assert len(lines) == 4


def test_a_table_ends_in_words_and_warns_of_few_judges(run, table):
    done = compared(run, table, "--format", "table", "--by", "mean")
    words = " ".join(done.stdout.split())
    assert words.startswith(
        "Too few judges for a test: rf (mean 0.8) is ahead of svm (0.7167) by 0.08333"
    )
    assert "not corrected for other comparisons" in words
    assert "! 3 judges are too few for a test." in words
    assert "3 judges are too few" in compared(run, table, "--by", "mean").stderr  # of a pipe


def test_every_option_reaches_the_library(run, table, monkeypatch):
    seen = {}

    def compare(table, a, b, **said):
        seen.update(said, a=a, b=b)
        raise SystemExit(0)

    monkeypatch.setattr(import_module("deadheat.compare.api"), "compare", compare)
    text = "--by median --replicates 7 --alpha 0.1 --seed 5 --plan bayesian --engine serial"
    run("compare", table, "rf", "knn", "--better", "higher", *text.split())
    assert seen == {
        "a": "rf",
        "b": "knn",
        "by": "median",
        "replicates": 7,
        "alpha": 0.1,
        "seed": 5,
        "plan": "bayesian",
        "engine": "serial",
        "checkpoint": None,
        "progress": None,
    }


def test_the_defaults_are_the_usual_number_at_five_per_cent(run, table, monkeypatch):
    seen = {}

    def compare(table, a, b, **said):
        seen.update(said)
        raise SystemExit(0)

    monkeypatch.setattr(import_module("deadheat.compare.api"), "compare", compare)
    run("compare", table, "rf", "knn", "--better", "higher")
    assert (seen["replicates"], seen["alpha"], seen["seed"]) == (None, 0.05, 0)
    assert (seen["plan"], seen["engine"]) == (None, "threads")


@pytest.mark.parametrize(
    ("args", "code", "message"),
    [
        (("--alpha", "5"), 2, "alpha must lie strictly between 0 and 1, got 5"),
        (("--seed", "-1"), 2, "the seed must be a whole number"),
        (("--replicates", "0"), 2, "replicates must be a whole number of at least 1"),
        (("--plan", "magic"), 2, "--plan"),
        (("--engine", "fast"), 2, "unknown engine 'fast'"),
        (("--ignore", "b", "--ignore", "c"), 3, "one score for each model"),
    ],
)
def test_what_cannot_be_done_is_told(run, table, args, code, message):
    done = compared(run, table, *args)
    assert done.exit_code == code
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_an_unknown_candidate_is_told_with_the_one_that_was_meant(run, table):
    done = compared(run, table, b="svmm")
    assert done.exit_code == 2
    assert "unknown model 'svmm'. Did you mean 'svm'?" in done.stderr
    assert compared(run, table, b="rf").exit_code == 2


@pytest.mark.parametrize(
    ("names", "meant"),
    [
        ((), ("rf", "svm")),
        (("knn",), ("knn", "rf")),
        (("svmm", "knn"), ("svm", "knn")),
        (("svm", "svm"), ("svm", "rf")),
    ],
)
def test_without_two_names_the_hint_is_a_command_with_two_of_the_file(run, table, names, meant):
    done = run("compare", table, *names, "--better", "higher")
    assert done.exit_code == 2
    command = shlex.split(done.stderr.split("Hint: ")[1].splitlines()[0].partition(": ")[2])
    assert [word for word in command if word in ("rf", "svm", "knn")] == [*meant]
    assert run(*command[1:]).exit_code == 0


def test_names_that_look_like_options_or_hold_blanks_are_named_so_that_they_work(run, tmp_path):
    path = tmp_path / "my table.csv"
    path.write_text("model,x,y,z\n-a,3,2,3\nb c,2,3,1\nd,1,1,2\n", encoding="utf-8")
    done = run("compare", path, "--better", "higher")
    command = shlex.split(done.stderr.split("Hint: ")[1].partition(": ")[2])
    assert command[-3:] == ["--", "-a", "b c"]
    assert run(*command[1:]).exit_code == 0


def test_help_names_the_arguments(run):
    text = run("compare", "--help-all").stdout
    assert "deadheat compare [OPTIONS] FILE A B" in text
    assert "--replicates" in text


def test_the_usual_number_is_ten_thousand(run, table):
    done = run("compare", table, "rf", "knn", "--better", "higher", "--json")
    assert json.loads(done.stdout)["made"]["replicates"] == 10_000

"""What a table means is asked for, told or refused, never guessed in silence."""

from __future__ import annotations

import json
import shlex

import pytest


def written(folder, content, name="my table.csv"):
    path = folder / name
    path.write_text(content, encoding="utf-8")
    return path


def commands_in(text):
    """Return the arguments of every complete command in a message."""
    lines = [line for line in text.splitlines() if ": deadheat " in line]
    return [shlex.split(line.partition(": deadheat ")[2]) for line in lines]


def first(found):
    return json.loads(found.stdout)["rows"][0]["candidate"]


@pytest.mark.parametrize("command", ["rank", "verdict", "agree", "check", "influence"])
def test_both_readings_of_a_table_come_as_complete_commands(run, tmp_path, command):
    path = written(tmp_path, "name,a,b,c\nx,3,2,1\ny,5,6,4\n")
    found = run(command, path, "--better", "higher", "--json")
    assert found.exit_code == 2
    rows, columns = commands_in(found.stderr)
    assert rows == [command, str(path), "--better", "higher", "--json", "--candidates", "rows"]
    assert columns == [*rows[:-1], "columns"]
    assert run(*rows).exit_code == 0
    assert run(*columns).exit_code == 0


def test_the_two_readings_are_two_answers(run, tmp_path):
    path = written(tmp_path, "name,a,b,c\nx,3,2,1\ny,5,6,4\n")
    asked = run("rank", path, "--better", "higher", "--json")
    assert [first(run(*command)) for command in commands_in(asked.stderr)] == ["y", "a"]


@pytest.mark.parametrize("command", ["rank", "verdict", "rate"])
def test_player_round_score_is_read_as_it_stands(run, tmp_path, command):
    rows = [
        f"{who},{r},{score + r % 2}" for r in range(8) for who, score in (("ann", 1), ("bob", 2))
    ]
    path = written(tmp_path, "\n".join(["player,round,score", *rows]) + "\n")
    found = run(command, path, "--better", "higher", "--json")
    assert found.exit_code == 0, found.stderr
    assert {row["candidate"] for row in json.loads(found.stdout)["rows"]} == {"ann", "bob"}
    assert first(found) == "bob"


def test_columns_that_are_no_judges_are_left_out_by_a_complete_command(run, tmp_path):
    path = written(tmp_path, "model,a,b,n,std err\nx,3,2,9,8\ny,5,6,8,7\n")
    found = run("rank", path, "--better", "higher", "--json")
    assert (found.exit_code, found.stdout) == (2, "")
    without, kept = commands_in(found.stderr)
    assert without[-4:] == ["--ignore", "n", "--ignore", "std err"]
    again = run(*without)
    assert (again.exit_code, again.stderr) == (0, "")
    assert kept[-4:] == ["--keep", "n", "--keep", "std err"]
    assert run(*kept).exit_code == 0


def test_a_rank_is_asked_about_with_and_without_a_direction(run, tmp_path):
    path = written(tmp_path, "rank,team,score\n1,alpha,0.912\n2,beta,0.910\n3,gamma,0.884\n")
    asked = run(path)
    with_it = run(path, "--better", "higher")
    for found in (asked, with_it):
        assert found.exit_code == 2
        assert "column 'rank' is counted as a judge, but does not look like one" in found.stderr
    assert commands_in(asked.stderr)[0] == commands_in(with_it.stderr)[0]


def test_what_was_said_beats_the_sidecar_with_a_warning(run, tmp_path):
    path = written(tmp_path, "model,a,b\nx,3,2\ny,5,6\n", "t.csv")
    written(tmp_path, 'better = "lower"\n', "t.toml")
    found = run("rank", path, "--better", "higher", "--json")
    assert first(found) == "y"
    told = """t.toml says better = "lower", which does not count: 'higher' was said."""
    assert f"warning: {told}" in found.stderr
    assert "t.toml" not in run("rank", path, "--better", "lower", "--json").stderr

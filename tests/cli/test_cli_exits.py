"""How the command line ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import click
import pytest

from deadheat.cli import COMMANDS, rank
from deadheat.cli.exits import exit_code_of
from deadheat.errors import DataError, UsageError


def failing(error):
    def run():
        raise error

    return run


def test_all_is_well_with_exit_code_0(spawn, table):
    done = spawn("rank", table, "--better", "higher")
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize(
    ("error", "code", "words"),
    [
        (UsageError("wrong.", hint="right."), 2, "error: wrong.\nHint: right.\n"),
        (DataError("bad."), 3, "error: bad.\n"),
        (click.UsageError("No."), 2, "error: no.\n"),
        (MemoryError(), 3, "error: the table does not fit into memory."),
        (KeyboardInterrupt(), 130, "interrupted\n"),
        (click.Abort(), 130, "interrupted\n"),
        (click.exceptions.Exit(4), 4, ""),
        (OSError(28, "No space left on device"), 2, "error: No space left on device.\n"),
        (BrokenPipeError(), 0, ""),
        (TypeError("x"), 1, "error: deadheat failed unexpectedly (TypeError: x).\nHint: run again"),
    ],
)
def test_every_end_has_its_exit_code_and_words(error, code, words, capfd, monkeypatch):
    monkeypatch.delenv("DEADHEAT_DEBUG", raising=False)
    monkeypatch.setattr("deadheat.cli.exits._silence_stdout", lambda: None)
    assert exit_code_of(failing(error)) == code
    assert capfd.readouterr().err.startswith(words)


def test_a_defect_shows_its_traceback_when_debugging(monkeypatch):
    monkeypatch.setenv("DEADHEAT_DEBUG", "1")
    with pytest.raises(TypeError):
        exit_code_of(failing(TypeError("x")))
    assert exit_code_of(failing(UsageError("x"))) == 2


def test_a_message_cannot_act_on_the_terminal(capfd):
    exit_code_of(failing(UsageError("name \x1b[31m", hint="x")))
    assert capfd.readouterr().err == "error: name \\x1b[31m\nHint: x\n"


def test_an_unknown_command_is_answered_with_the_nearest(run):
    done = run("rnak")
    assert done.exit_code == 2
    assert "unknown command 'rnak'. Did you mean 'rank'?" in done.stderr
    assert "Did you mean" not in run("zzz").stderr


def test_an_unknown_option_is_answered_with_the_nearest(run, table):
    done = run("rank", table, "--bettr", "higher")
    assert done.exit_code == 2
    assert "--better" in done.stderr
    assert "deadheat rank --help" in done.stderr


@pytest.mark.parametrize(
    ("args", "code"),
    [
        (["rank", "TABLE"], 2),
        (["rank", "TABLE", "--better", "up"], 2),
        (["rank", "TABLE", "--better", "higher", "--by", "copland"], 2),
        (["rank", "TABLE", "--better", "higher", "--by", ","], 2),
        (["rank", "TABLE", "--better", "higher", "--json", "--format", "csv"], 2),
        (["rank", "nowhere.csv", "--better", "higher"], 3),
        (["rank"], 2),
        (["list", "nothing"], 2),
        (["demo", "--data", "nothing"], 2),
    ],
)
def test_bad_input_ends_with_its_code_and_without_a_traceback(spawn, table, args, code):
    done = spawn(*(table if arg == "TABLE" else arg for arg in args))
    assert done.returncode == code
    assert done.stderr.startswith(b"error: ")
    assert b"Traceback" not in done.stderr
    assert done.stdout == b""


def test_holes_are_refused_by_rank_and_shown_by_check(run, tmp_path):
    path = tmp_path / "holes.csv"
    path.write_text("model,a,b\nrf,0.9,\nsvm,0.8,0.7\n", encoding="utf-8")
    assert run("rank", path, "--better", "higher").exit_code == 3
    done = run("check", path, "--better", "higher")
    assert done.exit_code == 0
    assert "missing" in done.stdout


def test_a_closed_pipe_is_quiet(tmp_path):
    path = tmp_path / "long.csv"
    rows = "".join(f"candidate {i},{i},{i % 7}\n" for i in range(3_000))
    path.write_text("model,a,b\n" + rows, encoding="utf-8")
    command = f"{sys.executable} -m deadheat rank {path} --better higher --by mean,borda | head -1"
    bash = ["bash", "-o", "pipefail", "-c", command]
    done = subprocess.run(bash, capture_output=True, check=False)
    assert done.returncode == 0
    assert done.stdout.startswith(b"candidate\tfunction\t")
    assert done.stdout.count(b"\n") == 1
    assert b"Error" not in done.stderr
    assert b"Exception" not in done.stderr


@pytest.mark.parametrize("args", [["--help"], ["rank", "--help"], ["completion", "zsh"]])
def test_a_pipe_that_was_never_open_is_quiet(args):
    command = f"{sys.executable} -m deadheat {' '.join(args)} | true"
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command], capture_output=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")


def test_an_interrupt_ends_with_130_and_one_word(tmp_path):
    slow = tmp_path / "slow.py"
    slow.write_text("import time\nprint('ready', flush=True)\ntime.sleep(60)\n", encoding="utf-8")
    table = tmp_path / "t.csv"
    table.write_text("model,a\nx,1\n", encoding="utf-8")
    out = tmp_path / "out.csv"
    args = ["rank", table, "--better", "higher", "--by", f"{slow}:f", "-o", out]
    process = subprocess.Popen(
        [sys.executable, "-m", "deadheat", *map(str, args)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | {"PYTHONUNBUFFERED": "1"},
    )
    with process:
        assert process.stdout.readline() == b"ready\n"
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert err.strip() == b"interrupted"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["slow.py", "t.csv"]


def test_a_defect_is_told_in_one_line_from_the_real_command(run, table, monkeypatch):
    def broken(*_, **__):
        raise ZeroDivisionError("oops")

    monkeypatch.setattr("deadheat.ranking.ranking.rank", broken)
    done = run("rank", table, "--better", "higher")
    assert done.exit_code == 1
    assert "failed unexpectedly (ZeroDivisionError: oops)" in done.stderr


def test_every_command_has_a_module_and_a_line_of_help():
    from deadheat.cli import deadheat

    context = click.Context(deadheat)
    for name, line in COMMANDS.items():
        command = deadheat.get_command(context, name)
        assert command.name == name
        assert command.help.replace("\n", " ").startswith(line.rstrip(".")[:20])
    assert rank.command is deadheat.get_command(context, "rank")

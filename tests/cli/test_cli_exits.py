"""How the command line ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from importlib import import_module

import click
import pytest

from deadheat.cli import run as command_line
from deadheat.cli.exits import exit_code_of
from deadheat.cli.program import COMMANDS
from deadheat.core.errors import DataError, UsageError


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
        (MemoryError(), 3, "error: the table does not fit into memory.\nHint: keep fewer"),
        (KeyboardInterrupt(), 130, "interrupted\n"),
        (click.Abort(), 130, "interrupted\n"),
        (click.exceptions.Exit(4), 4, ""),
        (OSError(28, "No space left on device"), 2, "error: No space left on device.\nHint: make"),
        (OSError(5, "Input/output error"), 2, "error: Input/output error.\nHint: "),
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
    assert f"Hint: with --better: deadheat rank {table} --better higher\n" in done.stderr


def test_a_missing_choice_is_told_in_one_line(run):
    done = run("completion")
    assert done.exit_code == 2
    assert done.stderr.splitlines()[0].endswith("Choose from: bash, zsh, fish")
    assert "\\t" not in done.stderr


FORMS = ["table", "tsv", "csv", "json", "md", "latex"]


@pytest.mark.parametrize("form", [*(f"--format {form}" for form in FORMS), "-o /dev/stdout --json"])
def test_a_closed_pipe_is_quiet_in_every_form(tmp_path, form):
    path = tmp_path / "long.csv"
    rows = "".join(f"candidate {i},{i},{i % 7}\n" for i in range(3_000))
    path.write_text("model,a,b\n" + rows, encoding="utf-8")
    done = in_bash(f"rank {path} --better higher --by mean,borda -q {form} | head -1")
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.count(b"\n") == 1


@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch):
    """Run in a folder of its own: the demo writes a page where it stands."""
    monkeypatch.chdir(tmp_path)


COMMANDS_IN_PIPES = [
    "--help",
    "rank --help",
    "completion zsh",
    "demo -q --data compressors",
    "list --format table",
]


@pytest.mark.parametrize("args", COMMANDS_IN_PIPES)
def test_a_pipe_that_was_never_open_is_quiet(args):
    done = in_bash(f"{args} | true")
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize("args", COMMANDS_IN_PIPES)
def test_a_full_disk_is_told_by_every_command(args):
    done = in_bash(f"{args} > /dev/full")
    assert done.returncode == 2
    assert done.stderr.startswith(b"error: No space left on device.\nHint: ")
    assert done.stderr.count(b"\n") == 2


@pytest.mark.parametrize("args", COMMANDS_IN_PIPES)
def test_a_closed_standard_output_is_quiet(args):
    done = in_bash(f"{args} >&-")
    assert (done.returncode, done.stderr) == (0, b"")


def in_bash(command):
    whole = f"{sys.executable} -m deadheat {command}"
    bash = ["bash", "-o", "pipefail", "-c", whole]
    return subprocess.run(bash, capture_output=True, check=False)


@pytest.mark.parametrize("module", ["click", "deadheat.cli.program", "deadheat.cli.commands"])
def test_an_interrupt_while_modules_are_loaded_is_quiet(module):
    code = f"""
import sys, deadheat
class Interrupted:
    def find_spec(self, name, *_):
        if name == {module!r}:
            raise KeyboardInterrupt
sys.meta_path.insert(0, Interrupted())
sys.argv = ["deadheat", "rank", "x.csv"]
from deadheat.cli import main
main()
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"interrupted\n")


def test_an_interrupt_while_words_are_completed_is_quiet(monkeypatch, capfd):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setenv("_DEADHEAT_COMPLETE", "bash_complete")
    monkeypatch.setattr("deadheat.cli.program.shell_complete", interrupted)
    assert command_line() == 130
    assert capfd.readouterr() == ("", "interrupted\n")


def test_an_interrupt_ends_with_130_and_one_word(tmp_path):
    slow = tmp_path / "slow.py"
    slow.write_text("import time\nprint('ready', flush=True)\ntime.sleep(600)\n", encoding="utf-8")
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
        assert process.stderr.readline() == b"ready\n"  # what one's own file prints
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=600)
    assert process.returncode == 130
    assert err.strip() == b"interrupted"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["slow.py", "t.csv"]


def test_a_defect_is_told_in_one_line_from_the_real_command(run, table, monkeypatch):
    def broken(*_, **__):
        raise ZeroDivisionError("oops")

    monkeypatch.setattr(import_module("deadheat.rank.api"), "rank", broken)
    done = run("rank", table, "--better", "higher")
    assert done.exit_code == 1
    assert "failed unexpectedly (ZeroDivisionError: oops)" in done.stderr


def test_every_command_has_a_module_and_a_line_of_help():
    from deadheat.cli.program import deadheat

    context = click.Context(deadheat)
    for name, line in COMMANDS.items():
        command = deadheat.get_command(context, name)
        assert command.name == name
        assert command.help.replace("\n", " ").startswith(line.rstrip(".")[:20])
    assert deadheat.get_command(context, "nobody") is None

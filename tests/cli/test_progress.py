"""A progress bar where somebody watches long work, and nowhere else."""

from __future__ import annotations

import io
import sys
import threading

import pytest
from test_cli_verdict import SLOW

from deadheat.cli import output as progress
from terminals import in_own_terminal


class Terminal(io.StringIO):
    def isatty(self):
        return True


def a_terminal(monkeypatch, *, patience):
    """Let standard error be a terminal, and return what is written there."""
    shown = Terminal()
    monkeypatch.setattr(sys, "stderr", shown)
    monkeypatch.setattr(progress, "PATIENCE", patience)
    monkeypatch.setenv("TERM", "xterm")
    return shown


def wait_for_the_bar():
    """Return once the thread that starts the bar has done so."""
    for thread in threading.enumerate():
        if isinstance(thread, threading.Timer):
            thread.join()


def tell(steps, *, interrupted_after=None):
    with progress.watching("resampling", quiet=False) as told:
        if progress.PATIENCE == 0:
            wait_for_the_bar()
        for k in range(1, steps + 1):
            told(k, steps)
            if k == interrupted_after:
                raise KeyboardInterrupt


def test_long_work_has_a_bar_that_is_erased_in_the_end(monkeypatch):
    watched = a_terminal(monkeypatch, patience=0)
    tell(4)
    written = watched.getvalue()
    assert "resampling" in written
    assert " %" in written
    assert "\x1b[2K" in written[written.rindex("resampling") :]  # the line is erased
    assert written.endswith(("\x1b[2K", "\x1b[?25h", "\r\x1b[1A\x1b[2K"))


def test_quick_work_has_none(monkeypatch):
    watched = a_terminal(monkeypatch, patience=60)
    tell(4)
    assert watched.getvalue() == ""


def test_an_interrupt_erases_the_bar_too(monkeypatch):
    watched = a_terminal(monkeypatch, patience=0)
    with pytest.raises(KeyboardInterrupt):
        tell(9, interrupted_after=3)
    written = watched.getvalue()
    assert "\x1b[2K" in written[written.rindex("resampling") :]
    assert written.count("\x1b[?25l") == written.count("\x1b[?25h")  # the cursor is back


def test_nobody_watches_a_pipe_or_a_quiet_command(monkeypatch):
    a_terminal(monkeypatch, patience=0)
    with progress.watching("resampling", quiet=True) as told:
        assert told is None
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    with progress.watching("resampling", quiet=False) as told:
        assert told is None
    monkeypatch.setattr(sys, "stderr", None)
    with progress.watching("resampling", quiet=False) as told:
        assert told is None


@pytest.mark.parametrize("quiet", [False, True])
def test_the_command_shows_a_bar_on_a_terminal_and_the_table_stays(tmp_path, quiet):
    table = tmp_path / "t.csv"
    table.write_text("model,a,b,c\nx,1,2,3\ny,3,1,2\n", encoding="utf-8")
    (tmp_path / "slow.py").write_text(SLOW, encoding="utf-8")
    args = [
        "verdict",
        table,
        "--better",
        "higher",
        "--by",
        "slow.py:f",
        "--replicates",
        "4000",
        "--engine",
        "serial",
    ]
    command = [sys.executable, "-m", "deadheat", *map(str, args), *(["-q"] if quiet else [])]
    code, written = in_own_terminal(command, folder=tmp_path)
    assert code == 0
    bar, table = written.split("are first by", 1)
    assert ("resampling" in bar) == (not quiet)
    assert ("\x1b[2K" in bar) == (not quiet)
    said = table.replace("resampling ranges", "").replace("what resampling gives", "")
    assert "resampling " not in said
    assert "ranks" in table


def test_a_recorded_terminal_can_do_without(monkeypatch):
    shown = a_terminal(monkeypatch, patience=0)
    monkeypatch.setenv("DEADHEAT_PROGRESS", "0")
    with progress.watching("resampling", quiet=False) as told:
        assert told is None
    assert shown.getvalue() == ""

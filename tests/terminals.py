"""The command in a terminal: in this process, which is quick, or in one of its own."""

from __future__ import annotations

import contextlib
import os
import pty
import subprocess
import sys
import threading
from unittest import mock

END = b"\0that was all\0"


def in_terminal(*args, folder, columns=80, **env):
    """Run the command in a terminal; return its exit code and all that was written there.

    It runs in this process, whose libraries are loaded, with the terminal as its standard output
    and standard error: as files of Python and as those of the system.
    """
    from deadheat.cli.program import deadheat

    with (
        _terminal() as (terminal, written),
        mock.patch.dict(os.environ, _settings(columns, env)),
        contextlib.chdir(folder),
        _standing_in_for_output(terminal),
    ):
        try:
            deadheat.main([str(arg) for arg in args])
        except SystemExit as end:
            code = end.code
    return int(code or 0), written()


def in_own_terminal(command, *, folder, columns=80, **env):
    """Run a line of a shell, or a list of words, in a process and a terminal of its own."""
    with _terminal() as (terminal, written):
        done = subprocess.run(
            command,
            shell=isinstance(command, str),
            stdout=terminal,
            stderr=terminal,
            env=os.environ | _settings(columns, env),
            cwd=folder,
            check=False,
        )
    return done.returncode, written()


def _settings(columns, env):
    return {"COLUMNS": str(columns), "LINES": "50", "TERM": "xterm"} | env


@contextlib.contextmanager
def _terminal():
    """Open a terminal; hand over its file, and what tells in the end what was written there."""
    ours, theirs = pty.openpty()
    read = bytearray()

    def listen():
        while not read.endswith(END):
            read.extend(os.read(ours, 65536))

    listener = threading.Thread(target=listen)
    listener.start()
    try:
        yield theirs, lambda: read.removesuffix(END).decode().replace("\r\n", "\n")
    finally:
        os.write(theirs, END)
        listener.join()
        os.close(theirs)
        os.close(ours)


@contextlib.contextmanager
def _standing_in_for_output(file):
    """Let a file be standard output and standard error."""
    kept = {number: os.dup(number) for number in (1, 2)}
    try:
        for number in kept:
            os.dup2(file, number)
        with (
            open(1, "w", encoding="utf-8", closefd=False) as out,
            open(2, "w", encoding="utf-8", closefd=False) as err,
            mock.patch.multiple(sys, stdout=out, stderr=err),
        ):
            yield
    finally:
        for number, was in kept.items():
            os.dup2(was, number)
            os.close(was)

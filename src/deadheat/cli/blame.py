"""Whose fault an error is: that of a user's own ranking function is told with its place."""

from __future__ import annotations

import traceback
from pathlib import Path

import click

from deadheat.errors import DeadheatError, OwnFunctionError, UsageError

OWN = "deadheat_own_"  # how the names of modules begin that --by FILE.py:NAME has loaded
DEBUG = "DEADHEAT_DEBUG"
LONGEST = 300


def own_fault(error: BaseException) -> UsageError | None:
    """Return what to say of an error that a user's own function raised, or None."""
    if isinstance(error, OwnFunctionError) and error.__cause__ is not None:
        return own_fault(error.__cause__)
    if isinstance(error, DeadheatError | click.ClickException):
        return None  # says by itself what is wrong
    line = own_line(error)
    if line is None:
        return None
    file, number, function = line
    return UsageError(
        f"{file}, line {number}, in {function}: {in_one_line(error)}",
        hint=f"mend that function; with {DEBUG}=1 the whole traceback is shown.",
    )


def own_line(error: BaseException) -> tuple[Path, int, str] | None:
    """Return file, line and function of the last frame in a user's own file."""
    for frame, line in reversed(list(traceback.walk_tb(error.__traceback__))):
        if str(frame.f_globals.get("__name__", "")).startswith(OWN):
            return _from_here(Path(frame.f_code.co_filename)), line, frame.f_code.co_qualname
    return None


def in_one_line(error: BaseException) -> str:
    """Return the kind of an error and what it says, without line ends."""
    said = " ".join(str(error).split())
    said = said if len(said) <= LONGEST else f"{said[:LONGEST]}..."
    return f"{type(error).__name__}: {said}" if said else type(error).__name__


def _from_here(path: Path) -> Path:
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path

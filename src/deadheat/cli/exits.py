"""How the command line ends: exit codes, and messages instead of tracebacks."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import sys
import traceback
from collections.abc import Callable
from pathlib import Path

import click

from deadheat.core.errors import DeadheatError, OwnFunctionError, UsageError, visible
from deadheat.core.files import from_here, give_back
from deadheat.output.text import wrapped

OWN = "deadheat_own_"  # how the names of modules begin that --by FILE.py:NAME has loaded
DEBUG = "DEADHEAT_DEBUG"
LONGEST = 300
FINE, UNEXPECTED, WRONG_USE, BAD_DATA, GATE, INTERRUPTED = 0, 1, 2, 3, 4, 130


def exit_code_of(run: Callable[[], None]) -> int:
    """Run, say on standard error what went wrong, and return the exit code."""
    try:
        try:
            run()
        finally:
            give_back()
        if sys.stdout is not None:
            sys.stdout.flush()
    except click.exceptions.Exit as end:
        return end.exit_code
    except (KeyboardInterrupt, click.Abort):
        say("interrupted")
        return INTERRUPTED
    except BrokenPipeError:  # the reader has seen enough
        _silence_stdout()
    except BaseException as error:
        code = _code_of(error)
        if code is None:
            raise
        return code
    return FINE


def say(message: str) -> None:
    """Write to standard error, escaped; a line with a command is not broken, to be copied."""
    lines = [visible(line) for line in message.split("\n")]
    if width := _terminal_width():
        lines = [line if " deadheat " in line else wrapped(line, width) for line in lines]
    with contextlib.suppress(OSError):
        click.echo("\n".join(lines), err=True)


def _terminal_width() -> int | None:
    if sys.stderr is None or not sys.stderr.isatty():
        return None
    said = os.environ.get("COLUMNS", "")
    width = int(said) if said.isdecimal() else 0
    with contextlib.suppress(OSError):
        width = width or os.get_terminal_size(sys.stderr.fileno()).columns
    return width or 80


def _code_of(error: BaseException) -> int | None:
    """Say what went wrong and return the exit code, or None where it is to be raised."""
    own = own_fault(error)
    debugging = os.environ.get(DEBUG, "") not in {"", "0"}
    ours = isinstance(error, click.ClickException | DeadheatError | MemoryError)
    if own is not None:
        if debugging:
            traceback.print_exception(error)
    elif not isinstance(error, Exception) or (debugging and not ours):
        return None
    told = own or _in_our_terms(error)
    say(f"error: {told}")
    return told.exit_code


def _in_our_terms(error: BaseException) -> DeadheatError:
    if isinstance(error, DeadheatError):
        return error
    if isinstance(error, OSError):
        _silence_stdout()  # what could not be written must not be tried again at the end
        place = os.fsdecode(error.filename) if isinstance(error.filename, str | bytes) else ""
        full = error.errno in {errno.ENOSPC, errno.EDQUOT}
        remedy = "make room there" if full else "check the disk and what you may do there"
        code, hint = WRONG_USE, f"{remedy}, or write elsewhere."
        fact = f"{error.strerror or error}{place and f': {place}'}."
    elif isinstance(error, click.ClickException):
        code, fact, hint = error.exit_code, fact_of(error), help_for(error)
    elif isinstance(error, MemoryError):
        code, fact = BAD_DATA, "the table does not fit into memory."
        hint = "keep fewer rows or columns of the file, or ask for fewer functions."
    else:
        code, fact = UNEXPECTED, f"deadheat failed unexpectedly ({in_one_line(error)})."
        hint = f"run again with {DEBUG}=1 and report it."
    ours = UsageError(fact, hint=hint)
    ours.exit_code = code
    return ours


def fact_of(error: click.ClickException) -> str:
    fact = re.sub(r"\n\s*", " ", error.format_message())
    return fact[:1].lower() + fact[1:]


def help_for(error: click.ClickException) -> str:
    context = getattr(error, "ctx", None)
    return f"{context.command_path} --help says more." if context is not None else ""


def _silence_stdout() -> None:
    """Let the interpreter flush into nothing, so that it does not complain on its way out."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, sys.stdout.fileno())
        os.close(nothing)


# ------------------------------------------------------------------------------
# Whose fault an error is: that of a user's own ranking function is told with its place.


def own_fault(error: BaseException) -> UsageError | None:
    if isinstance(error, OwnFunctionError) and error.__cause__ is not None:
        return own_fault(error.__cause__)
    if isinstance(error, DeadheatError | click.ClickException):
        return None  # says by itself what is wrong
    line = own_line(error)
    if line is None:
        return None
    file, number, function = line
    hint = f"mend that function; with {DEBUG}=1 the whole traceback is shown."
    return UsageError(f"{file}, line {number}, in {function}: {in_one_line(error)}", hint=hint)


def own_line(error: BaseException) -> tuple[Path, int, str] | None:
    """Return file, line and function of the last frame in a user's own file."""
    for frame, line in reversed(list(traceback.walk_tb(error.__traceback__))):
        if str(frame.f_globals.get("__name__", "")).startswith(OWN):
            return from_here(frame.f_code.co_filename), line, frame.f_code.co_qualname
    return None


def in_one_line(error: BaseException) -> str:
    said = " ".join(str(error).split())
    said = said if len(said) <= LONGEST else f"{said[:LONGEST]}..."
    return f"{type(error).__name__}: {said}" if said else type(error).__name__

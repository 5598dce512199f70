"""How the command line ends: exit codes, and messages instead of tracebacks."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable

import click

from deadheat.errors import DeadheatError, UsageError
from deadheat.text import visible

FINE, UNEXPECTED, WRONG_USE, BAD_DATA, INTERRUPTED = 0, 1, 2, 3, 130
DEBUG = "DEADHEAT_DEBUG"


def exit_code_of(run: Callable[[], None]) -> int:
    """Run, say on standard error what went wrong, and return the exit code."""
    try:
        run()
        if sys.stdout is not None:
            sys.stdout.flush()
    except click.exceptions.Exit as asked:
        return asked.exit_code
    except (KeyboardInterrupt, click.Abort):
        say("interrupted")
        return INTERRUPTED
    except BrokenPipeError:  # the reader has seen enough
        _silence_stdout()
    except Exception as error:
        if _is_a_defect(error) and os.environ.get(DEBUG, "") not in {"", "0"}:
            raise
        return _complain(error)
    return FINE


def say(message: str) -> None:
    """Write to standard error, escaped; that nobody listens is no error."""
    with contextlib.suppress(OSError):
        click.echo("\n".join(visible(line) for line in message.split("\n")), err=True)


def _complain(error: Exception) -> int:
    told: DeadheatError
    if isinstance(error, click.ClickException):
        told = _of_click(error)
    elif isinstance(error, DeadheatError):
        told = error
    elif isinstance(error, MemoryError):
        told = UsageError(
            "the table does not fit into memory.",
            hint="rank fewer judges or candidates at a time, or by mean, which reads in blocks.",
        )
        told.exit_code = BAD_DATA
    elif isinstance(error, OSError):
        told = UsageError(f"{error.strerror or error}{_place(error)}.")
    else:
        told = UsageError(
            f"deadheat failed unexpectedly ({type(error).__name__}: {error}).",
            hint=f"run again with {DEBUG}=1 and report it.",
        )
        told.exit_code = UNEXPECTED
    say(f"error: {told}")
    return told.exit_code


def _is_a_defect(error: Exception) -> bool:
    return not isinstance(error, click.ClickException | DeadheatError | MemoryError)


def _place(error: OSError) -> str:
    return f": {os.fsdecode(error.filename)}" if isinstance(error.filename, str | bytes) else ""


def _of_click(error: click.ClickException) -> UsageError:
    fact = error.format_message()
    context = getattr(error, "ctx", None)
    hint = f"{context.command_path} --help says more." if context is not None else ""
    told = UsageError(fact[:1].lower() + fact[1:], hint=hint)
    told.exit_code = error.exit_code
    return told


def _silence_stdout() -> None:
    """Let the interpreter flush into nothing, so that it does not complain on its way out."""
    with contextlib.suppress(OSError, ValueError):
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, sys.stdout.fileno())
        os.close(nothing)

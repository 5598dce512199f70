"""Standard output belongs to the result: what a user's own code prints goes to standard error."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from typing import TextIO

_kept: tuple[TextIO, int | None] | None = None  # standard output, and a copy of its handle


def turn_aside() -> None:
    """Send to standard error what is printed from now on, also by programs that the code starts."""
    global _kept  # noqa: PLW0603 - a process has one standard output
    if _kept is not None or sys.stdout is None or sys.stderr is None:
        return
    sys.stdout.flush()
    try:
        handle, aside = sys.stdout.fileno(), sys.stderr.fileno()
    except (OSError, ValueError, AttributeError):  # no real streams
        _kept, sys.stdout = (sys.stdout, None), sys.stderr
        return
    _kept = sys.stdout, os.dup(handle)
    os.dup2(aside, handle)
    sys.stdout = os.fdopen(os.dup(aside), "w", buffering=1, errors="backslashreplace")


def give_back() -> None:
    """Send to standard output again what is printed from now on."""
    global _kept
    if _kept is None:
        return
    with contextlib.suppress(OSError, ValueError):
        sys.stdout.flush()
    (sys.stdout, copy), _kept = _kept, None
    if copy is not None:
        os.dup2(copy, sys.stdout.fileno())
        os.close(copy)


@contextlib.contextmanager
def given_back() -> Iterator[None]:
    """Give standard output back for as long as a result is written to it."""
    aside = _kept is not None
    give_back()
    try:
        yield
    finally:
        if aside:
            turn_aside()

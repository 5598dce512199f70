"""How much memory the package may take: 2 GB, or what ``DEADHEAT_MEMORY`` says; and how long."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable

from deadheat.core.errors import DataError, UsageError, bare, command_with, counted, quoted, say

VARIABLE = "DEADHEAT_MEMORY"
USUAL = 2_000_000_000
LEAST = 10_000  # bytes: with fewer not even a sentence says what is too large
UNITS = {"": 1, "B": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12}
MOST = 10**15  # of anything; more takes no less
LIBRARIES = 150_000_000  # that are loaded only when a result is drawn or written
_SIZE = re.compile(r"(\d{1,15}(?:\.\d{1,9})?)\s*([KMGT]?B?)", re.IGNORECASE)


def budget() -> int:
    said = os.environ.get(VARIABLE, "").strip()
    return (
        _size(said, f"{VARIABLE}={quoted(said)}", f"{VARIABLE}=4GB, or 500MB.") if said else USUAL
    )


def _size(said: str, called: str, hint: str) -> int:
    found = _SIZE.fullmatch(said)
    unit = found[2].upper() if found else ""
    size = float(found[1]) * UNITS[unit if unit in UNITS else f"{unit}B"] if found else 0.0
    if size >= LEAST:
        return int(size)
    little = f"too little memory: {readable(LEAST)} is the least"
    wrong = little if size >= 1 else "not a size of memory"
    raise UsageError(f"{called} is {wrong}.", hint=hint)


tell: Callable[[str], None] = lambda _: None  # noqa: E731 - nobody watches over this process


def allow(size: str) -> None:
    """Set the budget of this process, of those that it starts, and of whoever watches over it."""
    _size(size, say("memory", size), f"such as: {command_with(memory='4GB')}")
    os.environ[VARIABLE] = size
    tell(size)


least: int | None = None
"""How much this process may take whatever the budget says; None where nobody watches over it."""


def free() -> int:
    """Return the number of bytes that may be taken besides those that this process has."""
    if least is None:  # nobody ends the process for what it takes
        return budget()
    room = max(budget(), least) - bytes_taken()
    return min(budget(), max(room - LIBRARIES, room // 2, 0))


def bytes_taken(process: int | str = "self") -> int:
    """Return the number of bytes that a process takes; 0 where the system does not tell."""
    try:
        with open(f"/proc/{process}/statm", "rb") as file:  # noqa: PTH123 - quicker to load
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError, ValueError):
        return 0


def readable(size: float) -> str:
    """Return a number of bytes as a person says it, such as ``512 KB``."""
    for unit in ("TB", "GB", "MB", "KB"):
        if size >= UNITS[unit]:
            number = size / UNITS[unit]
            return f"{number:.3g} {unit}" if number < 1000 else f"{number:,.0f} {unit}"
    return f"{size:.0f} bytes"


def too_large(what: str, size: float = 0) -> DataError:
    """Return the error for what takes more memory than the budget; ``size`` in bytes, if known."""
    allowed = readable(budget())
    takes = f"more memory than the budget of {allowed}"
    if size:
        takes = f"about {readable(size)} of memory, the budget is {allowed}"
    hint = f"{allowing(max(2 * budget(), 1.25 * size))}, or keep fewer rows and columns."
    return DataError(f"{what}: it takes {takes}.", hint=hint)


def allowing(size: float) -> str:
    return f"set {VARIABLE}={_with_unit(size)} to allow more"


def _with_unit(size: float) -> str:
    unit = next((unit for unit in ("TB", "GB", "MB") if size >= UNITS[unit]), "KB")
    return f"{math.ceil(size / UNITS[unit])}{unit}"


def require(size: float, what: str) -> None:
    if size > budget():
        raise too_large(what, size)


def how_long(seconds: float) -> str:
    """Return how long something takes as a person says it, such as ``about 4 minutes``."""
    units = (("year", 31_557_600), ("day", 86_400), ("hour", 3_600), ("minute", 60))
    for name, length in units:
        if seconds >= 1.5 * length:
            return f"about {counted(round(seconds / length), name)}"
    return f"about {counted(max(1, round(seconds)), 'second')}"


def require_count(
    number: int, noun: str, *, option: str, bytes_each: float, seconds_each: float
) -> None:
    """Refuse a number that was given under ``option`` and takes more memory than there is."""
    allowed = free()
    size = min(number, MOST) * bytes_each
    if size <= allowed:
        return
    sure = 1.0 if least is None else 0.9  # what the interpreter takes differs from run to run
    most = rounded_down(sure * allowed / bytes_each)
    besides = 0 if least is None else bytes_taken() + LIBRARIES
    fewer = f"up to {most:,}: {command_with(**{option: most})}\n" if most else ""
    raise UsageError(
        f"{bare(f'{number:,}')} {noun} would take about {readable(size)} of memory and "
        f"{how_long(min(number, MOST) * seconds_each)}; the budget is {readable(budget())}.",
        hint=f"{fewer}{allowing(1.25 * size + besides)}.",
    )


def rounded_down(number: float) -> int:
    """Return a number with its first two digits: 1,900,000 of 1,987,654."""
    digits: int = 10 ** max(0, len(str(int(number))) - 2)
    return int(number) // digits * digits


class Meter:
    """Add up what is kept of a table; refuse it where that is more than the budget."""

    def __init__(self, what: str) -> None:
        self.what, self.size = what, 0.0

    def add(self, size: float) -> None:
        self.size += size
        require(self.size, f"{self.what} is too large")

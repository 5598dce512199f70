"""`verdict`, `criteria` and `report` of the examples, as multiples of their own replicates.

Wanted: at most twice the time that the blocks of replicates take, which an engine of ours measures:
what lies beyond is reading, testing, writing. Battle logs are rated.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import deadheat as dh
import timing
import workloads

WIDE = (30, 10_000)
EXAMPLES: tuple[str, ...] = dh.examples.names()
SIZES: dict[str, Any] = {}  # what each command takes by default
TRIALS: dict[str, Any] = {}
TOY = {
    "WIDE": (4, 30),
    "EXAMPLES": ("compressors",),
    "SIZES": {"replicates": 100},
    "TRIALS": {"trials": 20},
}


class Watched:
    """An engine that runs blocks one after the other and adds up what they take."""

    def __init__(self) -> None:
        self.seconds, self.blocks = 0.0, 0

    def map(self, fn: Callable[..., Any], *iterables: Iterable[Any]) -> Iterator[Any]:
        for arguments in zip(*iterables, strict=True):
            start = time.process_time()
            found = fn(*arguments)
            self.seconds += time.process_time() - start
            self.blocks += 1
            yield found


def asked(table: Any) -> dict[str, Callable[[Watched], object]]:
    found: dict[str, Callable[[Watched], object]] = {
        "report": lambda on: dh.report(table, engine=on, **SIZES).html()
    }
    if isinstance(table, dh.Battles):
        return found | {"rate": lambda on: dh.rate(table, engine=on, **SIZES)}
    return found | {
        "verdict": lambda on: dh.verdict(table, engine=on, **SIZES),
        "criteria": lambda on: dh.criteria(table, engine=on, **TRIALS),
    }


def run() -> Iterator[str]:
    """Yield the seconds of each command and how many times those of its blocks they are."""
    for call in asked(dh.examples.load("compressors")).values():
        call(Watched())  # what is loaded late is loaded now
    drawn = dh.Results(scores=workloads.paper_table(WIDE)[1], better="higher")
    tables = {name: dh.examples.load(name) for name in EXAMPLES}
    for name, table in (tables | {f"{WIDE[0]} x {WIDE[1]:,}": drawn}).items():
        for command, call in asked(table).items():
            watched = Watched()
            whole = timing.seconds(lambda: call(watched))  # noqa: B023
            yield (
                f"{name:12} {command:9} {timing.in_units(whole):>8} = "
                f"{timing.times(whole / max(watched.seconds, 1e-9)):>5} x its {watched.blocks:,} "
                f"blocks, {timing.in_units(watched.seconds)}"
            )

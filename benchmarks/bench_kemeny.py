"""Exact Kemeny rankings (W4): candidates of one table of 292 x 76, and random judges.

The loop finds the best order of every subset, which is exact up to about 20 candidates.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

import numpy as np

import deadheat as dh
import loops
import timing
import workloads
from deadheat.ranking.function import get

SIZES = (8, 12, 16, 20, 50, 100, 292)
LOOP = 16  # candidates up to which the loop runs
RANDOM = {40: 50, 60: 50, 80: 50}
LIMIT, REPLICATES = 20.0, 1_000
TOY = {"SIZES": (8, 12), "LOOP": 8, "RANDOM": {8: 5}, "LIMIT": 1.0, "REPLICATES": 10}


def solved(scores: workloads.Floats, *, limit: float = 60.0) -> tuple[float, str]:
    """Return CPU seconds of one consensus, and its status."""
    facts = {}

    def solve() -> None:
        table = dh.Results(scores=scores, better="higher")
        facts.update(dh.consensus(table, time_limit=limit).facts())

    took = timing.seconds(solve)
    gap = f", gap {facts['gap']:g}" if facts["gap"] else ""
    return took, f"{facts['status']}, objective {facts['objective']:,.1f}{gap}"


def run() -> Iterator[str]:
    """Yield seconds and status for each size, with highspy and without."""
    name, scores = workloads.paper_table()
    solved(scores[:30])  # what is loaded late is loaded now
    for n in SIZES:
        took, how = solved(scores[:n])
        line = f"{name:7} {n:4} x 76: {timing.in_units(took):>8}, {how}"
        if n <= LOOP:
            best = loops.kemeny(scores[:n])
            plain = timing.seconds(lambda: loops.kemeny(scores[:n]))  # noqa: B023
            line += f"; the loop {timing.times(plain / took)} x, objective {best:,.1f}"
        yield line
    for n, m in RANDOM.items():
        took, how = solved(workloads.random_table(n, m), limit=LIMIT)
        yield f"random  {n:4} x {m}: {timing.in_units(took):>8}, {how}"
    weights = np.random.default_rng(0).multinomial(76, np.full(76, 1 / 76), size=REPLICATES)
    for n in (8, 12, 20):
        each = timing.seconds(lambda: get("kemeny")(scores[:n], weights)) / REPLICATES  # noqa: B023
        yield f"as a function, {n} x 76: {timing.in_units(each)} a replicate"
    highspy = sys.modules.get("highspy")
    sys.modules["highspy"] = None  # type: ignore[assignment]
    try:
        took, how = solved(scores[: max(SIZES)])
        yield f"without highspy, {max(SIZES)} x 76: {timing.in_units(took)}, {how}"
    finally:
        del sys.modules["highspy"]
        if highspy is not None:
            sys.modules["highspy"] = highspy

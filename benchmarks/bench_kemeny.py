"""Exact Kemeny rankings (W4): candidates of one table of 292 x 76, and random judges.

The real table is used where the development data lie beside the checkout; else one of the same
size is drawn, with skills and noise. Figures called reachable, in CPU seconds: 0.01, 0.02,
0.01, 0.03 and 5.1 for 8, 20, 50, 100 and 292 candidates; 7.6 for 60 candidates and 50 random
judges.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

import deadheat as dh
from deadheat.ranking.function import get

REACHABLE = {8: 0.01, 20: 0.02, 50: 0.01, 100: 0.03, 292: 5.1}
RANDOM = {40: 50, 60: 50, 80: 50}
LIMIT, REPLICATES = 20.0, 1_000
TOY = {"REACHABLE": {8: 0.01, 20: 0.02}, "RANDOM": {8: 5}, "LIMIT": 1.0, "REPLICATES": 10}


def real() -> tuple[str, dh.Results]:
    """Return the table of the paper, or one that is drawn."""
    shared = Path(os.environ.get("DEADHEAT_SHARED") or Path(__file__).parents[2] / "shared")
    path = shared / "data" / "esann2021" / "OpenML.csv"
    if path.exists():
        return "OpenML", dh.read(path, better="higher")
    rng = np.random.default_rng(0)
    scores = rng.normal(size=(292, 1)) + rng.normal(size=(292, 76))
    return "drawn", dh.Results(scores=scores, better="higher")


def solved(table: dh.Results, *, limit: float = 60.0) -> str:
    """Return CPU seconds and status of one consensus."""
    start = time.process_time()
    facts = dh.consensus(table, time_limit=limit).facts()
    seconds = time.process_time() - start
    gap = f", gap {facts['gap']:g}" if facts["gap"] else ""
    return f"{seconds:6.2f} s, {facts['status']}, objective {facts['objective']:,.1f}{gap}"


def run() -> Iterator[str]:
    """Yield seconds and status for each size, with highspy and without."""
    name, table = real()
    dh.consensus(table.of_candidates(np.arange(30)))  # what is loaded late is loaded now
    for n, reachable in REACHABLE.items():
        part = table.of_candidates(np.arange(n))
        yield f"{name:7} {n:4} x 76: {solved(part)} (reachable {reachable} s)"
    for n, m in RANDOM.items():
        scores = np.random.default_rng(0).random((n, m))
        drawn = dh.Results(scores=scores, better="higher")
        yield f"random  {n:4} x {m}: {solved(drawn, limit=LIMIT)}"
    weights = np.random.default_rng(0).multinomial(76, np.full(76, 1 / 76), size=REPLICATES)
    for n in (8, 12, 20):
        start = time.process_time()
        get("kemeny")(table.scores[:n], weights)
        each = (time.process_time() - start) / len(weights)
        yield f"as a function, {n} x 76: {each * 1000:.2f} ms per replicate"
    highspy = sys.modules.get("highspy")
    part = table.of_candidates(np.arange(max(REACHABLE)))
    sys.modules["highspy"] = None  # type: ignore[assignment]
    try:
        yield f"without highspy, {part.n} x {part.m}: {solved(part)}"
    finally:
        del sys.modules["highspy"]
        if highspy is not None:
            sys.modules["highspy"] = highspy

"""Ranking functions under resampling of both axes (W1), against the matrix product.

The floor of W1, 292 x 76 and 10,000 trials, is 3.4e11 operations at the f32 peak of one core.
Wanted: no function of `--by all` takes more than 20 times what the average rank does.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

import deadheat as dh
import timing
import workloads
from deadheat.core.errors import TooLongError
from deadheat.ranking.function import get
from deadheat.resampling.plans import Bootstrap
from deadheat.resampling.replicate import replicate

SIX = ("mean", "median", "average_rank", "success_rate", "relative_difference", "copeland")
NINE = (*SIX, "success_rate_half", "relative_difference_ranks", "copeland_hard")
REPLICATES = 10_000
FEW = 200
OPERATIONS = 3.4e11  # of 10,000 trials of 292 x 76
SIZE = workloads.LARGE
UNIT = "average_rank"
TOY = {"REPLICATES": 20, "FEW": 4, "SIZE": (8, 12)}


def floor(size: tuple[int, int], trials: int) -> float:
    """Return the seconds that the operations of so many trials take at the f32 peak."""
    (n, m), (many, judges) = size, workloads.LARGE
    operations = OPERATIONS * trials / 10_000 * (n * n * m) / (many * many * judges)
    return operations / timing.product_speed()


def timed(name: str, replicates: int, engine: str = "serial") -> tuple[float, float]:
    """Return CPU and wall seconds of a function."""
    results = dh.Results(scores=workloads.paper_table(SIZE)[1], better="higher")
    plan = Bootstrap(over="both", replicates=replicates, seed=0)
    wall, cpu = time.perf_counter(), time.process_time()
    replicate(results, get(name), plan, on=engine)
    return time.process_time() - cpu, time.perf_counter() - wall


def run() -> Iterator[str]:
    """Yield seconds and ratios to the floor and to the average rank."""
    least = floor(SIZE, REPLICATES)
    name, _ = workloads.paper_table(SIZE)
    size = f"{name}, {SIZE[0]} x {SIZE[1]}"
    yield f"{size}, {REPLICATES:,} replicates: floor {timing.in_units(least)}"
    for f in dh.functions():
        timed(f.name, 2) if f.name != "kemeny" else None  # what is loaded late is loaded now
    unit = timed(UNIT, REPLICATES)[0]
    for f in sorted(dh.functions(), key=lambda f: f.name != UNIT):
        few = REPLICATES if f.name in NINE else FEW
        try:
            cpu = timed(f.name, few)[0] * REPLICATES / few
        except TooLongError as error:  # kemeny: cycles of so many candidates are not for replicates
            yield f"{f.name:26} refuses it: {error.fact}"
            continue
        note = "" if few == REPLICATES else f" (from {FEW})"
        yield (
            f"{f.name:26} {cpu:7.2f} s = {timing.times(cpu / least):>6} x floor, "
            f"{timing.times(cpu / unit):>6} x {UNIT}, cost {f.cost}{note}"
        )

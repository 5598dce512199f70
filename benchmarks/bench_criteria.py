"""Criteria on 292 x 76 and 13 x 66 (W1), against the matrix product and a loop in NumPy.

Wanted: trials of six functions within 2.5 x of the floor on one thread, of nine within 4 x, and
1.6 times as fast on two threads.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

import deadheat as dh
import loops
import timing
import workloads
from bench_functions import NINE, SIX, floor
from deadheat.criteria.api import criteria
from deadheat.criteria.criterion import CRITERIA
from deadheat.criteria.trials import Correlation, Stage, Task, measure_table
from deadheat.ranking.function import get
from deadheat.resampling.engines import engine
from deadheat.resampling.plans import Bootstrap

TRIALS = 10_000
FEW, LOOP = 1_000, 20
LARGE, SMALL = workloads.LARGE, workloads.SMALL
Q, SETS = 100, 10
TOY = {"TRIALS": 20, "FEW": 10, "LOOP": 2, "LARGE": (8, 12), "SMALL": (5, 8), "Q": 5, "SETS": 2}


def stages(trials: int) -> dict[str, Stage]:
    """Return what is timed: the trials, and stability over either axis."""
    known = CRITERIA.values()
    plan = Bootstrap(over="both", replicates=trials, seed=0)
    found = {"trials": Stage(criteria=tuple(c for c in known if c.over == "trials"), plan=plan)}
    for c in known:
        if c.over == "judges" or c.over == "candidates":
            found[c.name] = Stage(criteria=(c,), axis=c.over, q=Q, sets=SETS)
    return found


def timed(
    results: dh.Results,
    names: tuple[str, ...],
    stage: Stage,
    on: str = "serial",
    correlation: Correlation = "spearman",
) -> tuple[float, float]:
    """Return CPU and wall seconds of one stage."""
    functions = tuple(get(name) for name in names)
    task = Task(results=results, functions=functions, seed=0, correlation=correlation)
    with engine(on) as running:
        cpu, wall = time.process_time(), time.perf_counter()
        measure_table(task, (stage,), running, lambda _: None)
        return time.process_time() - cpu, time.perf_counter() - wall


def run() -> Iterator[str]:
    """Yield seconds, and ratios to the floor and to the loop."""
    for size in (LARGE, SMALL):
        name, scores = workloads.paper_table(size)
        results = dh.Results(scores=scores, better="higher")
        least = floor(size, TRIALS)
        yield f"{name}, {size[0]} x {size[1]}, {TRIALS:,} trials: floor {timing.in_units(least)}"
        timed(results, NINE, stages(10)["trials"])  # what is loaded late is loaded now
        plain = timing.seconds(lambda: loops.trials(scores, LOOP)) * TRIALS / LOOP  # noqa: B023
        for label, names in {"six": SIX, "nine": NINE}.items():
            cpu, _ = timed(results, names, stages(TRIALS)["trials"])
            yield (
                f"  trials of {label:4} {cpu:6.2f} s = {timing.times(cpu / least)} x floor, "
                f"{timing.times(plain / cpu)} x faster than the loop of six (from {LOOP})"
            )
        for label, stage in list(stages(TRIALS).items())[1:]:
            yield f"  {label:20} {timed(results, SIX, stage)[0]:6.2f} s"
        for label, stage in stages(FEW).items():
            cpu = timed(results, SIX, stage, correlation="kendall")[0]
            cpu *= TRIALS / FEW if label == "trials" else 1
            note = f" (from {FEW:,})" if label == "trials" else ""
            yield f"  {label:20} {cpu:6.2f} s by tau-b{note}"
    results = dh.Results(scores=workloads.paper_table(LARGE)[1], better="higher")
    one, two = (timed(results, SIX, stages(TRIALS)["trials"], f"threads:{k}")[1] for k in (1, 2))
    yield f"two threads {one / two:.2f} x as fast as one on {LARGE[0]} x {LARGE[1]}, by the clock"
    took = timing.alone(
        f"criteria(table, by={SIX}, trials={FEW}, q={Q}, repeats={SETS}, engine='serial')",
        before="import deadheat as dh, workloads\nfrom deadheat.criteria.api import criteria\n"
        f"table = dh.Results(scores=workloads.paper_table({LARGE})[1], better='higher')",
    )
    yield f"memory of everything beyond the table: {took.own / 1e3:.2f} GB"
    small = dh.Results(scores=workloads.paper_table(SMALL)[1], better="higher")
    cpu = timing.seconds(lambda: criteria(small, trials=TRIALS, q=Q, repeats=SETS))
    yield f"everything on {SMALL[0]} x {SMALL[1]}: {cpu:.1f} s"

"""Criteria on 292 x 76 and 13 x 66 (W1), against the matrix product.

Reachable: 11.1 s of CPU and 0.24 GB for the six functions of Pavao et al. with winner rank,
Condorcet rate and generalization over 10,000 trials of both axes where the floor of 3.4e11
operations takes 4.0 s, a ratio of 2.8; 18.3 s for both kinds of stability. On 13 x 66: 0.46 and
1.44 s.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator

import numpy as np

import deadheat as dh
from bench_functions import FLOOR, SIX, SQUARE, peak, table
from deadheat.criteria.api import criteria
from deadheat.criteria.criterion import CRITERIA
from deadheat.criteria.trials import Correlation, Stage, Task, measure_table
from deadheat.ranking.function import get
from deadheat.ranking.on_tables import PAPER
from deadheat.resampling.engines import engine
from deadheat.resampling.plans import Bootstrap

TRIALS = 10_000
FEW = 1_000
TABLE, SMALL = (292, 76), (13, 66)
Q, SETS = 100, 10
ALONE_TRIALS = 2_000
TOY = {
    "SQUARE": 100,
    "TRIALS": 20,
    "FEW": 10,
    "TABLE": (8, 12),
    "SMALL": (5, 8),
    "Q": 5,
    "SETS": 2,
    "ALONE_TRIALS": 20,
}
ALONE = """
import sys
sys.path.insert(0, {folder!r})
from bench_functions import SIX, table
from deadheat.criteria.api import criteria
def most():  # getrusage would count the parent of this process too
    return next(line.split()[1] for line in open("/proc/self/status") if "VmHWM" in line)
rows = table({size})
before = most()
criteria(rows, by=SIX, trials={trials}, q={q}, repeats={sets}, engine="serial")
print(before, most())
"""


def small() -> dh.Results:
    """Return a table of the size of AutoDL in Pavao et al."""
    rng = np.random.default_rng(2021)
    scores = rng.normal(size=(SMALL[0], 1)) + rng.normal(size=SMALL)
    return dh.Results(scores=(scores - scores.min() + 1).round(3), better="higher")


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
    fs = tuple(get(name) for name in names)
    task = Task(
        results=results,
        functions=fs,
        seed=0,
        correlation=correlation,
    )
    with engine(on) as running:
        cpu, wall = time.process_time(), time.perf_counter()
        measure_table(task, (stage,), running, lambda _: None)
        return time.process_time() - cpu, time.perf_counter() - wall


def run() -> Iterator[str]:
    """Yield seconds and ratios to the floor."""
    floor = FLOOR / peak(SQUARE)
    yield f"floor: {floor:.1f} s of CPU on this core"
    yield f"large: {TABLE[0]} x {TABLE[1]}, small: {SMALL[0]} x {SMALL[1]}"
    for label, results in {"large": table(TABLE), "small": small()}.items():
        timed(results, SIX, stages(10)["trials"])  # what is loaded late is loaded now
        for name, stage in stages(TRIALS).items():
            cpu, _ = timed(results, SIX, stage)
            ratio = f" = {cpu / floor:5.2f} x floor (reachable: 2.8)" if name == "trials" else ""
            yield f"{label}, six functions, {name:22} {cpu:6.2f} s{ratio}"
    more = stages(4 * FEW)["trials"]
    one, two = (timed(table(TABLE), SIX, more, f"threads:{k}")[1] for k in (1, 2))
    yield f"{'two threads':26} {one / two:7.2f} x as fast as one"
    cpu, _ = timed(table(TABLE), PAPER, stages(FEW)["trials"])
    yield f"the seven by default, trials: {cpu * TRIALS / FEW:.1f} s (from {FEW:,})"
    for name, stage in stages(FEW).items():
        cpu, _ = timed(table(TABLE), SIX, stage, correlation="kendall")
        yield f"tau-b, {name}: {cpu * (TRIALS / FEW if name == 'trials' else 1):.1f} s"
    folder = __file__.rpartition("/")[0]
    code = ALONE.format(folder=folder, size=TABLE, trials=ALONE_TRIALS, q=Q, sets=SETS)
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    before, after = map(int, done.stdout.split())
    yield f"memory beyond the start: {(after - before) / 1e6:.2f} GB (reachable: 0.24)"
    start = time.perf_counter()
    criteria(small(), trials=TRIALS, q=Q, repeats=SETS)
    yield f"everything on the small one: {time.perf_counter() - start:.1f} s on all cores"

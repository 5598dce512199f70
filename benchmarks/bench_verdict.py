"""Robust ranking, 10,000 replicates of the judges on four sizes (W2), against a loop in NumPy.

The loop draws indices and averages columns, replicate by replicate, as scripts do; it is run on few
replicates and extrapolated. Figures called reachable (seconds of CPU on one thread of a machine
with 86 GFLOP/s in f32): 0.13 with everything on 25 x 274, 0.2-0.4, 1.9 and 44 for the replicates
alone on the others, 0.82 GB in all on the last.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator

import numpy as np

import deadheat as dh
from bench_functions import SQUARE, peak
from deadheat.ranking.function import get
from deadheat.resampling.engines import one_blas_thread
from deadheat.resampling.plans import Bootstrap, blocks
from deadheat.resampling.replicate import replicate

SIZES = ((25, 274, 0.13), (62, 1_000, 0.4), (200, 10_000, 1.9), (1_000, 100_000, 44.0))
REPLICATES = 10_000
TOY = {"SQUARE": 100, "SIZES": ((3, 8, 0.0), (5, 20, 0.0)), "REPLICATES": 400}
SINGLE = 20_000_000  # cells from which the table is float32, as a caller of that size has it
ALONE = """
import numpy as np, deadheat as dh
scores = np.random.default_rng(0).random(({n}, {m}), dtype=np.{kind})
scores.flags.writeable = False  # so that nobody has to copy it
dh.verdict(dh.Results(scores=scores, better="higher"), by="{by}")
peak = next(line for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(peak.split()[1], scores.nbytes // 1000)
"""
MEMORY = (("float32", "mean"), ("float64", "average_rank"))


def table(n: int, m: int) -> dh.Results:
    """Return a table of plain random scores."""
    kind = np.float32 if n * m >= SINGLE else np.float64
    return dh.Results(scores=np.random.default_rng(0).random((n, m), dtype=kind), better="higher")


def loop(results: dh.Results, replicates: int) -> float:
    """Return the CPU seconds of a plain loop."""
    rng = np.random.default_rng(0)
    start = time.process_time()
    for _ in range(replicates):
        results.scores[:, rng.integers(0, results.m, results.m)].mean(axis=1)
    return time.process_time() - start


def drawing(results: dh.Results) -> float:
    """Return the CPU seconds of the random numbers alone."""
    plan = Bootstrap(replicates=REPLICATES)
    start = time.process_time()
    for k in blocks(plan, results.n, results.m):
        plan.draw(k, results.n, results.m)
    return time.process_time() - start


def replicated(results: dh.Results, engine: str, name: str = "mean") -> tuple[float, float]:
    """Return the CPU and wall seconds of the replicates alone."""
    cpu, wall = time.process_time(), time.perf_counter()
    replicate(results, get(name), Bootstrap(replicates=REPLICATES), on=engine)
    return time.process_time() - cpu, time.perf_counter() - wall


def run() -> Iterator[str]:
    """Yield seconds, ratios and shares for each size."""
    speed = peak(SQUARE)
    yield f"f32 matrix product: {speed / 1e9:.0f} GFLOP/s on one thread (reachable: at 86)"
    dh.verdict(table(5, 50), by="mean", replicates=100)  # what is loaded late is loaded now
    for n, m, reachable in SIZES:
        results = table(n, m)
        few = max(2, min(REPLICATES, 20_000_000 // (n * m)))
        with one_blas_thread():
            plain = loop(results, few) * REPLICATES / few
            bits = drawing(results)
        cpu, one = replicated(results, "serial")
        _, two = replicated(results, "threads:2")
        ranks, _ = replicated(results, "serial", "average_rank") if n < 1_000 else (np.nan, 0)
        start = time.process_time()
        dh.verdict(results, by="mean", engine="serial")
        whole = time.process_time() - start
        yield (
            f"{n:5} x {m:<7} replicates {cpu:6.2f} s = {plain / cpu:4.0f} x faster than the loop; "
            f"random numbers {bits / cpu:3.0%}; two threads {one / two:.2f} x; average_rank "
            f"{ranks:.2f} s; verdict {whole:6.2f} s (reachable {reachable})"
        )
    n, m, _ = SIZES[-1]
    for kind, by in MEMORY:
        code = ALONE.format(n=n, m=m, kind=kind, by=by)
        done = subprocess.run(
            [sys.executable, "-c", code], check=True, capture_output=True, text=True
        )
        most, own = map(int, done.stdout.split())
        yield (
            f"memory of a verdict by {by} on {n} x {m} {kind}: {most / 1e6:.2f} GB, of which "
            f"{own / 1e6:.2f} are the caller's table (reachable: 0.82 in all, float32)"
        )

"""Robust ranking, 10,000 replicates of the judges on four sizes (W2), against product and loop.

Wanted: 1000 x 100,000 within 1.6 times the floor, which is the matrix product of the weights and
the table. The loop draws indices and averages columns, replicate by replicate, as scripts do.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

import deadheat as dh
import loops
import timing
import workloads
from deadheat.ranking.function import get
from deadheat.resampling.engines import one_blas_thread
from deadheat.resampling.plans import Bootstrap, blocks
from deadheat.resampling.replicate import replicate

SIZES = ((25, 274), (62, 1_000), (200, 10_000), (1_000, 100_000))
REPLICATES = 10_000
TOY = {"SIZES": ((3, 8), (5, 20)), "REPLICATES": 400}
SINGLE = 20_000_000  # cells from which the table is float32, as a caller of that size has it
AFFORDED = 20_000_000  # cells of a table that the loop goes through
MEMORY = (("float32", "mean"), ("float64", "average_rank"))


def drawing(results: dh.Results) -> float:
    """Return the CPU seconds of the random numbers alone."""
    plan = Bootstrap(replicates=REPLICATES)

    def draw() -> None:
        for k in blocks(plan, results.n, results.m):
            plan.draw(k, results.n, results.m)

    return timing.seconds(draw)


def replicated(results: dh.Results, engine: str, name: str = "mean") -> tuple[float, float]:
    """Return the CPU and wall seconds of the replicates alone."""
    cpu, wall = time.process_time(), time.perf_counter()
    replicate(results, get(name), Bootstrap(replicates=REPLICATES), on=engine)
    return time.process_time() - cpu, time.perf_counter() - wall


def run() -> Iterator[str]:
    """Yield seconds, ratios and shares for each size."""
    yield f"f32 matrix product: {timing.product_speed() / 1e9:.0f} GFLOP/s on one thread"
    dh.verdict(dh.Results(scores=workloads.random_table(5, 50), better="higher"), replicates=100)
    for n, m in SIZES:
        scores = workloads.random_table(n, m, single=n * m >= SINGLE)
        results = dh.Results(scores=scores, better="higher")
        few = max(2, min(REPLICATES, AFFORDED // (n * m)))
        floor = 2.0 * n * m * REPLICATES / timing.product_speed()
        with one_blas_thread():
            loop = timing.seconds(lambda: loops.replicates_of_means(scores, few))  # noqa: B023
            plain, bits = loop * REPLICATES / few, drawing(results)
        cpu, one = replicated(results, "serial")
        _, two = replicated(results, "threads:2")
        extrapolated = f" (from {few:,})" if few < REPLICATES else ""
        yield (
            f"{n:5} x {m:<7} replicates {timing.in_units(cpu)} = {timing.times(cpu / floor)} x "
            f"floor, {timing.times(plain / cpu)} x faster than the loop{extrapolated}; random "
            f"numbers {bits / cpu:.0%}; two threads {one / two:.2f} x"
        )
        if n < 1_000:
            ranks, _ = replicated(results, "serial", "average_rank")
            yield f"{'':16}by average rank {timing.in_units(ranks)}"
        whole = timing.seconds(lambda: dh.verdict(results, by="mean", engine="serial"))  # noqa: B023
        yield f"{'':16}verdict {timing.in_units(whole)} = {whole / cpu:.2f} x the replicates"
    n, m = SIZES[-1]
    for kind, by in MEMORY:
        took = timing.alone(
            f"dh.verdict(dh.Results(scores=scores, better='higher'), by={by!r})",
            before="import deadheat as dh, workloads\n"
            f"scores = workloads.random_table({n}, {m}, single={kind == 'float32'})\n"
            "scores.flags.writeable = False  # so that nobody has to copy it",
        )
        yield f"verdict by {by} on {n} x {m} {kind}: {took.own / 1e3:.2f} GB beyond the table"

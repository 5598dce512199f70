"""Ranking functions on 292 x 76, 10,000 replicates of both axes (W1), against the matrix product.

The floor of W1 is 3.4e11 operations at the f32 peak of one core. The figure called reachable for
the six functions of Pavao et al. is 11.1 s where the floor is 4.0 s: a ratio of 2.8, and that
included three criteria on top of the functions, which this benchmark does not compute.
"""

from __future__ import annotations

import resource
import time
from collections.abc import Iterator

import numpy as np
from threadpoolctl import threadpool_limits

import deadheat as dh
from deadheat.core.errors import TooLongError
from deadheat.ranking.function import get
from deadheat.resampling.plans import Bootstrap
from deadheat.resampling.replicate import replicate

SIX = ("mean", "median", "average_rank", "success_rate", "relative_difference", "copeland")
NINE = (*SIX, "success_rate_half", "relative_difference_ranks", "copeland_hard")
REPLICATES = 10_000
FEW = 200
FLOOR = 3.4e11
SIZE = (292, 76)
SQUARE = 2_000  # the matrix of which the product is timed
TOY = {"SQUARE": 100, "REPLICATES": 20, "FEW": 4, "SIZE": (8, 12)}


def table(size: tuple[int, int]) -> dh.Results:
    """Return a table such as OpenML in Pavao et al., with rounded scores and ties."""
    rng = np.random.default_rng(2021)
    n, m = size
    skill, ease = rng.normal(size=(n, 1)), rng.normal(size=(1, m))
    scores = 1 / (1 + np.exp(-(skill + ease + rng.normal(size=(n, m)))))
    return dh.Results(scores=scores.round(4), better="higher")


def peak(size: int) -> float:
    """Return the f32 matrix products of one thread, in operations per second."""
    square = np.ones((size, size), dtype=np.float32)
    with threadpool_limits(limits=1, user_api="blas"):
        times = []
        for _ in range(4):
            start = time.process_time()
            _ = square @ square
            times.append(time.process_time() - start)
    return 2 * size**3 / max(min(times), 1e-9)


def timed(names: tuple[str, ...], replicates: int, engine: str = "serial") -> tuple[float, float]:
    """Return CPU and wall seconds of all functions, one after the other on the same replicates."""
    plan = Bootstrap(over="both", replicates=replicates, seed=0)
    wall, cpu = time.perf_counter(), time.process_time()
    for name in names:
        replicate(table(SIZE), get(name), plan, on=engine)
    return time.process_time() - cpu, time.perf_counter() - wall


def run() -> Iterator[str]:
    """Yield seconds and ratios to the floor, together and one by one."""
    floor = FLOOR / peak(SQUARE)
    yield f"floor: {floor:.1f} s of CPU on this core"
    for label, names in {"six functions": SIX, "nine registered": NINE}.items():
        cpu, _ = timed(names, REPLICATES)
        yield f"{label:26} {cpu:7.1f} s = {cpu / floor:5.2f} x floor (reachable: 2.8)"
    largest = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    yield f"{'memory of all so far':26} {largest:7.2f} GB (reachable: 0.24)"
    one, two = (timed(SIX, REPLICATES, f"threads:{k}")[1] for k in (1, 2))
    yield f"{'two threads':26} {one / two:7.2f} x as fast as one"
    for f in dh.functions():
        few = REPLICATES if f.name in SIX else FEW
        try:
            cpu = timed((f.name,), few)[0] * REPLICATES / few
        except TooLongError as error:  # kemeny: cycles of so many candidates are not for replicates
            yield f"{f.name:26} refuses it: {error.fact}"
            continue
        note = "" if few == REPLICATES else f" (from {FEW})"
        yield f"{f.name:26} {cpu:7.1f} s = {cpu / floor:5.2f} x floor, cost {f.cost}{note}"

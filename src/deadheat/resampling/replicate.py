"""Ranking function x plan x engine -> merits of every replicate."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np

from deadheat.core.errors import TooLongError
from deadheat.core.memory import require_count
from deadheat.core.types import Floats
from deadheat.data.results import Results
from deadheat.ranking.contributions import Contributions, contributions
from deadheat.ranking.function import RankingFunction
from deadheat.ranking.on_tables import merits_of, require_usable
from deadheat.resampling import plans
from deadheat.resampling.engines import Engine, Progress, engine, with_progress

# Replicates, block by block.

Part = TypeVar("Part")
STEPS_AT_ONCE = 5_000_000_000  # of functions that go through pairs: a few seconds
PRODUCTS_AT_ONCE = 20_000_000  # of weights and contributions: a few milliseconds
CELLS_AT_ONCE = 200_000  # of small tables, for which calling a function is most of the work
WAYS_AT_ONCE = 2**14  # to choose among the candidates, by functions that go through them
BYTES_PER_MERIT = 32  # with what a verdict makes of it: ranks, quantiles, counts
BYTES_PER_REPLICATE = 64  # with what a comparison makes of it: differences, places, quantiles
SECONDS_PER_MERIT = 4e-7
SECONDS_PER_CELL = 1e-9
SECONDS_PER_PRODUCT = 1e-10  # of a weight and a contribution
SECONDS_PER_SUM = 2e-8  # of such products, with what it is compared with


@dataclass(frozen=True, eq=False)
class _Task:
    results: Results
    f: RankingFunction
    plan: plans.Plan
    contributions: Contributions | None
    of: Callable[[Floats], Any] | None = None  # what to make of merits, from ``since`` on
    since: int = 0
    known: dict[object, Floats] = field(default_factory=dict)
    stopped: list[bool] = field(default_factory=list)  # not empty once nobody waits any more

    def __call__(self, k: int) -> Any:
        n, m = self.results.n, self.results.m
        weights, block = self.plan.whole_block(k, n, m), plans.rows_of(self.plan, k, n, m)
        parts = []
        for rows, number in plans.tiles(len(block), self._tile() or len(block)):
            if self.stopped:
                raise KeyboardInterrupt
            judges, candidates = weights.judges[rows], weights.candidates[rows]
            if self.contributions is not None:
                parts.append(self.contributions.merits(judges)[:number])
                continue
            try:
                found = merits_of(self.results, [self.f], judges, candidates, known=self.known)
            except TooLongError as error:
                raise error.resampled() from None
            parts.append(found[self.f.name][:number])
        merits = np.concatenate(parts)
        return self.of(merits[max(0, self.since - block.start) :]) if self.of else merits

    def _tile(self) -> int:
        """Return how many replicates the function sees at a time, by the table; 0: one by one."""
        f, n, m = self.f, self.results.n, self.results.m
        if f.form == "table":
            return 0
        if self.contributions is not None:
            return max(plans.TILE, min(plans.LARGEST_BLOCK, PRODUCTS_AT_ONCE // (n * m)))
        most = max(plans.TILE, min(plans.LARGEST_BLOCK, CELLS_AT_ONCE // (n * m)))
        if f.slow:
            most = max(plans.SMALL_TILE, min(most, WAYS_AT_ONCE >> n))
        steps = n * n * (n + m) if f.pairwise else n * m
        return max(1, min(most, STEPS_AT_ONCE // steps))


def replicate(
    results: Results,
    f: RankingFunction,
    plan: plans.Plan,
    *,
    on: str | Engine = "threads",
    progress: Progress | None = None,
) -> tuple[Floats, Contributions | None]:
    """Return the merits (B, n) of every replicate of a plan, and what each judge gives to them.

    Tasks are block numbers and workers draw their own weights, so that no engine changes the
    answer. Nor does the number of replicates: tiles of a fixed size are computed at a time.
    """
    require_usable(results, f)
    _require_room(results, f, plan)
    merits: Floats = np.empty((0, results.n))
    numbers, done = plans.blocks(plan, results.n, results.m), 0
    with _at_work(on, results, f, plan) as (running, task):
        for rows in with_progress(running.map(task, numbers), len(numbers), progress):
            if done == 0:
                merits = np.empty((plan.replicates, results.n), dtype=rows.dtype)
            merits[done : done + len(rows)] = rows
            done += len(rows)
    return merits, task.contributions


@contextmanager
def _at_work(
    on: str | Engine, results: Results, f: RankingFunction, plan: plans.Plan, *reducing: Any
) -> Iterator[tuple[Engine, _Task]]:
    with engine(on) as running:
        gives = contributions(results, f) if plan.one_field else None
        task = _Task(results, f, plan, gives, *reducing)
        try:
            yield running, task
        except BaseException:  # an interrupt above all: threads that are at work see it too
            task.stopped.append(True)
            raise


def reduce_blocks(
    results: Results,
    f: RankingFunction,
    plan: plans.Plan,
    of: Callable[[Floats], Part],
    *,
    since: int = 0,
    on: str | Engine = "threads",
    progress: Progress | None = None,
) -> Iterator[Part]:
    """Yield what a function makes of the merits of each block, from replicate ``since`` on."""
    every = plans.blocks(plan, results.n, results.m)
    numbers = every[since // plans.block_size(results.n, results.m) :]
    with _at_work(on, results, f, plan, of, since) as (running, task):
        yield from with_progress(running.map(task, numbers), len(numbers), progress)


def seconds(results: Results, f: RankingFunction, plan: plans.Plan) -> float:
    n, m = results.n, results.m
    cells = n * m * SECONDS_PER_PRODUCT
    if not f.additive or results.has_holes:
        cells = n * m * SECONDS_PER_CELL + n * n * (n + m) * SECONDS_PER_CELL * f.pairwise
    return plan.replicates * (cells + n * SECONDS_PER_SUM)


def _require_room(results: Results, f: RankingFunction, plan: plans.Plan) -> None:
    n, m = results.n, results.m
    cells = n * m + n * n * (n + m) * f.pairwise
    if plan.random:
        require_count(
            plan.replicates,
            "replicates",
            option="replicates",
            bytes_each=BYTES_PER_MERIT * n + BYTES_PER_REPLICATE,
            seconds_each=SECONDS_PER_MERIT * n + SECONDS_PER_CELL * cells,
        )

"""Ranking functions x plan x engine -> merits of every replicate."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np

from deadheat.data.results import Results
from deadheat.errors import TooLongError
from deadheat.ranking.contributions import Contributions, contributions
from deadheat.ranking.function import RankingFunction
from deadheat.ranking.table import merits_of, require_usable
from deadheat.resampling.engine import Engine, engine
from deadheat.resampling.plans import Plan, Weights, blocks
from deadheat.typing import Floats

Part = TypeVar("Part")
STEPS_AT_ONCE = 5_000_000_000  # of functions that go through pairs: a few seconds
Progress = Callable[[int, int], None]


@dataclass(frozen=True, eq=False, kw_only=True)
class Replicates:
    """Hold the merits (B, n) of every replicate by every function, by name."""

    results: Results
    functions: tuple[RankingFunction, ...]
    plan: Plan
    merits: dict[str, Floats]
    contributions: Mapping[str, Contributions | None]
    """What each judge gives, for the functions that are means over the judges."""


@dataclass(frozen=True, eq=False)
class _Task:
    """Everything a worker needs besides the number of its block."""

    results: Results
    functions: tuple[RankingFunction, ...]
    plan: Plan
    contributions: Mapping[str, Contributions | None]
    known: dict[object, Floats] = field(default_factory=dict)
    stopped: list[bool] = field(default_factory=list)
    """Not empty once nobody waits for the answer any more."""

    def __call__(self, k: int) -> dict[str, Floats]:
        """Return the merits of block k, by function."""
        weights = self.plan.draw(k, self.results.n, self.results.m)
        found: dict[str, Floats] = {}
        for name, known in self.contributions.items():
            if known is not None:
                found[name] = known.merits(weights.judges)
        rest = [f for f in self.functions if f.name not in found]
        if rest:
            parts = [self._merits(rest, weights, rows) for rows in self._rows(rest, weights)]
            found |= {f.name: np.concatenate([part[f.name] for part in parts]) for f in rest}
        return found

    def _rows(self, rest: list[RankingFunction], weights: Weights) -> Iterator[slice]:
        """Yield so few replicates that an interrupt need not wait long for them."""
        n, m = self.results.n, self.results.m
        steps = n * n * (n + m) if any(f.pairwise for f in rest) else n * m
        size = max(1, STEPS_AT_ONCE // steps)
        for start in range(0, len(weights.judges), size):
            if self.stopped:
                raise KeyboardInterrupt
            yield slice(start, start + size)

    def _merits(
        self, rest: list[RankingFunction], weights: Weights, rows: slice
    ) -> dict[str, Floats]:
        judges, candidates = weights.judges[rows], weights.candidates[rows]
        try:
            return merits_of(self.results, rest, judges, candidates, known=self.known)
        except TooLongError as error:
            raise error.resampled() from None


def replicate(
    results: Results,
    functions: Sequence[RankingFunction],
    plan: Plan,
    *,
    on: str | Engine = "threads",
    progress: Progress | None = None,
) -> Replicates:
    """Apply functions to every replicate of a plan; all see the same replicates.

    Tasks are block numbers and workers draw their own weights, so the engine and the number of
    workers never change the answer. ``progress`` is called with the number of blocks that are done
    and that there are.
    """
    for f in functions:
        require_usable(results, f)
    merits: dict[str, Floats] = {}
    numbers = blocks(plan, results.n, results.m)
    done = 0
    stopped: list[bool] = []
    with engine(on) as running:
        alone = {f.name: contributions(results, f) if plan.one_field else None for f in functions}
        task = _Task(results, tuple(functions), plan, alone, stopped=stopped)
        try:
            for part in watched(running.map(task, numbers), len(numbers), progress):
                for name, rows in part.items():
                    if done == 0:
                        merits[name] = np.empty((plan.replicates, results.n), dtype=rows.dtype)
                    merits[name][done : done + len(rows)] = rows
                done += len(rows)
        except BaseException:  # an interrupt above all: threads that are at work see it too
            stopped.append(True)
            raise
    return Replicates(
        results=results,
        functions=tuple(functions),
        plan=plan,
        merits=merits,
        contributions=alone,
    )


def watched(parts: Iterable[Part], number: int, progress: Progress | None) -> Iterator[Part]:
    """Yield parts and tell ``progress`` after each how many there were, and of how many."""
    for done, part in enumerate(parts, start=1):
        yield part
        if progress is not None:
            progress(done, number)

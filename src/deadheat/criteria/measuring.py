"""Tables x functions x criteria -> values of every trial, wherever the work runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from deadheat.criteria.criterion import Criterion, Measured
from deadheat.criteria.resamples import Axis, Stability, resamples_of
from deadheat.criteria.trial import Task, trials_of
from deadheat.data.results import Results
from deadheat.resampling.engine import Engine
from deadheat.resampling.plans import Bootstrap, blocks, rows_of, tiles
from deadheat.resampling.replicate import Progress
from deadheat.typing import Floats

TRIALS = 100  # that are measured together


@dataclass(frozen=True, eq=False, kw_only=True)
class Stage:
    """Hold criteria that are measured on the same tables, and how these are drawn.

    ``sets`` is the number of sets of ``q`` tables for criteria that compare rankings with each
    other; ``plan`` draws the trials of the others.
    """

    criteria: tuple[Criterion, ...]
    plan: Bootstrap | None = None
    axis: Axis = "judges"
    q: int = 0
    sets: int = 0
    stability: Stability = "mean"

    def parts(self, results: Results) -> range:
        """Return the numbers of the parts of the work."""
        return range(self.sets) if self.plan is None else blocks(self.plan, results.n, results.m)

    def work(self, results: Results, k: int) -> int:
        """Return how much work part k is: the cells of the tables that are ranked."""
        tables = self.q if self.plan is None else len(rows_of(self.plan, k, results.n, results.m))
        return tables * results.n * results.m

    def measured(self, task: Task, k: int) -> Iterator[tuple[Criterion, Measured]]:
        """Yield what each criterion finds in part k, which depends on (seed, k) alone."""
        if self.plan is None:
            drawn = resamples_of(task, self.axis, k, self.q, self.stability)
            yield from ((criterion, criterion.measure(drawn)) for criterion in self.criteria)
            return
        n, m = task.results.n, task.results.m
        weights = self.plan.whole_block(k, n, m)
        for rows, asked in tiles(len(rows_of(self.plan, k, n, m)), TRIALS):
            some = weights.rows(rows)
            trials = trials_of(task, some.judges, some.candidates, (0, k), first=rows.start)
            for criterion in self.criteria:
                yield criterion, criterion.measure(trials).first(asked)


@dataclass(frozen=True, eq=False)
class _Work:
    """Everything a worker needs besides the numbers of its stage and part."""

    task: Task
    stages: tuple[Stage, ...]

    def __call__(self, job: tuple[int, int]) -> list[tuple[str, Measured]]:
        """Return what the criteria of a stage find in one part, by name."""
        stage, k = job
        return [(c.name, found) for c, found in self.stages[stage].measured(self.task, k)]


@dataclass(frozen=True, eq=False, kw_only=True)
class TableValues:
    """Hold the values (F, B) of every criterion on one table, by name, and what was skipped."""

    results: Results
    values: Mapping[str, Floats]
    counts: Mapping[str, int]

    def means(self, name: str) -> Floats:
        """Return the mean of a criterion over the trials that define it, by function, (F,)."""
        return moments(self.values[name])[0]

    def errors(self, name: str) -> Floats:
        """Return the Monte-Carlo error of the mean, by function, (F,)."""
        return moments(self.values[name])[1]

    def cases(self, name: str) -> int:
        """Return how many trials define a criterion for any function."""
        return int((~np.isnan(self.values[name])).any(axis=0).sum())


class Meter:
    """Tell how much of the work on all tables is done; a large table is more of it."""

    def __init__(
        self, tasks: Sequence[Task], stages: tuple[Stage, ...], tell: Progress | None
    ) -> None:
        self.done, self.tell = 0, tell
        self.number = sum(
            stage.work(task.results, k)
            for task in tasks
            for stage in stages
            for k in stage.parts(task.results)
        )

    def add(self, work: int) -> None:
        """Count work as done."""
        self.done += work
        if self.tell is not None:
            self.tell(self.done, self.number)


def measured_on(
    task: Task, stages: tuple[Stage, ...], running: Engine, meter: Meter
) -> TableValues:
    """Measure every criterion of every stage on one table; the engine never changes the answer."""
    jobs = [(s, k) for s, stage in enumerate(stages) for k in stage.parts(task.results)]
    found: dict[str, list[Floats]] = {c.name: [] for stage in stages for c in stage.criteria}
    counts: Counter[str] = Counter()
    answers = running.map(_Work(task, stages), jobs)
    for (s, k), answer in zip(jobs, answers, strict=True):
        for name, measured in answer:
            found[name].append(measured.values)
            counts.update({f"{name}: {why}": int(x.sum()) for why, x in measured.counts.items()})
        meter.add(stages[s].work(task.results, k))
    values = {name: np.concatenate(parts, axis=1) for name, parts in found.items()}
    return TableValues(results=task.results, values=values, counts=dict(counts))


def moments(values: Floats) -> tuple[Floats, Floats]:
    """Return mean and standard error over the last axis, of what is defined; NaN where nothing is.

    One value alone has no standard error.
    """
    there = ~np.isnan(values)
    number = there.sum(axis=-1)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = np.where(there, values, 0.0).sum(axis=-1) / number
        apart = np.where(there, values - mean[..., None], 0.0)
        error = np.sqrt((apart**2).sum(axis=-1) / (number - 1) / number)
    return np.where(number > 0, mean, np.nan), np.where(number > 1, error, np.nan)

"""A block of trials: resampled tables, ranked by every function, and what the criteria share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Literal

import numpy as np

from deadheat.core.errors import UsageError, quoted
from deadheat.core.types import Booleans, Floats, Integers
from deadheat.criteria.criterion import Criterion, Measurement
from deadheat.data.results import Results
from deadheat.ranking.block import tie_groups
from deadheat.ranking.contributions import Contributions, contributions
from deadheat.ranking.function import RankingFunction, get
from deadheat.ranking.on_tables import merits_of
from deadheat.ranking.ranks import best_of, levels, ranks
from deadheat.resampling.draws import multiplicities, stream
from deadheat.resampling.engines import Engine
from deadheat.resampling.plans import Bootstrap, blocks, rows_of, tiles

BASELINE = "random_dictator"
DICTATOR = 1  # the key of the random numbers that choose a judge
KEYS = {"judges": 2, "candidates": 3}  # and of those that resample one axis; trials have their own
MANY = 1_000  # judges: below this there is nothing to gain from few orders
SHARE = 4  # judges per order on average, at least
TRIALS = 100  # that are measured together
ALPHA = 0.05
ROUNDING = 1e-12
Axis = Literal["judges", "candidates"]
Correlation = Literal["spearman", "kendall"]
Stability = Literal["mean", "kendall_w"]


@dataclass(frozen=True, eq=False)
class Levels:
    """Per judge, the candidates in order and each one's first and last place, (m, n), from 0 on."""

    order: Integers
    first: Integers
    last: Integers
    strict: bool  # no judge ties anybody

    def of(self, judges: Integers) -> Levels:
        return Levels(self.order[judges], self.first[judges], self.last[judges], self.strict)


@dataclass(frozen=True, eq=False)
class Orders:
    """Judges that order alike as one: as levels, and as a table with a judge for each order."""

    levels: Levels
    table: Results
    judges: Integers  # those of one order together
    starts: Integers  # where each order begins among them

    def weight_sums(self, weights: Floats) -> Floats:
        together = np.asarray(weights, dtype=np.float64)[:, self.judges]
        return np.asarray(np.add.reduceat(together, self.starts, axis=1))


@dataclass(frozen=True, eq=False, kw_only=True)
class Task:
    """A table, the functions to measure on it, and how."""

    results: Results
    functions: tuple[RankingFunction, ...]
    seed: int
    benchmark: str = ""  # what the table is one of, or else its name
    correlation: Correlation = "spearman"
    notebook: bool = False  # copies are candidates, and of tied winners the first alone counts
    known: dict[object, Floats] = field(default_factory=dict, repr=False)
    known_orders: dict[object, Floats] = field(default_factory=dict, repr=False)

    @cached_property
    def levels(self) -> Levels:
        """The judges in order; scores within the tie tolerance are level."""
        found = tie_groups(levels(self.results.scores, tolerance=self.results.tie_tol))
        order, first, last = (np.ascontiguousarray(part.T) for part in found)
        return Levels(order, first, last, bool((first == last).all()))

    @cached_property
    def orders(self) -> Orders | None:
        """The different orders of the judges where they are few, else None."""
        results = self.results
        if results.m < MANY:
            return None
        _, one, which = np.unique(self.levels.first, axis=0, return_index=True, return_inverse=True)
        if SHARE * len(one) > results.m:
            return None
        judges = np.argsort(which.ravel(), kind="stable")
        starts = np.searchsorted(which.ravel()[judges], np.arange(len(one)))
        orders = self.levels.of(one)
        scores, names = -orders.first.T.astype(np.float64), results.candidates
        table = Results(scores=scores, better="higher", candidates=names, source=results.source)
        return Orders(orders, table, judges, starts)

    def by_order(self, weights: Floats) -> tuple[Levels, Floats]:
        """Return the orders of the judges and their weights (B, D); of each judge if unlike."""
        if self.orders is None:
            return self.levels, weights
        return self.orders.levels, self.orders.weight_sums(weights)

    @cached_property
    def units(self) -> dict[str, Floats | float]:
        scores, weights = self.results.scores, self.results.weights
        return {f.name: f.unit(scores, weights) for f in self.functions}

    @cached_property
    def alone(self) -> dict[str, Contributions | None]:
        return {f.name: contributions(self.results, f) for f in self.functions}

    def ranks_and_merits(
        self, judges: Floats, candidates: Floats, key: tuple[int, ...], *also: str, first: int = 0
    ) -> tuple[Integers, dict[str, Floats]]:
        """Return dense ranks (F, B, n), 0 = absent, and all merits, from trial ``first`` on."""
        fs = list(dict.fromkeys((*self.functions, *map(get, also))))
        merits: dict[str, Floats] = {}
        if (candidates == 1).all():
            alone = ((f, self.alone.get(f.name)) for f in fs)
            merits = {f.name: parts.merits(judges) for f, parts in alone if parts is not None}
        if self.orders is not None:  # functions that see nothing but orders
            ordinal = [f for f in fs if f.name not in merits and f.scale == "ordinal" and f.shipped]
            weights = self.orders.weight_sums(judges * self.results.weights)
            table, known = self.orders.table, self.known_orders
            merits |= merits_of(table, ordinal, weights, candidates, known=known)
        rest = [f for f in fs if f.name not in merits]
        merits |= merits_of(self.results, rest, judges, candidates, known=self.known)
        present = np.broadcast_to(candidates > 0, (len(judges), self.results.n))
        found = np.zeros((len(self.functions) + 1, *present.shape), dtype=np.int32)
        for row, f in zip(found, self.functions, strict=False):
            lost = np.isnan(merits[f.name]) & present
            if lost.any():
                name = quoted(self.results.candidates[int(np.argwhere(lost)[0, 1])])
                raise UsageError(
                    f"ranking function {f.name} returned NaN for candidate {name} in a resampled "
                    "table, where judges and candidates are there several times or not at all.",
                    hint="a merit is a number for every candidate that is there; check what the "
                    "function does with ties, constant scores and few judges.",
                )
            dense = ranks(merits[f.name], convention="dense", unit=self.units[f.name])
            row[present] = dense[present]
        # The baseline is the ranking of one judge per trial, at random among those drawn.
        chances = stream(self.seed, DICTATOR, *key).random(first + len(judges))[first:]
        reach = np.cumsum(judges * self.results.weights, axis=1)
        dictator = (reach > (chances * reach[:, -1])[:, None]).argmax(axis=1)
        places = np.where(present, self.levels.first[dictator], self.results.n)
        best = places == places.min(axis=1, keepdims=True)
        found[-1] = np.where(present, np.where(best, 1, places + 1), 0)
        return found, merits


def doubled_centred_ranks(groups: Integers, copies: Floats) -> Floats:
    """Return twice the centred rank, (B, n), of groups of ties, 1 = first; copies sum to 0."""
    rows, n = groups.shape
    cell = groups + (np.arange(rows) * (n + 1))[:, None]  # group 0 holds the absent
    sizes = np.bincount(cell.ravel(), weights=copies.ravel(), minlength=rows * (n + 1))
    sizes = sizes.reshape(rows, n + 1)
    sizes[:, 0] = 0
    upto = np.cumsum(sizes, axis=1).ravel()[cell]
    above = upto - sizes.ravel()[cell]
    return np.asarray(above + upto - copies.sum(axis=1, keepdims=True, dtype=np.float64))


@dataclass(frozen=True, eq=False, kw_only=True)
class Trials:
    """A block of B resampled tables: weights, rankings, and what follows from them."""

    task: Task
    judges: Floats  # how often each was drawn, before the weights of the table, (B, m)
    candidates: Floats  # how often each was drawn, (B, n)
    groups: Integers  # the places of groups of ties, 1 = first, 0 = absent, (F, B, n)
    merits: Mapping[str, Floats]

    @property
    def present(self) -> Booleans:
        return self.candidates > 0

    @cached_property
    def copies(self) -> Floats:
        """How often each candidate counts where rankings are compared: once, if it is there."""
        return np.asarray(self.candidates if self.task.notebook else self.present, np.float32)

    @cached_property
    def field_sizes(self) -> Floats:
        """The number of candidates of each table, copies counted, (B,)."""
        return np.asarray(self.candidates.sum(axis=1, dtype=np.float64))

    @cached_property
    def distinct(self) -> Integers:
        return np.asarray(np.count_nonzero(self.present, axis=1))

    @cached_property
    def shares(self) -> Floats:
        """The share of each candidate in first place, (F, B, n): 1 divided by all who share it."""
        first = self.groups == 1
        if self.task.notebook:
            first &= np.cumsum(first, axis=2) == 1
        return np.asarray(first / np.maximum(first.sum(axis=2, keepdims=True), 1))

    @property
    def mean_ranks(self) -> Floats:
        """The mean rank of each candidate over the judges, copies counted, (B, n)."""
        return -self.merits["average_rank"]

    @cached_property
    def condorcet(self) -> Booleans:
        """Who beats every other candidate by more judges than not, (B, n), by Copeland's merit."""
        led = (2 * self.merits["copeland"] - 1) * (self.field_sizes[:, None] - 1)
        with np.errstate(invalid="ignore"):
            beats_all = np.rint(led) == self.field_sizes[:, None] - self.candidates
        return np.asarray(beats_all & self.present & (self.distinct > 1)[:, None])


def trials_of(
    task: Task, judges: Floats, candidates: Floats, key: tuple[int, int], *, first: int = 0
) -> Trials:
    also = ("average_rank", "copeland")
    groups, merits = task.ranks_and_merits(judges, candidates, key, *also, first=first)
    return Trials(task=task, judges=judges, candidates=candidates, groups=groups, merits=merits)


@dataclass(frozen=True, eq=False, kw_only=True)
class Resamples:
    """The q rankings by each of F functions, dense ranks (F, q, n), 0 = absent."""

    task: Task
    groups: Integers
    stability: Stability = "mean"


def resamples_of(task: Task, axis: Axis, k: int, q: int, stability: Stability) -> Resamples:
    """Resample one axis q times and rank; set k depends on (seed, k) alone."""
    rng = stream(task.seed, KEYS[axis], k)
    candidates, judges = (
        multiplicities(rng, q, size) if axis == drawn else np.ones((q, size), dtype=np.float32)
        for drawn, size in zip(("candidates", "judges"), task.results.scores.shape, strict=True)
    )
    groups, _ = task.ranks_and_merits(judges, candidates, (KEYS[axis], k))
    return Resamples(task=task, groups=groups, stability=stability)


# ------------------------------------------------------------------------------
# Tables x functions x criteria -> values of every trial, wherever the work runs.


@dataclass(frozen=True, eq=False, kw_only=True)
class Stage:
    """Criteria that are measured on the same tables: of a plan, or of sets of q tables."""

    criteria: tuple[Criterion, ...]
    plan: Bootstrap | None = None
    axis: Axis = "judges"
    q: int = 0
    sets: int = 0
    stability: Stability = "mean"

    def parts(self, results: Results) -> range:
        return range(self.sets) if self.plan is None else blocks(self.plan, results.n, results.m)

    def work(self, results: Results, k: int) -> int:
        """Return the cells of the tables that are ranked in part k."""
        tables = self.q if self.plan is None else len(rows_of(self.plan, k, results.n, results.m))
        return tables * results.n * results.m

    def measure(self, task: Task, k: int) -> Iterator[tuple[str, Measurement]]:
        """Yield what each criterion finds in part k, which depends on (seed, k) alone."""
        if self.plan is None:
            resamples = resamples_of(task, self.axis, k, self.q, self.stability)
            yield from ((c.name, c.measure(resamples)) for c in self.criteria)
            return
        n, m = task.results.n, task.results.m
        weights = self.plan.whole_block(k, n, m)
        for rows, size in tiles(len(rows_of(self.plan, k, n, m)), TRIALS):
            some = weights.rows(rows)
            trials = trials_of(task, some.judges, some.candidates, (0, k), first=rows.start)
            for c in self.criteria:
                whole = c.measure(trials)
                counts = {reason: each[:size] for reason, each in whole.counts.items()}
                yield c.name, Measurement(whole.values[:, :size], counts)


def _work(
    task: Task, stages: Sequence[Stage], job: tuple[int, int]
) -> list[tuple[str, Measurement]]:
    return list(stages[job[0]].measure(task, job[1]))


@dataclass(frozen=True, eq=False, kw_only=True)
class TableValues:
    """The values (F, B) of every criterion on one table, by name, and what was skipped."""

    results: Results
    values: Mapping[str, Floats]
    counts: Mapping[str, int]
    benchmark: str

    def means(self, name: str) -> Floats:
        return moments(self.values[name])[0]

    def cases(self, name: str) -> int:
        return int((~np.isnan(self.values[name])).any(axis=0).sum())


def measure_table(
    task: Task, stages: Sequence[Stage], running: Engine, tell: Callable[[int], None]
) -> TableValues:
    """Measure every criterion of every stage on one table, and tell how much work is done."""
    jobs = [(s, k) for s, stage in enumerate(stages) for k in stage.parts(task.results)]
    found: dict[str, list[Floats]] = {c.name: [] for stage in stages for c in stage.criteria}
    counts: Counter[str] = Counter()
    answers = running.map(partial(_work, task, stages), jobs)
    for (s, k), answer in zip(jobs, answers, strict=True):
        for name, measured in answer:
            found[name].append(measured.values)
            counts.update({f"{name}: {why}": int(x.sum()) for why, x in measured.counts.items()})
        tell(stages[s].work(task.results, k))
    nothing = np.empty((len(task.functions) + 1, 0))
    values = {name: np.concatenate([nothing, *parts], axis=1) for name, parts in found.items()}
    benchmark = task.benchmark or task.results.source
    return TableValues(
        results=task.results, values=values, counts=dict(counts), benchmark=benchmark
    )


# ------------------------------------------------------------------------------
# Which functions cannot be told apart by a criterion: paired differences and their margin.


def moments(values: Floats) -> tuple[Floats, Floats]:
    """Return mean and standard error over the last axis, of what is defined; NaN where unknown."""
    there = ~np.isnan(values)
    number = there.sum(axis=-1)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = np.where(there, values, 0.0).sum(axis=-1) / number
        apart = np.where(there, values - mean[..., None], 0.0)
        error = np.sqrt((apart**2).sum(axis=-1) / (number - 1) / number)
    return np.where(number > 0, mean, np.nan), np.where(number > 1, error, np.nan)


def mean_and_error(means: Floats) -> tuple[Floats, Floats]:
    """Return the mean over tables (T, F) -> (F,) and its standard error over them."""
    return moments(np.ascontiguousarray(means.T))


def by_benchmark(tables: Sequence[TableValues], values: Floats) -> Floats:
    """Return the mean over the tables of each benchmark, (T, F) -> (benchmarks, F)."""
    labels = [table.benchmark for table in tables]
    members = [[k for k, own in enumerate(labels) if own == name] for name in dict.fromkeys(labels)]
    if len(members) == len(labels):
        return values
    return np.stack([moments(values[some].T)[0] for some in members])


@dataclass(frozen=True, eq=False)
class Lead:
    """By how much the best function leads each, (F,), and who cannot be told from it."""

    best: int
    differences: Floats
    level: Booleans


def lead_of(tables: Sequence[TableValues], name: str, rivals: int) -> Lead | None:
    """Return how far the best function leads by a criterion, or None where nobody has a value.

    Differences are taken trial by trial, and over several tables table by table (or benchmark by
    benchmark). Margins are those
    of all pairs (Bonferroni), because the same values choose the best.
    """
    values = [table.values[name] for table in tables]
    means = by_benchmark(tables, np.stack([moments(part)[0] for part in values]))
    overall = mean_and_error(means)[0][:rivals]
    if np.isnan(overall).all():
        return None
    best = best_of(overall)
    paired = [moments(part[best] - part) for part in values]
    if len(tables) == 1:
        ((differences, errors),) = paired
        cases = int((~np.isnan(values[0][best])).sum())
    else:
        means = by_benchmark(tables, np.stack([mean for mean, _ in paired]))
        differences, errors = mean_and_error(means)
        cases = int((~np.isnan(means)).any(axis=1).sum())
    margins = _margins(errors, comparisons=rivals * (rivals - 1) // 2, cases=cases)
    margins[best] = 0.0
    with np.errstate(invalid="ignore"):
        return Lead(best, differences, np.asarray(differences <= margins))


def above_baseline(table: TableValues, name: str) -> Booleans:
    """Return which functions exceed the baseline, the last row, beyond the noise (Bonferroni)."""
    values = table.values[name]
    differences, errors = moments(values[:-1] - values[-1])
    cases = int((~np.isnan(values[-1])).sum())
    margins = _margins(errors, comparisons=len(differences), cases=cases)
    with np.errstate(invalid="ignore"):
        return np.asarray(differences > margins)


def _margins(errors: Floats, *, comparisons: int, cases: int) -> Floats:
    """Return what differences must exceed, by Student's t and Bonferroni; infinite if unknown."""
    from scipy.special import stdtrit

    quantile = float(stdtrit(max(cases - 1, 1), 1 - ALPHA / 2 / max(comparisons, 1)))
    return np.where(np.isnan(errors), np.inf, quantile * errors) + ROUNDING

"""A block of trials: resampled tables, ranked by every function, and what the criteria share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

import numpy as np

from deadheat.criteria.levels import Levels
from deadheat.criteria.orders import Orders, orders_of
from deadheat.data.results import Results
from deadheat.errors import UsageError, quoted
from deadheat.ranking.contributions import Contributions, contributions
from deadheat.ranking.function import RankingFunction
from deadheat.ranking.ranks import ranks
from deadheat.ranking.registry import get
from deadheat.ranking.table import merits_of
from deadheat.resampling.draws import stream
from deadheat.typing import Booleans, Floats, Integers

BASELINE = "random_dictator"
DICTATOR = 1  # the key of the random numbers that choose a judge
Correlation = Literal["spearman", "kendall"]
AVERAGE_RANK, COPELAND = "average_rank", "copeland"


@dataclass(frozen=True, eq=False, kw_only=True)
class Task:
    """Hold a table, the functions to measure on it, and how.

    ``clones`` says that copies of a candidate count as candidates of their own, and
    ``first_winner`` that of tied winners only the first of the table counts: both as in the
    authors' notebook.
    """

    results: Results
    functions: tuple[RankingFunction, ...]
    levels: Levels
    seed: int
    correlation: Correlation = "spearman"
    clones: bool = False
    first_winner: bool = False
    known: dict[object, Floats] = field(default_factory=dict, repr=False)
    known_orders: dict[object, Floats] = field(default_factory=dict, repr=False)

    @cached_property
    def orders(self) -> Orders | None:
        """The different orders of the judges, where they are few."""
        return orders_of(self.results, self.levels)

    def by_order(self, weights: Floats) -> tuple[Levels, Floats]:
        """Return the orders of the judges and their weights; each judge has its own if unlike."""
        if self.orders is None:
            return self.levels, weights
        return self.orders.levels, self.orders.summed(weights)

    @cached_property
    def units(self) -> dict[str, Floats | float]:
        """The size of the numbers that the merits of each function are summed from."""
        results = self.results
        return {f.name: f.unit(results.scores, results.weights) for f in self.functions}

    @cached_property
    def alone(self) -> dict[str, Contributions | None]:
        """What each judge gives, for the functions that are means over the judges."""
        return {f.name: contributions(self.results, f) for f in self.functions}

    @property
    def names(self) -> tuple[str, ...]:
        """The functions by name, and the baseline."""
        return (*(f.name for f in self.functions), BASELINE)

    def ranked(
        self,
        judges: Floats,
        candidates: Floats,
        key: tuple[int, ...],
        *also: str,
        first: int = 0,
    ) -> tuple[Integers, dict[str, Floats]]:
        """Return the dense ranks (F, B, n) by every function, 0 = absent, and all merits.

        ``key`` and ``first`` say which block of trials it is, and with which of them this begins.
        """
        fs = list(dict.fromkeys((*self.functions, *map(get, also))))
        merits: dict[str, Floats] = {}
        if (candidates == 1).all():
            alone = ((f, self.alone.get(f.name)) for f in fs)
            merits = {f.name: known.merits(judges) for f, known in alone if known is not None}
        merits |= self._of_orders([f for f in fs if f.name not in merits], judges, candidates)
        rest = [f for f in fs if f.name not in merits]
        merits |= merits_of(self.results, rest, judges, candidates, known=self.known)
        present = np.broadcast_to(candidates > 0, (len(judges), self.results.n))
        found = np.zeros((len(self.names), *present.shape), dtype=np.int32)
        for row, f in zip(found, self.functions, strict=False):
            self._require_merits(f, merits[f.name], present)
            dense = ranks(merits[f.name], convention="dense", unit=self.units[f.name])
            row[present] = dense[present]
        chances = stream(self.seed, DICTATOR, *key).random(first + len(judges))[first:]
        found[-1] = self._dictated(judges, present, chances)
        return found, merits

    def _of_orders(
        self, fs: Sequence[RankingFunction], judges: Floats, candidates: Floats
    ) -> dict[str, Floats]:
        """Return the merits by functions that see nothing but orders, where these are few."""
        if self.orders is None:
            return {}
        ordinal = [f for f in fs if f.scale == "ordinal" and f.shipped]
        weights = self.orders.summed(judges * self.results.weights)
        return merits_of(self.orders.table, ordinal, weights, candidates, known=self.known_orders)

    def _require_merits(self, f: RankingFunction, merits: Floats, present: Booleans) -> None:
        lost = np.isnan(merits) & present
        if lost.any():
            name = quoted(self.results.candidates[int(np.argwhere(lost)[0, 1])])
            raise UsageError(
                f"ranking function {f.name} returned NaN for candidate {name} in a resampled "
                "table, where judges and candidates are there several times or not at all.",
                hint="a merit is a number for every candidate that is there; check what the "
                "function does with ties, constant scores and few judges.",
            )

    def _dictated(self, judges: Floats, present: Booleans, chances: Floats) -> Integers:
        """Return the ranking of one judge per trial, chosen at random among those drawn."""
        reach = np.cumsum(judges * self.results.weights, axis=1)
        at = chances * reach[:, -1]
        chosen = (reach > at[:, None]).argmax(axis=1)
        places = np.where(present, self.levels.first[chosen], self.results.n)
        best = places == places.min(axis=1, keepdims=True)
        return np.where(present, np.where(best, 1, places + 1), 0)


@dataclass(frozen=True, eq=False, kw_only=True)
class Trials:
    """Hold a block of B resampled tables: weights, rankings, and what follows from them.

    ``judges`` (B, m) says how often each judge was drawn, before the weights of the table, and
    ``candidates`` (B, n) how often each candidate was. ``groups`` (F, B, n) are the
    places of groups of ties: 1 for those who are first, higher for the others, 0 for the absent.
    """

    task: Task
    judges: Floats
    candidates: Floats
    groups: Integers
    merits: Mapping[str, Floats]

    @property
    def present(self) -> Booleans:
        """Who was drawn, (B, n)."""
        return self.candidates > 0

    @cached_property
    def copies(self) -> Floats:
        """How often each candidate counts where rankings are compared: once, if it is there."""
        return np.asarray(self.candidates if self.task.clones else self.present, dtype=np.float32)

    @cached_property
    def drawn(self) -> Floats:
        """The number of candidates of each table, copies counted, (B,)."""
        return np.asarray(self.candidates.sum(axis=1, dtype=np.float64))

    @cached_property
    def distinct(self) -> Integers:
        """The number of different candidates of each table, (B,)."""
        return np.asarray(np.count_nonzero(self.present, axis=1))

    @cached_property
    def shares(self) -> Floats:
        """The share of each candidate in first place, (F, B, n): 1 divided by all who share it."""
        first = self.groups == 1
        if self.task.first_winner:
            first &= np.cumsum(first, axis=2) == 1
        return np.asarray(first / np.maximum(first.sum(axis=2, keepdims=True), 1))

    @property
    def mean_ranks(self) -> Floats:
        """The mean rank of each candidate over the judges, copies counted, (B, n)."""
        return -self.merits[AVERAGE_RANK]

    @cached_property
    def condorcet(self) -> Booleans:
        """Who beats every other candidate of the table by more judges than not, (B, n).

        Copeland's merit knows it: such a candidate leads over all copies of all others.
        """
        rivals = self.drawn[:, None] - 1
        led = (2 * self.merits[COPELAND] - 1) * rivals
        with np.errstate(invalid="ignore"):
            beats_all = np.rint(led) == self.drawn[:, None] - self.candidates
        return np.asarray(beats_all & self.present & (self.distinct > 1)[:, None])


def trials_of(
    task: Task, judges: Floats, candidates: Floats, key: Sequence[int], *, first: int = 0
) -> Trials:
    """Rank resampled tables by every function."""
    groups, merits = task.ranked(
        judges, candidates, tuple(key), AVERAGE_RANK, COPELAND, first=first
    )
    return Trials(task=task, judges=judges, candidates=candidates, groups=groups, merits=merits)


def rate_of(chosen: Booleans, trials: Trials) -> Floats:
    """Return how far each function elects the chosen candidate, (F, B); NaN where there is none."""
    there = chosen.any(axis=1)
    elected = np.where(chosen, trials.shares, 0.0).sum(axis=2)
    return np.where(there, elected, np.nan)

"""What the judges say of each pair: ballots, their costs, components and the majority."""

from __future__ import annotations

import heapq
import math
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np

from deadheat.core.types import Booleans, Floats, Integers
from deadheat.data.results import Results
from deadheat.ranking.block import Block, tie_groups
from deadheat.ranking.duels import Duels
from deadheat.ranking.ranks import best_first, levels

# How much time is left, and what was reached so far.

Watcher = Callable[[float, float], None]  # gets the best objective so far, and a bound


@dataclass(frozen=True)
class Clock:
    """Count down from a limit in seconds, which may be infinite; tell a watcher, if any."""

    limit: float
    started: float = field(default_factory=time.monotonic)
    watcher: Watcher | None = None
    solved: float = 0.0  # what the parts that are done add to the bound of the part at work
    waiting: float = 0.0  # what those that are not add to the objective besides
    now: Callable[[], float] = time.monotonic

    @property
    def spent(self) -> float:
        return self.now() - self.started

    @property
    def left(self) -> float:
        return max(self.limit - self.spent, 0.0)

    def is_over(self) -> bool:
        return self.left == 0

    def within(self, share: float) -> bool:
        return self.spent < share * self.limit

    def beside(self, solved: float, waiting: float = 0.0) -> Clock:
        return replace(self, solved=self.solved + solved, waiting=self.waiting + waiting)

    def tell(self, objective: float, bound: float) -> None:
        if self.watcher is not None:
            self.watcher(self.solved + self.waiting + objective, self.solved + bound)


# Who must be above whom: candidates in parts that can be ranked one by one.


def closure(edges: Booleans) -> Booleans:
    """Return who reaches whom along edges (B, n, n), everybody himself."""
    reach = edges.copy()
    n = reach.shape[1]
    reach[:, np.arange(n), np.arange(n)] = True
    for k in range(n):
        reach |= reach[:, :, k, None] & reach[:, None, k, :]
    return reach


def components(edges: Booleans, order: Integers) -> list[Integers]:
    """Return the strongly connected components of edges (n, n), sources first.

    Of those that could come next, the one with the best mean place in ``order`` does.
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    number, labels = connected_components(csr_array(edges), directed=True, connection="strong")
    place = np.argsort(order)
    sorting = np.lexsort((place, labels))
    starts = np.searchsorted(labels[sorting], np.arange(number))
    parts = np.split(sorting, starts[1:])
    keys = [float(place[part].mean()) for part in parts]
    rows = np.logical_or.reduceat(edges[np.ix_(sorting, sorting)], starts, axis=0)
    leads: Booleans = np.logical_or.reduceat(rows, starts, axis=1)  # from one part to another
    np.fill_diagonal(leads, val=False)
    waiting = leads.sum(axis=0)
    ready = [(keys[k], k) for k in np.flatnonzero(waiting == 0).tolist()]
    heapq.heapify(ready)
    found: list[Integers] = []
    while ready:
        _, k = heapq.heappop(ready)
        found.append(parts[k])
        waiting[leads[k]] -= 1
        for freed in np.flatnonzero(leads[k] & (waiting == 0)).tolist():
            heapq.heappush(ready, (keys[freed], freed))
    return found


# What every pair costs, and by how much objectives differ at least.

SMALLEST_UNIT = 1e-6  # of the largest weight: below, weights have no common unit
NOISE = 1e-6  # relative error to expect of the value of a linear program
SAME = 1e-7  # of the total weight: objectives closer than this are equal where there is no unit


@dataclass(frozen=True)
class Steps:
    """Say by how much two objectives differ at least, unless they are equal."""

    size: float
    whole: bool  # whether all objectives are whole numbers of steps; else less counts as equal

    def proves_optimal(self, value: float, bound: float) -> bool:
        """Return whether a bound proves that nothing is cheaper than the value."""
        return bound > value - self.size * (0.5 if self.whole else 1.0)

    def next_whole_step(self, bound: float) -> float:
        """Return a bound in steps, with noise, as one in weights: the next whole step."""
        safe = bound - NOISE * max(bound, 1.0) if self.whole else bound - 0.1
        return self.size * (math.ceil(safe) if self.whole else safe)


class Contest:
    r"""What every pair costs, by the weights of the judges.

    A judge who orders i and j the other way costs 1 and one who ties them 1/2, so that i above j
    costs :math:`G_{ji} + \tfrac12 E_{ij}`, and i level with j :math:`\tfrac12 (G_{ij} + G_{ji})`.
    """

    def __init__(self, margins: Floats, ties: Floats, common: Floats, unit: float) -> None:
        self.n, self.margins = len(margins), margins  # by how much more i beats j; 0 where noise
        self.ties, self.common = ties, common  # the weight of judges who tie both, who know both
        self.unit = unit  # what all weights are multiples of, 0 where there is no such number
        self.above, self.level = (common - margins) / 2, (common - ties) / 2
        self.losses = np.maximum(-margins, 0.0)  # of i above j, beyond the cheaper order of the two

    @cached_property
    def strict_steps(self) -> Steps:
        """How far the objectives of two strict rankings are apart: by sums of margins."""
        counts = np.rint(np.abs(self.margins) / (self.unit or 1.0)).astype(np.int64)
        return self._steps(max(int(np.gcd.reduce(counts, axis=None)), 1) * self.unit)

    @property
    def weak_steps(self) -> Steps:
        """How far the objectives of two rankings with ties are apart: half a unit."""
        return self._steps(self.unit / 2)

    def _steps(self, size: float) -> Steps:
        """Return whole steps, unless they are too small to be told from noise."""
        same = SAME * float(self.common.max())
        return Steps(size, whole=True) if size > same else Steps(same, whole=False)

    @cached_property
    def floor(self) -> float:
        """What every strict ranking costs at least: the cheaper order of every pair."""
        return float(np.triu((self.common - np.abs(self.margins)) / 2, 1).sum())

    @cached_property
    def mean_order(self) -> Integers:
        """The candidates by the sum of their margins, which is Borda's order, best first."""
        return best_first(self.margins.sum(axis=1), unit=float(self.common.max(initial=0.0)))

    def of(self, members: Integers) -> Contest:
        among = np.ix_(members, members)
        return Contest(self.margins[among], self.ties[among], self.common[among], self.unit)

    def against(self, order: Integers) -> float:
        return float(np.triu(self.losses[np.ix_(order, order)], 1).sum())


def contest_of(scores: Floats, judge_weights: Floats) -> Contest:
    """Return the contest of a table (n, m); weights (m,) are counted in their unit: exact sums."""
    there = judge_weights > 0
    scores, weights = scores[:, there], judge_weights[there]
    unit = common_unit(weights)
    counts = np.rint(weights / unit) if unit else weights
    duels = Duels(Block(scores, counts[None, :], np.ones((1, len(scores)))))
    scale, kind = unit or 1.0, np.float64
    margins = np.where(duels.outcomes[0] == 0, 0.0, duels.margins[0].astype(kind))
    common = np.broadcast_to(duels.common[0].astype(kind), margins.shape)
    return Contest(margins * scale, duels.ties[0].astype(kind) * scale, common * scale, unit)


def common_unit(weights: Floats) -> float:
    """Return the largest number of which all weights are multiples, 0 where there is none."""
    largest = float(weights.max())
    noise = 1e-9 * largest
    unit = 0.0
    for weight in np.unique(weights).tolist():
        smaller, unit = unit, weight
        while smaller > noise:  # Euclid's algorithm for the greatest common divisor
            rest = unit % smaller
            unit, smaller = smaller, 0.0 if smaller - rest < noise else rest
        if unit < SMALLEST_UNIT * largest:
            return 0.0
    whole = np.rint(weights / unit)
    exact = np.abs(whole * unit - weights) <= noise
    return float(largest / whole.max()) if exact.all() else 0.0


# What a search for the closest ranking is given, and what it returns.

Output = Literal["strict", "weak"]
MOST_LISTED = 10  # optimal rankings that are kept


class Ballots:
    """The scores (n, m) of judges that all weigh something, and their weights (m,)."""

    def __init__(self, scores: Floats, weights: Floats) -> None:
        self.scores, self.weights = scores, weights
        self.n, self.total = len(scores), float(weights.sum())

    @cached_property
    def ranks(self) -> Floats:
        """The ranks (n, m) that the judges give, 1 = best; ties share their mean rank."""
        _, first, last = tie_groups(self.scores)
        return (first + last) / 2 + 1.0

    @cached_property
    def mean_ranks(self) -> Floats:
        mean: Floats = self.ranks @ self.weights / self.total
        return mean

    @cached_property
    def contest(self) -> Contest:
        return contest_of(self.scores, self.weights)


@dataclass(frozen=True, eq=False, kw_only=True)
class FoundRanking:
    ranks: Floats  # 1 = best; ties, where allowed, share their mean rank
    objective: float  # the weighted sum of the distances to the judges
    bound: float  # what no ranking comes below
    status: Literal["optimal", "time limit", "heuristic"]
    unique: bool | None = None
    number: int | None = None  # of optimal rankings; None where that is not known
    optima: tuple[Floats, ...] = ()  # all of them, where they are few
    leads: frozenset[frozenset[int]] | None = None  # who shares first place in an optimal ranking
    every: bool = False  # whether all rankings are equally good

    def __post_init__(self) -> None:
        noise = 1e-9 * max(abs(self.objective), 1.0)
        assert self.bound <= self.objective + noise, "a bound above the objective is a mistake"

    @classmethod
    def proven(cls, ranks: Floats, objective: float, **known: Any) -> FoundRanking:
        return cls(ranks=ranks, objective=objective, bound=objective, status="optimal", **known)

    @property
    def winners(self) -> list[int] | None:
        """Everybody who is first in some optimal ranking; None where that is not known."""
        return None if self.leads is None else sorted(frozenset().union(*self.leads))


def alone(candidates: Iterable[int]) -> frozenset[frozenset[int]]:
    """Return who is first in the optimal rankings, where nobody shares that place."""
    return frozenset(frozenset([int(i)]) for i in candidates)


def ranks_of(order: Integers) -> Floats:
    ranks = np.empty(len(order))
    ranks[order] = np.arange(1.0, len(order) + 1)
    return ranks


# The majority relation of a table: who beats whom on more judges, and where that is a circle.

SHORTEST = 3  # candidates in a circle: of two at most one beats the other


@dataclass(frozen=True, eq=False, kw_only=True)
class Majority:
    beats: Booleans  # (n, n), whether i scores better than j on more judges, by weight
    rates: Floats  # (n, n), the share of the judges who know both; ties, and i itself, one half
    layers: tuple[tuple[int, ...], ...]  # best first: everybody beats all in those below

    @property
    def smith(self) -> tuple[int, ...]:
        """The Smith set: the smallest set whose members beat everybody outside it."""
        return self.layers[0]

    @property
    def winner(self) -> int | None:
        """The Condorcet winner, who beats everybody; None where there is none."""
        first = self.smith[0]
        return first if int(self.wins[first]) == len(self.beats) - 1 else None

    @cached_property
    def wins(self) -> Integers:
        return np.asarray(self.beats.sum(axis=1))

    @cached_property
    def draws(self) -> Integers:
        return np.asarray(len(self.beats) - 1 - self.wins - self.beats.sum(axis=0))

    def cycle(self, layer: tuple[int, ...]) -> tuple[int, ...]:
        """Return a shortest circle in a layer, each beating the next; () where all are draws."""
        shortest: tuple[int, ...] = ()
        for start in layer:
            both = shortest, self._circle(start, set(layer))
            shortest = min(filter(None, both), key=len, default=())
            if len(shortest) == SHORTEST:
                break
        return shortest

    def _circle(self, start: int, within: set[int]) -> tuple[int, ...]:
        came: dict[int, int] = {}
        front = [start]
        for i in front:  # which grows: breadth first
            for j in np.flatnonzero(self.beats[i]).tolist():
                if j == start:
                    way = [i]
                    while way[-1] != start:
                        way.append(came[way[-1]])
                    return tuple(reversed(way))
                if j in within and j not in came:
                    came[j] = i
                    front.append(j)
        return ()


def majority(results: Results) -> Majority:
    """Return the majority relation of a table.

    The layers are the strongly connected components of "beats or is level with", which orders every
    pair: so they stand in one line, and the first is the Smith set (Smith 1973).
    """
    contest = contest_of(levels(results.scores, tolerance=results.tie_tol), results.weights)
    beats = contest.margins > 0
    with np.errstate(invalid="ignore"):
        rates = (1 + contest.margins / contest.common) / 2
    np.fill_diagonal(rates, 0.5)
    lead = beats.sum(axis=1) - beats.sum(axis=0)
    order = np.lexsort((np.argsort(contest.mean_order), -lead))
    not_beaten = ~beats.T
    np.fill_diagonal(not_beaten, val=False)
    parts = components(not_beaten, order)
    return Majority(beats=beats, rates=rates, layers=tuple(tuple(part.tolist()) for part in parts))

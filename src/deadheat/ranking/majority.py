"""The majority relation of a table: who beats whom on more judges, and where that is a circle."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from deadheat.data.results import Results
from deadheat.ranking.consensus.components import components
from deadheat.ranking.consensus.contest import contest_of
from deadheat.ranking.ranks import levels
from deadheat.typing import Booleans, Floats, Integers

SHORTEST = 3  # candidates in a circle: of two at most one beats the other


@dataclass(frozen=True, eq=False, kw_only=True)
class Majority:
    """Hold the duels of all pairs of n candidates over all judges.

    Attributes
    ----------
    beats
        (n, n), whether i scores better than j on more judges than the other way round, by weight.
    rates
        (n, n), the share of the judges who know both on which i scores better, ties as one half;
        NaN where no judge knows both, and one half on the diagonal.
    layers
        The candidates in layers, best first: everybody beats all in the layers below. Inside a
        layer of several there are circles or draws. Members stand by how many they beat.
    """

    beats: Booleans
    rates: Floats
    layers: tuple[tuple[int, ...], ...]

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
        """How many others each beats, (n,)."""
        return np.asarray(self.beats.sum(axis=1))

    @cached_property
    def draws(self) -> Integers:
        """With how many others each is level, (n,)."""
        return np.asarray(len(self.beats) - 1 - self.wins - self.beats.sum(axis=0))

    def cycle(self, layer: tuple[int, ...]) -> tuple[int, ...]:
        """Return a shortest circle in a layer, each beating the next and the last the first.

        Empty where the layer has draws only.
        """
        best: tuple[int, ...] = ()
        for start in layer:
            found = self._circle(start, set(layer))
            if found and (not best or len(found) < len(best)):
                best = found
            if len(best) == SHORTEST:
                break
        return best

    def _circle(self, start: int, within: set[int]) -> tuple[int, ...]:
        came: dict[int, int] = {}
        front = [start]
        while front:
            reached = []
            for i in front:
                for j in np.flatnonzero(self.beats[i]).tolist():
                    if j == start:
                        return _way(came, start, i)
                    if j in within and j not in came:
                        came[j] = i
                        reached.append(j)
            front = reached
        return ()


def majority(results: Results) -> Majority:
    """Return the majority relation of a table.

    A judge who misses one of two scores says nothing about them; scores within the tie tolerance
    are level.

    Notes
    -----
    The layers are the strongly connected components of "beats or is level with". As that holds in
    one direction at least for every pair, they stand in one line, and the first is the Smith
    set [1]_.

    References
    ----------
    .. [1] Smith (1973), "Aggregation of preferences with variable electorate", Econometrica 41(6).

    Examples
    --------
    >>> circle = Results(scores=[[3, 1, 2], [2, 3, 1], [1, 2, 3]], better="higher")
    >>> majority(circle).smith
    (0, 1, 2)
    """
    contest = contest_of(levels(results.scores, tolerance=results.tie_tol), results.weights)
    beats = contest.margins > 0
    with np.errstate(invalid="ignore"):
        rates = (1 + contest.margins / contest.common) / 2
    np.fill_diagonal(rates, 0.5)
    lead = beats.sum(axis=1) - beats.sum(axis=0)
    by_margins = np.empty(len(lead), dtype=int)
    by_margins[contest.mean_order] = np.arange(len(lead))
    order = np.lexsort((by_margins, -lead))
    not_beaten = ~beats.T
    np.fill_diagonal(not_beaten, val=False)
    found = components(not_beaten, order)
    return Majority(beats=beats, rates=rates, layers=tuple(tuple(part.tolist()) for part in found))


def _way(came: dict[int, int], start: int, last: int) -> tuple[int, ...]:
    way = [last]
    while way[-1] != start:
        way.append(came[way[-1]])
    return tuple(reversed(way))

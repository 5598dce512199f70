"""What a pair of candidates costs in a ranking: the only thing that Kemeny's rule looks at."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from deadheat.ranking.blocks import Block
from deadheat.ranking.duels import Duels
from deadheat.ranking.ranks import best_first
from deadheat.typing import Floats, Integers

SMALLEST_UNIT = 1e-6  # of the largest weight: below, weights have no common unit
NOISE = 1e-6  # relative error to expect of the value of a linear program
SAME = 1e-7  # of the total weight: objectives closer than this are equal where there is no unit


@dataclass(frozen=True)
class Steps:
    """Say by how much two objectives differ at least, unless they are equal.

    ``whole`` says that all objectives are whole numbers of steps; otherwise the step is only what
    counts as equal.
    """

    size: float
    whole: bool

    def met(self, value: float, bound: float) -> bool:
        """Return whether a bound proves that nothing is cheaper than the value."""
        return bound > value - self.size * (0.5 if self.whole else 1.0)

    def raised(self, bound: float) -> float:
        """Return a bound in steps, with noise, as one in weights: the next whole step."""
        safe = bound - NOISE * max(bound, 1.0) if self.whole else bound - 0.1
        return self.size * (math.ceil(safe) if self.whole else safe)


@dataclass(frozen=True, eq=False)
class Contest:
    r"""Hold what every pair costs, by the weights of the judges.

    A judge who orders i and j the other way costs 1 and one who ties them 1/2, so that i above j
    costs :math:`G_{ji} + \tfrac12 E_{ij}`, and i level with j
    :math:`\tfrac12 (G_{ij} + G_{ji})`. With the margins :math:`M = G - G^T` the objective of a
    strict ranking is the sum of the cheaper side of every pair, plus the margins that it goes
    against.

    Parameters
    ----------
    margins
        By how much more i beats j than j beats i; 0 where it is noise.
    ties
        The weight of the judges for whom i and j are level.
    common
        The weight of the judges who know both.
    unit
        What all weights are multiples of, 0 where there is no such number.
    """

    margins: Floats
    ties: Floats
    common: Floats
    unit: float

    @property
    def n(self) -> int:
        """The number of candidates."""
        return len(self.margins)

    @cached_property
    def strict_steps(self) -> Steps:
        """How far the objectives of two strict rankings are apart: by sums of margins."""
        if not self.unit:
            return self._real_steps
        counts = np.rint(np.abs(self.margins) / self.unit).astype(np.int64)
        return self._whole_steps(max(int(np.gcd.reduce(counts, axis=None)), 1) * self.unit)

    @property
    def weak_steps(self) -> Steps:
        """How far the objectives of two rankings with ties are apart: half a unit."""
        return self._whole_steps(self.unit / 2) if self.unit else self._real_steps

    @property
    def _real_steps(self) -> Steps:
        return Steps(SAME * float(self.common.max()), whole=False)

    def _whole_steps(self, size: float) -> Steps:
        """Return whole steps, unless they are too small to be told from noise."""
        real = self._real_steps
        return Steps(size, whole=True) if size > real.size else real

    @cached_property
    def losses(self) -> Floats:
        """What i above j costs beyond the cheaper order of the two."""
        return np.maximum(-self.margins, 0.0)

    @cached_property
    def floor(self) -> float:
        """What every strict ranking costs at least: the cheaper order of every pair."""
        cheaper = (self.common - np.abs(self.margins)) / 2
        return float(np.triu(cheaper, 1).sum())

    @cached_property
    def level(self) -> Floats:
        """What i level with j costs."""
        return (self.common - self.ties) / 2

    @cached_property
    def above(self) -> Floats:
        """What i above j costs."""
        return (self.common - self.margins) / 2

    @cached_property
    def mean_order(self) -> Integers:
        """The candidates by the sum of their margins, which is Borda's order, best first."""
        return best_first(self.margins.sum(axis=1), unit=float(self.common.max(initial=0.0)))

    def of(self, members: Integers) -> Contest:
        """Return the contest among some of the candidates."""
        among = np.ix_(members, members)
        return Contest(self.margins[among], self.ties[among], self.common[among], self.unit)

    def against(self, order: Integers) -> float:
        """Return the margins that a strict ranking goes against, best candidate first."""
        return float(np.triu(self.losses[np.ix_(order, order)], 1).sum())


def contest_of(scores: Floats, judge_weights: Floats) -> Contest:
    """Return the contest of a table (n, m) whose judges weigh so much (m,).

    Weights that are multiples of a common unit (0.5 and 1.5, or 0.1 and 0.3) are counted in that
    unit, so that sums are exact and the smallest step between two objectives is known.
    """
    there = judge_weights > 0
    scores, weights = scores[:, there], judge_weights[there]
    unit = common_unit(weights)
    counts = np.rint(weights / unit) if unit else weights
    duels = Duels(Block(scores, counts[None, :], np.ones((1, len(scores)))))
    margins = np.where(duels.outcomes[0] == 0, 0.0, duels.margins[0].astype(np.float64))
    ties = duels.ties[0].astype(np.float64)
    common = np.broadcast_to(duels.common[0].astype(np.float64), margins.shape)
    scale = unit or 1.0
    return Contest(margins * scale, ties * scale, common * scale, unit)


def common_unit(weights: Floats) -> float:
    """Return the largest number of which all weights are multiples, 0 where there is none.

    >>> common_unit(np.array([0.5, 1.5, 0.75]))
    0.25
    >>> common_unit(np.array([1.0, np.pi]))
    0.0
    """
    largest = float(weights.max())
    noise = 1e-9 * largest
    unit = 0.0
    for weight in np.unique(weights).tolist():
        unit = _shared(weight, unit, noise)
        if unit < SMALLEST_UNIT * largest:
            return 0.0
    whole = np.rint(weights / unit)
    exact = np.abs(whole * unit - weights) <= noise
    return float(largest / whole.max()) if exact.all() else 0.0


def _shared(larger: float, smaller: float, noise: float) -> float:
    """Return the greatest common divisor of two numbers, by Euclid, up to noise."""
    while smaller > noise:
        rest = larger % smaller
        larger, smaller = smaller, 0.0 if smaller - rest < noise else rest
    return larger

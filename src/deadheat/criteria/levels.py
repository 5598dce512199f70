"""The judges of a table in order, best first: what is sorted once for all trials."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from deadheat.data.results import Results
from deadheat.ranking.blocks import tie_groups
from deadheat.ranking.ranks import levels
from deadheat.typing import Floats, Integers


@dataclass(frozen=True, eq=False)
class Levels:
    """Hold, per judge, the order of the candidates and each one's first and last place, (m, n).

    Places count from 0; candidates that the judge ties share first and last place.
    """

    order: Integers
    first: Integers
    last: Integers
    strict: bool
    """Whether no judge ties anybody."""

    def of(self, judges: Integers) -> Levels:
        """Return some of the judges."""
        return Levels(self.order[judges], self.first[judges], self.last[judges], self.strict)


def levels_of(results: Results) -> Levels:
    """Return the judges of a table in order; scores within its tie tolerance are level."""
    found = tie_groups(levels(results.scores, tolerance=results.tie_tol))
    order, first, last = (np.ascontiguousarray(part.T) for part in found)
    return Levels(order, first, last, bool((first == last).all()))


def placed(groups: Integers, copies: Floats) -> Floats:
    """Return twice the centred rank of each candidate among the copies, (B, n).

    ``groups`` are the places of groups of ties, 1 = first, and ``copies`` how often each candidate
    counts; a group shares its mean rank. Times the copies, rows sum to 0. For the absent it means
    nothing.
    """
    above, upto = counted_above(groups, copies)
    total = copies.sum(axis=1, keepdims=True, dtype=np.float64)
    return np.asarray(above + upto - total)


def counted_above(groups: Integers, copies: Floats) -> tuple[Floats, Floats]:
    """Return how many copies stand above each candidate, and above or level with it, (B, n)."""
    rows, n = groups.shape
    cell = groups + (np.arange(rows) * (n + 1))[:, None]  # group 0 holds the absent
    sizes = np.bincount(cell.ravel(), weights=copies.ravel(), minlength=rows * (n + 1))
    sizes = sizes.reshape(rows, n + 1)
    sizes[:, 0] = 0
    upto = np.cumsum(sizes, axis=1).ravel()
    there = upto[cell]
    return there - sizes.ravel()[cell], there

"""What a search for the closest ranking is given, and what it returns."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from deadheat.ranking.blocks import tie_groups
from deadheat.ranking.consensus.clock import Clock
from deadheat.ranking.consensus.contest import Contest, contest_of
from deadheat.typing import Floats, Integers

Output = Literal["strict", "weak"]
Status = Literal["optimal", "time limit", "heuristic"]
MOST_LISTED = 10  # optimal rankings that are kept


@dataclass(frozen=True, eq=False)
class Ballots:
    """Hold the scores (n, m) of judges that all weigh something, and their weights (m,)."""

    scores: Floats
    weights: Floats

    @property
    def n(self) -> int:
        """The number of candidates."""
        return len(self.scores)

    @property
    def total(self) -> float:
        """The sum of the weights."""
        return float(self.weights.sum())

    @cached_property
    def ranks(self) -> Floats:
        """The ranks (n, m) that the judges give, 1 = best; ties share their mean rank."""
        _, first, last = tie_groups(self.scores)
        return (first + last) / 2 + 1.0

    @cached_property
    def mean_ranks(self) -> Floats:
        """The weighted mean of the ranks of each candidate."""
        mean: Floats = self.ranks @ self.weights / self.total
        return mean

    @cached_property
    def contest(self) -> Contest:
        """What every pair costs."""
        return contest_of(self.scores, self.weights)


@dataclass(frozen=True, eq=False, kw_only=True)
class Found:
    """Hold the closest ranking that was found, and what is known about it.

    Parameters
    ----------
    ranks
        The rank of each candidate, 1 = best; ties, where allowed, share their mean rank.
    objective, bound
        The weighted sum of the distances to the judges, and what no ranking comes below.
    unique, number, optima
        Whether it is the only optimal ranking, how many there are, and all of them where they are
        few; None and empty where that is not known.
    leads
        Who is first in the optimal rankings: every set of candidates that shares the first place
        in one of them; None where that is not known.
    every
        Whether all rankings are equally good.
    """

    ranks: Floats
    objective: float
    bound: float
    status: Status
    unique: bool | None = None
    number: int | None = None
    optima: tuple[Floats, ...] = ()
    leads: frozenset[frozenset[int]] | None = None
    every: bool = False

    def __post_init__(self) -> None:
        noise = 1e-9 * max(abs(self.objective), 1.0)
        assert self.bound <= self.objective + noise, "a bound above the objective is a mistake"

    @property
    def winners(self) -> list[int] | None:
        """Everybody who is first in some optimal ranking; None where that is not known."""
        return None if self.leads is None else sorted(frozenset().union(*self.leads))


@dataclass(frozen=True, eq=False, kw_only=True)
class Distance:
    """Say how far a ranking is from a judge, and how the closest one is found.

    Parameters
    ----------
    unit
        What the objective counts, in words.
    with_ties
        Whether rankings with ties can be found too.
    with_holes
        Whether missing scores may stay missing.
    without_ties
        Whether judges must not tie candidates.
    """

    name: str
    unit: str
    closest: Callable[[Ballots, Output, Clock], Found]
    with_ties: bool = False
    with_holes: bool = False
    without_ties: bool = False


def alone(candidates: Iterable[int]) -> frozenset[frozenset[int]]:
    """Return who is first in the optimal rankings, where nobody shares that place."""
    return frozenset(frozenset([int(i)]) for i in candidates)


def ranks_of(order: Integers) -> Floats:
    """Return the ranks of an order, best first."""
    ranks = np.empty(len(order))
    ranks[order] = np.arange(1.0, len(order) + 1)
    return ranks

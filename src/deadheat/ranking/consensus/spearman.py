"""Spearman's distance: Borda's rule."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import islice, permutations, product

import numpy as np

from deadheat.ranking.consensus.clock import Clock
from deadheat.ranking.consensus.found import (
    MOST_LISTED,
    Ballots,
    Distance,
    Found,
    Output,
    alone,
    ranks_of,
)
from deadheat.ranking.consensus.partitions import cheapest_groups, shared_ranks
from deadheat.typing import Floats, Integers


def closest(ballots: Ballots, output: Output, clock: Clock) -> Found:  # noqa: ARG001 - no search
    r"""Return the ranking with the smallest sum of squared differences of ranks.

    .. math:: d(r, r') = \sum_i (r_i - r'_i)^2

    The sum over the judges is that to the mean ranks and a constant. So a strict ranking sorts by
    mean rank, in any order where they are equal; one with ties cuts that order into groups, by
    dynamic programming in O(n²).

    Notes
    -----
    Differs from [1]_, which says without the restriction to strict rankings that the average rank
    minimises the sum of Spearman distances: with ties in the answer, tying equal mean ranks alone
    is rarely optimal.

    References
    ----------
    .. [1] Pavao, Vaccaro, Guyon (2021), "Judging competitions and benchmarks", ESANN, sec. 2.1.
    """
    order = np.argsort(ballots.mean_ranks, kind="stable")
    means = ballots.mean_ranks[order]
    if output == "weak":
        _, groups = cheapest_groups(_squares(means))
        ranks = np.empty(ballots.n)
        ranks[order] = shared_ranks(groups)
        objective = _objective(ballots, ranks)
        return Found(ranks=ranks, objective=objective, bound=objective, status="optimal")
    ties = np.split(order, np.flatnonzero(np.diff(means) > SAME * ballots.n) + 1)
    number = math.prod(math.factorial(len(tie)) for tie in ties)
    objective = _objective(ballots, ranks_of(order))
    return Found(
        ranks=ranks_of(order),
        objective=objective,
        bound=objective,
        status="optimal",
        unique=number == 1,
        number=number,
        optima=tuple(_orders(ties)) if number <= MOST_LISTED else (),
        leads=alone(ties[0]),
        every=len(ties) == 1,
    )


def _orders(ties: Sequence[Integers]) -> list[Floats]:
    choices = [list(islice(permutations(tie.tolist()), MOST_LISTED)) for tie in ties]
    return [ranks_of(np.concatenate(choice)) for choice in product(*choices)]


def _squares(means: Floats) -> Floats:
    """Return what a group from s to e - 1 costs: its squared distances to its shared rank."""
    n = len(means)
    first = np.concatenate([[0.0], np.cumsum(means)])
    second = np.concatenate([[0.0], np.cumsum(means**2)])
    start, end = np.ogrid[: n + 1, : n + 1]
    shared = (start + end + 1) / 2
    squares: Floats = (
        second[None, :]
        - second[:, None]
        - 2 * shared * (first[None, :] - first[:, None])
        + shared**2 * (end - start)
    )
    return squares


def _objective(ballots: Ballots, ranks: Floats) -> float:
    return float(((ballots.ranks - ranks[:, None]) ** 2).sum(axis=0) @ ballots.weights)


spearman = Distance(
    name="spearman",
    unit="summed squared differences of ranks",
    closest=closest,
    with_ties=True,
)

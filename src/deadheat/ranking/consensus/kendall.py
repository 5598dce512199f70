"""Kendall's distance: Kemeny's rule."""

from __future__ import annotations

import math
from itertools import product

import numpy as np

from deadheat.ranking.consensus.clock import Clock
from deadheat.ranking.consensus.components import components
from deadheat.ranking.consensus.contest import Contest
from deadheat.ranking.consensus.found import (
    MOST_LISTED,
    Ballots,
    Distance,
    Found,
    Output,
    alone,
    ranks_of,
)
from deadheat.ranking.consensus.strict import all_optima, loss_and_bound, strict_parts
from deadheat.ranking.consensus.subsets import MOST
from deadheat.ranking.consensus.weak import closest_weak
from deadheat.typing import Floats, Integers


def closest(ballots: Ballots, output: Output, clock: Clock) -> Found:
    r"""Return the ranking with the fewest pairs that a judge orders the other way.

    .. math:: d(r, r') = \tfrac12 \sum_{i < j} |\operatorname{sgn}(r_i - r_j)
        - \operatorname{sgn}(r'_i - r'_j)|

    A pair that one of the two ties and the other does not costs one half. With missing scores a
    pair is compared on the judges that know both.

    References
    ----------
    .. [1] Kemeny (1959), "Mathematics without numbers", Daedalus 88(4).
    .. [2] Pavao, Vaccaro, Guyon (2021), "Judging competitions and benchmarks", ESANN, supplement
           sec. 5.
    """
    contest = ballots.contest
    return closest_weak(contest, clock) if output == "weak" else closest_strict(contest, clock)


def closest_strict(contest: Contest, clock: Clock) -> Found:
    """Return the strict ranking with the fewest disagreements."""
    parts = strict_parts(contest, clock.beside(contest.floor))
    order = np.concatenate([part.order for part in parts])
    loss, bound = loss_and_bound(parts)
    done = contest.strict_steps.met(loss, bound)
    objective = contest.floor + loss
    unique: bool | None = None
    number: int | None = None
    optima: tuple[Floats, ...] = ()
    if done:
        unique = _is_unique(contest, order, [part.unique for part in parts])
        number, optima = (1, (ranks_of(order),)) if unique else _all(contest)
        unique = number == 1 if number else unique
    return Found(
        ranks=ranks_of(order),
        objective=objective,
        bound=objective if done else contest.floor + bound,
        status="optimal" if done else "time limit",
        unique=unique,
        number=number,
        optima=optima,
        leads=_leads(contest, order, is_only=unique is True) if done else None,
        every=not contest.margins.any(),
    )


def _is_unique(contest: Contest, order: Integers, parts: list[bool | None]) -> bool | None:
    """Return whether an optimal order is the only one, from its parts.

    Neighbours of different parts could change sides where no majority orders them. Where one
    orders all such neighbours, the order of the parts is forced.
    """
    if (contest.margins[order[:-1], order[1:]] == 0).any() or False in parts:
        return False
    return None if None in parts else True


def _all(contest: Contest) -> tuple[int | None, tuple[Floats, ...]]:
    """Return how many optimal orders there are, and their ranks where they are few.

    In the graph of majorities and draws, every strongly connected component wins all duels
    against the next, so that every optimal order has the components one after the other, and the
    optimal orders are the combinations of theirs. None where a component is too large.
    """
    blocks = _blocks(contest)
    if max(map(len, blocks)) > MOST:
        return None if contest.margins.any() else math.factorial(contest.n), ()
    found = [all_optima(contest.of(block)) for block in blocks]
    number = math.prod(int(optima.number[0]) for optima in found)
    if number > MOST_LISTED:
        return number, ()
    choices = [
        [block[order] for order in optima.orders(most=MOST_LISTED)]
        for block, optima in zip(blocks, found, strict=True)
    ]
    return number, tuple(ranks_of(np.concatenate(choice)) for choice in product(*choices))


def _blocks(contest: Contest) -> list[Integers]:
    edges = contest.margins >= 0
    np.fill_diagonal(edges, val=False)
    return components(edges, contest.mean_order)


def _leads(contest: Contest, order: Integers, *, is_only: bool) -> frozenset[frozenset[int]] | None:
    """Return who is first in some optimal order; None where the first block is too large."""
    if is_only:
        return alone(order[:1])
    first = _blocks(contest)[0]
    if not contest.of(first).margins.any():
        return alone(first)
    return alone(first[all_optima(contest.of(first)).firsts]) if len(first) <= MOST else None


kendall = Distance(
    name="kendall",
    unit="disagreements",
    closest=closest,
    with_ties=True,
    with_holes=True,
)

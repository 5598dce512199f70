"""Kemeny's rule: the strict ranking with the fewest disagreements, proven part by part."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from deadheat.ranking.consensus.branching import WITHIN, Bounded, proven
from deadheat.ranking.consensus.clock import Clock
from deadheat.ranking.consensus.components import components
from deadheat.ranking.consensus.contest import Contest
from deadheat.ranking.consensus.descent import inserted
from deadheat.ranking.consensus.programs import program
from deadheat.ranking.consensus.relation import strict_relation
from deadheat.ranking.consensus.subsets import MOST, Optima, optimal_orders
from deadheat.typing import Floats, Integers


@dataclass(frozen=True, eq=False)
class Part:
    """Hold the best order of a component, best first, its loss, and what none loses less than."""

    order: Integers
    loss: float
    bound: float
    unique: bool | None


def strict_parts(contest: Contest, clock: Clock, *, wants_unique: bool = True) -> list[Part]:
    r"""Return optimal orders of the components of the strict-majority graph, best first.

    ``wants_unique`` asks whether they are the only ones, which can take longer than to find them.

    Notes
    -----
    Draw i -> j where more judges prefer i to j than j to i. Let its strongly connected components
    follow each other so that every arrow between two of them points forwards. Then no ranking of
    such an order goes against a margin between components, and within a component it can be
    optimal on its own. As no ranking loses less than the sum of the optima of the components, and
    this one loses exactly that, it is optimal (the extended Condorcet criterion [1]_ for ties).

    References
    ----------
    .. [1] Truchon (1998), "An extension of the Condorcet criterion and Kemeny orders", cahier
           98-15, Université Laval.
    """
    parts = components(contest.margins > 0, contest.mean_order)
    quick = sorted(range(len(parts)), key=lambda k: len(parts[k]))
    found: dict[int, Part] = {}
    waiting = {k: contest.against(parts[k]) for k in quick}
    for k in quick:  # the small ones first: a time limit should hit the hardest part only
        del waiting[k]
        here = clock.beside(*_reached(found.values(), waiting.values()))
        found[k] = _optimum(contest.of(parts[k]), parts[k], here, wants_unique=wants_unique)
    return [found[k] for k in range(len(parts))]


def _optimum(contest: Contest, members: Integers, clock: Clock, *, wants_unique: bool) -> Part:
    """Return the optimal order of a component, whose members stand in the order of mean ranks."""
    n = contest.n
    if n == 1:
        return Part(members, 0.0, 0.0, unique=True)
    if n <= MOST:
        optima = all_optima(contest)
        (order,) = optima.orders(most=1)
        loss = float(optima.best[0])
        return Part(members[order], loss, loss, unique=bool(optima.number[0] == 1))
    best = _by_program(contest, clock)
    order = np.argsort(best.places)
    proof = contest.strict_steps.met(best.value, best.bound)
    asked = proof and wants_unique
    unique = _is_unique(contest, order, best.value, clock) if asked else None
    bound = best.value if proof else best.bound
    return Part(members[order], best.value, bound, unique)


def _reached(done: Iterable[Part], waiting: Iterable[float]) -> tuple[float, float]:
    """Return the bound of the parts that are done, and what objective and bound differ by."""
    loss, bound = loss_and_bound(list(done))
    return bound, loss - bound + sum(waiting)


def all_optima(contest: Contest) -> Optima:
    """Return all optimal orders of a few candidates."""
    tolerance = np.array([contest.strict_steps.size / 2])
    return optimal_orders(contest.losses[None], tolerance=tolerance)


def _by_program(contest: Contest, clock: Clock) -> Bounded:
    order = inserted(contest.losses, np.arange(contest.n), clock)

    def rounded(y: Floats) -> tuple[Integers, float]:
        start = np.argsort(-y.sum(axis=1), kind="stable")
        order = inserted(contest.losses, start, clock)
        return np.argsort(order), contest.against(order)

    first = Bounded(np.argsort(order), contest.against(order), 0.0)
    relation = strict_relation(contest, order)
    return proven(relation, first, rounded, steps=contest.strict_steps, clock=clock)


def _is_unique(contest: Contest, order: Integers, loss: float, clock: Clock) -> bool | None:
    """Return whether no other order is as good, None where the time does not suffice.

    A neighbour that may as well be on the other side settles it; else the program must do without
    this very order, and its bound is then above the loss or it finds another one.
    """
    steps = contest.strict_steps
    if (contest.margins[order[:-1], order[1:]] == 0).any():
        return False
    relation = strict_relation(contest, order)
    growing = program(relation.costs / steps.size)
    growing.add(relation.excluding(order))
    whole = False
    while not clock.is_over():
        solved = growing.whole(clock.left, gap=WITHIN) if whole else growing.relaxed(clock.left)
        if steps.raised(solved.bound) > loss + steps.size / 2:
            return True
        if not solved.optimal or solved.values is None:
            return None
        values: Floats = np.rint(solved.values) if whole else solved.values
        violated = relation.violated(values, clock)
        if clock.is_over():
            return None
        if violated:
            growing.add(*violated)
        elif whole or (np.abs(values - np.rint(values)) < 1e-6).all():
            return False
        else:
            whole = True
    return None


def loss_and_bound(parts: list[Part]) -> tuple[float, float]:
    """Return the loss of all parts one after the other, and what no ranking loses less than."""
    return math.fsum(p.loss for p in parts), math.fsum(p.bound for p in parts)

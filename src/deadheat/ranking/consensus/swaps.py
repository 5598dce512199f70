"""Distances without a quick method: start well, then swap two candidates while it helps."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import permutations

import numpy as np

from deadheat.ranking.consensus.clock import Clock
from deadheat.ranking.consensus.found import Found, alone
from deadheat.typing import Floats

FEW = 7  # candidates: all 5,040 rankings are tried
Objective = Callable[[Floats], float]
Changes = Callable[[Floats, int], Floats]


def closest_by_swaps(
    starts: Iterable[Floats], objective: Objective, changes: Changes, *, bound: float, clock: Clock
) -> Found:
    """Return the best ranking that was found from several starts, and a bound.

    ``changes(ranks, i)`` is by how much the objective changes when i swaps ranks with each other
    candidate, (n,). A few candidates are tried in all orders.
    """
    starts = list(starts)
    n = len(starts[0])
    if n <= FEW:
        return _of_all(n, objective, bound, clock)
    best, value = starts[0], np.inf
    for start in starts:
        ranks = _descended(start, changes, clock)
        here = objective(ranks)
        if here < value:
            best, value = ranks, here
            clock.tell(value, min(bound, value))
        if clock.is_over():
            break
    met = bound >= value - 1e-9 * max(value, 1.0)
    return Found(
        ranks=best,
        objective=value,
        bound=min(bound, value),
        status="optimal" if met else "time limit" if clock.is_over() else "heuristic",
    )


def _descended(ranks: Floats, changes: Changes, clock: Clock) -> Floats:
    ranks = ranks.copy()
    improved = True
    while improved and not clock.is_over():
        improved = False
        for i in range(len(ranks)):
            if clock.is_over():
                break
            change = changes(ranks, i)
            j = int(np.argmin(change))
            if change[j] < -1e-9:
                ranks[i], ranks[j] = ranks[j], ranks[i]
                improved = True
    return ranks


def _of_all(n: int, objective: Objective, bound: float, clock: Clock) -> Found:
    rankings = np.array(list(permutations(range(1, n + 1))), dtype=np.float64)
    tried = [objective(rankings[0])]
    for ranks in rankings[1:]:
        if clock.is_over():
            best, least = rankings[int(np.argmin(tried))], min(tried)
            return Found(ranks=best, objective=least, bound=min(bound, least), status="time limit")
        tried.append(objective(ranks))
    values = np.array(tried)
    least = float(values.min())
    optimal = values <= least + 1e-9 * max(least, 1.0)
    number = int(optimal.sum())
    best = rankings[int(np.argmin(values))]
    return Found(
        ranks=best,
        objective=least,
        bound=least,
        status="optimal",
        unique=number == 1,
        number=number,
        leads=alone(np.argmin(rankings[optimal], axis=1)),
        every=bool(optimal.all()),
    )

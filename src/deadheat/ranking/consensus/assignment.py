"""Distances that are sums over candidates: every candidate is assigned a rank."""

from __future__ import annotations

import numpy as np

from deadheat.ranking.consensus.clock import Clock
from deadheat.ranking.consensus.found import Found, alone
from deadheat.typing import Booleans, Floats, Integers

SAME = 1e-9  # of the largest cost: a shorter cycle costs nothing


def assigned(costs: Floats, clock: Clock) -> Found:
    """Return the cheapest ranking where ``costs[i, p]`` is what rank p + 1 of candidate i costs.

    That takes the time it takes, O(n³); whether others are as cheap is asked if there is time left.
    """
    from scipy.optimize import linear_sum_assignment

    n = len(costs)
    _, place = linear_sum_assignment(costs)
    objective = float(costs[np.arange(n), place].sum())
    if clock.is_over():
        return Found(ranks=place + 1.0, objective=objective, bound=objective, status="optimal")
    others = _exchangeable(costs, place)
    first = int(np.argmin(place))
    return Found(
        ranks=place + 1.0,
        objective=objective,
        bound=objective,
        status="optimal",
        unique=not others.any(),
        leads=alone([first, *np.flatnonzero(others[:, first]).tolist()]),
        every=_is_indifferent(costs),
    )


def _exchangeable(costs: Floats, place: Integers) -> Booleans:
    """Return whether i is at the place of j in another assignment that is as cheap, (n, n).

    Another one moves candidates to each other's places along cycles that cost nothing. With the
    lengths of shortest paths as potentials, such a cycle has nothing but arcs that cost nothing,
    and an arc is on a cycle if and only if it stays in its strongly connected component.
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    n = len(costs)
    moves = costs[:, place] - costs[np.arange(n), place][:, None]  # i takes the place of j
    noise = SAME * max(float(np.abs(costs).max()), 1e-300)
    lengths, shorter = np.zeros(n), np.minimum(moves.min(axis=0), 0.0)
    while (shorter < lengths - noise).any():
        lengths = shorter
        shorter = np.minimum(lengths, (lengths[:, None] + moves).min(axis=0))
    free = moves + lengths[:, None] - lengths[None, :] <= n * noise
    np.fill_diagonal(free, val=False)
    _, part = connected_components(csr_array(free), directed=True, connection="strong")
    return np.asarray(free & (part[:, None] == part))


def _is_indifferent(costs: Floats) -> bool:
    """Return whether all assignments cost the same: costs of candidates plus costs of places."""
    rest = costs - costs[:, :1] - costs[:1] + costs[0, 0]
    return bool(np.abs(rest).max() <= SAME * max(float(np.abs(costs).max()), 1.0))

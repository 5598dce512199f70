"""Distances that are sums over candidates: every candidate is assigned a rank."""

from __future__ import annotations

import numpy as np

from deadheat.ranking.consensus.found import Found
from deadheat.typing import Floats, Integers

SAME = 1e-9  # of the largest cost: a shorter cycle costs nothing


def assigned(costs: Floats) -> Found:
    """Return the cheapest ranking where ``costs[i, p]`` is what rank p + 1 of candidate i costs."""
    from scipy.optimize import linear_sum_assignment

    n = len(costs)
    _, place = linear_sum_assignment(costs)
    objective = float(costs[np.arange(n), place].sum())
    return Found(
        ranks=place + 1.0,
        objective=objective,
        bound=objective,
        status="optimal",
        unique=_is_unique(costs, place),
    )


def _is_unique(costs: Floats, place: Integers) -> bool:
    """Return whether no other assignment is as cheap.

    Another one moves candidates to each other's places along cycles that cost nothing. With the
    lengths of shortest paths as potentials, such a cycle has nothing but arcs that cost nothing.
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
    number, _ = connected_components(csr_array(free), directed=True, connection="strong")
    return bool(number == n)

"""A good order quickly: move one candidate at a time to where it costs least."""

from __future__ import annotations

import numpy as np

from deadheat.ranking.consensus.clock import Clock
from deadheat.typing import Floats, Integers


def inserted(losses: Floats, order: Integers, clock: Clock) -> Integers:
    """Return an order, best first, that no move of one candidate improves.

    ``losses[i, j]`` is what i above j costs. A move takes O(n): sums of the differences on the
    way up and on the way down.
    """
    gains = losses - losses.T
    order = np.array(order)
    improved = True
    while improved and not clock.is_over():
        improved = False
        for i in order.copy():
            if clock.is_over():
                break
            here = int(np.flatnonzero(order == i)[0])
            others = np.delete(order, here)
            places = np.concatenate([[0.0], np.cumsum(-gains[i, others])])  # i below ever more
            there = int(np.argmin(places))
            if places[there] < places[here] - 1e-9 * (1 + abs(places[here])):
                order = np.insert(others, there, i)
                improved = True
    return order

"""A sequence cut into consecutive groups, as cheaply as possible."""

from __future__ import annotations

import numpy as np

from deadheat.typing import Floats


def cheapest_groups(costs: Floats) -> tuple[float, list[slice]]:
    """Return the smallest total and its groups, where ``costs[s, e]`` is that of s to e - 1.

    Equal totals are settled for the longer last group.

    >>> cheapest_groups(np.array([[0, 2, 1], [0, 0, 2], [0, 0, 0]]))
    (1.0, [slice(0, 2, None)])
    """
    n = len(costs) - 1
    totals, cuts = np.zeros(n + 1), np.zeros(n + 1, dtype=np.intp)
    for end in range(1, n + 1):
        options = totals[:end] + costs[:end, end]
        cuts[end] = np.argmin(options)
        totals[end] = options[cuts[end]]
    groups: list[slice] = []
    end = n
    while end:
        groups.insert(0, slice(int(cuts[end]), int(end)))
        end = int(cuts[end])
    return float(totals[-1]), groups


def shared_ranks(groups: list[slice]) -> Floats:
    """Return the rank of each position, which a group shares."""
    parts = [np.full(g.stop - g.start, (g.start + g.stop + 1) / 2) for g in groups]
    return np.concatenate(parts)

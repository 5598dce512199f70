"""All optimal rankings with ties of a few candidates, by dynamic programming over subsets."""

from __future__ import annotations

import numpy as np

from deadheat.ranking.consensus.subsets import sums_over_subsets
from deadheat.typing import Floats, Integers

MOST_IN_BUCKETS = 10  # candidates: 59,049 pairs of a subset and its last bucket


def best_buckets(
    above: Floats, level: Floats, *, tolerance: float
) -> tuple[float, list[Integers], int]:
    r"""Return the smallest cost, the buckets of a ranking that has it, and how many rankings do.

    ``above[i, j]`` is what i above j costs, ``level[i, j]`` what a tie does. The best ranking of a
    subset ends with some bucket, below the best ranking of the rest: O(3^n).
    """
    n = len(above)
    over = sums_over_subsets(above[None])[0]  # over[T, j]: all of T above j
    under = sums_over_subsets(above.T[None])[0]  # under[T, j]: j above all of T
    beside = sums_over_subsets(level[None])[0]
    best, ways = np.zeros(1 << n), np.zeros(1 << n)
    last = np.zeros(1 << n, dtype=np.intp)
    ways[0] = 1
    for subset in range(1, 1 << n):
        buckets, costs = np.zeros(1, dtype=np.intp), np.zeros(1)
        for j in range(n):
            if not subset >> j & 1:
                continue
            rest = subset & ~buckets & ~(1 << j)
            added = over[rest, j] - under[buckets, j] + beside[buckets, j]
            buckets = np.concatenate([buckets, buckets | 1 << j])
            costs = np.concatenate([costs, costs + added])
        totals = best[subset & ~buckets[1:]] + costs[1:]
        best[subset] = totals.min()
        chosen = buckets[1:][totals <= best[subset] + tolerance]
        last[subset] = chosen[-1]  # the later candidates go last
        ways[subset] = ways[subset & ~chosen].sum()
    return float(best[-1]), _buckets(last, n), int(ways[-1])


def _buckets(last: Integers, n: int) -> list[Integers]:
    found: list[Integers] = []
    subset = (1 << n) - 1
    while subset:
        bucket = int(last[subset])
        found.insert(0, np.flatnonzero(bucket >> np.arange(n) & 1))
        subset &= ~bucket
    return found

"""All optimal rankings with ties of a few candidates, by dynamic programming over subsets."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from deadheat.ranking.consensus.subsets import sums_over_subsets
from deadheat.typing import Floats, Integers

MOST_IN_BUCKETS = 10  # candidates: 59,049 pairs of a subset and its last bucket


class BestBuckets(NamedTuple):
    """The smallest cost, a ranking that has it, how many do, and the first buckets of those."""

    cost: float
    buckets: list[Integers]
    number: int
    firsts: list[Integers]


def best_buckets(above: Floats, level: Floats, *, tolerance: float) -> BestBuckets:
    r"""Return the best ranking with ties, how many are as good, and who is first in them.

    ``above[i, j]`` is what i above j costs, ``level[i, j]`` what a tie does. The best ranking of a
    subset ends with some bucket, below the best ranking of the rest: O(3^n).
    """
    n = len(above)
    over = sums_over_subsets(above[None])[0]  # over[T, j]: all of T above j
    under = sums_over_subsets(above.T[None])[0]  # under[T, j]: j above all of T
    beside = sums_over_subsets(level[None])[0]
    best, ways = np.zeros(1 << n), np.zeros(1 << n)
    last = np.zeros(1 << n, dtype=np.intp)
    endings: list[Integers] = [last[:0]]
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
        endings.append(chosen)
    return BestBuckets(float(best[-1]), _buckets(last, n), int(ways[-1]), _firsts(endings, n))


def _buckets(last: Integers, n: int) -> list[Integers]:
    found: list[Integers] = []
    subset = (1 << n) - 1
    while subset:
        bucket = int(last[subset])
        found.insert(0, np.flatnonzero(bucket >> np.arange(n) & 1))
        subset &= ~bucket
    return found


def _firsts(endings: list[Integers], n: int) -> list[Integers]:
    """Return the first buckets of all optimal rankings, from the last ones of every subset."""
    reached = np.zeros(1 << n, dtype=bool)
    reached[-1] = True
    found: list[int] = []
    for subset in range((1 << n) - 1, 0, -1):
        if reached[subset]:
            before = subset & ~endings[subset]
            reached[before] = True
            found += [subset] if (before == 0).any() else []
    return [np.flatnonzero(bucket >> np.arange(n) & 1) for bucket in found]

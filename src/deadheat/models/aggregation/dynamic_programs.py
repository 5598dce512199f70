"""Exact optima of few candidates, by dynamic programs over subsets and partitions."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import islice
from typing import NamedTuple

import numpy as np

from deadheat.core.types import Booleans, Floats, Integers


def cheapest_groups(costs: Floats) -> tuple[float, list[slice]]:
    """Return the smallest total and its groups, where ``costs[s, e]`` is that of s to e - 1."""
    n = len(costs) - 1
    totals, cuts = np.zeros(n + 1), np.zeros(n + 1, dtype=np.intp)
    for end in range(1, n + 1):
        options = totals[:end] + costs[:end, end]
        cuts[end] = np.argmin(options)  # the longer last group, if equal
        totals[end] = options[cuts[end]]
    groups: list[slice] = []
    end = n
    while end:
        groups.insert(0, slice(int(cuts[end]), int(end)))
        end = int(cuts[end])
    return float(totals[-1]), groups


# All optimal orders of a few candidates, by dynamic programming over subsets.

MOST = 12  # candidates: 4,096 subsets of which each looks at 12


class Layer(NamedTuple):
    subsets: Integers
    members: Integers
    smaller: Integers  # without each of the members
    outside: Integers
    larger: Integers  # with each of those outside


@cache
def layers(n: int) -> tuple[Layer, ...]:
    """Return the subsets of n candidates by size, as bits, from 1 candidate to all."""
    numbers = np.arange(1 << n)
    inside = (numbers[:, None] >> np.arange(n)) & 1 == 1
    sizes = inside.sum(axis=1)
    found = []
    for size in range(1, n + 1):
        subsets = np.flatnonzero(sizes == size)
        members = np.nonzero(inside[subsets])[1].reshape(len(subsets), size)
        outside = np.nonzero(~inside[subsets])[1].reshape(len(subsets), n - size)
        smaller, larger = subsets[:, None] ^ (1 << members), subsets[:, None] | (1 << outside)
        found.append(Layer(subsets, members, smaller, outside, larger))
    return tuple(found)


class Optima(NamedTuple):
    """The optimal orders of B contests of n candidates each."""

    best: Floats  # the smallest loss, (B,)
    last: Booleans  # whether an optimal order of a subset may end with a candidate, (B, 2**n, n)
    starts: Floats  # how many optimal orders a subset has, (B, 2**n)
    ends: Floats  # in how many ways each can be continued to an optimal order of all, (B, 2**n)

    @property
    def number(self) -> Floats:
        return self.starts[:, -1]

    def mean_ranks(self, copies: Floats) -> Floats:
        """Return mean ranks over all optimal orders (B, n); copies share theirs."""
        n = copies.shape[1]
        above = sums_over_subsets(copies[:, :, None])[:, :, 0]
        without = np.arange(1 << n)[:, None] & ~(1 << np.arange(n))
        ways = self.starts[:, without] * self.ends[:, :, None] * self.last
        places = above[:, without] + (copies[:, None, :] + 1) / 2
        total: Floats = np.einsum("bsi,bsi->bi", ways, places)
        return total / self.number[:, None]

    @property
    def firsts(self) -> Integers:
        """The candidates that are first in some optimal order of the first contest."""
        each = np.arange(self.last.shape[2])
        return np.flatnonzero(self.ends[0, 1 << each] > 0)

    def orders(self, *, most: int) -> list[Integers]:
        n = self.last.shape[2]
        return [np.array(order) for order in islice(self._endings((1 << n) - 1), most)]

    def _endings(self, subset: int) -> Iterator[tuple[int, ...]]:
        if not subset:
            yield ()
        for i in np.flatnonzero(self.last[0, subset])[::-1].tolist():  # later ones go last
            for before in self._endings(subset ^ (1 << i)):
                yield (*before, i)


def optimal_orders(losses: Floats, *, tolerance: Floats) -> Optima:
    """Return the optimal orders of contests in which i above j loses so much, (B, n, n).

    The best order of a subset that ends with i is the best order of the rest, and i below all of it
    (Held, Karp 1962). Losses within the tolerance (B,) are equal.
    """
    size, n, _ = losses.shape
    below = sums_over_subsets(losses)
    best, starts, ends = (np.zeros((size, 1 << n)) for _ in range(3))
    starts[:, 0] = ends[:, -1] = 1
    last = np.zeros((size, 1 << n, n), dtype=bool)
    for layer in layers(n):
        ending = best[:, layer.smaller] + below[:, layer.smaller, layer.members]
        least = ending.min(axis=2, keepdims=True)
        best[:, layer.subsets] = least[:, :, 0]
        optimal = ending <= least + tolerance[:, None, None]
        last[:, layer.subsets[:, None], layer.members] = optimal
        starts[:, layer.subsets] = (optimal * starts[:, layer.smaller]).sum(axis=2)
    for layer in layers(n)[-2::-1]:
        onwards = last[:, layer.larger, layer.outside]
        ends[:, layer.subsets] = (onwards * ends[:, layer.larger]).sum(axis=2)
    each = np.arange(n)
    ends[:, 0] = (last[:, 1 << each, each] * ends[:, 1 << each]).sum(axis=1)
    return Optima(best[:, -1], last, starts, ends)


def sums_over_subsets(rows: Floats) -> Floats:
    """Return the sums of rows (B, n, k) over every subset of the n, (B, 2**n, k)."""
    size, n, k = rows.shape
    sums = np.zeros((size, 1 << n, k))
    for i in range(n):
        np.add(sums[:, : 1 << i], rows[:, i, None], out=sums[:, 1 << i : 2 << i])
    return sums


# All optimal rankings with ties of a few candidates, by dynamic programming over subsets.

MOST_IN_BUCKETS = 10  # candidates: 59,049 pairs of a subset and its last bucket


class BestBuckets(NamedTuple):
    """The smallest cost, a ranking that has it, how many do, and the first buckets of those."""

    cost: float
    buckets: list[Integers]
    number: int
    firsts: list[Integers]


def best_buckets(above: Floats, level: Floats, *, tolerance: float) -> BestBuckets:
    """Return the best ranking with ties, given what i above j costs, and i level with j, in O(3^n).

    It ends with some bucket, below the best ranking of the rest.
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
    bits: list[int] = []
    subset = (1 << n) - 1
    while subset:
        bits.insert(0, int(last[subset]))
        subset &= ~bits[0]
    reached = np.zeros(1 << n, dtype=bool)
    reached[-1] = True
    firsts = []
    for subset in range((1 << n) - 1, 0, -1):
        if reached[subset]:
            before = subset & ~endings[subset]
            reached[before] = True
            firsts += [subset] if (before == 0).any() else []

    def members(subsets: list[int]) -> list[Integers]:
        return [np.flatnonzero(subset >> np.arange(n) & 1) for subset in subsets]

    return BestBuckets(float(best[-1]), members(bits), int(ways[-1]), members(firsts))

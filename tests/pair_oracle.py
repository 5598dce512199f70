"""Loops that follow the definitions literally, on repeated units."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np

from deadheat.resampling.plans import Weights, block_size


@dataclass(frozen=True)
class Given:
    """A plan that draws what it was given."""

    weights: np.ndarray

    @property
    def replicates(self):
        return len(self.weights)

    def draw(self, k, n, m):
        size = block_size(n, m)
        rows = self.weights[k * size : (k + 1) * size]
        return Weights(rows, np.ones((len(rows), n)))

    whole_block = draw


def difference_and_error(values, sizes, strata, i, j, times):
    """Return d and se of one pair in a world in which unit c is there ``times[c]`` times."""
    chosen = [c for c in range(len(sizes)) for _ in range(int(times[c]))]
    total = sum(sizes[c] for c in chosen)
    d = sum(values[i, c] - values[j, c] for c in chosen) / total
    variance = 0.0
    for h in sorted(set(strata)):
        inside = [c for c in chosen if strata[c] == h]
        if len(inside) < 2:
            continue
        e = [(values[i, c] - values[j, c] - d * sizes[c]) / total for c in inside]
        mean = sum(e) / len(e)
        variance += len(e) / (len(e) - 1) * sum((x - mean) ** 2 for x in e)
    return d, variance**0.5


def stepped_down(observed, replicated, *, exact=False):
    """Return adjusted p: observed {pair: T}, replicated [{pair: T*}]."""
    p, before = {}, 0.0
    still = sorted(observed, key=observed.get, reverse=True)
    while still:
        pair = still[0]
        largest = [max(world[other] for other in still) for world in replicated]
        count = sum(x >= observed[pair] * (1 - 1e-5) for x in largest)
        share = count / len(replicated) if exact else (count + 1) / (len(replicated) + 1)
        p[pair] = before = max(before, share)
        still = still[1:]
    return p


def max_t_statistics(values, sizes, strata, weights, floor):
    """Return T of every pair i < j, and the signed studentized shifts of every replicate."""
    n, u = values.shape
    observed, replicated = {}, []
    pairs = list(itertools.combinations(range(n), 2))
    at = {(i, j): difference_and_error(values, sizes, strata, i, j, [1] * u) for i, j in pairs}
    for (i, j), (d, se) in at.items():
        observed[i, j] = d / se
    for times in weights:
        world = {}
        for (i, j), (d, se) in at.items():
            star, error = difference_and_error(values, sizes, strata, i, j, times)
            world[i, j] = (star - d) / max(error, floor * se)
        replicated.append(world)
    return observed, replicated


def absolute(statistics):
    return {pair: abs(value) for pair, value in statistics.items()}


def flipped_statistics(values, signs):
    """Return the studentized differences of every pair under one sign per unit."""
    n, u = values.shape
    found = {}
    for i, j in itertools.combinations(range(n), 2):
        d = [s * (values[i, c] - values[j, c]) for c, s in enumerate(signs)]
        mean = sum(d) / u
        se = (sum((x - mean) ** 2 for x in d) / (u - 1) / u) ** 0.5
        found[i, j] = mean / se
    return found


def best_p(observed, replicated, n, *, exact=False):
    """Return the p-value of "i is one of the best" from signed statistics of pairs i < j."""
    p = []
    for i in range(n):
        own = _behind(observed, i, n)
        count = sum(_behind(world, i, n) >= own - 1e-5 * abs(own) for world in replicated)
        k = len(replicated)
        p.append(count / k if exact else (count + 1) / (k + 1))
    return p


def _behind(statistics, i, n):
    return max(statistics[j, i] if j < i else -statistics[i, j] for j in range(n) if j != i)


def square(n, p):
    """Return {pair: p} as a symmetric array with 1 on the diagonal."""
    found = np.ones((n, n))
    for (i, j), value in p.items():
        found[i, j] = found[j, i] = value
    return found

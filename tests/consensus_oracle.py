"""The judge of the consensus: distances as they are defined, and every ranking tried.

Nothing here knows how the package searches. A ranking is a list of ranks, 1 = best, in which ties
share their mean rank; a judge's ranking comes from scipy.
"""

from __future__ import annotations

from itertools import combinations, permutations, product

import numpy as np
from scipy.stats import rankdata


def judge_rankings(scores):
    """Return the ranking of each judge."""
    return [rankdata(-column, method="average").tolist() for column in np.asarray(scores).T]


def sign(x):
    return int(x > 0) - int(x < 0)


def kendall(r, s):
    return (
        sum(abs(sign(r[i] - r[j]) - sign(s[i] - s[j])) for i, j in combinations(range(len(r)), 2))
        / 2
    )


def spearman(r, s):
    return sum((a - b) ** 2 for a, b in zip(r, s, strict=True))


def footrule(r, s):
    return sum(abs(a - b) for a, b in zip(r, s, strict=True))


def hamming(r, s):
    return sum(a != b for a, b in zip(r, s, strict=True))


def euclidean(r, s):
    return spearman(r, s) ** 0.5


def cayley(r, s):
    """Swap the first candidate that is wrong into its place, until none is wrong."""
    r, swaps = list(r), 0
    for i, wanted in enumerate(s):
        if r[i] != wanted:
            j = r.index(wanted)
            r[i], r[j] = r[j], r[i]
            swaps += 1
    return swaps


DISTANCES = {f.__name__: f for f in (kendall, spearman, footrule, hamming, euclidean, cayley)}


def objective(name, ranks, scores, weights):
    """Return the weighted sum of the distances of a ranking to the judges."""
    return _summed(name, list(ranks), judge_rankings(scores), weights)


def _summed(name, ranks, judges, weights):
    return sum(w * DISTANCES[name](ranks, judge) for w, judge in zip(weights, judges, strict=True))


def strict_rankings(n):
    return [np.array(p, dtype=float) for p in permutations(range(1, n + 1))]


def weak_rankings(n):
    """Return every ranking with ties of n candidates: levels that leave none out."""
    return [
        rankdata(levels, method="average")
        for levels in product(range(n), repeat=n)
        if set(levels) == set(range(max(levels) + 1))
    ]


def optima(name, scores, weights, *, rankings):
    """Return the smallest objective and all rankings that have it."""
    judges = judge_rankings(scores)
    values = np.array([_summed(name, r.tolist(), judges, weights) for r in rankings])
    best = values.min()
    return best, [r for r, value in zip(rankings, values, strict=True) if value < best + 1e-9]


def pair_costs(scores, weights):
    """Return what i above j costs by Kendall's distance, missing scores left out."""
    n = len(scores)
    costs = np.zeros((n, n))
    for i, j in product(range(n), repeat=2):
        if i != j:
            costs[i, j] = np.sum(weights * (scores[j] > scores[i])) + 0.5 * np.sum(
                weights * (scores[j] == scores[i])
            )
    return costs


def best_of_subsets(costs):
    """Return the smallest cost of a strict order and the number of orders that have it."""
    n = len(costs)
    best, number = {0: 0.0}, {0: 1}
    for subset in range(1, 1 << n):
        members = [i for i in range(n) if subset >> i & 1]
        ends = {}
        for i in members:
            rest = subset & ~(1 << i)
            ends[rest] = best[rest] + sum(costs[j, i] for j in members if j != i)
        best[subset] = min(ends.values())
        number[subset] = sum(number[r] for r, c in ends.items() if c < best[subset] + 1e-9)
    return best[(1 << n) - 1], number[(1 << n) - 1]

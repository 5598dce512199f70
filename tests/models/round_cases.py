"""Rounds for the tests of ratings, and their likelihood written out set by set."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from scipy.optimize import minimize


def literal(ranks, b, ties, weights=None):
    """The log-likelihood as printed: every set that could have been chosen, one by one."""
    prevalence = {1: 0.0, **ties}
    total = 0.0
    for s, row in enumerate(ranks):
        left = [i for i in range(len(row)) if not np.isnan(row[i])]
        while left:
            best = min(row[i] for i in left)
            chosen = [i for i in left if row[i] == best]
            sets = [c for d in prevalence for c in combinations(left, d)]
            every = sum(np.exp(prevalence[len(c)] + np.mean([b[i] for i in c])) for c in sets)
            one = prevalence[len(chosen)] + np.mean([b[i] for i in chosen]) - np.log(every)
            total += one * (1 if weights is None else weights[s])
            left = [i for i in left if i not in chosen]
    return total


def highest(ranks, sizes, weights=None, penalty=lambda b: 0.0):
    n = len(ranks[0])

    def minus(x):
        b = np.append(x[: n - 1], -x[: n - 1].sum())
        return -literal(ranks, b, dict(zip(sizes, x[n - 1 :], strict=True)), weights) - penalty(b)

    found = minimize(minus, np.zeros(n - 1 + len(sizes)), tol=1e-11)
    return np.append(found.x[: n - 1], -found.x[: n - 1].sum()), found.x[n - 1 :]


def some_rounds(seed, rounds, n, *, missing=0.0, rounded=None):
    rng = np.random.default_rng(seed)
    scores = rng.gumbel(size=(rounds, n)) + np.linspace(1, 0, n)
    if rounded is not None:
        scores = np.round(scores, rounded)
    scores[rng.random(scores.shape) < missing] = np.nan
    return -scores

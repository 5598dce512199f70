"""Battles with covariates for the tests of ratings, and their likelihood written out."""

from __future__ import annotations

import numpy as np
from scipy.optimize import minimize


def battles(seed, cells, n, *, covariates=2):
    rng = np.random.default_rng(seed)
    left = np.r_[np.arange(n), rng.integers(0, n, cells - n)]
    right = (left + np.r_[np.ones(n, dtype=int), rng.integers(1, n, cells - n)]) % n
    z = rng.normal(size=(cells, covariates)) * [1, 40][:covariates]
    odds = rng.normal(size=n)[left] - rng.normal(size=n)[right] + z[:, 0] + 0.4
    outcome = np.sign(odds + rng.logistic(size=cells)).astype(int)
    outcome[rng.random(cells) < 0.15] = 0
    return left, right, outcome, z, rng.integers(1, 4, cells).astype(float)


def rows(left, right, n, z):
    """The design as a dense matrix, in the units given."""
    x = np.zeros((len(left), n))
    x[np.arange(len(left)), left] += 1
    x[np.arange(len(left)), right] -= 1
    return np.hstack([x, z])


def coefficients(fit):
    """What circumstances are worth, the side first, in the units given."""
    return fit.parameters[fit.design.n :] / fit.design.scales


def literal(x, outcome, weights, beta):
    total = 0.0
    for row, result, weight in zip(x, outcome, weights, strict=True):
        won, lost = -np.logaddexp(0, -(row @ beta)), -np.logaddexp(0, row @ beta)
        total += weight * ((result + 1) / 2 * won + (1 - result) / 2 * lost)
    return total


def highest(x, outcome, weights, n, penalty=lambda beta: 0.0):
    def whole(free):
        return np.r_[free[: n - 1], -free[: n - 1].sum(), free[n - 1 :]]

    def minus(free):
        return -literal(x, outcome, weights, whole(free)) - penalty(whole(free))

    return whole(minimize(minus, np.zeros(x.shape[1] - 1), tol=1e-10).x)


def information(x, weights, beta):
    p = 1 / (1 + np.exp(-(x @ beta)))
    return (x * (weights * p * (1 - p))[:, None]).T @ x

"""Pairs for the tests of ratings, and their likelihood written out pair by pair."""

from __future__ import annotations

import math
from types import SimpleNamespace

import numpy as np
from scipy.optimize import minimize

from deadheat.models.rating.pair_counts import PairCounts


def counts(n, rows):
    """Return pairs from rows (first, second, wins, losses, ties)."""
    table = np.array(sorted(rows), dtype=float).reshape(-1, 5)
    return PairCounts(
        n, table[:, 0].astype(int), table[:, 1].astype(int), table[:, 2], table[:, 3], table[:, 4]
    )


def drawn(seed, n, *, most=6, ties=3, met=1.0):
    """Return random pairs, of which about a share ``met`` met, on a connected path at least."""
    rng = np.random.default_rng(seed)
    rows = []
    for i in range(n):
        for j in range(i + 1, n):
            if j == i + 1 or rng.random() < met:
                won, lost = rng.integers(1, most, size=2)
                rows.append((i, j, won, lost, rng.integers(0, ties + 1)))
    return counts(n, rows)


def battles(rows, candidates, *, clusters=None):
    """Return a stand-in for a battle log: rows (left, right, outcome, number, weight)."""
    table = np.array(rows, dtype=float).reshape(-1, 5)
    return SimpleNamespace(
        candidates=tuple(candidates),
        left=table[:, 0].astype(int),
        right=table[:, 1].astype(int),
        outcome=table[:, 2].astype(np.int8),
        battles=table[:, 3].astype(int),
        weights=table[:, 4],
        clusters=None if clusters is None else np.array(clusters),
    )


def chances(x, ties, t):
    """Return P(win), P(loss), P(tie); with half ties the last is the geometric mean of both."""
    if ties == "davidson":
        up, down, level = math.exp(x / 2), math.exp(-x / 2), math.exp(t)
        total = up + down + level
        return up / total, down / total, level / total
    if ties == "rao-kupper":
        strong, weak, theta = math.exp(x), 1.0, math.exp(t)
        won, lost = strong / (strong + theta * weak), weak / (weak + theta * strong)
        return won, lost, 1 - won - lost
    won = 1 / (1 + math.exp(-x))
    return won, 1 - won, math.sqrt(won * (1 - won))


def likelihood(pairs, ratings, *, ties="half", t=0.0):
    """Return the log-likelihood, one pair after the other."""
    total = 0.0
    for i, j, won, lost, tied in zip(
        pairs.first, pairs.second, pairs.wins, pairs.losses, pairs.ties, strict=True
    ):
        for number, chance in zip(
            (won, lost, tied), chances(ratings[i] - ratings[j], ties, t), strict=True
        ):
            total += number * math.log(chance) if number else 0.0
    return total


def information(pairs, ratings, *, ties, t):
    """Return the expected information of all ratings but the last, and of the tie parameter.

    Derivatives of the chances are taken by complex steps, so that they are exact.
    """
    size = pairs.n - 1 + (ties != "half")
    found = np.zeros((size, size))
    for i, j, number in zip(pairs.first, pairs.second, pairs.met, strict=True):
        x = ratings[i] - ratings[j]
        chance = np.array(chances(x, ties, t))
        slopes = np.zeros((3, size))
        along_x = np.array([c.imag for c in complex_chances(x + 1e-30j, ties, t)]) / 1e-30
        for k, sign in ((i, 1), (j, -1)):
            if k < pairs.n - 1:
                slopes[:, k] += sign * along_x
        if ties == "half":
            found += number * np.outer(slopes[0], slopes[0]) / (chance[0] * chance[1])
            continue
        along_t = np.array([c.imag for c in complex_chances(x, ties, t + 1e-30j)]) / 1e-30
        slopes[:, -1] = along_t
        found += number * slopes.T @ (slopes / chance[:, None])
    return found


def complex_chances(x, ties, t):
    if ties == "davidson":
        up, down, level = np.exp(x / 2), np.exp(-x / 2), np.exp(t + 0j)
        total = up + down + level
        return up / total, down / total, level / total
    if ties == "rao-kupper":
        won, lost = 1 / (1 + np.exp(t - x + 0j)), 1 / (1 + np.exp(t + x + 0j))
        return won, lost, 1 - won - lost
    won = 1 / (1 + np.exp(-x + 0j))
    return won, 1 - won, 0j


def objective(pairs, ratings, *, ties, t, penalty, strength):
    """Return the penalised log-likelihood."""
    value = likelihood(pairs, ratings, ties=ties, t=t)
    if penalty == "firth":
        value += np.linalg.slogdet(information(pairs, ratings, ties=ties, t=t))[1] / 2
    elif penalty == "ridge":
        value -= strength / 2 * sum(b * b for b in ratings)
    elif penalty == "pseudo":
        more = counts(
            pairs.n,
            [(i, j, strength, strength, 0) for i, j in zip(pairs.first, pairs.second, strict=True)],
        )
        value += likelihood(more, ratings, ties=ties, t=t)
    return value


def maximum(pairs, *, ties, penalty, strength):
    """Return ratings that sum to 0 and the tie parameter, by a search that knows no derivative."""

    def value(z):
        ratings = np.append(z[: pairs.n - 1], -z[: pairs.n - 1].sum())
        t = z[-1] if ties != "half" else 0.0
        if ties == "rao-kupper" and t <= 1e-9:
            return 1e9
        return -objective(pairs, ratings, ties=ties, t=t, penalty=penalty, strength=strength)

    start = np.append(np.zeros(pairs.n - 1), [0.5] if ties != "half" else [])
    exact = {"xatol": 1e-9, "fatol": 1e-13, "maxiter": 20_000, "maxfev": 20_000}
    for _ in range(3):
        start = minimize(value, start, method="Nelder-Mead", options=exact).x
    ratings = np.append(start[: pairs.n - 1], -start[: pairs.n - 1].sum())
    return ratings, (start[-1] if ties != "half" else None)

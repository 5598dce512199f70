"""Bradley-Terry by loops and a general optimiser, and rounds counted one match at a time."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from scipy.optimize import minimize

from deadheat.models.rating.pair_counts import PairCounts


def outcome_chances(gap, ties="half", tie=None):
    """Return the probabilities of a win, a loss and a tie, as the models are written."""
    a, b = np.exp(gap / 2), np.exp(-gap / 2)
    if ties == "davidson":
        nu = np.exp(tie)
        return a / (a + b + nu), b / (a + b + nu), nu / (a + b + nu)
    if ties == "rao-kupper":
        theta = np.exp(tie)
        won, lost = a / (a + theta * b), b / (b + theta * a)
        return won, lost, 1 - won - lost
    return a / (a + b), b / (a + b), 0.0


def counted(scores, *, pairing="same", weights=None, margin=0.0):
    """Count matches of rounds one by one."""
    n, rounds = scores.shape
    weights = np.ones(rounds) if weights is None else weights
    first, second = np.triu_indices(n, 1)
    counts = np.zeros((3, len(first)))
    for p, (i, j) in enumerate(zip(first, second, strict=True)):
        for s in range(rounds):
            for t in range(rounds) if pairing == "all" else [s]:
                gap = scores[i, s] - scores[j, t]
                weight = weights[s] * weights[t] if pairing == "all" else weights[s]
                if np.isnan(gap):
                    continue
                counts[0 if gap > margin else 1 if gap < -margin else 2, p] += weight
    return PairCounts(n, first, second, *counts)


def fitted(pairs):
    """Maximise the likelihood with half wins by a general optimiser."""
    won = np.zeros((pairs.n, pairs.n))
    won[pairs.first, pairs.second] = pairs.wins + pairs.ties / 2
    won[pairs.second, pairs.first] = pairs.losses + pairs.ties / 2

    won /= won.sum()

    def loss(b):
        return sum(
            won[i, j] * np.logaddexp(0, b[j] - b[i]) + won[j, i] * np.logaddexp(0, b[i] - b[j])
            for i, j in combinations(range(pairs.n), 2)
        )

    found = minimize(loss, np.zeros(pairs.n), method="BFGS", options={"gtol": 1e-9}).x
    return found - found.mean()


def deviance(pairs, ratings, ties="half", tie=None):
    """Add up 2 count log(count / expected) over the outcomes of every pair."""
    total = 0.0
    rows = zip(pairs.first, pairs.second, pairs.wins, pairs.losses, pairs.ties, strict=True)
    for i, j, won, lost, tied in rows:
        chances = outcome_chances(ratings[i] - ratings[j], ties, tie)
        met = won + lost + tied
        counts = (won, lost, tied) if ties != "half" else (won + tied / 2, lost + tied / 2)
        for count, chance in zip(counts, chances, strict=False):
            if count > 0:
                total += 2 * count * np.log(count / (met * chance))
    return total

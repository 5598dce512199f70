"""Logs and tables that the tests of ``rate`` share."""

from __future__ import annotations

import numpy as np

import deadheat as dh

NAMES = ("ada", "bob", "cyd", "dan")


def log(rows, **more):
    """Return battles from ``left right winner`` texts, each so many times."""
    each = [row.split() for row, times in rows for _ in range(times)]
    left, right, winner = zip(*each, strict=True)
    return dh.Battles(left=left, right=right, winner=winner, **more)


def drawn(levels=(1.0, 0.6, 0.0, -1.0), number=400, ties=0.1, seed=1):
    """Return columns of a log in which the levels are log-odds."""
    rng = np.random.default_rng(seed)
    pairs = np.array([rng.choice(len(levels), 2, replace=False) for _ in range(number)])
    gap = np.array(levels)[pairs[:, 0]] - np.array(levels)[pairs[:, 1]]
    won = rng.random(number) < 1 / (1 + np.exp(-gap))
    winner = np.where(rng.random(number) < ties, "tie", np.where(won, "left", "right"))
    names = np.array(NAMES)
    return {
        "left": names[pairs[:, 0]].tolist(),
        "right": names[pairs[:, 1]].tolist(),
        "winner": winner.tolist(),
    }


def table(levels=(1.0, 0.6, 0.0, -1.0), rounds=25, seed=0, **more):
    """Return scores around the levels in some rounds."""
    noise = np.random.default_rng(seed).normal(size=(len(levels), rounds))
    scores = np.array(levels)[:, None] + noise
    return dh.Results(scores=scores, candidates=NAMES[: len(levels)], better="higher", **more)


def likelihood(columns, ratings, weights=None):
    """Return the log-likelihood of a log, battle by battle, a tie being half of both."""
    at = dict(zip(NAMES, ratings, strict=True))
    total = 0.0
    for k, (a, b, who) in enumerate(zip(*columns.values(), strict=True)):
        p = 1 / (1 + np.exp(at[b] - at[a]))
        share = {"left": 1.0, "right": 0.0, "tie": 0.5}[who]
        weight = 1.0 if weights is None else weights[k]
        total += weight * (share * np.log(p) + (1 - share) * np.log(1 - p))
    return total

"""Worlds in which the truth is known: tables and battle logs drawn at random."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import deadheat as dh

Draw = Callable[[np.random.Generator, int, int], np.ndarray]


def _difficulty(rng: np.random.Generator, m: int) -> np.ndarray:
    """Return the chance of success on each of m items: some are easy, some are hard."""
    return rng.uniform(0.1, 0.9, m)


def _skew(rng: np.random.Generator, n: int, m: int) -> np.ndarray:
    """Draw equal means with opposite skewness: one half has rare good days, the other bad ones."""
    drawn = rng.exponential(size=(n, m)) - 1
    drawn[n // 2 :] *= -1
    return drawn


def _opposite_lognormal(rng: np.random.Generator, n: int, m: int) -> np.ndarray:
    """Draw equal means with very long tails on opposite sides."""
    drawn = rng.lognormal(size=(n, m)) - np.exp(0.5)
    drawn[n // 2 :] *= -1
    return drawn


def _one_lognormal(rng: np.random.Generator, n: int, m: int) -> np.ndarray:
    """Draw equal means; the first candidate has a long tail."""
    drawn = rng.normal(size=(n, m))
    drawn[0] = rng.lognormal(size=m) - np.exp(0.5)
    return drawn


KINDS: dict[str, tuple[Draw, float]] = {
    "normal": (lambda rng, n, m: rng.normal(size=(n, m)) + rng.normal(size=m), 0.0),
    "t3": (lambda rng, n, m: rng.standard_t(3, size=(n, m)) + rng.normal(size=m), 0.0),
    "lognormal": (lambda rng, n, m: rng.lognormal(size=(n, m)), float(np.exp(0.5))),
    "skew": (_skew, 0.0),
    "0/1": (lambda rng, n, m: (rng.random((n, m)) < _difficulty(rng, m)) * 1.0, 0.5),
    "unequal": (lambda rng, n, m: rng.normal(size=(n, m)) * np.linspace(0.3, 3, n)[:, None], 0.0),
    "ordinal": (lambda rng, n, m: rng.binomial(4, _difficulty(rng, m), size=(n, m)) * 1.0, 2.0),
    "opposite lognormal": (_opposite_lognormal, 0.0),
    "one lognormal": (_one_lognormal, 0.0),
    "0/1, p = .95": (lambda rng, n, m: (rng.random((n, m)) < 0.95) * 1.0, 0.95),
}
"""How each kind of scores is drawn, and the true mean of every candidate."""


def table(
    kind: str, rng: np.random.Generator, n: int, m: int, *, design: str = "", gaps: Any = 0.0
) -> dh.Results:
    """Draw a table of n candidates whose true means lie ``gaps`` below that of the kind.

    A design is ``strata 12 x 2`` (12 strata of 2 judges, whose levels differ and
    cancel out), ``clusters 20 x 3``
    (20 clusters whose 3 judges share most of what a candidate does there) or ``weights`` (one judge
    in four counts three times).
    """
    draw, _ = KINDS[kind]
    given: dict[str, Any] = {}
    if design.startswith("clusters"):
        units, size = _sizes(design)
        shared = np.repeat(draw(rng, n, units), size, axis=1)
        scores = shared + 0.3 * rng.normal(size=(n, units * size))
        given["clusters"] = [f"c{k // size}" for k in range(units * size)]
    else:
        scores = draw(rng, n, m)
    if design.startswith("strata"):
        units, size = _sizes(design)
        scores = scores + np.repeat(np.linspace(-1, 1, units), size)
        given["strata"] = [f"s{k // size}" for k in range(units * size)]
    if design == "weights":
        given["judge_weights"] = np.where(np.arange(m) % 4 == 0, 3.0, 1.0)
    lower = np.broadcast_to(np.asarray(gaps, dtype=float), n)
    return dh.Results(scores=scores - lower[:, None], better="higher", **given)


def logit_gap(rng: np.random.Generator, m: int, gaps: np.ndarray) -> np.ndarray:
    """Return chances of success (n, m) on items of mixed difficulty, less by gaps of log-odds."""
    odds = rng.normal(size=m) - np.asarray(gaps)[:, None]
    return np.asarray(1 / (1 + np.exp(-odds)))


def judges(design: str, m: int) -> int:
    """Return how many judges a design has; m where it does not say."""
    if not design or design == "weights":
        return m
    units, size = _sizes(design)
    return units * size


def _sizes(design: str) -> tuple[int, int]:
    units, size = design.split(" ", 1)[1].split(" x ")
    return int(units), int(size)


def log(rng: np.random.Generator, n: int, matches: int, *, voters: int = 0) -> dh.Battles:
    """Draw a log of equal players, 3 of 10 matches tied; voters have favourites of their own."""
    left = rng.integers(0, n, matches)
    right = (left + rng.integers(1, n, matches)) % n
    lead = rng.logistic(size=matches)
    given: dict[str, Any] = {}
    if voters:
        who = rng.integers(0, voters, matches)
        taste = rng.normal(size=(voters, n))
        lead = lead + taste[who, left] - taste[who, right]
        given["cluster"] = [f"v{k}" for k in who]
    words = np.where(np.abs(lead) < 0.62, "tie", np.where(lead > 0, "left", "right"))
    return dh.Battles(
        left=[f"p{k:02d}" for k in left],
        right=[f"p{k:02d}" for k in right],
        winner=words.tolist(),
        **given,
    )

"""How skewed the differences of candidates are, which few judges cannot average away."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from deadheat.inference.units import Units, every_pair, parts
from deadheat.typing import Floats, Integers

SKEWED = 0.15  # normal scores of 20 judges or more have less in 9 of 10 tables


def pair_skewness(units: Units, values: Floats) -> Iterator[tuple[Integers, Integers, Floats]]:
    """Yield some pairs after the other with the skewness of their differences of values (n, u)."""
    i, j = every_pair(units.n)
    for p in parts(len(i), units.u):
        varies = units.errors(i[p], j[p]) > 0
        first, second = i[p][varies], j[p][varies]
        differences = values[first] - values[second]
        differences -= differences.mean(axis=1, keepdims=True)
        squares = np.square(differences)
        third = (squares * differences).mean(axis=1)
        yield first, second, third / squares.mean(axis=1) ** 1.5


def largest_skewness(units: Units) -> float:
    r"""Return how skewed the differences of one candidate from all others are, at most.

    .. math:: \max_i \Bigl|\frac{1}{n - 1} \sum_{j \ne i} \text{skewness}_{ij}\Bigr| / \sqrt{u}

    The mean over the rivals, since among many pairs the largest skewness is large by chance.
    """
    sums = np.zeros(units.n)
    for i, j, skewness in pair_skewness(units, units.centred):
        np.add.at(sums, i, skewness)
        np.subtract.at(sums, j, skewness)
    return float(np.abs(sums).max() / max(units.n - 1, 1) / np.sqrt(units.u))

"""Whose place rests on so few matches that it could be luck, which no resampling shows."""

from __future__ import annotations

import numpy as np

from deadheat.ranking.rating.bradley_terry import Fit
from deadheat.typing import Floats


def lucky(fit: Fit, matches: Floats, *, units: float, alpha: float) -> dict[int, float]:
    """Return who won, or lost, all of too few matches with the rest, and how many those were.

    A part of the field that no loss joins to the rest is above or below it in every replicate,
    even if there was a single match. Between equals N matches all end the same way with probability
    2 ** -N; that must be alpha or less for each of the n - 1 others.

    Parameters
    ----------
    matches
        (P,), how many matches of each pair were independent, whatever they weigh.
    units
        How many things were independent: matches beyond that are no further evidence.
    """
    strong = fit.existence.strong
    if len(strong) < 2:
        return {}
    part = np.empty(fit.pairs.n, dtype=np.int64)
    for k, members in enumerate(strong):
        part[list(members)] = k
    first, second = part[fit.pairs.first], part[fit.pairs.second]
    met = np.where(first != second, matches, 0.0)
    size = len(strong)
    across = np.minimum(np.bincount(first, met, size) + np.bincount(second, met, size), units)
    needed = np.log2((fit.pairs.n - 1) / alpha)
    few = {k: float(number) for k, number in enumerate(across.tolist()) if number < needed}
    return {i: few[k] for i, k in enumerate(part.tolist()) if k in few}

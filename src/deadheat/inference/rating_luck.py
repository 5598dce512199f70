"""Whose place rests on so few matches that it could be luck, which no resampling shows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from deadheat.inference.corrections import adjusted
from deadheat.inference.rating_separation import Separation
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


@dataclass(frozen=True, kw_only=True)
class Spread:
    """Hold how the matches of somebody who won, or lost, all spread over rivals.

    ``most`` is how many there were with one rival at most, ``rivals`` how many they were.
    """

    matches: float
    most: float
    rivals: int


def thinly_spread(
    fit: Fit, parts: Separation | None, matches: Floats, i: int, *, alpha: float
) -> Spread | None:
    """Return how the matches of i spread, who won, or lost, all and is not told apart from all.

    Ten wins over ten rivals are not luck, and one win over each of them shows nothing about any
    one. The p-values are those of the number of matches, corrected by Holm.

    Parameters
    ----------
    matches
        (P,), how many matches of each pair were independent, whatever they weigh.
    """
    up, down = i in fit.existence.undefeated, i in fit.existence.winless
    if parts is None or not (up or down):
        return None
    others = np.delete(np.arange(fit.pairs.n), i)
    mine = np.full(len(others), i)
    p = parts.p_values(mine, others) if up else parts.p_values(others, mine)
    if (adjusted(p, "holm") <= alpha).all():
        return None
    own = matches[(fit.pairs.first == i) | (fit.pairs.second == i)]
    return Spread(
        matches=float(own.sum()), most=float(own.max()), rivals=int(np.count_nonzero(own))
    )

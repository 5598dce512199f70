"""Whom the judges put first: the one definition of a majority's favourite."""

from __future__ import annotations

import numpy as np

from deadheat.ranking.blocks import SUMMING
from deadheat.typing import Booleans, Floats, Integers


def majority_winners(
    order: Integers,
    last: Integers,
    weights: Floats,
    copies: Floats,
    missing: Booleans | None = None,
) -> Booleans:
    """Return who is alone in first place for more than half of the weight of all judges, (B, n).

    Parameters
    ----------
    order, last
        Per judge the candidates, best first, and the last place that each shares, from 0, (m, n):
        what :func:`deadheat.ranking.blocks.tie_groups` returns, turned.
    weights
        Of the judges, (B, m). Each counts in the whole, also where it supports nobody.
    copies
        How often each candidate is there, (B, n).
    missing
        Which scores are missing, (n, m). A judge that misses somebody who is there supports
        nobody: who is first with it is not known.

    Notes
    -----
    So the favourite of a majority beats every rival among the judges that know both, missing
    scores or not: it is the Condorcet winner.
    """
    favourite, alone = first_places(order, last, copies)
    if missing is not None and missing.any():
        alone &= ~((copies > 0) @ missing)
    rows, n = copies.shape
    cell = favourite + (np.arange(rows) * n)[:, None]
    votes = np.bincount(cell.ravel(), weights=(weights * alone).ravel(), minlength=rows * n)
    half = weights.sum(axis=1, dtype=np.float64)[:, None] / 2
    return np.asarray(votes.reshape(rows, n) > half * (1 + SUMMING))


def first_places(order: Integers, last: Integers, copies: Floats) -> tuple[Integers, Booleans]:
    """Return a candidate that each judge puts first, and whether it stands there alone, (B, m).

    From the best place on, until somebody is met who is there: that is soon, in two places out of
    three, so this takes a few steps per judge and not n.
    """
    shape = (len(copies), len(order))
    trial, judge = (index.ravel() for index in np.indices(shape))
    place = np.zeros(trial.shape, dtype=np.intp)
    left = np.arange(len(trial))
    while len(left):
        who = order[judge[left], place[left]]
        left = left[copies[trial[left], who] == 0]
        place[left] += 1
    found = order[judge, place]
    alone = copies[trial, found] == 1
    end = last[judge, found]
    left = np.flatnonzero(alone & (place < end))
    while len(left):
        place[left] += 1
        met = copies[trial[left], order[judge[left], place[left]]] > 0
        alone[left[met]] = False
        left = left[~met & (place[left] < end[left])]
    return found.reshape(shape), alone.reshape(shape)

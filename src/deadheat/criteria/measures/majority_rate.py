"""How often the majority's favourite wins."""

from __future__ import annotations

import numpy as np

from deadheat.criteria.criterion import Measured, criterion
from deadheat.criteria.levels import Levels
from deadheat.criteria.trial import Trials, rate_of
from deadheat.ranking.blocks import SUMMING
from deadheat.typing import Booleans, Floats, Integers


@criterion(
    "majority_rate",
    heading="majority rate",
    over="trials",
    of_winners=True,
    certain="majority",
)
def majority_rate(trials: Trials) -> Measured:
    r"""Tell how often the candidate wins that more than half of the judges put first.

    .. math:: \frac{1}{\#\{u \text{ exists}\}} \sum \frac{[u \in T]}{|T|}, \quad
        \sum_k w_k [u \text{ alone first on } k] > \tfrac W2

    A judge with several candidates in first place supports nobody.

    References
    ----------
    .. [1] Pavao, Vaccaro, Guyon (2021), "Judging competitions and benchmarks", ESANN, sec. 2.2.
    """
    levels, weights = trials.task.by_order(trials.judges * trials.task.results.weights)
    favourite, alone = favourites(levels, trials.copies)
    rows, n = trials.candidates.shape
    cell = favourite + (np.arange(rows) * n)[:, None]
    votes = np.bincount(cell.ravel(), weights=(weights * alone).ravel(), minlength=rows * n)
    half = weights.sum(axis=1, dtype=np.float64)[:, None] / 2
    chosen = votes.reshape(rows, n) > half * (1 + SUMMING)
    chosen &= (trials.distinct > 1)[:, None]
    there = chosen.any(axis=1)
    return Measured(rate_of(chosen, trials), {"majority winners": int(there.sum())})


def favourites(levels: Levels, copies: Floats) -> tuple[Integers, Booleans]:
    """Return a candidate that each judge puts first, and whether it stands there alone, (B, m).

    From the best place on, until somebody is met who is there: that is soon, in two places out of
    three, so this takes a few steps per judge and not n.
    """
    shape = (len(copies), len(levels.order))
    trial, judge = (index.ravel() for index in np.indices(shape))
    place = np.zeros(trial.shape, dtype=np.intp)
    left = np.arange(len(trial))
    while len(left):
        who = levels.order[judge[left], place[left]]
        left = left[copies[trial[left], who] == 0]
        place[left] += 1
    found = levels.order[judge, place]
    alone = copies[trial, found] == 1
    end = levels.last[judge, found]
    left = np.flatnonzero(alone & (place < end))
    while len(left):
        place[left] += 1
        met = copies[trial[left], levels.order[judge[left], place[left]]] > 0
        alone[left[met]] = False
        left = left[~met & (place[left] < end[left])]
    return found.reshape(shape), alone.reshape(shape)

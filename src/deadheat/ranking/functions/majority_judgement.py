"""Majority judgement."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, cmp_to_key
from itertools import pairwise

import numpy as np

from deadheat.core.types import Floats, Integers
from deadheat.ranking.block import Block, middle
from deadheat.ranking.function import as_cost, ranks_scores


@ranks_scores(
    "majority_judgement",
    scale="ordinal",
    shared_scale=True,
    satisfies={"iia", "liia", "clones", "monotonicity", "unanimity"},
    violates={"majority", "condorcet", "consistency", "participation", "reversal"},
    shown=as_cost,
    heading="place",
    looped=True,
    cost="n m log m, more where medians tie",
)
def majority_judgement(scores: Floats, judge_weights: Floats, candidate_weights: Floats) -> Floats:
    r"""Rank by the lower median grade, then by what is left when medians are removed one by one.

    .. math:: f_i = -\#\{g_j : g_j \succeq g_i\}, \quad
        g_i = \bigl(Q_i(\tfrac W2 - t), Q_i(\tfrac W2 + t)\bigr)_{t \ge 0}

    where Q(t) is the grade at cumulative weight t and sequences are compared from t = 0 on, the
    lower grade before the upper one; that is what removing medians one at a time compares. The
    grades are the scores. The merit is minus the place (dense): no grade holds a whole sequence.

    .. [1] Balinski, Laraki (2011), "Majority judgment: measuring, ranking, and electing", MIT
           Press, ch. 1 and 12.

    >>> majority_judgement([[3, 2, 1], [3, 2, 2], [2, 1, 3], [1, 1, 1]])
    array([[-2., -1., -2., -3.]])
    """
    lower, _ = middle(scores, judge_weights)
    merits = np.full(candidate_weights.shape, np.nan)
    order = np.argsort(scores, axis=1, kind="stable")
    noises = Block(scores, judge_weights, candidate_weights).noise[:, 0].tolist()
    for b, (weights, noise) in enumerate(zip(judge_weights, noises, strict=True)):
        compare = _comparer(scores, order, weights, noise)
        place = 0
        present = np.flatnonzero(candidate_weights[b] > 0)
        medians = lower[b, present]
        for median in np.unique(medians)[::-1]:  # best first; then by the grades around it
            alike = present[medians == median].tolist()
            ordered = sorted(alike, key=cmp_to_key(compare), reverse=True)
            for before, i in pairwise([-1, *ordered]):
                place += before < 0 or compare(before, i) != 0
                merits[b, i] = -place
    return merits


def _comparer(scores: Floats, order: Integers, weights: Floats, noise: float) -> Callable[..., int]:
    """Return 1, 0 or -1 for two: the grade that differs closest to the middle decides."""
    half = float(weights.sum()) / 2

    @cache
    def steps(i: int) -> tuple[Floats, Floats]:  # grades and cumulative weights, without weight 0
        heard = order[i][weights[order[i]] > 0]
        return scores[i, heard], np.cumsum(weights[heard])

    def compare(i: int, j: int) -> int:
        (mine, my_weight), (yours, your_weight) = steps(i), steps(j)
        ends = np.union1d(my_weight, your_weight)  # between them, both grades are constant
        starts = np.concatenate([[0.0], ends[:-1]])
        inside, beside = (
            np.minimum(np.searchsorted(weight, starts + noise, side="right"), len(weight) - 1)
            for weight in (my_weight, your_weight)
        )
        grades, others = mine[inside], yours[beside]
        lead = ((grades > others).astype(int) - (grades < others)) * (ends - starts > noise)
        below = np.flatnonzero(lead * (starts < half - noise))[-1:]
        above = np.flatnonzero(lead * (ends > half + noise))[:1]
        down = max(half - ends[below].sum(), 0.0) if len(below) else np.inf
        up = max(starts[above].sum() - half, 0.0) if len(above) else np.inf
        return int(lead[below if down <= up + noise else above].sum())

    return compare

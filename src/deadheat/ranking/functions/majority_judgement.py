"""Majority judgement."""

from __future__ import annotations

from functools import cmp_to_key
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
    noise = Block(scores, judge_weights, candidate_weights).noise[:, 0]
    for b, medians in enumerate(lower):
        present = np.flatnonzero(candidate_weights[b] > 0)
        sequences = _Sequences(scores, order, judge_weights[b], float(noise[b]))
        place = 0
        for median in np.unique(medians[present])[::-1]:
            for level in sequences.levels(present[medians[present] == median]):
                place += 1
                merits[b, level] = -place
    return merits


class _Sequences:
    """Compare candidates with the same median by their grades around it."""

    def __init__(self, scores: Floats, order: Integers, weights: Floats, noise: float) -> None:
        self.scores, self.order, self.weights, self.noise = scores, order, weights, noise
        self.half = float(weights.sum()) / 2
        self._known: dict[int, tuple[Floats, Floats]] = {}

    def levels(self, candidates: Floats) -> list[list[int]]:
        """Return the candidates, best first, in lists of those whose sequences are equal."""
        if len(candidates) == 1:
            return [[int(candidates[0])]]
        ordered = sorted((int(i) for i in candidates), key=cmp_to_key(self._compare), reverse=True)
        levels = [[ordered[0]]]
        for before, i in pairwise(ordered):
            if self._compare(before, i) == 0:
                levels[-1].append(i)
            else:
                levels.append([i])
        return levels

    def _steps(self, i: int) -> tuple[Floats, Floats]:
        """Return the grades in increasing order and the cumulative weight, without weight 0."""
        if i not in self._known:
            order = self.order[i][self.weights[self.order[i]] > 0]
            self._known[i] = self.scores[i, order], np.cumsum(self.weights[order])
        return self._known[i]

    def _compare(self, i: int, j: int) -> int:
        """Return 1, 0 or -1: the grade that differs at the smallest distance t decides."""
        below = self._difference(i, j, upper=False)
        above = self._difference(i, j, upper=True)
        distance, sign = below if below[0] <= above[0] + self.noise else above
        return sign if np.isfinite(distance) else 0

    def _difference(self, i: int, j: int, *, upper: bool) -> tuple[float, int]:
        """Return the smallest distance from the middle at which the grades differ, and who leads.

        Both grades are constant between neighbouring steps of either candidate.
        """
        (mine, my_weight), (yours, your_weight) = self._steps(i), self._steps(j)
        ends = np.union1d(my_weight, your_weight)
        starts = np.concatenate([[0.0], ends[:-1]])
        inside, beside = (
            np.minimum(np.searchsorted(weight, starts + self.noise, side="right"), len(weight) - 1)
            for weight in (my_weight, your_weight)
        )
        differ = (mine[inside] != yours[beside]) & (ends - starts > self.noise)
        differ &= (ends > self.half + self.noise) if upper else (starts < self.half - self.noise)
        where = np.flatnonzero(differ)
        if not len(where):
            return np.inf, 0
        k = where[0] if upper else where[-1]
        distance = starts[k] - self.half if upper else self.half - ends[k]
        return max(float(distance), 0.0), 1 if mine[inside[k]] > yours[beside[k]] else -1

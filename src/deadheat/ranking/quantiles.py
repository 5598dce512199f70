"""Weighted quantiles of each candidate's scores, for many replicates, without copying a judge."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from deadheat.ranking.blocks import WORKING_SET, Block, running_sums
from deadheat.typing import Booleans, Floats, Integers

CACHE_SHARE = 32  # work on 1/32 of the working set at a time: it then stays in the cache


def middle(scores: Floats, judge_weights: Floats) -> tuple[Floats, Floats]:
    """Return the lower and the upper weighted median of each candidate, two arrays (B, n).

    They are the first scores, from the lowest, at which the cumulative weight C reaches half of
    the candidate's total weight W (C >= W/2), and passes it (C > W/2). A missing score has no
    weight; a candidate without a score has no median (NaN).
    """

    def medians(ordered: Floats, cumulative: Floats, noise: Floats) -> Floats:
        half = cumulative[-1] / 2
        last = len(ordered) - 1
        lower = np.minimum(_number(cumulative < half - noise), last)
        upper = np.minimum(_number(cumulative <= half + noise), last)
        which = np.arange(ordered.shape[1])[:, None]
        found = np.stack([ordered[lower, which], ordered[upper, which]])
        return np.where(cumulative[-1] > 0, found, ordered.dtype.type(np.nan))

    found = _by_candidate(scores, judge_weights, medians)
    return found[0], found[-1]  # a single row where nobody has a score


def trimmed(scores: Floats, judge_weights: Floats, *, cut: float) -> Floats:
    """Return the weighted mean of each candidate (B, n) without ``cut`` of the weight at each end.

    Weight is cut, not judges: the judge at the cut keeps the part of its weight that lies inside.
    """

    def mean_inside(ordered: Floats, cumulative: Floats, noise: Floats) -> Floats:
        del noise
        total = cumulative[-1].astype(np.float64)
        inside = np.clip(cumulative, cut * total, (1 - cut) * total)
        kept = np.diff(inside, axis=0, prepend=cut * total[None])
        kept = np.ascontiguousarray(kept.swapaxes(0, 1))
        sums = np.stack([mine @ weights for mine, weights in zip(ordered.T, kept, strict=True)])
        with np.errstate(invalid="ignore"):  # no weight, no mean
            return np.asarray(sums / (total * (1 - 2 * cut)))[None]

    found: Floats = _by_candidate(scores, judge_weights, mean_inside)[0]
    return found


def largest_kept(scores: Floats, judge_weights: Floats, *, cut: float) -> Floats:
    """Return the largest score in absolute value that :func:`trimmed` does not cut, (B, n)."""

    def largest(ordered: Floats, cumulative: Floats, noise: Floats) -> Floats:
        del noise
        inside = np.clip(cumulative, cut * cumulative[-1], (1 - cut) * cumulative[-1])
        kept = np.diff(inside, axis=0, prepend=cut * cumulative[-1:]) > 0
        return np.asarray(np.where(kept, np.abs(ordered)[:, :, None], 0.0).max(axis=0))[None]

    return np.asarray(np.nan_to_num(_by_candidate(scores, judge_weights, largest)[0]))


def _by_candidate(
    scores: Floats,
    judge_weights: Floats,
    statistic: Callable[[Floats, Floats, Floats], Floats],
) -> Floats:
    """Return ``statistic(ordered scores (m, c), cumulative weights (m, c, B), noise)`` of all.

    Of so many candidates c at a time that calling numpy for them is not most of the work.
    """
    m = scores.shape[1]
    whole = Block(scores, judge_weights, np.ones((len(judge_weights), 1)))
    parts = []
    each = min(len(judge_weights), max(1, WORKING_SET // (m * CACHE_SHARE)))
    c = max(1, WORKING_SET // (m * CACHE_SHARE * max(each, 1)))
    once = list(_sorted(scores, c)) if scores.size <= WORKING_SET else None
    for block in whole.replicates(m * CACHE_SHARE):
        weights = np.ascontiguousarray(block.judge_weights.T, dtype=block.counting)
        noise = block.noise[:, 0].astype(block.counting)
        rows = [
            statistic(ordered, running_sums(weights.take(order, axis=0)), noise)
            if len(order)
            else np.full((1, 1, len(noise)), np.nan)
            for ordered, order in once or _sorted(scores, c)
        ]
        width = max(len(row) for row in rows)
        rows = [np.broadcast_to(row, (width, *row.shape[1:])) for row in rows]
        parts.append(np.concatenate(rows, axis=1).swapaxes(1, 2))
    return np.ascontiguousarray(np.concatenate(parts, axis=1))


def _number(where: Booleans) -> Integers:
    """Count in each column; in the smallest type that holds it, which is several times faster."""
    dtype = np.min_scalar_type(len(where))
    number: Integers = np.add.reduce(where.view(np.uint8), axis=0, dtype=dtype).astype(np.intp)
    return number


def _sorted(scores: Floats, c: int) -> Iterator[tuple[Floats, Integers]]:
    """Yield the known scores of c candidates in increasing order, and which judges gave them.

    Both are (judges, c); where scores are missing, candidates come one by one.
    """
    if np.isnan(scores).any():
        c = 1
    for start in range(0, len(scores), c):
        rows = scores[start : start + c]
        order = np.argsort(rows, axis=1, kind="stable")
        if c == 1:
            order = order[:, : np.count_nonzero(~np.isnan(rows))]  # NaN sorts last
        yield np.take_along_axis(rows, order, axis=1).T, order.T

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
        found = np.stack([ordered[lower], ordered[upper]])
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
        kept = np.diff(inside, axis=0, prepend=cut * total[None, :])
        with np.errstate(invalid="ignore"):  # no weight, no mean
            return np.asarray(ordered @ kept / (total * (1 - 2 * cut)))[None]

    found: Floats = _by_candidate(scores, judge_weights, mean_inside)[0]
    return found


def largest_kept(scores: Floats, judge_weights: Floats, *, cut: float) -> Floats:
    """Return the largest score in absolute value that :func:`trimmed` does not cut, (B, n)."""

    def largest(ordered: Floats, cumulative: Floats, noise: Floats) -> Floats:
        del noise
        inside = np.clip(cumulative, cut * cumulative[-1], (1 - cut) * cumulative[-1])
        kept = np.diff(inside, axis=0, prepend=cut * cumulative[-1:]) > 0
        return np.asarray(np.where(kept, np.abs(ordered)[:, None], 0.0).max(axis=0))[None]

    return np.asarray(np.nan_to_num(_by_candidate(scores, judge_weights, largest)[0]))


def _by_candidate(
    scores: Floats,
    judge_weights: Floats,
    statistic: Callable[[Floats, Floats, Floats], Floats],
) -> Floats:
    """Return ``statistic(ordered scores (m,), cumulative weights (m, B), noise)``, stacked by i."""
    m = scores.shape[1]
    whole = Block(scores, judge_weights, np.ones((len(judge_weights), 1)))
    parts = []
    once = list(_sorted(scores)) if scores.size <= WORKING_SET else None
    for block in whole.replicates(m * CACHE_SHARE):
        weights = np.ascontiguousarray(block.judge_weights.T, dtype=block.counting)
        noise = block.noise[:, 0].astype(block.counting)
        rows = [
            statistic(ordered, running_sums(weights[order]), noise)
            if len(order)
            else np.full((1, len(noise)), np.nan)
            for ordered, order in once or _sorted(scores)
        ]
        width = max(len(row) for row in rows)
        parts.append(np.stack([np.broadcast_to(row, (width, len(noise))) for row in rows], axis=2))
    return np.concatenate(parts, axis=1)


def _number(where: Booleans) -> Integers:
    """Count in each column; in the smallest type that holds it, which is several times faster."""
    dtype = np.min_scalar_type(len(where))
    number: Integers = np.add.reduce(where.view(np.uint8), axis=0, dtype=dtype).astype(np.intp)
    return number


def _sorted(scores: Floats) -> Iterator[tuple[Floats, Integers]]:
    """Yield each candidate's known scores in increasing order, and which judges gave them."""
    for row in scores:
        order = np.argsort(row, kind="stable")
        order = order[: np.count_nonzero(~np.isnan(row))]  # NaN sorts last
        yield row[order], order

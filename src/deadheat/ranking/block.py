"""A block of replicates: one table under many weights, and what is worth computing only once.

Row b of the weights says how often each judge and each candidate is there; 0 means absent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from deadheat.core.errors import UsageError
from deadheat.core.types import Booleans, Floats, Integers
from deadheat.ranking.ranks import last_places

WORKING_SET = 4_000_000  # numbers in one temporary array: 16 MB to 32 MB, whatever the request
EXACT_IN_FLOAT32 = 2**24
LONG_ROW = 128
SUMMING = 1e-12  # the relative noise of a sum of weights that are no whole numbers
CACHE_SHARE = 32  # work on 1/32 of the working set at a time: it then stays in the cache


def slices(number: int, size: int, *, of: int | None = None) -> list[slice]:
    """Return slices of so few things that ``size`` numbers for each stay affordable."""
    step = max(1, (WORKING_SET if of is None else of) // max(size, 1))
    return [slice(start, min(start + step, number)) for start in range(0, number, step)]


@dataclass(frozen=True, eq=False)
class Block:
    """Hold one table (n, m) with judge weights (B, m) and candidate weights (B, n)."""

    scores: Floats
    judge_weights: Floats
    candidate_weights: Floats
    of_table: dict[object, Floats] = field(default_factory=dict, repr=False)  # parts share it

    @property
    def shape(self) -> tuple[int, int, int]:
        return (len(self.judge_weights), *self.scores.shape)

    @cached_property
    def total(self) -> Floats:
        return np.asarray(self.judge_weights.sum(axis=1, keepdims=True, dtype=np.float64))

    @cached_property
    def present(self) -> Floats:
        return np.asarray(self.candidate_weights.sum(axis=1, keepdims=True, dtype=np.float64))

    @cached_property
    def rivals(self) -> Floats:
        """The number of rivals, at least 1 so that one can divide by it."""
        return np.maximum(self.present - 1, 1)

    @cached_property
    def has_holes(self) -> bool:
        return bool(np.isnan(self.scores).any())

    @cached_property
    def exact(self) -> bool:
        both = (self.judge_weights, self.candidate_weights)
        return all(bool((weights == np.rint(weights)).all()) for weights in both)

    @cached_property
    def noise(self) -> Floats:
        """How far two sums of judge weights may differ and yet be equal, (B, 1): 0 if exact."""
        return np.zeros_like(self.total) if self.exact else SUMMING * self.total

    @cached_property
    def counting(self) -> np.dtype[np.floating]:
        """The smallest type in which judge counts times candidate counts are exact."""
        largest = self.total.max(initial=0) * max(self.present.max(initial=0), 1)
        small = self.exact and largest < EXACT_IN_FLOAT32
        return np.dtype(np.float32 if small else np.float64)

    @cached_property
    def one_field(self) -> bool:
        return bool((self.candidate_weights == self.candidate_weights[:1]).all())

    @property
    def fields(self) -> Floats:
        """The candidate weights, or one row of them that stands for all."""
        return self.candidate_weights[:1] if self.one_field else self.candidate_weights

    def replicates(self, size: int) -> Iterator[Block]:
        """Yield blocks of so few replicates that ``size`` numbers for each stay affordable."""
        judges, copies = self.judge_weights, self.candidate_weights
        parts = slices(len(judges), size)
        if len(parts) <= 1:
            yield self
            return
        for some in parts:
            yield replace(self, judge_weights=judges[some], candidate_weights=copies[some])

    def judges(self, size: int) -> list[slice]:
        return slices(self.scores.shape[1], size)


def running_sums(rows: Floats) -> Floats:
    """Turn rows into their cumulative sums along the first axis, in place."""
    if rows[:1].size < LONG_ROW:  # beyond, numpy goes down column by column, three times slower
        return np.cumsum(rows, axis=0, out=rows)
    for i in range(1, len(rows)):
        np.add(rows[i], rows[i - 1], out=rows[i])
    return rows


def tie_groups(scores: Floats) -> tuple[Integers, Integers, Integers]:
    """Return, per judge, the order, best first, and all first and last places from 0, (n, k)."""
    by_judge = np.ascontiguousarray(scores.T)  # sorting along memory is three times faster
    k, n = by_judge.shape
    order = np.argsort(-by_judge, axis=1)
    ordered = np.take_along_axis(by_judge, order, axis=1)
    starts = np.ones((k, n), dtype=bool)
    np.not_equal(ordered[:, 1:], ordered[:, :-1], out=starts[:, 1:])
    first = np.empty_like(order)
    if starts.all():
        np.put_along_axis(first, order, np.broadcast_to(np.arange(n), (k, n)), axis=1)
        return order.T, first.T, first.T
    opens = np.maximum.accumulate(np.where(starts, np.arange(n), 0), axis=1)
    last = np.empty_like(order)
    np.put_along_axis(first, order, opens, axis=1)
    np.put_along_axis(last, order, last_places(starts), axis=1)
    return order.T, first.T, last.T


def block_of(scores: Any, judge_weights: Any = None, candidate_weights: Any = None) -> Block:
    """Return a block from plain arrays; weights may be one row or many, 1 where not given."""
    table = np.asarray(scores)
    if table.dtype != np.float32:
        table = np.asarray(table, dtype=np.float64)
    if table.ndim != 2:
        what = f"scores must be candidates x judges, got {table.ndim} dimension(s)."
        raise UsageError(what, hint="one row per candidate, one column per judge.")
    n, m = table.shape
    judges = _rows(judge_weights, m, "judge")
    candidates = _rows(candidate_weights, n, "candidate")
    size = max(len(judges), len(candidates))
    if not {len(judges), len(candidates)} <= {1, size}:
        raise UsageError(
            f"{len(judges)} rows of judge weights, {len(candidates)} of candidate weights.",
            hint="give one row of weights for each replicate, or one for all.",
        )
    return Block(table, np.broadcast_to(judges, (size, m)), np.broadcast_to(candidates, (size, n)))


def _rows(weights: Any, size: int, kind: str) -> Floats:
    if weights is None:
        return np.ones((1, size))
    rows = np.atleast_2d(np.asarray(weights, dtype=np.float64))
    if rows.ndim != 2 or rows.shape[1] != size:
        raise UsageError(f"{kind} weights have shape {np.shape(weights)} for {size} {kind}s.")
    if not (rows >= 0).all():
        raise UsageError(f"{kind} weights must be at least 0, got {np.nanmin(rows):g}.")
    if kind == "candidate" and (rows != np.rint(rows)).any():
        raise UsageError(
            f"candidate weights are numbers of copies, got {rows[rows != np.rint(rows)][0]:g}.",
            hint="give whole numbers; judge weights may be any.",
        )
    return rows


def middle(scores: Floats, judge_weights: Floats) -> tuple[Floats, Floats]:
    """Return the lower and the upper weighted median of each candidate, two arrays (B, n).

    They are the first scores, from the lowest, at which the cumulative weight reaches half of the
    candidate's total, and passes it. A missing score has no weight; without any, it is NaN.
    """

    def medians(ordered: Floats, cumulative: Floats, noise: Floats) -> Floats:
        half, last = cumulative[-1] / 2, len(ordered) - 1
        lower = np.minimum(_number(cumulative < half - noise), last)
        upper = np.minimum(_number(cumulative <= half + noise), last)
        which = np.arange(ordered.shape[1])[:, None]
        found = np.stack([ordered[lower, which], ordered[upper, which]])
        return np.where(cumulative[-1] > 0, found, ordered.dtype.type(np.nan))

    found = _by_candidate(scores, judge_weights, medians)
    return found[0], found[-1]  # a single row where nobody has a score


def trimmed_means(scores: Floats, judge_weights: Floats, *, cut: float) -> Floats:
    """Return the weighted means (B, n) of the scores without ``cut`` of the weight at each end."""

    def mean_inside(ordered: Floats, cumulative: Floats, _: Floats) -> Floats:
        total = cumulative[-1].astype(np.float64)
        inside = np.clip(cumulative, cut * total, (1 - cut) * total)
        kept = np.diff(inside, axis=0, prepend=cut * total[None])
        kept = np.ascontiguousarray(kept.swapaxes(0, 1))
        sums = np.stack([mine @ weights for mine, weights in zip(ordered.T, kept, strict=True)])
        with np.errstate(invalid="ignore"):  # no weight, no mean
            return np.asarray(sums / (total * (1 - 2 * cut)))[None]

    return np.asarray(_by_candidate(scores, judge_weights, mean_inside)[0])


def largest_kept(scores: Floats, judge_weights: Floats, *, cut: float) -> Floats:
    """Return the largest score in absolute value that :func:`trimmed_means` keeps, (B, n)."""

    def largest(ordered: Floats, cumulative: Floats, _: Floats) -> Floats:
        inside = np.clip(cumulative, cut * cumulative[-1], (1 - cut) * cumulative[-1])
        kept = np.diff(inside, axis=0, prepend=cut * cumulative[-1:]) > 0
        return np.asarray(np.where(kept, np.abs(ordered)[:, :, None], 0.0).max(axis=0))[None]

    return np.asarray(np.nan_to_num(_by_candidate(scores, judge_weights, largest)[0]))


def _by_candidate(
    scores: Floats, judge_weights: Floats, statistic: Callable[[Floats, Floats, Floats], Floats]
) -> Floats:
    """Return ``statistic(ordered scores (m, c), cumulative weights (m, c, B), noise)`` of all."""
    m = scores.shape[1]
    whole = Block(scores, judge_weights, np.ones((len(judge_weights), 1)))
    parts = []
    each = min(len(judge_weights), max(1, WORKING_SET // (m * CACHE_SHARE)))
    c = max(1, WORKING_SET // (m * CACHE_SHARE * max(each, 1)))
    once = list(_sorted_scores(scores, c)) if scores.size <= WORKING_SET else None
    for block in whole.replicates(m * CACHE_SHARE):
        weights = np.ascontiguousarray(block.judge_weights.T, dtype=block.counting)
        noise = block.noise[:, 0].astype(block.counting)
        rows = [
            statistic(ordered, running_sums(weights.take(order, axis=0)), noise)
            if len(order)
            else np.full((1, 1, len(noise)), np.nan)
            for ordered, order in once or _sorted_scores(scores, c)
        ]
        width = max(len(row) for row in rows)
        rows = [np.broadcast_to(row, (width, *row.shape[1:])) for row in rows]
        parts.append(np.concatenate(rows, axis=1).swapaxes(1, 2))
    return np.ascontiguousarray(np.concatenate(parts, axis=1))


def _number(where: Booleans) -> Integers:
    """Count in each column; in the smallest type that holds it, which is several times faster."""
    dtype = np.min_scalar_type(len(where))
    return np.asarray(np.add.reduce(where.view(np.uint8), axis=0, dtype=dtype), dtype=np.intp)


def _sorted_scores(scores: Floats, c: int) -> Iterator[tuple[Floats, Integers]]:
    """Yield the known scores of c candidates in increasing order, and whose, (judges, c)."""
    if np.isnan(scores).any():  # each has judges of its own
        c = 1
    for start in range(0, len(scores), c):
        rows = scores[start : start + c]
        order = np.argsort(rows, axis=1, kind="stable")
        if c == 1:
            order = order[:, : np.count_nonzero(~np.isnan(rows))]  # NaN sorts last
        yield np.take_along_axis(rows, order, axis=1).T, order.T

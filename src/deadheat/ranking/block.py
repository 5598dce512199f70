"""A block of replicates: one table under many weights, and what is worth computing only once.

A replicate never copies the table. Row b of ``judge_weights`` says how often each judge is there,
row b of ``candidate_weights`` how often each candidate; 0 means absent.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from deadheat.typing import Floats, Integers

WORKING_SET = 4_000_000  # numbers in one temporary array: 16 MB to 32 MB, whatever the request
EXACT_IN_FLOAT32 = 2**24
LONG_ROW = 128
SUMMING = 1e-12  # the relative noise of a sum of weights that are no whole numbers


@dataclass(frozen=True, eq=False)
class Block:
    """Hold one table (n, m) with judge weights (B, m) and candidate weights (B, n)."""

    scores: Floats
    judge_weights: Floats
    candidate_weights: Floats
    of_table: dict[object, Floats] = field(default_factory=dict, repr=False)
    """What depends on the table alone; parts of a block share it."""

    @property
    def shape(self) -> tuple[int, int, int]:
        """The sizes B, n, m."""
        return (len(self.judge_weights), *self.scores.shape)

    @cached_property
    def total(self) -> Floats:
        """The sum of the judge weights of each replicate, (B, 1)."""
        return np.asarray(self.judge_weights.sum(axis=1, keepdims=True, dtype=np.float64))

    @cached_property
    def present(self) -> Floats:
        """The number of candidates in each replicate, copies counted, (B, 1)."""
        return np.asarray(self.candidate_weights.sum(axis=1, keepdims=True, dtype=np.float64))

    @cached_property
    def rivals(self) -> Floats:
        """The number of rivals that a candidate has, at least 1 so that one can divide by it."""
        return np.maximum(self.present - 1, 1)

    @cached_property
    def has_holes(self) -> bool:
        """Whether any score is missing."""
        return bool(np.isnan(self.scores).any())

    @cached_property
    def exact(self) -> bool:
        """Whether all weights are whole numbers, so that counts are exact."""
        return _whole(self.judge_weights) and _whole(self.candidate_weights)

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
        """Whether every replicate has the same candidates, so that a judge says the same in all."""
        return bool((self.candidate_weights == self.candidate_weights[:1]).all())

    @cached_property
    def field(self) -> Block:
        """The same table with one replicate that stands for all: only where :attr:`one_field`."""
        return Block(self.scores, self.judge_weights[:1], self.candidate_weights[:1])

    def replicates(self, size: int) -> Iterator[Block]:
        """Yield blocks of so few replicates that ``size`` numbers for each stay affordable."""
        step = max(1, WORKING_SET // max(size, 1))
        if step >= len(self.judge_weights):
            yield self
            return
        for start in range(0, len(self.judge_weights), step):
            chosen = slice(start, start + step)
            yield replace(
                self,
                judge_weights=self.judge_weights[chosen],
                candidate_weights=self.candidate_weights[chosen],
            )

    def judges(self, size: int) -> Iterator[slice]:
        """Yield slices of so few judges that ``size`` numbers for each stay affordable."""
        step = max(1, WORKING_SET // max(size, 1))
        m = self.scores.shape[1]
        for start in range(0, m, step):
            yield slice(start, min(start + step, m))


def running_sums(rows: Floats) -> Floats:
    """Turn rows into their cumulative sums along the first axis, in place.

    Row by row where rows are long: numpy's own goes down column by column, three times slower.
    """
    if rows[:1].size < LONG_ROW:
        return np.cumsum(rows, axis=0, out=rows)
    for i in range(1, len(rows)):
        np.add(rows[i], rows[i - 1], out=rows[i])
    return rows


def tie_groups(scores: Floats) -> tuple[Integers, Integers, Integers]:
    """Return, per judge, the order (best first) and each candidate's first and last place in it.

    All three are (n, k) and places count from 0; tied candidates share first and last place, and
    stand in no particular order.
    """
    by_judge = np.ascontiguousarray(scores.T)  # sorting along memory is three times faster
    k, n = by_judge.shape
    order = np.argsort(-by_judge, axis=1)
    ordered = np.take_along_axis(by_judge, order, axis=1)
    starts = np.ones((k, n), dtype=bool)
    np.not_equal(ordered[:, 1:], ordered[:, :-1], out=starts[:, 1:])
    place = np.arange(n)
    if starts.all():
        first = last = _back(np.broadcast_to(place, (k, n)), order)
    else:
        opened = np.maximum.accumulate(np.where(starts, place, 0), axis=1)
        ends = np.roll(starts, -1, axis=1)  # the first place always starts a group
        closed = np.minimum.accumulate(np.where(ends, place, n)[:, ::-1], axis=1)[:, ::-1]
        first, last = _back(opened, order), _back(closed, order)
    return order.T, first.T, last.T


def _back(ordered: Integers, order: Integers) -> Integers:
    found = np.empty_like(order)
    np.put_along_axis(found, order, ordered, axis=1)
    return found


def _whole(weights: Floats) -> bool:
    return bool((weights == np.rint(weights)).all())

"""Candidates in pairs: how often i beats j, in every replicate, in bounded memory; standings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial, reduce
from typing import Any

import numpy as np

from deadheat.core.types import Booleans, Floats, Integers
from deadheat.ranking.block import (
    EXACT_IN_FLOAT32,
    SUMMING,
    WORKING_SET,
    Block,
    running_sums,
    tie_groups,
)
from deadheat.ranking.ranks import signs

Comparison = Callable[[Floats, Floats], Any]
LARGEST_TENSOR = 4  # a judges x n x n array may be this many working sets
CACHED = 400_000  # margins that are worked on at a time, so that they stay in the cache
MOST_REPLICATES = 1_000  # that anybody asks for at a time
CACHE_SHARE = 8  # work on an eighth of the working set at a time: it then stays in the cache


@dataclass(frozen=True, eq=False)
class Duels:
    r"""The duels of a block, computed when needed: arrays (B, n, n), row i meets column j.

    With judge weights w, ``wins`` is :math:`G_{ij} = \sum_k w_k [y_{ik} > y_{jk}]` and ``ties``
    is :math:`E_{ij} = \sum_k w_k [y_{ik} = y_{jk}]`; a judge that misses one of the two scores
    says nothing about them.
    """

    block: Block

    @property
    def present(self) -> Floats:
        return self.block.present

    @property
    def rivals(self) -> Floats:
        return self.block.rivals

    @property
    def noise(self) -> Floats:
        return self.block.noise

    @cached_property
    def margins(self) -> Floats:
        """Wins minus losses."""
        return pair_sums(self.block, _sign, ordinal=True)

    @cached_property
    def ties(self) -> Floats:
        return pair_sums(self.block, np.equal, ordinal=True)

    @cached_property
    def common(self) -> Floats:
        """The weight of the judges who scored both, (B, n, n), or of all judges, (B, 1, 1)."""
        if not self.block.has_holes:
            return self.block.total[:, :, None]
        return pair_sums(self.block, lambda u, v: ~(np.isnan(u) | np.isnan(v)), ordinal=False)

    @cached_property
    def wins(self) -> Floats:
        return (self.common - self.ties + self.margins) / 2

    @cached_property
    def outcomes(self) -> Floats:
        """Who wins the duel over all judges: 1, 0 for a draw, -1."""
        return signs(self.margins, noise=self.noise[:, :, None])

    @property
    def lead(self) -> Floats:
        """How many rivals each candidate beats less those it loses to, copies counted, (B, n)."""
        if self._counted is None:
            return against(self.outcomes, self.block.candidate_weights)
        won, lost = self._counted
        return won - lost

    @property
    def beaten(self) -> Floats:
        """How many rivals each candidate beats, copies counted, (B, n)."""
        if self._counted is None:
            won = (self.outcomes > 0).astype(self.margins.dtype)
            return against(won, self.block.candidate_weights)
        return self._counted[0]

    @cached_property
    def _counted(self) -> tuple[Floats, Floats] | None:
        """How many rivals are beaten, and how many beat it, where that needs no margins."""
        n, m = self.block.scores.shape
        known = "margins" in self.__dict__ or self.block.has_holes or not self.block.exact
        return None if known or n * n * m > LARGEST_TENSOR * WORKING_SET else _counted(self.block)

    @cached_property
    def rivalry(self) -> Booleans:
        """Whether j is a rival of i: there, and not i itself (a second copy of i is one)."""
        weights = self.block.candidate_weights[:, None, :]
        return np.asarray((weights > 0) & ((weights > 1) | ~np.eye(weights.shape[2], dtype=bool)))

    def share(self, points: Floats) -> Floats:
        """Return the points per rival: (B, n, n) points of i against j, summed by copies of j."""
        own = np.diagonal(points, axis1=1, axis2=2)  # it meets one copy of itself less
        return (against(points, self.block.candidate_weights) - own) / self.rivals


def against(points: Floats, candidate_weights: Floats) -> Floats:
    """Return the points (B, n, n) of each candidate, summed over the copies of the others."""
    weights = np.asarray(candidate_weights, dtype=points.dtype)
    return np.asarray(np.matmul(points, weights[:, :, None])[:, :, 0], dtype=np.float64)


def _counted(block: Block) -> tuple[Floats, Floats]:
    """Return ``Duels._counted`` of whole margins: pairs are summed, cut and counted in the cache.

    With margins times a ``unit`` above all copies, cut at -1 and at the unit, one sum tells both
    numbers: unit times those beaten less those lost to.
    """
    size, n, _ = block.shape
    most_copies = float(block.present.max(initial=0))
    unit = 2.0 ** int(most_copies).bit_length()  # a power of two, so that products stay exact
    dtype = block.counting if unit * most_copies < EXACT_IN_FLOAT32 else np.dtype(np.float64)
    judges = np.asarray(block.judge_weights * unit, dtype=dtype)
    copies = np.asarray(block.candidate_weights, dtype=dtype)
    behind, ahead = np.zeros((2, size, n))  # the duels with those after it, and with those before
    most = min(MOST_REPLICATES, max(1, WORKING_SET // n**2))  # and not size: of_table stays small
    rows = min(n, max(1, CACHED // (most * n)))
    memory = np.empty(size * rows * n, dtype=dtype)
    for start in range(0, n, rows):
        stop = min(start + rows, n)
        key = (_sign, start, stop)  # who beats whom, for each judge: some i times all j from i on
        if key not in block.of_table:
            places = np.ascontiguousarray(_places(block.scores).T)
            said = _sign(places[:, start:stop, None], places[:, None, start:])
            block.of_table[key] = said.reshape(len(places), -1).astype(dtype)
        shape = (size, stop - start, n - start)
        won = memory[: int(np.prod(shape))].reshape(size, -1)
        np.matmul(judges, block.of_table[key], out=won)
        won = np.clip(won, -1, unit, out=won).reshape(shape)
        behind[:, start:stop] = np.matmul(won, copies[:, start:, None])[:, :, 0]
        lost = won[:, :, stop - start :]
        ahead[:, stop:] += np.matmul(copies[:, None, start:stop], lost)[:, 0]
    wins, losses = np.ceil(behind / unit), np.ceil(ahead / unit)
    return wins + (losses * unit - ahead), losses + (wins * unit - behind)


def pair_sums(block: Block, compare: Comparison, *, ordinal: bool) -> Floats:
    """Return the judge-weighted sum of what ``compare`` says of every pair, (B, n, n)."""
    size, n, _ = block.shape
    dtype = block.counting if ordinal else np.dtype(np.float64)
    weights = np.asarray(block.judge_weights, dtype=dtype)
    say = partial(_compare_pairs, block, compare=compare, ordinal=ordinal)
    products = (weights[:, part] @ say(part) for part in block.judges(n * n // LARGEST_TENSOR))
    return reduce(np.add, products).reshape(size, n, n)


def _compare_pairs(block: Block, part: slice, *, compare: Comparison, ordinal: bool) -> Floats:
    """Return what ``compare`` says of all pairs, (k, n n); kept if it is the whole table."""
    if ordinal and compare in block.of_table:
        return block.of_table[compare]
    scores = _places(block.scores[:, part]) if ordinal else block.scores[:, part]
    by_judge = np.ascontiguousarray(scores.T)
    dtype = block.counting if ordinal else np.dtype(np.float64)
    said = np.asarray(compare(by_judge[:, :, None], by_judge[:, None, :]), dtype=dtype)
    said = said.reshape(len(by_judge), -1)
    if ordinal and len(by_judge) == block.shape[2]:
        block.of_table[compare] = said
    return said


def _places(scores: Floats) -> Floats:
    """Return small integers in the order of the scores of each judge, or the scores with holes."""
    if np.isnan(scores).any():
        return scores
    _, _, last = tie_groups(scores)
    small = np.int16 if len(scores) < np.iinfo(np.int16).max else np.int32
    return (len(scores) - last).astype(small)


def _sign(mine: Floats, yours: Floats) -> Integers:
    return np.greater(mine, yours).view(np.int8) - np.less(mine, yours).view(np.int8)


def majority_winners(
    order: Integers,
    last: Integers,
    weights: Floats,
    copies: Floats,
    missing: Booleans | None = None,
) -> Booleans:
    """Return who is alone in first place for more than half of the weight of all judges, (B, n).

    ``order`` and ``last`` are those of :func:`tie_groups`, turned, (m, n). A judge that misses
    (n, m) somebody who is there supports nobody: a majority's favourite is the Condorcet winner.
    """
    favourite, alone = _first_places(order, last, copies)
    if missing is not None and missing.any():
        alone &= ~((copies > 0) @ missing)
    rows, n = copies.shape
    cell = favourite + (np.arange(rows) * n)[:, None]
    votes = np.bincount(cell.ravel(), weights=(weights * alone).ravel(), minlength=rows * n)
    half = weights.sum(axis=1, dtype=np.float64)[:, None] / 2
    return np.asarray(votes.reshape(rows, n) > half * (1 + SUMMING))


def _first_places(order: Integers, last: Integers, copies: Floats) -> tuple[Integers, Booleans]:
    """Return a candidate that each judge puts first, and whether it stands there alone, (B, m)."""
    shape = (len(copies), len(order))
    trial, judge = (index.ravel() for index in np.indices(shape))
    place = np.zeros(trial.shape, dtype=np.intp)
    left = np.arange(len(trial))
    while len(left):  # until somebody is met who is there: a few steps per judge, not n
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


@dataclass(frozen=True, eq=False)
class Standings:
    r"""Numbers of rivals per replicate and candidate, averaged over the judges, (B, n).

    ``above`` is :math:`\frac1W \sum_{j \ne i} c_j G_{ji}`; ``level`` counts further own copies.
    """

    above: Floats
    level: Floats
    rivals: Floats

    @property
    def below(self) -> Floats:
        return self.rivals - self.above - self.level


def standings(block: Block) -> Standings:
    """Return where each candidate stands, in O(n m) per replicate, by cumulative sums of copies."""
    size, n, _ = block.shape
    if block.has_holes:  # every pair has judges of its own; without any it is level
        parts = [_of_common_judges(part) for part in block.replicates(n * n)]
        above, level = np.concatenate(parts, axis=1)
        return Standings(above, level, block.present - 1)
    if block.one_field:
        dtype = block.counting
        field = np.asarray(block.fields, dtype=dtype)
        judges = np.asarray(block.judge_weights, dtype=dtype)
        sums = np.zeros((2, size, n), dtype=dtype)
        for part in block.judges(n):
            for kind, counted in enumerate(places(block.scores[:, part], field)):
                sums[kind] += judges[:, part] @ counted[:, :, 0].T
    else:
        few = block.replicates(n * CACHE_SHARE)
        sums = np.concatenate([_of_many_fields(part) for part in few], axis=1)
    above, upto = sums.astype(np.float64)
    level = (upto - above - block.total) / block.total  # minus the candidate itself
    return Standings(above / block.total, level, block.present - 1)


def places(scores: Floats, candidate_weights: Floats) -> tuple[Floats, Floats]:
    """Return how many copies (B, n) each judge puts above, and up to, a candidate, (n, k, B)."""
    order, first, last = tie_groups(scores)
    n, k = scores.shape
    by_candidate = np.ascontiguousarray(candidate_weights.T)
    cumulative = np.zeros((n + 1, k, by_candidate.shape[1]), dtype=by_candidate.dtype)
    np.take(by_candidate, order, axis=0, out=cumulative[1:], mode="clip")  # "raise" copies
    running_sums(cumulative[1:])
    judge = np.arange(k)
    return cumulative[first, judge], cumulative[last + 1, judge]


def _of_many_fields(block: Block) -> Floats:
    size, n, _ = block.shape
    dtype = block.counting
    candidates = np.asarray(block.candidate_weights, dtype=dtype)
    judges = np.ascontiguousarray(block.judge_weights.T, dtype=dtype)
    sums = np.zeros((2, n, size), dtype=dtype)
    for part in block.judges(n * size * CACHE_SHARE):
        for kind, counted in enumerate(places(block.scores[:, part], candidates)):
            for k, weights in enumerate(judges[part]):
                counted[:, k] *= weights
                sums[kind] += counted[:, k]
    return sums.swapaxes(1, 2)


def _of_common_judges(block: Block) -> Floats:
    duels = Duels(block)
    met = np.where(duels.common > 0, duels.common, 1.0)
    lost = (duels.wins / met).swapaxes(1, 2)
    level = np.where(duels.common > 0, duels.ties / met, 1.0)
    own = np.diagonal(level, axis1=1, axis2=2)
    weights = block.candidate_weights
    return np.stack([against(lost, weights), against(level, weights) - own])

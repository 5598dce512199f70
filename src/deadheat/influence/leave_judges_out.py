"""The merits of a table without each of its judges, clusters or strata in turn."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import reduce
from typing import Protocol

import numpy as np

from deadheat.data.results import Results
from deadheat.inference.parts import Parts
from deadheat.ranking.blocks import WORKING_SET
from deadheat.ranking.contributions import Contributions
from deadheat.ranking.function import MAGNITUDES, RankingFunction, of_scores
from deadheat.ranking.table import merits_of
from deadheat.resampling.engine import Engine
from deadheat.resampling.plans import block_size
from deadheat.typing import Floats, Integers

LARGEST_STEP = 1_000  # parts: so few that running sums lose no digit that counts
NUMBERS_IN_A_STEP = WORKING_SET // 8  # ranks take eight arrays of this size


class WithoutEach(Protocol):
    """Whatever gives the merits without each part, block by block."""

    @property
    def blocks(self) -> range:
        """The numbers of the blocks."""
        ...

    def __call__(self, k: int) -> tuple[Floats, Floats | float]:
        """Return the merits (parts of block k, n), and the units that decide their ties."""
        ...


def without_each(
    results: Results,
    f: RankingFunction,
    known: Contributions | None,
    parts: Parts,
    running: Engine,
) -> WithoutEach:
    """Return the merits without each part in turn, block by block, in bounded memory.

    Where the judges have contributions they follow from sums in n m steps, else the table is
    ranked again for every part.
    """
    if known is None:
        return FromKernel(results, f, parts)
    sums = Sums(results, known, parts, follows=(f.magnitude or MAGNITUDES[f.scale]) is of_scores)
    totals, largest = zip(*running.map(sums.summary, sums.blocks), strict=True)
    return FromSums(
        sums,
        around=_all_others(np.stack(totals)),
        weights=_all_others(parts.sums(results.weights)),
        unit=reduce(Largest.joined, largest)
        if sums.follows
        else f.unit(results.scores, results.weights),
    )


@dataclass(frozen=True, eq=False)
class Sums:
    """Add up what the judges of each part contribute, block by block."""

    results: Results
    contributions: Contributions
    parts: Parts
    follows: bool
    """Whether the unit of a merit is the largest score it is summed from."""

    @property
    def step(self) -> int:
        """How many parts a block has."""
        return max(1, min(LARGEST_STEP, NUMBERS_IN_A_STEP // self.results.n))

    @property
    def blocks(self) -> range:
        """The numbers of the blocks."""
        return range(-(-len(self.parts) // self.step))

    def summary(self, k: int) -> tuple[Floats, Largest]:
        """Return the sums over block k, (n,), and the largest scores in it."""
        sums, largest = self.block(k)
        return sums.sum(axis=1), Largest.of(largest, k * self.step)

    def block(self, k: int) -> tuple[Floats, Floats]:
        """Return the weighted sums (n, parts of block k), and the largest scores if needed."""
        n, weights = self.results.n, self.results.weights
        first = k * self.step
        last = min(first + self.step, len(self.parts))
        sums = np.zeros((n, last - first))
        largest = np.zeros((n, last - first) if self.follows else (n, 0))
        for judges in self.parts.pieces(first, last, max(1, WORKING_SET // n)):
            of_judge = self.parts.of_judge[judges] - first
            runs = np.flatnonzero(np.diff(of_judge, prepend=-1))
            given = np.asarray(self.contributions.values[:, judges], dtype=np.float64)
            given *= weights[judges]
            there = of_judge[runs]
            sums[:, there] += _of_runs(np.add, given, runs)
            if self.follows:
                sizes = np.abs(self.results.scores[:, judges]) * (weights[judges] > 0)
                largest[:, there] = np.maximum(largest[:, there], _of_runs(np.maximum, sizes, runs))
        return sums, largest


@dataclass(frozen=True, eq=False)
class FromSums:
    r"""Give the merits of an additive function without each part.

    .. math:: f_i^{-k} = \sum_{j \ne k} w_j q_{ij} \Big/ \sum_{j \ne k} w_j

    The sums over all others are those before plus those behind. A difference of the total and the
    part would be as quick, but where the part outweighs the rest it leaves rounding, not a merit.
    """

    sums: Sums
    around: Floats
    """What all other blocks add up to, (blocks, n)."""
    weights: Floats
    """What the weights of all other parts add up to."""
    unit: Largest | Floats | float

    @property
    def blocks(self) -> range:
        """The numbers of the blocks."""
        return self.sums.blocks

    def __call__(self, k: int) -> tuple[Floats, Floats | float]:
        """Return the merits without each part of block k, and their units."""
        known = self.sums.contributions
        sums, _ = self.sums.block(k)
        rest = _all_others(np.ascontiguousarray(sums.T)) + self.around[k]
        first = k * self.sums.step
        weights = self.weights[first : first + len(rest), None]
        merits = rest / (weights * known.scale)
        unit = self.unit
        if isinstance(unit, Largest):
            unit = unit.without(first, len(rest))
        single = known.values.dtype == np.float32 and not known.counts
        return merits.astype(np.float32) if single else merits, unit


@dataclass(frozen=True, eq=False)
class FromKernel:
    """Give the merits of any function without each part, by ranking the rest again."""

    results: Results
    f: RankingFunction
    parts: Parts
    known: dict[object, Floats] = field(default_factory=dict)

    @property
    def step(self) -> int:
        """How many parts a block has."""
        return min(block_size(*self.results.scores.shape), NUMBERS_IN_A_STEP)

    @property
    def blocks(self) -> range:
        """The numbers of the blocks."""
        return range(-(-len(self.parts) // self.step))

    def __call__(self, k: int) -> tuple[Floats, Floats | float]:
        """Return the merits without each part of block k, and their units."""
        results, f = self.results, self.f
        left_out = np.arange(len(self.parts))[k * self.step : (k + 1) * self.step]
        kept = (self.parts.of_judge != left_out[:, None]).astype(np.float64)
        merits = merits_of(results, [f], kept, known=self.known)[f.name]
        unit = f.unit(results.scores, results.weights)
        if np.ndim(unit) == 0:
            return merits, unit
        return merits, np.stack([f.unit(results.scores, results.weights * row) for row in kept])


@dataclass(frozen=True, eq=False)
class Largest:
    """Hold the largest score of each candidate, its part, and the largest outside that part."""

    value: Floats
    part: Integers
    elsewhere: Floats

    @classmethod
    def of(cls, sizes: Floats, first: int) -> Largest:
        """Return it from the largest score in each part, (n, parts from the first on)."""
        n, number = sizes.shape
        if not number:
            return cls(np.zeros(n), np.full(n, -1), np.zeros(n))
        place, row = sizes.argmax(axis=1), np.arange(n)
        rest = sizes.copy()
        rest[row, place] = 0.0
        return cls(sizes[row, place], place + first, rest.max(axis=1))

    def joined(self, other: Largest) -> Largest:
        """Return it for the parts of both."""
        higher = other.value > self.value
        return Largest(
            np.maximum(self.value, other.value),
            np.where(higher, other.part, self.part),
            np.maximum(
                np.where(higher, self.value, other.value),
                np.where(higher, other.elsewhere, self.elsewhere),
            ),
        )

    def without(self, first: int, number: int) -> Floats:
        """Return the largest score outside each of some parts, (number, n)."""
        parts = np.arange(first, first + number)[:, None]
        return np.where(self.part == parts, self.elsewhere, self.value)


def _all_others(values: Floats) -> Floats:
    """Return the sum of all other rows, for each row."""
    nothing = np.zeros_like(values[:1])
    before = np.cumsum(np.concatenate([nothing, values[:-1]]), axis=0)
    behind = np.cumsum(np.concatenate([nothing, values[:0:-1]]), axis=0)[::-1]
    return np.asarray(before + behind)


def _of_runs(combine: np.ufunc, values: Floats, runs: Integers) -> Floats:
    """Return what every run of columns combines to."""
    if len(runs) == values.shape[1]:
        return values
    return np.asarray(combine.reduceat(values, runs, axis=1))

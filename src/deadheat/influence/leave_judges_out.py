"""Merits without each judge, cluster or stratum in turn, and what flips a pair."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, reduce
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from deadheat.core.errors import UnknownNameError, UsageError, ask, command_with, counted, plural_of
from deadheat.core.types import Booleans, Floats, Integers, codes
from deadheat.data.results import Results
from deadheat.ranking.block import WORKING_SET
from deadheat.ranking.contributions import Contributions
from deadheat.ranking.function import MAGNITUDES, RankingFunction, of_scores
from deadheat.ranking.on_tables import merits_of
from deadheat.ranking.ranks import best_first, ranks
from deadheat.resampling.engines import Engine
from deadheat.resampling.plans import block_size

# What can be left out of a table at a time: a judge, a cluster of judges, a stratum.

Over = Literal["judges", "clusters", "strata"]
OVER: tuple[Over, ...] = get_args(Over)
ONE_OF: dict[Over, str] = {"judges": "judge", "clusters": "cluster", "strata": "stratum"}


@dataclass(frozen=True, eq=False)
class Parts:
    """Hold what is left out at a time: a judge, or all judges of a cluster or a stratum."""

    over: Over
    names: tuple[str, ...]
    of_judge: Integers  # (m,)
    one: str  # what a part is called: the judges of runs are instances

    @property
    def many(self) -> str:
        return many_of(self.one)

    def __len__(self) -> int:
        return len(self.names)

    def in_words(self, number: int) -> str:
        return counted(number, self.one, self.many)

    @cached_property
    def order(self) -> Integers:
        return np.argsort(self.of_judge, kind="stable")

    @cached_property
    def starts(self) -> Integers:
        """Where each part starts in that order, and where the last one ends."""
        return np.searchsorted(self.of_judge[self.order], np.arange(len(self) + 1))

    def sums(self, of_judges: Floats) -> Floats:
        return np.asarray(np.bincount(self.of_judge, weights=of_judges), dtype=np.float64)


def many_of(one: str) -> str:
    return "strata" if one == "stratum" else plural_of(one)


def parts_of(results: Results, over: str | None = None) -> Parts:
    """Return what is left out at a time: what is asked for, else clusters where there are some."""
    kind = over or ("judges" if results.clusters is None else "clusters")
    if kind not in OVER:
        raise UnknownNameError("part to leave out", str(over), OVER)
    nouns = results.nouns
    one = {"judges": nouns.judge, "clusters": nouns.cluster}.get(kind, ONE_OF[kind])
    if kind == "judges":
        return Parts("judges", tuple(results.judges), np.arange(results.m), one)
    labels = results.clusters if kind == "clusters" else results.strata
    if labels is None:
        hint = f"one {results.nouns.judge} at a time: {command_with(over='judges')}"
        hint += f"\nwhich columns could name the {kind}: {ask('check', 'FILE')}"
        raise UsageError(f"{kind} cannot be left out: the table has none.", hint=hint)
    return Parts(kind, tuple(dict.fromkeys(labels)), codes(tuple(labels)), one)


# The fewest judges whose removal puts one candidate level with another, or ahead of it.


@dataclass(frozen=True, kw_only=True)
class Flip:
    """Hold the parts without which ``behind`` is level with ``ahead``, or has passed it."""

    ahead: int
    behind: int
    parts: tuple[int, ...]  # what is left out, the part that does most for ``ahead`` first
    passed: bool  # whether ``behind`` is then ahead, and not only level

    def as_json(self, results: Results, parts: Parts) -> dict[str, Any]:
        return {
            "ahead": results.candidates[self.ahead],
            "behind": results.candidates[self.behind],
            "left_out": [parts.names[k] for k in self.parts],
            "passed": self.passed,
        }


@dataclass(frozen=True, eq=False)
class Flips:
    results: Results
    f: RankingFunction
    contributions: Contributions
    parts: Parts

    def flip(self, ahead: int, behind: int) -> Flip | None:
        """Return the fewest parts to leave out so that ``behind`` is level or ahead.

        With :math:`d_k = w_k (q_{ak} - q_{bk})`, summed over each part, leave out the largest until
        the rest adds up to at most 0: no smaller set does. None where only leaving out everybody
        would do (Broderick, Giordano, Meager 2020, for estimators in general).
        """
        given, gains = self._gains(ahead, behind)
        order = best_first(gains, unit=float(np.abs(given).max() * self.results.weights.max()))
        # Rounding may be off by a part, so the ranks of the two decide, and look both ways.
        number = int(np.count_nonzero(np.cumsum(gains[order][::-1])[::-1] > 0))
        while number > 0 and self._order(given, order[: number - 1], ahead, behind) <= 0:
            number -= 1
        while number < len(order):
            sign = self._order(given, order[:number], ahead, behind)
            if sign <= 0:
                left_out = tuple(order[:number].tolist())
                return Flip(ahead=ahead, behind=behind, parts=left_out, passed=sign < 0)
            number += 1
        return None

    def smallest(self, ahead: int, others: Iterable[int]) -> Flip | None:
        """Return the smallest flip of one candidate against any other, the first if equal."""
        best: Flip | None = None
        for behind in others:
            _, gains = self._gains(ahead, behind)
            largest = float(gains.max())
            least = gains.sum() / largest if largest > 0 else 0.0
            if best is not None and np.ceil(least * (1 - 1e-9)) >= len(best.parts):
                continue
            found = self.flip(ahead, behind)
            if found is not None and (best is None or len(found.parts) < len(best.parts)):
                best = found
        return best

    def _gains(self, ahead: int, behind: int) -> tuple[Floats, Floats]:
        """Return what judges contribute to the two, (2, m), and what each part adds to the lead."""
        given = np.asarray(self.contributions.values[[ahead, behind]], dtype=np.float64)
        return given, self.parts.sums(self.results.weights * (given[0] - given[1]))

    def _order(self, given: Floats, left_out: Any, ahead: int, behind: int) -> int:
        """Return 1 if the one ahead still is, or nobody is left to judge, 0 if level, else -1."""
        gone: Booleans = np.zeros(len(self.parts), dtype=bool)
        gone[left_out] = True
        rest = np.flatnonzero(~gone[self.parts.of_judge] & (self.results.weights > 0))
        if not len(rest):
            return 1
        weights = self.results.weights[rest]
        merits = (given[:, rest] * weights).sum(axis=1)
        merits /= weights.sum() * self.contributions.scale
        unit = self.f.unit(self.results.scores[[ahead, behind]][:, rest], weights)
        places = ranks(_as_single(merits, self.contributions), unit=unit)
        return int(np.sign(places[1] - places[0]))


def _as_single(merits: Floats, known: Contributions) -> Floats:
    single = known.values.dtype == np.float32 and not known.counts
    return merits.astype(np.float32) if single else merits


# The merits without each part in turn, block by block, in bounded memory.

LARGEST_STEP = 1_000  # parts: so few that running sums lose no digit that counts
NUMBERS_IN_A_STEP = WORKING_SET // 8  # ranks take eight arrays of this size


class FromKernel:
    def __init__(self, results: Results, f: RankingFunction, parts: Parts) -> None:
        self.results, self.f, self.parts = results, f, parts
        self.step = min(block_size(*results.scores.shape), NUMBERS_IN_A_STEP)
        self.blocks = range(-(-len(parts) // self.step))
        self.known: dict[object, Floats] = {}

    def __call__(self, k: int) -> tuple[Floats, Floats | float]:
        results, f = self.results, self.f
        left_out = np.arange(len(self.parts))[k * self.step : (k + 1) * self.step]
        kept = (self.parts.of_judge != left_out[:, None]).astype(np.float64)
        merits = merits_of(results, [f], kept, known=self.known)[f.name]
        unit = f.unit(results.scores, results.weights)
        if np.ndim(unit) == 0:
            return merits, unit
        return merits, np.stack([f.unit(results.scores, results.weights * row) for row in kept])


class FromSums:
    """Give the merits of an additive function without each part, in n m steps.

    The sums over all others are those before plus those behind: a difference of the total and the
    part leaves rounding, not a merit, where the part outweighs the rest. ``around`` (blocks, n) is
    what all other blocks add up to, ``weights`` the same of all other parts.
    """

    def __init__(
        self, results: Results, f: RankingFunction, known: Contributions, parts: Parts, on: Engine
    ) -> None:
        self.results, self.known, self.parts = results, known, parts
        self.step = max(1, min(LARGEST_STEP, NUMBERS_IN_A_STEP // results.n))
        self.blocks = range(-(-len(parts) // self.step))
        self.follows = (f.magnitude or MAGNITUDES[f.scale]) is of_scores
        self.unit = 0.0 if self.follows else f.unit(results.scores, results.weights)
        totals, largest = zip(*on.map(self._summary, self.blocks), strict=True)
        self.around = _all_others(np.stack(totals))
        self.weights = _all_others(parts.sums(results.weights))
        self.largest = reduce(_larger, largest)

    def __call__(self, k: int) -> tuple[Floats, Floats | float]:
        """Return the merits (parts of block k, n), and the units that decide their ties."""
        rest = _all_others(np.ascontiguousarray(self._sums(k)[0].T)) + self.around[k]
        numbers = np.arange(k * self.step, k * self.step + len(rest))[:, None]
        merits = _as_single(rest / (self.weights[numbers] * self.known.scale), self.known)
        value, part, elsewhere = self.largest
        return merits, np.where(part == numbers, elsewhere, value) if self.follows else self.unit

    def _summary(self, k: int) -> tuple[Floats, Largest]:
        sums, sizes = self._sums(k)
        return sums.sum(axis=1), _largest(sizes, k * self.step)

    def _sums(self, k: int) -> tuple[Floats, Floats]:
        """Return the weighted sums (n, parts of block k), and the largest scores if needed."""
        n, weights, parts = self.results.n, self.results.weights, self.parts
        first = k * self.step
        last = min(first + self.step, len(parts))
        sums = np.zeros((n, last - first))
        largest = np.zeros((n, last - first if self.follows else 1))
        start, stop, size = int(parts.starts[first]), int(parts.starts[last]), WORKING_SET // n
        for here in range(start, stop, max(1, size)):
            judges = parts.order[here : min(here + max(1, size), stop)]
            of_judge = parts.of_judge[judges] - first
            runs = np.flatnonzero(np.diff(of_judge, prepend=-1))
            given = np.asarray(self.known.values[:, judges], dtype=np.float64)
            given *= weights[judges]
            there = of_judge[runs]
            sums[:, there] += _of_runs(np.add, given, runs)
            if self.follows:
                sizes = np.abs(self.results.scores[:, judges]) * (weights[judges] > 0)
                largest[:, there] = np.maximum(largest[:, there], _of_runs(np.maximum, sizes, runs))
        return sums, largest


Largest: TypeAlias = tuple[Floats, Integers, Floats]
# The largest score of each candidate, its part, and the largest outside that part, (n,) each.


def _largest(sizes: Floats, first: int) -> Largest:
    place, row, rest = sizes.argmax(axis=1), np.arange(len(sizes)), sizes.copy()
    rest[row, place] = 0.0
    return sizes[row, place], place + first, rest.max(axis=1)


def _larger(one: Largest, other: Largest) -> Largest:
    higher = other[0] > one[0]
    lower = np.where(higher, one[0], other[0])
    elsewhere = np.where(higher, other[2], one[2])
    part = np.where(higher, other[1], one[1])
    return np.maximum(one[0], other[0]), part, np.maximum(lower, elsewhere)


def _all_others(values: Floats) -> Floats:
    nothing = np.zeros_like(values[:1])
    before = np.cumsum(np.concatenate([nothing, values[:-1]]), axis=0)
    behind = np.cumsum(np.concatenate([nothing, values[:0:-1]]), axis=0)[::-1]
    return np.asarray(before + behind)


def _of_runs(combine: np.ufunc, values: Floats, runs: Integers) -> Floats:
    if len(runs) == values.shape[1]:
        return values
    return np.asarray(combine.reduceat(values, runs, axis=1))

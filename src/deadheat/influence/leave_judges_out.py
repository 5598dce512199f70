"""Merits without each judge, cluster or stratum in turn, and what flips a pair."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property, reduce
from typing import Any, Literal, get_args

import numpy as np

from deadheat.core.errors import DataError, UnknownNameError, UsageError, counted, quoted, say
from deadheat.core.types import Booleans, Floats, Integers
from deadheat.data.results import Results
from deadheat.ranking.block import WORKING_SET
from deadheat.ranking.contributions import Contributions
from deadheat.ranking.function import MAGNITUDES, RankingFunction, of_scores
from deadheat.ranking.on_tables import merits_of
from deadheat.ranking.ranks import best_first, ranks
from deadheat.resampling.draws import codes
from deadheat.resampling.plans import block_size
from deadheat.resampling.replicate import Engine

# What can be left out of a table at a time: a judge, a cluster of judges, a stratum.

Over = Literal["judges", "clusters", "strata"]
OVER: tuple[Over, ...] = get_args(Over)
ONE_OF: dict[Over, str] = {"judges": "judge", "clusters": "cluster", "strata": "stratum"}


@dataclass(frozen=True, eq=False)
class Parts:
    """Hold what is left out at a time: a judge, or all judges of a cluster or a stratum.

    ``of_judge`` (m,) is the part of each judge. ``one`` and ``many`` are what parts are called: the
    judges of runs are instances.
    """

    over: Over
    names: tuple[str, ...]
    of_judge: Integers
    one: str
    many: str

    def __len__(self) -> int:
        return len(self.names)

    def counted(self, number: int) -> str:
        return counted(number, self.one, self.many)

    @cached_property
    def order(self) -> Integers:
        """The judges, part by part."""
        return np.argsort(self.of_judge, kind="stable")

    @cached_property
    def starts(self) -> Integers:
        """Where each part starts in that order, and where the last one ends."""
        return np.searchsorted(self.of_judge[self.order], np.arange(len(self) + 1))

    def sums(self, of_judges: Floats) -> Floats:
        """Return what numbers of judges (m,) add up to in each part."""
        return np.asarray(np.bincount(self.of_judge, weights=of_judges), dtype=np.float64)


def parts_of(results: Results, over: str | None = None) -> Parts:
    """Return what is left out at a time: what is asked for, else clusters where there are some."""
    kind = over or ("judges" if results.clusters is None else "clusters")
    if kind not in OVER:
        raise UnknownNameError("part to leave out", str(over), OVER)
    one, many = ONE_OF[kind], str(kind)
    if results.rule and kind != "strata":
        one = "run" if kind == "judges" and results.clusters is not None else "instance"
        many = f"{one}s"
    if kind == "judges":
        return Parts("judges", tuple(results.judges), np.arange(results.m), one, many)
    labels = results.clusters if kind == "clusters" else results.strata
    if labels is None:
        raise UsageError(
            f"{kind} cannot be left out: the table has none.",
            hint=f"{say(ONE_OF[kind])} names the column with the {ONE_OF[kind]} of each judge.",
        )
    return Parts(kind, tuple(dict.fromkeys(labels)), codes(tuple(labels)), one, many)


def require_rest(results: Results, parts: Parts) -> None:
    """Raise if there is a part without which nobody judges."""
    weights = parts.sums(results.weights)
    if np.count_nonzero(weights) > 1:
        return
    name = parts.names[int(np.argmax(weights))]
    others = "" if len(parts) == 1 else ": all others have weight 0"
    raise DataError(
        f"without {parts.one} {quoted(name)} nothing is left{others}.",
        hint=f"at least 2 {parts.over} are needed to leave one out.",
    )


# The fewest judges whose removal puts one candidate level with another, or ahead of it.


@dataclass(frozen=True, kw_only=True)
class Flip:
    """Hold the parts without which ``behind`` is level with ``ahead``, or has passed it."""

    ahead: int
    behind: int
    parts: tuple[int, ...]  # what is left out, the part that does most for ``ahead`` first
    passed: bool  # whether ``behind`` is then ahead, and not only level

    def told(self, results: Results, parts: Parts) -> dict[str, Any]:
        return {
            "ahead": results.candidates[self.ahead],
            "behind": results.candidates[self.behind],
            "left_out": [parts.names[k] for k in self.parts],
            "passed": self.passed,
        }


@dataclass(frozen=True, eq=False)
class Flips:
    """Find the smallest flip sets of an additive ranking function."""

    results: Results
    f: RankingFunction
    contributions: Contributions
    parts: Parts

    def flip(self, ahead: int, behind: int) -> Flip | None:
        r"""Return the fewest parts to leave out so that ``behind`` is level or ahead.

        With :math:`d_k = w_k (q_{ak} - q_{bk})`, summed over the judges of each part, leave out
        the largest until the rest adds up to at most 0. No smaller set does: whatever set of as
        many parts is left out takes away no more. None where only leaving out everybody would do,
        and no parts where the two are level already.

        References
        ----------
        .. [1] Broderick, Giordano, Meager (2020), "An automatic finite-sample robustness metric:
               when can dropping a little data make a big difference?", for estimators in general.
        """
        given = self._given(ahead, behind)
        gains = self._gains(given)
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
        """Return the smallest flip of one candidate against any of the others, the first if equal.

        None where nothing puts any of them level.
        """
        best: Flip | None = None
        for behind in others:
            gains = self._gains(self._given(ahead, behind))
            largest = float(gains.max())
            least = gains.sum() / largest if largest > 0 else 0.0
            if best is not None and np.ceil(least * (1 - 1e-9)) >= len(best.parts):
                continue
            found = self.flip(ahead, behind)
            if found is not None and (best is None or len(found.parts) < len(best.parts)):
                best = found
        return best

    def _given(self, ahead: int, behind: int) -> Floats:
        """Return what the judges contribute to the two, (2, m), on the scale of counts."""
        return np.asarray(self.contributions.values[[ahead, behind]], dtype=np.float64)

    def _gains(self, given: Floats) -> Floats:
        """Return what each part adds to the lead, d."""
        return self.parts.sums(self.results.weights * (given[0] - given[1]))

    def _order(self, given: Floats, left_out: Any, ahead: int, behind: int) -> int:
        """Return 1 if the one ahead still is without these parts, 0 if level, -1 if behind.

        Where nobody is left to judge, it still is.
        """
        gone: Booleans = np.zeros(len(self.parts), dtype=bool)
        gone[left_out] = True
        rest = np.flatnonzero(~gone[self.parts.of_judge] & (self.results.weights > 0))
        if not len(rest):
            return 1
        weights = self.results.weights[rest]
        merits = (given[:, rest] * weights).sum(axis=1)
        merits /= weights.sum() * self.contributions.scale
        single = self.contributions.values.dtype == np.float32 and not self.contributions.counts
        unit = self.f.unit(self.results.scores[[ahead, behind]][:, rest], weights)
        places = ranks(merits.astype(np.float32) if single else merits, unit=unit)
        return int(np.sign(places[1] - places[0]))


LARGEST_STEP = 1_000  # parts: so few that running sums lose no digit that counts
NUMBERS_IN_A_STEP = WORKING_SET // 8  # ranks take eight arrays of this size


def without_each(
    results: Results, f: RankingFunction, known: Contributions | None, parts: Parts, running: Engine
) -> FromKernel | FromSums:
    """Return the merits without each part in turn, block by block, in bounded memory.

    Where the judges have contributions they follow from sums in n m steps, else the table is
    ranked again for every part.
    """
    if known is None:
        step = min(block_size(*results.scores.shape), NUMBERS_IN_A_STEP)
        return FromKernel(results, f, parts, step)
    step = max(1, min(LARGEST_STEP, NUMBERS_IN_A_STEP // results.n))
    follows = (f.magnitude or MAGNITUDES[f.scale]) is of_scores
    sums = Sums(results, known, parts, step, follows=follows)
    totals, largest = zip(*running.map(sums.summary, blocks_of(parts, step)), strict=True)
    return FromSums(
        sums,
        around=_all_others(np.stack(totals)),
        weights=_all_others(parts.sums(results.weights)),
        unit=reduce(Largest.joined, largest)
        if follows
        else f.unit(results.scores, results.weights),
    )


def blocks_of(parts: Parts, step: int) -> range:
    """Return the numbers of the blocks, each of ``step`` parts."""
    return range(-(-len(parts) // step))


@dataclass(frozen=True, eq=False)
class Sums:
    """Add up what the judges of each part contribute, block by block.

    ``follows`` says that the unit of a merit is the largest score it is summed from.
    """

    results: Results
    contributions: Contributions
    parts: Parts
    step: int
    follows: bool

    def summary(self, k: int) -> tuple[Floats, Largest]:
        """Return the sums over block k, (n,), and the largest scores in it."""
        sums, largest = self.block(k)
        return sums.sum(axis=1), Largest.of(largest, k * self.step)

    def block(self, k: int) -> tuple[Floats, Floats]:
        """Return the weighted sums (n, parts of block k), and the largest scores if needed."""
        n, weights, parts = self.results.n, self.results.weights, self.parts
        first = k * self.step
        last = min(first + self.step, len(parts))
        sums = np.zeros((n, last - first))
        largest = np.zeros((n, last - first) if self.follows else (n, 0))
        start, stop, size = int(parts.starts[first]), int(parts.starts[last]), WORKING_SET // n
        for here in range(start, stop, max(1, size)):
            judges = parts.order[here : min(here + max(1, size), stop)]
            of_judge = parts.of_judge[judges] - first
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
    ``around`` (blocks, n) is what all other blocks add up to, ``weights`` the same of all other
    parts.
    """

    sums: Sums
    around: Floats
    weights: Floats
    unit: Largest | Floats | float

    @property
    def blocks(self) -> range:
        return blocks_of(self.sums.parts, self.sums.step)

    def __call__(self, k: int) -> tuple[Floats, Floats | float]:
        """Return the merits (parts of block k, n), and the units that decide their ties."""
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
    step: int
    known: dict[object, Floats] = field(default_factory=dict)

    @property
    def blocks(self) -> range:
        return blocks_of(self.parts, self.step)

    def __call__(self, k: int) -> tuple[Floats, Floats | float]:
        """Return the merits (parts of block k, n), and the units that decide their ties."""
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
    nothing = np.zeros_like(values[:1])
    before = np.cumsum(np.concatenate([nothing, values[:-1]]), axis=0)
    behind = np.cumsum(np.concatenate([nothing, values[:0:-1]]), axis=0)[::-1]
    return np.asarray(before + behind)


def _of_runs(combine: np.ufunc, values: Floats, runs: Integers) -> Floats:
    """Return what every run of columns combines to."""
    if len(runs) == values.shape[1]:
        return values
    return np.asarray(combine.reduceat(values, runs, axis=1))

"""What each judge alone gives by an additive ranking function: then replicates are one product."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from deadheat.core.types import Floats
from deadheat.data.results import Results
from deadheat.ranking.block import EXACT_IN_FLOAT32, WORKING_SET, Block, slices, tie_groups
from deadheat.ranking.duels import Standings
from deadheat.ranking.function import RankingFunction, merits
from deadheat.ranking.on_tables import scores_for

AT_ONCE = 64  # judges: each is asked alone, so n x 64 x 64 steps for 64 of them
SUMMED = 8_192  # float32 scores are summed this many at a time, and those sums in float64
CASTING = 2**18  # weights that are turned into float64 at a time: fresh memory is slow
FEWEST = 256  # judges in a matrix product
LAST_DIGITS = 1e-15
ROOM = 8  # how much smaller than the largest exact float32 a count must be to be worth it


@dataclass(frozen=True, eq=False)
class Contributions:
    """The merits that each judge alone would give, times ``scale``, (n, m); its weights (m,)."""

    values: Floats
    weights: Floats
    scale: float = 1.0
    counts: bool = False  # whole numbers, which float32 sums exactly: ties need no tolerance

    @property
    def per_judge(self) -> Floats:
        """The contributions themselves, (n, m); a copy where they are scaled counts."""
        return np.divide(self.values, self.scale, dtype=np.float64) if self.counts else self.values

    def merits(self, judge_weights: Floats) -> Floats:
        """Return the merits (B, n) under judge weights (B, m), which multiply the table's own."""
        weights = judge_weights * self.weights if (self.weights != 1).any() else judge_weights
        total = weights.sum(axis=1, keepdims=True, dtype=np.float64)
        sums = np.zeros((len(weights), len(self.values)))
        for part, dtype in self._parts(weights):
            chosen = np.asarray(weights[:, part], dtype=dtype)
            sums += chosen @ np.asarray(self.values[:, part], dtype=dtype).T
        with np.errstate(invalid="ignore"):  # a replicate without judges has no merits
            found = np.asarray(sums / (total * self.scale))
        single = self.values.dtype == np.float32 and not self.counts
        return found.astype(np.float32) if single else found

    def _parts(self, weights: Floats) -> Iterator[tuple[slice, type[np.floating]]]:
        """Yield judges that can be summed at once, and in which type."""
        n, m = self.values.shape
        if self.counts and (weights == np.rint(weights)).all():
            reached = np.cumsum(weights.max(axis=0), dtype=np.float64) * max(self._largest, 1.0)
            start = 0
            while start < m:  # judges whose weighted counts float32 sums exactly
                before = reached[start - 1] if start else 0.0
                stop = int(np.searchsorted(reached, before + EXACT_IN_FLOAT32, side="left"))
                yield slice(start, max(stop, start + 1)), np.float32 if stop > start else np.float64
                start = max(stop, start + 1)
            return
        step, dtype = SUMMED, np.float32 if self.values.dtype == np.float32 else np.float64
        if self.counts:
            step, dtype = max(1, WORKING_SET // n), np.float64
        elif dtype == np.float64:
            step = max(FEWEST, CASTING // max(len(weights), 1))
        yield from ((slice(k, k + step), dtype) for k in range(0, m, step))

    @cached_property
    def _largest(self) -> float:
        return _largest(self.values)


def contributions(results: Results, f: RankingFunction) -> Contributions | None:
    """Return the contributions of the judges, or None where the function is not their mean."""
    if not f.additive or results.has_holes or f.form == "table":
        return None
    scores = scores_for(results, f)

    def parts() -> Iterator[Floats]:
        return iter([f.alone(scores)]) if f.alone is not None else _judge_by_judge(scores, f)

    if (counts := _counts(results, parts())) is not None:
        return counts
    values = f.alone(scores) if f.alone else np.concatenate(list(parts()), axis=1)
    return Contributions(values, results.weights)


def _judge_by_judge(scores: Floats, f: RankingFunction) -> Iterator[Floats]:
    """Yield what each judge alone gives, (n, some judges), one part after the other."""
    n, m = scores.shape
    placed = f.form == "standings"
    most = min(AT_ONCE * n, WORKING_SET // AT_ONCE)
    for some in slices(m, 4 * n) if placed else slices(m, n, of=most):
        part = np.ascontiguousarray(scores[:, some])
        everybody = np.ones((part.shape[1], n))
        if placed:  # one replicate per judge, in which it puts the candidates alone
            _, first, last = tie_groups(part)
            rivals = np.full((part.shape[1], 1), n - 1.0)
            level = (last - first).T.astype(np.float64)
            yield f.kernel(Standings(first.T.astype(np.float64), level, rivals), everybody).T
        else:
            yield next(merits([f], Block(part, np.eye(len(everybody)), everybody))).T


def _counts(results: Results, parts: Iterator[Floats]) -> Contributions | None:
    """Return the contributions as whole numbers times a scale, where they are that."""
    n = results.n
    values = np.empty((n, results.m), dtype=np.float32)
    scale, done, rivals = 0.0, 0, max(n - 1, 1)
    for part in parts:
        scales = (scale,) if scale else (1.0, 2.0, float(rivals), 2.0 * rivals)
        scale = next((s for s in scales if _whole(part[:, :AT_ONCE], s) is not None), 0.0)
        if not scale:
            return None
        for some in slices(part.shape[1], 4 * n):
            whole = _whole(part[:, some], scale)
            if whole is None:
                return None
            with np.errstate(over="ignore"):  # what float32 cannot hold is no count, see below
                values[:, done : done + whole.shape[1]] = whole
            done += whole.shape[1]
    if _largest(values) > EXACT_IN_FLOAT32 / ROOM:
        return None
    return Contributions(values, results.weights, scale=scale, counts=True)


def _largest(values: Floats) -> float:
    return float(max(values.max(initial=0.0), -values.min(initial=0.0)))


def _whole(numbers: Floats, scale: float) -> Floats | None:
    """Return numbers times scale if they are whole up to their last digits, else None."""
    scaled = numbers.astype(np.float64) * scale
    whole = np.rint(scaled)
    return None if (np.abs(scaled - whole) > LAST_DIGITS * np.abs(scaled)).any() else whole

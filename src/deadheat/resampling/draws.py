"""Random counts: how often each of ``size`` things is drawn in some draws with replacement.

Random numbers are what a bootstrap spends its time on. A draw and a count cost 6 ns and more per
cell; a Poisson number from 16 random bits costs one. Poisson numbers with a mean a little below 1,
whose sum falls short of the draws almost always, plus as many uniform draws as are missing, are
multinomial exactly: given their sum, Poisson counts are multinomial, and so is the sum of two
independent multinomial counts.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from deadheat.core.errors import DataError, UsageError, command_with, quoted
from deadheat.core.types import Floats, Integers, codes

CODES = 2**16
SMALL = 64  # below this the missing draws are most of the draws
SHORT_BY = 3.0  # standard deviations by which the Poisson numbers aim below the size
AT_ONCE = 2**18
LARGEST_COUNT = 32


def stream(seed: int, *key: int) -> np.random.Generator:
    """Return the random numbers that belong to a seed and a key, and to nothing else."""
    return np.random.Generator(np.random.SFC64(np.random.SeedSequence(seed, spawn_key=key)))


def multiplicities(
    rng: np.random.Generator, rows: int, size: int, draws: int | None = None
) -> Floats:
    number = size if draws is None else draws
    drawn = np.empty((rows, size), dtype=np.float32)
    step = max(1, AT_ONCE // size)
    for low in range(0, rows, step):  # few enough cells to stay in the cache
        part = drawn[low : low + step]
        if size < SMALL:
            _count_draws(rng, part, number)
            continue
        found = _poisson(rng, part.size, 1 - SHORT_BY / np.sqrt(size))
        short = number - found.reshape(part.shape).sum(axis=1, dtype=np.int64)
        over = np.flatnonzero(short < 0)
        short[over] = 0
        start = np.repeat(np.arange(len(part)) * size, short)
        np.add.at(found, start + rng.integers(0, size, size=len(start)), np.uint8(1))
        part[:] = found.reshape(part.shape)
        for row in over:  # a fresh draw, whatever the sum was, is multinomial too
            _count_draws(rng, part[row : row + 1], number)
    return drawn


def _count_draws(rng: np.random.Generator, out: Floats, draws: int) -> None:
    rows, size = out.shape
    places = rng.integers(0, size, size=(rows, draws)) + (np.arange(rows) * size)[:, None]
    out[:] = np.bincount(places.ravel(), minlength=rows * size).reshape(rows, size)


def _poisson(rng: np.random.Generator, number: int, mean: float) -> npt.NDArray[np.uint8]:
    """Return Poisson numbers: 16 random bits choose one, or send for a closer look."""
    first, unsettled, rest = _codes(mean)
    bits = rng.bit_generator.random_raw(-(-number // 4)).view(np.uint16)[:number]
    found = np.zeros(number, dtype=np.uint8)
    reached = np.empty(number, dtype=bool)
    for code in first:
        np.greater_equal(bits, code, out=reached)
        found += reached.view(np.uint8)
    open_cells = np.flatnonzero(bits >= unsettled)
    found[open_cells] = np.searchsorted(rest, rng.random(len(open_cells)), side="right")
    return found


@lru_cache(maxsize=64)
def _codes(mean: float) -> tuple[npt.NDArray[np.uint16], np.uint16, Floats]:
    """Return the first code of each count from 1 on, the first unsettled one, and the rest's CDF.

    What a probability has beyond whole codes belongs to those at the end.
    """
    p = np.exp(-mean) * np.cumprod(np.r_[1.0, mean / np.arange(1, LARGEST_COUNT)])
    owned = np.floor(p * CODES)
    likely = int(np.count_nonzero(owned))
    ends = np.cumsum(owned[:likely])
    rest = np.cumsum(p - owned / CODES)
    return ends[:-1].astype(np.uint16), np.uint16(ends[-1]), rest[:-1] / rest[-1]


# Which judges are drawn together, and out of which pot.

Labels = tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Grouping:
    of_judge: Integers  # (m,) the unit of each judge: a cluster of judges, or one judge
    number: int
    stratum: Integers  # (number,) of each unit, 0 where there is one for all
    pots: tuple[Integers, ...]  # the units of strata; those of one size in one array (strata, size)

    def draw_weights(self, rows: int, draw: Callable[[int, int], Floats]) -> Floats:
        """Return what ``draw(rows, size)`` gives for every pot, as weights of judges (rows, m)."""
        if len(self.pots) == 1 and len(self.pots[0]) == 1:
            weights = draw(rows, self.number)
        else:
            weights = np.empty((rows, self.number))
            for pots in self.pots:
                strata, size = pots.shape
                weights[:, pots.ravel()] = draw(rows * strata, size).reshape(rows, strata * size)
        return weights if self.number == len(self.of_judge) else weights[:, self.of_judge]

    @property
    def rao_wu(self) -> Floats:
        """The weight of each judge (m,) per draw, where a pot of s units has s - 1 draws."""
        sizes = np.bincount(self.stratum)
        return np.asarray(sizes / np.maximum(sizes - 1, 1))[self.stratum[self.of_judge]]

    def draw_within(self, rng: np.random.Generator, judges: Floats) -> Floats:
        """Draw, for every cluster of s judges that was drawn, s of them with replacement."""
        rows, m = judges.shape
        order = np.argsort(self.of_judge, kind="stable")
        sizes = np.bincount(self.of_judge)
        start = np.concatenate([[0], np.cumsum(sizes)[:-1]])
        drawn = judges[:, order[start]].astype(np.int64) * sizes  # how many judges of each cluster
        cluster = np.repeat(np.tile(np.arange(len(sizes)), rows), drawn.ravel())
        row = np.repeat(np.arange(rows), drawn.sum(axis=1))
        judge = order[start[cluster] + rng.integers(0, sizes[cluster])]
        return np.bincount(row * m + judge, minlength=rows * m).reshape(rows, m).astype(np.float32)

    def left_out(self, units: Integers) -> Floats:
        """Return the weights of judges (units, m) with each of some units left out.

        The other s - 1 of its stratum get s / (s - 1). A stratum of one unit stays.
        """
        out = units[:, None] == self.of_judge
        sizes = np.bincount(self.stratum)
        if len(sizes) == 1:
            return np.asarray(~out, dtype=np.float32)
        mine = self.stratum[units]
        alone = sizes[mine] == 1
        more = sizes[mine] / np.maximum(sizes[mine] - 1, 1)
        beside = mine[:, None] == self.stratum[self.of_judge]
        weights = np.where(beside, more[:, None], 1.0)
        weights[out & ~alone[:, None]] = 0.0
        return weights


@lru_cache(maxsize=16)
def grouping(strata: Labels | None, clusters: Labels | None, m: int) -> Grouping:
    """Return the grouping of m judges; without labels every judge is a unit, in one pot."""
    for labels in (strata, clusters):
        if labels is not None and len(labels) != m:
            raise UsageError(f"the plan has labels for {len(labels):,} judges, not for {m:,}.")
    of_judge = np.arange(m) if clusters is None else codes(clusters)
    number = int(of_judge.max()) + 1
    if strata is None:
        one = np.zeros(number, dtype=np.int64)
        return Grouping(of_judge, number, one, (np.arange(number)[None, :],))
    of_stratum = codes(strata)
    of_unit = np.zeros(number, dtype=np.int64)
    of_unit[of_judge[::-1]] = of_stratum[::-1]  # that of the first judge of each
    astray = np.flatnonzero(of_unit[of_judge] != of_stratum)
    if clusters is not None and len(astray):
        j = int(astray[0])
        other = strata[int(np.argmax(of_judge == of_judge[j]))]
        both = f"{quoted(other)} and {quoted(strata[j])}"
        raise DataError(
            f"cluster {quoted(clusters[j])} lies in two strata: {both}.",
            hint=f"without the clusters: {command_with(cluster=None)}\n"
            f"without the strata: {command_with(stratum=None)}",
        )
    members = [np.flatnonzero(of_unit == h) for h in range(int(of_stratum.max()) + 1)]
    sizes = sorted({len(units) for units in members})
    pots = (np.stack([units for units in members if len(units) == size]) for size in sizes)
    return Grouping(of_judge, number, of_unit, tuple(pots))

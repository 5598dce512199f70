"""Random counts: how often each of ``size`` things is drawn in some draws with replacement.

Random numbers are what a bootstrap spends its time on. A draw and a count cost 6 ns and more per
cell; a Poisson number from 16 random bits costs one. Poisson numbers with a mean a little below 1,
whose sum falls short of the draws almost always, plus as many uniform draws as are missing, are
multinomial exactly: given their sum, Poisson counts are multinomial, and so is the sum of two
independent multinomial counts.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from deadheat.typing import Floats

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
    """Draw from ``size`` things with replacement and count, (rows, size), as float32.

    There are ``size`` draws, or a few fewer where so many are asked for.
    """
    number = size if draws is None else draws
    drawn = np.empty((rows, size), dtype=np.float32)
    step = max(1, AT_ONCE // size)
    for start in range(0, rows, step):  # few enough cells to stay in the cache
        part = drawn[start : start + step]
        (_multiplicities if size >= SMALL else _counted)(rng, part, number)
    return drawn


def _counted(rng: np.random.Generator, out: Floats, draws: int) -> None:
    rows, size = out.shape
    places = rng.integers(0, size, size=(rows, draws)) + (np.arange(rows) * size)[:, None]
    out[:] = np.bincount(places.ravel(), minlength=rows * size).reshape(rows, size)


def _multiplicities(rng: np.random.Generator, out: Floats, draws: int) -> None:
    rows, size = out.shape
    found = _poisson(rng, rows * size, 1 - SHORT_BY / np.sqrt(size))
    short = draws - found.reshape(rows, size).sum(axis=1, dtype=np.int64)
    over = np.flatnonzero(short < 0)
    short[over] = 0
    start = np.repeat(np.arange(rows) * size, short)
    np.add.at(found, start + rng.integers(0, size, size=len(start)), np.uint8(1))
    out[:] = found.reshape(rows, size)
    for row in over:  # a fresh draw, whatever the sum was, is multinomial too
        _counted(rng, out[row : row + 1], draws)


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

    Each count owns as many whole codes as its probability holds. What its probability has beyond
    them belongs to the codes at the end, whose counts are drawn from the distribution of the rest.
    """
    p = np.exp(-mean) * np.cumprod(np.r_[1.0, mean / np.arange(1, LARGEST_COUNT)])
    owned = np.floor(p * CODES)
    likely = int(np.count_nonzero(owned))
    ends = np.cumsum(owned[:likely])
    rest = np.cumsum(p - owned / CODES)
    return ends[:-1].astype(np.uint16), np.uint16(ends[-1]), rest[:-1] / rest[-1]

"""Replicates of a battle log: how often every cell is drawn, block by block.

A cell of ``b`` equal battles out of ``N`` is drawn a multinomial number of times. As in
:mod:`deadheat.resampling.draws`, Poisson numbers whose sum falls a little short of N, plus as many
single draws as are missing, are multinomial exactly, and take half the time.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from deadheat.resampling.draws import SHORT_BY, multiplicities, stream
from deadheat.resampling.plan import LARGEST_BLOCK, NUMBERS_IN_A_BLOCK, TILE, tiles
from deadheat.typing import Floats, Integers


@dataclass(frozen=True, eq=False, kw_only=True)
class BattleBootstrap:
    """Draw as many battles as there are, or as many clusters of them, with replacement.

    Parameters
    ----------
    battles, weights
        How many battles each cell (C,) holds, and the sum of their weights.
    clusters
        The number of the voter, prompt or session of each cell; whole clusters are drawn.
    width
        How many numbers a replicate takes, by which blocks are made; by default one per cell.
    """

    battles: Integers
    weights: Floats
    clusters: Integers | None = None
    replicates: int = 1_000
    seed: int = 0
    width: int | None = None

    @property
    def units(self) -> int:
        """How many things are drawn independently of each other."""
        if self.clusters is None:
            return int(self.battles.sum())
        return int(self.clusters.max()) + 1

    @property
    def block_size(self) -> int:
        """How many replicates one block has: a function of the request and of nothing else."""
        width = len(self.battles) if self.width is None else self.width
        return max(1, min(LARGEST_BLOCK, NUMBERS_IN_A_BLOCK // max(1, width)))

    @property
    def blocks(self) -> range:
        """The numbers of the blocks."""
        return range(-(-self.replicates // self.block_size))

    def draw(self, k: int) -> Floats:
        """Return the weight of every cell in the replicates of block k, (B, C)."""
        return np.concatenate([weights[:asked] for weights, asked in self.in_tiles(k)])

    def in_tiles(self, k: int, size: int = TILE) -> Iterator[tuple[Floats, int]]:
        """Yield the same in tiles, and how many replicates of each are asked for."""
        if self.clusters is not None:
            for times, asked in self.times_in_tiles(k, size):
                yield np.asarray(times[:, self.clusters] * self.weights), asked
            return
        rng = stream(self.seed, k)
        each = np.divide(self.weights, self.battles)
        for rows, asked in tiles(self._rows(k), size):
            drawn = np.empty((min(rows.stop, self.block_size) - rows.start, len(self.battles)))
            for row in drawn:
                row[:] = drawn_cells(rng, self.battles)
            yield drawn * each, asked

    def times(self, k: int) -> Floats:
        """Return how often every cluster is drawn in the replicates of block k, (B, units)."""
        return np.concatenate([times[:asked] for times, asked in self.times_in_tiles(k)])

    def times_in_tiles(self, k: int, size: int = TILE) -> Iterator[tuple[Floats, int]]:
        """Yield the same in tiles, and how many replicates of each are asked for."""
        drawn = multiplicities(stream(self.seed, k), self.block_size, self.units)
        for rows, asked in tiles(self._rows(k), size):
            yield drawn[rows], asked

    def _rows(self, k: int) -> int:
        return min(self.block_size, self.replicates - k * self.block_size)


def drawn_cells(rng: np.random.Generator, battles: Integers) -> Integers:
    """Draw as many battles as there are and return how many fall into each cell, (C,)."""
    total = int(battles.sum())
    short = 1 - SHORT_BY / np.sqrt(total)
    if short <= 0:
        return rng.multinomial(total, battles / total)
    found: Integers = rng.poisson(battles * short)
    missing = total - int(found.sum())
    if missing < 0:  # a fresh draw, whatever the sum was, is multinomial too
        return rng.multinomial(total, battles / total)
    ends = np.cumsum(battles)
    places = np.searchsorted(ends, rng.integers(0, total, size=missing), side="right")
    np.add.at(found, places, 1)
    return found

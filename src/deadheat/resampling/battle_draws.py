"""Replicates of a battle log: how much every cell weighs, block by block.

By the Bayesian bootstrap a cell of ``b`` equal battles out of ``N`` weighs as much as b of N
exponential numbers that are scaled to the sum N: one gamma number. No battle is ever left out, so
that a replicate connects whom the log connects, however sparse it is.

By the plain bootstrap the cell is drawn a multinomial number of times, with the same mean and
nearly the same variance. As in :mod:`deadheat.resampling.draws`, Poisson numbers whose sum falls a
little short of N, plus as many single draws as are missing, are multinomial exactly, and take half
the time.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from deadheat.resampling.draws import SHORT_BY, multiplicities, stream
from deadheat.resampling.plan import LARGEST_BLOCK, NUMBERS_IN_A_BLOCK, TILE, tiles
from deadheat.typing import Floats, Integers

BattlePlan = Literal["bayesian", "bootstrap"]
BATTLE_PLANS: tuple[BattlePlan, ...] = get_args(BattlePlan)


@dataclass(frozen=True, eq=False, kw_only=True)
class BattleBootstrap:
    r"""Weigh battles, or whole clusters of them, at random; or draw them with replacement.

    With :math:`b_c` of N battles in cell c, the Bayesian bootstrap [1]_ gives it the weight

    .. math:: N \, g_c / \sum_d g_d, \quad g_c \sim \Gamma(b_c)

    with mean :math:`b_c` and variance :math:`b_c (N - b_c) / (N + 1)`; that of the plain bootstrap
    has N below the line.

    Parameters
    ----------
    battles, weights
        How many battles each cell (C,) holds, and the sum of their weights.
    clusters
        The number of the voter, prompt or session of each cell; whole clusters are drawn.
    plan
        ``bayesian`` for positive weights; ``bootstrap`` for draws with replacement.
    width
        How many numbers a replicate takes, by which blocks are made; by default one per cell.

    References
    ----------
    .. [1] Rubin (1981), "The Bayesian bootstrap", Annals of Statistics 9.
    """

    battles: Integers
    weights: Floats
    clusters: Integers | None = None
    plan: BattlePlan = "bayesian"
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
            drawn = self._drawn(rng, min(rows.stop, self.block_size) - rows.start)
            yield drawn * each, asked

    def times(self, k: int) -> Floats:
        """Return how often every cluster is drawn in the replicates of block k, (B, units)."""
        return np.concatenate([times[:asked] for times, asked in self.times_in_tiles(k)])

    def times_in_tiles(self, k: int, size: int = TILE) -> Iterator[tuple[Floats, int]]:
        """Yield the same in tiles, and how many replicates of each are asked for."""
        rng, shape = stream(self.seed, k), (self.block_size, self.units)
        drawn = (
            scaled(rng.standard_exponential(shape), self.units)
            if self.plan == "bayesian"
            else multiplicities(rng, *shape)
        )
        for rows, asked in tiles(self._rows(k), size):
            yield drawn[rows], asked

    def _drawn(self, rng: np.random.Generator, rows: int) -> Floats:
        """Return how often, or for how much, the battles of every cell count, (rows, C)."""
        if self.plan == "bayesian":
            gammas = rng.standard_gamma(self.battles, size=(rows, len(self.battles)))
            return scaled(gammas, float(self.battles.sum()))
        return np.array([drawn_cells(rng, self.battles) for _ in range(rows)], dtype=np.float64)

    def _rows(self, k: int) -> int:
        return min(self.block_size, self.replicates - k * self.block_size)


def scaled(numbers: Floats, total: float) -> Floats:
    """Return rows of positive numbers that add up to ``total``."""
    return np.asarray(numbers * (total / numbers.sum(axis=-1, keepdims=True)))


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

"""How to resample: to resample is to draw weights, and block k depends on (seed, k) alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol, get_args

import numpy as np

from deadheat.errors import UnknownNameError, UsageError
from deadheat.typing import Floats

LARGEST_BLOCK = 1_000
NUMBERS_IN_A_BLOCK = 4_000_000
Axis = Literal["judges", "candidates", "both"]


@dataclass(frozen=True, eq=False)
class Weights:
    """Hold the weights of a block of replicates: judges (B, m), candidates (B, n)."""

    judges: Floats
    candidates: Floats


class Plan(Protocol):
    """Whatever draws weights, block by block."""

    @property
    def replicates(self) -> int:
        """How many replicates there are in all."""
        ...

    def draw(self, k: int, n: int, m: int) -> Weights:
        """Return the weights of block k for a table of n candidates and m judges."""
        ...


@dataclass(frozen=True, kw_only=True)
class Bootstrap:
    """Draw judges, candidates or both with replacement, as many as there are.

    A judge that is drawn twice has weight 2, one that is not drawn weight 0: it is out of bag.

    >>> Bootstrap(over="judges", replicates=2, seed=0).draw(0, n=3, m=4).judges
    array([[1., 1., 0., 2.],
           [2., 0., 1., 1.]])
    """

    over: Axis = "judges"
    replicates: int = 10_000
    seed: int = 0

    def __post_init__(self) -> None:
        if self.over not in get_args(Axis):
            raise UnknownNameError("axis to resample", str(self.over), get_args(Axis))
        if type(self.replicates) is not int:  # a bool is an int, and no number of replicates
            raise UsageError(f"replicates must be a whole number, got {self.replicates!r}.")
        if self.replicates < 1:
            raise UsageError(
                f"replicates must be at least 1, got {self.replicates}.",
                hint="10,000 is the usual number.",
            )
        if type(self.seed) is not int or self.seed < 0:
            raise UsageError(f"seed must be a whole number of at least 0, got {self.seed!r}.")

    def draw(self, k: int, n: int, m: int) -> Weights:
        """Return the weights of block k."""
        size = block_size(n, m)
        rows = min(size, self.replicates - k * size)
        rng = np.random.default_rng(np.random.SeedSequence(self.seed, spawn_key=(k,)))
        ones_m, ones_n = np.ones((1, m)), np.ones((1, n))
        judges = multiplicities(rng, rows, m) if self.over != "candidates" else ones_m
        candidates = multiplicities(rng, rows, n) if self.over != "judges" else ones_n
        return Weights(np.broadcast_to(judges, (rows, m)), np.broadcast_to(candidates, (rows, n)))


def block_size(n: int, m: int) -> int:
    """Return how many replicates one block has: a function of the request and of nothing else."""
    return max(1, min(LARGEST_BLOCK, NUMBERS_IN_A_BLOCK // max(n, m)))


def blocks(plan: Plan, n: int, m: int) -> range:
    """Return the numbers of the blocks of a plan."""
    return range(-(-plan.replicates // block_size(n, m)))


def multiplicities(rng: np.random.Generator, rows: int, size: int) -> Floats:
    """Draw ``size`` out of ``size`` with replacement and count, (rows, size).

    Indices and a count are an order of magnitude faster than ``rng.multinomial``.
    """
    drawn = rng.integers(0, size, size=(rows, size), dtype=np.int32)
    shifted = drawn + (np.arange(rows, dtype=np.int64) * size)[:, None]
    counts = np.bincount(shifted.ravel(), minlength=rows * size)
    return counts.reshape(rows, size).astype(np.float64)

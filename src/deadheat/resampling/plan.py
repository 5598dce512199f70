"""What a plan is: whatever draws weights, one block of replicates after the other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from deadheat.typing import Floats

LARGEST_BLOCK = 1_000
NUMBERS_IN_A_BLOCK = 4_000_000


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

    @property
    def one_field(self) -> bool:
        """Whether every replicate has all candidates, each once."""
        ...

    def draw(self, k: int, n: int, m: int) -> Weights:
        """Return the weights of block k for a table of n candidates and m judges."""
        ...


def block_size(n: int, m: int) -> int:
    """Return how many replicates one block has: a function of the request and of nothing else."""
    return max(1, min(LARGEST_BLOCK, NUMBERS_IN_A_BLOCK // max(n, m)))


def blocks(plan: Plan, n: int, m: int) -> range:
    """Return the numbers of the blocks of a plan."""
    return range(-(-plan.replicates // block_size(n, m)))


def rows_of(plan: Plan, k: int, n: int, m: int) -> range:
    """Return which replicates of a plan block k holds."""
    size = block_size(n, m)
    return range(k * size, min((k + 1) * size, plan.replicates))

"""What a plan is: whatever draws weights, one block of replicates after the other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from deadheat.typing import Floats

LARGEST_BLOCK = 1_000
NUMBERS_IN_A_BLOCK = 4_000_000
TILE = 200  # replicates that are computed together
SMALL_TILE = 20  # the same where each takes milliseconds


@dataclass(frozen=True, eq=False)
class Weights:
    """Hold the weights of a block of replicates: judges (B, m), candidates (B, n)."""

    judges: Floats
    candidates: Floats

    def rows(self, chosen: slice) -> Weights:
        """Return the weights of some of the replicates."""
        return Weights(self.judges[chosen], self.candidates[chosen])


class Plan(Protocol):
    """Whatever draws weights, block by block."""

    @property
    def replicates(self) -> int:
        """How many replicates there are in all."""
        ...

    @property
    def chosen(self) -> bool:
        """Whether the number of replicates was asked for, and may be too large."""
        ...

    @property
    def one_field(self) -> bool:
        """Whether every replicate has all candidates, each once."""
        ...

    def variance_kept(self, m: int) -> float:
        """Return how much of the variance of a mean over m equal judges replicates have."""
        ...

    def draw(self, k: int, n: int, m: int) -> Weights:
        """Return the weights of block k for a table of n candidates and m judges."""
        ...

    def whole_block(self, k: int, n: int, m: int) -> Weights:
        """Return the same as if all its replicates were asked for: see :func:`tiles`."""
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


def tiles(number: int, size: int = TILE) -> Iterator[tuple[slice, int]]:
    """Yield the tiles in which the first replicates of a block are computed.

    A matrix product gives other last bits for other shapes. So a replicate is always computed among
    the same others: the last tile is as large as all are, and the number beside each says how many
    of its replicates were asked for.

    >>> list(tiles(300))
    [(slice(0, 200, None), 200), (slice(200, 400, None), 100)]
    """
    for start in range(0, number, size):
        yield slice(start, start + size), min(size, number - start)

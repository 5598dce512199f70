"""Matrices of pairs told in blocks, where there are too many candidates for a cell each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from deadheat.inference.groups import Members
from deadheat.typing import Floats


@dataclass(frozen=True, kw_only=True)
class PairBlock:
    """Hold some candidates that stand side by side, and the groups they come from."""

    members: tuple[int, ...]
    first_group: int
    last_group: int


def pair_blocks(groups: Members, most: int) -> tuple[PairBlock, ...]:
    """Return at most so many blocks: the groups, or runs of whole groups where there are more.

    Neighbours are joined from the best on, so that blocks have about as many candidates each.

    >>> [block.members for block in pair_blocks(((0, 1), (2,), (3,)), 2)]
    [(0, 1), (2, 3)]
    """
    if len(groups) <= most:
        return tuple(
            PairBlock(members=group, first_group=k, last_group=k)
            for k, group in enumerate(groups, start=1)
        )
    size = sum(map(len, groups)) / most
    found: list[PairBlock] = []
    members: tuple[int, ...] = ()
    first, done = 1, 0
    for k, group in enumerate(groups, start=1):
        members += group
        done += len(group)
        if done >= size * (len(found) + 1) - 1e-9 or k == len(groups):
            found.append(PairBlock(members=members, first_group=first, last_group=k))
            members, first = (), k + 1
    return tuple(found)


def block_means(matrix: Floats, blocks: Sequence[PairBlock]) -> Floats:
    """Return the mean of a matrix of pairs (n, n) over each pair of blocks.

    Nobody meets himself, so the diagonal plays no part; NaN where no pair is left.
    """
    n = len(matrix)
    there = ~np.eye(n, dtype=bool) & ~np.isnan(matrix)
    of_block = np.zeros((len(blocks), n))
    for k, block in enumerate(blocks):
        of_block[k, list(block.members)] = 1
    sums = of_block @ np.where(there, matrix, 0.0) @ of_block.T
    counts = of_block @ there @ of_block.T
    return np.divide(sums, counts, out=np.full_like(sums, np.nan), where=counts > 0)

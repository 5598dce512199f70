"""Matrices of pairs told in blocks, where there are too many candidates for a cell each."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from deadheat.inference.groups import Members
from deadheat.typing import Floats


@dataclass(frozen=True, kw_only=True)
class PairBlock:
    """Hold some candidates that stand side by side: where they begin, and their groups."""

    members: tuple[int, ...]
    place: int
    first_group: int
    last_group: int


def pair_blocks(groups: Members, most: int) -> tuple[PairBlock, ...]:
    """Return at most so many blocks of neighbours, of about as many candidates each.

    A large group is cut into parts, and small groups are joined from the best on.

    >>> [block.members for block in pair_blocks(((0, 1), (2,), (3,)), 2)]
    [(0, 1), (2, 3)]
    >>> [block.members for block in pair_blocks(((3, 1, 0, 2),), 2)]
    [(3, 1), (0, 2)]
    """
    size = sum(map(len, groups)) / most
    parts = [(k, part) for k, group in enumerate(groups, start=1) for part in _parts(group, size)]
    if len(parts) <= most:
        size = 0.0  # each part is a block
    found: list[PairBlock] = []
    members: tuple[int, ...] = ()
    first = done = 0
    for n, (k, part) in enumerate(parts, start=1):
        first = first or k
        members += part
        done += len(part)
        if done >= size * (len(found) + 1) - 1e-9 or n == len(parts):
            place = done - len(members) + 1
            found.append(PairBlock(members=members, place=place, first_group=first, last_group=k))
            members, first = (), 0
    return tuple(found)


def _parts(group: tuple[int, ...], size: float) -> list[tuple[int, ...]]:
    """Return a group in equal parts of at most so many, or of one."""
    count = max(1, min(len(group), math.ceil(len(group) / size - 1e-9)))
    ends = [len(group) * k // count for k in range(count + 1)]
    return [group[a:b] for a, b in pairwise(ends)]


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

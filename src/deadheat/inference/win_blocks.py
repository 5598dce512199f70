"""Win probabilities of many candidates, as means over blocks of neighbours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from deadheat.typing import Floats


@dataclass(frozen=True, eq=False, kw_only=True)
class WinBlocks:
    """Hold the mean probability that members of one block beat those of another.

    ``bounds`` are the first and the last place of each block, from 1 on; ``p`` (k, k) has NaN
    where a block of one meets itself.
    """

    bounds: tuple[tuple[int, int], ...]
    p: Floats


def win_blocks(p: Floats, order: Sequence[int], *, most: int) -> WinBlocks:
    """Return the means of win probabilities (n, n) over at most so many blocks of neighbours.

    Blocks are as equal in size as can be. Nobody meets himself: within a block the mean is over
    two different members, and 1/2.
    """
    n = len(order)
    pieces = np.array_split(np.asarray(order), min(most, n))
    sizes = np.array([len(piece) for piece in pieces])
    member = np.zeros((len(pieces), n))
    for k, piece in enumerate(pieces):
        member[k, piece] = 1.0
    others = np.where(np.eye(n, dtype=bool), 0.0, p)
    total = member @ others @ member.T
    meetings = np.outer(sizes, sizes) - np.diag(sizes)
    ends = np.cumsum(sizes)
    return WinBlocks(
        bounds=tuple(zip((ends - sizes + 1).tolist(), ends.tolist(), strict=True)),
        p=np.where(meetings > 0, total / np.maximum(meetings, 1), np.nan),
    )

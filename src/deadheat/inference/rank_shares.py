"""How often resampling puts each candidate on each rank."""

from __future__ import annotations

import numpy as np

from deadheat.typing import Floats, Integers


def rank_shares(places: Integers) -> Floats:
    """Return the share of replicates in which a candidate (row) has a rank (column), (n, n).

    Tied candidates share the mean of their ranks. Where that ends in one half, the two ranks
    beside it get half of the replicate each, so that the shares keep the mean rank.

    Parameters
    ----------
    places
        Twice the rank of each candidate in each replicate, (B, n).

    Examples
    --------
    >>> rank_shares(np.array([[2, 4], [3, 3]]))  # one replicate in order, one tied
    array([[0.75, 0.25],
           [0.25, 0.75]])
    """
    replicates, n = places.shape
    found = np.empty((n, n))
    for i in range(n):
        twice = np.bincount(places[:, i], minlength=2 * n + 2)[: 2 * n + 2]
        halves = twice[1::2] / 2  # of the ranks 0.5, 1.5, ...
        found[i] = twice[2 : 2 * n + 1 : 2] + halves[:n] + halves[1:]
    return np.asarray(found / replicates)


def bins(n: int, most: int) -> list[tuple[int, int]]:
    """Return the first and last of at most so many runs of ranks from 1 to n, equally long.

    >>> bins(7, 3)
    [(1, 3), (4, 6), (7, 7)]
    """
    size = -(-n // most)
    return [(start + 1, min(start + size, n)) for start in range(0, n, size)]


def median_ranks(places: Integers) -> Floats:
    """Return the median rank of each candidate over the replicates, (n,).

    ``places`` (B, n) are doubled ranks, as ties end in .5.
    """
    return np.asarray(np.median(places, axis=0) / 2)


def binned(shares: Floats, runs: list[tuple[int, int]]) -> Floats:
    """Return the shares (n, n) summed over runs of ranks, (n, number of runs)."""
    return np.stack([shares[:, low - 1 : high].sum(axis=1) for low, high in runs], axis=1)

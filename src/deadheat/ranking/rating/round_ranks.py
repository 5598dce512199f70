"""Rounds: rankings of some of the candidates, with ties."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from deadheat.errors import DataError, UsageError
from deadheat.typing import Floats


def checked_ranks(ranks: npt.ArrayLike) -> Floats:
    """Return the ranks (S, n) of those rounds that compare anybody, or say what is wrong."""
    table = np.asarray(ranks, dtype=np.float64)
    if table.ndim != 2:
        raise UsageError(
            f"ranks must be a table of rounds x candidates, got shape {table.shape}.",
            hint="one row per round, 1 = best, NaN for who was not there.",
        )
    if np.isinf(table).any():
        row, column = np.argwhere(np.isinf(table))[0]
        raise DataError(
            f"round {row + 1}: the rank of candidate {column + 1} is infinite.",
            hint="NaN says that a candidate was not there.",
        )
    if not ((~np.isnan(table)).sum(axis=1) > 1).any():
        raise DataError(
            "no round has two candidates.", hint="a rating needs rounds that compare somebody."
        )
    return table


def groups_of(row: Floats) -> list[list[int]]:
    """Return the candidates of one round by place, best first; those of one place are tied.

    >>> groups_of(np.array([2, 1, np.nan, 2]))
    [[1], [0, 3]]
    """
    here = np.flatnonzero(~np.isnan(row))
    _, place = np.unique(row[here], return_inverse=True)
    groups: list[list[int]] = [[] for _ in range(int(place.max(initial=-1)) + 1)]
    for candidate, k in zip(here.tolist(), place.tolist(), strict=True):
        groups[k].append(candidate)
    return groups

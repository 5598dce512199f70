"""From merits to ranks: the only place where two merits are compared.

Summation order alone splits exact ties (permuted equal scores have unequal means in half of all
trials), so merits that agree to about twelve digits are tied. Counts are exact and stay so.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

import numpy as np

from deadheat.core.errors import UnknownNameError
from deadheat.core.types import Booleans, Floats, Integers, RankConvention

RELATIVE_TOLERANCE = {np.dtype(np.float64): 1e-12, np.dtype(np.float32): 1e-6}
SPARE_BITS = 11  # the last ones of a number: what they say is below the tolerance
SMALLEST = 1e-290  # a unit of which the tolerance is still a number with all its digits
AT_ONCE = 2**16  # merits that are compared at a time: what stays in the cache
Unit = Floats | float  # the size of the numbers that a merit was summed from, of all or of each
CONVENTIONS: tuple[RankConvention, ...] = get_args(RankConvention)


def ranks(merits: Floats, *, convention: RankConvention = "mean", unit: Unit = 1.0) -> Floats:
    r"""Return the rank of each candidate, 1 = best, row by row; absent (NaN) stays NaN.

    .. math:: r_i = 1 + \#\{j : v_j > v_i\} + \tfrac12 \#\{j \ne i : v_j = v_i\}

    Tied candidates share their ``"mean"`` rank (1, 2.5, 2.5, 4), the ``"min"`` rank of most boards
    (1, 2, 2, 4), or the ``"dense"`` one (1, 2, 2, 3). Two neighbours are tied where they differ by
    less than 1e-12 of the larger of their units and merits, so that the score of a third never
    unties or ties them.

    >>> ranks(np.array([0.7, 0.9, 0.7, 0.1]))
    array([2.5, 1. , 2.5, 4. ])
    >>> ranks(np.array([0.7, 0.9, 0.7, 0.1]), convention="min")
    array([2., 1., 2., 4.])
    """
    if convention not in CONVENTIONS:
        raise UnknownNameError("rank convention", str(convention), CONVENTIONS)
    table = np.atleast_2d(merits)
    units = np.asarray(unit, dtype=table.dtype)
    order, ordered = _in_order(table, units)
    if units.ndim:
        units = np.take_along_axis(np.broadcast_to(units, table.shape), order, axis=1)
    sizes = np.maximum(np.abs(ordered), units)
    sizes[~np.isfinite(sizes)] = 0.0
    relative = RELATIVE_TOLERANCE.get(table.dtype, 1e-12)
    with np.errstate(invalid="ignore"):  # inf - inf and NaN: a gap of NaN is no tie ...
        gaps = ordered[:, :-1] - ordered[:, 1:]
        tied = gaps <= relative * np.maximum(sizes[:, :-1], sizes[:, 1:])
        tied |= ordered[:, :-1] == ordered[:, 1:]  # ... but inf = inf is
    sorted_ranks = np.empty(table.shape)
    sorted_ranks[:] = np.arange(1.0, table.shape[1] + 1)
    some = np.flatnonzero(tied.any(axis=1))  # in the other rows nobody ties
    starts = np.ones((len(some), table.shape[1]), dtype=bool)
    np.logical_not(tied[some], out=starts[:, 1:])
    if convention == "dense":
        sorted_ranks[some] = np.cumsum(starts, axis=1)
    elif len(some):
        places = np.arange(table.shape[1], dtype=np.int32)
        first = np.maximum.accumulate(np.where(starts, places, 0), axis=1)
        mean = convention == "mean"
        sorted_ranks[some] = ((first + last_places(starts)) / 2 if mean else first) + 1.0
    found = np.empty(table.shape)
    order += table.shape[1] * np.arange(len(table))[:, None]  # in the table as one row
    found.reshape(-1)[order] = sorted_ranks
    found[np.isnan(table)] = np.nan
    return found.reshape(np.shape(merits))


def _in_order(table: Floats, units: Floats) -> tuple[Integers, Floats]:
    """Return the places of each row from the best down, the absent last, and the row in order.

    To sort numbers is ten times as fast as to sort their places: so where it cannot matter the
    last bits of a number, worth less than the tolerance, are replaced by its place.
    """
    last = max(table.shape[1] - 1, 0)
    exact = units.ndim or not SMALLEST < units < np.inf or last.bit_length() > SPARE_BITS
    ordered = -table
    if exact or table.dtype != np.float64 or np.isnan(table).any():
        order = np.argsort(ordered, axis=1, kind="stable")
        return order, np.take_along_axis(table, order, axis=1)
    mask = (1 << last.bit_length()) - 1
    keys = ordered.view(np.int64)
    keys = keys ^ ((keys >> 63) & np.iinfo(np.int64).max)  # in the order of the numbers
    keys &= ~mask
    keys |= np.arange(last + 1)
    keys.sort(axis=1)
    keys &= mask
    ordered.sort(axis=1)
    return keys, np.negative(ordered, out=ordered)


def last_places(starts: Booleans) -> Integers:
    """Return the last place of the group of each place, row by row, given where groups start."""
    n = starts.shape[1]
    ends = np.roll(starts, -1, axis=1)  # the first place always starts a group
    places = np.arange(n, dtype=np.int32)
    return np.minimum.accumulate(np.where(ends, places, n)[:, ::-1], axis=1)[:, ::-1]


def times_not_ahead(merits: Floats, chosen: Sequence[int], *, unit: Unit = 1.0) -> Integers:
    """Count the replicates in which each of some is not before each of all, (chosen, n).

    As the ranks of :func:`ranks` say, but the ends of a chain of tied neighbours may be untied.

    >>> times_not_ahead(np.array([[0.7, 0.9, 0.7], [0.9, 0.7, 0.1]]), [0])
    array([[2, 1, 1]])
    """
    counts = np.zeros((len(chosen), merits.shape[1]), dtype=np.int64)
    relative = RELATIVE_TOLERANCE.get(merits.dtype, 1e-12)
    slack = np.asarray(unit, dtype=merits.dtype) * relative
    slack = np.broadcast_to(np.where(np.isfinite(slack), slack, 0.0), merits.shape[1:])
    step = max(1, min(255, AT_ONCE // merits.shape[1]))  # a count of them fits into a byte
    for start in range(0, len(merits), step):
        part = merits[start : start + step]
        reach = part + slack
        for row, i in enumerate(chosen):
            mine = part[:, [i]]
            own = np.maximum(np.abs(mine) * relative, slack[i])
            found = part >= mine - np.where(np.isfinite(own), own, 0.0)
            found |= reach >= mine
            counts[row] += np.add.reduce(found.view(np.uint8), axis=0, dtype=np.uint8)
    return counts


def winners(merits: Floats, *, unit: Unit = 1.0) -> Booleans:
    """Return who is ranked first, a set: everybody within the tolerance of the best."""
    return np.asarray(ranks(merits, convention="min", unit=unit) == 1)


def best_first(values: Floats, *, unit: Unit = 1.0) -> Integers:
    """Return the positions of numbers, the largest first and NaN last; equal ones as given.

    >>> best_first(np.array([0.3, 0.1 + 0.2, 0.4])).tolist()
    [2, 0, 1]
    """
    return np.argsort(ranks(values, unit=unit), kind="stable")


def best_of(values: Floats) -> int:
    """Return the position of the largest number, the first of those that are equal."""
    return int(best_first(values)[0])


def signs(differences: Floats, *, noise: Floats) -> Floats:
    """Return -1, 0 or 1 per difference of sums; what is within their noise counts as 0."""
    found = np.sign(differences)
    if noise.any():
        found[np.abs(differences) <= noise] = 0
    return found


def levels(scores: Floats, *, tolerance: float) -> Floats:
    """Return the scores with those of one judge tied that lie within the tolerance of their best.

    From the best score of a judge down, every score within ``tolerance`` of the first of its level
    takes its value; the next one opens a new level. So ties stay transitive, which pairwise
    closeness is not. The comparison allows for the last digit: 0.9 and 0.8 differ by 0.1.

    >>> levels(np.array([[0.90], [0.85], [0.80], [0.30]]), tolerance=0.1)
    array([[0.9],
           [0.9],
           [0.9],
           [0.3]])
    """
    if tolerance == 0:
        return scores
    order = np.argsort(-scores, axis=0, kind="stable")  # NaN last
    ordered = np.take_along_axis(scores, order, axis=0)
    slack = tolerance * (1 + 1e-9)
    for i in range(1, len(ordered)):
        above, here = ordered[i - 1], ordered[i]
        with np.errstate(invalid="ignore"):  # inf - inf
            joins = above - here <= slack
        ordered[i] = np.where(joins, above, here)
    snapped = np.empty_like(ordered)
    np.put_along_axis(snapped, order, ordered, axis=0)
    return snapped

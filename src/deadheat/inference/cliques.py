"""Who is not separated from whom: the largest sets of candidates that no test tells apart."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

import numpy as np

from deadheat.inference.pair_tests import PairTests
from deadheat.typing import Booleans, Floats, Integers

MOST = 500  # cliques that are looked for; there may be 3 ** (n / 3)


@dataclass(frozen=True, kw_only=True)
class Cliques:
    """Hold the maximal cliques of candidates that are not separated, best first.

    Attributes
    ----------
    members
        The positions of the members of each clique, best first.
    whole
        Whether these are all there are.
    """

    members: tuple[tuple[int, ...], ...]
    whole: bool


def cliques(better: Booleans, order: Integers, *, most: int = MOST) -> Cliques:
    """Return the maximal cliques of candidates of whom none is shown better than another.

    They need not be neighbours in any order: i and k may not be separated although j between them
    is separated from i, where differences are not equally well known. A bar from i to k over j
    would then tell a falsehood.

    Parameters
    ----------
    better
        (n, n), at [i, j] whether i is shown better than j.
    order
        The candidates, best first.
    most
        Where there are more, only one around each candidate is returned, which holds those nearest
        to it in the order.

    References
    ----------
    .. [1] Bron, Kerbosch (1973), "Algorithm 457: finding all cliques of an undirected graph",
           Communications of the ACM 16(9).
    .. [2] Tomita, Tanaka, Takahashi (2006), "The worst-case time complexity for generating all
           maximal cliques", Theoretical Computer Science 363, for the pivot.

    Examples
    --------
    >>> better = np.array([[0, 0, 1], [0, 0, 0], [0, 0, 0]], dtype=bool)
    >>> cliques(better, np.arange(3)).members
    ((0, 1), (1, 2))
    """
    sorted_by = np.asarray(order)
    level = ~(better | better.T)[np.ix_(sorted_by, sorted_by)]
    np.fill_diagonal(level, val=False)
    beside = [_bits(np.flatnonzero(row)) for row in level]
    everybody = (1 << len(beside)) - 1
    found = list(islice(_grown(beside, 0, everybody, 0), most + 1))
    whole = len(found) <= most
    if not whole:
        found = list({_around(beside, k) for k in range(len(beside))})
    kept = sorted(_places(clique) for clique in found)
    return Cliques(
        members=tuple(tuple(int(sorted_by[place]) for place in clique) for clique in kept),
        whole=whole,
    )


def nemenyi_ranks(tests: PairTests) -> Floats:
    """Return the mean ranks (n,) whose differences Nemenyi's test is about."""
    return np.asarray((len(tests.p) + 1) / 2 - tests.differences.mean(axis=1))


def critical_difference(tests: PairTests) -> float:
    """Return how far apart two mean ranks must be to differ by Nemenyi's test."""
    return float(tests.critical * tests.errors[0, -1])


def _grown(beside: list[int], inside: int, open_: int, done: int) -> Iterator[int]:
    """Yield the maximal cliques that hold ``inside``, members of ``open_`` and none of ``done``."""
    if not open_ and not done:
        yield inside
        return
    pivot = max(_places(open_ | done), key=lambda k: (open_ & beside[k]).bit_count())
    for k in _places(open_ & ~beside[pivot]):
        one = 1 << k
        yield from _grown(beside, inside | one, open_ & beside[k], done & beside[k])
        open_ &= ~one
        done |= one


def _around(beside: list[int], k: int) -> int:
    """Return a maximal clique around ``k``: the nearest that fits is added again and again."""
    inside, open_ = 1 << k, beside[k]
    while open_:
        below, above = open_ & ((1 << k) - 1), open_ >> k
        near = [below.bit_length() - 1] if below else []
        near += [k + (above & -above).bit_length() - 1] if above else []
        chosen = min(near, key=lambda j: abs(j - k))
        inside |= 1 << chosen
        open_ &= beside[chosen]
    return inside


def _bits(places: Integers) -> int:
    return sum(1 << k for k in places.tolist())


def _places(bits: int) -> tuple[int, ...]:
    found = []
    while bits:
        lowest = bits & -bits
        found.append(lowest.bit_length() - 1)
        bits ^= lowest
    return tuple(found)

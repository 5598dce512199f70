"""What tests of all pairs give: adjusted p-values, sets of ranks, cliques."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

import numpy as np

from deadheat.core.types import Booleans, Floats, Integers
from deadheat.statistics.corrections import ROUNDING
from deadheat.statistics.units import every_pair


@dataclass(frozen=True, eq=False, kw_only=True)
class PairTests:
    p: Floats  # adjusted two-sided p-values, (n, n), symmetric, 1 on the diagonal
    better: Booleans  # whether i is shown to be better than j at level alpha
    differences: Floats  # what was tested, merit i less merit j (n, n)
    errors: Floats  # their standard errors
    flagged: tuple[tuple[int, int], ...]  # i < j whose difference is not 0 and never varies
    critical: float  # differences +- critical * errors hold simultaneously; NaN: no such
    method: str
    alpha: float
    replicates: int
    best_p: Floats | None = None


def pair_tests(
    n: int,
    p: Floats,
    differences: Floats,
    errors: Floats,
    critical: float,
    method: str,
    alpha: float,
    replicates: int = 0,
) -> PairTests:
    i, j = every_pair(n)
    square = np.zeros((3, n, n))
    square[:, i, j] = p, differences, errors
    square[:, j, i] = p, -differences, errors
    square[0, np.arange(n), np.arange(n)] = 1.0
    constant = (errors == 0) & (differences != 0)
    return PairTests(
        p=square[0],
        better=(square[0] <= alpha * (1 + ROUNDING)) & (square[1] > 0),
        differences=square[1],
        errors=square[2],
        flagged=tuple(zip(i[constant].tolist(), j[constant].tolist(), strict=True)),
        critical=critical,
        method=method,
        alpha=alpha,
        replicates=replicates,
    )


def ratios(differences: Floats, errors: Floats) -> Floats:
    """Return differences over errors: 0 where both are 0, infinite where only the error is."""
    with np.errstate(divide="ignore", invalid="ignore"):
        found = differences / errors
    return np.where(differences == 0, 0.0, found)


def inverse_errors(errors: Floats) -> Floats:
    """Return 1 / error, and 0 where it is 0: what never varies has no say in a maximum."""
    return np.divide(1.0, errors, out=np.zeros_like(errors), where=errors > 0)


def maxima_and_counts(
    statistics: Iterable[Floats], observed: Floats, size: int
) -> tuple[Floats, Integers]:
    """Return the maximum of each replicate, (B,), and how many reach each hypothesis.

    When one is tested, those with a smaller statistic are still in: so a running maximum over
    arrays (some hypotheses, B) in ascending order is enough. They are overwritten.
    """
    largest, done = np.zeros(size), 0
    counts = np.zeros(len(observed), dtype=np.int64)
    for part in statistics:
        np.maximum(part[0], largest, out=part[0])
        for row in range(1, len(part)):  # row by row is along memory
            np.maximum(part[row], part[row - 1], out=part[row])
        here = slice(done, done + len(part))
        counts[here] = np.count_nonzero(part >= observed[here, None], axis=1)
        largest = part[-1].astype(np.float64)
        done += len(part)
    return largest, counts


def step_down_p_values(
    order: Integers, counts: Integers, replicates: int, *, exact: bool = False
) -> Floats:
    """Return adjusted p-values, made monotone, from counts in ascending ``order``."""
    p = counts / replicates if exact else (counts + 1) / (replicates + 1)
    adjusted = np.empty(len(p))
    adjusted[order] = np.maximum.accumulate(p[::-1])[::-1]
    return adjusted


def critical_value(largest: Floats, alpha: float, *, exact: bool = False) -> float:
    """Return the value that a statistic must exceed so that its single-step p is at most alpha."""
    k = len(largest)
    seen = k if exact else k + 1
    allowed = int(alpha * seen * (1 + ROUNDING)) - (seen - k)
    if 0 <= allowed < k:
        return float(np.sort(largest)[k - 1 - allowed])
    return np.inf if allowed < 0 else 0.0


# Who is not separated from whom: the largest sets of candidates that no test tells apart.

MOST = 500  # cliques that are looked for; there may be 3 ** (n / 3)


@dataclass(frozen=True, kw_only=True)
class Cliques:
    members: tuple[tuple[int, ...], ...]
    whole: bool  # whether these are all there are


def cliques(better: Booleans, order: Integers, *, most: int = MOST) -> Cliques:
    """Return the maximal cliques of candidates of whom none is shown better than another.

    After Bron and Kerbosch (1973), with the pivot of Tomita, Tanaka and Takahashi (2006). Of more
    than ``most``, one around each candidate.
    """
    sorted_by = np.asarray(order)
    level = ~(better | better.T)[np.ix_(sorted_by, sorted_by)]
    np.fill_diagonal(level, val=False)
    beside = [sum(1 << k for k in np.flatnonzero(row).tolist()) for row in level]
    some = set(islice(_maximal_cliques(beside, 0, (1 << len(beside)) - 1, 0), most + 1))
    whole = len(some) <= most
    if not whole:
        some = {_around(beside, k) for k in range(len(beside))}
    kept = sorted(map(_places, some))
    return Cliques(members=tuple(tuple(sorted_by[[*c]].tolist()) for c in kept), whole=whole)


def nemenyi_ranks(tests: PairTests) -> Floats:
    return np.asarray((len(tests.p) + 1) / 2 - tests.differences.mean(axis=1))


def critical_difference(tests: PairTests) -> float:
    return float(tests.critical * tests.errors[0, -1])


def _maximal_cliques(beside: list[int], inside: int, open_: int, done: int) -> Iterator[int]:
    """Yield the maximal cliques that hold ``inside``, members of ``open_`` and none of ``done``."""
    if not open_ and not done:
        yield inside
        return
    pivot = max(_places(open_ | done), key=lambda k: (open_ & beside[k]).bit_count())
    for k in _places(open_ & ~beside[pivot]):
        one = 1 << k
        yield from _maximal_cliques(beside, inside | one, open_ & beside[k], done & beside[k])
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


def _places(bits: int) -> tuple[int, ...]:
    return tuple(k for k in range(bits.bit_length()) if bits >> k & 1)


# Which ranks each candidate may have, simultaneously for all of them.


def rank_sets(better: Booleans) -> tuple[Integers, Integers]:
    r"""Return the lowest and the highest rank of each candidate, 1 = best.

    .. math:: L_i = 1 + \#\{j \text{ shown better than } i\}, \quad
              U_i = n - \#\{j \text{ shown worse than } i\}

    After tests with family-wise control all true ranks lie between these bounds at once (Mogstad,
    Romano, Shaikh, Wilhelm 2023, Review of Economic Studies 91(1), sec. 3).
    """
    return 1 + np.count_nonzero(better, axis=0), len(better) - np.count_nonzero(better, axis=1)

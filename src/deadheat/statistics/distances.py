"""How far apart two rankings are: distances and correlations as small functions.

All take two vectors of ranks of the same candidates, 1 = best, or any numbers of which the lowest
is best: equal numbers are ties. ``DISTANCES`` and ``CORRELATIONS`` have all by name.

>>> from deadheat.statistics import distances
>>> distances.kendall([1, 2, 3], [3, 1, 2])
2.0
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from deadheat.core.errors import UsageError
from deadheat.core.types import Floats
from deadheat.ranking.block import WORKING_SET, slices
from deadheat.statistics.concordance import (
    kendall_matrix,
    pair_of_ranks,
    spearman_matrix,
    tau_b_matrix,
    unit_ranks,
)

__all__ = [
    "CORRELATIONS",
    "DISTANCES",
    "Correlation",
    "Distance",
    "cayley",
    "euclidean",
    "footrule",
    "hamming",
    "kendall",
    "kendall_matrix",
    "maximum_displacement",
    "rank_biased_overlap",
    "spearman",
    "spearman_matrix",
    "spearman_rho",
    "tau_a",
    "tau_b",
    "tau_b_matrix",
    "ulam",
    "weighted_tau",
    "winner",
]


# How alike two rankings are: correlations, 1 for the same order and -1 for the opposite one.
# With a ranking in which all are tied they are 0/0, which comes out as NaN.


def pair_counts(a: npt.ArrayLike, b: npt.ArrayLike) -> tuple[int, int, int, int]:
    """Return the pairs ordered alike less those not, and the pairs untied in both, a, and b."""
    first, second = pair_of_ranks(a, b)
    n = len(first)
    agreeing = untied_both = untied_a = untied_b = 0
    for rows in slices(n, n, of=WORKING_SET // 8):
        behind = np.arange(n) > np.arange(n)[rows, None]
        s = np.sign(first - first[rows, None]) * behind
        t = np.sign(second - second[rows, None]) * behind
        agreeing += int(np.vdot(s, t))
        untied_both += int(np.count_nonzero(s * t))
        untied_a += int(np.count_nonzero(s))
        untied_b += int(np.count_nonzero(t))
    return agreeing, untied_both, untied_a, untied_b


def tau_a(a: npt.ArrayLike, b: npt.ArrayLike) -> float:
    r"""Return Kendall's tau without correction for ties.

    .. math:: \tau_a = \frac{n_c - n_d}{n (n - 1) / 2}
    """
    agreeing, n = pair_counts(a, b)[0], len(np.asarray(a))
    return agreeing / (n * (n - 1) / 2) if n > 1 else np.nan


def tau_b(a: npt.ArrayLike, b: npt.ArrayLike) -> float:
    r"""Return Kendall's tau-b, which leaves tied pairs out of the denominator.

    .. math:: \tau_b = \frac{n_c - n_d}{\sqrt{(n_0 - n_1)(n_0 - n_2)}}

    with :math:`n_0` pairs, :math:`n_1` tied in the first ranking and :math:`n_2` in the second.
    """
    agreeing, _, untied_a, untied_b = pair_counts(a, b)
    size = np.sqrt(float(untied_a) * float(untied_b))
    return float(agreeing / size) if size else np.nan


def spearman_rho(a: npt.ArrayLike, b: npt.ArrayLike) -> float:
    """Return Spearman's rho: Pearson's correlation of the mean ranks."""
    units = unit_ranks(np.stack(pair_of_ranks(a, b)))
    return float(np.clip(units[0] @ units[1], -1, 1))


def weighted_tau(a: npt.ArrayLike, b: npt.ArrayLike) -> float:
    """Return Vigna's weighted tau (2015), to which the first places count most.

    A pair of candidates weighs :math:`1/(r_i + 1) + 1/(r_k + 1)` with places from 0 on, by those in
    the first ranking (ties broken by the second) and the other way round; the mean of the two.
    """
    first, second = pair_of_ranks(a, b)
    n, values = len(first), []
    for keys in ((second, first), (first, second)):
        weights = np.empty(n)
        weights[np.lexsort(keys)] = 1 / np.arange(1, n + 1)
        both = ours = theirs = 0.0
        for rows in slices(n, n, of=WORKING_SET // 8):
            s = np.sign(first - first[rows, None])
            t = np.sign(second - second[rows, None])
            weight = weights + weights[rows, None]
            both += float((s * t * weight).sum())
            ours += float((s * s * weight).sum())
            theirs += float((t * t * weight).sum())
        size = np.sqrt(ours) * np.sqrt(theirs)
        values.append(float(both / size) if size else np.nan)
    return float(np.clip(np.mean(values), -1, 1))


def rank_biased_overlap(a: npt.ArrayLike, b: npt.ArrayLike, *, p: float = 0.9) -> float:
    r"""Return the rank-biased overlap of two rankings, from 0 to 1: the first places count most.

    With :math:`A_d = 2 |S_d \cap T_d| / (|S_d| + |T_d|)` the agreement of the sets of those whose
    place is at most d (tied candidates share the best of their places),

    .. math:: RBO = \frac{1-p}{p} \sum_{d=1}^n A_d p^d + A_n p^n

    is the extrapolated form of Webber, Moffat, Zobel (2010, ACM TOIS 28(4)), eq. 32. The first 10
    places have 86 % of the weight for p = .9. It is no correlation: opposite rankings of many
    candidates come close to 0. Every depth from n on agrees: choose p so that :math:`p^n` is small.

    >>> rank_biased_overlap([1, 2, 3], [1, 2, 3])
    1.0
    """
    if not 0 < p < 1:
        raise UsageError(
            f"p must lie strictly between 0 and 1, got {p}.",
            hint="p=0.9 gives the first ten places 86 % of the weight.",
        )
    places = [np.searchsorted(np.sort(r), r) + 1 for r in pair_of_ranks(a, b)]
    depths = np.arange(1, len(places[0]) + 1)
    sizes = [np.searchsorted(np.sort(place), depths, side="right") for place in places]
    shared = np.searchsorted(np.sort(np.maximum(*places)), depths, side="right")
    lacking = 1 - 2 * shared / (sizes[0] + sizes[1])
    # The weights of all depths sum up to 1; so rankings that agree everywhere get exactly 1.
    return float(1 - (1 - p) / p * (lacking @ p**depths))


@dataclass(frozen=True)
class Correlation:
    """Describe a correlation: its function, and the value for opposite rankings."""

    name: str
    function: Callable[..., float]
    lowest: float = -1.0


CORRELATIONS: dict[str, Correlation] = {
    c.name: c
    for c in (
        Correlation("spearman_rho", spearman_rho),
        Correlation("tau_a", tau_a),
        Correlation("tau_b", tau_b),
        Correlation("weighted_tau", weighted_tau),
        Correlation("rank_biased_overlap", rank_biased_overlap, lowest=0.0),
    )
}


def kendall(a: npt.ArrayLike, b: npt.ArrayLike, *, penalty: float = 0.5) -> float:
    r"""Return Kendall's distance: the pairs of candidates that two rankings order differently.

    A pair that is tied in one ranking only costs the ``penalty``. Without ties this is the number
    of swaps of neighbours that turn one ranking into the other. With a penalty of one half it is
    half the distance of Kemeny and Snell (1962); from one half to 1 it is a metric, below only
    nearly one (Fagin, Kumar, Mahdian, Sivakumar, Vee 2006). Differs from :math:`(1 - \tau_b) n
    (n - 1) / 4`, which some packages call by this name: with ties that is no metric.
    """
    if not 0 <= penalty <= 1:
        raise UsageError(
            f"the penalty of a tie must lie between 0 and 1, got {penalty}.",
            hint="penalty=0.5 is half of an inversion.",
        )
    agreeing, both, untied_a, untied_b = pair_counts(a, b)
    return (both - agreeing) // 2 + penalty * (untied_a + untied_b - 2 * both)


def spearman(a: npt.ArrayLike, b: npt.ArrayLike) -> float:
    """Return Spearman's distance: the sum of the squared differences of ranks. No metric."""
    return float((np.subtract(*pair_of_ranks(a, b)) ** 2).sum())


def euclidean(a: npt.ArrayLike, b: npt.ArrayLike) -> float:
    """Return the root of Spearman's distance, which is a metric."""
    return float(np.sqrt(spearman(a, b)))


def footrule(a: npt.ArrayLike, b: npt.ArrayLike) -> float:
    """Return Spearman's footrule: the sum of the differences of ranks, regardless of their signs.

    It is between once and twice Kendall's distance (Diaconis and Graham 1977), with ties too.
    """
    return float(np.abs(np.subtract(*pair_of_ranks(a, b))).sum())


def maximum_displacement(a: npt.ArrayLike, b: npt.ArrayLike) -> float:
    """Return the largest difference of two ranks of one candidate."""
    return float(np.abs(np.subtract(*pair_of_ranks(a, b))).max())


def hamming(a: npt.ArrayLike, b: npt.ArrayLike) -> float:
    """Return how many candidates have another rank."""
    return float(np.count_nonzero(np.subtract(*pair_of_ranks(a, b))))


def cayley(a: npt.ArrayLike, b: npt.ArrayLike) -> float:
    """Return how many swaps of any two candidates turn one ranking into the other: no ties.

    That is n less the number of cycles of the permutation between them.
    """
    between = _permutation(a, b, "cayley")
    seen, cycles = set(), 0
    for start in between:
        cycles += start not in seen
        at = start
        while at not in seen:
            seen.add(at)
            at = between[at]
    return float(len(between) - cycles)


def ulam(a: npt.ArrayLike, b: npt.ArrayLike) -> float:
    """Return how many candidates must be taken out and put elsewhere: no ties.

    That is n less the length of the longest common subsequence of the two orders.
    """
    tails: list[int] = []
    order = _permutation(a, b, "ulam")
    for place in order:
        k = bisect_left(tails, place)
        tails[k : k + 1] = [place]
    return float(len(order) - len(tails))


def winner(a: npt.ArrayLike, b: npt.ArrayLike, *, symmetric: bool = False) -> float:
    """Return how far from first place the winner of one ranking is in the other, from 0 to 1.

    That is (rank - 1)/(n - 1), averaged over all who are first in ``a``; tied candidates of ``b``
    share the best of their places. If ``symmetric``, both ways are averaged. Differs from ranky,
    which takes the first of several winners in the order of the table.
    """
    first, second = pair_of_ranks(a, b)
    there = _of_winner(first, second)
    return (there + _of_winner(second, first)) / 2 if symmetric else there


@dataclass(frozen=True)
class Distance:
    """Describe a distance: its function, whether it is a metric, and its largest value."""

    name: str
    function: Callable[..., float]
    largest: Callable[[int], float]  # what it is at most among n candidates
    metric: bool = True
    symmetric: bool = True  # whether the order of the two rankings does not matter
    strict: bool = False  # whether these must have no ties

    def __call__(self, a: npt.ArrayLike, b: npt.ArrayLike) -> float:
        return self.function(a, b)


DISTANCES: dict[str, Distance] = {
    d.name: d
    for d in (
        Distance("kendall", kendall, lambda n: n * (n - 1) / 2),
        Distance("spearman", spearman, lambda n: (n**3 - n) / 3, metric=False),
        Distance("euclidean", euclidean, lambda n: float(np.sqrt((n**3 - n) / 3))),
        Distance("footrule", footrule, lambda n: float(n * n // 2)),
        Distance("maximum_displacement", maximum_displacement, lambda n: n - 1.0),
        Distance("hamming", hamming, lambda n: float(n) * (n > 1)),
        Distance("cayley", cayley, lambda n: n - 1.0, strict=True),
        Distance("ulam", ulam, lambda n: n - 1.0, strict=True),
        Distance("winner", winner, lambda n: float(n > 1), symmetric=False, metric=False),
    )
}


def _permutation(a: npt.ArrayLike, b: npt.ArrayLike, what: str) -> list[int]:
    """Return the places in ``b``, from 0, of the candidates in the order of ``a``."""
    first, second = pair_of_ranks(a, b)
    for place, order in (("first", first), ("second", second)):
        if len(np.unique(order)) < len(order):
            raise UsageError(
                f"{what} needs rankings without ties, and the {place} one has some.",
                hint="kendall, spearman, footrule and hamming take ties.",
            )
    return [int(rank) - 1 for rank in second[np.argsort(first)].tolist()]


def _of_winner(first: Floats, second: Floats) -> float:
    ahead = [np.count_nonzero(second < second[i]) for i in np.flatnonzero(first == first.min())]
    return float(np.mean(ahead)) / max(len(second) - 1, 1)

"""How far apart two rankings are: distances and correlations as small functions.

All take two vectors of ranks of the same candidates, 1 = best. Any numbers of which the lowest is
best will do: they are turned into mean ranks first, so that equal numbers are ties, whatever
convention wrote them. ``DISTANCES`` has every distance by name, with what is known about it, and
``CORRELATIONS`` every correlation.

>>> from deadheat.ranking import distances
>>> distances.kendall([1, 2, 3], [3, 1, 2])
2.0
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from deadheat.errors import UsageError
from deadheat.ranking.correlation_matrices import kendall_matrix, spearman_matrix, tau_b_matrix
from deadheat.ranking.correlations import (
    CORRELATIONS,
    Correlation,
    pair_counts,
    rank_biased_overlap,
    spearman_rho,
    tau_a,
    tau_b,
    weighted_tau,
)
from deadheat.ranking.rank_vectors import pair_of_ranks, require_strict
from deadheat.typing import Floats

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


def kendall(a: npt.ArrayLike, b: npt.ArrayLike, *, penalty: float = 0.5) -> float:
    r"""Return Kendall's distance: the pairs of candidates that two rankings order differently.

    A pair that is tied in one ranking only costs the ``penalty``, one that is tied in both
    nothing. Without ties this is the number of swaps of neighbours that turn one ranking into the
    other. With a penalty of one half it is half the distance of Kemeny and Snell [1]_; from one
    half to 1 it is a metric, below only nearly one [2]_.

    Notes
    -----
    Differs from :math:`(1 - \tau_b) n (n - 1) / 4`, which some packages call by this name: with
    ties that is neither a number of swaps nor a metric.

    References
    ----------
    .. [1] Kemeny, Snell (1962), "Mathematical models in the social sciences", ch. 2.
    .. [2] Fagin, Kumar, Mahdian, Sivakumar, Vee (2006), "Comparing partial rankings", SIAM J.
       Discrete Math. 20(3).

    Examples
    --------
    >>> kendall([0, 1, 1, 1], [1, 1, 1, 0])
    3.0
    """
    if not 0 <= penalty <= 1:
        raise UsageError(
            f"the penalty of a tie must lie between 0 and 1, got {penalty}.",
            hint="penalty=0.5 is half of an inversion.",
        )
    pairs = pair_counts(a, b)
    return pairs.discordant + penalty * (pairs.tied_a + pairs.tied_b)


def spearman(a: npt.ArrayLike, b: npt.ArrayLike) -> float:
    """Return Spearman's distance: the sum of the squared differences of ranks. No metric.

    >>> spearman([1, 2, 3], [3, 2, 1])
    8.0
    """
    return float((_differences(a, b) ** 2).sum())


def euclidean(a: npt.ArrayLike, b: npt.ArrayLike) -> float:
    """Return the root of Spearman's distance, which is a metric.

    >>> euclidean([1, 2, 3, 4], [2, 1, 4, 3])
    2.0
    """
    return float(np.sqrt(spearman(a, b)))


def footrule(a: npt.ArrayLike, b: npt.ArrayLike) -> float:
    """Return Spearman's footrule: the sum of the differences of ranks, regardless of their signs.

    It is between once and twice Kendall's distance (Diaconis and Graham 1977), with ties too.

    >>> footrule([1, 2, 3], [3, 2, 1])
    4.0
    """
    return float(np.abs(_differences(a, b)).sum())


def maximum_displacement(a: npt.ArrayLike, b: npt.ArrayLike) -> float:
    """Return the largest difference of two ranks of one candidate.

    >>> maximum_displacement([1, 2, 3], [2, 3, 1])
    2.0
    """
    return float(np.abs(_differences(a, b)).max())


def hamming(a: npt.ArrayLike, b: npt.ArrayLike) -> float:
    """Return how many candidates have another rank.

    >>> hamming([1, 2, 3, 4], [2, 1, 3, 4])
    2.0
    """
    return float(np.count_nonzero(_differences(a, b)))


def cayley(a: npt.ArrayLike, b: npt.ArrayLike) -> float:
    """Return how many swaps of any two candidates turn one ranking into the other: no ties.

    That is n less the number of cycles of the permutation between them.

    >>> cayley([1, 2, 3, 4], [4, 2, 3, 1])
    1.0
    """
    between = _permutation(a, b, "cayley")
    seen = [False] * len(between)
    cycles = 0
    for start in range(len(between)):
        cycles += not seen[start]
        at = start
        while not seen[at]:
            seen[at] = True
            at = between[at]
    return float(len(between) - cycles)


def ulam(a: npt.ArrayLike, b: npt.ArrayLike) -> float:
    """Return how many candidates must be taken out and put elsewhere: no ties.

    That is n less the length of the longest common subsequence of the two orders.

    >>> ulam([1, 2, 3, 4], [4, 1, 2, 3])
    1.0
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
    share the best of their places. So a ranking is at distance 0 from itself, ties or not. It is
    not symmetric unless asked for, which averages both ways.

    Notes
    -----
    Differs from ranky, which takes the first of several winners in the order of the table, and
    in one of its two forms the candidate in last place.

    Examples
    --------
    >>> winner([1, 2, 3, 4, 5], [3, 1, 2, 4, 5])
    0.5
    """
    first, second = pair_of_ranks(a, b)
    there = _of_winner(first, second)
    return (there + _of_winner(second, first)) / 2 if symmetric else there


@dataclass(frozen=True)
class Distance:
    """Describe a distance: its function, whether it is a metric, and its largest value.

    ``symmetric`` says whether the order of the two rankings does not matter, ``strict`` whether
    they must have no ties, ``largest`` what the distance is at most among n candidates.
    """

    name: str
    function: Callable[..., float]
    largest: Callable[[int], float]
    metric: bool = True
    symmetric: bool = True
    strict: bool = False

    def __call__(self, a: npt.ArrayLike, b: npt.ArrayLike) -> float:
        """Return the distance of two rankings."""
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


def _differences(a: npt.ArrayLike, b: npt.ArrayLike) -> Floats:
    first, second = pair_of_ranks(a, b)
    return first - second


def _permutation(a: npt.ArrayLike, b: npt.ArrayLike, what: str) -> list[int]:
    """Return the places in ``b``, from 0, of the candidates in the order of ``a``."""
    first, second = pair_of_ranks(a, b)
    require_strict(first, second, what)
    return [int(rank) - 1 for rank in second[np.argsort(first)].tolist()]


def _of_winner(first: Floats, second: Floats) -> float:
    ahead = [np.count_nonzero(second < second[i]) for i in np.flatnonzero(first == first.min())]
    return float(np.mean(ahead)) / max(len(second) - 1, 1)

"""One-sided bootstrap p-values: how often the other one is at least as good."""

from __future__ import annotations

import numpy as np

from deadheat.inference.evidence import Evidence
from deadheat.inference.merit_intervals import jackknife_p
from deadheat.inference.spread import Spread
from deadheat.ranking.blocks import WORKING_SET
from deadheat.resampling.plans import Jackknife
from deadheat.typing import Floats, Integers


def p_beats(places: Integers, leader: int, others: Integers, *, plus_one: bool = True) -> Floats:
    r"""Return the bootstrap p-values of "the leader is better than each of the others".

    Under the null hypothesis the leader's merit is at most the other's, which holds in a
    replicate where the leader's place is not before the other's:

    .. math:: p = \frac{1 + \#\{b : S^*_{leader} \le S^*_{other}\}}{1 + k}

    Parameters
    ----------
    places
        (B, n), the place of each candidate in each replicate, 1 = best, tied candidates share
        theirs. See :func:`columnwise` where many p-values are wanted.
    plus_one
        False leaves both ones out.

    Notes
    -----
    Differs from [1]_, which prints the count over k (``plus_one=False``): that can be 0, and no
    test by resampling has so small a p-value. With both ones, nothing can be rejected by Holm's
    test among M hypotheses unless :math:`k \ge M/\alpha - 1`.

    References
    ----------
    .. [1] Fawcett, Vallati, Hoos, Gerevini (2023), "Competitions in AI - Robustly Ranking Solvers
           Using Statistical Resampling".

    Examples
    --------
    >>> places = np.array([[1, 2, 3], [2, 1, 3], [1, 1, 3], [1, 2, 3]])
    >>> p_beats(places, 0, np.array([1, 2]))
    array([0.6, 0.2])
    >>> p_beats(places, 0, np.array([1, 2]), plus_one=False)
    array([0.5, 0. ])
    """
    mine = places[:, leader]
    counts = np.array([np.count_nonzero(mine >= places[:, i]) for i in others], dtype=np.int64)
    return _p(counts, len(places), plus_one=plus_one)


def all_pairs(places: Integers, *, plus_one: bool = True) -> Floats:
    """Return the p-value of "i is better than j" at [i, j], as :func:`p_beats`; 1 where i = j.

    Memory stays bounded: replicates are taken in parts.

    >>> all_pairs(np.array([[1, 2], [1, 2], [1, 1]]))
    array([[1. , 0.5],
           [1. , 1. ]])
    """
    replicates, n = places.shape
    counts = np.zeros((n, n), dtype=np.int64)
    step = max(1, 4 * WORKING_SET // max(n, 1))
    for start in range(0, replicates, step):
        columns = columnwise(places[start : start + step])
        for i in range(n):
            mine = columns[:, i]
            counts[i] += [np.count_nonzero(mine >= columns[:, j]) for j in range(n)]
    return _p(counts, replicates, plus_one=plus_one)


def pair_p_values(evidence: Evidence, spread: Spread, *, plus_one: bool = True) -> Floats:
    """Return the p-value of "i is better than j" at [i, j], as a verdict tests them; 1 where i = j.

    That is :func:`all_pairs`, and under the jackknife Student's t with jackknife errors. They are
    not corrected for how many they are.
    """
    if not isinstance(evidence.plan, Jackknife):
        return all_pairs(spread.places, plus_one=plus_one)
    everybody = np.arange(evidence.results.n)
    found = np.stack([jackknife_p(evidence, i, everybody) for i in everybody.tolist()])
    np.fill_diagonal(found, 1.0)
    return found


def monte_carlo_error(p: Floats | float, k: int) -> Floats:
    r"""Return the standard error :math:`\sqrt{p(1-p)/k}` of a proportion of k replicates.

    A proportion of 0 or 1 counts as :math:`(pk + 1)/(k + 2)`, so that its error is not 0.

    >>> monte_carlo_error(np.array([0.5, 0.0]), 100)
    array([0.05      , 0.00985282])
    """
    share = np.asarray(p, dtype=np.float64)
    share = np.where((share <= 0) | (share >= 1), (share * k + 1) / (k + 2), share)
    return np.sqrt(share * (1 - share) / k)


def columnwise(places: Integers) -> Integers:
    """Return the same places with those of one candidate side by side, as small as they can be.

    Comparing candidates is then ten times faster. Mean ranks will do as well as places: what is
    cut off their halves ties and separates nobody.
    """
    smallest = np.min_scalar_type(int(places.max(initial=0)))
    return np.asarray(places, dtype=smallest, order="F")


def _p(counts: Integers, k: int, *, plus_one: bool) -> Floats:
    return (counts + 1) / (k + 1) if plus_one else counts / k

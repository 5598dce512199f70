"""The ranking of one judge, drawn by the table itself: a baseline."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from deadheat.core.types import Booleans, Floats, Integers
from deadheat.ranking.block import tie_groups
from deadheat.ranking.function import as_cost, ranks_scores
from deadheat.ranking.ranks import ranks

Words = npt.NDArray[np.uint64]


@ranks_scores(
    "random_dictator",
    scale="ordinal",
    baseline=True,
    by_label=True,
    satisfies={"clones", "unanimity"},
    violates={"majority", "condorcet", "consistency", "iia", "liia", "monotonicity", "reversal"},
    shown=as_cost,
    heading="place by one judge",
    cost="n m",
)
def random_dictator(scores: Floats, judge_weights: Floats, candidate_weights: Floats) -> Floats:
    r"""Rank as one judge does who is drawn by the table: a baseline, and no way to rank.

    .. math:: f_i = -\text{place of } i \text{ by judge } \arg\min_k \frac{-\log u_k}{w_k}

    The numbers :math:`u_k` between 0 and 1 are a hash of the order in which judge k puts the
    candidates, and judges of one order are one judge with the sum of their weights. So the same
    table gives the same answer, whatever the order of its judges, and over tables a judge is drawn
    as often as its weight says: an exponential race [2]_. What a random dictator [1]_ is known for,
    independence of other candidates, holds for these chances, not for a single draw.

    References
    ----------
    .. [1] Gibbard (1977), "Manipulation of schemes that mix voting with chance", Econometrica 45.
    .. [2] Efraimidis, Spirakis (2006), "Weighted random sampling with a reservoir", Information
       Processing Letters 97.

    Examples
    --------
    >>> random_dictator([[3, 1, 2], [2, 2, 1], [1, 3, 3]])
    array([[-2., -3., -1.]])
    """
    found = np.full((len(judge_weights), len(scores)), np.nan)
    fields, which = np.unique(candidate_weights > 0, axis=0, return_inverse=True)
    for k, there in enumerate(fields):
        own, places = np.flatnonzero(which.ravel() == k), _places(scores[there])
        alone = _makes_copies(places, judge_weights[own] > 0)
        for part in filter(len, (own[~alone], *own[alone][:, None])):
            weights = judge_weights[part]
            judges = weights.any(axis=0)
            merits = _drawn_places(places[:, judges], weights[:, judges])
            found[np.ix_(part, np.flatnonzero(there))] = -merits
    return found


def _drawn_places(places: Integers, weights: Floats) -> Integers:
    """Return the places by the judge that each row of weights draws, (B, n)."""
    # Copies of a candidate, and judges of one order, are one: a weight is a repetition.
    _, first = np.unique(places, axis=0, return_index=True)
    orders, judge = np.unique(places[np.sort(first)], axis=1, return_inverse=True)
    sums = np.zeros((len(weights), orders.shape[1]))
    np.add.at(sums.T, judge.ravel(), weights.T)
    with np.errstate(divide="ignore"):
        drawn = np.argmin(_waits(orders) / sums, axis=1)
    one_of_each = np.unique(judge.ravel(), return_index=True)[1]
    return np.asarray(places[:, one_of_each[drawn]].T)


def _makes_copies(places: Integers, present: Booleans) -> Booleans:
    """Return in which rows, (B, m), two candidates differ only by judges that are not there."""
    numbers = _mix(np.arange(1, places.shape[1] + 1, dtype=np.uint64))
    marks = np.sort(places.astype(np.uint64) @ (present * numbers).T, axis=0)
    distinct = 1 + (marks[1:] != marks[:-1]).sum(axis=0)
    return np.asarray(distinct < len(np.unique(places, axis=0)))


def _places(scores: Floats) -> Integers:
    """Return the place of each candidate by each judge, 1 is best; those tied share one."""
    first = tie_groups(scores)[1]  # of scores that are equal, not only nearly so
    return ranks(-first.T.astype(np.float64), convention="dense").T.astype(np.int64)


def _waits(orders: Integers) -> Floats:
    """Return an exponential waiting time for each order, (n, D) -> (D,), by hashing it."""
    hashed: Words = np.zeros(orders.shape[1], dtype=np.uint64)
    for row in orders.astype(np.uint64):
        hashed = _mix(hashed ^ row)
    return np.asarray(-np.log(((_mix(hashed) >> np.uint64(11)) + 0.5) / 2.0**53))


def _mix(words: Words) -> Words:
    """Return well-mixed bits: the steps of splitmix64 (Steele, Lea, Flood 2014)."""
    words = words + np.uint64(0x9E3779B97F4A7C15)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        words = (words ^ (words >> np.uint64(shift))) * np.uint64(factor)
    return np.asarray(words ^ (words >> np.uint64(31)))

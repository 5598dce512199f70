"""Cayley's distance."""

from __future__ import annotations

import numpy as np

from deadheat.ranking.consensus.assignment import assigned
from deadheat.ranking.consensus.clock import Clock
from deadheat.ranking.consensus.found import Ballots, Distance, Found, Output, ranks_of
from deadheat.ranking.consensus.hamming import mismatches
from deadheat.ranking.consensus.swaps import closest_by_swaps
from deadheat.typing import Floats, Integers

SHARE = 0.3  # of the time for the bound
TOGETHER = 10  # judges at least that are compared with each other for it
STARTS = 20  # judges from whose own rankings the search starts, the heaviest first


def closest(ballots: Ballots, output: Output, clock: Clock) -> Found:  # noqa: ARG001 - always strict
    r"""Return a ranking with few swaps of two candidates to those of the judges.

    .. math:: d(r, r') = n - \#\{\text{cycles of } r'^{-1} r\}

    Judges must not tie candidates. A search by swaps, from the order of mean ranks, from the
    optimum of Hamming's distance and from judges; finding the optimum is NP-hard [1]_.

    Notes
    -----
    The bound is the larger of two. A swap puts at most two candidates in place, so that the
    distance is at least half of Hamming's, whose optimum is known. And no ranking is closer to
    two judges together than they are to each other; with weights w that gives
    :math:`\sum_{k < l} w_k w_l \, d_{kl} / (W - \min w)`. That is summed over groups of at
    least ten judges, the heaviest first, as far as there is time, which does not take the square
    of their number. For judges of like weight it is as high as that of all pairs, within some 2 %;
    with a few judges that outweigh the rest it can be a quarter lower.

    References
    ----------
    .. [1] arXiv 2409.09734 (2024): NP-complete even for three judges.
    """
    judged = ballots.ranks.astype(np.intp) - 1
    heaviest = np.argsort(-ballots.weights, kind="stable")[:STARTS]
    by_hamming = assigned(mismatches(ballots), clock)
    starts = [ranks_of(np.argsort(ballots.mean_ranks, kind="stable")), by_hamming.ranks]
    starts += [ballots.ranks[:, k] for k in heaviest]
    bound = max(by_hamming.objective / 2, _between_judges(judged, ballots.weights, clock))

    def objective(ranks: Floats) -> float:
        return float(distances(ranks.astype(np.intp) - 1, judged) @ ballots.weights)

    def changes(ranks: Floats, i: int) -> Floats:
        cycles = _cycles(ranks.astype(np.intp) - 1, judged)
        change: Floats = np.where(cycles == cycles[i], -1.0, 1.0) @ ballots.weights
        change[i] = 0.0
        return change

    return closest_by_swaps(starts, objective, changes, bound=bound, clock=clock)


def distances(places: Integers, judged: Integers) -> Integers:
    """Return the number of swaps between a ranking (n,) and each of several (n, m), from 0."""
    n = len(places)
    cycles = _cycles(places, judged)
    distinct = cycles == np.arange(n)[:, None]  # a cycle is named after its first candidate
    return np.asarray(n - distinct.sum(axis=0))


def _cycles(places: Integers, judged: Integers) -> Integers:
    """Return the cycle of each candidate, named after its first member, (n, m).

    From i the cycle goes on to the candidate that stands where the judge wants i.
    """
    onwards = np.argsort(places)[judged]
    names = np.broadcast_to(np.arange(len(places))[:, None], judged.shape).copy()
    jump = onwards
    for _ in range(max(len(places) - 1, 1).bit_length()):  # names travel 1, 2, 4, ... steps
        names = np.minimum(names, np.take_along_axis(names, jump, axis=0))
        jump = np.take_along_axis(jump, jump, axis=0)
    return names


def _between_judges(judged: Integers, weights: Floats, clock: Clock) -> float:
    """Return what no ranking comes below, from the distances within groups of judges."""
    heaviest = np.argsort(-weights, kind="stable")
    bound = 0.0
    for group in np.array_split(heaviest, max(len(weights) // TOGETHER, 1)):
        if not clock.within(SHARE):
            break
        bound += _within(judged[:, group], weights[group])
    return bound


def _within(judged: Integers, weights: Floats) -> float:
    if len(weights) == 1:
        return 0.0
    total = sum(
        float(weights[k] * (distances(judged[:, k], judged[:, k + 1 :]) @ weights[k + 1 :]))
        for k in range(len(weights) - 1)
    )
    return total / float(weights.sum() - weights.min())


cayley = Distance(
    name="cayley",
    unit="swaps",
    closest=closest,
    without_ties=True,
)

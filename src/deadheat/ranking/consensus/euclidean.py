"""The Euclidean distance of rank vectors, not squared."""

from __future__ import annotations

import numpy as np

from deadheat.ranking.consensus.clock import Clock
from deadheat.ranking.consensus.found import Ballots, Distance, Found, Output, ranks_of
from deadheat.ranking.consensus.swaps import closest_by_swaps
from deadheat.typing import Floats

ROUNDS = 300
STILL = 1e-10


def closest(ballots: Ballots, output: Output, clock: Clock) -> Found:  # noqa: ARG001 - always strict
    r"""Return a ranking with a small sum of distances between rank vectors.

    .. math:: d(r, r') = \Bigl(\sum_i (r_i - r'_i)^2\Bigr)^{1/2}

    No polynomial method is known. The point of space with the smallest sum (Weiszfeld [1]_) is
    sorted, and then candidates are swapped while it helps; the same from mean ranks and judges.

    Notes
    -----
    The bound comes from the same point y, where the sum f is convex with gradient g:
    :math:`f(r) \ge f(y) + g \cdot (r - y)`, smallest for the ranking that sorts by g.

    References
    ----------
    .. [1] Weiszfeld (1937), "Sur le point pour lequel la somme des distances de n points donnés
           est minimum", Tôhoku Mathematical Journal 43.
    """
    judged, weights = ballots.ranks, ballots.weights
    centre = _centre(judged, weights, ballots.mean_ranks, clock)
    heaviest = np.argsort(-weights, kind="stable")[:STARTS]
    orders = (centre, ballots.mean_ranks, *judged.T[heaviest])
    starts = [ranks_of(np.lexsort((ballots.mean_ranks, order))) for order in orders]

    def objective(ranks: Floats) -> float:
        return float(_distances(ranks, judged) @ weights)

    def changes(ranks: Floats, i: int) -> Floats:
        squares = ((ranks[:, None] - judged) ** 2).sum(axis=0)
        swapped = squares + 2 * (ranks[i] - ranks)[:, None] * (judged[i] - judged)
        change: Floats = (np.sqrt(np.maximum(swapped, 0.0)) - np.sqrt(squares)) @ weights
        return change

    bound = _bound(judged, weights, centre)
    return closest_by_swaps(starts, objective, changes, bound=bound, clock=clock)


def _distances(point: Floats, judged: Floats) -> Floats:
    lengths: Floats = np.sqrt(((point[:, None] - judged) ** 2).sum(axis=0))
    return lengths


def _centre(judged: Floats, weights: Floats, start: Floats, clock: Clock) -> Floats:
    """Return the point with the smallest weighted sum of distances to the judges.

    It may take a share of the time; the bound holds at any point.
    """
    point = start
    for _ in range(ROUNDS):
        if not clock.within(SHARE):
            break
        pull = weights / np.maximum(_distances(point, judged), STILL)
        moved = judged @ pull / pull.sum()
        if np.abs(moved - point).max() < STILL:
            break
        point = moved
    return point


def _bound(judged: Floats, weights: Floats, point: Floats) -> float:
    """Return what the tangent at a point says that no strict ranking comes below."""
    lengths = _distances(point, judged)
    pull = np.divide(weights, lengths, out=np.zeros_like(lengths), where=lengths > 0)
    gradient = (point[:, None] - judged) @ pull
    lowest = np.sort(gradient)[::-1] @ np.arange(1.0, len(point) + 1)
    return max(float(lengths @ weights - gradient @ point + lowest), 0.0)


euclidean = Distance(
    name="euclidean",
    unit="summed lengths",
    closest=closest,
)

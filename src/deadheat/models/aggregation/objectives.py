"""The other distances: Spearman, footrule, Hamming, Cayley, Euclid; the closest by each."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import permutations, product

import numpy as np

from deadheat.core.registry import Registry
from deadheat.core.types import Booleans, Floats, Integers
from deadheat.models.aggregation import kemeny
from deadheat.models.aggregation.ballots import (
    MOST_LISTED,
    Ballots,
    Clock,
    FoundRanking,
    Output,
    alone,
    ranks_of,
)
from deadheat.models.aggregation.programs import cheapest_groups

# Distances that are sums over candidates, footrule and Hamming: each is assigned a rank.

SAME = 1e-9  # of the largest cost: a shorter cycle costs nothing


def cheapest_assignment(costs: Floats, clock: Clock) -> FoundRanking:
    """Return the cheapest ranking, O(n³), where rank p + 1 of candidate i costs ``costs[i, p]``."""
    from scipy.optimize import linear_sum_assignment

    n = len(costs)
    _, place = linear_sum_assignment(costs)
    objective = float(costs[np.arange(n), place].sum())
    if clock.is_over():
        return FoundRanking.proven(place + 1.0, objective)
    others = _exchangeable(costs, place)
    first = int(np.argmin(place))
    # All assignments cost the same where costs are those of candidates plus those of places.
    rest = np.abs(costs - costs[:, :1] - costs[:1] + costs[0, 0]).max()
    return FoundRanking.proven(
        place + 1.0,
        objective,
        unique=not others.any(),
        leads=alone([first, *np.flatnonzero(others[:, first]).tolist()]),
        every=bool(rest <= SAME * max(float(np.abs(costs).max()), 1.0)),
    )


def _exchangeable(costs: Floats, place: Integers) -> Booleans:
    """Return whether i is at the place of j in another assignment that is as cheap, (n, n).

    It moves candidates along cycles that cost nothing. With the lengths of shortest paths as
    potentials all their arcs cost nothing; such an arc is on one if it stays in its component.
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    n = len(costs)
    moves = costs[:, place] - costs[np.arange(n), place][:, None]  # i takes the place of j
    noise = SAME * max(float(np.abs(costs).max()), 1e-300)
    lengths, shorter = np.zeros(n), np.minimum(moves.min(axis=0), 0.0)
    while (shorter < lengths - noise).any():
        lengths = shorter
        shorter = np.minimum(lengths, (lengths[:, None] + moves).min(axis=0))
    free = moves + lengths[:, None] - lengths[None, :] <= n * noise
    np.fill_diagonal(free, val=False)
    _, part = connected_components(csr_array(free), directed=True, connection="strong")
    return np.asarray(free & (part[:, None] == part))


def differences(ballots: Ballots) -> Floats:
    """Return what rank p + 1 of candidate i costs by Spearman's footrule, (n, n).

    The judges up to a rank pull one way, and the others the other way. The Kendall distance of the
    optimum is at most twice the smallest (Dwork et al. 2001).
    """
    n = ballots.n
    place = np.ceil(ballots.ranks).astype(np.intp) - 1
    cell = (place + (np.arange(n) * n)[:, None]).ravel()

    def upto(pulls: Floats) -> Floats:
        sums = np.bincount(cell, weights=pulls.ravel(), minlength=n * n)
        return np.cumsum(sums.reshape(n, n), axis=1)

    weight = upto(np.broadcast_to(ballots.weights, place.shape))
    weighted = upto(ballots.ranks * ballots.weights)
    ranks = np.arange(1.0, n + 1)
    found: Floats = ranks * (2 * weight - weight[:, -1:]) + weighted[:, -1:] - 2 * weighted
    return found


def mismatches(ballots: Ballots) -> Floats:
    """Return the weight of the judges that give candidate i another rank than p + 1, (n, n)."""
    n = ballots.n
    who, judge = np.nonzero(ballots.ranks == np.rint(ballots.ranks))
    place = ballots.ranks[who, judge].astype(np.intp) - 1
    found = np.bincount(who * n + place, weights=ballots.weights[judge], minlength=n * n)
    return np.asarray(ballots.total - found.reshape(n, n))


# Spearman's distance: Borda's rule.


def closest_by_spearman(ballots: Ballots, output: Output, clock: Clock) -> FoundRanking:  # noqa: ARG001 - no search
    r"""Return the ranking with the smallest sum of squared differences of ranks.

    The sum over the judges is that to the mean ranks and a constant. So a strict ranking sorts by
    mean rank, in any order where they are equal; one with ties cuts that order into groups, by
    dynamic programming in O(n²). Differs from Pavao et al. (2021), sec. 2.1, who say without the
    restriction to strict rankings that the average rank minimises the sum: with ties in the answer,
    tying equal mean ranks alone is rarely optimal.
    """

    def objective(ranks: Floats) -> float:
        return float(((ballots.ranks - ranks[:, None]) ** 2).sum(axis=0) @ ballots.weights)

    order = np.argsort(ballots.mean_ranks, kind="stable")
    means = ballots.mean_ranks[order]
    if output == "weak":
        # A group from s to e - 1 costs its squared distances to its shared rank.
        first, second = np.r_[0.0, np.cumsum(means)], np.r_[0.0, np.cumsum(means**2)]
        start, end = np.ogrid[: len(first), : len(first)]
        shared = (start + end + 1) / 2
        squares: Floats = second - second[:, None] - 2 * shared * (first - first[:, None])
        ranks = np.empty(ballots.n)
        for group in cheapest_groups(squares + shared**2 * (end - start))[1]:
            ranks[order[group]] = (group.start + group.stop + 1) / 2
        return FoundRanking.proven(ranks, objective(ranks))
    ties = np.split(order, np.flatnonzero(np.diff(means) > SAME * ballots.n) + 1)
    number = math.prod(math.factorial(len(tie)) for tie in ties)
    optima = product(*(permutations(tie.tolist()) for tie in ties)) if number <= MOST_LISTED else ()
    return FoundRanking.proven(
        ranks_of(order),
        objective(ranks_of(order)),
        unique=number == 1,
        number=number,
        optima=tuple(ranks_of(np.concatenate(orders)) for orders in optima),
        leads=alone(ties[0]),
        every=len(ties) == 1,
    )


# Cayley and Euclid have no quick method: start well, then swap two candidates while it helps.

SHARE = 0.3  # of the time for the bound
STARTS = 20  # judges from whose own rankings the search starts, the heaviest first
FEW = 7  # candidates: all 5,040 rankings are tried
Objective = Callable[[Floats], float]
Changes = Callable[[Floats, int], Floats]


def closest_by_swaps(
    starts: Sequence[Floats], objective: Objective, changes: Changes, *, bound: float, clock: Clock
) -> FoundRanking:
    """Return the best ranking found from several starts; ``changes`` (n,) are those of swaps."""
    if len(starts[0]) <= FEW:
        return _of_all(len(starts[0]), objective, bound, clock)
    best, value = starts[0], np.inf
    for start in starts:
        ranks = _descend(start, changes, clock)
        if (here := objective(ranks)) < value:
            best, value = ranks, here
            clock.tell(value, min(bound, value))
        if clock.is_over():
            break
    met = bound >= value - 1e-9 * max(value, 1.0)
    return FoundRanking(
        ranks=best,
        objective=value,
        bound=min(bound, value),
        status="optimal" if met else "time limit" if clock.is_over() else "heuristic",
    )


def _descend(ranks: Floats, changes: Changes, clock: Clock) -> Floats:
    ranks, improved = ranks.copy(), True
    while improved and not clock.is_over():
        improved = False
        for i in range(len(ranks)):
            if clock.is_over():
                break
            change = changes(ranks, i)
            j = int(np.argmin(change))
            if change[j] < -1e-9:
                ranks[i], ranks[j] = ranks[j], ranks[i]
                improved = True
    return ranks


def _of_all(n: int, objective: Objective, bound: float, clock: Clock) -> FoundRanking:
    rankings = np.array(list(permutations(range(1, n + 1))), dtype=np.float64)
    tried: list[float] = []
    for ranks in rankings:
        if tried and clock.is_over():
            best, least = rankings[int(np.argmin(tried))], min(tried)
            return FoundRanking(
                ranks=best, objective=least, bound=min(bound, least), status="time limit"
            )
        tried.append(objective(ranks))
    values = np.array(tried)
    least = float(values.min())
    optimal = values <= least + 1e-9 * max(least, 1.0)
    number = int(optimal.sum())
    return FoundRanking.proven(
        rankings[int(np.argmin(values))],
        least,
        unique=number == 1,
        number=number,
        leads=alone(np.argmin(rankings[optimal], axis=1)),
        every=bool(optimal.all()),
    )


TOGETHER = 10  # judges at least that are compared with each other for the bound


def closest_by_cayley(ballots: Ballots, output: Output, clock: Clock) -> FoundRanking:  # noqa: ARG001 - always strict
    r"""Return a ranking with few swaps of two candidates to those of the judges, who do not tie.

    :math:`d(r, r') = n - \#\{\text{cycles of } r'^{-1} r\}`; the optimum is NP-hard even for three
    judges (arXiv 2409.09734). The bound is the larger of two. A swap puts at most two candidates in
    place, so that the distance is at least half of Hamming's. And no ranking is closer to two
    judges together than they are to each other; with weights w that gives :math:`\sum_{k < l} w_k
    w_l \, d_{kl} / (W - \min w)`, summed over groups of at least ten judges, the heaviest first, as
    far as there is time: within some 2 % of all pairs, or a quarter where a few outweigh the rest.
    """
    judged = ballots.ranks.astype(np.intp) - 1
    by_hamming = cheapest_assignment(mismatches(ballots), clock)
    starts = [ranks_of(np.argsort(ballots.mean_ranks, kind="stable")), by_hamming.ranks]
    heaviest = np.argsort(-ballots.weights, kind="stable")[:STARTS]
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
    distinct = _cycles(places, judged) == np.arange(len(places))[:, None]
    return np.asarray(len(places) - distinct.sum(axis=0))


def _cycles(places: Integers, judged: Integers) -> Integers:
    """Return the cycle of each candidate, named after its first member, (n, m)."""
    names = np.broadcast_to(np.arange(len(places))[:, None], judged.shape).copy()
    jump = np.argsort(places)[judged]  # from i to the candidate that stands where the judge wants i
    for _ in range(max(len(places) - 1, 1).bit_length()):  # names travel 1, 2, 4, ... steps
        names = np.minimum(names, np.take_along_axis(names, jump, axis=0))
        jump = np.take_along_axis(jump, jump, axis=0)
    return names


def _between_judges(judged: Integers, weights: Floats, clock: Clock) -> float:
    heaviest, bound = np.argsort(-weights, kind="stable"), 0.0
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


ROUNDS = 300
STILL = 1e-10


def closest_by_euclid(ballots: Ballots, output: Output, clock: Clock) -> FoundRanking:  # noqa: ARG001 - always strict
    r"""Return a ranking with a small sum of Euclidean distances between rank vectors.

    The point of space with the smallest sum (Weiszfeld 1937) is sorted, and then candidates are
    swapped while it helps; the same from mean ranks and judges. The bound comes from the same point
    y, where the sum f is convex with gradient g: :math:`f(r) \ge f(y) + g \cdot (r - y)`, smallest
    for the ranking that sorts by g.
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

    lengths = _distances(centre, judged)
    pull = np.divide(weights, lengths, out=np.zeros_like(lengths), where=lengths > 0)
    gradient = (centre[:, None] - judged) @ pull
    lowest = np.sort(gradient)[::-1] @ np.arange(1.0, len(centre) + 1)
    bound = max(float(lengths @ weights - gradient @ centre + lowest), 0.0)
    return closest_by_swaps(starts, objective, changes, bound=bound, clock=clock)


def _distances(point: Floats, judged: Floats) -> Floats:
    lengths: Floats = np.sqrt(((point[:, None] - judged) ** 2).sum(axis=0))
    return lengths


def _centre(judged: Floats, weights: Floats, start: Floats, clock: Clock) -> Floats:
    """Return the point with the smallest sum of distances to the judges, if there is time."""
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


# Every distance of which the closest ranking can be asked for, by name.


@dataclass(frozen=True, eq=False)
class Distance:
    """Say how far a ranking is from a judge, in units, and how the closest one is found."""

    name: str
    unit: str
    closest: Callable[[Ballots, Output, Clock], FoundRanking]
    with_ties: bool = False  # can be in the answer
    with_holes: bool = False  # may stay in the scores
    without_ties: bool = False  # must be those of the judges


def _by_places(
    costs: Callable[[Ballots], Floats],
) -> Callable[[Ballots, Output, Clock], FoundRanking]:
    return lambda ballots, _, clock: cheapest_assignment(costs(ballots), clock)


SQUARES, SIZES = "summed squared differences of ranks", "summed absolute differences of ranks"
_DISTANCES = (
    Distance("kendall", "disagreements", kemeny.closest, with_ties=True, with_holes=True),
    Distance("spearman", SQUARES, closest_by_spearman, with_ties=True),
    Distance("footrule", SIZES, _by_places(differences)),
    Distance("cayley", "swaps", closest_by_cayley, without_ties=True),
    Distance("euclidean", "summed lengths", closest_by_euclid),
    Distance("hamming", "candidates at another rank", _by_places(mismatches)),
)
DISTANCES = Registry("distance", lambda: ((each.name, each) for each in _DISTANCES))

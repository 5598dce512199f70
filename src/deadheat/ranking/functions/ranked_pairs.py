"""Ranked pairs, also known as Tideman's method."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from deadheat.core.errors import counted
from deadheat.core.types import Booleans, Floats
from deadheat.ranking.block import Block
from deadheat.ranking.duels import Duels
from deadheat.ranking.function import ranks_duels


def remarks(scores: Floats, judge_weights: Floats) -> Iterator[str]:
    """Say when equal margins contradict each other, so that the order of labels decided."""
    n = len(scores)
    block = Block(scores, judge_weights[None, :], np.ones((1, n)))
    duels = Duels(block)
    _, by_label = lock(duels.outcomes[0], duels.margins[0], noise=float(duels.noise[0, 0]))
    if by_label:
        yield (
            f"ranked_pairs: {counted(by_label, 'pair')} with a margin equal to others lost a "
            "contradiction only because of the order of the labels."
        )


@ranks_duels(
    "ranked_pairs",
    satisfies={"majority", "condorcet", "unanimity"},
    violates={"consistency", "participation", "iia", "liia", "clones", "reversal"},
    by_label=True,
    heading="rivals beaten",
    cost="n² m + n³, pair by pair",
    remarks=remarks,
)
def ranked_pairs(duels: Duels, candidate_weights: Floats) -> Floats:
    r"""Rank by locking victories from the largest margin on, skipping those that make a cycle.

    .. math:: f_i = \frac{1}{N-1} \Bigl(\sum_{j \ne i} c_j ([i \to j] + \tfrac12 [i \not\to j,
        j \not\to i]) + \tfrac12 (c_i - 1)\Bigr)

    where i -> j means that locked victories lead from i to j.

    Notes
    -----
    Equal margins are locked in the order of the labels of winner and loser; that matters only
    where they contradict each other, and then it is reported. Local independence and independence
    of clones, which [1]_ shows for strict orders, fail where margins are equal or 0.

    References
    ----------
    .. [1] Tideman (1987), "Independence of clones as a criterion for voting rules", Social Choice
           and Welfare 4.

    Examples
    --------
    >>> ranked_pairs([[3, 1, 2, 3, 3], [2, 3, 1, 2, 1], [1, 2, 3, 1, 2]])
    array([[1. , 0.5, 0. ]])
    """
    there = candidate_weights > 0
    points = np.empty(duels.margins.shape)
    for b, present in enumerate(there):
        outcomes = np.where(np.outer(present, present), duels.outcomes[b], 0)
        reach, _ = lock(outcomes, duels.margins[b], noise=float(duels.noise[b, 0]))
        points[b] = 0.5 + (reach.astype(np.float64) - reach.T) / 2
    return duels.share(points)


def lock(outcomes: Floats, margins: Floats, *, noise: float) -> tuple[Booleans, int]:
    """Return who reaches whom over locked victories, and how many pairs the labels decided.

    Such a pair contradicts what is locked, but did not contradict what larger margins had locked.
    """
    winners, losers = np.nonzero(outcomes > 0)  # in the order of the labels
    won = margins[winners, losers]
    largest_first = np.argsort(-won, kind="stable")
    tiers = np.zeros(len(won), dtype=np.intp)  # 0 for the largest margin; equal ones share one
    tiers[largest_first[1:]] = np.cumsum(-np.diff(won[largest_first]) > noise)
    reach = np.zeros(margins.shape, dtype=bool)
    before, tier, by_label = reach.copy(), -1, 0
    for pair in np.argsort(tiers, kind="stable"):
        i, j = winners[pair], losers[pair]
        if tiers[pair] > tier:
            before, tier = reach.copy(), tiers[pair]
        if reach[j, i]:
            by_label += not before[j, i]
        elif not reach[i, j]:
            sources = reach[:, i].copy()
            sources[i] = True
            targets = reach[j].copy()
            targets[j] = True
            reach[sources] |= targets
    return reach, by_label

"""Methods that elect whoever wins every duel: Copeland, minimax, Schulze, ranked pairs."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from deadheat.core.errors import counted
from deadheat.core.types import Booleans, Floats
from deadheat.ranking.block import Block
from deadheat.ranking.duels import Duels
from deadheat.ranking.function import as_cost, ranks_duels
from deadheat.ranking.ranks import signs


@ranks_duels(
    "copeland",
    satisfies={"majority", "condorcet", "monotonicity", "unanimity", "reversal"},
    violates={"consistency", "participation", "iia", "liia", "clones"},
    heading="rivals beaten",
    cost="n² m",
)
def copeland(duels: Duels, candidate_weights: Floats) -> Floats:
    r"""Rank by the share of rivals beaten by a majority of judges; a draw counts one half.

    .. math:: f_i = \frac{1}{N-1} \Bigl(\sum_{j \ne i} c_j \, h(G_{ij} - G_{ji})
        + \tfrac12 (c_i - 1)\Bigr), \quad h = 1, \tfrac12, 0 \text{ for } >, =, < 0

    .. [1] Pavao, Vaccaro, Guyon (2021), "Judging competitions and benchmarks", ESANN, sec. 2.1.

    >>> copeland([[3, 1, 2], [2, 3, 1], [1, 2, 3]])  # a cycle: a three-way tie
    array([[0.5, 0.5, 0.5]])
    """
    return (duels.present - 1 + duels.lead) / 2 / duels.rivals


@ranks_duels(
    "copeland_hard",
    satisfies={"majority", "condorcet", "monotonicity", "unanimity"},
    violates={"consistency", "participation", "iia", "liia", "clones", "reversal"},
    heading="rivals beaten",
    cost="n² m",
)
def copeland_hard(duels: Duels, candidate_weights: Floats) -> Floats:
    r"""Rank by the share of rivals beaten by a majority of judges; a draw counts nothing.

    .. math:: f_i = \frac{1}{N-1} \sum_{j \ne i} c_j [G_{ij} > G_{ji}]

    In the text of [1]_ a draw counts one half (``copeland``); the correlations on the right of its
    table 2 were computed with this.

    .. [1] Pavao, Vaccaro, Guyon (2021), "Judging competitions and benchmarks", ESANN, table 2.

    >>> copeland_hard([[2, 1], [1, 2], [0, 0]])  # the first two draw
    array([[0.5, 0.5, 0. ]])
    """
    return duels.beaten / duels.rivals


@ranks_duels(
    "minimax",
    satisfies={"majority", "condorcet", "clones", "monotonicity", "unanimity"},
    violates={"consistency", "participation", "iia", "liia", "reversal"},
    shown=as_cost,
    heading="worst defeat",
    cost="n² m",
)
def minimax(duels: Duels, candidate_weights: Floats) -> Floats:
    r"""Rank by the margin of the worst defeat, smallest first.

    .. math:: f_i = -\max_{j \ne i} (G_{ji} - G_{ij})

    Margins are in judges. A candidate that beats all others has a negative worst defeat, its
    narrowest victory; one without a rival has 0.

    .. [1] Kramer (1977), "A dynamical model of political equilibrium", Journal of Economic Theory
           16(2).

    >>> minimax([[3, 3, 2], [2, 2, 3], [1, 1, 1]])
    array([[ 1., -1., -3.]])
    """
    margins = np.where(duels.outcomes == 0, 0, duels.margins)  # a draw is 0, whatever the noise
    worst = np.where(duels.rivalry, margins, np.inf).min(axis=2)
    return np.where(np.isinf(worst), 0.0, worst)


@ranks_duels(
    "schulze",
    satisfies={"majority", "condorcet", "unanimity", "reversal"},
    violates={"consistency", "participation", "iia", "liia", "clones"},
    heading="rivals beaten",
    cost="n² m + n³",
)
def schulze(duels: Duels, candidate_weights: Floats) -> Floats:
    r"""Rank by the share of rivals beaten on the strongest paths of margins; a tie is one half.

    .. math:: f_i = \frac{1}{N-1} \Bigl(\sum_{j \ne i} c_j \, h(p_{ij} - p_{ji})
        + \tfrac12 (c_i - 1)\Bigr)

    where p is the strength of the strongest path: the largest, over all paths, of the smallest
    margin on the path, and h is 1, 1/2, 0 for more than, equal to and less than 0. The winner of
    [1]_ is independent of clones. The merit is not: a share of rivals beaten counts copies.

    .. [1] Schulze (2011), "A new monotonic, clone-independent, reversal symmetric, and
           Condorcet-consistent single-winner election method", Social Choice and Welfare 36.

    >>> schulze([[3, 1, 2, 3, 3], [2, 3, 1, 2, 1], [1, 2, 3, 1, 2]])
    array([[1. , 0.5, 0. ]])
    """
    there = candidate_weights > 0
    paths = np.where(there[:, :, None] & there[:, None, :], np.maximum(duels.margins, 0), 0)
    for k in range(paths.shape[1]):
        np.maximum(paths, np.minimum(paths[:, :, k, None], paths[:, None, k, :]), out=paths)
    beats = signs(paths - paths.swapaxes(1, 2), noise=duels.noise[:, :, None])
    return duels.share(0.5 + beats / 2)


def remarks(scores: Floats, judge_weights: Floats) -> Iterator[str]:
    """Say when equal margins contradict each other, so that the order of labels decided."""
    duels = Duels(Block(scores, judge_weights[None, :], np.ones((1, len(scores)))))
    _, by_label = _lock(duels.outcomes[0], duels.margins[0], noise=float(duels.noise[0, 0]))
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

    where i -> j means that locked victories lead from i to j. Equal margins are locked in the order
    of the labels of winner and loser; where that decides, it is reported. Local independence and
    independence of clones, which [1]_ shows for strict orders, fail where margins are equal or 0.

    .. [1] Tideman (1987), "Independence of clones as a criterion for voting rules", Social Choice
           and Welfare 4.

    >>> ranked_pairs([[3, 1, 2, 3, 3], [2, 3, 1, 2, 1], [1, 2, 3, 1, 2]])
    array([[1. , 0.5, 0. ]])
    """
    points = np.empty(duels.margins.shape)
    for b, present in enumerate(candidate_weights > 0):
        outcomes = np.where(np.outer(present, present), duels.outcomes[b], 0)
        reach, _ = _lock(outcomes, duels.margins[b], noise=float(duels.noise[b, 0]))
        points[b] = 0.5 + (reach.astype(np.float64) - reach.T) / 2
    return duels.share(points)


def _lock(outcomes: Floats, margins: Floats, *, noise: float) -> tuple[Booleans, int]:
    """Return who reaches whom over locked victories, and how many pairs the labels decided.

    Such a pair contradicts what is locked, but did not contradict what larger margins had locked.
    """
    winners, losers = np.nonzero(outcomes > 0)  # in the order of the labels
    won = margins[winners, losers]
    largest_first = np.argsort(-won, kind="stable")
    tiers = np.zeros(len(won), dtype=np.intp)  # 0 for the largest margin; equal ones share one
    tiers[largest_first[1:]] = np.cumsum(-np.diff(won[largest_first]) > noise)
    down, up = [0] * len(margins), [0] * len(margins)  # as bits: whom each reaches, who reaches it
    before, tier, by_label = down, -1, 0
    order = np.argsort(tiers, kind="stable")
    for i, j, of in np.stack([winners, losers, tiers], axis=1)[order].tolist():
        if of > tier:
            before, tier = down.copy(), of
        if down[j] >> i & 1:
            by_label += not before[j] >> i & 1
        elif not down[i] >> j & 1:
            sources, targets = up[i] | 1 << i, down[j] | 1 << j
            for k in _bits(sources):
                down[k] |= targets
            for k in _bits(targets):
                up[k] |= sources
    size = -(-len(margins) // 8)
    packed = np.frombuffer(b"".join(row.to_bytes(size, "little") for row in down), dtype=np.uint8)
    reach = np.unpackbits(packed.reshape(-1, size), axis=1, bitorder="little")
    return reach[:, : len(margins)].astype(bool), by_label


def _bits(number: int) -> Iterator[int]:
    while number:
        lowest = number & -number
        yield lowest.bit_length() - 1
        number ^= lowest

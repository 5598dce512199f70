"""Relative difference of the scores."""

from __future__ import annotations

import numpy as np

from deadheat.ranking.blocks import Block
from deadheat.ranking.duels import pair_share
from deadheat.ranking.function import of_shares
from deadheat.ranking.registry import ranks_scores
from deadheat.typing import Floats


@ranks_scores(
    "relative_difference",
    scale="ratio",
    additive=True,
    available=True,
    needs="nonnegative",
    magnitude=of_shares,
    pairwise=True,
    satisfies={"consistency", "participation"},
    violates={"majority", "condorcet", "iia", "liia", "clones"},
    heading="relative difference",
    cost="n² m",
)
def relative_difference(scores: Floats, judge_weights: Floats, candidate_weights: Floats) -> Floats:
    r"""Rank by the mean relative difference to the rivals' scores.

    .. math:: f_i = \frac{1}{N-1} \, \frac{1}{W} \sum_{j \ne i} c_j \sum_k w_k
        \frac{y_{ik} - y_{jk}}{|y_{ik}| + |y_{jk}|}, \quad \tfrac00 := 0

    Notes
    -----
    The printed formula of [1]_, on scores of at least 0; where lower is better the sign turns.
    Differs from what the authors ran for their tables, which is ``relative_difference_ranks``.
    It depends on whether accuracy or error is given, because (u - v) / (u + v) is not the same
    for 1 - u and 1 - v.

    References
    ----------
    .. [1] Pavao, Vaccaro, Guyon (2021), "Judging competitions and benchmarks", ESANN, sec. 2.1.

    Examples
    --------
    Table 4 of the supplement, by the printed formula: B wins, with and without C.

    >>> relative_difference([[0.6, 0.6, 0], [0.4, 0.4, 1], [1, 0, 0.4]]).round(3)
    array([[-0.142,  0.267, -0.125]])
    """
    return pair_share(Block(scores, judge_weights, candidate_weights), difference)


def difference(mine: Floats, yours: Floats) -> Floats:
    """Return (u - v) / (|u| + |v|), and 0 for two zeros."""
    size = np.abs(mine) + np.abs(yours)
    return (mine - yours) / np.where(size == 0, 1, size)

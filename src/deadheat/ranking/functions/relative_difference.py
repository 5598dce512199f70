"""Relative difference of the scores."""

from __future__ import annotations

import numpy as np

from deadheat.ranking.blocks import Block
from deadheat.ranking.duels import pair_share
from deadheat.ranking.function import of_shares
from deadheat.ranking.reciprocals import MOST_COLUMNS, thin_factors
from deadheat.ranking.registry import ranks_scores
from deadheat.typing import Floats

AT_ONCE = 64  # judges


@ranks_scores(
    "relative_difference",
    scale="ratio",
    additive=True,
    available=True,
    needs="nonnegative",
    magnitude=of_shares,
    pairwise=True,
    satisfies={"consistency", "participation", "monotonicity", "unanimity", "reversal"},
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
    block = Block(scores, judge_weights, candidate_weights)
    if block.has_holes or block.one_field:
        return pair_share(block, difference)
    parts = block.replicates(AT_ONCE * MOST_COLUMNS)
    return np.concatenate([_of_many_fields(part) for part in parts])


def _of_many_fields(block: Block) -> Floats:
    """Return the merits where every replicate has candidates of its own.

    (u - v) / (u + v) is 1 - 2 v / (u + v), and the matrix of the latter is a product of two thin
    ones. Where it is not (zeros, sizes far apart), a judge is asked about all pairs.
    """
    copies = np.asarray(block.candidate_weights, dtype=np.float64)
    total = np.zeros(copies.shape)
    thin: list[tuple[int, Floats, Floats]] = []
    for k, scores in enumerate(block.scores.astype(np.float64).T):
        one_sign = (scores > 0).all() or (scores < 0).all()
        factors = thin_factors(np.abs(scores)) if one_sign else None
        if factors is None:
            said = difference(scores[None, :], scores[:, None])  # (j, i)
            total += (copies @ said) * block.judge_weights[:, k, None]
        else:
            thin.append((k, factors[0], factors[1] * np.sign(scores[0])))
    for start in range(0, len(thin), AT_ONCE):
        part = thin[start : start + AT_ONCE]
        judges = [k for k, _, _ in part]
        inwards = np.concatenate([factor for _, factor, _ in part], axis=1)
        outwards = np.concatenate([factor for _, _, factor in part])
        weights = block.judge_weights[:, judges].astype(np.float64)
        total += (weights @ np.sign(block.scores[0, judges]))[:, None] * block.present
        sums = copies @ inwards
        sums *= np.repeat(weights, [factor.shape[1] for _, factor, _ in part], axis=1)
        total -= sums @ outwards
    return total / block.total / block.rivals


def difference(mine: Floats, yours: Floats) -> Floats:
    """Return (u - v) / (|u| + |v|), and 0 for two zeros."""
    size = np.abs(mine) + np.abs(yours)
    return (mine - yours) / np.where(size == 0, 1, size)

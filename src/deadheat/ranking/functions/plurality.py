"""Plurality: the share of judges won."""

from __future__ import annotations

import numpy as np

from deadheat.core.types import Floats
from deadheat.ranking.block import Block
from deadheat.ranking.duels import votes
from deadheat.ranking.function import ranks_scores


@ranks_scores(
    "plurality",
    scale="ordinal",
    additive=True,
    satisfies={"majority", "consistency", "participation", "monotonicity", "unanimity"},
    violates={"condorcet", "iia", "liia", "clones", "reversal"},
    heading="judges won",
)
def plurality(scores: Floats, judge_weights: Floats, candidate_weights: Floats) -> Floats:
    r"""Rank by the share of judges won; a shared first place is shared equally.

    .. math:: f_i = \frac{1}{W} \sum_k w_k \frac{[i \in T_k]}{\sum_{j \in T_k} c_j}, \quad
        T_k = \arg\max_{j : c_j > 0} y_{jk}

    References
    ----------
    .. [1] Brams, Fishburn (2002), "Voting procedures", Handbook of Social Choice and Welfare 1.

    Examples
    --------
    >>> plurality([[1, 1, 0], [0.8, 0.8, 1], [0.6, 1, 0.6]])
    array([[0.5       , 0.33333333, 0.16666667]])
    """
    block = Block(scores, judge_weights, candidate_weights)
    found = []
    for part in block.replicates(block.shape[1]):
        copies = (part.field if part.one_field else part).candidate_weights.astype(np.float64)
        found.append(votes(part, copies > 0, copies))
    return np.concatenate(found) / block.total

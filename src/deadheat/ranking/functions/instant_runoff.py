"""Instant run-off."""

from __future__ import annotations

import numpy as np

from deadheat.core.types import Floats
from deadheat.ranking.block import SUMMING, Block
from deadheat.ranking.duels import votes
from deadheat.ranking.function import ranks_scores


@ranks_scores(
    "instant_runoff",
    scale="ordinal",
    satisfies={"majority", "consistency", "unanimity"},
    violates={"condorcet", "participation", "iia", "liia", "clones", "monotonicity", "reversal"},
    heading="round",
    pairwise=True,
    cost="n² m",
)
def instant_runoff(scores: Floats, judge_weights: Floats, candidate_weights: Floats) -> Floats:
    r"""Rank by the round in which a candidate is eliminated, the last one best.

    .. math:: f_i = \max\{t : i \in A_t\}, \quad
        A_{t+1} = A_t \setminus \arg\min_{j \in A_t} v_j(A_t)

    where v(A) are the plurality votes among the candidates of A. All with the fewest votes go
    together; when all that are left have equally many, they share the last round.

    Notes
    -----
    Exact copies share their votes and so leave early together: unlike with strict ballots, the
    method is not independent of such clones. It is consistent in the sense of whole rankings:
    whoever is last in both parts of the judges is last in the whole. Its winner alone is not.

    References
    ----------
    .. [1] Brams, Fishburn (2002), "Voting procedures", Handbook of Social Choice and Welfare 1.

    Examples
    --------
    >>> instant_runoff([[3, 3, 1, 1, 1], [2, 2, 3, 3, 2], [1, 1, 2, 2, 3]])
    array([[2., 3., 1.]])
    """
    block = Block(scores, judge_weights, candidate_weights)
    n, m = scores.shape
    return np.concatenate([_rounds(part) for part in block.replicates(n * m)])


def _rounds(block: Block) -> Floats:
    copies = np.asarray(block.candidate_weights, dtype=np.float64)
    alive = copies > 0
    last = np.where(alive, 1.0, np.nan)
    noise = SUMMING * block.total  # shared votes are no whole numbers
    for number in range(2, block.shape[1] + 1):
        won = np.where(alive, votes(block, alive, copies), np.inf)
        out = alive & (won <= won.min(axis=1, keepdims=True) + noise)
        out &= ~(out == alive).all(axis=1, keepdims=True)  # nobody is left out of a full tie
        if not out.any():
            break
        running = out.any(axis=1, keepdims=True)
        alive &= ~out
        last = np.where(alive & running, number, last)
    return last

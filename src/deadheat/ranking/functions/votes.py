"""Votes for whom a judge puts first: plurality and instant run-off."""

from __future__ import annotations

import numpy as np

from deadheat.core.types import Booleans, Floats
from deadheat.ranking.block import SUMMING, Block
from deadheat.ranking.function import ranks_scores


def votes(block: Block, there: Booleans, copies: Floats) -> Floats:
    """Return the plurality votes of one copy of each candidate among those who are there, (B, n).

    ``there`` and ``copies`` have a row for each replicate, or one for all.
    """
    found = np.zeros(block.shape[:2])
    for part in block.judges(there.size):
        scores = np.where(there[:, :, None], block.scores[:, part], -np.inf)
        best = (scores == scores.max(axis=1, keepdims=True)) & there[:, :, None]
        sharing = np.maximum(np.einsum("bi,bik->bk", copies, best), 1)
        found += np.einsum("bk,bik->bi", block.judge_weights[:, part] / sharing, best)
    return found


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

    .. [1] Brams, Fishburn (2002), "Voting procedures", Handbook of Social Choice and Welfare 1.

    >>> plurality([[1, 1, 0], [0.8, 0.8, 1], [0.6, 1, 0.6]])
    array([[0.5       , 0.33333333, 0.16666667]])
    """
    block = Block(scores, judge_weights, candidate_weights)
    parts = [(part, part.fields.astype(np.float64)) for part in block.replicates(len(scores))]
    return np.concatenate([votes(part, copies > 0, copies) for part, copies in parts]) / block.total


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
    together; when all that are left have equally many, they share the last round. Exact copies
    share their votes and so leave early together. Whoever is last in both parts of the judges is
    last in the whole, so whole rankings are consistent; the winner alone is not.

    .. [1] Brams, Fishburn (2002), "Voting procedures", Handbook of Social Choice and Welfare 1.

    >>> instant_runoff([[3, 3, 1, 1, 1], [2, 2, 3, 3, 2], [1, 1, 2, 2, 3]])
    array([[2., 3., 1.]])
    """
    block = Block(scores, judge_weights, candidate_weights)
    return np.concatenate([_rounds(part) for part in block.replicates(scores.size)])


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

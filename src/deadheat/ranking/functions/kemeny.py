"""Kemeny's rule, also known as Kemeny-Young."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from deadheat.core.errors import ask
from deadheat.core.types import Floats
from deadheat.models.aggregation.kemeny import Field, mean_ranks
from deadheat.models.aggregation.programs import MOST
from deadheat.ranking.block import Block
from deadheat.ranking.duels import Duels
from deadheat.ranking.function import as_cost, ranks_duels


def remarks(scores: Floats, judge_weights: Floats) -> Iterator[str]:
    """Say when more rankings may be optimal than can be averaged."""
    everybody = np.ones((1, len(scores)))
    shared, _ = _field(Duels(Block(scores, judge_weights[None, :], everybody)), everybody).blocks
    largest = int(shared.sum(axis=2).max())
    if largest > MOST:
        yield (
            f"kemeny: {largest} candidates are tied up in cycles and draws, too many to know all "
            "optimal rankings; ranks are those of one of them. Whether there are others says: "
            f"{ask('consensus', 'FILE')}"
        )


@ranks_duels(
    "kemeny",
    satisfies={"majority", "condorcet", "unanimity", "reversal"},
    violates={"consistency", "participation", "iia", "liia", "clones"},
    shown=as_cost,
    heading="optimal rank",
    cost="n² m, and 2ⁿ or more within cycles",
    slow=True,
    aliases=("kemeny_young",),
    remarks=remarks,
)
def kemeny(duels: Duels, candidate_weights: Floats) -> Floats:
    r"""Rank by the order that disagrees least with the judges, pair by pair (Kemeny-Young).

    .. math:: f_i = -\operatorname{mean}_{r \in R} r_i, \quad
        R = \arg\min_r \sum_{r_i < r_j} (G_{ji} + \tfrac12 E_{ij})

    Where several rankings are optimal, the merit is the mean of their ranks; copies, and
    candidates with the same margins against all others, share their ranks. A single optimum is
    consistent [2]_ and locally independent of irrelevant alternatives; the mean of several is
    neither. Where more than 12 candidates are tied up in cycles and draws, the ranks are those of
    one optimum; cycles of more than 40 are refused. :func:`deadheat.consensus` is better for one
    large table: it has a time limit and a proof.

    .. [1] Kemeny (1959), "Mathematics without numbers", Daedalus 88(4).
    .. [2] Young, Levenglick (1978), "A consistent extension of Condorcet's election principle",
           SIAM Journal on Applied Mathematics 35(2).

    >>> kemeny([[3, 1, 2, 4], [2, 3, 1, 3], [1, 2, 3, 2], [4, 4, 4, 1]])
    array([[-2., -3., -4., -1.]])
    """
    return -mean_ranks(_field(duels, candidate_weights))


def _field(duels: Duels, candidate_weights: Floats) -> Field:
    margins = np.where(duels.outcomes == 0, 0.0, duels.margins.astype(np.float64))
    copies = np.asarray(candidate_weights, dtype=np.float64)
    return Field(margins, copies, noise=duels.noise, total=duels.block.total)

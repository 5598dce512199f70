"""Success rate: the share of duels won, ties counting nothing."""

from __future__ import annotations

import numpy as np

from deadheat.core.types import Floats
from deadheat.ranking.duels import Standings
from deadheat.ranking.function import ranks_standings


@ranks_standings(
    "success_rate",
    available=True,
    satisfies={"consistency", "participation", "monotonicity", "unanimity"},
    violates={"majority", "condorcet", "iia", "liia", "clones", "reversal"},
    heading="success rate",
)
def success_rate(standings: Standings, candidate_weights: Floats) -> Floats:
    r"""Rank by the share of (rival, judge) duels strictly won; a tie counts nothing.

    .. math:: f_i = \frac{1}{N-1} \, \frac{1}{W} \sum_{j \ne i} c_j G_{ij}

    Notes
    -----
    As printed in [1]_. Ties, and copies of oneself, count 0 here; ``success_rate_half`` counts
    them one half and then orders exactly as ``average_rank`` does.

    References
    ----------
    .. [1] Pavao, Vaccaro, Guyon (2021), "Judging competitions and benchmarks", ESANN, sec. 2.1.

    Examples
    --------
    Supplement of [1]_, table 1: the majority's favourite only ties with the second.

    >>> success_rate([[1, 1, 0], [0.8, 0.8, 1], [0.6, 0.6, 0.6]])
    array([[0.66666667, 0.66666667, 0.16666667]])
    """
    return standings.below / np.maximum(standings.rivals, 1)

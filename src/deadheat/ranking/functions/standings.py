"""Where the judges put a candidate on average: ranks, points, and shares of duels."""

from __future__ import annotations

from typing import Any

import numpy as np

from deadheat.core.types import Floats
from deadheat.ranking.duels import Standings
from deadheat.ranking.function import as_cost, ranks_standings

LAWS: dict[str, Any] = {  # of the three functions that order alike
    "satisfies": {"consistency", "participation", "monotonicity", "unanimity", "reversal"},
    "violates": {"majority", "condorcet", "iia", "liia", "clones"},
}


@ranks_standings("average_rank", available=True, shown=as_cost, heading="average rank", **LAWS)
def average_rank(standings: Standings, candidate_weights: Floats) -> Floats:
    r"""Rank by the average of the ranks that the judges give; those that tie share theirs.

    .. math:: f_i = -\Bigl(1 + \frac{1}{W} \sum_{j \ne i} c_j (G_{ji} + \tfrac12 E_{ij})
        + \tfrac12 (c_i - 1)\Bigr)

    In [1]_ f is the mean rank itself, although its ``rank`` puts the highest first: here negated.

    .. [1] Pavao, Vaccaro, Guyon (2021), "Judging competitions and benchmarks", ESANN, sec. 2.1.

    >>> average_rank([[1, 1, 0], [0.8, 0.8, 1], [0.6, 0.6, 0.6]])
    array([[-1.66666667, -1.66666667, -2.66666667]])
    """
    return -(1 + standings.above + standings.level / 2)


@ranks_standings("borda", available=True, heading="points", **LAWS)
def borda(standings: Standings, candidate_weights: Floats) -> Floats:
    r"""Rank by Borda points: one per rival that a judge puts below, half a point per tie.

    .. math:: f_i = N - \bar r_i = \frac{1}{W} \sum_{j \ne i} c_j (G_{ij} + \tfrac12 E_{ij})
        + \tfrac12 (c_i - 1)

    Points are averaged over the judges. The order is that of ``average_rank``.

    .. [1] de Borda (1781), "Mémoire sur les élections au scrutin", Académie royale des sciences.

    >>> borda([[3, 3], [2, 1], [1, 1]])
    array([[2.  , 0.75, 0.25]])
    """
    return standings.below + standings.level / 2


@ranks_standings("success_rate_half", available=True, heading="success rate", **LAWS)
def success_rate_half(standings: Standings, candidate_weights: Floats) -> Floats:
    r"""Rank by the share of (rival, judge) duels won; a tie counts one half.

    .. math:: f_i = \frac{1}{N-1} \Bigl(\frac{1}{W} \sum_{j \ne i} c_j (G_{ij} + \tfrac12 E_{ij})
        + \tfrac12 (c_i - 1)\Bigr) = \frac{N - \bar r_i}{N - 1}

    In [1]_ a tie counts nothing (``success_rate``). The order is that of ``average_rank``.

    .. [1] Pavao, Vaccaro, Guyon (2021), "Judging competitions and benchmarks", ESANN, sec. 2.1.

    >>> success_rate_half([[1, 1], [1, 0.5], [0, 0.5]])
    array([[0.875, 0.5  , 0.125]])
    """
    return (standings.below + standings.level / 2) / np.maximum(standings.rivals, 1)


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

    As printed in [1]_; copies of oneself count nothing either. The example is table 1 of its
    supplement: the majority's favourite only ties with the second.

    .. [1] Pavao, Vaccaro, Guyon (2021), "Judging competitions and benchmarks", ESANN, sec. 2.1.

    >>> success_rate([[1, 1, 0], [0.8, 0.8, 1], [0.6, 0.6, 0.6]])
    array([[0.66666667, 0.66666667, 0.16666667]])
    """
    return standings.below / np.maximum(standings.rivals, 1)

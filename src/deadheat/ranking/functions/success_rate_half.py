"""Success rate in which a tie is half a success."""

from __future__ import annotations

import numpy as np

from deadheat.core.types import Floats
from deadheat.ranking.duels import Standings
from deadheat.ranking.function import ranks_standings


@ranks_standings(
    "success_rate_half",
    available=True,
    satisfies={"consistency", "participation", "monotonicity", "unanimity", "reversal"},
    violates={"majority", "condorcet", "iia", "liia", "clones"},
    heading="success rate",
)
def success_rate_half(standings: Standings, candidate_weights: Floats) -> Floats:
    r"""Rank by the share of (rival, judge) duels won; a tie counts one half.

    .. math:: f_i = \frac{1}{N-1} \Bigl(\frac{1}{W} \sum_{j \ne i} c_j (G_{ij} + \tfrac12 E_{ij})
        + \tfrac12 (c_i - 1)\Bigr) = \frac{N - \bar r_i}{N - 1}

    Notes
    -----
    Differs from [1]_, where a tie counts nothing (``success_rate``). With half ties the order is
    exactly that of ``average_rank``.

    References
    ----------
    .. [1] Pavao, Vaccaro, Guyon (2021), "Judging competitions and benchmarks", ESANN, sec. 2.1.

    Examples
    --------
    >>> success_rate_half([[1, 1], [1, 0.5], [0, 0.5]])
    array([[0.875, 0.5  , 0.125]])
    """
    return (standings.below + standings.level / 2) / np.maximum(standings.rivals, 1)

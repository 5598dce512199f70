"""Minimax, also known as Simpson-Kramer."""

from __future__ import annotations

import numpy as np

from deadheat.core.types import Floats
from deadheat.ranking.duels import Duels
from deadheat.ranking.function import as_cost, ranks_duels


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

    Notes
    -----
    Margins are in judges. A candidate that beats all others has a negative worst defeat, which is
    its narrowest victory; one without a rival has 0.

    References
    ----------
    .. [1] Kramer (1977), "A dynamical model of political equilibrium", Journal of Economic Theory
           16(2).

    Examples
    --------
    >>> minimax([[3, 3, 2], [2, 2, 3], [1, 1, 1]])
    array([[ 1., -1., -3.]])
    """
    margins = np.where(duels.outcomes == 0, 0, duels.margins)  # a draw is 0, whatever the noise
    worst = np.where(duels.rivalry, margins, np.inf).min(axis=2)
    return np.where(np.isinf(worst), 0.0, worst)

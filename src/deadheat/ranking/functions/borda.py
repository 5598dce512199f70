"""Borda's count."""

from __future__ import annotations

from deadheat.core.types import Floats
from deadheat.ranking.duels import Standings
from deadheat.ranking.function import ranks_standings


@ranks_standings(
    "borda",
    available=True,
    satisfies={"consistency", "participation", "monotonicity", "unanimity", "reversal"},
    violates={"majority", "condorcet", "iia", "liia", "clones"},
    heading="points",
)
def borda(standings: Standings, candidate_weights: Floats) -> Floats:
    r"""Rank by Borda points: one per rival that a judge puts below, half a point per tie.

    .. math:: f_i = N - \bar r_i = \frac{1}{W} \sum_{j \ne i} c_j (G_{ij} + \tfrac12 E_{ij})
        + \tfrac12 (c_i - 1)

    Notes
    -----
    The points are averaged over the judges. The order is exactly that of ``average_rank``.

    References
    ----------
    .. [1] de Borda (1781), "Mémoire sur les élections au scrutin", Académie royale des sciences.

    Examples
    --------
    >>> borda([[3, 3], [2, 1], [1, 1]])
    array([[2.  , 0.75, 0.25]])
    """
    return standings.below + standings.level / 2

"""Average rank over the judges."""

from __future__ import annotations

from deadheat.core.types import Floats
from deadheat.ranking.duels import Standings
from deadheat.ranking.function import as_cost, ranks_standings


@ranks_standings(
    "average_rank",
    available=True,
    satisfies={"consistency", "participation", "monotonicity", "unanimity", "reversal"},
    violates={"majority", "condorcet", "iia", "liia", "clones"},
    shown=as_cost,
    heading="mean rank",
)
def average_rank(standings: Standings, candidate_weights: Floats) -> Floats:
    r"""Rank by the mean of the ranks that the judges give; tied candidates share their mean rank.

    .. math:: f_i = -\Bigl(1 + \frac{1}{W} \sum_{j \ne i} c_j (G_{ji} + \tfrac12 E_{ij})
        + \tfrac12 (c_i - 1)\Bigr)

    Notes
    -----
    Differs from [1]_, whose f is the mean rank itself, lower is better, although its ``rank`` puts
    the highest first: the merit here is the negated mean rank.

    References
    ----------
    .. [1] Pavao, Vaccaro, Guyon (2021), "Judging competitions and benchmarks", ESANN, sec. 2.1.

    Examples
    --------
    >>> average_rank([[1, 1, 0], [0.8, 0.8, 1], [0.6, 0.6, 0.6]])
    array([[-1.66666667, -1.66666667, -2.66666667]])
    """
    return -(1 + standings.above + standings.level / 2)

"""Copeland's method."""

from __future__ import annotations

from deadheat.core.types import Floats
from deadheat.ranking.duels import Duels
from deadheat.ranking.function import ranks_duels


@ranks_duels(
    "copeland",
    satisfies={"majority", "condorcet", "monotonicity", "unanimity", "reversal"},
    violates={"consistency", "participation", "iia", "liia", "clones"},
    heading="rivals beaten",
    cost="n² m",
)
def copeland(duels: Duels, candidate_weights: Floats) -> Floats:
    r"""Rank by the share of rivals beaten by a majority of judges; a draw counts one half.

    .. math:: f_i = \frac{1}{N-1} \Bigl(\sum_{j \ne i} c_j \, h(G_{ij} - G_{ji})
        + \tfrac12 (c_i - 1)\Bigr), \quad h = 1, \tfrac12, 0 \text{ for } >, =, < 0

    References
    ----------
    .. [1] Pavao, Vaccaro, Guyon (2021), "Judging competitions and benchmarks", ESANN, sec. 2.1.

    Examples
    --------
    >>> copeland([[3, 1, 2], [2, 3, 1], [1, 2, 3]])  # a cycle: a three-way tie
    array([[0.5, 0.5, 0.5]])
    """
    return (duels.present - 1 + duels.lead) / 2 / duels.rivals

"""Copeland's method in which a draw counts nothing."""

from __future__ import annotations

from deadheat.core.types import Floats
from deadheat.ranking.duels import Duels
from deadheat.ranking.function import ranks_duels


@ranks_duels(
    "copeland_hard",
    satisfies={"majority", "condorcet", "monotonicity", "unanimity"},
    violates={"consistency", "participation", "iia", "liia", "clones", "reversal"},
    heading="rivals beaten",
    cost="n² m",
)
def copeland_hard(duels: Duels, candidate_weights: Floats) -> Floats:
    r"""Rank by the share of rivals beaten by a majority of judges; a draw counts nothing.

    .. math:: f_i = \frac{1}{N-1} \sum_{j \ne i} c_j [G_{ij} > G_{ji}]

    Notes
    -----
    Differs from the text of [1]_, where a draw counts one half (``copeland``); this is what the
    correlations on the right of its table 2 were computed with.

    References
    ----------
    .. [1] Pavao, Vaccaro, Guyon (2021), "Judging competitions and benchmarks", ESANN, table 2.

    Examples
    --------
    >>> copeland_hard([[2, 1], [1, 2], [0, 0]])  # the first two draw
    array([[0.5, 0.5, 0. ]])
    """
    return duels.share((duels.outcomes > 0).astype(duels.margins.dtype))

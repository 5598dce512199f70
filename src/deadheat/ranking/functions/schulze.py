"""Schulze's method."""

from __future__ import annotations

import numpy as np

from deadheat.core.types import Floats
from deadheat.ranking.duels import Duels
from deadheat.ranking.function import ranks_duels
from deadheat.ranking.ranks import signs


@ranks_duels(
    "schulze",
    satisfies={"majority", "condorcet", "unanimity", "reversal"},
    violates={"consistency", "participation", "iia", "liia", "clones"},
    heading="rivals beaten",
    cost="n² m + n³",
)
def schulze(duels: Duels, candidate_weights: Floats) -> Floats:
    r"""Rank by the share of rivals beaten on the strongest paths of margins; a tie is one half.

    .. math:: f_i = \frac{1}{N-1} \Bigl(\sum_{j \ne i} c_j \, h(p_{ij} - p_{ji})
        + \tfrac12 (c_i - 1)\Bigr)

    where p is the strength of the strongest path: the largest, over all paths, of the smallest
    margin on the path, and h is 1, 1/2, 0 for more than, equal to and less than 0.

    Notes
    -----
    The winner of [1]_ is independent of clones. The merit is not: a share of rivals beaten counts
    copies, so that copies of a candidate can turn the order of two others that are tied on paths
    with some of the rest.

    References
    ----------
    .. [1] Schulze (2011), "A new monotonic, clone-independent, reversal symmetric, and
           Condorcet-consistent single-winner election method", Social Choice and Welfare 36.

    Examples
    --------
    >>> schulze([[3, 1, 2, 3, 3], [2, 3, 1, 2, 1], [1, 2, 3, 1, 2]])
    array([[1. , 0.5, 0. ]])
    """
    there = candidate_weights > 0
    paths = np.where(there[:, :, None] & there[:, None, :], np.maximum(duels.margins, 0), 0)
    for k in range(paths.shape[1]):
        np.maximum(paths, np.minimum(paths[:, :, k, None], paths[:, None, k, :]), out=paths)
    beats = signs(paths - paths.swapaxes(1, 2), noise=duels.noise[:, :, None])
    return duels.share(0.5 + beats / 2)

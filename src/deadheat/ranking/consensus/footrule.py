"""Spearman's footrule."""

from __future__ import annotations

import numpy as np

from deadheat.ranking.consensus.assignment import assigned
from deadheat.ranking.consensus.clock import Clock
from deadheat.ranking.consensus.found import Ballots, Distance, Found, Output


def closest(ballots: Ballots, output: Output, clock: Clock) -> Found:  # noqa: ARG001 - no search
    r"""Return the ranking with the smallest sum of absolute differences of ranks.

    .. math:: d(r, r') = \sum_i |r_i - r'_i|

    An assignment of candidates to ranks, and so polynomial. Sorting by median rank is not optimal.
    Its Kendall distance is at most twice the smallest [1]_.

    References
    ----------
    .. [1] Dwork, Kumar, Naor, Sivakumar (2001), "Rank aggregation methods for the web", WWW 10.
    """
    places = np.arange(1.0, ballots.n + 1)
    costs = [np.abs(ranks[:, None] - places).T @ ballots.weights for ranks in ballots.ranks]
    return assigned(np.array(costs))


footrule = Distance(
    name="footrule",
    unit="summed absolute differences of ranks",
    closest=closest,
)

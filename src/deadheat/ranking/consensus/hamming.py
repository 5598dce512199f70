"""Hamming's distance."""

from __future__ import annotations

import numpy as np

from deadheat.ranking.consensus.assignment import assigned
from deadheat.ranking.consensus.clock import Clock
from deadheat.ranking.consensus.found import Ballots, Distance, Found, Output
from deadheat.typing import Floats


def closest(ballots: Ballots, output: Output, clock: Clock) -> Found:  # noqa: ARG001 - no search
    r"""Return the ranking with the fewest candidates at another rank than with a judge.

    .. math:: d(r, r') = \#\{i : r_i \ne r'_i\}

    An assignment of candidates to ranks. Tied candidates share a mean rank, which is that of a
    strict ranking at most for the one in the middle of them.
    """
    return assigned(mismatches(ballots))


def mismatches(ballots: Ballots) -> Floats:
    """Return the weight of the judges that give candidate i another rank than p + 1, (n, n)."""
    places = np.arange(1.0, ballots.n + 1)
    return np.array([(ranks[:, None] != places).T @ ballots.weights for ranks in ballots.ranks])


hamming = Distance(
    name="hamming",
    unit="candidates at another rank",
    closest=closest,
)

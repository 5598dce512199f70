"""Hamming's distance."""

from __future__ import annotations

import numpy as np

from deadheat.ranking.consensus.assignment import assigned
from deadheat.ranking.consensus.clock import Clock
from deadheat.ranking.consensus.found import Ballots, Distance, Found, Output
from deadheat.typing import Floats


def closest(ballots: Ballots, output: Output, clock: Clock) -> Found:  # noqa: ARG001 - always strict
    r"""Return the ranking with the fewest candidates at another rank than with a judge.

    .. math:: d(r, r') = \#\{i : r_i \ne r'_i\}

    An assignment of candidates to ranks. Tied candidates share a mean rank, which is that of a
    strict ranking at most for the one in the middle of them.
    """
    return assigned(mismatches(ballots), clock)


def mismatches(ballots: Ballots) -> Floats:
    """Return the weight of the judges that give candidate i another rank than p + 1, (n, n)."""
    n = ballots.n
    who, judge = np.nonzero(ballots.ranks == np.rint(ballots.ranks))
    place = ballots.ranks[who, judge].astype(np.intp) - 1
    found = np.bincount(who * n + place, weights=ballots.weights[judge], minlength=n * n)
    return np.asarray(ballots.total - found.reshape(n, n))


hamming = Distance(
    name="hamming",
    unit="candidates at another rank",
    closest=closest,
)

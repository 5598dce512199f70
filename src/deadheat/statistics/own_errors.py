"""Who is better than whom by scores that say themselves how far they may be off."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.special import ndtr

from deadheat.core.types import Booleans, Floats
from deadheat.statistics.corrections import holm_rejections
from deadheat.statistics.pair_tests import ratios


class LeaderTests(NamedTuple):
    """The tests of the best score against all others; NaN and False where none was possible."""

    leader: int
    p: Floats
    worse: Booleans  # whom the leader is shown better than
    tested: Booleans  # who has a score and a standard error, the leader among them


def leader_tests(scores: Floats, errors: Floats, alpha: float) -> LeaderTests:
    r"""Test the best of independent scores (n,), higher is better, against each of the others.

    .. math:: z_i = \frac{s_1 - s_i}{\sqrt{e_1^2 + e_i^2}}, \quad p_i = \Phi(-z_i)

    with Holm's correction over all others. Of several best scores the one with the smallest error
    leads. Scores of the same questions go up and down together: then the tests are too cautious.
    """
    known = ~np.isnan(scores)
    order = np.lexsort((errors, -np.where(known, scores, -np.inf)))
    leader = int(order[0])
    tested = known & ~np.isnan(errors) & ~np.isnan(errors[leader])
    p, worse = np.full(len(scores), np.nan), np.zeros(len(scores), dtype=bool)
    others = np.flatnonzero(tested & (np.arange(len(scores)) != leader))
    leads = scores[leader] - scores[others]
    p[others] = ndtr(-ratios(leads, np.hypot(errors[leader], errors[others])))
    worse[others], _ = holm_rejections(p[others], alpha)
    return LeaderTests(leader, p, worse, tested)

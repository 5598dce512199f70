"""Intervals that hold for all candidates at once."""

from __future__ import annotations

import numpy as np

from deadheat.inference.corrections import require_alpha
from deadheat.ranking.blocks import WORKING_SET
from deadheat.ranking.ranks import RELATIVE_TOLERANCE
from deadheat.typing import Floats


def simultaneous(observed: Floats, merits: Floats, alpha: float) -> tuple[Floats, Floats]:
    r"""Return the low and high ends of a band that holds all merits at once (sup-t).

    .. math:: \hat f_i \pm c\, s_i, \qquad
       c = q_{1-\alpha}\Big(\max_i |f^*_i - \hat f_i| / s_i\Big)

    with :math:`s_i` the standard deviation of the replicates of candidate i. A candidate whose
    replicates are all equal, up to rounding, gets width zero and has no part in c.

    Parameters
    ----------
    observed, merits
        (n,) and (B, n), without NaN.

    Notes
    -----
    The band is as narrow as a bootstrap: with m judges it misses the factor
    :math:`\sqrt{m/(m-1)}` and the tails of Student's t, and covers too little where m is small.

    References
    ----------
    .. [1] Montiel Olea, Plagborg-Moller (2019), "Simultaneous confidence bands: theory,
           implementation, and an application to SVARs", Journal of Applied Econometrics 34(1).

    Examples
    --------
    >>> simultaneous(np.array([0.0, 5.0]), np.array([[-1.0, 5], [1, 5], [-1, 5], [1, 5]]), 0.05)
    (array([-1.,  5.]), array([1., 5.]))
    """
    require_alpha(alpha)
    spread = spread_of(merits)
    moving = np.flatnonzero(spread)
    if not len(moving):
        return observed.astype(np.float64), observed.astype(np.float64)
    largest = np.empty(len(merits))
    step = max(1, WORKING_SET // len(spread))
    for start in range(0, len(merits), step):
        part = slice(start, start + step)
        away = np.abs(merits[part] - observed)[:, moving] / spread[moving]
        largest[part] = away.max(axis=1)
    half = np.quantile(largest, 1 - alpha) * spread
    return observed - half, observed + half


def spread_of(merits: Floats) -> Floats:
    """Return the standard deviation of each candidate's replicates; what is only rounding is 0."""
    tolerance = RELATIVE_TOLERANCE.get(merits.dtype, 1e-12)
    found = np.empty(merits.shape[1])
    step = max(1, WORKING_SET // len(merits))
    for start in range(0, len(found), step):
        part = slice(start, start + step)
        values = np.ascontiguousarray(merits[:, part].T, dtype=np.float64)
        away = values.std(axis=1)
        found[part] = np.where(away <= tolerance * np.abs(values).max(axis=1), 0.0, away)
    return found

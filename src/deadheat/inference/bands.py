"""Intervals that hold for all candidates at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from deadheat.inference.corrections import require_alpha
from deadheat.ranking.blocks import WORKING_SET
from deadheat.ranking.ranks import RELATIVE_TOLERANCE
from deadheat.typing import Floats

ROUNDING = 1e-6  # of a share that float32 has summed


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
    For functions that are no means over the judges; for means :func:`studentized_band` is better.
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
    return studentized_band(observed, by_fixed_errors(observed, merits), alpha)


def studentized_band(
    observed: Floats, studentized: Iterable[tuple[Floats, Floats]], alpha: float
) -> tuple[Floats, Floats]:
    r"""Return a band that holds all merits at once, every replicate measured by its own error.

    As :func:`simultaneous` with :math:`c = q_{1-\alpha}(\max_i |T^*_i|)`, where
    :math:`T^*_i = (f^*_i - \hat f_i)/s^*_i`. So c knows the tails of Student's t and the skewness
    of the scores.

    Parameters
    ----------
    studentized
        Errors s (k,) and :math:`T^*` (B, k), of some candidates after the other.

    Examples
    --------
    >>> studentized_band(np.zeros(2), [(np.ones(2), np.array([[1.0, -3.0], [2.0, 0.0]]))], 0.5)
    (array([-2.5, -2.5]), array([2.5, 2.5]))
    """
    require_alpha(alpha)
    errors: list[Floats] = []
    largest: Floats = np.zeros(1)
    for error, statistics in studentized:
        largest = np.maximum(largest, np.abs(statistics).max(axis=1))
        errors.append(error)
    half = np.quantile(largest, 1 - alpha) * np.concatenate(errors)
    return observed - half, observed + half


def by_fixed_errors(observed: Floats, merits: Floats) -> Iterator[tuple[Floats, Floats]]:
    """Yield errors and statistics with one error for all replicates of a candidate.

    What moves by rounding alone has error 0, and statistics of 0.
    """
    errors = spread_of(merits)
    scale = np.divide(1.0, errors, out=np.zeros_like(errors), where=errors > 0)
    step = max(1, WORKING_SET // len(merits))
    for start in range(0, len(observed), step):
        part = slice(start, start + step)
        yield errors[part], (merits[:, part] - observed[part]) * scale[part]


def share_ends(share: Floats | float, size: Floats | float, tail: float) -> tuple[Floats, Floats]:
    """Return the exact ends of shares of ``size`` judges, missed with probability ``tail`` each.

    With a tail of alpha / (2 n) all n hold at once, however they hang together (Bonferroni).
    Wilson's ends, which are right for one share on average, miss too often so far out: 10 shares of
    .95 on 20 judges at once are all held in .85 of tables instead of .95, here in .99.

    References
    ----------
    .. [1] Clopper, Pearson (1934), "The use of confidence or fiducial limits illustrated in the
           case of the binomial", Biometrika 26(4).

    Examples
    --------
    >>> share_ends(np.array([0.0, 0.5]), 10, 0.025)
    (array([0.        , 0.18708603]), array([0.30849711, 0.81291397]))
    """
    from scipy.special import betaincinv

    won = np.clip(np.asarray(share, dtype=np.float64), 0.0, 1.0) * size
    lost = size - won
    some = won > ROUNDING * size
    low = np.where(some, betaincinv(np.where(some, won, 1.0), lost + 1, tail), 0.0)
    some = lost > ROUNDING * size
    high = np.where(some, betaincinv(won + 1, np.where(some, lost, 1.0), 1 - tail), 1.0)
    return low, high


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

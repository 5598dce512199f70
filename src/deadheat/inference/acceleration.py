"""The acceleration of BCa intervals: how skewed the influence of single units on the merits is."""

from __future__ import annotations

import numpy as np

from deadheat.inference.units import Units
from deadheat.ranking.blocks import WORKING_SET
from deadheat.ranking.ranks import RELATIVE_TOLERANCE
from deadheat.typing import Floats, Integers


def of_left_out(left_out: Floats, strata: Integers | None = None) -> Floats:
    r"""Return the accelerations (n,) from merits with each of U units left out in turn, (U, n).

    .. math:: a = \frac{\sum_u l_u^3}{6 (\sum_u l_u^2)^{3/2}}, \quad
       l_u = \frac{n_h - 1}{n_h} (\bar f_h - f_{(u)})

    where :math:`\bar f_h` is the mean over the :math:`n_h` units of the stratum of u [1]_. Without
    strata the factor cancels.

    Parameters
    ----------
    strata
        The stratum of each unit, (U,). The merits are then those of
        :class:`~deadheat.resampling.plans.Jackknife`, which keeps the total of every stratum.

    References
    ----------
    .. [1] Davison, Hinkley (1997), "Bootstrap Methods and their Application", sec. 5.3.2.
    """
    tolerance = RELATIVE_TOLERANCE.get(left_out.dtype, 1e-12)
    found = np.empty(left_out.shape[1])
    for part in _parts(*left_out.shape):
        influence = -left_out[:, part].astype(np.float64)
        noise = tolerance * np.abs(influence).max(axis=0)
        _centre(influence, strata, shrink=True)
        found[part] = _accelerations(influence, noise)
    return found


def of_units(units: Units) -> Floats:
    r"""Return the accelerations (n,) of an additive function.

    As :func:`of_left_out`, with the influence :math:`l_u = v_u - f s_u` of a unit of value v and
    size s, less its mean in the stratum. Where all units are of one size, the two are the same.
    Only some candidates are in memory at a time.
    """
    found = np.empty(units.n)
    for part in _parts(units.u, units.n):
        values = units.values[part].T
        merits = units.merits[part]
        noise = np.abs(values).max(axis=0) + np.abs(merits) * units.sizes.max()
        influence = values - units.sizes[:, None] * merits
        _centre(influence, units.strata)
        found[part] = _accelerations(influence, units.tolerance * noise)
    return found


def _parts(number: int, n: int) -> list[slice]:
    """Return slices of so few candidates that ``number`` values of each stay affordable."""
    step = max(1, WORKING_SET // max(number, 1))
    return [slice(start, start + step) for start in range(0, n, step)]


def _centre(influence: Floats, strata: Integers | None, *, shrink: bool = False) -> None:
    """Take the means of the strata off (U, n), in place."""
    if strata is None:
        influence -= influence.mean(axis=0)
        return
    for h in np.unique(strata):
        inside = np.flatnonzero(strata == h)
        centred = influence[inside] - influence[inside].mean(axis=0)
        influence[inside] = centred * ((len(inside) - 1) / len(inside) if shrink else 1.0)


def _accelerations(influence: Floats, noise: Floats) -> Floats:
    """Return the accelerations; what is only rounding is no influence."""
    influence[np.abs(influence) <= noise] = 0.0
    size = np.abs(influence).max(axis=0)
    influence /= np.where(size > 0, size, 1.0)
    spread = np.square(influence).sum(axis=0) ** 1.5
    cubes = (np.square(influence) * influence).sum(axis=0)
    return np.asarray(cubes / np.where(spread > 0, 6 * spread, 1.0))

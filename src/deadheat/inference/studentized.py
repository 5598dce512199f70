"""Differences of pairs in many replicates, each with the standard error of its own replicate."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from deadheat.inference.units import Units, parts
from deadheat.ranking.blocks import WORKING_SET
from deadheat.resampling.plan import Plan, rows_of, tiles
from deadheat.typing import Floats, Integers

AT_ONCE = 250  # replicates


@dataclass(frozen=True, eq=False, kw_only=True)
class Worlds:
    r"""Hold what a difference and its error need, for some replicates of the units.

    With weights w of units, the difference of a pair less the observed one is
    :math:`\delta = \sum_c w_c D_c / S^*`, where D are the differences of residuals and
    :math:`S^* = \sum_c w_c s_c`. Its error is that of :meth:`Units.errors` in a world in which unit
    c is there :math:`w_c` times, so :math:`n_h` is the sum of the weights in stratum h. Multiplied
    out, only the sum of squares has to be computed pair by pair:

    .. math:: se^{*2} = \sum_c \frac{w_c f_h}{S^{*2}} D_c^2 + a \delta^2 - 2 \delta b
              - \sum_h y_h^2, \quad f_h = \frac{n_h}{n_h - 1}

    Attributes
    ----------
    shifts, own, cross, within
        The parts that are differences of two candidates: for :math:`\delta` (n, B), a (B,), b
        (n, B) and y (strata, n, B). Units of one size need no b, one stratum needs no y.
    weights
        :math:`w_c f_h S^2 / S^{*2}`, (B, u), float32.
    """

    shifts: Floats
    own: Floats
    cross: Floats | None
    within: Floats | None
    weights: Floats

    @property
    def size(self) -> int:
        """The number of replicates."""
        return len(self.weights)


def worlds(
    units: Units, plan: Plan, k: int, *, n: int | None = None
) -> Iterator[tuple[Worlds, int, int]]:
    """Yield the replicates of block k of a plan for n candidates, some at a time.

    Beside them stands how many of them were asked for: the first ones; and how many more were in
    which no unit was drawn.
    """
    n = units.n if n is None else n
    numbers = units.n * (2 + (1 if units.strata is None else int(units.strata.max()) + 1))
    step = max(1, min(AT_ONCE, WORKING_SET // max(numbers, units.u)))
    drawn = units.multiplicities(plan.whole_block(k, n, units.m).judges)
    for rows, asked in tiles(len(rows_of(plan, k, n, units.m)), step):
        w = drawn[rows].astype(np.float64)
        there = w @ units.sizes > 0
        number = int(there[:asked].sum())
        yield worlds_of(units, w[there]), number, asked - number


def worlds_of(units: Units, w: Floats) -> Worlds:
    """Return what weights of units (B, u) make; every replicate must have units of some size."""
    total = w @ units.sizes
    one_hot = np.eye(int(units.stratum.max()) + 1)[units.stratum]
    number = w @ one_hot  # (B, strata)
    more = number > 1 + 1e-9
    factor = np.where(more, number / np.where(more, number - 1, 1), 0.0)
    share = np.divide(factor, number, out=np.zeros_like(number), where=number > 0)
    weights = w * _of_units(factor * np.square(units.total / total)[:, None], units)
    own, cross, within = np.zeros(len(w)), None, None
    if (units.sizes != units.sizes[0]).any():
        mean_size = (w * units.sizes) @ one_hot / np.where(number > 0, number, 1)
        beyond = (units.sizes - _of_units(mean_size, units)) / units.total
        own = (weights * np.square(beyond)).sum(axis=1)
        cross = units.residuals @ (weights * beyond).T / units.total
    if units.strata is None:
        own = own - share[:, 0]  # one stratum: y = delta * sqrt(f / n)
    else:
        within = _within(units, w, one_hot) * (np.sqrt(share) / total[:, None]).T[:, None, :]
    return Worlds(
        shifts=(units.residuals @ w.T) / total,
        own=own,
        cross=cross,
        within=within,
        weights=weights.astype(np.float32),
    )


def _of_units(per_stratum: Floats, units: Units) -> Floats:
    """Return what the stratum of each unit has, (B, strata) -> (B, u) or (B, 1)."""
    return per_stratum if units.strata is None else per_stratum[:, units.stratum]


def _within(units: Units, w: Floats, one_hot: Floats) -> Floats:
    """Return the sums of weighted residuals inside each stratum, (strata, n, B)."""
    found = np.empty((one_hot.shape[1], units.n, len(w)))
    for h in range(len(found)):
        inside = units.stratum == h
        found[h] = units.residuals[:, inside] @ w[:, inside].T
    return found


def statistics(
    units: Units, some: Worlds, i: Integers, j: Integers, scale: Floats
) -> tuple[Floats, Floats]:
    """Return the shift of each difference times its scale, and the square of its scaled error.

    With one over the observed error as scale, both are numbers around 1, whatever the scores are:
    so float32 is enough for them. Both are (pairs, B).
    """
    each = scale[:, None]
    shift = some.shifts[i]
    shift -= some.shifts[j]
    shift *= each
    found = shift.astype(np.float32)
    variance = _squares(units, i, j, each / units.total) @ some.weights.T
    variance += np.square(found) * some.own.astype(np.float32)
    if some.cross is not None:
        variance -= (2 * each * (some.cross[i] - some.cross[j]) * shift).astype(np.float32)
    for part in () if some.within is None else some.within:
        variance -= np.square(each * (part[i] - part[j])).astype(np.float32)
    return found, variance


def _squares(units: Units, i: Integers, j: Integers, scale: Floats) -> Floats:
    """Return the squared differences of residuals, scaled, (pairs, u)."""
    found = np.empty((len(i), units.u), dtype=np.float32)
    for p in parts(len(i), units.u):
        difference = units.residuals[i[p]]
        difference -= units.residuals[j[p]]
        np.multiply(difference, scale[p], out=found[p], casting="same_kind")
    return np.square(found, out=found)

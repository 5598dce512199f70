"""Units: what is resampled independently, and the standard errors that follow from it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from deadheat.core.errors import DataError, counted
from deadheat.core.types import Floats, Integers
from deadheat.ranking.block import WORKING_SET
from deadheat.ranking.ranks import RELATIVE_TOLERANCE

AT_ONCE = WORKING_SET // 16  # numbers in one part of a pair array: what stays in the cache

FEWEST_JUDGES = 10  # below, tests of all pairs err more often than they say
FEW_JUDGES = 20  # below, tests err more often than they say


@dataclass(frozen=True, eq=False, kw_only=True)
class Units:
    r"""Hold what each unit, a cluster or else a judge, adds to the merits of an additive function.

    Unit c has the value :math:`v_{ic} = \sum_{k \in c} w_k q_{ik}` and the size :math:`s_c =
    \sum_{k \in c} w_k`; the merit is :math:`\sum_c v_{ic} / \sum_c s_c`. Weight 0 is absence.
    """

    values: Floats  # (n, u)
    sizes: Floats  # (u,)
    strata: Integers | None  # of each unit, (u,), codes from 0; None where there is one for all
    judges: Integers  # that are present, unit by unit
    starts: Integers  # of each unit among them
    m: int  # the number of judges of the table
    tolerance: float  # what is this much smaller than the values is rounding

    @property
    def n(self) -> int:
        return int(self.values.shape[0])

    @property
    def u(self) -> int:
        return int(self.values.shape[1])

    @cached_property
    def total(self) -> float:
        return float(self.sizes.sum())

    @cached_property
    def merits(self) -> Floats:
        return np.asarray(self.values.sum(axis=1) / self.total)

    @property
    def means(self) -> Floats:
        """The mean contribution inside each unit, (n, u): one score per unit for other tests."""
        return self.values / self.sizes

    @cached_property
    def residuals(self) -> Floats:
        """What the units add beyond the merits, (n, u); every row sums to 0."""
        return self.values - self.merits[:, None] * self.sizes

    @cached_property
    def stratum(self) -> Integers:
        """The stratum of each unit, (u,), also where there is one for all."""
        return np.zeros(self.u, dtype=np.int64) if self.strata is None else self.strata

    @cached_property
    def freedom(self) -> int:
        """The units less the strata that have some: 0 leaves nothing to learn a variance from."""
        return self.u - len(np.unique(self.stratum))

    def multiplicities(self, judge_weights: Floats) -> Floats:
        """Turn judge weights (B, m) into those of units (B, u): the means of their judges."""
        if self.u == self.m and (self.judges == np.arange(self.m)).all():
            return judge_weights
        chosen = judge_weights[:, self.judges]
        if self.u == len(self.judges):
            return chosen
        counts = np.diff(np.append(self.starts, len(self.judges)))
        return np.asarray(np.add.reduceat(chosen, self.starts, axis=1, dtype=np.float64) / counts)

    def differences(self, i: Integers, j: Integers) -> Floats:
        """Return the differences of merits of pairs (i, j); what is only rounding is 0."""
        found = self.merits[i] - self.merits[j]
        noise = self.tolerance * np.abs(self.values).sum(axis=1) / self.total
        return np.where(np.abs(found) <= noise[i] + noise[j], 0.0, found)

    def errors(self, i: Integers, j: Integers) -> Floats:
        r"""Return the standard errors of the differences of pairs; what is only rounding is 0.

        A merit is a ratio of two sums, so it is linearised (Cochran 1977, "Sampling Techniques",
        3rd ed., sec. 6.4 and 6.13). With :math:`e_c = (d_c - \bar d s_c) / S` over strata h,

        .. math:: se^2 = \sum_h \frac{n_h}{n_h - 1} \sum_{c \in h} (e_c - \bar e_h)^2
        """
        return self.lengths(self.centred, self.total, i, j)

    def lengths(self, rows: Floats, total: float, i: Integers, j: Integers) -> Floats:
        """Return the lengths of differences of rows (n, u); what is only rounding is 0."""
        squares = [np.square(rows[i[p]] - rows[j[p]]).sum(axis=1) for p in parts(len(i), self.u)]
        found = np.sqrt(np.concatenate(squares or [np.zeros(0)]))
        noise = self.tolerance * np.sqrt(np.square(self.values).sum(axis=1)) / total
        return np.where(found <= noise[i] + noise[j], 0.0, found)

    @cached_property
    def centred(self) -> Floats:
        """The residuals about the means of their strata, scaled so that se^2 is a distance."""
        centred = self.residuals / self.total
        for h in np.unique(self.stratum):
            share = centred[:, inside := self.stratum == h]
            share = share - share.mean(axis=1, keepdims=True)
            number = np.float64(share.shape[1])
            centred[:, inside] = share * np.sqrt(number / max(number - 1, 1))
        return centred


def units(
    contributions: Floats,
    *,
    weights: Floats | None = None,
    clusters: Integers | None = None,
    strata: Integers | None = None,
) -> Units:
    """Return the units of contributions (n, m); clusters and strata of judges are codes."""
    m = contributions.shape[1]
    weight = np.ones(m) if weights is None else np.asarray(weights, dtype=np.float64)
    cluster = np.arange(m) if clusters is None else np.asarray(clusters)
    present = np.flatnonzero(weight > 0)
    judges = present[np.argsort(cluster[present], kind="stable")]
    first = np.append(True, cluster[judges][1:] != cluster[judges][:-1])
    starts = np.flatnonzero(first)
    values = contributions[:, judges].astype(np.float64)
    values *= weight[judges]
    if strata is not None:
        strata = np.unique(np.asarray(strata)[judges][first], return_inverse=True)[1]
    found = Units(
        values=values if len(starts) == len(judges) else np.add.reduceat(values, starts, axis=1),
        sizes=np.add.reduceat(weight[judges], starts),
        strata=strata,
        judges=judges,
        starts=starts,
        m=m,
        tolerance=RELATIVE_TOLERANCE.get(contributions.dtype, 1e-12),
    )
    if found.freedom > 0:
        return found
    number = counted(found.u, "cluster" if len(judges) > found.u else "judge")
    where = "" if found.u == 1 else ", each in a stratum of its own"
    raise DataError(
        f"{number}{where}: nothing shows how far the differences would vary.",
        hint="at least 2 are needed in some stratum, and 20 for a claim; merge or drop the strata.",
    )


def every_pair(n: int) -> tuple[Integers, Integers]:
    i, j = np.triu_indices(n, 1)  # all pairs i < j
    return i, j


def parts(number: int, size: int, *, least: int = 1) -> Iterator[slice]:
    """Yield slices of so few pairs (``least``, if memory allows) that ``size`` numbers each fit."""
    size = max(size, 1)
    step = max(1, AT_ONCE // size, min(least, WORKING_SET // size))
    return (slice(start, min(start + step, number)) for start in range(0, number, step))


# How skewed the differences of candidates are, which few judges cannot average away.

SKEWED = 0.15  # normal scores of 20 judges or more have less in 9 of 10 tables


def pair_skewness(units: Units, values: Floats) -> Iterator[tuple[Integers, Integers, Floats]]:
    """Yield some pairs after the other with the skewness of their differences of values (n, u)."""
    i, j = every_pair(units.n)
    for p in parts(len(i), units.u):
        varies = units.errors(i[p], j[p]) > 0
        first, second = i[p][varies], j[p][varies]
        differences = values[first] - values[second]
        differences -= differences.mean(axis=1, keepdims=True)
        squares = np.square(differences)
        third = (squares * differences).mean(axis=1)
        yield first, second, third / squares.mean(axis=1) ** 1.5


def largest_skewness(units: Units) -> float:
    """Return the largest mean skewness of one candidate's differences, over the root of u.

    The mean over the rivals, since among many pairs the largest skewness is large by chance.
    """
    sums = np.zeros(units.n)
    for i, j, skewness in pair_skewness(units, units.centred):
        np.add.at(sums, i, skewness)
        np.subtract.at(sums, j, skewness)
    return float(np.abs(sums).max() / max(units.n - 1, 1) / np.sqrt(units.u))

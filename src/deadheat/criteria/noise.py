"""Which functions cannot be told apart by a criterion: paired differences and their margin."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from deadheat.criteria.measuring import TableValues, moments
from deadheat.ranking.ranks import best_of
from deadheat.typing import Booleans, Floats

ALPHA = 0.05
ROUNDING = 1e-12


@dataclass(frozen=True, eq=False, kw_only=True)
class Lead:
    """Hold by how much the best function leads, by function, and how much of that is noise.

    ``differences`` and ``margins`` are (F,), 0 for the best itself. Two functions are ``level``
    where they differ by no more than the margin.
    """

    best: int
    differences: Floats
    margins: Floats

    @property
    def level(self) -> Booleans:
        """Who cannot be told from the best, itself included; nobody without a value."""
        with np.errstate(invalid="ignore"):
            return np.asarray(self.differences <= self.margins)


def lead(tables: Sequence[TableValues], name: str, rivals: int) -> Lead | None:
    """Return how far the best function leads by a criterion, or None where nobody has a value.

    All functions see the same trials, so differences are taken trial by trial. The margin is that
    of simultaneous 95 % intervals for all pairs of functions (Bonferroni), because the best is
    chosen by the same values: over the trials for one table, over the tables for several.
    """
    values = [table.values[name] for table in tables]
    overall = averaged(np.stack([moments(part)[0] for part in values]))[0][:rivals]
    if np.isnan(overall).all():
        return None
    best = best_of(overall)
    paired = [moments(part[best] - part) for part in values]
    number = [int((~np.isnan(part[best])).sum()) for part in values]
    differences, errors, degrees = _pooled(paired, number)
    comparisons = max(rivals * (rivals - 1) // 2, 1)
    quantile = _quantile(1 - ALPHA / 2 / comparisons, degrees)
    margins = np.where(np.isnan(errors), np.inf, quantile * errors) + ROUNDING
    margins[best] = 0.0
    return Lead(best=best, differences=differences, margins=margins)


def above_baseline(table: TableValues, name: str) -> Booleans:
    """Return which functions exceed the baseline by a criterion on one table, beyond the noise.

    The baseline is the last row; all functions are compared with it at once (Bonferroni).
    """
    values = table.values[name]
    differences, errors = moments(values[:-1] - values[-1])
    number = int((~np.isnan(values[-1])).sum())
    quantile = _quantile(1 - ALPHA / 2 / max(len(differences), 1), max(number - 1, 1))
    margins = np.where(np.isnan(errors), np.inf, quantile * errors) + ROUNDING
    with np.errstate(invalid="ignore"):
        return np.asarray(differences > margins)


def averaged(means: Floats) -> tuple[Floats, Floats]:
    """Return the mean over tables (T, F) -> (F,) and its standard error over them."""
    return moments(np.ascontiguousarray(means.T))


def _pooled(paired: list[tuple[Floats, Floats]], number: list[int]) -> tuple[Floats, Floats, int]:
    """Return mean differences, their standard errors and the degrees of freedom of these."""
    means = np.stack([mean for mean, _ in paired])
    if len(paired) == 1:
        return means[0], paired[0][1], max(number[0] - 1, 1)
    differences, errors = averaged(means)
    used = int((~np.isnan(means)).any(axis=1).sum())
    return differences, errors, max(used - 1, 1)


def _quantile(p: float, degrees: int) -> float:
    from scipy.special import stdtrit

    return float(stdtrit(degrees, p))

"""What a picture shows of a criterion: means and the ends of their error bars."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from deadheat.criteria.result import Criteria
from deadheat.typing import Floats

ERRORS = 2.0  # standard errors on each side


@dataclass(frozen=True, eq=False, kw_only=True)
class Span:
    """Hold the mean of a criterion by function, its standard error, and the ends of error bars.

    All are (F + 1,), the random dictator last, and NaN where a mean is undefined. Where only the
    error is (one trial, one table), both ends are the mean.
    """

    mean: Floats
    error: Floats
    low: Floats
    high: Floats


def span_of(found: Criteria, name: str) -> Span:
    """Return the error bars of a criterion: two standard errors on each side of the mean.

    The error is that over the tables where there are several, else that of chance in the trials.
    """
    mean, within, between = found.values(name)
    error = between if found.several else within
    reach = ERRORS * np.where(np.isnan(error), 0.0, error)
    return Span(mean=mean, error=error, low=np.asarray(mean - reach), high=np.asarray(mean + reach))


def table_means(found: Criteria, name: str) -> Floats:
    """Return, by table, the mean of a criterion over all functions that have it, (T,).

    The random dictator is none of them; NaN where no function has the criterion on that table.
    """
    values = np.stack([table.means(name)[:-1] for table in found.measured])
    there = ~np.isnan(values)
    counts = there.sum(axis=1)
    sums = np.where(there, values, 0.0).sum(axis=1)
    return np.where(counts > 0, sums / np.maximum(counts, 1), np.nan)

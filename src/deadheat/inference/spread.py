"""What the replicates say about each candidate: places, shares ranked first, ranges of ranks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from deadheat.errors import DataError
from deadheat.ranking.blocks import WORKING_SET
from deadheat.ranking.ranks import ranks
from deadheat.typing import Floats, Integers


@dataclass(frozen=True, eq=False, kw_only=True)
class Spread:
    """Hold the summary of replicates, one number per candidate except for ``places``.

    Attributes
    ----------
    places
        Twice the rank of each candidate in each replicate, (B, n): whole numbers, since tied
        candidates share the mean of their ranks.
    first
        The share of replicates in which a candidate is first; a shared first place counts for
        all who share it, so shares may add up to more than 1.
    medians, standing
        The median merit, and the rank by it.
    rank_low, rank_high
        The alpha/2 and 1 - alpha/2 quantiles of the ranks: a resampling range. It says where
        resampling puts a candidate and is no confidence interval of its rank: it holds one true
        rank less often than 1 - alpha, and all at once far less often
        (:data:`~deadheat.inference.measured.RANGE_HOLDS_ONE_RANK`).
    iqr
        The inter-quartile range of the ranks.
    """

    places: Integers
    first: Floats
    medians: Floats
    standing: Floats
    rank_low: Floats
    rank_high: Floats
    iqr: Floats


def spread(merits: Floats, *, alpha: float, unit: Floats | float) -> Spread:
    """Return what replicates (B, n) say; ``unit`` tells the ties, as in :func:`ranks`."""
    places = twice_the_ranks(merits, unit)
    columns = np.asfortranarray(places)
    levels = np.array([alpha / 2, 0.25, 0.75, 1 - alpha / 2])
    quantiles = np.stack([np.quantile(column, levels) for column in columns.T], axis=1) / 2
    best = columns.min(axis=1)  # nobody beats it: the first place, shared or not
    medians = np.array([np.median(column) for column in merits.T], dtype=merits.dtype)
    return Spread(
        places=columns,
        first=np.array([np.mean(column == best) for column in columns.T]),
        medians=medians.astype(np.float64),
        standing=ranks(medians, unit=unit),
        rank_low=quantiles[0],
        rank_high=quantiles[3],
        iqr=quantiles[2] - quantiles[1],
    )


def whole(merits: Floats) -> tuple[Floats, int]:
    """Return the replicates in which everybody has a merit, and how many were left out.

    Somebody has none where all judges that scored it were not drawn.
    """
    undefined = np.isnan(merits).any(axis=1)
    number = int(undefined.sum())
    if not number:
        return merits, 0
    if number == len(merits):
        raise DataError(
            "in every resample some candidate has no judge that scored it.",
            hint="leave such candidates out, or fill their scores, e.g. --missing worst.",
        )
    return merits[~undefined], number


def twice_the_ranks(merits: Floats, unit: Floats | float) -> Integers:
    """Return twice the mean ranks (B, n), some replicates at a time: sorting takes much memory."""
    replicates, n = merits.shape
    found = np.empty((replicates, n), dtype=np.min_scalar_type(2 * n))
    step = max(1, WORKING_SET // 4 // n)
    for start in range(0, replicates, step):
        part = slice(start, start + step)
        found[part] = 2 * ranks(merits[part], unit=unit)
    return found

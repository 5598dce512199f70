"""What all-pairs tests give, and the step-down that turns counts into adjusted p-values."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from deadheat.inference.corrections import ROUNDING
from deadheat.inference.units import every_pair
from deadheat.typing import Booleans, Floats, Integers


@dataclass(frozen=True, eq=False, kw_only=True)
class PairTests:
    """Hold the tests of all pairs of n candidates, with family-wise control.

    Attributes
    ----------
    p
        Adjusted two-sided p-values, (n, n), symmetric, 1 on the diagonal.
    better
        ``better[i, j]``: i is shown to be better than j at level alpha.
    differences, errors
        What was tested, merit i less merit j (n, n), and its standard error.
    flagged
        Pairs i < j whose difference is not 0 and never varies. They are told apart without a test.
    critical
        ``differences +- critical * errors`` hold simultaneously; NaN where there is no such number.
    method, alpha, replicates
        How it was made; 0 replicates where nothing was resampled.
    best_p
        The p-value of "this candidate is one of the best", (n,), where the test has one.
    """

    p: Floats
    better: Booleans
    differences: Floats
    errors: Floats
    flagged: tuple[tuple[int, int], ...]
    critical: float
    method: str
    alpha: float
    replicates: int
    best_p: Floats | None = None


def pair_tests(
    n: int,
    p: Floats,
    *,
    differences: Floats,
    errors: Floats,
    critical: float,
    method: str,
    alpha: float,
    replicates: int = 0,
    best_p: Floats | None = None,
) -> PairTests:
    """Return the tests of all pairs from arrays over :func:`every_pair`."""
    i, j = every_pair(n)
    constant = (errors == 0) & (differences != 0)
    whole = _square(n, differences, sign=-1)
    p_values = _square(n, p, sign=1, diagonal=1.0)
    return PairTests(
        p=p_values,
        better=(p_values <= alpha * (1 + ROUNDING)) & (whole > 0),
        differences=whole,
        errors=_square(n, errors, sign=1),
        flagged=tuple(zip(i[constant].tolist(), j[constant].tolist(), strict=True)),
        critical=critical,
        method=method,
        alpha=alpha,
        replicates=replicates,
        best_p=best_p,
    )


def ratios(differences: Floats, errors: Floats) -> Floats:
    """Return differences over errors: 0 where both are 0, infinite where only the error is."""
    with np.errstate(divide="ignore", invalid="ignore"):
        found = differences / errors
    return np.where(differences == 0, 0.0, found)


def inverted(errors: Floats) -> Floats:
    """Return 1 / error, and 0 where it is 0: what never varies has no say in a maximum."""
    return np.divide(1.0, errors, out=np.zeros_like(errors), where=errors > 0)


def reached(statistics: Iterable[Floats], observed: Floats, size: int) -> tuple[Integers, Floats]:
    """Count, per hypothesis, the replicates whose maximum over those still in reaches it.

    When a hypothesis is tested, those with a smaller observed statistic are still in. So a running
    maximum in ascending order is all that a block needs, and only some pairs are ever in memory.

    Parameters
    ----------
    statistics
        Arrays (some hypotheses, B) in ascending order of the observed; they are overwritten.
    observed
        The observed statistics, ascending.
    size
        The number of replicates B.

    Returns
    -------
    tuple
        The counts, and the maximum over all hypotheses of each replicate, (B,).
    """
    largest = np.zeros(size)
    counts = np.zeros(len(observed), dtype=np.int64)
    done = 0
    for part in statistics:
        np.maximum(part[0], largest, out=part[0])
        for row in range(1, len(part)):  # row by row is along memory
            np.maximum(part[row], part[row - 1], out=part[row])
        here = slice(done, done + len(part))
        counts[here] = np.count_nonzero(part >= observed[here, None], axis=1)
        largest = part[-1].astype(np.float64)
        done += len(part)
    return counts, largest


def stepped_down(counts: Integers, replicates: int, *, exact: bool = False) -> Floats:
    """Return adjusted p-values from counts in ascending order of the observed statistics.

    They are (count + 1) / (replicates + 1), or the shares where every replicate there is was seen;
    made monotone, since nothing is rejected after the first that is not.
    """
    p = counts / replicates if exact else (counts + 1) / (replicates + 1)
    return np.asarray(np.maximum.accumulate(p[::-1])[::-1])


def critical_value(largest: Floats, alpha: float, *, exact: bool = False) -> float:
    """Return the value that a statistic must exceed so that its single-step p is at most alpha.

    >>> critical_value(np.arange(1.0, 100), 0.05)  # 5 of 100 with the observed one
    95.0
    """
    k = len(largest)
    seen = k if exact else k + 1
    allowed = int(alpha * seen * (1 + ROUNDING)) - (seen - k)
    if allowed < 0:
        return float("inf")
    return float(np.sort(largest)[k - 1 - allowed]) if allowed < k else 0.0


def _square(n: int, values: Floats, *, sign: int, diagonal: float = 0.0) -> Floats:
    i, j = every_pair(n)
    found = np.full((n, n), diagonal)
    found[i, j] = values
    found[j, i] = sign * values
    return found

"""How far the nominal coverage of an interval can be believed, and which one is better."""

from __future__ import annotations

import numpy as np

from deadheat.errors import UnknownNameError, counted
from deadheat.inference.intervals import KINDS, zero_of
from deadheat.inference.measured import (
    COVERS_ON_20,
    COVERS_SHARES_ON_20,
    SIMULTANEOUS_FIXED_ON_20,
    per_cent,
)
from deadheat.typing import Floats

FEW = 20
FEW_IF_SKEWED = 50
FEW_OF_A_KIND = 10  # successes or failures
CLEARLY_SKEWED = 1.0


def interval_warning(
    kind: str, *, scores: Floats, additive: bool, effective: float | None = None
) -> str | None:
    """Say which interval is better than this one on these scores, and why; None if none is.

    Parameters
    ----------
    scores
        (n, m). For an additive ranking function what each judge adds to the merit, so that the
        merit is their mean; for any other the scores of the table. NaN where missing.
    additive
        Whether the merit is a mean over judges.
    effective
        How many judges the merits are worth, where that is fewer than m: weights, clusters.

    Notes
    -----
    The rules: scores of 0 and 1 with fewer than 10 successes or failures need Wilson's interval
    (:data:`~deadheat.inference.measured.COVERS_SHARES_ON_20`). With
    fewer than 20 judges, or fewer than 50 and skewed scores, take bootstrap-t where the function
    is additive and the expanded percentile where it is not. Scores count as skewed where
    the skewness of some candidate's exceeds 1 and three times its standard error.

    Bands for all candidates at once are exact for shares; no other kind holds all of them at once.
    """
    if kind not in COVERS_ON_20 and kind != "wilson":
        raise UnknownNameError("interval", str(kind), KINDS)
    m = float(scores.shape[1]) if effective is None else effective
    if m < 2:
        return f"there is no interval from {counted(round(m), 'judge')}."
    if kind == "wilson":
        return None
    zero = zero_of(scores) if additive else None
    if kind == "simultaneous":
        return None if zero is not None else _of_bands(scores, m, additive=additive)
    if zero is not None:
        return _of_shares(kind, scores, zero, m)
    better = "bootstrap-t" if additive else "expanded-percentile"
    if kind in (better, "bootstrap-t"):
        return None
    if m < FEW and kind != "expanded-percentile":
        return (
            f"{m:.3g} judges are few: with 20 of them, {kind} intervals of nominal 95 % cover "
            f"{per_cent(COVERS_ON_20[kind])}; --interval {better} covers "
            f"{per_cent(COVERS_ON_20[better])}."
        )
    if m >= FEW_IF_SKEWED:
        return None
    skewness = _skewed(scores, m)
    if not skewness:
        return None
    return (
        f"the scores are skewed (skewness up to {skewness:.1f}) and {m:.3g} judges are few for "
        f"that: with 20 of them, {kind} intervals of nominal 95 % cover as little as "
        f"{COVERS_ON_20[kind][0]} %; --interval {better} covers at least "
        f"{COVERS_ON_20[better][0]} %."
    )


def _of_bands(scores: Floats, m: float, *, additive: bool) -> str | None:
    skewed = m < (FEW if additive else FEW_IF_SKEWED) and _skewed(scores, m) > 0
    if not skewed and (additive or m >= FEW):
        return None
    covers = per_cent(COVERS_ON_20["simultaneous"] if additive else SIMULTANEOUS_FIXED_ON_20)
    return (
        f"{'the scores are skewed and ' if skewed else ''}{m:.3g} judges are few: with 20 of them, "
        f"simultaneous intervals of nominal 95 % cover {covers}."
    )


def _of_shares(kind: str, scores: Floats, zero: float, m: float) -> str | None:
    shares = np.array([np.nanmean(row) - zero for row in scores])  # row by row: large tables
    fewest = m * np.minimum(shares, 1 - shares)
    hit = int((fewest < FEW_OF_A_KIND - 1e-9).sum())  # 100 * (1 - 0.9) is below 10
    if not hit:
        return None
    return (
        f"{hit} of {counted(len(scores), 'candidate')} with fewer than {FEW_OF_A_KIND} successes "
        f"or failures (the fewest: {fewest.min():.3g} of {m:.3g}): with 20 judges and a share of "
        f"95 %, {kind} intervals of nominal 95 % cover {COVERS_SHARES_ON_20} %; take "
        "--interval wilson."
    )


def _skewed(scores: Floats, m: float) -> float:
    """Return the largest skewness of a candidate's scores, or 0 where it may be chance."""
    skewness = _largest_skewness(scores)
    return skewness if skewness > max(CLEARLY_SKEWED, 3 * np.sqrt(6 / m)) else 0.0


def _largest_skewness(scores: Floats) -> float:
    """Return the largest absolute skewness of a candidate's scores; 0 where all are equal."""
    away = scores - np.nanmean(scores, axis=1, keepdims=True)
    spread = np.sqrt(np.nanmean(away**2, axis=1))
    flat = spread <= 1e-12 * np.nanmax(np.abs(scores), axis=1)
    cubes = np.nanmean(away**3, axis=1) / np.where(flat, 1.0, spread) ** 3
    return float(np.abs(np.where(flat, 0.0, cubes)).max(initial=0.0))

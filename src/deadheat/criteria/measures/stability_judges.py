"""How little a ranking depends on which judges there are."""

from __future__ import annotations

from math import comb

import numpy as np

from deadheat.core.types import Integers
from deadheat.criteria.criterion import Measured, criterion
from deadheat.criteria.trials import Resamples, placed
from deadheat.statistics.concordance import tau_b_means


@criterion("stability_judges", heading="judges redrawn", over="judges")
def stability_judges(resamples: Resamples) -> Measured:
    r"""Tell how alike the rankings are when the judges are drawn again.

    .. math:: \frac{2}{q(q-1)} \sum_{s<t} \sigma(r_s, r_t)
        = \frac{\lVert \sum_t z_t \rVert^2 - q}{q(q-1)}

    with z the centred rankings of length 1 (for tau-b: the signs of all pairs). So the mean over
    all pairs takes as long as one sum.

    Differs from [1]_, which divides by m (m - 1) instead of q (q - 1), and whose figures are
    Kendall's W, tie-corrected: ``stability="kendall_w"``. W is never negative and is 1/q under
    noise; it exceeds the mean correlation by (1 - W)/(q - 1). Rankings in which all are tied
    agree with nothing; their pairs are skipped and counted.

    .. [1] Pavao, Vaccaro, Guyon (2021), "Judging competitions and benchmarks", ESANN, sec. 2.3.
    """
    if resamples.stability == "kendall_w":
        values = [concordance(groups) for groups in resamples.groups]
        return Measured(np.array(values)[:, None])
    values, skipped = [], 0
    for groups in resamples.groups:
        useful = groups[groups.max(axis=1) > 1]
        values.append(_mean(useful, resamples.task.correlation) if len(useful) > 1 else np.nan)
        skipped += comb(len(groups), 2) - comb(len(useful), 2)
    lacking = {"pairs of rankings without a correlation": np.array([skipped])}
    return Measured(np.array(values)[:, None], lacking)


def concordance(groups: Integers) -> float:
    """Return Kendall's W of rankings of the same candidates, corrected for ties; NaN if all tie."""
    doubled = placed(groups, np.ones(groups.shape))  # twice the centred ranks
    within = float((doubled * doubled).sum())
    between = doubled.sum(axis=0)
    return float(between @ between) / (len(groups) * within) if within else np.nan


def _mean(groups: Integers, correlation: str) -> float:
    if correlation == "kendall":
        return tau_b_means(groups.astype(np.float64), np.ones(len(groups)))[0]
    centred = placed(groups, np.ones(groups.shape))
    total = (centred / np.linalg.norm(centred, axis=1, keepdims=True)).sum(axis=0)
    q = len(groups)
    return (float(total @ total) - q) / (q * (q - 1))

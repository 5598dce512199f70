"""Mean of the scores."""

from __future__ import annotations

import numpy as np

from deadheat.core.types import Floats
from deadheat.ranking.function import as_total, ranks_scores


@ranks_scores(
    "mean",
    scale="interval",
    shared_scale=True,
    additive=True,
    alone=np.asarray,
    available=True,
    satisfies={
        "consistency",
        "participation",
        "iia",
        "liia",
        "clones",
        "monotonicity",
        "unanimity",
        "reversal",
    },
    violates={"majority", "condorcet"},
    shown=as_total,
    heading="mean",
)
def mean(scores: Floats, judge_weights: Floats, candidate_weights: Floats) -> Floats:
    r"""Rank by the mean score over the judges.

    .. math:: f_i = \frac{1}{W} \sum_k w_k y_{ik}

    Notes
    -----
    With missing scores left missing, each candidate is averaged over its own judges.

    References
    ----------
    .. [1] Pavao, Vaccaro, Guyon (2021), "Judging competitions and benchmarks", ESANN, sec. 2.1.

    Examples
    --------
    >>> mean([[0.9, 0.5], [0.6, 0.7]])
    array([[0.7 , 0.65]])
    """
    weights = np.asarray(judge_weights, dtype=scores.dtype)
    known = ~np.isnan(scores)
    if known.all():
        return np.asarray(weights @ scores.T / weights.sum(axis=1, keepdims=True))
    with np.errstate(invalid="ignore"):  # a candidate without a judge has no mean
        return (weights @ np.where(known, scores, 0).T) / (weights @ known.T.astype(scores.dtype))

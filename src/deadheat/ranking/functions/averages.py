"""Averages of the scores: mean, geometric mean, median, trimmed mean."""

from __future__ import annotations

from typing import Any

import numpy as np

from deadheat.core.types import Floats
from deadheat.ranking.block import largest_kept, middle, trimmed_means
from deadheat.ranking.function import as_score, as_total, ranks_scores

ALONE = {"iia", "liia", "clones", "monotonicity", "unanimity", "reversal"}  # no rival counts
SUMS: dict[str, Any] = {  # what adds the judges up
    "satisfies": {"consistency", "participation"} | ALONE,
    "violates": {"majority", "condorcet"},
}
ROBUST: dict[str, Any] = {
    "scale": "interval",
    "shared_scale": True,
    "available": True,
    "shown": as_score,
    "satisfies": ALONE,
    "violates": {"majority", "condorcet", "consistency", "participation"},
}
CUT = 0.25  # of the weight, at each end of the trimmed mean


@ranks_scores(
    "mean",
    scale="interval",
    shared_scale=True,
    additive=True,
    alone=np.asarray,
    available=True,
    shown=as_total,
    heading="mean",
    **SUMS,
)
def mean(scores: Floats, judge_weights: Floats, candidate_weights: Floats) -> Floats:
    r"""Rank by the mean score over the judges.

    .. math:: f_i = \frac{1}{W} \sum_k w_k y_{ik}

    With missing scores left missing, each candidate is averaged over its own judges.

    .. [1] Pavao, Vaccaro, Guyon (2021), "Judging competitions and benchmarks", ESANN, sec. 2.1.

    >>> mean([[0.9, 0.5], [0.6, 0.7]])
    array([[0.7 , 0.65]])
    """
    weights = np.asarray(judge_weights, dtype=scores.dtype)
    known = ~np.isnan(scores)
    if known.all():
        return np.asarray(weights @ scores.T / weights.sum(axis=1, keepdims=True))
    with np.errstate(invalid="ignore"):  # a candidate without a judge has no mean
        return (weights @ np.where(known, scores, 0).T) / (weights @ known.T.astype(scores.dtype))


@ranks_scores(
    "geometric_mean",
    scale="ratio",
    available=True,
    needs="positive",
    shown=as_score,
    heading="geometric mean",
    **SUMS,
)
def geometric_mean(scores: Floats, judge_weights: Floats, candidate_weights: Floats) -> Floats:
    r"""Rank by the geometric mean of the scores, which must be above 0.

    .. math:: f_i = \exp \frac{1}{W} \sum_k w_k \log y_{ik}

    Where lower is better for every judge, the merit is minus the geometric mean of the costs.
    Where directions are mixed, costs divide. That is decided for the table, whatever the weights,
    so that all replicates are on one scale.

    .. [1] Fleming, Wallace (1986), "How not to lie with statistics: the correct way to summarize
           benchmark results", Communications of the ACM 29(3).

    >>> geometric_mean([[1, 4], [2, 2], [1, 9]])
    array([[2., 2., 3.]])
    >>> geometric_mean([[-1, -4], [-2, -8]])  # costs
    array([[-2., -4.]])
    """
    weights = np.asarray(judge_weights, dtype=np.float64)
    known = ~np.isnan(scores)
    sizes = np.log(np.where(known, np.abs(scores), 1.0).astype(np.float64))
    gains = np.where(scores > 0, sizes, -sizes)
    total = weights @ known.T.astype(np.float64)
    with np.errstate(invalid="ignore"):  # a candidate without a judge has no mean
        exponents = (weights @ gains.T) / total
    return np.exp(exponents) if (scores[known] > 0).any() else -np.exp(-exponents)


def of_middle(scores: Floats, judge_weights: Floats) -> Floats:
    """Measure the merits by the one or two scores in the middle, which may cancel."""
    lower, upper = middle(scores, judge_weights[None])
    return np.asarray(np.nan_to_num(np.maximum(np.abs(lower), np.abs(upper)))[0])


@ranks_scores("median", magnitude=of_middle, heading="median", **ROBUST)
def median(scores: Floats, judge_weights: Floats, candidate_weights: Floats) -> Floats:
    r"""Rank by the median score over the judges, the mean of the two middle ones if they are even.

    .. math:: f_i = \tfrac12 (y_{i(\ell)} + y_{i(u)}), \quad
        C_{(\ell)} \ge \tfrac{W}{2}, \; C_{(u)} > \tfrac{W}{2}

    with the scores of the candidate in increasing order and C their cumulative judge weight; l and
    u are the first places where it holds.

    .. [1] Pavao, Vaccaro, Guyon (2021), "Judging competitions and benchmarks", ESANN, sec. 2.1.

    >>> median([[0.1, 0.9, 0.5], [0.4, 0.4, 1.0]])
    array([[0.5, 0.4]])
    >>> median([[0.1, 0.9, 0.5]], judge_weights=[1, 1, 2])
    array([[0.5]])
    """
    lower, upper = middle(scores, judge_weights)
    return (lower + upper) / 2


@ranks_scores(
    "trimmed_mean",
    aliases=("iqm",),
    magnitude=lambda scores, weights: largest_kept(scores, weights[None], cut=CUT)[0],
    heading="trimmed mean",
    **ROBUST,
)
def trimmed_mean(scores: Floats, judge_weights: Floats, candidate_weights: Floats) -> Floats:
    r"""Rank by the mean of the middle half of the scores (IQM): a quarter is cut at each end.

    .. math:: f_i = \frac{2}{W} \sum_k w'_k y_{i(k)}

    with the scores in increasing order and w' the part of each judge's weight that lies between
    W/4 and 3W/4 of the cumulative weight. A quarter of the *weight* is cut, fractionally at the
    cut, so any number of judges will do.

    .. [1] Agarwal et al. (2021), "Deep reinforcement learning at the edge of the statistical
           precipice", NeurIPS, sec. 4.3.

    >>> trimmed_mean([[0, 1, 2, 100]])
    array([[1.5]])
    >>> trimmed_mean([[0, 3, 9]])  # a quarter of each outer judge is left
    array([[3.5]])
    """
    return trimmed_means(scores, judge_weights, cut=CUT)

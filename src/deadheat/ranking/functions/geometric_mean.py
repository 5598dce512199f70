"""Geometric mean of the scores."""

from __future__ import annotations

import numpy as np

from deadheat.core.types import Floats
from deadheat.ranking.function import as_score, ranks_scores


@ranks_scores(
    "geometric_mean",
    scale="ratio",
    available=True,
    needs="positive",
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
    shown=as_score,
    heading="geometric mean",
)
def geometric_mean(scores: Floats, judge_weights: Floats, candidate_weights: Floats) -> Floats:
    r"""Rank by the geometric mean of the scores, which must be above 0.

    .. math:: f_i = \exp \frac{1}{W} \sum_k w_k \log y_{ik}

    Notes
    -----
    Where lower is better for every judge, the merit is minus the geometric mean of the costs.
    Where directions are mixed, costs divide: the logarithm of a cost counts with a minus sign. That
    is decided for the table, whatever the weights, so that all replicates are on one scale.

    References
    ----------
    .. [1] Fleming, Wallace (1986), "How not to lie with statistics: the correct way to summarize
           benchmark results", Communications of the ACM 29(3).

    Examples
    --------
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

"""Median of the scores."""

from __future__ import annotations

import numpy as np

from deadheat.core.types import Floats
from deadheat.ranking.block import middle
from deadheat.ranking.function import as_score, ranks_scores


def of_middle(scores: Floats, judge_weights: Floats) -> Floats:
    """Measure the merits by the one or two scores in the middle, which may cancel."""
    lower, upper = middle(scores, judge_weights[None])
    found: Floats = np.nan_to_num(np.maximum(np.abs(lower), np.abs(upper)))[0]
    return found


@ranks_scores(
    "median",
    scale="interval",
    shared_scale=True,
    available=True,
    magnitude=of_middle,
    satisfies={"iia", "liia", "clones", "monotonicity", "unanimity", "reversal"},
    violates={"majority", "condorcet", "consistency", "participation"},
    shown=as_score,
    heading="median",
    cost="n m",
)
def median(scores: Floats, judge_weights: Floats, candidate_weights: Floats) -> Floats:
    r"""Rank by the median score over the judges, the mean of the two middle ones if they are even.

    .. math:: f_i = \tfrac12 (y_{i(\ell)} + y_{i(u)}), \quad
        C_{(\ell)} \ge \tfrac{W}{2}, \; C_{(u)} > \tfrac{W}{2}

    with the scores of the candidate in increasing order and C their cumulative judge weight; l and
    u are the first places where it holds.

    References
    ----------
    .. [1] Pavao, Vaccaro, Guyon (2021), "Judging competitions and benchmarks", ESANN, sec. 2.1.

    Examples
    --------
    >>> median([[0.1, 0.9, 0.5], [0.4, 0.4, 1.0]])
    array([[0.5, 0.4]])
    >>> median([[0.1, 0.9, 0.5]], judge_weights=[1, 1, 2])
    array([[0.5]])
    """
    lower, upper = middle(scores, judge_weights)
    return (lower + upper) / 2

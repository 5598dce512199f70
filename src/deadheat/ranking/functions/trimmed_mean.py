"""Trimmed mean, also known as the inter-quartile mean."""

from __future__ import annotations

from deadheat.core.types import Floats
from deadheat.ranking.block import largest_kept, trimmed
from deadheat.ranking.function import as_score, ranks_scores

CUT = 0.25


def of_middle_half(scores: Floats, judge_weights: Floats) -> Floats:
    """Measure the merits by the scores that are kept, whatever was cut."""
    found: Floats = largest_kept(scores, judge_weights[None], cut=CUT)[0]
    return found


@ranks_scores(
    "trimmed_mean",
    aliases=("iqm",),
    scale="interval",
    shared_scale=True,
    available=True,
    magnitude=of_middle_half,
    satisfies={"iia", "liia", "clones", "monotonicity", "unanimity", "reversal"},
    violates={"majority", "condorcet", "consistency", "participation"},
    shown=as_score,
    heading="trimmed mean",
)
def trimmed_mean(scores: Floats, judge_weights: Floats, candidate_weights: Floats) -> Floats:
    r"""Rank by the mean of the middle half of the scores (IQM): a quarter is cut at each end.

    .. math:: f_i = \frac{2}{W} \sum_k w'_k y_{i(k)}

    with the scores in increasing order and w' the part of each judge's weight that lies between
    W/4 and 3W/4 of the cumulative weight.

    Notes
    -----
    A quarter of the *weight* is cut, fractionally at the cut, so any number of judges will do.

    References
    ----------
    .. [1] Agarwal et al. (2021), "Deep reinforcement learning at the edge of the statistical
           precipice", NeurIPS, sec. 4.3.

    Examples
    --------
    >>> trimmed_mean([[0, 1, 2, 100]])
    array([[1.5]])
    >>> trimmed_mean([[0, 3, 9]])  # a quarter of each outer judge is left
    array([[3.5]])
    """
    return trimmed(scores, judge_weights, cut=CUT)

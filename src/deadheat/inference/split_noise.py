"""The noise from split to split, in which ratings of a score table are measured."""

from __future__ import annotations

import math

import numpy as np

from deadheat.errors import UnknownNameError
from deadheat.typing import Floats

PAIRINGS = ("same", "all")


def split_sd(scores: Floats, *, pairing: str = "same") -> float:
    r"""Return the standard deviation of a score from split to split: the unit of the ratings.

    A rating is the logit of :math:`\Phi(\delta / (\sqrt 2 \sigma))` for a gap of scores
    :math:`\delta`, so that the same gap is a larger rating where :math:`\sigma` is smaller, for
    example on a larger test set.

    Parameters
    ----------
    scores
        (n, S), candidates and splits of one data set; NaN where missing.
    pairing
        ``"same"``: the noise left in differences on the same split, over :math:`\sqrt 2`: what all
        scores of a split share is no part of it. ``"all"``: the noise of the scores themselves.

    Notes
    -----
    Differs from [1]_, sec. 4.1 "Ad 2.3", which says that ratings are comparable between data
    sets. As probabilities they are; as gains in score they are not. NaN where no two scores, or no
    two pairs on the same split, tell how far they vary.

    References
    ----------
    .. [1] Gosiewska, Woznica, Bakala, Zwolinski, Biecek (2019), "EPP: interpretable score of model
           predictive power".
    """
    if pairing not in PAIRINGS:
        raise UnknownNameError("pairing", str(pairing), PAIRINGS)
    given = np.asarray(scores, dtype=np.float64)
    given = np.where(np.isinf(given), np.nan, given)  # what a policy ranks last was not measured
    largest = float(np.fmax.reduce(np.abs(given), axis=None, initial=0.0))
    unit = 2.0 ** (math.frexp(largest)[1] - 1) if largest else 1.0  # so that squares are near 1
    return float(unit * _split_sd(given / unit, pairing))


def _split_sd(given: Floats, pairing: str) -> float:
    there = ~np.isnan(given)
    filled = np.where(there, given, 0.0)
    number = there.sum(axis=1)
    middle = filled.sum(axis=1) / np.maximum(number, 1)
    centred = np.where(there, given - middle[:, None], 0.0)  # keeps the squares below small
    if pairing == "all":
        freedom = float(np.maximum(number - 1, 0).sum())
        return float(np.sqrt((centred**2).sum() / freedom)) if freedom else float("nan")
    seen = there.astype(np.float64)
    met = seen @ seen.T
    sums = centred @ seen.T
    squares = (centred**2) @ seen.T
    gaps = sums - sums.T
    within = squares + squares.T - 2 * (centred @ centred.T) - gaps**2 / np.maximum(met, 1)
    pairs = np.triu_indices(len(given), 1)
    freedom = float(np.maximum(met[pairs] - 1, 0).sum())
    total = float(np.maximum(within[pairs], 0.0).sum())
    return float(np.sqrt(total / freedom / 2)) if freedom else float("nan")

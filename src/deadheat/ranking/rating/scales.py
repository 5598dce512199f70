"""From ratings to what people read: win probabilities, Elo points, an anchor."""

from __future__ import annotations

import numpy as np

from deadheat.errors import UsageError
from deadheat.typing import Floats


def probability(ratings: Floats) -> Floats:
    r"""Return the probability that i beats j, (n, n), a tie being half a win.

    .. math:: p_{ij} = \frac{1}{1 + e^{-(b_i - b_j)}}

    Examples
    --------
    >>> probability(np.array([np.log(3.0), 0.0])).round(2)
    array([[0.5 , 0.75],
           [0.25, 0.5 ]])
    """
    from scipy.special import expit

    found: Floats = expit(ratings[..., :, None] - ratings[..., None, :])
    return found


def to_elo(
    ratings: Floats, *, base: float = 10.0, scale: float = 400.0, centre: float = 1500.0
) -> Floats:
    r"""Return ratings in points, of which ``scale`` more multiply the odds by ``base``.

    .. math:: S_i = \text{centre} + \frac{\text{scale}}{\log \text{base}} \, b_i

    Examples
    --------
    >>> to_elo(np.array([np.log(10.0), 0.0]))
    array([1900., 1500.])
    """
    if not base > 1 or not scale > 0 or not np.isfinite([base, scale, centre]).all():
        raise UsageError(
            f"a rating scale needs a base above 1 and a scale above 0, got {base:g}, {scale:g}.",
            hint="Elo points have base 10 and scale 400.",
        )
    points: Floats = centre + ratings * (scale / np.log(base))
    return points


def anchored(ratings: Floats, candidate: int) -> Floats:
    """Return ratings (..., n) shifted so that one candidate has 0; differences stay."""
    shifted: Floats = ratings - ratings[..., candidate, None]
    return shifted

"""Vectors of ranks: checked, with ties as mean ranks, and scaled so that products correlate."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from deadheat.errors import UsageError, counted
from deadheat.ranking.blocks import tie_groups
from deadheat.typing import Floats


def pair_of_ranks(a: npt.ArrayLike, b: npt.ArrayLike) -> tuple[Floats, Floats]:
    """Return two rankings of the same candidates as mean ranks, or say what is wrong with them."""
    first, second = _vector(a, "the first ranking"), _vector(b, "the second ranking")
    if len(first) != len(second):
        raise UsageError(
            f"the rankings have {counted(len(first), 'candidate')} and {len(second):,}.",
            hint="both must rank the same candidates, in the same order.",
        )
    both = mean_ranks(np.stack([first, second]))
    return both[0], both[1]


def mean_ranks(values: Floats) -> Floats:
    """Return the rank of every value in its row, 1 = the lowest; equal ones share their mean rank.

    >>> mean_ranks(np.array([[1, 2, 2, 3], [30, 10, 10, 20]]))
    array([[1. , 2.5, 2.5, 4. ],
           [4. , 1.5, 1.5, 3. ]])
    """
    _, first, last = tie_groups(-np.asarray(values, dtype=np.float64).T)
    return np.ascontiguousarray((first + last).T / 2 + 1)


def unit_ranks(ranks: Floats) -> Floats:
    r"""Return rank vectors (J, n) centred and of length 1; NaN where all ranks are the same.

    The product of two of them is Spearman's correlation, and with :math:`s = \sum_j z_j` the mean
    over all pairs is :math:`(|s|^2 - J) / (J (J - 1))`: no pair is ever looked at.
    """
    n = ranks.shape[1]
    centred = ranks - (n + 1) / 2
    lengths = np.sqrt(np.einsum("jn,jn->j", centred, centred))
    lengths[lengths == 0] = np.nan
    return np.asarray(centred / lengths[:, None])


def require_strict(a: Floats, b: Floats, what: str) -> None:
    """Refuse ties, which a distance between permutations does not know."""
    for place, ranks in (("first", a), ("second", b)):
        if len(np.unique(ranks)) < len(ranks):
            raise UsageError(
                f"{what} needs rankings without ties, and the {place} one has some.",
                hint="kendall, spearman, footrule and hamming take ties.",
            )


def _vector(given: npt.ArrayLike, what: str) -> Floats:
    try:
        vector = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        raise UsageError(f"{what} is no vector of numbers.", hint="give ranks, 1 = best.") from None
    if vector.ndim != 1 or not len(vector):
        raise UsageError(
            f"{what} has shape {vector.shape}.", hint="give one rank per candidate, 1 = best."
        )
    if not np.isfinite(vector).all():
        raise UsageError(
            f"{what} has {vector[~np.isfinite(vector)][0]} at place {_first_odd(vector)}.",
            hint="every candidate needs a rank; leave out those that are not in both rankings.",
        )
    return vector


def _first_odd(vector: Floats) -> int:
    return int(np.argmin(np.isfinite(vector))) + 1

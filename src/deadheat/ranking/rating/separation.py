"""Whether some combination of ratings and coefficients explains every battle without an error."""

from __future__ import annotations

import numpy as np

from deadheat.ranking.rating.design import Design
from deadheat.typing import Floats, Integers

WITHOUT_ERROR = 1e-6


def linearly_separated(design: Design, outcome: Integers, weights: Floats) -> bool:
    """Return whether the likelihood of battles grows for ever in some direction.

    That is so where some parameters call no winner wrong, no tie anything but even, and at least
    one winner right: then no finite estimate is best [1]_. A linear program decides.

    References
    ----------
    .. [1] Albert, Anderson (1984), "On the existence of maximum likelihood estimates in logistic
       regression models", Biometrika 71(1).
    """
    from scipy.optimize import linprog

    there = weights > 0
    rows = design.matrix[there]
    result = outcome[there].astype(np.float64)
    decided = rows[result != 0].multiply(result[result != 0][:, None]).tocsr()
    tied = rows[result == 0]
    if not decided.shape[0]:
        return False
    answer = linprog(
        -np.asarray(decided.sum(axis=0)).ravel(),
        A_ub=-decided,
        b_ub=np.zeros(decided.shape[0]),
        A_eq=tied if tied.shape[0] else None,
        b_eq=np.zeros(tied.shape[0]) if tied.shape[0] else None,
        bounds=(-1, 1),
        method="highs",
    )
    return bool(-answer.fun > WITHOUT_ERROR)

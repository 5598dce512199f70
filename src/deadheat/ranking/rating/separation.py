"""Whether some combination of ratings and coefficients explains every battle without an error."""

from __future__ import annotations

from typing import Any

import numpy as np

from deadheat.ranking.rating.design import Design
from deadheat.ranking.rating.levels import Levels
from deadheat.typing import Booleans, Floats, Integers

WITHOUT_ERROR = 1e-6
SAME = 1e-12  # squared differences of directions that are nothing but rounding
MOST_ROWS, MOST_PARAMETERS = 50_000, 1_000  # for which programs say who is above whom
MOST_PARTS = 20


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


def runaway_directions(
    design: Design, outcome: Integers, weights: Floats
) -> tuple[Levels, Booleans]:
    r"""Return who moves away from whom, and which battles (C,) stay undecided, where separated.

    The directions in which no battle is called wrong are a cone. A linear program finds a
    direction inside it: all battles that some direction calls right are called right by that one.
    The others stay undecided, and so do differences of ratings that these fix [1]_. Candidate i is
    above j if no direction has :math:`d_i < d_j`, one program for each two parts.

    For very many battles, candidates or parts nobody is known to be above anybody.

    References
    ----------
    .. [1] Geyer (2009), "Likelihood inference in exponential families and directions of
       recession", Electronic Journal of Statistics 3.
    """
    there, n = weights > 0, design.n
    if np.count_nonzero(there) > MOST_ROWS or design.parameters > MOST_PARAMETERS:
        return Levels.unknown(n), np.zeros(len(weights), dtype=bool)
    signs = np.where(outcome == 0, 1.0, outcome)
    rows = design.matrix.multiply(signs[:, None]).tocsr()
    decided, tied = rows[there & (outcome != 0)], rows[there & (outcome == 0)]
    direction = _inside(decided, tied)
    undecided = there & ((outcome == 0) | (rows @ direction < 0.5))
    fixed = design.information(undecided.astype(np.float64))
    values, vectors = np.linalg.eigh(fixed)
    free = vectors[:n, values <= WITHOUT_ERROR * max(float(values.max()), 1.0)]
    squares = (free**2).sum(axis=1)
    together = squares[:, None] + squares - 2 * free @ free.T <= SAME
    levels = Levels.of(together, np.zeros((n, n), dtype=bool))
    heads = np.unique(levels.part, return_index=True)[1]
    if len(heads) <= MOST_PARTS:
        for k, i in enumerate(heads.tolist()):
            for m, j in enumerate(heads.tolist()):
                if direction[i] > direction[j]:
                    levels.above[k, m] = _never_below(decided, tied, i, j)
    return levels, undecided


def _inside(decided: Any, tied: Any) -> Floats:
    """Return a direction that calls right, by 1 or more, all that any direction calls right."""
    from scipy.optimize import linprog
    from scipy.sparse import csr_array, eye_array, hstack

    number, size = decided.shape
    even = hstack([tied, csr_array((tied.shape[0], number))]) if tied.shape[0] else None
    answer = linprog(
        np.r_[np.zeros(size), -np.ones(number)],
        A_ub=hstack([-decided, eye_array(number)]),
        b_ub=np.zeros(number),
        A_eq=even,
        b_eq=None if even is None else np.zeros(tied.shape[0]),
        bounds=[(None, None)] * size + [(0, 1)] * number,
        method="highs",
    )
    return np.asarray(answer.x[:size], dtype=np.float64)


def _never_below(decided: Any, tied: Any, i: int, j: int) -> bool:
    """Return whether i is below j in no direction that calls no battle wrong."""
    from scipy.optimize import linprog

    gap = np.zeros(decided.shape[1])
    gap[i], gap[j] = 1.0, -1.0
    answer = linprog(
        gap,
        A_ub=-decided,
        b_ub=np.zeros(decided.shape[0]),
        A_eq=tied if tied.shape[0] else None,
        b_eq=np.zeros(tied.shape[0]) if tied.shape[0] else None,
        bounds=(-1, 1),
        method="highs",
    )
    return bool(answer.fun > -WITHOUT_ERROR)

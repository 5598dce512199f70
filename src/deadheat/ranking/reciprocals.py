"""Sums of 2 v / (u + v) over many weighted v, without a matrix of all pairs."""

from __future__ import annotations

import numpy as np

from deadheat.typing import Floats

NEGLIGIBLE = 1e-17  # what the next column would add to a number of size 1
MOST_COLUMNS = 48
LARGEST_RATIO = 1e5  # of two numbers of a judge: beyond, more columns would be needed


def thin_factors(sizes: Floats) -> tuple[Floats, Floats] | None:
    r"""Return two thin matrices (n, r) and (r, n) whose product is 2 v / (u + v), or None.

    Row v, column u, for positive ``sizes`` (n,). The matrix :math:`2\sqrt{uv}/(u+v)` is positive
    definite with ones on its diagonal and close to one of low rank, so Cholesky's method with
    pivots is done after some 15 columns. What is left after a pivot p is the same matrix with its
    rows and columns multiplied by :math:`(u-p)/(u+p)` [1]_, so no digit is lost to subtraction.

    References
    ----------
    .. [1] Demmel (2000), "Accurate singular value decompositions of structured matrices",
           SIAM Journal on Matrix Analysis and Applications 21(2).
    """
    low, high = float(sizes.min()), float(sizes.max())
    if not 0 < low <= high <= LARGEST_RATIO * low < np.inf:
        return None
    roots = np.sqrt(2 * sizes)
    left = roots.copy()
    columns: list[Floats] = []
    while len(columns) < min(MOST_COLUMNS, len(sizes)):
        share = left / roots
        pivot = int(np.argmax(np.abs(share)))
        if share[pivot] ** 2 < NEGLIGIBLE:
            break
        sums = sizes + sizes[pivot]
        columns.append(left * roots[pivot] / sums)
        left = left * ((sizes - sizes[pivot]) / sums)
    factor = np.stack(columns)
    return (factor * roots).T, factor / roots

"""All correlations and distances among many rankings at once."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from deadheat.errors import UsageError
from deadheat.ranking.blocks import WORKING_SET
from deadheat.ranking.rank_vectors import mean_ranks, unit_ranks
from deadheat.typing import Floats, Integers


def spearman_matrix(ranks: npt.ArrayLike) -> Floats:
    """Return Spearman's correlations (J, J) of J rankings (J, n), NaN with those that tie all.

    >>> spearman_matrix(np.array([[1, 2, 3], [1, 3, 2], [3, 2, 1]])).round(6)
    array([[ 1. ,  0.5, -1. ],
           [ 0.5,  1. , -0.5],
           [-1. , -0.5,  1. ]])
    """
    units = unit_ranks(mean_ranks(_rankings(ranks)))
    return np.asarray(np.clip(units @ units.T, -1, 1))


def tau_b_matrix(ranks: npt.ArrayLike) -> Floats:
    """Return Kendall's tau-b (J, J) of J rankings (J, n), NaN with those that tie all.

    One product of matrices of signs for as many pairs of candidates as fit into memory.
    """
    agreeing, _, untied = _products(_rankings(ranks), both=False)
    sizes = np.sqrt(untied)
    sizes[sizes == 0] = np.nan
    return np.asarray(np.clip(agreeing / sizes / sizes[:, None], -1, 1))


def kendall_matrix(ranks: npt.ArrayLike) -> Floats:
    """Return Kendall's distances (J, J) of J rankings (J, n); a tie in one of two costs one half.

    >>> kendall_matrix(np.array([[1, 2, 3], [1, 3, 2], [3, 2, 1], [1, 1, 1]]))
    array([[0. , 1. , 3. , 1.5],
           [1. , 0. , 2. , 1.5],
           [3. , 2. , 0. , 1.5],
           [1.5, 1.5, 1.5, 0. ]])
    """
    agreeing, untied_both, untied = _products(_rankings(ranks), both=True)
    return np.asarray((untied + untied[:, None] - untied_both - agreeing) / 2)


def tau_b_means(
    ranks: Floats, weights: Floats, others: Floats | None = None
) -> tuple[float, Floats]:
    r"""Return the mean of tau-b over all pairs of J rankings, and that of others with all J.

    As for Spearman's correlation no pair of rankings is looked at: with the signs of all pairs of
    candidates, scaled to length 1, in place of the ranks it takes O(J n^2) steps. A pair of
    rankings weighs the product of their weights; those of the J that tie all are left out.
    """
    untied = untied_pairs(ranks)
    told = untied > 0
    shares = weights[told]
    rows = np.empty((0, ranks.shape[1])) if others is None else others
    scaled = shares / np.sqrt(untied[told])
    total, products = 0.0, np.zeros(len(rows))
    for ours, theirs in zip(sign_blocks(ranks[told]), sign_blocks(rows, len(shares)), strict=True):
        directions = ours @ scaled
        total += float(directions @ directions)
        products += directions @ theirs
    sizes = np.sqrt(untied_pairs(rows)) * shares.sum()
    sizes[sizes == 0] = np.nan
    own = float((shares**2).sum())
    pairs = float(shares.sum()) ** 2 - own
    mean = (total - own) / pairs if len(shares) > 1 else np.nan
    return float(np.clip(mean, -1, 1)), np.clip(products / sizes, -1, 1)


def untied_pairs(ranks: Floats) -> Integers:
    """Return how many pairs of candidates each of J rankings (J, n) orders."""
    n = ranks.shape[1]
    ordered = np.sort(ranks, axis=1)
    fresh = np.ones(ordered.shape, dtype=bool)
    np.not_equal(ordered[:, 1:], ordered[:, :-1], out=fresh[:, 1:])
    place = np.arange(n)
    first = np.maximum.accumulate(np.where(fresh, place, 0), axis=1)
    return np.asarray(n * (n - 1) // 2 - (place - first).sum(axis=1))


def sign_blocks(ranks: Floats, number: int | None = None) -> Iterator[Floats]:
    """Yield which of a pair is ranked better, (pairs, J), for a part of all pairs at a time.

    The parts are those of ``number`` rankings, by default of these.
    """
    by_candidate = np.ascontiguousarray(ranks.T, dtype=np.float64)
    n = len(by_candidate)
    most = max(1, WORKING_SET // max(len(ranks) if number is None else number, 1))
    for i in range(n - 1):
        for start in range(i + 1, n, most):
            apart = by_candidate[start : start + most] - by_candidate[i]
            yield np.sign(apart, out=apart)


def _rankings(given: npt.ArrayLike) -> Floats:
    """Return several rankings (J, n) as numbers, or say what is wrong with them."""
    hint = "give one row per ranking, with one rank per candidate, 1 = best."
    try:
        rows = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        raise UsageError("the rankings are no table of numbers.", hint=hint) from None
    if rows.ndim != 2 or not rows.shape[1]:
        raise UsageError(f"the rankings have shape {rows.shape}, not (J, n).", hint=hint)
    if not np.isfinite(rows).all():
        j, i = np.argwhere(~np.isfinite(rows))[0].tolist()
        raise UsageError(
            f"ranking {j + 1} has {rows[j, i]} at place {i + 1}.",
            hint="every candidate needs a rank; leave out those that are not in all rankings.",
        )
    return rows


def _products(ranks: Floats, *, both: bool) -> tuple[Floats, Floats, Floats]:
    """Return, per two rankings, the sum of products of signs and of their sizes; untied pairs."""
    number = len(ranks)
    agreeing = np.zeros((number, number))
    sizes = np.zeros((number, number) if both else (0, 0))
    for signs in sign_blocks(ranks):
        agreeing += signs.T @ signs
        if both:
            np.abs(signs, out=signs)
            sizes += signs.T @ signs
    return agreeing, sizes, np.diagonal(agreeing).copy()

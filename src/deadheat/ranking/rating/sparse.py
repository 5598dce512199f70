"""Bradley-Terry ratings from lists of pairs, for more candidates than fit in matrices (n, n)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from deadheat.ranking.rating.newton import MOST_STEPS, Solution
from deadheat.ranking.rating.pair_counts import PairCounts, Sums, sums_by_candidate
from deadheat.typing import Floats

DENSE = 1_500  # candidates up to which matrices (n, n) are formed and inverted
SETTLED = 1e-11
RESIDUAL = 1e-13  # of a conjugate-gradient solution, beside the right-hand side
Inverse = Callable[[Floats], Floats]


def inverse_of(
    pairs: PairCounts, edges: Floats, *, more: float = 0.0, residual: float = RESIDUAL
) -> Inverse:
    """Return what applies the pseudo-inverse of a Laplacian with edges (P,) to rows (K, n).

    ``more`` is added to the diagonal. Up to ``DENSE`` candidates the inverse is a matrix, beyond
    all rows are solved together by conjugate gradients, as far as ``residual`` says, which needs
    O(P) memory and O(n) more per row.
    """
    degrees = sums_by_candidate(pairs, edges, edges) + more
    if pairs.n <= DENSE:
        system = degrees.mean() / pairs.n - pairs.matrix(edges, edges)
        system[np.arange(pairs.n), np.arange(pairs.n)] += degrees
        dense = centred_twice(np.linalg.inv(system))
        return lambda rows: rows @ dense
    return _by_conjugate_gradients(pairs, edges, degrees, residual)


def centred_twice(matrix: Floats) -> Floats:
    """Return a symmetric matrix without its part along the constant vector."""
    rows = matrix - matrix.mean(axis=0)
    found: Floats = rows - rows.mean(axis=1, keepdims=True)
    return (found + found.T) / 2


def _by_conjugate_gradients(
    pairs: PairCounts, edges: Floats, degrees: Floats, residual: float
) -> Inverse:
    from scipy.sparse import coo_array, dia_array

    shape = (pairs.n, pairs.n)
    half = coo_array((edges, (pairs.first, pairs.second)), shape=shape)
    system = (dia_array((degrees[None, :], 0), shape=shape) - half - half.T).tocsr()
    scale = 1 / degrees[:, None]

    def solve(rows: Floats) -> Floats:
        right = (rows - rows.mean(axis=1, keepdims=True)).T.copy()
        found, rest = np.zeros_like(right), right.copy()
        ahead = along = scale * rest
        goal = residual * np.abs(right).max(axis=0)
        size = (rest * ahead).sum(axis=0)
        for _ in range(20 * pairs.n):
            if (np.abs(rest).max(axis=0) <= goal).all():
                break
            image = system @ along
            length = size / np.maximum((along * image).sum(axis=0), np.finfo(float).tiny)
            found += length * along
            rest -= length * image
            ahead = scale * rest
            size, before = (rest * ahead).sum(axis=0), size
            along = ahead + size / np.maximum(before, np.finfo(float).tiny) * along
        return np.ascontiguousarray((found - found.mean(axis=0)).T)

    return solve


def sparse_newton(
    pairs: PairCounts, *, firth: bool = False, ridge: float = 0.0, start: Floats | None = None
) -> Solution:
    """Return the ratings (1, n) of connected candidates by Newton's method on lists of pairs.

    Only with ``firth`` one matrix (n, n) is formed and inverted at each step, for the leverages.
    """
    won, lost, sums = pairs.points, pairs.points_against, Sums(pairs)
    ratings = np.zeros(pairs.n) if start is None else np.array(start)
    reach, steps = np.inf, 0
    while steps < MOST_STEPS and reach > SETTLED * (1 + np.abs(ratings).max()):
        steps += 1
        chance = _chances(ratings[pairs.first] - ratings[pairs.second])
        spread = chance * (1 - chance)
        more = leverages(pairs, pairs.met * spread) if firth else np.zeros(len(won))
        surprise = (won + more / 2) * (1 - chance) - (lost + more / 2) * chance
        gradient = sums(surprise, -surprise) - ridge * ratings
        step = inverse_of(pairs, (pairs.met + more) * spread, more=ridge)(gradient[None])[0]
        reach = float(np.ptp(step))
        ratings = ratings + step * (np.log1p(reach) / reach if reach > 1 else 1.0)
    ratings -= ratings.mean()
    settled = reach <= SETTLED * (1 + np.abs(ratings).max())
    return Solution(ratings[None], np.array([steps]), np.array([settled]))


def leverages(pairs: PairCounts, edges: Floats) -> Floats:
    """Return the leverage (P,) of each pair: its information times the variance of its difference.

    One candidate is taken as the origin; the inverse of the rest is found in place.
    """
    from scipy.linalg.lapack import dpotrf, dpotri

    n = pairs.n
    system = np.zeros((n - 1, n - 1), order="F")
    inner = pairs.second < n - 1
    system[pairs.second[inner], pairs.first[inner]] = -edges[inner]
    system[np.arange(n - 1), np.arange(n - 1)] = sums_by_candidate(pairs, edges, edges)[:-1]
    factor, failed = dpotrf(system, lower=True, clean=False, overwrite_a=True)
    if failed:
        return np.zeros(len(edges))
    inverse, _ = dpotri(factor, lower=True, overwrite_c=True)
    own = np.append(np.diagonal(inverse), 0.0)
    across = np.zeros(len(edges))
    across[inner] = inverse[pairs.second[inner], pairs.first[inner]]
    found: Floats = edges * (own[pairs.first] + own[pairs.second] - 2 * across)
    return found


def _chances(x: Floats) -> Floats:
    from scipy.special import expit

    found: Floats = expit(x)
    return found

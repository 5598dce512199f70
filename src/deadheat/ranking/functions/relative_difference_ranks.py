"""Relative difference of the ranks."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from deadheat.core.types import Floats
from deadheat.ranking.block import Block
from deadheat.ranking.duels import places
from deadheat.ranking.function import ranks_scores

STEP = 0.26
WORTH_COMPRESSING = 2_000
CACHE_SHARE = 64  # work on 1/64 of the working set at a time: it then stays in the cache


@ranks_scores(
    "relative_difference_ranks",
    scale="ordinal",
    additive=True,
    satisfies={"consistency", "participation", "monotonicity", "unanimity"},
    violates={"majority", "condorcet", "iia", "liia", "clones", "reversal"},
    heading="relative difference",
    cost="n m log n",
)
def relative_difference_ranks(
    scores: Floats, judge_weights: Floats, candidate_weights: Floats
) -> Floats:
    r"""Rank by the mean relative difference to the rivals' ranks.

    .. math:: f_i = \frac{1}{N-1} \, \frac{1}{W} \sum_{j \ne i} c_j \sum_k w_k
        \frac{r_{jk} - r_{ik}}{r_{jk} + r_{ik}}

    where r are the ranks that judge k gives, 1 = best, copies counted, ties sharing their mean.

    Notes
    -----
    Differs from the text of [1]_, which prints the formula on scores (``relative_difference``):
    this is what reproduces its tables 2 (all figures of Relative Difference) and the tables 4 and
    5 of its supplement. It takes scores of any sign and direction.

    Twice a rank is a whole number, so the sum over rivals is a product with the matrix 1 / (u + v)
    of all such numbers. That matrix is smooth and so of low numerical rank, which turns n²
    divisions per judge into two thin products.

    References
    ----------
    .. [1] Pavao, Vaccaro, Guyon (2021), "Judging competitions and benchmarks", ESANN, table 2.

    Examples
    --------
    >>> relative_difference_ranks([[3, 3], [2, 1], [1, 2]]).round(3)
    array([[ 0.417, -0.208, -0.208]])
    """
    block = Block(scores, judge_weights, candidate_weights)
    size = block.shape[1] * CACHE_SHARE
    return np.concatenate([_summed(part) for part in block.replicates(size)])


def _summed(block: Block) -> Floats:
    field = block.field if block.one_field else block
    candidates = np.asarray(field.candidate_weights, dtype=field.counting)
    size, n, _ = block.shape
    total = np.zeros((size, n))
    for part in block.judges(n * len(candidates) * CACHE_SHARE):
        merits = _of_judges(block.scores[:, part], candidates)  # (n, k, B or 1)
        total += np.einsum("bk,ikb->bi", block.judge_weights[:, part], merits, optimize=False)
    return total / block.total / block.rivals


def _of_judges(scores: Floats, candidates: Floats) -> Floats:
    """Return the sum over copies j of (r_j - r_i) / (r_j + r_i) for each judge, (n, k, B)."""
    above, upto = places(scores, candidates)
    doubled = (above + upto + 1).astype(np.intp)  # 2 r = 2 (1 + above) + (level - 1)
    _, k, size = doubled.shape
    everybody = candidates.sum(axis=1, dtype=np.float64)
    highest = int(2 * everybody.max()) + 2
    cells = np.arange(k * size).reshape(k, size) * highest + doubled
    copies = np.zeros(k * size * highest)
    # No two ranks collide: a group of c copies stands at c + 1 + twice those above it. Only an
    # absent group is alone with an odd number that nobody present has, and it writes its 0 there.
    copies[cells] = upto - above
    inwards, outwards = _reciprocal_sums(highest)
    sums = copies.reshape(-1, highest) @ inwards @ outwards  # of 2 u / (u + 2 r_j), for every u
    return np.asarray(everybody - sums.ravel()[cells])


@lru_cache(maxsize=8)
def _reciprocal_sums(highest: int) -> tuple[Floats, Floats]:
    """Return two thin matrices whose product is 2 u / (v + u) in row v and column u, from 1 on.

    1 / s is the integral of exp(x - s exp(x)), which the trapezoidal rule gives to all digits: the
    error is about exp(-pi**2 / step). So sqrt(u v) / (u + v) is some 200 columns times their
    transpose. Where that is quick, a singular value decomposition leaves the 30 that count.
    """
    index = np.arange(highest, dtype=np.float64)
    nodes = np.arange(-40 - np.log(2 * highest), 3.5, STEP)
    exponents = nodes / 2 - np.multiply.outer(index, np.exp(nodes))
    factor = np.sqrt(index * STEP)[:, None] * np.exp(exponents)
    sizes = np.ones(len(nodes))
    if highest <= WORTH_COMPRESSING:
        factor, singular, _ = np.linalg.svd(factor, full_matrices=False)
        kept = singular > 1e-9 * singular[0]
        factor, sizes = factor[:, kept], singular[kept] ** 2
    roots = np.sqrt(np.maximum(index, 1))[:, None]
    return np.ascontiguousarray(factor / roots), np.ascontiguousarray(
        (factor * sizes * 2 * roots).T
    )

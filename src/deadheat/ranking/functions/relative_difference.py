"""Relative differences to the rivals: of the scores, and of the ranks."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from deadheat.core.types import Floats
from deadheat.ranking.block import Block
from deadheat.ranking.duels import Duels, against, pair_sums, places
from deadheat.ranking.function import of_shares, ranks_scores

NEGLIGIBLE = 1e-17  # what the next column would add to a number of size 1
MOST_COLUMNS = 48
LARGEST_RATIO = 1e5  # of two numbers of a judge: beyond, more columns would be needed
AT_ONCE = 64  # judges
STEP = 0.26
WORTH_COMPRESSING = 2_000
CACHE_SHARE = 64  # work on 1/64 of the working set at a time: it then stays in the cache


@ranks_scores(
    "relative_difference",
    scale="ratio",
    additive=True,
    available=True,
    needs="nonnegative",
    substitute="relative_difference_ranks",
    magnitude=of_shares,
    pairwise=True,
    satisfies={"consistency", "participation", "monotonicity", "unanimity", "reversal"},
    violates={"majority", "condorcet", "iia", "liia", "clones"},
    heading="relative difference",
    cost="n² m",
)
def relative_difference(scores: Floats, judge_weights: Floats, candidate_weights: Floats) -> Floats:
    r"""Rank by the mean relative difference to the rivals' scores.

    .. math:: f_i = \frac{1}{N-1} \, \frac{1}{W} \sum_{j \ne i} c_j \sum_k w_k
        \frac{y_{ik} - y_{jk}}{|y_{ik}| + |y_{jk}|}, \quad \tfrac00 := 0

    The printed formula of [1]_, on scores of at least 0; where lower is better the sign turns.
    The authors ran ``relative_difference_ranks`` for their tables. Accuracy and error differ:
    (u - v) / (u + v) is not the same for 1 - u and 1 - v. The example is table 4 of the supplement:
    by the printed formula B wins, with and without C.

    .. [1] Pavao, Vaccaro, Guyon (2021), "Judging competitions and benchmarks", ESANN, sec. 2.1.

    >>> relative_difference([[0.6, 0.6, 0], [0.4, 0.4, 1], [1, 0, 0.4]]).round(3)
    array([[-0.142,  0.267, -0.125]])
    """
    block = Block(scores, judge_weights, candidate_weights)
    size, n, _ = block.shape
    if block.has_holes:
        return np.concatenate([_of_common_judges(part) for part in block.replicates(n * n)])
    if not block.one_field:
        parts = block.replicates(AT_ONCE * MOST_COLUMNS)
        return np.concatenate([_of_many_fields(part) for part in parts])
    total = np.zeros((size, n))
    for some in block.judges(n * n):
        by_judge = scores[:, some].T
        said = difference(by_judge[:, :, None], by_judge[:, None, :])  # (k, i, j)
        total += judge_weights[:, some] @ (said @ candidate_weights[0])
    return total / block.total / block.rivals


def difference(mine: Floats, yours: Floats) -> Floats:
    """Return (u - v) / (|u| + |v|), and 0 for two zeros."""
    size = np.abs(mine) + np.abs(yours)
    return (mine - yours) / np.where(size == 0, 1, size)


def _of_common_judges(block: Block) -> Floats:
    """Return the merits where every pair is averaged over the judges that scored both."""

    def known(mine: Floats, yours: Floats) -> Floats:
        return np.asarray(np.nan_to_num(difference(mine, yours), nan=0.0))

    sums, common = pair_sums(block, known, ordinal=False), Duels(block).common
    means = np.divide(sums, common, out=np.zeros_like(sums), where=common > 0)
    return against(means, block.candidate_weights) / block.rivals


def _of_many_fields(block: Block) -> Floats:
    """Return the merits where every replicate has candidates of its own.

    (u - v) / (u + v) is 1 - 2 v / (u + v), and the matrix of the latter is a product of two thin
    ones. Where it is not (zeros, sizes far apart), a judge is asked about all pairs.
    """
    copies = np.asarray(block.candidate_weights, dtype=np.float64)
    total = np.zeros(copies.shape)
    thin: list[tuple[int, Floats, Floats]] = []
    for k, scores in enumerate(block.scores.astype(np.float64).T):
        one_sign = (scores > 0).all() or (scores < 0).all()
        factors = thin_factors(np.abs(scores)) if one_sign else None
        if factors is None:
            said = difference(scores[None, :], scores[:, None])  # (j, i)
            total += (copies @ said) * block.judge_weights[:, k, None]
        else:
            thin.append((k, factors[0], factors[1] * np.sign(scores[0])))
    for start in range(0, len(thin), AT_ONCE):
        part = thin[start : start + AT_ONCE]
        judges = [k for k, _, _ in part]
        inwards = np.concatenate([factor for _, factor, _ in part], axis=1)
        outwards = np.concatenate([factor for _, _, factor in part])
        weights = block.judge_weights[:, judges].astype(np.float64)
        total += (weights @ np.sign(block.scores[0, judges]))[:, None] * block.present
        sums = copies @ inwards
        sums *= np.repeat(weights, [factor.shape[1] for _, factor, _ in part], axis=1)
        total -= sums @ outwards
    return total / block.total / block.rivals


def thin_factors(sizes: Floats) -> tuple[Floats, Floats] | None:
    r"""Return two thin matrices (n, r) and (r, n) whose product is 2 v / (u + v), or None.

    Row v, column u, for positive ``sizes`` (n,). The matrix :math:`2\sqrt{uv}/(u+v)` is positive
    definite with ones on its diagonal and close to one of low rank, so Cholesky's method with
    pivots is done after some 15 columns. What is left after a pivot p is the same matrix with its
    rows and columns multiplied by :math:`(u-p)/(u+p)`, so no digit is lost to subtraction (Demmel
    2000, "Accurate singular value decompositions of structured matrices", SIMAX 21(2)).
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

    where r are the ranks that judge k gives, 1 = best, copies counted, ties sharing their mean. The
    text of [1]_ prints the formula on scores (``relative_difference``); this reproduces its table 2
    (all figures of Relative Difference) and tables 4 and 5 of its supplement.

    .. [1] Pavao, Vaccaro, Guyon (2021), "Judging competitions and benchmarks", ESANN, table 2.

    >>> relative_difference_ranks([[3, 3], [2, 1], [1, 2]]).round(3)
    array([[ 0.417, -0.208, -0.208]])
    """
    block = Block(scores, judge_weights, candidate_weights)
    few = block.replicates(len(scores) * CACHE_SHARE)
    return np.concatenate([_of_ranks(part) for part in few])


def _of_ranks(block: Block) -> Floats:
    candidates = np.asarray(block.fields, dtype=block.counting)
    size, n, _ = block.shape
    total = np.zeros((size, n))
    for part in block.judges(n * len(candidates) * CACHE_SHARE):
        merits = _of_judges(block.scores[:, part], candidates)  # (n, k, B or 1)
        total += np.einsum("bk,ikb->bi", block.judge_weights[:, part], merits, optimize=False)
    return total / block.total / block.rivals


def _of_judges(scores: Floats, candidates: Floats) -> Floats:
    """Return the sum over copies j of (r_j - r_i) / (r_j + r_i) for each judge, (n, k, B).

    Twice a rank is a whole number, so the sum over rivals is a product with the matrix 1 / (u + v)
    of all such numbers, which is of low numerical rank: two thin products instead of n² divisions.
    """
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
    inwards, outwards = factor / roots, (factor * sizes * 2 * roots).T
    return np.ascontiguousarray(inwards), np.ascontiguousarray(outwards)

"""Relative difference of the scores."""

from __future__ import annotations

import numpy as np

from deadheat.core.types import Floats
from deadheat.ranking.block import Block
from deadheat.ranking.duels import Duels, against, pair_sums
from deadheat.ranking.function import of_shares, ranks_scores

# ------------------------------------------------------------------------------
# Sums of 2 v / (u + v) over many weighted v, without a matrix of all pairs.

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


# ------------------------------------------------------------------------------
# The ranking function.

AT_ONCE = 64  # judges


@ranks_scores(
    "relative_difference",
    scale="ratio",
    additive=True,
    available=True,
    needs="nonnegative",
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

    Notes
    -----
    The printed formula of [1]_, on scores of at least 0; where lower is better the sign turns.
    Differs from what the authors ran for their tables, which is ``relative_difference_ranks``.
    It depends on whether accuracy or error is given, because (u - v) / (u + v) is not the same
    for 1 - u and 1 - v.

    References
    ----------
    .. [1] Pavao, Vaccaro, Guyon (2021), "Judging competitions and benchmarks", ESANN, sec. 2.1.

    Examples
    --------
    Table 4 of the supplement, by the printed formula: B wins, with and without C.

    >>> relative_difference([[0.6, 0.6, 0], [0.4, 0.4, 1], [1, 0, 0.4]]).round(3)
    array([[-0.142,  0.267, -0.125]])
    """
    block = Block(scores, judge_weights, candidate_weights)
    size, n, _ = block.shape
    if block.has_holes:
        parts = block.replicates(n * n)
        return np.concatenate([_of_common_judges(part) for part in parts])
    if not block.one_field:
        parts = block.replicates(AT_ONCE * MOST_COLUMNS)
        return np.concatenate([_of_many_fields(part) for part in parts])
    total = np.zeros((size, n))
    for some in block.judges(n * n):
        by_judge = scores[:, some].T
        said = difference(by_judge[:, :, None], by_judge[:, None, :])  # (k, i, j)
        total += judge_weights[:, some] @ (said @ candidate_weights[0])
    return total / block.total / block.rivals


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


def difference(mine: Floats, yours: Floats) -> Floats:
    """Return (u - v) / (|u| + |v|), and 0 for two zeros."""
    size = np.abs(mine) + np.abs(yours)
    return (mine - yours) / np.where(size == 0, 1, size)

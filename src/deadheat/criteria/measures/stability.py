"""How little a ranking depends on which judges, or which candidates, there are."""

from __future__ import annotations

from collections.abc import Callable
from math import comb

import numpy as np

from deadheat.core.types import Floats, Integers
from deadheat.criteria.criterion import Measurement, criterion
from deadheat.criteria.trials import Resamples, doubled_centred_ranks
from deadheat.ranking.block import EXACT_IN_FLOAT32, WORKING_SET, running_sums
from deadheat.statistics.concordance import tau_b_means

AT_ONCE = WORKING_SET


@criterion("stability_judges", heading="{judges} redrawn", over="judges")
def stability_judges(resamples: Resamples) -> Measurement:
    r"""Tell how alike the rankings are when the judges are drawn again.

    .. math:: \frac{2}{q(q-1)} \sum_{s<t} \sigma(r_s, r_t)
        = \frac{\lVert \sum_t z_t \rVert^2 - q}{q(q-1)}

    with z the centred rankings of length 1 (for tau-b: the signs of all pairs). So the mean over
    all pairs takes as long as one sum. Rankings in which all are tied agree with nothing; their
    pairs are skipped and counted.

    [1]_ divides by m (m - 1), and its figures are Kendall's W, tie-corrected
    (``stability="kendall_w"``). W is never negative and is 1/q under noise; it exceeds the mean
    correlation by (1 - W)/(q - 1).

    .. [1] Pavao, Vaccaro, Guyon (2021), "Judging competitions and benchmarks", ESANN, sec. 2.3.
    """
    if resamples.stability == "kendall_w":
        return Measurement(np.array([[concordance(groups)] for groups in resamples.groups]))
    kendall = resamples.task.correlation == "kendall"

    def alike(groups: Integers) -> tuple[float, int]:
        groups, everybody = groups[groups.max(axis=1) > 1], len(groups)
        q = len(groups)
        skipped = comb(everybody, 2) - comb(q, 2)
        if q < 2:
            return np.nan, skipped
        if kendall:
            return tau_b_means(groups.astype(np.float64), np.ones(q))[0], skipped
        centred = doubled_centred_ranks(groups, np.ones(groups.shape))
        total = (centred / np.linalg.norm(centred, axis=1, keepdims=True)).sum(axis=0)
        return (float(total @ total) - q) / (q * (q - 1)), skipped

    return _stability(resamples, alike)


@criterion("stability_candidates", heading="field redrawn", over="candidates", certain="iia")
def stability_candidates(resamples: Resamples) -> Measurement:
    r"""Tell how alike the rankings are when the candidates are drawn again.

    .. math:: \frac{2}{q(q-1)} \sum_{s<t} \sigma(r_s, r_t)

    where each correlation is over the different candidates that both tables have. Pairs of tables
    that share fewer than two candidates, or of which one ranking ties all that they share, are
    skipped and counted. A function that looks at no rival (mean, median) has 1, whatever the table.
    [1]_ divides by m (m - 1).

    .. [1] Pavao, Vaccaro, Guyon (2021), "Judging competitions and benchmarks", ESANN, sec. 2.3.
    """
    kendall = resamples.task.correlation == "kendall"
    of_pairs = kendall_of_pairs if kendall else spearman_of_pairs

    def alike(groups: Integers) -> tuple[float, int]:
        found = of_pairs(groups)[np.triu_indices(len(groups), 1)]
        defined = found[~np.isnan(found)]
        return float(defined.mean()) if len(defined) else np.nan, len(found) - len(defined)

    return _stability(resamples, alike)


def _stability(resamples: Resamples, alike: Callable[[Integers], tuple[float, int]]) -> Measurement:
    """Measure each function by a mean correlation and the number of pairs that have none."""
    values, skipped = zip(*map(alike, resamples.groups), strict=True)
    lacking = {"pairs of rankings without a correlation": np.array([sum(skipped)])}
    return Measurement(np.array(values)[:, None], lacking)


def concordance(groups: Integers) -> float:
    """Return Kendall's W of rankings of the same candidates, corrected for ties; NaN if all tie."""
    doubled = doubled_centred_ranks(groups, np.ones(groups.shape))  # twice the centred ranks
    within = float((doubled * doubled).sum())
    between = doubled.sum(axis=0)
    return float(between @ between) / (len(groups) * within) if within else np.nan


# ------------------------------------------------------------------------------
# Rank correlations of all pairs of rankings, each over the candidates that both have, (q, q).


def kendall_of_pairs(groups: Integers) -> Floats:
    """Return tau-b of every two rankings; NaN if they share no pair of candidates told apart.

    Products of signs count agreements less disagreements: an absent candidate has sign 0.
    """
    q, n = groups.shape
    products, own = np.zeros((q, q)), np.zeros((q, q))
    dtype = np.float32 if n * n < EXACT_IN_FLOAT32 else np.float64
    there: Floats = (groups > 0).astype(dtype)
    places: Floats = groups.astype(dtype)
    step = max(1, AT_ONCE // (q * n))
    for start in range(0, n, step):
        chosen = slice(start, start + step)
        both = (there[:, chosen, None] * there[:, None, start:]).reshape(q, -1)
        signs = np.sign(places[:, None, start:] - places[:, chosen, None]).reshape(q, -1) * both
        rows, columns = np.arange(start, min(start + step, n)), np.arange(start, n)
        signs *= (columns > rows[:, None]).ravel()  # each pair once
        products += signs @ signs.T
        own += np.abs(signs) @ both.T  # pairs that s tells apart and t has
    return _correlations(products, own)


def spearman_of_pairs(groups: Integers) -> Floats:
    """Return Spearman's rho of every two rankings.

    The rank of a candidate of s among those that t has too is the number of those from the top of
    s down to it: a cumulative sum of the presence in t along the order of s, for all t at once.
    """
    q, n = groups.shape
    dtype = np.float32 if n**3 / 3 < EXACT_IN_FLOAT32 else np.float64
    there: Floats = np.ascontiguousarray((groups > 0).T, dtype=dtype)  # (n, t)
    products, own = np.zeros((q, q)), np.zeros((q, q))
    step = max(1, min(q, AT_ONCE // (n * q)))
    for start in range(0, q, step):
        rows = slice(start, start + step)
        mine = np.stack([_centred(row, there) for row in groups[rows]])  # (s, i, t)
        theirs = mine
        if step < q:
            theirs = np.stack([_centred(row, there[:, rows]) for row in groups])  # (t, i, s)
        theirs = np.ascontiguousarray(theirs.transpose(2, 1, 0))
        own[rows] = np.einsum("sit,sit->st", mine, mine)
        products[rows] = np.einsum("sit,sit->st", mine, theirs)
    return _correlations(products, own)


def _centred(groups: Integers, there: Floats) -> Floats:
    """Return twice the centred ranks of one ranking among its candidates in each t, (n, t)."""
    order = np.argsort(groups, kind="stable")
    order = order[groups[order] > 0]
    own, present = groups[order], there[order]
    reached = np.zeros((len(order) + 1, there.shape[1]), dtype=there.dtype)
    reached[1:] = present
    running_sums(reached[1:])
    first, last = (np.searchsorted(own, own, side=side) for side in ("left", "right"))
    found = np.zeros(there.shape, dtype=there.dtype)
    found[order] = (reached[first] + reached[last] - reached[-1]) * present
    return found


def _correlations(products: Floats, own: Floats) -> Floats:
    size = np.sqrt(own * own.T)
    found: Floats = np.divide(products, size, out=np.full(size.shape, np.nan), where=size > 0)
    return found

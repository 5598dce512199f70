"""How well a ranking predicts judges that it has not seen."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from deadheat.core.types import Booleans, Floats, Integers
from deadheat.criteria.criterion import Measured, criterion
from deadheat.criteria.trials import Levels, Trials, placed
from deadheat.ranking.block import EXACT_IN_FLOAT32, WORKING_SET


@criterion("generalization", heading="unseen judges", over="trials")
def generalization(trials: Trials) -> Measured:
    r"""Tell how well the ranking agrees with judges that were not drawn.

    .. math:: \frac{1}{|J|} \sum_{k \in J} \sigma(f, y_{\cdot k})

    where J are the judges out of the bag and :math:`\sigma` is a rank correlation over the
    candidates that are there, each counted once.

    Differs from [1]_, which divides by m instead of the number of judges out of the bag, and
    writes the correlation of merits, higher is better, with ranks, lower is better. Differs from
    the authors' notebook, which counts a candidate as often as it was drawn. Judges who tie
    everybody have no correlation; they are skipped and counted, and so are trials in which no
    judge was left out, or that have fewer than two candidates.

    .. [1] Pavao, Vaccaro, Guyon (2021), "Judging competitions and benchmarks", ESANN, sec. 2.3.
    """
    weights = trials.task.results.weights
    unseen = (trials.judges == 0) & (weights > 0)
    asked = unseen & (trials.distinct > 1)[:, None]
    levels, weighed = trials.task.by_order(np.where(asked, weights, 0.0))
    sums, total, constant = agreement_with(
        levels,
        trials.groups,
        trials.copies,
        weighed,
        trials.task.by_order(np.asarray(asked, dtype=np.float32))[1],
        correlation=trials.task.correlation,
    )
    with np.errstate(invalid="ignore", divide="ignore"):
        values = np.where(total > 0, sums / total, np.nan)
    return Measured(
        values,
        {
            "no judge out of the bag": 1 - unseen.any(axis=1),
            "fewer than two candidates": (trials.distinct < 2).astype(int),
            "judges out of the bag": np.count_nonzero(asked, axis=1),
            "constant judges": constant,
        },
    )


# ------------------------------------------------------------------------------
# Rank correlations of many rankings with many judges, each trial over its own candidates.

CACHED = 2**15  # numbers in an array that stays in the cache
PAIRS = 2**20  # numbers in an array of pairs

Part = tuple[slice, Integers, Floats, Floats, Floats]


def agreement_with(
    levels: Levels,
    groups: Integers,
    copies: Floats,
    asked: Floats,
    number: Floats,
    *,
    correlation: str,
) -> tuple[Floats, Floats, Integers]:
    """Return sums of correlations over the judges asked, the weights of these, and what lacks one.

    ``groups`` (F, B, n) are rankings, ``copies`` (B, n) how often each candidate counts, and
    ``asked`` (B, m) the weight of each order of judges in each trial, mostly 0, and ``number``
    (B, m) how many judges that is. Both sums are (F, B). What lacks a correlation is the number of
    judges of each trial, (B,), who were asked and tie all who are there.
    """
    parts = _spearman if correlation == "spearman" else _kendall
    sums = np.zeros(groups.shape[:2])
    total = np.zeros(groups.shape[:2])
    constant = np.zeros(groups.shape[1])
    for rows, judges, products, own, theirs in parts(levels, groups, copies, asked > 0):
        weight = asked[rows][:, judges]
        varied = theirs > 0
        constant[rows] += np.where(varied, 0.0, number[rows][:, judges]).sum(axis=1)
        usable = np.where(varied, weight, 0.0)
        size = np.sqrt(own[:, :, None] * theirs[:, None, :])
        found = np.divide(products, size, out=np.zeros_like(size), where=size > 0)
        sums[:, rows] += np.matmul(found, usable[:, :, None])[:, :, 0].T
        total[:, rows] += ((own > 0) * usable.sum(axis=1, keepdims=True)).T
    return sums, total, constant.astype(int)


def _slices(size: int, step: int) -> Iterator[slice]:
    return (slice(start, min(start + step, size)) for start in range(0, size, max(step, 1)))


def _asked(asked: Booleans, most: int, cells: int) -> Iterator[tuple[slice, Integers]]:
    """Yield some trials and the judges that any of them asks, at most so many, together few."""
    for rows in _slices(len(asked), CACHED // max(cells, 1)):
        judges = np.flatnonzero(asked[rows].any(axis=0))
        for part in _slices(len(judges), most):
            yield rows, judges[part]


def _spearman(levels: Levels, groups: Integers, copies: Floats, asked: Booleans) -> Iterator[Part]:
    """Yield trials, judges, products of centred ranks (b, F, k) and the squares of each, in parts.

    How many copies stand above a candidate is a cumulative sum along the order of the judge.
    """
    m, n = levels.order.shape
    largest = float(copies.sum(axis=1).max(initial=1))
    dtype = np.float32 if largest**3 / 2 < EXACT_IN_FLOAT32 else np.float64
    counted: Floats = np.asarray(copies, dtype=dtype)
    own = np.empty((len(copies), len(groups), n), dtype=dtype)
    squares = np.empty(own.shape[:2])
    for f, rows in enumerate(groups):
        centred = placed(rows, copies)
        squares[:, f] = np.einsum("bi,bi->b", centred, centred * copies)
        own[:, f] = centred * copies
    whole = copies.sum(axis=1, dtype=np.float64)[:, None] ** 3
    for chosen, judges in _asked(asked, max(1, WORKING_SET // (4 * n)), n * m):
        doubled, cubes = _doubled(levels.of(judges), counted[chosen])
        products = np.matmul(own[chosen], doubled.swapaxes(1, 2)).astype(np.float64)
        yield chosen, judges, products, squares[chosen], (whole[chosen] - cubes) / 3


def _doubled(levels: Levels, copies: Floats) -> tuple[Floats, Floats]:
    """Return copies above plus copies above or level, (b, k, n), and sums of cubes of ties (b, k).

    The first is twice the rank of a candidate less one; for those who are absent it means nothing.
    The squares of centred ranks are a third of what the whole field cubed exceeds these sums by.
    """
    k, n = levels.order.shape
    rows = len(copies)
    in_order = np.take(copies, levels.order.ravel(), axis=1, mode="clip")
    reached = np.cumsum(in_order.reshape(rows, k, n), axis=2).reshape(rows, -1)
    start = (np.arange(k) * n)[:, None]
    upto = np.take(reached, (levels.last + start).ravel(), axis=1, mode="clip")
    upto = upto.reshape(rows, k, n)
    if levels.strict:  # everybody is level with its own copies alone
        cubes = (copies.astype(np.float64) ** 3).sum(axis=1, keepdims=True)
        return 2 * upto - copies[:, None, :], np.repeat(cubes, k, axis=1)
    reached -= in_order
    above = np.take(reached, (levels.first + start).ravel(), axis=1, mode="clip")
    above = above.reshape(rows, k, n)
    level = upto - above
    level *= level
    cubes = np.matmul(level.astype(np.float64), copies[:, :, None].astype(np.float64))
    return upto + above, cubes[:, :, 0]


def _kendall(levels: Levels, groups: Integers, copies: Floats, asked: Booleans) -> Iterator[Part]:
    """Yield the same for pairs of candidates: products and squares of signs, the parts of tau-b."""
    for b in range(len(copies)):
        there = np.flatnonzero(copies[b])
        mine = groups[:, b, there]
        weights = np.multiply.outer(copies[b, there], copies[b, there])
        judges = np.flatnonzero(asked[b])
        for part in _slices(len(judges), max(1, PAIRS // (2 * len(there)))):
            first = levels.first[judges[part]][:, there]
            found = [np.zeros((len(mine), len(first))), np.zeros(len(mine)), np.zeros(len(first))]
            step = PAIRS // (len(there) * max(len(first), len(mine)))
            for pairs in _slices(len(there), step):
                pair = weights[pairs].ravel()
                said = _signs(first, pairs)
                ranked = _signs(mine, pairs)
                found[0] += (ranked * pair) @ said.T
                found[1] += np.abs(ranked) @ pair
                found[2] += np.abs(said) @ pair
            products, own, theirs = (array[None] for array in found)
            yield slice(b, b + 1), judges[part], products, own, theirs


def _signs(places: Integers, chosen: slice) -> Floats:
    """Return which of two candidates stands higher, (k, pairs), the first among the chosen."""
    mine, yours = places[:, chosen, None], places[:, None, :]
    signs = np.greater(yours, mine).view(np.int8) - np.less(yours, mine).view(np.int8)
    return signs.reshape(len(places), -1).astype(np.float32)

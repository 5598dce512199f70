"""How well a ranking predicts judges that it has not seen."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from deadheat.core.types import Booleans, Floats, Integers
from deadheat.criteria.criterion import Measurement, criterion
from deadheat.criteria.trials import Levels, Trials, doubled_centred_ranks
from deadheat.ranking.block import EXACT_IN_FLOAT32, WORKING_SET


@criterion("generalization", heading="unseen {judges}", over="trials")
def generalization(trials: Trials) -> Measurement:
    r"""Tell how well the ranking agrees with judges that were not drawn.

    .. math:: \frac{1}{|J|} \sum_{k \in J} \sigma(f, y_{\cdot k})

    where J are the judges out of the bag and :math:`\sigma` is a rank correlation over the
    candidates that are there, each counted once. Judges who tie everybody are skipped and counted,
    and so are trials in which no judge was left out, or that have fewer than two candidates.

    [1]_ divides by m, and correlates merits, higher is better, with ranks, lower is better. The
    authors' notebook counts a candidate as often as it was drawn.

    .. [1] Pavao, Vaccaro, Guyon (2021), "Judging competitions and benchmarks", ESANN, sec. 2.3.
    """
    weights, task = trials.task.results.weights, trials.task
    unseen = (trials.judges == 0) & (weights > 0)
    asked = unseen & (trials.distinct > 1)[:, None]
    # Judges that order alike are one: with the sum of their weights, mostly 0, and so many.
    levels, weighed = task.by_order(np.where(asked, weights, 0.0))
    _, number = task.by_order(np.asarray(asked, dtype=np.float32))
    (sums, total), constant = np.zeros((2, *trials.groups.shape[:2])), np.zeros(len(asked))
    parts = _spearman if task.correlation == "spearman" else _kendall
    given = levels, trials.groups, trials.copies, weighed > 0
    for rows, judges, products, own, theirs in parts(*given):
        varied = theirs > 0  # else they tie all who are there
        constant[rows] += np.where(varied, 0.0, number[rows][:, judges]).sum(axis=1)
        usable = np.where(varied, weighed[rows][:, judges], 0.0)
        size = np.sqrt(own[:, :, None] * theirs[:, None, :])
        found = np.divide(products, size, out=np.zeros_like(size), where=size > 0)
        sums[:, rows] += np.matmul(found, usable[:, :, None])[:, :, 0].T
        total[:, rows] += ((own > 0) * usable.sum(axis=1, keepdims=True)).T
    with np.errstate(invalid="ignore", divide="ignore"):
        values = np.where(total > 0, sums / total, np.nan)
    counts = {
        "no judge out of the bag": 1 - unseen.any(axis=1),
        "fewer than two candidates": (trials.distinct < 2).astype(int),
        "judges out of the bag": np.count_nonzero(asked, axis=1),
        "constant judges": constant.astype(int),
    }
    return Measurement(values, counts)


# ------------------------------------------------------------------------------
# Rank correlations of rankings (F, B, n) with many judges, each trial over its own candidates, of
# which each counts so often (B, n).

CACHED = 2**15  # numbers in an array that stays in the cache
PAIRS = 2**20  # numbers in an array of pairs

Part = tuple[slice, Integers, Floats, Floats, Floats]


def _slices(size: int, step: int) -> Iterator[slice]:
    return (slice(start, min(start + step, size)) for start in range(0, size, max(step, 1)))


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
        centred = doubled_centred_ranks(rows, copies)
        squares[:, f] = np.einsum("bi,bi->b", centred, centred * copies)
        own[:, f] = centred * copies
    whole = copies.sum(axis=1, dtype=np.float64)[:, None] ** 3
    for some in _slices(len(asked), CACHED // max(n * m, 1)):
        heard = np.flatnonzero(asked[some].any(axis=0))
        for few in _slices(len(heard), max(1, WORKING_SET // (4 * n))):
            doubled, cubes = _doubled_ranks(levels.of(heard[few]), counted[some])
            products = np.matmul(own[some], doubled.swapaxes(1, 2)).astype(np.float64)
            yield some, heard[few], products, squares[some], (whole[some] - cubes) / 3


def _doubled_ranks(levels: Levels, copies: Floats) -> tuple[Floats, Floats]:
    """Return copies above plus copies above or level, (b, k, n), and sums of cubes of ties (b, k).

    The first is twice the rank of a candidate less one. The squares of centred ranks are a third of
    what the whole field cubed exceeds these sums by.
    """
    k, n = levels.order.shape
    shape = len(copies), k, n
    in_order = np.take(copies, levels.order.ravel(), axis=1, mode="clip")
    reached = np.cumsum(in_order.reshape(shape), axis=2).reshape(len(copies), -1)
    start = (np.arange(k) * n)[:, None]
    upto = np.take(reached, (levels.last + start).ravel(), axis=1, mode="clip").reshape(shape)
    if levels.strict:  # everybody is level with its own copies alone
        cubes = (copies.astype(np.float64) ** 3).sum(axis=1, keepdims=True)
        return 2 * upto - copies[:, None, :], np.repeat(cubes, k, axis=1)
    reached -= in_order
    above = np.take(reached, (levels.first + start).ravel(), axis=1, mode="clip").reshape(shape)
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

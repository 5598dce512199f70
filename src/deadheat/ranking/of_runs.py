"""Ranking functions that belong to one table of runs: each replicate asks anew who is best."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from deadheat.core.types import Floats, Integers, codes
from deadheat.data.results import Results
from deadheat.ranking.block import slices
from deadheat.ranking.function import RankingFunction, as_total, of_shares
from deadheat.ranking.ranks import winners

ALIKE = 1e-9  # weights that differ by no more of themselves are the same


def categories_won(
    scores: Floats,
    judge_weights: Floats,
    candidate_weights: Floats,
    *,
    categories: Integers,
    own_weights: Floats,
) -> Floats:
    r"""Rank by the share of categories won; a shared first place is shared equally.

    .. math:: f_i = \frac{1}{\sum_c t_c}
        \sum_c t_c \frac{[i \text{ is first in } c]}{\#\{\text{first in } c\}}

    A category is won by the largest weighted total of its judges, and counts as often as it was
    drawn, :math:`t_c`. One in which all who are there are tied is won by nobody; one without a
    judge is not there. ``own_weights``, those of the judges in the table, count inside a category
    alone.

    .. [1] Russakovsky et al. (2015), "ImageNet large scale visual recognition challenge",
           International Journal of Computer Vision 115.
    """
    present = candidate_weights > 0
    copies = candidate_weights.sum(axis=1, keepdims=True)
    won = np.zeros(present.shape)
    contests = np.zeros((len(present), 1))
    for category in range(int(categories.max()) + 1):
        its = categories == category
        weights, part = judge_weights[:, its], scores[:, its]
        totals = np.where(present, weights @ part.T, np.nan)
        size = np.abs(part).max(initial=0.0) * weights.sum(axis=1, keepdims=True)
        first = winners(totals, unit=size)
        sharing = (first * candidate_weights).sum(axis=1, keepdims=True)
        decided = (sharing < copies) | (copies == 1)
        times = _times_drawn(weights, own_weights[its])
        won += np.where(first & decided, times / np.maximum(sharing, 1), 0.0)
        contests += times
    return np.asarray(won / np.where(contests > 0, contests, 1.0))


def _times_drawn(weights: Floats, own_weights: Floats) -> Floats:
    """Return how often a category was drawn, (B, 1), given the weights of its judges (B, s)."""
    there = own_weights > 0
    if not there.any():
        return np.zeros((len(weights), 1))
    drawn = weights[:, there] / own_weights[there]
    least, most = drawn.min(axis=1, keepdims=True), drawn.max(axis=1, keepdims=True)
    # Where judges do not come and go together: how often two levels drew it, or once.
    whole_times = np.maximum(np.rint(drawn.mean(axis=1, keepdims=True)), 1.0)
    return np.asarray(np.where(most - least <= ALIKE * most, most, whole_times))


def relative_to_best(
    scores: Floats,
    judge_weights: Floats,
    candidate_weights: Floats,
    *,
    instances: Integers,
    by_logarithm: bool,
) -> Floats:
    """Rank by the mean of scores relative to the best run of the instance in a replicate."""
    total = judge_weights.sum(axis=1, keepdims=True)
    fields, which = np.unique(candidate_weights > 0, axis=0, return_inverse=True)
    merits = np.zeros(candidate_weights.shape)
    for k, field in enumerate(fields):
        rows = np.flatnonzero(which.ravel() == k)
        best_seen = scores[field].max(axis=0, initial=0.0)
        for some in slices(len(rows), len(instances)):
            chosen = rows[some]
            for weights, best in _by_seed(best_seen, instances, judge_weights[chosen]):
                rescaled = _rescaled(scores, best, by_logarithm=by_logarithm)
                merits[chosen] += weights @ rescaled.T
    return np.asarray(merits / total)


def _by_seed(best: Floats, instances: Integers, weights: Floats) -> Iterator[tuple[Floats, Floats]]:
    """Yield the weights of the judges whose best is that of the k-th best seed, and that best."""
    m = len(instances)
    order = np.lexsort((-best, instances))
    starts = np.flatnonzero(np.diff(instances[order], prepend=-1))
    if len(starts) == m:
        yield weights, best
        return
    drawn = weights[:, order] > 0
    first = np.minimum.reduceat(np.where(drawn, np.arange(m), m), starts, axis=1)
    k_first = np.where(first < m, first - starts, 0)  # none drawn: nothing is weighed
    for k in range(int(k_first.max()) + 1):
        place = order[np.minimum(starts + k, m - 1)]
        yield weights * (k_first == k)[:, instances], best[place][instances]


def _rescaled(scores: Floats, best: Floats, *, by_logarithm: bool) -> Floats:
    """Return Q*/Q, or 1 / (1 + log10(T/T*)), of solved runs for another Q* or T*."""
    solved = (scores > 0) & (best > 0)
    safe, top = np.where(solved, scores, 1.0), np.where(best > 0, best, 1.0)
    return np.where(solved, 1 / (1 + 1 / safe - 1 / top) if by_logarithm else safe / top, scores)


def as_categories(merits: Floats, results: Results) -> Floats:
    return merits * len(set(results.strata or results.instances or results.judges))


def function_of_rule(results: Results) -> RankingFunction | None:
    """Return the function of the rule that scored the table, where no registered one will do."""
    kernel: Callable[..., Floats]
    if results.by == "categories_won":  # a category is a stratum, else an instance
        categories = codes(results.strata or results.instances or results.judges)
        kernel = partial(categories_won, categories=categories, own_weights=results.weights)
        how: dict[str, Any] = {"heading": "categories won", "magnitude": of_shares}
        how |= {"shown": as_categories, "__doc__": categories_won.__doc__}
    elif results.by in ("ipc_sat", "ipc_agile"):
        instances, agile = codes(results.instances or results.judges), results.by == "ipc_agile"
        kernel = partial(relative_to_best, instances=instances, by_logarithm=agile)
        how = {"heading": "mean", "shown": as_total, "__doc__": relative_to_best.__doc__}
    else:
        return None
    how |= {"form": "scores", "scale": "interval", "shared_scale": True}
    return RankingFunction(name=results.by, kernel=kernel, **how)


def function_for(results: Results, f: RankingFunction) -> RankingFunction:
    """Return a function for this table: the same, unless it belongs to one."""
    own = function_of_rule(results)
    return own if own is not None and own.name == f.name else f

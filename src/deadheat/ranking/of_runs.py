"""Ranking functions that belong to one table of runs: categories won, and scores beside the best.

Their rules look at other candidates, so that each replicate asks anew who is best.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

import numpy as np

from deadheat.core.types import Floats, Integers
from deadheat.data.results import Results
from deadheat.ranking.block import WORKING_SET
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
    judge is not there. ``own_weights`` are those of the judges in the table, before any draw: they
    count inside a category alone.

    References
    ----------
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
    """Return how often a category was drawn, (B, 1), given the weights of its judges (B, s).

    One whose judges come and go together was drawn as often as each of them. Of any other, judges
    were drawn or left out one by one: it is there once, or as many whole times as each of them on
    average, which is how often two levels drew it.
    """
    there = own_weights > 0
    if not there.any():
        return np.zeros((len(weights), 1))
    drawn = weights[:, there] / own_weights[there]
    least, most = drawn.min(axis=1, keepdims=True), drawn.max(axis=1, keepdims=True)
    whole_times = np.maximum(np.rint(drawn.mean(axis=1, keepdims=True)), 1.0)
    return np.asarray(np.where(most - least <= ALIKE * most, most, whole_times))


def relative_to_best(
    scores: Floats,
    judge_weights: Floats,
    candidate_weights: Floats,
    *,
    instances: Integers,
    rescaled: Callable[[Floats, Floats], Floats],
) -> Floats:
    """Rank by the mean of scores whose best is looked for among the runs of a replicate.

    The best is that of the instance, over all candidates that are present and all of its seeds
    that are drawn; a plan that draws instances whole keeps their seeds.
    """
    total = judge_weights.sum(axis=1, keepdims=True)
    fields, which = np.unique(candidate_weights > 0, axis=0, return_inverse=True)
    merits = np.zeros(candidate_weights.shape)
    for k, field in enumerate(fields):
        rows = np.flatnonzero(which.ravel() == k)
        best_seen = scores[field].max(axis=0, initial=0.0)
        step = max(1, WORKING_SET // len(instances))
        for start in range(0, len(rows), step):
            chosen = rows[start : start + step]
            for weights, best in _by_seed(best_seen, instances, judge_weights[chosen]):
                merits[chosen] += weights @ rescaled(scores, best).T
    return np.asarray(merits / total)


def _by_seed(
    best: Floats, instances: Integers, judge_weights: Floats
) -> Iterator[tuple[Floats, Floats]]:
    """Yield the weights of the judges whose best is that of the k-th best seed, and that best.

    The first seed of an instance that is drawn, from the best on, sets the best of it.
    """
    m = len(instances)
    order = np.lexsort((-best, instances))
    starts = np.flatnonzero(np.diff(instances[order], prepend=-1))
    if len(starts) == m:
        yield judge_weights, best
        return
    drawn = judge_weights[:, order] > 0
    first = np.minimum.reduceat(np.where(drawn, np.arange(m), m), starts, axis=1)
    k_first = np.where(first < m, first - starts, 0)  # none drawn: nothing is weighed
    for k in range(int(k_first.max()) + 1):
        place = order[np.minimum(starts + k, m - 1)]
        yield judge_weights * (k_first == k)[:, instances], best[place][instances]


def ratios(scores: Floats, best: Floats) -> Floats:
    """Return Q*/Q for another Q*: quotients of quotients."""
    return _where_positive(scores, best, lambda y, top: y / top)


def agile(scores: Floats, best: Floats) -> Floats:
    """Return 1 / (1 + log10(T/T*)) for another T*: differences of the logarithms inside."""
    return _where_positive(scores, best, lambda y, top: 1 / (1 + 1 / y - 1 / top))


def _where_positive(
    scores: Floats, best: Floats, rescale: Callable[[Floats, Floats], Floats]
) -> Floats:
    """Rescale solved runs; what is not solved, or penalised, stays as it is."""
    solved = (scores > 0) & (best > 0)
    safe, top = np.where(solved, scores, 1.0), np.where(best > 0, best, 1.0)
    return np.where(solved, rescale(safe, top), scores)


def as_categories(merits: Floats, results: Results) -> Floats:
    return merits * (int(_categories(results).max()) + 1)


def _categories(results: Results) -> Integers:
    """Return the category of each judge: its stratum, else its instance."""
    return _codes(results.strata or results.instances or results.judges)


def _codes(labels: Sequence[str]) -> Integers:
    known: dict[str, int] = {}
    return np.array([known.setdefault(label, len(known)) for label in labels])


def bound_function(results: Results) -> RankingFunction | None:
    """Return the function of the rule that scored the table, where no registered one will do."""
    made = partial(
        RankingFunction, name=results.by, form="scores", scale="interval", shared_scale=True
    )
    if results.by == "categories_won":
        categories = _categories(results)
        return made(
            kernel=partial(categories_won, categories=categories, own_weights=results.weights),
            shown=as_categories,
            heading="categories won",
            magnitude=of_shares,
            __doc__=categories_won.__doc__,
        )
    rescaled = {"ipc_sat": ratios, "ipc_agile": agile}.get(results.by)
    if rescaled is None:
        return None
    instances = _codes(results.instances or results.judges)
    return made(
        kernel=partial(relative_to_best, instances=instances, rescaled=rescaled),
        shown=as_total,
        heading="mean",
        __doc__=relative_to_best.__doc__,
    )


def bound_to(results: Results, f: RankingFunction) -> RankingFunction:
    """Return a function for this table: the same, unless it belongs to one."""
    own = bound_function(results)
    return own if own is not None and own.name == f.name else f

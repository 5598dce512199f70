"""Ranking functions of scoring rules that look at other candidates; each belongs to one table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from deadheat.data.results import Results
from deadheat.ranking.function import RankingFunction, as_total
from deadheat.ranking.ranks import winners
from deadheat.typing import Booleans, Floats, Integers


def bound_function(results: Results) -> RankingFunction | None:
    """Return the function of the rule that scored the table, where no registered one will do."""
    maker = _MAKERS.get(results.by)
    return None if maker is None else maker(results)


def categories_won(
    scores: Floats, judge_weights: Floats, candidate_weights: Floats, *, categories: Integers
) -> Floats:
    r"""Rank by the share of categories won; a shared first place is shared equally.

    .. math:: f_i = \frac{1}{C} \sum_c \frac{[i \text{ is first in } c]}{\#\{\text{first in } c\}}

    A category is won by the largest weighted total of its judges. One in which all who are there
    are tied is won by nobody; one without a judge is not there.

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
        there = weights.sum(axis=1, keepdims=True) > 0
        decided = there & ((sharing < copies) | (copies == 1))
        won += np.where(first & decided, 1 / np.maximum(sharing, 1), 0.0)
        contests += there
    return won / np.maximum(contests, 1)


def relative_to_best(
    scores: Floats,
    judge_weights: Floats,
    candidate_weights: Floats,
    *,
    instances: Integers,
    rescaled: Callable[[Floats, Floats], Floats],
) -> Floats:
    """Rank by the mean of scores whose best is looked for among the candidates that are present.

    The best is that of the instance, over all its seeds, drawn or not: a replicate draws judges
    from runs that were made.
    """
    total = judge_weights.sum(axis=1, keepdims=True)
    fields, which = np.unique(candidate_weights > 0, axis=0, return_inverse=True)
    merits = np.empty(candidate_weights.shape)
    for k, field in enumerate(fields):
        rows = which.ravel() == k
        best = _best(scores, field, instances)
        merits[rows] = judge_weights[rows] @ rescaled(scores, best).T
    return np.asarray(merits / total)


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


def _best(scores: Floats, field: Booleans, instances: Integers) -> Floats:
    of_judge = scores[field].max(axis=0, initial=0.0)
    best = np.zeros(int(instances.max()) + 1)
    np.maximum.at(best, instances, of_judge)
    return np.asarray(best[instances])


def as_categories(merits: Floats, results: Results) -> Floats:
    """Show a share of the categories as their number."""
    return merits * (int(_categories(results).max()) + 1)


def _categories(results: Results) -> Integers:
    """Return the category of each judge: its stratum, else its instance, else itself."""
    return _codes(results.strata or results.clusters or results.judges)


def _codes(labels: Sequence[str]) -> Integers:
    known: dict[str, int] = {}
    return np.array([known.setdefault(label, len(known)) for label in labels])


def _bound_categories(results: Results) -> RankingFunction:
    return RankingFunction(
        name="categories_won",
        kernel=partial(categories_won, categories=_categories(results)),
        form="scores",
        scale="interval",
        shared_scale=True,
        shown=as_categories,
        heading="categories won",
        magnitude=_of_share,
        __doc__=categories_won.__doc__,
    )


def _of_share(scores: Floats, judge_weights: Floats) -> float:  # noqa: ARG001 - as Magnitude
    return 1.0


def _bound_to_best(
    results: Results, *, name: str, rescaled: Callable[[Floats, Floats], Floats]
) -> RankingFunction:
    instances = _codes(results.clusters or results.judges)
    return RankingFunction(
        name=name,
        kernel=partial(relative_to_best, instances=instances, rescaled=rescaled),
        form="scores",
        scale="interval",
        shared_scale=True,
        shown=as_total,
        heading="mean",
        __doc__=relative_to_best.__doc__,
    )


_MAKERS: dict[str, Callable[[Results], RankingFunction]] = {
    "categories_won": _bound_categories,
    "ipc_sat": partial(_bound_to_best, name="ipc_sat", rescaled=ratios),
    "ipc_agile": partial(_bound_to_best, name="ipc_agile", rescaled=agile),
}

"""Ratings across data sets: what they say together, and data sets that go against the others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from deadheat.core.types import Floats, Integers
from deadheat.ranking.block import WORKING_SET
from deadheat.ranking.ranks import best_first, best_of, ranks
from deadheat.statistics.corrections import adjusted
from deadheat.statistics.embedding import RatingMatrix

ALL_EQUAL = 1e-9  # of the largest rating: ratings that vary less do not vary
HALF = 0.5 * (1 - 1e-12)  # of the weights, whose sums are rounded


@dataclass(frozen=True, eq=False, kw_only=True)
class Agreement:
    """Hold how the ratings of each data set agree with those of the others, an entry per data set.

    ``with_others`` is the upper median of the correlations with each other data set: at least half
    of the others correlate so much or more; NaN where it, or all others, give equal ratings, as
    ``low`` to ``high`` (percentiles) and ``p_reversed`` (of "it is not negative", by Holm) are
    without replicates. ``discordant`` is the mean share of pairs of settings in another order.
    ``reversed_`` are the data sets with a negative correlation, the most negative first;
    ``common_order`` is whether they are less than half by weight. ``camps`` are two, if all
    correlations are positive within them and negative between them; else nothing.
    """

    data_sets: tuple[str, ...]
    with_others: Floats
    discordant: Floats
    low: Floats
    high: Floats
    p_reversed: Floats
    reversed_: tuple[str, ...]
    beyond_noise: tuple[str, ...]
    common_order: bool
    spread: Floats
    alpha: float
    camps: tuple[tuple[str, ...], ...] = ()


def data_set_agreement(
    matrix: RatingMatrix,
    *,
    replicates: Sequence[Floats] | None = None,
    weights: Floats | None = None,
    alpha: float = 0.05,
) -> Agreement:
    """Compare each data set with each of the others, by the ratings of the same settings.

    ``replicates`` are per data set the ratings (B, K) of resampled rounds, each by itself.

    Correlations do not depend on how large ratings are, and a median not on one data set that
    reverses the order: neither makes others look reversed. In replicates ratings are noisier than
    observed, so that correlations are nearer to 0: few splits hide a reversal and make none up.
    Differs from Gosiewska et al. (2019), which sees a reversal in a picture (data set 334, fig. 2).
    """
    matrix.require_whole()
    number = len(matrix.ratings)
    weight = np.ones(number) if weights is None else weights
    correlations = _with_the_others(matrix.ratings[:, None, :], weight)[:, 0]
    low, high, p = (np.full(number, np.nan) for _ in range(3))
    if replicates is not None:
        least, last = max(number, replicates[0].shape[1]), min(map(len, replicates))
        step = max(1, WORKING_SET // (number * least))
        tiles = (
            np.stack([np.asarray(each[k : min(k + step, last)], np.float64) for each in replicates])
            for k in range(0, last, step)
        )
        again = np.concatenate([_with_the_others(tile, weight) for tile in tiles], axis=1)
        known = ~np.isnan(again).all(axis=1) & ~np.isnan(correlations)
        low[known], high[known] = np.nanquantile(again[known], [alpha / 2, 1 - alpha / 2], axis=1)
        counts = np.count_nonzero(~(again[known] < 0), axis=1)
        p[known] = adjusted((counts + 1) / (again.shape[1] + 1), "holm")
    against = [d for d in best_first(-correlations).tolist() if correlations[d] < 0]
    return Agreement(
        data_sets=matrix.data_sets,
        with_others=correlations,
        discordant=_discordant(matrix.ratings, weight),
        low=low,
        high=high,
        p_reversed=p,
        reversed_=tuple(matrix.data_sets[d] for d in against),
        beyond_noise=tuple(matrix.data_sets[d] for d in against if p[d] <= alpha),
        common_order=bool(2 * weight[against].sum() < weight.sum()),
        spread=matrix.ratings.std(axis=1),
        alpha=alpha,
        camps=_camps(matrix, weight),
    )


def _camps(matrix: RatingMatrix, weight: Floats) -> tuple[tuple[str, ...], ...]:
    """Return two camps of data sets that agree inside and oppose each other, those that count."""
    there = np.flatnonzero(weight > 0)
    pairwise = _correlations(matrix.ratings[there])
    first = pairwise[0] > 0
    alike = first[:, None] == first
    if first.all() or not (np.where(alike, pairwise, -pairwise) > 0).all():
        return ()
    return tuple(tuple(matrix.data_sets[d] for d in there[chosen]) for chosen in (first, ~first))


@dataclass(frozen=True, eq=False, kw_only=True)
class AcrossDataSets:
    """Hold what the data sets say together about each setting, arrays (K,).

    ``mean`` and ``sd`` are weighted; ``best_on`` and ``worst_on`` are numbers of data sets.
    """

    settings: tuple[str, ...]
    mean: Floats
    sd: Floats
    low: Floats
    high: Floats
    best_on: Integers
    worst_on: Integers


def across_data_sets(matrix: RatingMatrix, *, weights: Floats | None = None) -> AcrossDataSets:
    """Return the mean rating of each setting over data sets, and how far it varies.

    Data sets with little split noise have larger ratings, and so a larger say in the mean: see
    :func:`deadheat.rate.calibration.split_sd`.
    """
    matrix.require_whole()
    weight = np.ones(len(matrix.ratings)) if weights is None else weights
    share = weight / weight.sum()
    mean = share @ matrix.ratings
    return AcrossDataSets(
        settings=matrix.settings,
        mean=mean,
        sd=np.sqrt(share @ (matrix.ratings - mean) ** 2),
        low=matrix.ratings.min(axis=0),
        high=matrix.ratings.max(axis=0),
        best_on=np.array([best_of(each) for each in matrix.ratings.T]),
        worst_on=np.array([best_of(-each) for each in matrix.ratings.T]),
    )


def _with_the_others(ratings: Floats, weight: Floats) -> Floats:
    """Return the upper medians (D, B) of the correlations of ratings (D, B, K) with the others.

    That is the largest value that half of the weights reach; NaN where nothing has weight.
    """
    pairwise = _correlations(np.moveaxis(ratings, 1, 0))
    counts = np.where(np.isnan(pairwise), 0.0, weight * ~np.eye(len(weight), dtype=bool))
    order = np.argsort(-pairwise, axis=-1, kind="stable")
    reached = np.cumsum(np.take_along_axis(counts, order, axis=-1), axis=-1)
    total = reached[..., -1:]
    place = np.argmax((reached >= HALF * total) & (reached > 0), axis=-1)
    at = np.take_along_axis(order, place[..., None], axis=-1)
    found = np.take_along_axis(pairwise, at, axis=-1)
    return np.asarray(np.where(total > 0, found, np.nan)[..., 0]).T


def _correlations(rows: Floats) -> Floats:
    """Return the correlations (..., D, D) of rows (..., D, K); NaN for those that do not vary."""
    rows = rows - rows.mean(axis=-1, keepdims=True)
    sizes = np.sqrt((rows**2).sum(axis=-1, keepdims=True))
    noise = ALL_EQUAL * np.abs(rows).max(axis=(-2, -1), keepdims=True, initial=0.0)
    unit = rows / np.where(sizes > noise, sizes, np.nan)
    return np.asarray(np.clip(unit @ np.swapaxes(unit, -2, -1), -1, 1))


def _discordant(ratings: Floats, weight: Floats) -> Floats:
    """Return the mean share of pairs of settings in the other order than another has them, (D,)."""
    number, settings = ratings.shape
    opposed = np.zeros((number, number))
    standing = ranks(ratings)  # equals differ by rounding alone
    for k in range(settings - 1):
        signs = np.sign(standing[:, k + 1 :] - standing[:, k, None])
        above, below = (signs > 0).astype(float), (signs < 0).astype(float)
        opposed += above @ below.T + below @ above.T
    others = weight * ~np.eye(number, dtype=bool)
    shares = opposed / (settings * (settings - 1) / 2)
    return np.asarray((others * shares).sum(axis=1) / others.sum(axis=1))

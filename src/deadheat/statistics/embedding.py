"""Ratings of the same settings on several data sets: their matrix, and data sets as points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from deadheat.core.errors import DataError, UsageError, counted, listed, quoted
from deadheat.core.types import Booleans, Floats, require_whole
from deadheat.ranking.ranks import best_first

ALIKE = 1e-9  # loadings this close in size are equal: the first of them decides the sign
NO_VARIANCE = 1e-24  # of the squares of the ratings


@dataclass(frozen=True, eq=False, kw_only=True)
class RatingMatrix:
    data_sets: tuple[str, ...]
    settings: tuple[str, ...]
    ratings: Floats  # (D, K), NaN where a setting was not rated on a data set
    separated: Booleans  # (D, K), where it is a penalised one because no finite estimate exists

    @property
    def best_first(self) -> list[str]:
        """The settings, highest mean rating first; a mean is over the data sets that have it."""
        rated = ~np.isnan(self.ratings)
        means = np.where(rated, self.ratings, 0.0).sum(axis=0) / np.maximum(rated.sum(axis=0), 1)
        return [self.settings[k] for k in best_first(means).tolist()]

    def of(self, settings: Sequence[str]) -> RatingMatrix:
        """Return the columns of some settings."""
        at = [self.settings.index(name) for name in settings]
        ratings, separated = self.ratings[:, at], self.separated[:, at]
        return replace(self, settings=tuple(settings), ratings=ratings, separated=separated)

    def require_whole(self) -> None:
        holes = np.argwhere(np.isnan(self.ratings)).tolist()
        if holes:
            names = [f"{self.settings[k]} on {self.data_sets[d]}" for d, k in holes]
            raise DataError(
                f"{counted(len(holes), 'rating')} of {self.ratings.size:,} "
                f"{'is' if len(holes) == 1 else 'are'} missing: {listed(names, most=5)}.",
                hint="rate the missing ones, or leave out these settings or data sets.",
            )


def rating_matrix(
    ratings: Mapping[str, Mapping[str, float]],
    *,
    separated: Mapping[str, Sequence[str]] | None = None,
) -> RatingMatrix:
    """Return the matrix of finite ratings; ``separated`` names settings with penalised ones."""
    settings = tuple(dict.fromkeys(name for row in ratings.values() for name in row))
    column = {name: k for k, name in enumerate(settings)}
    cells = np.full((len(ratings), len(settings)), np.nan)
    flagged = np.zeros(cells.shape, dtype=bool)
    for d, (data_set, row) in enumerate(ratings.items()):
        for name, rating in row.items():
            if np.isinf(rating):
                raise UsageError(
                    f"the rating of {quoted(name)} on {quoted(data_set)} is {rating}.",
                    hint="give the penalised rating, which is finite.",
                )
            cells[d, column[name]] = rating
        flagged[d, [column[name] for name in (separated or {}).get(data_set, ())]] = True
    names = {"data_sets": tuple(ratings), "settings": settings}
    return RatingMatrix(**names, ratings=cells, separated=flagged)


@dataclass(frozen=True, eq=False, kw_only=True)
class Embedding:
    data_sets: tuple[str, ...]
    settings: tuple[str, ...]
    points: Floats  # (D, c), as far apart as rows of ratings, so far as c components show
    loadings: Floats  # (K, c), the direction of each setting; the columns have length 1
    shares: Floats  # (c,), the share of the variance that each component shows
    centre: Floats  # (K,), the mean rating of each setting, which was taken away
    separated: tuple[tuple[str, str], ...]  # (data set, setting) with a penalised rating

    @property
    def arrows(self) -> Floats:
        """The loadings (K, c), stretched by one factor so that they reach as far as the points."""
        reach, length = (np.sqrt((x**2).sum(axis=1)).max() for x in (self.points, self.loadings))
        return np.asarray(self.loadings * (reach / length))


def embedding(matrix: RatingMatrix, *, components: int = 2) -> Embedding:
    r"""Return the principal components of the data sets, by the ratings of the same settings.

    With the matrix centred by column, :math:`M = U S V'`: the points are :math:`U S`, the loadings
    :math:`V`, and component c shows :math:`s_c^2 / \sum s^2` of the variance. The largest loading
    of a component is positive. Gosiewska et al. (2019, "EPP: interpretable score of model
    predictive power", sec. 5.3 and fig. 4) say nothing about centring, scaling and sign.
    """
    matrix.require_whole()
    data_sets, settings = matrix.ratings.shape
    if data_sets < 2 or settings < 1:
        raise DataError(
            "an embedding needs 2 data sets and a setting that all have, and there are "
            f"{counted(data_sets, 'data set')} and {counted(settings, 'setting')}.",
            hint="rate the same settings on more data sets.",
        )
    require_whole("components", components, 1, hint="2 make a map.")
    kept = min(components, data_sets - 1, settings)
    centre = matrix.ratings.mean(axis=0)
    centred = matrix.ratings - centre
    total = float((centred**2).sum())
    if total <= NO_VARIANCE * float((matrix.ratings**2).sum()):
        raise DataError(
            f"all {data_sets} data sets give the same ratings.",
            hint="there is nothing to embed.",
        )
    left, sizes, right = np.linalg.svd(centred, full_matrices=False)
    signs = _signs(right[:kept].T)
    flagged = np.argwhere(matrix.separated).tolist()
    return Embedding(
        data_sets=matrix.data_sets,
        settings=matrix.settings,
        points=left[:, :kept] * sizes[:kept] * signs,
        loadings=right[:kept].T * signs,
        shares=sizes[:kept] ** 2 / total,
        centre=centre,
        separated=tuple((matrix.data_sets[d], matrix.settings[k]) for d, k in flagged),
    )


def _signs(columns: Floats) -> Floats:
    """Return 1 or -1 per column, by which its largest entry becomes positive."""
    sizes = np.abs(columns)
    largest = np.argmax(sizes >= sizes.max(axis=0) - ALIKE, axis=0)
    return np.where(columns[largest, np.arange(columns.shape[1])] < 0, -1.0, 1.0)


# Things as points whose distances on paper are as near as can be to given ones.

STEPS = 1_000
SETTLED = 1e-12  # a step that lowers the loss by a smaller share is the last


class Scaling(NamedTuple):
    points: Floats  # (k, 2)
    stress: float  # Kruskal's: the root of the squared errors over the squared distances on the map


def scale_to_plane(distances: Floats) -> Scaling:
    r"""Return points in the plane with nearly these distances (k, k).

    Metric multidimensional scaling: the loss :math:`\sum_{i<j} (d_{ij} - \delta_{ij})^2` is lowered
    step by step by SMACOF (de Leeuw 1977), beginning from the classical solution (Torgerson 1952).
    The points are turned to their principal axes; the largest coordinate on each is positive.
    """
    wanted = np.maximum((distances + distances.T) / 2, 0)
    np.fill_diagonal(wanted, 0)
    points = classical(wanted)
    here = between(points)
    loss = float(((here - wanted) ** 2).sum() / 2)
    for _ in range(STEPS):
        # The minimum of the quadratic that lies above the loss and touches it here.
        ratio = np.divide(wanted, here, out=np.zeros_like(here), where=here > 0)
        moved = (ratio.sum(axis=1)[:, None] * points - ratio @ points) / len(points)
        there = between(moved)
        lower = float(((there - wanted) ** 2).sum() / 2)
        if lower >= loss * (1 - SETTLED):
            break
        points, here, loss = moved, there, lower
    size = float((here**2).sum() / 2)
    stress = float(np.sqrt(loss / size)) if size > 0 else 0.0
    if len(points):  # around their middle, along their principal axes, with settled signs
        centred = points - points.mean(axis=0)
        _, _, axes = np.linalg.svd(centred, full_matrices=False)
        turned = centred @ axes.T if len(axes) == 2 else centred
        points = turned * _signs(turned)
    return Scaling(points=np.asarray(points), stress=stress)


def classical(distances: Floats) -> Floats:
    r"""Return Torgerson's points (k, 2): the leading axes of :math:`-\frac12 J \Delta^2 J`."""
    size = len(distances)
    points = np.zeros((size, 2))
    if size < 2:
        return points
    squared = distances**2
    rows = squared.mean(axis=1)
    products = -(squared - rows[:, None] - rows[None, :] + rows.mean()) / 2
    values, vectors = np.linalg.eigh(products)
    kept = min(2, size - 1)
    points[:, :kept] = (vectors * np.sqrt(np.maximum(values, 0)))[:, ::-1][:, :kept]
    return points


def between(points: Floats) -> Floats:
    return np.asarray(np.linalg.norm(points[:, None] - points, axis=2))

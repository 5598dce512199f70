"""Things as points whose distances on paper are as near as can be to given ones."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from deadheat.errors import UsageError
from deadheat.typing import Floats

STEPS = 1_000
SETTLED = 1e-12  # a step that lowers the loss by a smaller share is the last


@dataclass(frozen=True, eq=False, kw_only=True)
class Scaling:
    """Hold k things as points (k, 2), and how far their distances are off.

    ``stress`` is Kruskal's: the root of the sum of squared errors of the distances, as a share of
    that of the distances on the map. 0 is a faithful map.
    """

    points: Floats
    stress: float


def scaled(distances: Floats) -> Scaling:
    r"""Return points in the plane with nearly these distances (k, k).

    Metric multidimensional scaling: the loss :math:`\sum_{i<j} (d_{ij} - \delta_{ij})^2` is lowered
    step by step by SMACOF [1]_, beginning from the classical solution [2]_, so that there is no
    chance in it. The points are turned to their principal axes; the largest coordinate on each axis
    is positive.

    References
    ----------
    .. [1] de Leeuw (1977), "Applications of convex analysis to multidimensional scaling".
    .. [2] Torgerson (1952), "Multidimensional scaling: I. Theory and method", Psychometrika 17.

    Examples
    --------
    >>> found = scaled(np.array([[0.0, 3, 4], [3, 0, 5], [4, 5, 0]]))
    >>> round(found.stress, 6)
    0.0
    """
    given = np.asarray(distances, dtype=np.float64)
    if given.ndim != 2 or given.shape[0] != given.shape[1] or not np.isfinite(given).all():
        raise UsageError(
            f"distances of shape {given.shape} cannot be drawn as a map.",
            hint="give a square matrix without undefined entries.",
        )
    wanted = np.maximum((given + given.T) / 2, 0)
    np.fill_diagonal(wanted, 0)
    points = classical(wanted)
    loss = _loss(points, wanted)
    for _ in range(STEPS):
        moved = _step(points, wanted)
        lower = _loss(moved, wanted)
        if lower >= loss * (1 - SETTLED):
            break
        points, loss = moved, lower
    return Scaling(points=_turned(points), stress=_stress(points, loss))


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
    """Return the distances (k, k) between points."""
    apart = points[:, None, :] - points[None, :, :]
    return np.asarray(np.sqrt((apart**2).sum(axis=2)))


def _step(points: Floats, wanted: Floats) -> Floats:
    """Return the minimum of the quadratic that lies above the loss and touches it here."""
    here = between(points)
    ratio = np.divide(wanted, here, out=np.zeros_like(here), where=here > 0)
    return np.asarray((ratio.sum(axis=1)[:, None] * points - ratio @ points) / len(points))


def _loss(points: Floats, wanted: Floats) -> float:
    return float(((between(points) - wanted) ** 2).sum() / 2)


def _stress(points: Floats, loss: float) -> float:
    size = float((between(points) ** 2).sum() / 2)
    return float(np.sqrt(loss / size)) if size > 0 else 0.0


def _turned(points: Floats) -> Floats:
    """Return the points around their middle, along their principal axes, with settled signs."""
    if not len(points):
        return points
    centred = points - points.mean(axis=0)
    _, _, axes = np.linalg.svd(centred, full_matrices=False)
    turned = centred @ axes.T if len(axes) == 2 else centred
    sizes = np.abs(turned)
    largest = np.argmax(sizes >= sizes.max(axis=0) - ALIKE, axis=0)
    return np.asarray(turned * np.where(turned[largest, [0, 1]] < 0, -1.0, 1.0))

"""Judges as points and candidates as directions: a biplot of the ranks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from deadheat.data.results import Results
from deadheat.inference.clustered import ranks_by, seen_judges
from deadheat.inference.embedding import RatingMatrix, embedding
from deadheat.typing import Floats, Integers

SAME = 1e-9  # of ranks that differ by no more


@dataclass(frozen=True, eq=False, kw_only=True)
class JudgeMap:
    """Hold the places of judges (m, 2) and the directions of candidates (n, 2).

    ``shares`` are the shares of all differences between judges that the two axes show; both are 0
    where all judges rank alike. ``judges`` are those looked at, by position in the table.
    """

    judges: Integers
    points: Floats
    arrows: Floats
    shares: tuple[float, float]


def judge_map(results: Results) -> JudgeMap:
    """Return the two principal components of the ranks that judges give, of a table without holes.

    Judges that rank alike are close. A candidate points to the judges that rank it better than
    others do.

    Examples
    --------
    >>> table = Results(scores=[[3, 1], [2, 2], [1, 3]], better="higher")
    >>> found = judge_map(table)
    >>> found.shares, found.points.round(3).tolist()
    ((1.0, 0.0), [[1.414, 0.0], [-1.414, 0.0]])
    """
    judges = seen_judges(results)
    better = -ranks_by(results, judges)
    points, arrows, shares = np.zeros((len(judges), 2)), np.zeros((results.n, 2)), np.zeros(2)
    if len(judges) > 1 and np.ptp(better, axis=0).max() > SAME:
        found = embedding(
            RatingMatrix(
                data_sets=tuple(results.judges[j] for j in judges.tolist()),
                settings=tuple(results.candidates),
                ratings=better,
                separated=np.zeros(better.shape, dtype=bool),
            ),
            components=2,
        )
        kept = found.points.shape[1]
        points[:, :kept] = found.points
        arrows[:, :kept] = found.arrows
        shares[:kept] = found.shares
    return JudgeMap(
        judges=judges,
        points=points,
        arrows=arrows,
        shares=(float(shares[0]), float(shares[1])),
    )


def heaped(points: Floats, *, cells: int) -> tuple[Floats, Integers]:
    """Return points put together in the cells of a square grid: their means, and how many.

    ``cells`` is the number of cells across the longer side.
    """
    low = points.min(axis=0)
    side = float(np.ptp(points, axis=0).max()) / cells
    if side <= 0:
        return points[:1], np.array([len(points)])
    _, heap, counts = np.unique(
        np.floor((points - low) / side), axis=0, return_inverse=True, return_counts=True
    )
    sums = np.stack([np.bincount(heap.ravel(), weights=column) for column in points.T], axis=1)
    return sums / counts[:, None], counts

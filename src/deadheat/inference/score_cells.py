"""The scores of two candidates counted in cells, where there are too many judges to show each."""

from __future__ import annotations

import numpy as np

from deadheat.typing import Floats, Integers


def score_edges(values: Floats, number: int, *, log: bool) -> Floats:
    """Return the ends of so many cells from the smallest to the largest value, (number + 1,).

    With ``log``, cells are equally wide on a logarithmic scale; all values must be positive.
    """
    low, high = float(values.min()), float(values.max())
    if low == high:
        low, high = (low / 2, high * 2) if log else (low - 0.5, high + 0.5)
    edges = np.geomspace(low, high, number + 1) if log else np.linspace(low, high, number + 1)
    edges[0], edges[-1] = low, high
    return np.asarray(edges)


def score_counts(a: Floats, b: Floats, edges: Floats) -> Integers:
    """Return how many pairs of scores fall into each cell, the first score by rows."""
    counts, _, _ = np.histogram2d(a, b, bins=[edges, edges])
    return counts.astype(np.int64)

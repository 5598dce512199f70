"""Random tables for hypothesis: small, positive, with many ties."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

# Not evenly spaced, and not exact in binary: sums in another order have other last digits.
LEVELS = np.array([0.1, 0.2, 0.3, 0.7, 1.1, 2.9])


class Weighted(NamedTuple):
    """A table with whole weights: at least one judge and one candidate are there."""

    scores: np.ndarray
    judges: np.ndarray
    candidates: np.ndarray

    @property
    def repeated(self) -> np.ndarray:
        """The same world without weights: every row and column as often as it weighs."""
        return np.repeat(np.repeat(self.scores, self.judges, axis=1), self.candidates, axis=0)


def of_levels(n: int, m: int) -> st.SearchStrategy[np.ndarray]:
    """Draw n x m scores from a few levels."""
    places = arrays(np.int8, (n, m), elements=st.integers(0, len(LEVELS) - 1))
    return places.map(lambda drawn: LEVELS[drawn])


@st.composite
def tables(draw, *, candidates: int = 5, judges: int = 6) -> np.ndarray:
    """Draw a table of at least one candidate and one judge."""
    n, m = draw(st.integers(1, candidates)), draw(st.integers(1, judges))
    return draw(of_levels(n, m))


@st.composite
def weighted_tables(draw, *, candidates: int = 5, judges: int = 6) -> Weighted:
    """Draw a table with weights 0 to 3, not all 0."""
    scores = draw(tables(candidates=candidates, judges=judges))
    n, m = scores.shape
    weights = [
        draw(arrays(np.int64, size, elements=st.integers(0, 3)).filter(np.any)) for size in (m, n)
    ]
    return Weighted(scores, *weights)


@st.composite
def tables_with_holes(draw) -> Weighted:
    """Draw a weighted table in which cells are missing, for some candidates perhaps all."""
    drawn = draw(weighted_tables())
    n, m = drawn.scores.shape
    holes = draw(arrays(np.bool_, (n, m), elements=st.booleans()))
    return drawn._replace(scores=np.where(holes, np.nan, drawn.scores))


@st.composite
def blocks(draw) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Draw a table and several rows of weights for its judges and candidates."""
    scores = draw(tables())
    n, m = scores.shape
    size = draw(st.integers(1, 5))
    rows = []
    for width in (m, n):
        weights = draw(arrays(np.int64, (size, width), elements=st.integers(0, 3)))
        weights[:, 0] = np.maximum(weights[:, 0], 1)
        rows.append(weights)
    if draw(st.booleans()):  # one field in all replicates has kernels of its own
        rows[1] = np.repeat(rows[1][:1], size, axis=0)
    return scores, rows[0], rows[1]


@st.composite
def increasing_maps(draw) -> dict[float, float]:
    """Draw a strictly increasing map of the levels, to numbers of any sign."""
    steps = draw(st.lists(st.integers(1, 40), min_size=len(LEVELS), max_size=len(LEVELS)))
    start = draw(st.integers(-50, 50))
    return dict(zip(LEVELS.tolist(), (start + np.cumsum(steps)).tolist(), strict=True))

"""Random tables for hypothesis: small, of many kinds, with many ties.

Cells and weights are drawn as bytes: hypothesis fills its own arrays with one value mostly, and a
table of equal scores tells nothing apart.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from hypothesis import strategies as st

# Not evenly spaced, and not exact in binary: sums in another order have other last digits.
LEVELS = np.array([0.1, 0.2, 0.3, 0.7, 1.1, 2.9])
SIGNED = np.array([-0.9, -0.3, -0.1, 0.0, 0.2, 1.9])
INFINITE = np.array([-np.inf, -1.5, 0.1, 0.2, 3.0, np.inf])
MOST_COPIES = 3


class Weighted(NamedTuple):
    """A table with whole weights: at least one judge and one candidate are there."""

    scores: np.ndarray
    judges: np.ndarray
    candidates: np.ndarray

    @property
    def repeated(self) -> np.ndarray:
        """The same world without weights: every row and column as often as it weighs."""
        return np.repeat(np.repeat(self.scores, self.judges, axis=1), self.candidates, axis=0)


class Worlds(NamedTuple):
    """A table and several rows of weights for its judges and candidates."""

    scores: np.ndarray
    judges: np.ndarray
    candidates: np.ndarray

    @property
    def each(self) -> list[Weighted]:
        """The worlds one by one."""
        rows = zip(self.judges, self.candidates, strict=True)
        return [Weighted(self.scores, *row) for row in rows]


def drawn_bytes(draw, *shape: int) -> np.ndarray:
    """Draw an array of bytes, which shrinks to zeros."""
    size = int(np.prod(shape))
    return np.frombuffer(draw(st.binary(min_size=size, max_size=size)), np.uint8).reshape(shape)


def strict(drawn: np.ndarray) -> np.ndarray:
    """Return scores of which no judge gives two alike, in the order of the bytes."""
    places = np.argsort(np.argsort(drawn, axis=0, kind="stable"), axis=0)
    return (places + 1) * 0.37


KINDS = {
    "levels": lambda drawn: LEVELS[drawn % 6],
    "strict": strict,
    "binary": lambda drawn: (drawn % 2).astype(float),
    "signed": lambda drawn: SIGNED[drawn % 6],
    "infinite": lambda drawn: INFINITE[drawn % 6],
    "large": lambda drawn: LEVELS[drawn % 6] * 1e12,
    "small": lambda drawn: LEVELS[drawn % 6] * 1e-12,
    "offset": lambda drawn: LEVELS[drawn % 6] + 1e6,
    "rows of their own size": lambda drawn: (
        LEVELS[drawn % 6] * 10.0 ** (drawn[:, :1] // 86 * 9 - 9.0)
    ),
    "single precision": lambda drawn: LEVELS[drawn % 6].astype(np.float32),
}


def kinds_for(f) -> list[str]:
    """Return the kinds of tables that a ranking function takes."""
    if f.scale == "ordinal":
        return ["levels", "strict", "binary", "signed", "infinite", "single precision"]
    kinds = ["levels", "strict", "large", "small", "rows of their own size", "single precision"]
    signs = {"": ["binary", "signed", "offset"], "nonnegative": ["binary"], "positive": []}
    return kinds + signs[f.needs]


@st.composite
def tables(draw, *, candidates: int = 5, judges: int = 6, kind: str = "levels") -> np.ndarray:
    """Draw a table of at least one candidate and one judge."""
    n, m = draw(st.integers(1, candidates)), draw(st.integers(1, judges))
    return KINDS[kind](drawn_bytes(draw, n, m))


def drawn_weights(draw, *shape: int) -> np.ndarray:
    """Draw weights 0 to 3, of which no row is all 0."""
    weights = (drawn_bytes(draw, *shape) % (MOST_COPIES + 1)).astype(np.int64)
    weights[..., 0] = np.maximum(weights[..., 0], ~weights.any(axis=-1))
    return weights


@st.composite
def weighted_tables(draw, *, candidates: int = 5, judges: int = 6) -> Weighted:
    """Draw a table with weights 0 to 3, not all 0."""
    scores = draw(tables(candidates=candidates, judges=judges))
    n, m = scores.shape
    return Weighted(scores, drawn_weights(draw, m), drawn_weights(draw, n))


@st.composite
def tables_with_holes(draw) -> Weighted:
    """Draw a weighted table in which cells are missing, for some candidates perhaps all."""
    drawn = draw(weighted_tables())
    holes = drawn_bytes(draw, *drawn.scores.shape) % 3 == 1
    return drawn._replace(scores=np.where(holes, np.nan, drawn.scores))


@st.composite
def blocks(
    draw, *, candidates: int = 5, judges: int = 6, kinds: tuple[str, ...] = ("levels",)
) -> Worlds:
    """Draw a table and several rows of weights for its judges and candidates."""
    kind = draw(st.sampled_from(kinds))
    scores = draw(tables(candidates=candidates, judges=judges, kind=kind))
    n, m = scores.shape
    size = draw(st.integers(1, 4))
    many, copies = drawn_weights(draw, size, m), drawn_weights(draw, size, n)
    if draw(st.booleans()):  # one field in all replicates has kernels of its own
        copies = np.repeat(copies[:1], size, axis=0)
    return Worlds(scores, many, copies)


@st.composite
def increasing_maps(draw) -> dict[float, float]:
    """Draw a strictly increasing map of the levels, to numbers of any sign."""
    steps = draw(st.lists(st.integers(1, 40), min_size=len(LEVELS), max_size=len(LEVELS)))
    start = draw(st.integers(-50, 50))
    return dict(zip(LEVELS.tolist(), (start + np.cumsum(steps)).tolist(), strict=True))

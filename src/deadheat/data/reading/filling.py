"""A table that is filled while nobody knows how many candidates and judges it will have."""

from __future__ import annotations

import mmap
from typing import ClassVar

import numpy as np

from deadheat.core.types import Booleans, Floats, Integers


class Tiles:
    """Scores in tiles, made where a score falls; they take no more than the table, at the end, too.

    A page of memory that nobody touches is not taken, so that a tile may be too large.
    """

    CELL: ClassVar[int] = 9  # bytes: a score, and whether there is one
    HEIGHT, WIDTH = 128, 4_096

    def __init__(self) -> None:
        self._tiles: dict[tuple[int, int], tuple[Floats, Booleans]] = {}

    def put(self, candidate: Integers, judge: Integers, values: Floats) -> None:
        down, right = candidate // self.HEIGHT, judge // self.WIDTH
        inside = candidate % self.HEIGHT * self.WIDTH + judge % self.WIDTH
        tile = down.astype(np.int64) << 32 | right
        order = np.argsort(tile, kind="stable")  # of scores in one cell the last stays
        ordered = tile[order]
        starts = np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1]])
        for rows in np.split(order, starts[1:]):
            place = int(down[rows[0]]), int(right[rows[0]])
            scores, known = self._tiles.get(place) or self._made(place)
            scores[inside[rows]] = values[rows]
            known[inside[rows]] = True

    def _made(self, place: tuple[int, int]) -> tuple[Floats, Booleans]:
        size = self.HEIGHT * self.WIDTH
        pages = mmap.mmap(-1, self.CELL * size)  # what the heap frees, the process may still have
        scores = np.frombuffer(pages, np.float64, size)
        known = np.frombuffer(pages, np.bool_, size, offset=scores.nbytes)
        made = self._tiles[place] = (scores, known)
        return made

    def count(self) -> int:
        """Return how many cells have a score."""
        return sum(int(np.count_nonzero(known)) for _, known in self._tiles.values())

    def whole(self, candidates: int, judges: int) -> Floats:
        """Return the table, NaN where no score was put; each tile is freed on the way."""
        table = np.empty((candidates, judges))
        for down in range(-(-candidates // self.HEIGHT)):
            for right in range(-(-judges // self.WIDTH)):
                top, left = down * self.HEIGHT, right * self.WIDTH
                part = table[top : top + self.HEIGHT, left : left + self.WIDTH]
                part.fill(np.nan)
                if (tile := self._tiles.pop((down, right), None)) is not None:
                    shape = self.HEIGHT, self.WIDTH
                    cells = tuple(slice(size) for size in part.shape)
                    scores, known = (each.reshape(shape)[cells] for each in tile)
                    np.copyto(part, scores, where=known)
        return table

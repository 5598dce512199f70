"""What every format yields: named columns and blocks of rows, bounded in size."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from operator import itemgetter
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

Column: TypeAlias = npt.NDArray[Any] | list[str | None]
Facts: TypeAlias = tuple[tuple[str, str], ...]

CELLS_PER_BLOCK = 500_000
LARGEST_EXACT = 2**53  # of the whole numbers that a float keeps
CHARACTERS_PER_BLOCK = 16_000_000


class Block:
    """Some rows of a table, column by column.

    ``lines`` says where each row stands in its source. A column is a numeric array (NaN =
    missing) where the source is typed, else a list of text in which None is missing.
    """

    def __init__(self, lines: Sequence[int], columns: Sequence[Column]) -> None:
        self.lines, self.columns = lines, columns

    @property
    def size(self) -> int:
        """The number of rows."""
        return len(self.lines)

    def column(self, k: int) -> Column:
        """Return the cells of column ``k``."""
        return self.columns[k]

    def text(self, k: int) -> list[str | None]:
        """Return the cells of column ``k`` as a person would write them."""
        column = self.column(k)
        return column if isinstance(column, list) else [_written(v) for v in column.tolist()]

    def of_rows(self, rows: Sequence[int]) -> Block:
        """Return some of the rows."""
        lines = [self.lines[i] for i in rows]
        columns = [_taken(column, rows) for column in self.columns]
        return Block(lines, columns)


class TextBlock(Block):
    """Some rows of a text file, kept row by row because that is how they arrive."""

    def __init__(self, lines: Sequence[int], rows: Sequence[Sequence[str]]) -> None:
        self.lines, self.rows = lines, rows

    def column(self, k: int) -> list[str | None]:
        """Return the cells of column ``k``."""
        return [row[k] for row in self.rows]

    def of_rows(self, rows: Sequence[int]) -> TextBlock:
        """Return some of the rows."""
        return TextBlock([self.lines[i] for i in rows], [self.rows[i] for i in rows])

    def cells(self, chosen: Sequence[int]) -> list[str]:
        """Return the cells of some columns, row after row."""
        if not chosen:
            return []
        first, last = chosen[0], chosen[-1]
        if last - first + 1 == len(chosen):  # neighbours: a slice is much the fastest
            return list(chain.from_iterable(row[first : last + 1] for row in self.rows))
        return list(chain.from_iterable(map(itemgetter(*chosen), self.rows)))


@dataclass(frozen=True, kw_only=True)
class Stream:
    """A table on its way in.

    Parameters
    ----------
    source
        What messages call the table.
    columns
        The names; made up (``column_1`` ...) where ``named`` is False.
    blocks
        The rows, in order; an iterator that is read once.
    unit
        What a position in ``Block.lines`` counts: ``"line"`` or ``"row"``.
    quoted_commas
        Whether a comma inside a cell must have been quoted: it then separates thousands.
    semicolons
        Whether semicolons separate the cells, as they do where the comma is the decimal sign.
    guarded
        Whether names may wear the apostrophe that keeps a spreadsheet from running them.
    library
        The DataFrame library the table came from, where it did.
    across
        What a frame calls its columns, all of them, where it does.
    """

    source: str
    columns: Sequence[str]
    blocks: Iterator[Block]
    named: bool = True
    unit: str = "row"
    quoted_commas: bool = False
    semicolons: bool = False
    guarded: bool = False
    facts: Facts = ()
    notes: tuple[str, ...] = ()
    library: str = ""
    across: str = ""


def column_of(values: Sequence[object]) -> Column:
    """Return a column from Python objects: an array where all are numbers, else text."""
    kinds = set(map(type, values))
    if kinds <= {int, bool} and bool not in kinds:
        try:
            return np.array(values, dtype=np.int64)
        except OverflowError:  # ids beyond 64 bits stay exact as text
            return [str(value) for value in values]
    if kinds <= {int, float, bool, type(None)}:
        return _array(values)
    return [text_of(value) for value in values]


def _taken(column: Column, rows: Sequence[int]) -> Column:
    return [column[i] for i in rows] if isinstance(column, list) else column[list(rows)]


def _array(values: Sequence[object]) -> Column:
    if any(type(value) is int and abs(value) > LARGEST_EXACT for value in values):
        return [text_of(value) for value in values]  # they stay exact as text
    return np.array(values, dtype=np.float64)


def text_of(value: object) -> str | None:
    """Return a value as text; None and NaN are missing."""
    if value is None or value != value:
        return None
    if isinstance(value, str):
        return value
    return _written(value) if isinstance(value, float) else str(value)


def _written(value: object) -> str | None:
    """Return 2019 rather than 2019.0: a number in the place of a name."""
    if isinstance(value, float):
        if value != value:
            return None
        return str(int(value)) if value.is_integer() and abs(value) < 2**53 else repr(value)
    return str(value)


def rows_per_block(width: int, characters: float) -> int:
    """Return how many rows of this many cells and characters make one block."""
    by_cells = CELLS_PER_BLOCK // max(width, 1)
    by_characters = CHARACTERS_PER_BLOCK / max(characters, 1.0)
    return max(1, min(by_cells, int(by_characters)))

"""The names of the columns and the first rows: all that a layout is guessed from."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from deadheat.data.mistakes import is_uncertain
from deadheat.data.names import name_of
from deadheat.data.numbers import is_missing, looks_numeric
from deadheat.data.stream import Block
from deadheat.errors import DataError, UnknownNameError, listed, quoted

ROWS_LOOKED_AT = 50
_WHOLE = re.compile(r"[-+]?\d+(\.0*)?")


@dataclass(frozen=True, kw_only=True)
class Head:
    """Hold what is known of a table before its rows are read.

    ``unit`` is what positions count, ``"line"`` or ``"row"``; ``guarded`` says that names may wear
    the apostrophe that keeps a spreadsheet from running them; ``across`` is what a frame calls
    its columns, all of them.
    """

    source: str
    columns: Sequence[str]
    named: bool
    first: Block | None
    unit: str = "row"
    guarded: bool = False
    across: str = ""

    def at(self, name: str, kind: str = "column") -> int:
        """Return the position of a column by its name."""
        places = self.all_at(name, kind)
        if len(places) > 1:
            raise DataError(
                f"{self.source}: two columns are called {quoted(name)} "
                f"(columns {places[0] + 1:,} and {places[1] + 1:,}).",
                hint="rename one of them.",
            )
        return places[0]

    def all_at(self, name: str, kind: str = "column") -> list[int]:
        """Return the positions of all columns of a name, one or more."""
        places = [k for k, column in enumerate(self.columns) if column == name]
        if not places:
            raise UnknownNameError(kind, name, self.columns)
        return places

    def name(self, cell: str | None) -> str:
        """Return the name in a cell."""
        return name_of(cell, guarded=self.guarded)

    def cells(self, k: int) -> list[str | None]:
        """Return the first cells of a column, as text."""
        return self.first.text(k)[:ROWS_LOOKED_AT] if self.first is not None else []

    def is_numeric(self, k: int) -> bool:
        """Return whether most of the first cells could be scores; a bad one is told later."""
        cells = self.cells(k)
        return 2 * sum(looks_numeric(cell) or is_uncertain(cell) for cell in cells) > len(cells)

    def holds_whole_numbers(self, k: int) -> bool:
        """Return whether the first cells of a column are whole numbers, as counts are."""
        cells = [(cell or "").strip() for cell in self.cells(k) if not is_missing(cell)]
        return bool(cells) and all(map(_WHOLE.fullmatch, cells))

    def names_come_again(self, k: int) -> bool:
        """Return whether a name stands in more than one of the first cells of a column."""
        names = [self.name(cell) for cell in self.cells(k)]
        return len(set(names)) < len(names)

    def counts_from(self, k: int) -> int | None:
        """Return 0 or 1 where a column counts the rows from there, else None."""
        cells = self.first.text(k) if self.first is not None else []
        first = (cells[0] or "").strip() if cells else ""
        if first not in {"0", "1"}:
            return None
        counted = all(
            (cell or "").strip() == str(number) for number, cell in enumerate(cells, int(first))
        )
        return int(first) if counted else None

    @cached_property
    def vacant(self) -> tuple[int, ...]:
        """The columns without a name and, in the first rows, without content."""
        if not self.named or self.first is None:
            return ()
        unnamed = [k for k, column in enumerate(self.columns) if not column.strip()]
        return tuple(k for k in unnamed if not any(map(_written, self.first.text(k))))

    @property
    def vacant_note(self) -> str:
        """What to say about the columns that are left out because they are empty."""
        places = listed((f"{k + 1:,}" for k in self.vacant), most=5)
        if len(self.vacant) < 2:
            return f"column {places} is empty and left out." if places else ""
        return f"empty columns ({places}) are left out."

    def watched(self, blocks: Iterable[Block]) -> Iterator[Block]:
        """Pass the blocks on; refuse a second header, and a cell in a column that seemed empty."""
        for block in blocks:
            self._refuse_header_again(block)
            for k in self.vacant:
                for line, cell in zip(block.lines, block.text(k), strict=True):
                    if _written(cell):
                        raise DataError(
                            f"{self.source}: {self.unit} {line:,}: column {k + 1:,} has no name, "
                            f"yet holds {quoted((cell or '').strip())}.",
                            hint="give the column a name in the header, or remove the cell.",
                        )
            yield block

    def _refuse_header_again(self, block: Block) -> None:
        """Refuse a row that repeats the header: numbers among the names would be read as scores."""
        first = block.column(0)
        if not self.named or not isinstance(first, list):
            return
        again = (i for i, cell in enumerate(first) if (cell or "").strip() == self.columns[0])
        for i in again:
            row = [block.text(k)[i] for k in range(len(self.columns))]
            if [(cell or "").strip() for cell in row] == list(self.columns):
                raise DataError(
                    f"{self.source}: {self.unit} {block.lines[i]:,} repeats the header: the file "
                    "holds two tables.",
                    hint=f"remove the {self.unit} if they are one table, else keep one of them.",
                )


def _written(cell: str | None) -> bool:
    return bool(cell and cell.strip())

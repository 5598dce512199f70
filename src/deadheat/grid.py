"""A table as people read it, before any format is chosen."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from deadheat.text import cut, shown, visible, width_of

if TYPE_CHECKING:
    from deadheat.typing import Cell


# What documents say over a column that has the name of a field.
HEADINGS = {
    "first_share": "share ranked first",
    "monte_carlo_error": "Monte-Carlo error",
    "fractional_rank": "fractional rank",
    "mean_rank": "mean rank",
    "mean_iqr": "mean quartile range",
    "top3_share": "share in top 3",
    "top10_share": "share in top 10",
    "p_a_better": "p: a better",
    "p_b_better": "p: b better",
    "p_all_pairs": "p of all pairs",
    "mean_spearman": "mean Spearman",
    "mean_tau_b": "mean tau-b",
    "strict_spearman": "strict Spearman",
    "strict_tau_b": "strict tau-b",
    "rest_correlation": "correlation with the rest",
    "mean_inside": "mean inside",
    "mean_outside": "mean outside",
    "all_pairs": "group of all pairs",
    "winner_changes": "first changes",
    "reversed_pairs": "pairs reversed",
}


@dataclass(frozen=True, kw_only=True)
class Column:
    """Describe a column of a grid: its heading, its digits, and which end of it is best.

    ``decided_by`` is the column with the ranks that say who is best, where this one cannot.
    A ``picture`` is drawn with letters, which only a terminal shows as they are meant; numbers
    ``on_paper`` say the same in documents. A ``key`` names the row together with the columns
    before it.
    """

    name: str
    digits: int | None = None
    best: Literal["", "high", "low"] = ""
    decided_by: int | None = None
    picture: bool = False
    on_paper: bool = False
    key: bool = False


@dataclass(frozen=True, kw_only=True)
class Grid:
    """Hold a table as people read it; ``marked`` cells (row, column) deserve a second look.

    ``captions`` explain the pictures and stand where these do.
    """

    columns: tuple[Column, ...]
    cells: tuple[tuple[Cell, ...], ...]
    title: str = ""
    notes: tuple[str, ...] = ()
    captions: tuple[str, ...] = ()
    marked: frozenset[tuple[int, int]] = frozenset()

    def printed(self) -> Grid:
        """Return the grid for documents: numbers instead of pictures."""
        grid = self._of([j for j, column in enumerate(self.columns) if not column.picture])
        return grid if grid is self else replace(grid, captions=())

    def on_screen(self) -> Grid:
        """Return the grid for terminals: pictures instead of numbers."""
        return self._of([j for j, column in enumerate(self.columns) if not column.on_paper])

    def _of(self, kept: list[int]) -> Grid:
        if len(kept) == len(self.columns):
            return self
        place = {j: k for k, j in enumerate(kept)}
        columns = (self.columns[j] for j in kept)
        return replace(
            self,
            columns=tuple(
                replace(c, decided_by=None if c.decided_by is None else place[c.decided_by])
                for c in columns
            ),
            cells=tuple(tuple(row[j] for j in kept) for row in self.cells),
            marked=frozenset((i, place[j]) for i, j in self.marked if j in place),
        )

    def is_text(self, j: int) -> bool:
        """Return whether a column holds words, which are set to the left."""
        return any(isinstance(row[j], str) for row in self.cells)

    def naming(self) -> int:
        """Return how many columns name a row: up to the last key, else to the first with words."""
        keys = [j for j, column in enumerate(self.columns) if column.key]
        words = (j for j in range(len(self.columns)) if self.is_text(j))
        return 1 + (keys[-1] if keys else next(words, -1))

    def written(self, escape: Callable[[str], str] = visible) -> list[list[str]]:
        """Return the cells as escaped text."""
        digits = [column.digits for column in self.columns]
        return [
            [escape(shown(c, d)) for c, d in zip(row, digits, strict=True)] for row in self.cells
        ]

    def podium(self, j: int) -> tuple[set[int], set[int]]:
        """Return the rows that hold the best and the second best number of a column, all ties.

        Numbers are tied only where they are equal: what counts as a tie is decided where the ranks
        are, so a column that is ``decided_by`` ranks takes its best from them. Both are empty
        where the column has no best end.
        """
        column = self.columns[j]
        sign = {"": 0, "high": 1, "low": -1}[column.best]
        if column.decided_by is not None:
            j, sign = column.decided_by, -1
        cells = ((i, row[j]) for i, row in enumerate(self.cells) if sign)
        numbers = {
            i: sign * float(cell)
            for i, cell in cells
            if cell is not None and not isinstance(cell, str) and cell == cell
        }
        best = _ties_at_top(numbers)
        return best, _ties_at_top({i: x for i, x in numbers.items() if i not in best})


def _ties_at_top(numbers: dict[int, float]) -> set[int]:
    top = max(numbers.values(), default=math.nan)
    return {i for i, x in numbers.items() if x == top}


def aligned(grid: Grid, *, most: int, width: int, name_width: int = 32) -> str:
    """Return the first rows and columns of a grid in plain letters, as ``repr`` shows them."""
    grid = grid.on_screen()
    table = [[visible(column.name) for column in grid.columns], *grid.written()[:most]]
    table = [[cut(cell, name_width) for cell in row] for row in table]
    lines = [""] * len(table)
    for j in range(len(grid.columns)):
        size = max(width_of(row[j]) for row in table)
        if j and width_of(lines[0]) + 2 + size > width:
            lines[0] += f"  ({len(grid.columns) - j} more)"
            break
        for i, row in enumerate(table):
            space = " " * (size - width_of(row[j]))
            lines[i] += "  " * bool(j) + (row[j] + space if grid.is_text(j) else space + row[j])
    if len(grid.cells) > most:
        lines.append(f"({len(grid.cells) - most} more)")
    return "\n".join(line.rstrip() for line in lines)

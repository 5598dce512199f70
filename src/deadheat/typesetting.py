"""How wide a table is on paper, and how it is made to fit: in lines, in small letters, in parts."""

from __future__ import annotations

from dataclasses import dataclass

from deadheat.grid import Grid
from deadheat.text import visible

LINE = 345.0  # points of a line of LaTeX's article, letters of 10 points
INDENT = 15.0
GAP = 6.0  # points on both sides of a column
# The commands of smaller letters, how wide these are, and the gaps beside them.
SIZES = (("", 1.0, GAP), (r"\small", 0.93, 4.0), (r"\footnotesize", 0.86, 3.0))
COMFORT = 90.0  # points that a column of words needs
NARROWEST = 24.0  # points that a column of words has, whatever stands beside it
HEADING = 54.0  # points that a heading over numbers needs
BOLD = 1.16
STAR = 5.0
# Widths of Computer Modern in points, never too small.
_NARROW, _WIDE, _OTHER = 3.9, 10.4, 36.0
_WIDTHS = dict.fromkeys("fijlrst.,:;!'()[]I- ", _NARROW) | dict.fromkeys("mwMW%#&@+=<>~^|…", _WIDE)


@dataclass(frozen=True, kw_only=True)
class Part:
    """Hold columns that stand side by side; ``widths`` are None where they need not be wrapped.

    The width of a column of words is what its lines have, that of numbers what its heading has.
    """

    columns: tuple[int, ...]
    widths: tuple[float | None, ...]


@dataclass(frozen=True, kw_only=True)
class Layout:
    """Hold how a table is printed: the command of its letters, gaps, and what stands together."""

    size: str
    gap: float
    scale: float
    parts: tuple[Part, ...]

    @property
    def plain(self) -> bool:
        """Whether the table needs nothing but its columns."""
        return not self.size and all(w is None for part in self.parts for w in part.widths)


def length(text: str) -> float:
    """Return about how many points a text of 10 points takes, rather too many."""
    return sum(map(_of_letter, text))


def layout(grid: Grid, across: float = LINE) -> Layout:
    """Return how to print a grid on lines of so many points.

    What fits stays as it is. Else words are wrapped, and letters made smaller where columns of
    words would be too narrow. What is too wide even so is told in parts below each other, all of
    which begin with the columns that name a row.
    """
    every = tuple(range(len(grid.columns)))
    sizes = _Sizes(grid)
    if sum(map(sizes.whole, every)) + 2 * GAP * len(every) + INDENT <= across:
        return Layout(size="", gap=GAP, scale=1.0, parts=(_as_it_is(every),))
    for size, scale, gap in SIZES:
        if sizes.least(every, scale) + 2 * gap * len(every) <= across:
            part = sizes.part(every, scale, across - 2 * gap * len(every))
            return Layout(size=size, gap=gap, scale=scale, parts=(part,))
    size, scale, gap = SIZES[-1]
    parts = tuple(
        sizes.part(columns, scale, across - 2 * gap * len(columns))
        for columns in _split(sizes, every, scale, gap, across)
    )
    return Layout(size=size, gap=gap, scale=scale, parts=parts)


def _as_it_is(columns: tuple[int, ...]) -> Part:
    return Part(columns=columns, widths=(None,) * len(columns))


class _Sizes:
    """Know how wide the columns of a grid are."""

    def __init__(self, grid: Grid) -> None:
        self._grid = grid
        rows = grid.written()
        self._cells = [
            max((length(row[j]) for row in rows), default=0.0) * (BOLD if column.best else 1.0)
            + STAR * any(marked == j for _, marked in grid.marked)
            for j, column in enumerate(grid.columns)
        ]
        self._heads = [length(visible(column.name)) for column in grid.columns]

    def is_text(self, j: int) -> bool:
        return self._grid.is_text(j)

    def keys(self, scale: float, gap: float, across: float) -> tuple[int, ...]:
        """Return the columns that name a row, without numbers where these fill half a line."""
        named = tuple(range(self._grid.naming()))
        words = tuple(j for j in named if self.is_text(j))
        numbers = tuple(j for j in named if not self.is_text(j))
        fit = self.least(numbers, scale) + 2 * gap * len(numbers) <= across / 2
        return named if fit or not words else words

    def whole(self, j: int) -> float:
        """Return the width of a column that is not wrapped."""
        return max(self._cells[j], self._heads[j])

    def least(self, columns: tuple[int, ...], scale: float) -> float:
        """Return the width of columns whose words and headings are wrapped as far as is good."""
        return sum(self._least(j, scale) for j in columns)

    def _least(self, j: int, scale: float) -> float:
        if self.is_text(j):
            return min(self.whole(j) * scale, COMFORT)
        return max(self._cells[j] * scale, min(self._heads[j] * scale, HEADING))

    def part(self, columns: tuple[int, ...], scale: float, room: float) -> Part:
        """Return columns side by side; those of words share the room that is left, evenly."""
        widths: dict[int, float | None] = dict.fromkeys(columns)
        for j in columns:
            if not self.is_text(j):
                least = self._least(j, scale)
                room -= least
                widths[j] = least if self._heads[j] * scale > least else None
        words = sorted((j for j in columns if self.is_text(j)), key=self.whole)
        for k, j in enumerate(words):
            share = max(room / (len(words) - k), NARROWEST)
            whole = self.whole(j) * scale
            widths[j] = None if whole <= share else share
            room -= min(whole, share)
        return Part(columns=columns, widths=tuple(widths[j] for j in columns))


def _split(
    sizes: _Sizes, every: tuple[int, ...], scale: float, gap: float, across: float
) -> list[tuple[int, ...]]:
    """Return the columns in groups that fit a line; each begins with those that name a row."""
    keys = sizes.keys(scale, gap, across)
    others = [j for j in every if j not in keys]
    begun = sizes.least(keys, scale) + 2 * gap * len(keys)
    found: list[tuple[int, ...]] = [keys]
    used = begun
    for j in others:
        more = sizes.least((j,), scale) + 2 * gap
        if used + more > across and len(found[-1]) > len(keys):
            found.append(keys)
            used = begun
        found[-1] += (j,)
        used += more
    return found


def _of_letter(letter: str) -> float:
    if letter in _WIDTHS:
        return _WIDTHS[letter]
    if letter.isascii():
        return 8.0 if letter.isupper() else 5.6
    return 8.0 if letter < "\u0180" else _OTHER

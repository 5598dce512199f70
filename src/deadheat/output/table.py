"""A grid of cells, and its forms: aligned text, Markdown, LaTeX and HTML."""

from __future__ import annotations

import html as entities
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from math import ceil
from typing import TYPE_CHECKING, Any, Literal

from deadheat.core.errors import visible
from deadheat.output.text import (
    cell_text,
    flat,
    keys,
    null_undefined,
    plain,
    shared_ends,
    shorten,
    shorten_all,
    width_of,
    wrapped,
)

if TYPE_CHECKING:
    from deadheat.core.types import Cell, Row

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
}


@dataclass(frozen=True, kw_only=True)
class Column:
    """Describe a column: its heading, its digits, and which end of it is best.

    ``decided_by`` is the column with the ranks that say who is best, where this one cannot.
    Only a terminal shows a ``picture``, drawn with letters; numbers ``on_paper`` say the same in
    documents. A ``key`` names the row together with the columns before it. What is ``spare`` is
    left out where a table does not fit a small terminal, the largest number first; 0 stays.
    """

    name: str
    digits: int | None = None
    best: Literal["", "high", "low"] = ""
    decided_by: int | None = None
    picture: bool = False
    on_paper: bool = False
    key: bool = False
    spare: int = 0


@dataclass(frozen=True, kw_only=True)
class Grid:
    """Hold a table as people read it, before any format is chosen.

    ``marked`` cells (row, column) deserve a second look. The ``legend`` says what marks mean and
    is always told; ``captions`` explain pictures, ``notes`` columns, to who wants to know, and
    ``explains`` names what these two tell where they are left out. Of a
    table with ``leading`` rows a small terminal shows what has room, else all.
    """

    columns: tuple[Column, ...]
    cells: tuple[tuple[Cell, ...], ...]
    title: str = ""
    notes: tuple[str, ...] = ()
    captions: tuple[str, ...] = ()
    legend: tuple[str, ...] = ()
    explains: str = "what the columns mean"
    leading: int = 0
    marked: frozenset[tuple[int, int]] = frozenset()

    def to_json(self, rows: Sequence[Row]) -> dict[str, Any]:
        """Return the grid as JSON that stands beside ``rows``: what these have is only named."""
        records: dict[str, list[Cell]] = {}
        if len(rows) == len(self.cells):
            records = {name: [flat(row.get(name)) for row in rows] for name in keys(rows)}
        columns = []
        for j, column in enumerate(self.columns):
            cells, _ = null_undefined(plain([row[j] for row in self.cells]))
            types = [*map(type, cells)]
            same = (k for k, x in records.items() if x == cells and [*map(type, x)] == types)
            key = next(same, None)
            columns.append(
                _non_defaults(column) | ({"cells": cells} if key is None else {"of": key})
            )
        whole = {
            name: plain(value) for name, value in _non_defaults(self).items() if name != "cells"
        }
        return {**whole, "columns": columns}

    @classmethod
    def from_json(cls, table: Mapping[str, Any], rows: Sequence[Row]) -> Grid:
        names = [each.name for each in fields(Column)]
        columns = [{n: each[n] for n in names if n in each} for each in table["columns"]]
        cells = [
            [flat(row.get(each["of"])) for row in rows] if "of" in each else each.get("cells", ())
            for each in table["columns"]
        ]
        return cls(
            columns=tuple(Column(**each) for each in columns),
            cells=tuple(zip(*cells, strict=True)),
            title=table.get("title", ""),
            notes=tuple(table.get("notes", ())),
            captions=tuple(table.get("captions", ())),
            legend=tuple(table.get("legend", ())),
            explains=table.get("explains", cls.explains),
            leading=table.get("leading", 0),
            marked=frozenset((i, j) for i, j in table.get("marked", ())),
        )

    @classmethod
    def of(
        cls, columns: Iterable[str | Column], cells: Iterable[Iterable[Cell]], **form: Any
    ) -> Grid:
        """Return a grid; a heading stands for a column that is like any other."""
        heads = (Column(name=each) if isinstance(each, str) else each for each in columns)
        return cls(columns=tuple(heads), cells=tuple(map(tuple, cells)), **form)

    @property
    def remarks(self) -> tuple[str, ...]:
        """What documents say below: the legend, and notes."""
        return (*self.legend, *self.notes)

    def printed(self) -> Grid:
        grid = self._of([j for j, column in enumerate(self.columns) if not column.picture])
        return grid if grid is self else replace(grid, captions=())

    def first(self, rows: int) -> Grid:
        """Return the grid of the first rows."""
        marked = frozenset((i, j) for i, j in self.marked if i < rows)
        return replace(self, cells=self.cells[:rows], marked=marked)

    def top(self, rows: int | None, of: str) -> Grid:
        """Return the grid of the first rows; its legend says of how many."""
        if rows is None or rows >= len(self.cells):
            return self
        few = f"The top {rows:,} of {of} are shown."
        return replace(self.first(rows), legend=(*self.legend, few))

    def on_screen(self) -> Grid:
        """Return the grid for terminals: pictures instead of numbers."""
        return self._of([j for j, column in enumerate(self.columns) if not column.on_paper])

    def _of(self, kept: list[int]) -> Grid:
        if len(kept) == len(self.columns):
            return self
        place: dict[int | None, int] = {j: k for k, j in enumerate(kept)}
        columns = (self.columns[j] for j in kept)
        return replace(
            self,
            columns=tuple(replace(c, decided_by=place.get(c.decided_by)) for c in columns),
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

    def texts(self, escape: Callable[[str], str] = visible) -> list[list[str]]:
        digits = [column.digits for column in self.columns]
        return [
            [escape(cell_text(c, d)) for c, d in zip(row, digits, strict=True)]
            for row in self.cells
        ]

    def podium(self, j: int) -> tuple[set[int], set[int]]:
        """Return the rows with the best and the second best number of a column, all ties.

        Numbers are tied only where they are equal: a column that is ``decided_by`` ranks takes its
        best from them. Both are empty where the column has no best end.
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
        first, second = (*sorted({*numbers.values()}, reverse=True), None, None)[:2]
        best = {i for i, x in numbers.items() if x == first}
        return best, {i for i, x in numbers.items() if x == second}


def _non_defaults(form: Column | Grid) -> dict[str, Any]:
    values = {each.name: (getattr(form, each.name), each.default) for each in fields(form)}
    return {name: value for name, (value, usual) in values.items() if value != usual}


# ------------------------------------------------------------------------------
# How wide a table is, and how it is made to fit: in a terminal, in plain text, on paper.


@dataclass(frozen=True, kw_only=True)
class Sheet:
    """Say what a table has to fit, in cells of a terminal or in points of paper.

    Words are wrapped to ``words`` where that helps, and to ``narrowest`` where nothing else does.
    Names are cut to ``names``, or wrapped like other words where that is 0. Headings over numbers
    are broken, and none needs more than ``heading``; where that is 0 they stay whole.
    """

    across: int
    gap: int
    measure: Callable[[str], float]
    words: int
    narrowest: int
    names: int = 0
    heading: int = 0
    bold: float = 1.0
    star: int = 1
    indent: int = 0  # before a table that stays as it is
    letters: str = ""  # the command of smaller ones
    scale: float = 1.0

    def width(self, text: str) -> int:
        return ceil(self.scale * self.measure(text))

    def total(self, widths: Iterable[int]) -> int:
        listed = [*widths]
        return sum(listed) + self.gap * (len(listed) - 1)

    def lines(self, heading: str, width: int) -> list[str]:
        """Break a heading between words, and after hyphens and underscores."""
        lines = [""]
        for piece in re.findall(r"[^\s_-]+[\s_-]*|[\s_-]+", visible(heading)):
            if lines[-1] and self.width(lines[-1] + piece.rstrip()) > width:
                lines.append("")
            lines[-1] += piece
        return [line.rstrip() for line in lines]

    def widths(self, grid: Grid) -> tuple[dict[int, int], dict[int, int]]:
        """Return how wide columns are as they are, and how wide they have to be."""
        rows, starred, naming = grid.texts(), {j for _, j in grid.marked}, grid.naming()
        whole, least = {}, {}
        for j, column in enumerate(grid.columns):
            bold = self.bold if column.best else 1.0
            cells = ceil(bold * max((self.width(row[j]) for row in rows), default=0))
            cells += self.star * (j in starred)
            head = self.width(visible(column.name))
            whole[j] = max(cells, head, 1)
            if self.heading:
                head = max(map(self.width, self.lines(column.name, 0)))
            if grid.is_text(j):
                room = self.names if self.names and j < naming else self.words
                least[j] = min(max(cells, head, 1), room)
            else:
                least[j] = max(cells, min(head, self.heading or head), 1)
        return whole, least


def layout(grid: Grid, *sheets: Sheet, sparing: bool = False) -> tuple[Sheet, list[dict[int, int]]]:
    """Return the sheet to take, and the widths of columns in panels below each other.

    What fits the first sheet stays as it is. Else headings are broken and words wrapped or cut: the
    first sheet is taken that has room for all columns then, and on which names tell apart what they
    told apart before, if need be cut where they differ. Bars are narrowed rather than names cut,
    and, ``sparing``, spare columns left out, one by one. What is too wide even for the last is told
    in panels, all of which begin with the columns that name a row, without numbers where these
    fill half a line. Numbers are never squashed.
    """
    bars = {j: NARROW_BAR for j, column in enumerate(grid.columns) if column.picture}
    for cut in (_each_alone, shorten_all):
        sheet, panels, fits = _layout(grid, sheets, {}, frozenset(), cut)
        if fits and bars and names_cut(grid, sheet, panels):
            narrow = [_layout(grid, [each], bars, frozenset(), cut) for each in sheets]
            room = [_room_for_names(grid, panels) if fits else 0 for _, panels, fits in narrow]
            sheet, panels, fits = narrow[max(range(len(room)), key=room.__getitem__)]
        if fits:
            return sheet, panels
    if not sparing:
        return sheet, panels
    spare = [j for j, column in enumerate(grid.columns) if column.spare]
    spare.sort(key=lambda j: -grid.columns[j].spare)
    for k in range(len(spare) + 1):
        less, fewer, fits = _layout(grid, sheets, bars, frozenset(spare[:k]), shorten_all)
        if fits:
            return less, fewer
    return sheet, panels


def names_cut(grid: Grid, sheet: Sheet, panels: Sequence[Mapping[int, int]]) -> bool:
    """Return whether a layout cuts the names of rows."""
    whole, _ = sheet.widths(grid)
    names = (j for j in range(grid.naming()) if grid.is_text(j))
    return _room_for_names(grid, panels) < sum(whole[j] for j in names)


def _room_for_names(grid: Grid, panels: Sequence[Mapping[int, int]]) -> int:
    names = [j for j in range(grid.naming()) if grid.is_text(j)]
    return min((sum(panel.get(j, 0) for j in names) for panel in panels), default=0)


def without_shared(grid: Grid) -> Grid:
    """Return the grid without what all names begin or end with; its legend says it once.

    What is left begins and ends with whole words, and still tells the names apart.
    """
    j = grid.naming() - 1
    names = [cell for row in grid.cells if isinstance(cell := row[j], str)]
    if len(names) < max(2, len(grid.cells)):
        return grid
    start, end = shared_ends(names)
    short = [name[len(start) : len(name) - len(end)] for name in names]
    if not (start or end) or len({*short}) < len({*names}) or not all(map(str.strip, short)):
        return grid
    told = " and ".join(f"'{each}'" for each in (start, end) if each)
    cells = ((*row[:j], name, *row[j + 1 :]) for row, name in zip(grid.cells, short, strict=True))
    legend = (*grid.legend, f"Names are without {told}.")
    return replace(grid, cells=tuple(cells), legend=legend)


def _each_alone(names: Iterable[str], width: int) -> list[str]:
    return [shorten(name, width) for name in names]


Cut = Callable[[Sequence[str], int], list[str]]  # names to a width


def _layout(
    grid: Grid,
    sheets: Sequence[Sheet],
    bars: Mapping[int, int],
    without: frozenset[int],
    cut: Cut,
) -> tuple[Sheet, list[dict[int, int]], bool]:
    """Return a layout with some columns narrower and some left out, and whether it fits."""
    naming, words = grid.naming(), [j for j in range(len(grid.columns)) if grid.is_text(j)]
    names = [j for j in words if j < naming]
    numbers = [j for j in range(naming) if j not in words]
    for sheet in sheets:
        whole, least = sheet.widths(grid)
        whole = {j: width for j, width in whole.items() if j not in without}
        least = {j: min(w, bars.get(j, w)) for j, w in least.items() if j not in without}
        if sheet is sheets[0] and sheet.total(whole.values()) + sheet.indent <= sheet.across:
            return sheet, [whole], True
        crowded = names and 2 * sheet.total(least[j] for j in numbers) > sheet.across
        panels = _panels(sheet, least, names if crowded else range(naming))
        # Names that are cut come first, then what has most to say; what is wrapped is all alike.
        prose = sorted((j for j in words if j >= naming and j in whole), key=lambda j: -whole[j])
        for panel in panels:
            for group in (names, *([j] for j in prose)) if sheet.names else (words,):
                _share(sheet, panel, {j: whole[j] for j in group if j in panel})
        told = not sheet.names or _distinct(grid, {j: panels[0][j] for j in names}, cut)
        if told and sheet.total(least.values()) <= sheet.across:
            return sheet, panels, True
    return sheet, panels, False


def _panels(sheet: Sheet, least: dict[int, int], names: Iterable[int]) -> list[dict[int, int]]:
    keys = {j: least[j] for j in names}
    panels = [keys.copy()]
    for j, width in least.items():
        if j not in keys:
            wider = sheet.total([*panels[-1].values(), width])
            if len(panels[-1]) > len(keys) and wider > sheet.across:
                panels.append(keys.copy())
            panels[-1][j] = width
    return panels


def _share(sheet: Sheet, panel: dict[int, int], whole: dict[int, int]) -> None:
    """Let some columns share, evenly, the room that is left in a panel, or what it has too much."""
    room = sheet.across - sheet.total(panel.values())
    for k, j in enumerate(sorted(whole, key=lambda j: whole[j] - panel[j])):
        more = min(whole[j] - panel[j], room // (len(whole) - k))
        more = max(more, min(sheet.narrowest - panel[j], 0))
        panel[j] += more
        room -= more


def _distinct(grid: Grid, widths: dict[int, int], cut: Cut) -> bool:
    """Return whether names that are cut to these widths still tell rows apart that differ."""
    rows = [*{tuple(row[j] for j in widths): None for row in grid.texts()}]
    columns = zip(zip(*rows, strict=True), widths.values(), strict=True)
    short = zip(*(cut(names, width) for names, width in columns), strict=True)
    return not widths or len({*short}) == len(rows)


def grid_as_text(grid: Grid, *, most: int, width: int, name_width: int = 32) -> str:
    """Return the first rows and columns of a grid in plain letters, as ``repr`` shows them."""
    grid = grid.on_screen()
    first = replace(grid, cells=grid.cells[:most], marked=frozenset())
    sheet = Sheet(
        across=width,
        gap=2,
        measure=lambda text: width_of(shorten(text, name_width)),
        words=name_width,
        narrowest=3,
    )
    _, (panel, *_) = layout(first, sheet)
    cells = first.texts()
    long = (j for j in range(grid.naming(), len(grid.columns)) if j in panel and grid.is_text(j))
    prose = [j for j in long if any(width_of(row[j]) > panel[j] for row in cells)][-1:]
    for j in prose:  # is broken into lines, of all the room that is left
        panel = {**panel, j: panel[j] + width - sum(panel.values()) - 2 * (len(panel) - 1)}
    lines: list[str] = []
    for row in [[visible(column.name) for column in grid.columns], *cells]:
        line, more = list[str](), list[str]()
        for j, size in panel.items():
            text = shorten(shorten(row[j], name_width), size)
            if j in prose:
                text, *more = wrapped(row[j], size, "").split("\n")
                more = [" " * sum(width_of(each) + 2 for each in line) + each for each in more]
            space = " " * (size - width_of(text))
            line.append(text + space if grid.is_text(j) else space + text)
        lines += ["  ".join(line), *more]
    if len(panel) < len(grid.columns):
        lines[0] += f"  ({len(grid.columns) - len(panel)} more)"
    if len(grid.cells) > most:
        lines.append(f"({len(grid.cells) - most} more)")
    return "\n".join(line.rstrip() for line in lines)


LINE = 345.0  # points of a line of LaTeX's article, letters of 10 points
# The commands of smaller letters, how wide these are, and the gaps on both sides of a column.
SIZES = (("", 1.0, 6), (r"\small", 0.93, 4), (r"\footnotesize", 0.86, 3))
# Widths of Computer Modern in points, never too small: letters, what is narrow, what is wide.
_WIDTHS = {chr(k): 8.0 if chr(k).isupper() else 5.6 for k in range(128)}
_WIDTHS |= dict.fromkeys("fijlrst.,:;!'()[]I- ", 3.9) | dict.fromkeys("mwMW%#&@+=<>~^|…", 10.4)


def on_paper(across: float = LINE) -> list[Sheet]:
    """Return lines of so many points, for letters that get smaller."""
    points = Sheet(across=int(across), gap=0, measure=length, words=90, narrowest=24, heading=54)
    points = replace(points, bold=1.16, star=5, indent=15)
    return [
        replace(points, across=points.across - 2 * gap, gap=2 * gap, letters=size, scale=scale)
        for size, scale, gap in SIZES
    ]


def length(text: str) -> float:
    """Return about how many points a text of 10 points takes, rather too many."""
    return sum(_WIDTHS.get(c, 8.0 if c < "\u0180" else 36.0) for c in text)


def markdown(grid: Grid) -> str:
    """Return a grid as a Markdown table, one line per row; marked cells end in a star."""
    grid = grid.printed()
    if not grid.columns:
        return ""
    sides = [":--" if grid.is_text(j) else "--:" for j in range(len(grid.columns))]
    rows = [[in_markdown(column.name) for column in grid.columns], sides]
    for i, row in enumerate(grid.texts(in_markdown)):
        rows.append([cell + r"\*" * ((i, j) in grid.marked) for j, cell in enumerate(row)])
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def _lines(text: str) -> list[str]:
    return [visible(line) for line in re.split("\r\n|\r|\n", text)]


def in_markdown(text: str) -> str:
    """Escape what Markdown or HTML would take for markup; a line end becomes ``<br>``."""
    lines = [re.sub(r"[\\`*\[\]|~$]", r"\\\g<0>", line) for line in _lines(text)]
    lines = [re.sub(r"(?<![^\W_])_|_(?![^\W_])", r"\\_", line) for line in lines]
    return "<br>".join(entities.escape(line, quote=False) for line in lines)


_IN_LATEX = {char: f"\\{char}" for char in "&%$#_{}"} | {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\char34{}",  # a shorthand under babel, and \textquotedbl needs another font encoding
    "`": r"\textasciigrave{}",
}


# What every engine has in its usual font: Latin letters and punctuation.
LATIN_GAPS = "\u0126\u0127\u0132\u0133\u0138\u013f\u0140\u0149\u0166\u0167\u017f"
PUNCTUATION = "\u2013\u2014\u2018\u2019\u201c\u201d\u2026"
_FOREIGN = re.compile(f"[^\x00-\x7f\u00a0-\u017f{PUNCTUATION}]|[{LATIN_GAPS}]")
_NUMBERED = r"{\tiny[U+#1]}"
# A letter that the font does not have is printed as its number; pdflatex has few.
LETTER = (
    r"\providecommand{\dhletter}[2]{\ifdefined\Umathchar\iffontchar\font`#2 #2\else"
    rf"{_NUMBERED}\fi\else{_NUMBERED}\fi\allowbreak}}"
)
LONGEST_WORD = 80  # columns; both ends of a longer one are kept
MOST_FOREIGN = 24  # letters of a name that may have to be printed as numbers


def in_latex(text: str) -> str:
    """Escape what LaTeX would take for markup; :data:`LETTER` prints letters that fonts lack."""
    text = "".join(_IN_LATEX.get(char, char) for char in " ".join(_lines(text)))
    text = re.sub(r"([-',])(?=\1)", r"\1{}", text)
    text = _FOREIGN.sub(lambda found: f"\\dhletter{{{ord(found[0]):04X}}}{{{found[0]}}}", text)
    return "{}" + text if text.startswith(("[", "*")) else text


def in_latex_lines(text: str, width: float) -> str:
    """Escape a text for a paragraph of so many points: words that are longer break anywhere."""
    anywhere = r"\allowbreak ".join
    return " ".join(
        in_latex(word) if length(word) <= width else anywhere(map(in_latex, word))
        for word in " ".join(_lines(text)).split(" ")
    )


def latex(grid: Grid, *, environment: str = "tabular", across: float = LINE) -> str:
    r"""Return a grid as a ``tabular`` for ``\usepackage{booktabs}``, or as a ``longtable``.

    In columns that have a best end, the best is bold and the second best underlined. Where the
    table is wider than ``across`` points, see :func:`layout`.
    """
    grid = grid.printed()
    if not grid.columns:
        return ""
    cells = ([_shorten_words(c) if isinstance(c, str) else c for c in row] for row in grid.cells)
    columns = (replace(c, name=_shorten_words(HEADINGS.get(c.name, c.name))) for c in grid.columns)
    grid = replace(grid, columns=tuple(columns), cells=tuple(map(tuple, cells)))
    (sheet, panels), tables = layout(grid, *on_paper(across)), []
    whole, _ = sheet.widths(grid)
    as_it_is = panels == [whole] and not sheet.letters
    end = r"\\" if as_it_is else r"\tabularnewline"
    for panel in panels:
        widths = ((j, width if width < whole[j] else None) for j, width in panel.items())
        written = (_latex_column(grid, j, width, sheet) for j, width in widths)
        sides, *lines = zip(*written, strict=True)
        head, *body = (" & ".join(line) + f" {end}" for line in lines)
        begin = [rf"\begin{{{environment}}}{{{''.join(sides)}}}", r"\toprule", head, r"\midrule"]
        begin += [r"\endhead"] * (environment == "longtable")
        tables.append("\n".join([*begin, *body, r"\bottomrule", rf"\end{{{environment}}}", ""]))
    if as_it_is:
        return tables[0]
    start = r"\noindent" + "\n" if environment == "tabular" else ""
    joined = "\\par\\medskip\n".join(start + table for table in tables)
    gap = f"\\setlength{{\\tabcolsep}}{{{sheet.gap // 2}pt}}%"
    return f"\\begingroup{sheet.letters}{gap}\n{joined}\\endgroup\n"


def _shorten_words(text: str) -> str:
    """Return a text whose words, and whose names in other letters, are of bounded length."""
    text = "".join(shorten(word, LONGEST_WORD) for word in re.split("([ \r\n]+)", text))
    return "".join(
        shorten(name, MOST_FOREIGN) if len(_FOREIGN.findall(name)) > MOST_FOREIGN else name
        for name in re.split("(, )", text)
    )


def _latex_column(grid: Grid, j: int, width: int | None, sheet: Sheet) -> list[str]:
    """Return a column, its side and heading first; its words, or else its heading, are wrapped."""
    words, (best, second) = grid.is_text(j), grid.podium(j)

    def written(text: str) -> str:
        return in_latex(text) if width is None else in_latex_lines(text, width / sheet.scale)

    side, ragged, name = "l" if words else "r", "", grid.columns[j].name
    head = r"\\ ".join(map(written, [name] if width is None else sheet.lines(name, width)))
    if width is not None and words:
        share = int(1000 * width / (sheet.across + sheet.gap)) / 1000
        side, ragged = rf"p{{{share:g}\linewidth}}", r"\raggedright{}"
    elif width is not None:
        head = rf"\parbox[b]{{{width}pt}}{{\raggedleft {head}}}"
    column = [side, ragged + head]
    for i, row in enumerate(grid.cells):
        text = cell_text(row[j], grid.columns[j].digits)
        cell = written(text) if words else re.sub("^-(?=.)", "$-$", in_latex(text))
        cell = rf"\textbf{{{cell}}}" if i in best else cell
        cell = rf"\underline{{{cell}}}" if i in second else cell
        column.append(ragged + cell + r"\textsuperscript{*}" * ((i, j) in grid.marked))
    return column


def in_html(text: str) -> str:
    return f"<bdi>{'<br>'.join(map(entities.escape, _lines(text)))}</bdi>"


_CELL = "padding:.2em .7em;overflow-wrap:anywhere;max-width:40em;text-align:"


def html(grid: Grid, *, most: int = 200) -> str:
    """Return the first ``most`` rows of a grid as an HTML table, without scripts."""
    grid = grid.printed()
    every = range(len(grid.columns))
    styles = [f'style="{_CELL}{"left" if grid.is_text(j) else "right"}"' for j in every]
    head = "".join(f"<th {styles[j]}>{in_html(grid.columns[j].name)}</th>" for j in every)
    best, body = [grid.podium(j)[0] for j in every], ""
    for i, row in enumerate(grid.texts(in_html)[:most]):
        cells = [f"<b>{cell}</b>" if i in best[j] else cell for j, cell in enumerate(row)]
        cells = [f"<mark>{c}</mark>" if (i, j) in grid.marked else c for j, c in enumerate(cells)]
        body += f"<tr>{''.join(f'<td {styles[j]}>{cells[j]}</td>' for j in every)}</tr>\n"
    rest = f"<p>({len(grid.cells) - most:,} more)</p>\n" if len(grid.cells) > most else ""
    return f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}</tbody>\n</table>\n{rest}"


BAR = 16  # what an 80-column terminal has room for beside names of 24 letters
SHORT_BAR = 11  # and beside an official order
NARROW_BAR = 8  # and beside longer names, rather than leave a column out
DASH, DOT = "\u2500", "\u25cf"


def bar(
    low: float, value: float, high: float, *, left: float, right: float, size: int = BAR
) -> str:
    """Draw an interval with letters, as a line with a dot on an axis from left to right."""
    if not left < right:
        return DOT
    first, dot, last = (round((x - left) / (right - left) * (size - 1)) for x in (low, value, high))
    dot = min(max(dot, 0), size - 1)
    line = [DASH if first <= k <= last else " " for k in range(size)]
    line[dot] = DOT
    return "".join(line).rstrip()


def narrowed(drawn: str, size: int, to: int) -> str:
    """Draw a bar on an axis of so many letters again on a shorter one."""
    if to >= size:
        return drawn
    line = [" "] * to
    for k, letter in enumerate(drawn):
        at = round(k / (size - 1) * (to - 1))
        line[at] = letter if line[at] != DOT and letter != " " else line[at]
    return "".join(line).rstrip()

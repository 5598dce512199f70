"""A result on a terminal: tables that fit the width, the verdict, and names that cannot act."""

from __future__ import annotations

import io
import os
import re
import sys
from collections.abc import Callable, Iterable
from typing import IO, Any

from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from deadheat.core.errors import visible
from deadheat.output.result import Result
from deadheat.output.table import Grid, split
from deadheat.output.text import cut

GAP = 3
PAGE_WIDTH = 100
NARROWEST_NAME = 24
SHORTEST_NAME = 16
NARROWEST_PROSE = 20
LONGEST_PROSE = 1_000
MARK = "*"
AS_IT_IS: Any = dict.fromkeys(("highlight", "markup", "emoji"), False)
IN_PLAIN = str.maketrans({"\u2500": "-", "\u25cf": "o", "\u2013": "-"})  # bars and ranges
PLAIN = box.Box(str(box.SIMPLE_HEAD).replace("\u2500", "-"), ascii=True)


class _Console(Console):
    """A console that leaves it to the caller what a closed pipe means."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def show(result: Result) -> None:
    if sys.stdout is None:  # closed by the caller
        return
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # a name must not break the terminal
    _print(result, _console(sys.stdout, colour=not os.environ.get("NO_COLOR")))


def page(result: Result, *, plainly: bool = False) -> str:
    """Return a result as text without colour, for a file; a plain one has no box characters."""
    paper = io.StringIO()
    lines = PLAIN if plainly else box.SIMPLE_HEAD
    _print(result, _console(paper, colour=False, width=PAGE_WIDTH), lines)
    written = paper.getvalue().translate(IN_PLAIN) if plainly else paper.getvalue()
    return "".join(f"{line.rstrip()}\n" for line in written.split("\n")[:-1])


def _console(file: IO[str], *, colour: bool, width: int | None = None) -> Console:
    return _Console(file=file, width=width, color_system="auto" if colour else None, **AS_IT_IS)


def _print(result: Result, console: Console, lines: box.Box = box.SIMPLE_HEAD) -> None:
    grid = result.grid().on_screen()
    if grid.title:
        console.print(Text(visible(grid.title), style="bold"))
    for panel in panels(grid, console.width) if grid.columns else ():
        console.print(_table(grid, panel, lines))
        console.print()
    for note in (*grid.captions, *grid.notes):
        console.print(Text(visible(note), style="dim"))
    if result.sentences:
        if len(grid.captions) + len(grid.notes) > 1:
            console.print()
        console.print(Text("\n".join(map(visible, result.sentences))))


def panels(grid: Grid, width: int) -> list[dict[int, int]]:
    """Return widths of all columns side by side, or in stacked panels where they do not fit.

    Columns that name the row stand in every panel and are cut, more where that saves a panel and
    still tells them apart; other words and headings are wrapped, numbers are never squashed.
    """
    natural = _widths(grid, lambda heading: [visible(heading)])
    if _total(natural.values()) <= width:
        return [natural]
    size = _widths(grid, _parts)
    name = max(grid.naming() - 1, 0)
    prose = [j for j in size if j > name and grid.is_text(j)]
    size = _narrowed(size, prose, NARROWEST_PROSE, width)
    names = [j for j in range(name + 1) if grid.is_text(j)] or [name]
    size = _narrowed(size, names, min(NARROWEST_NAME, width // 3), width)
    tighter = _narrowed(size, names, SHORTEST_NAME, width)
    if _total(tighter.values()) <= width and _distinct(grid, names, tighter):
        size = tighter
    keys = tuple(range(name + 1))
    groups = split(size, keys, lambda columns: _total(size[j] for j in columns) <= width)
    room = [{j: size[j] for j in group} for group in groups]
    return [_filled(each, natural, [*names, *prose], width) for each in room]


def _narrowed(size: dict[int, int], columns: list[int], least: int, width: int) -> dict[int, int]:
    """Return widths in which some columns give up what the whole has too much, widest first."""
    changed = dict(size)
    for j in sorted(columns, key=lambda j: -size[j]):
        excess = max(_total(changed.values()) - width, 0)
        changed[j] = max(changed[j] - excess, min(least, changed[j]))
    return changed


def _filled(
    changed: dict[int, int], natural: dict[int, int], columns: list[int], width: int
) -> dict[int, int]:
    """Let words take back the room that is left in a panel."""
    name, *prose = (j for j in columns if j in changed)
    for j in (name, *sorted(prose, key=lambda j: -natural[j])):
        room = max(width - _total(changed.values()), 0)
        changed[j] += min(room, natural[j] - changed[j])
    return changed


def _total(widths: Iterable[int]) -> int:
    listed = list(widths)
    return sum(listed) + GAP * (len(listed) - 1)


def _widths(grid: Grid, parts: Callable[[str], list[str]]) -> dict[int, int]:
    """Return the width that each column wants when its heading may be broken into parts."""
    rows = grid.written()
    starred = {j for _, j in grid.marked}
    widths = {}
    for j, column in enumerate(grid.columns):
        cells = [cell_len(row[j][:LONGEST_PROSE]) + (j in starred) for row in rows]
        widths[j] = max(1, *(cell_len(part.rstrip()) for part in parts(column.name)), *cells)
    return widths


def _distinct(grid: Grid, names: list[int], widths: dict[int, int]) -> bool:
    """Return whether names that are cut to these widths still tell rows apart that differ."""
    rows = {tuple(row[j] for j in names) for row in grid.written()}
    shown = {tuple(cut(n, widths[j]) for n, j in zip(row, names, strict=True)) for row in rows}
    return len(shown) == len(rows)


def _parts(heading: str) -> list[str]:
    """Return the pieces between which a heading may be broken."""
    return re.findall(r"[^\s_-]+[\s_-]*|[\s_-]+", visible(heading)) or [""]


def _heading(heading: str, width: int) -> Text:
    lines = [""]
    for part in _parts(heading):
        if lines[-1] and cell_len(lines[-1] + part.rstrip()) > width:
            lines.append("")
        lines[-1] += part
    return Text("\n".join(cut(line.rstrip(), width) for line in lines))


def _table(grid: Grid, panel: dict[int, int], lines: box.Box) -> Table:
    table = Table(box=lines, show_edge=False, pad_edge=False, padding=(0, 1))
    name = max(grid.naming() - 1, 0)
    for j, width in panel.items():
        words = grid.is_text(j)
        table.add_column(
            _heading(grid.columns[j].name, width),
            justify="left" if words else "right",
            vertical="top",
            width=width,
            no_wrap=not words or j <= name,
            overflow="fold",
        )
    best = {j: grid.podium(j)[0] for j in panel}
    starred = {j for _, j in grid.marked}
    for i, row in enumerate(grid.written()):
        cells = []
        for j, width in panel.items():
            room = width - (j in starred)
            written = cut(row[j], room) if j <= name else row[j][:LONGEST_PROSE]
            text = Text(written, style="bold" if i in best[j] else "")
            if j in starred:
                text.append(MARK if (i, j) in grid.marked else " ", style="yellow")
            cells.append(text)
        table.add_row(*cells)
    return table

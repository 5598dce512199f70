"""A result on a terminal: tables that fit the width, the verdict, and names that cannot act."""

from __future__ import annotations

import io
import os
import sys
from dataclasses import replace
from typing import IO, Any

from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from deadheat.core.errors import visible
from deadheat.output.result import Result
from deadheat.output.table import Grid, Sheet, layout
from deadheat.output.text import shorten

GAP = 3
PAGE_WIDTH = 100
NARROWEST_NAME = 24
SHORTEST_NAME = 16
NARROWEST_PROSE = 20
NARROWEST = 3  # a letter, an ellipsis, a letter
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
    sheet, panels = layout(grid, *sheets(console.width))
    for panel in panels if grid.columns else ():
        console.print(_table(grid, sheet, panel, lines))
        console.print()
    for note in (*grid.captions, *grid.notes):
        console.print(Text(visible(note), style="dim"))
    if result.sentences:
        if len(grid.captions) + len(grid.notes) > 1:
            console.print()
        console.print(Text("\n".join(map(visible, result.sentences))))


def sheets(width: int) -> list[Sheet]:
    """Return a terminal, on which names are rather cut shorter than told in many panels."""
    name = min(NARROWEST_NAME, width // 3)
    wide = Sheet(
        across=width,
        gap=GAP,
        measure=lambda text: cell_len(text[:LONGEST_PROSE]),
        words=NARROWEST_PROSE,
        narrowest=NARROWEST,
        names=name,
        heading=width - name - GAP,
    )
    return [replace(wide, names=min(SHORTEST_NAME, name)), wide]


def _table(grid: Grid, sheet: Sheet, panel: dict[int, int], lines: box.Box) -> Table:
    table = Table(box=lines, show_edge=False, pad_edge=False, padding=(0, 1))
    naming = grid.naming()
    for j, width in panel.items():
        words = grid.is_text(j)
        head = sheet.lines(grid.columns[j].name, width)
        table.add_column(
            Text("\n".join(shorten(line, width) for line in head)),
            justify="left" if words else "right",
            vertical="top",
            width=width,
            no_wrap=not words or j < naming,
            overflow="fold",
        )
    best = {j: grid.podium(j)[0] for j in panel}
    starred = {j for _, j in grid.marked}
    for i, row in enumerate(grid.texts()):
        cells = []
        for j, width in panel.items():
            room = width - (j in starred)
            written = shorten(row[j], room) if j < naming else row[j][:LONGEST_PROSE]
            text = Text(written, style="bold" if i in best[j] else "")
            if j in starred:
                text.append(MARK if (i, j) in grid.marked else " ", style="yellow")
            cells.append(text)
        table.add_row(*cells)
    return table

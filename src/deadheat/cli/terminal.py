"""A result on a terminal: tables that fit the width, the verdict, and names that cannot act."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import IO, Any

from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from deadheat.core.errors import UsageError, Words, command_with, counted, named, visible
from deadheat.output.result import MARKS, MOST_REASONS, Boards, Result, caution
from deadheat.output.table import Grid, Sheet, layout, names_cut, narrowed, without_shared
from deadheat.output.text import shorten, shorten_all, wrapped

GAP = 3
PAGE_WIDTH = 100
NARROWEST_NAME = 24
SHORTEST_NAME = 16
TIGHT_NAME = 12  # beside more columns than usual
NARROWEST_PROSE = 20
NARROWEST = 3  # a letter, an ellipsis, a letter
LONGEST_PROSE = 1_000
INDENT = 3  # of reasons, after their mark
AROUND = 14  # lines around the rows of a table
REST = 3  # of these: an empty one, the heading of reasons, and where more is told
FEWEST_LINES = 3  # of reasons
MOST_LEADING = 20
NEXT = 3  # rows that are shown rather than counted
MARK = "*"
COLOURS = {True: "green", False: "yellow", None: "dim"}  # of marks
AS_IT_IS: Any = dict.fromkeys(("highlight", "markup", "emoji"), False)
IN_PLAIN = str.maketrans(
    {"\u2500": "-", "\u25cf": "o", "\u2013": "-", "\u2713": "+", "\u00b7": "-"}
)  # bars and ranges
PLAIN = box.Box(str(box.SIMPLE_HEAD).replace("\u2500", "-"), ascii=True)


class _Console(Console):
    """A console that leaves it to the caller what a closed pipe means."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def show(
    result: Result, *, explain: bool = False, everything: bool = False, quiet: bool = False
) -> None:
    """Show the answer, the table and what bears on it; ``explain`` tells all the rest."""
    if sys.stdout is None:  # closed by the caller
        return
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # a name must not break the terminal
    console = _console(sys.stdout, colour=not os.environ.get("NO_COLOR"))
    if everything and not result.grid().leading and result.boards is None:
        fact = "--all changes nothing here: every row is shown anyway."
        raise UsageError(fact, hint=f"without it: {command_with(everything=False)}")
    whole = everything or not sys.stdout.isatty()
    room = None if whole else console.height - AROUND
    _print(result, console, room=room, explain=explain, quiet=quiet)


def page(result: Result, *, plainly: bool = False) -> str:
    """Return all of a result as text without colour; a plain one has no box characters."""
    paper = io.StringIO()
    lines = PLAIN if plainly else box.SIMPLE_HEAD
    _print(result, _console(paper, colour=False, width=PAGE_WIDTH), lines, explain=True)
    written = paper.getvalue().translate(IN_PLAIN) if plainly else paper.getvalue()
    return "".join(f"{line.rstrip()}\n" for line in written.split("\n")[:-1])


def _console(file: IO[str], *, colour: bool, width: int | None = None) -> Console:
    return _Console(file=file, width=width, color_system="auto" if colour else None, **AS_IT_IS)


def _print(
    result: Result,
    console: Console,
    lines: box.Box = box.SIMPLE_HEAD,
    *,
    room: int | None = None,
    explain: bool,
    quiet: bool = False,
) -> None:
    """Print the answer, the table of at most so many rows, reasons, and where more is told."""
    sparing = room is not None and not explain
    grid = result.grid().on_screen()
    above = [Text(visible(said), style="bold") for said in result.sentences[:1]]
    above += [Text(visible(grid.title), style="dim")] if grid.title else []
    for said in above:
        console.print(said)
    rows = _rows_shown(grid, room)
    left, grid = len(grid.cells) - rows, grid.first(rows)
    if names_cut(grid, *layout(grid, *sheets(console.width), sparing=sparing)):
        grid = without_shared(grid)
    taken, spared = _print_table(grid, console, lines, sparing=sparing)
    dim = (*([f"... {left:,} more (--all)"] if left else []), *grid.legend, *spared)
    below = [Text(_hanging(visible(said), console.width), style="dim") for said in dim]
    for said in below:
        console.print(said)
    taken += sum(len(said.wrap(console, console.width)) for said in (*above, *below))
    if result.boards is not None:
        _print_boards(result.boards, console, lines, None if room is None else MOST_LEADING)
    over = left if rows + AROUND > console.height else 0
    most = max(AROUND + over - REST - taken, FEWEST_LINES)
    unwanted = {*map(caution, result.warnings)} if quiet else set()
    reasons = [said for said in result.reasons if said not in unwanted]
    hidden = _print_reasons(result.asks, reasons, console, None if explain else most)
    told = (*grid.captions, *grid.notes)
    if explain and told:
        console.print(Text("\n".join(("", *map(visible, told))), style="dim"))
    elif hidden or told:
        beyond = [counted(hidden, "more remark")] if hidden else []
        more = ", and ".join([*beyond, *([grid.explains] if told else [])])
        console.print(Text(f"{more[:1].upper()}{more[1:]}: --explain", style="dim"))


def _print_table(
    grid: Grid, console: Console, lines: box.Box, *, sparing: bool = False
) -> tuple[int, list[str]]:
    """Print a table; return how many lines it takes beside its rows, and what it leaves out."""
    sheet, panels = layout(grid, *sheets(console.width), sparing=sparing)
    taken, shown = 0, {j for panel in panels for j in panel}
    left_out = [
        "bars" if column.picture else column.name
        for j, column in enumerate(grid.columns)
        if j not in shown
    ]
    have = "has them" if len(left_out) > 1 else "has it"
    spared = [f"No room here for {named(left_out)}: --explain {have}."]
    for panel in panels if grid.columns else ():
        console.print()
        console.print(_table(grid, sheet, panel, lines))
        taken += 2 + max(len(sheet.lines(grid.columns[j].name, panel[j])) for j in panel)
    return taken, spared if left_out else []


def _print_boards(boards: Boards, console: Console, lines: box.Box, most: int | None) -> None:
    grid = boards.grid()
    left = 0 if most is None else max(len(grid.cells) - most, 0)
    console.print()
    console.print(Text(visible(boards.sentence), style="bold"))
    _print_table(grid.first(len(grid.cells) - left), console, lines, sparing=most is not None)
    if left:
        console.print(Text(f"... {left:,} more (--all)", style="dim"))


def _hanging(said: str, width: int) -> str:
    """Return a line of a legend whose further lines stand under its words, not under its mark."""
    return wrapped(said, width, " " * (len(said) - len(said.lstrip("= "))))


def _rows_shown(grid: Grid, room: int | None) -> int:
    """Return how many rows to show: those that lead, and what has room, or all if few are left."""
    n = len(grid.cells)
    if room is None or not grid.leading:
        return n
    leading = min(grid.leading, MOST_LEADING)
    return n if max(leading + NEXT, room) >= n - NEXT else max(leading, room)


def _print_reasons(asks: str, reasons: Sequence[Words], console: Console, room: int | None) -> int:
    """Print what bears on the answer, in so many lines; return how many reasons are left out."""
    if reasons:
        console.print()
        console.print(Text(asks, style="bold"))
    for k, said in enumerate(reasons):
        text = Text(visible(said))
        if room is not None:
            room -= len(text.wrap(console, console.width - INDENT))
            if k and (k == MOST_REASONS or room < 0):
                return len(reasons) - k
        row = Table.grid(padding=(0, 1))
        row.add_row(Text(f" {MARKS[said.good]}", style=COLOURS[said.good]), text)
        console.print(row)
    return 0


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
    tight = replace(wide, names=min(TIGHT_NAME, name), gap=GAP - 1)
    return [replace(wide, names=min(SHORTEST_NAME, name)), tight, wide]


def _table(grid: Grid, sheet: Sheet, panel: dict[int, int], lines: box.Box) -> Table:
    padding = (0, 1, 0, sheet.gap - 2)
    table = Table(box=lines, show_edge=False, pad_edge=False, padding=padding)
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
    texts, cut = grid.texts(), {}
    for j, width in panel.items():
        every = [row[j] for row in texts]
        if j < naming:
            every = shorten_all(every, width - (j in starred))
        elif grid.columns[j].picture:
            axis = max(map(cell_len, every), default=0)
            every = [narrowed(each, axis, width) for each in every]
        cut[j] = every
    for i in range(len(texts)):
        cells = []
        for j in panel:
            text = Text(cut[j][i][:LONGEST_PROSE], style="bold" if i in best[j] else "")
            if j in starred:
                text.append(MARK if (i, j) in grid.marked else " ", style="yellow")
            cells.append(text)
        table.add_row(*cells)
    return table

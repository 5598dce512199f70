"""A result on a terminal: tables that fit the width, the verdict, and names that cannot act."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate
from typing import IO, Any

from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from deadheat.core.errors import UsageError, Words, command_with, counted, named, visible
from deadheat.output.result import MARKS, MOST_REASONS, Boards, Result, caution, doubts_first
from deadheat.output.table import Grid, Sheet, layout, names_cut, narrowed, without_shared
from deadheat.output.text import shorten, shorten_all, wrapped
from deadheat.statistics.group_words import LEVEL

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
HEADING = 2  # of these: an empty one, and the heading of reasons
MORE = 1  # where more is told
FEWEST_LINES = 3  # of reasons
FEWEST_REASONS = 2  # however long
FEWEST_ROWS = 3
SOME_BOARDS = 6  # before rows of the table give way to more of them
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
    result: Result,
    *,
    explain: bool = False,
    everything: bool = False,
    quiet: bool = False,
    below: int = 0,
) -> None:
    """Show the answer, the table and what bears on it; ``explain`` tells all the rest.

    All of it stays in sight, with so many lines that others write ``below``.
    """
    if sys.stdout is None:  # closed by the caller
        return
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # a name must not break the terminal
    console = _console(sys.stdout, colour=not os.environ.get("NO_COLOR"))
    if everything and not result.grid().leading and result.boards is None:
        fact = "--all changes nothing here: every row is shown anyway."
        raise UsageError(fact, hint=f"without it: {command_with(everything=False)}")
    whole = everything or not sys.stdout.isatty()
    room = None if whole else console.height - 1 - below
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
    """Print the answer, the table, reasons, and where more is told: if need be in so many lines."""
    sparing = room is not None and not explain
    whole = result.grid().on_screen()
    if sparing and result.boards is not None:
        whole = replace(whole, legend=whole.legend[:1])
    above = [Text(visible(said), style="bold") for said in result.sentences[:1]]
    above += [Text(visible(whole.title), style="dim")] if whole.title else []
    unwanted = {*map(caution, result.warnings)} if quiet else set()
    reasons = [said for said in result.reasons if said not in unwanted]
    boards, rest = result.boards, MORE + HEADING * bool(reasons)
    fewest = (FEWEST_LINES, FEWEST_REASONS) if boards is None else (1, 1)
    few = _first(reasons, console, fewest[0], least=fewest[1])
    least = rest + sum(_heights(few, console))
    wanted = 0 if boards is None else _boards_height(boards, SOME_BOARDS, console)
    rows = n = len(whole.cells)
    if room is not None and whole.leading:
        rows = min(n, room)
    while True:
        grid, dim = _cut(whole, rows, console, sparing=sparing)
        below = [Text(_hanging(visible(said), console.width), style="dim") for said in dim]
        taken = _height(grid, console, sparing=sparing)
        taken += sum(len(said.wrap(console, console.width)) for said in (*above, *below))
        over = 0 if room is None or not whole.leading else taken + wanted + least - room
        if over <= 0 or rows <= FEWEST_ROWS:
            break
        rows -= 1
    for said in above:
        console.print(said)
    _print_table(grid, console, lines, sparing=sparing)
    for said in below:
        console.print(said)
    if boards is not None:
        some, around = len(boards.boards), _boards_height(boards, FEWEST_ROWS, console)
        if room is not None and taken + least + around + some - FEWEST_ROWS > room:
            some = min(some, FEWEST_ROWS + max(room - taken - least - around, 0))
            some += some == len(boards.boards) - 1
        _print_boards(boards, some, console, lines)
        beside = _boards_height(boards, some, console)
        n, taken = n + beside, taken + beside
    most = n + AROUND if room is None else min(room, n + AROUND)
    lines_left = max(most - taken - rest, fewest[0])
    shown = reasons if explain else _first(reasons, console, lines_left)
    _print_reasons(result.asks, shown, console)
    _print_more(whole, len(reasons) - len(shown), console, explain=explain)


def _print_more(whole: Grid, hidden: int, console: Console, *, explain: bool) -> None:
    """Print what the columns mean, or one line that says where more is."""
    told = (*whole.captions, *whole.notes)
    if explain and told:
        console.print(Text("\n".join(("", *map(visible, told))), style="dim"))
    elif hidden or told:
        beyond = [counted(hidden, "more remark")] if hidden else []
        more = ", and ".join([*beyond, *([whole.explains] if told else [])])
        console.print(Text(f"{more[:1].upper()}{more[1:]}: --explain", style="dim"))


def _cut(whole: Grid, rows: int, console: Console, *, sparing: bool) -> tuple[Grid, list[str]]:
    """Return the first rows of a table, and what is said below it."""
    rows += rows == len(whole.cells) - 1  # one more takes no more room than saying so
    grid, left = whole.first(rows), whole.cells[rows:]
    if names_cut(grid, *layout(grid, *sheets(console.width), sparing=sparing)):
        grid = without_shared(grid)
    marks = [j for j, column in enumerate(whole.columns) if not column.name]
    level = sum(row[j] == LEVEL for row in left for j in marks)
    them = f", {'all' if level == len(left) else f'{level:,}'} of them level" if level else ""
    return grid, [
        *([f"... {len(left):,} more{them} (--all)"] if left else []),
        *grid.legend,
        *_left_out(grid, console, sparing=sparing),
    ]


def _left_out(grid: Grid, console: Console, *, sparing: bool) -> list[str]:
    """Say which columns have no room."""
    _, panels = layout(grid, *sheets(console.width), sparing=sparing)
    shown = {j for panel in panels for j in panel}
    left_out = [
        "bars" if column.picture else column.name
        for j, column in enumerate(grid.columns)
        if j not in shown
    ]
    have = "has them" if len(left_out) > 1 else "has it"
    return [f"No room here for {named(left_out)}: --explain {have}."] if left_out else []


def _height(grid: Grid, console: Console, *, sparing: bool) -> int:
    """Return how many lines the panels of a table take; text after the names is wrapped."""
    sheet, panels = layout(grid, *sheets(console.width), sparing=sparing)
    texts, naming, lines = grid.texts(), grid.naming(), 0
    for panel in panels if grid.columns else ():
        lines += 2 + max(len(sheet.lines(grid.columns[j].name, panel[j])) for j in panel)
        prose = [j for j in panel if j >= naming and grid.is_text(j)]
        for row in texts:
            cells = (Text(row[j][:LONGEST_PROSE]).wrap(console, panel[j]) for j in prose)
            lines += max(map(len, cells), default=1)
    return lines


def _print_table(grid: Grid, console: Console, lines: box.Box, *, sparing: bool = False) -> None:
    sheet, panels = layout(grid, *sheets(console.width), sparing=sparing)
    for panel in panels if grid.columns else ():
        console.print()
        console.print(_table(grid, sheet, panel, lines))


def _print_boards(boards: Boards, some: int, console: Console, lines: box.Box) -> None:
    console.print()
    console.print(Text(visible(boards.sentence), style="bold"))
    left = len(boards.boards) - some
    shown = boards.largest(some) if left else boards
    _print_table(shown.grid(), console, lines, sparing=left > 0)
    if left:
        console.print(Text(f"... {left:,} more (--all)", style="dim"))


def _boards_height(boards: Boards, some: int, console: Console) -> int:
    grid = boards.grid()
    said = Text(visible(boards.sentence)).wrap(console, console.width)
    more = some < len(grid.cells)
    return 1 + len(said) + _height(grid.first(some), console, sparing=more) + more


def _hanging(said: str, width: int) -> str:
    """Return a line of a legend whose further lines stand under its words, not under its mark."""
    return wrapped(said, width, " " * (len(said) - len(said.lstrip("= "))))


def _heights(reasons: Sequence[Words], console: Console) -> list[int]:
    width = console.width - INDENT
    return [len(Text(visible(said)).wrap(console, width)) for said in reasons]


def _first(
    reasons: Sequence[Words], console: Console, room: int, *, least: int = 1
) -> Sequence[Words]:
    """Return the reasons that fit so many lines, and at least so many."""
    some = reasons[:MOST_REASONS]
    taken = accumulate(_heights(some, console))
    return some[: max(sum(lines <= room for lines in taken), least)]


def _print_reasons(asks: str, reasons: Sequence[Words], console: Console) -> None:
    if reasons:
        console.print()
        console.print(Text(asks, style="bold"))
    for said in doubts_first(reasons):
        row = Table.grid(padding=(0, 1))
        mark = Text(f" {MARKS[said.good]}", style=COLOURS[said.good])
        row.add_row(mark, Text(visible(said)))
        console.print(row)


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

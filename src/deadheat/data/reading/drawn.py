"""Tables drawn for readers in Markdown, LaTeX or HTML: marks, arrows, several in a file."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from deadheat.core.errors import DataError, UsageError, command_with, counted, listed, quoted
from deadheat.data.reading.documents import stream
from deadheat.data.reading.numbers import is_uncertain, looks_numeric
from deadheat.data.reading.options import Options
from deadheat.data.reading.source import Row, Source, Stream

SHOWN = 4  # columns that tell one table of a file from another
ARROWS = {"↑": "higher", "⬆": "higher", "▲": "higher", "↓": "lower", "⬇": "lower", "▼": "lower"}
_ARROW = re.compile(rf"\s*\(?\s*([{''.join(ARROWS)}])\ufe0f?\s*\)?\s*")
_PAIRS = re.compile(r"(\*\*\*|\*\*|__|~~|`|\*|(?<!\w)_)(?=\S)(.+?)(?<=\S)\1(?!\w)")
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_TAG = re.compile(r"<(sup|sub)\b.*?</\1\s*>|<!--.*?-->|</?[a-zA-Z][^<>]*>", re.DOTALL)
_NUMBER = re.compile(r"([-+\u2212]?\d[^*†‡§¶#^]*?)\s*[*†‡§¶#^]+(?:\{[^}]*\})?")
_BLANKS = re.compile(r"\s+")


@dataclass(frozen=True, kw_only=True)
class Drawn:
    """One table of a document: where it stands, its header and its rows, each with its line."""

    line: int
    header: Sequence[str]
    rows: Sequence[Row]
    caption: str = ""
    official: Mapping[str, float] = field(default_factory=dict)  # who came where, if it says so


def plain(cell: str) -> str:
    """Return a cell without what only makes it bold, starred, underlined, struck or a link.

    >>> [plain(cell) for cell in ("**0.91**", "__0.9__*", "[GPT-4](x)", "<b>0.8</b><sup>†</sup>")]
    ['0.91', '0.9', 'GPT-4', '0.8']
    """
    text = _LINK.sub(r"\1", _TAG.sub("", cell)).strip()
    while (bare := _PAIRS.sub(r"\2", text)) != text:
        text = bare
    marked = _NUMBER.fullmatch(text)
    return _BLANKS.sub(" ", marked[1] if marked else text).strip()


def stream_of_drawn(source: Source, tables: Sequence[Drawn], options: Options) -> Stream:
    """Return the only table of a document, or the one that ``sheet`` names; arrows say directions.

    A file with several tables is refused with the command for each of them.
    """
    table = _chosen(source, [each for each in tables if each.rows], options.sheet)
    cells = [plain(name) for name in table.header]
    names = [_ARROW.sub(" ", name).strip() for name in cells]
    width = len(names)
    arrows = {name: ARROWS[found[1]] for name, cell in zip(names, cells, strict=True)
              if (found := _ARROW.search(cell))}  # fmt: skip
    states: dict[str, Any] = {}
    if arrows and len(arrows) == width - 1:
        states = {"better": arrows, "candidates": "rows"}
    states |= {"official": dict(table.official)} if table.official else {}
    rows = []
    for line, row in table.rows:
        if any(map(str.strip, row[width:])) or len(row) < 2 < width:
            fact = f"{source.name}: line {line:,} has {counted(len(row), 'cell')}, not {width:,}."
            raise DataError(fact, hint="every row has as many cells as the header.")
        rows.append((line, [plain(c) for c in row[:width]] + [""] * (width - len(row))))
    return stream(source, names, rows, unit="line", states=states)


def _chosen(source: Source, tables: Sequence[Drawn], asked: str | int | None) -> Drawn:
    if not tables:
        fact = f"{source.name} has no table with a header and rows."
        raise DataError(fact, hint="a table has a header row and one row or more.")
    if asked is None and len(tables) == 1:
        return tables[0]
    for number, table in enumerate(tables, start=1):
        if asked is not None and str(asked).strip() in (str(number), table.caption or None):
            return table
    ways = [
        f"{quoted(each.caption) if each.caption else f'line {each.line:,}'} "
        f"({listed(map(plain, each.header), most=SHOWN)}): {command_with(sheet=str(number))}"
        for number, each in enumerate(tables, start=1)
    ]
    fact = f"{source.name} has {counted(len(tables), 'table')}: which one?"
    if asked is not None:
        fact = f"{source.name} has no table {quoted(asked)}, but {len(tables):,} others."
    raise UsageError(fact, hint="\n".join(ways))


def joined_header(rows: Sequence[Row], *, line: int, caption: str) -> Drawn:
    """Return a table whose first rows, up to the first with a number, are its header.

    Of two rows the upper one spans columns of the lower one, where it has a name.
    """
    body = next((k for k, (_, row) in enumerate(rows) if any(map(_counts, row[1:]))), len(rows))
    above = [row for _, row in rows[: max(body, 1)]]
    width = max(map(len, above), default=0)
    header = [""] * width
    for row in above:
        last, several = "", len(above) > 1 and row is not above[-1]
        for k in range(width):
            cell = row[k] if k < len(row) else ""
            last = cell or (last if several and k else "")
            header[k] = last if header[k] == last else f"{header[k]} {last}".strip()
    return Drawn(line=line, header=header, rows=rows[max(body, 1) :], caption=caption)


def _counts(cell: str) -> bool:
    return bool(plain(cell)) and (looks_numeric(plain(cell)) or is_uncertain(plain(cell)))

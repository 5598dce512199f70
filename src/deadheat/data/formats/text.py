"""Text tables: CSV, TSV, semicolons, bars or white space, read in bounded blocks."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence

from deadheat.core.errors import DataError, counted, quoted, say
from deadheat.data.reading.column_names import names_rows
from deadheat.data.reading.numbers import (
    FIRST_ROWS,
    beside_the_number,
    header_again,
    header_below,
    is_uncertain,
    like_a_header,
)
from deadheat.data.reading.options import Options
from deadheat.data.reading.preview import NO_HEADER, generated, has_header
from deadheat.data.reading.source import Source, Stream, TextBlock, in_lines, rows_per_block
from deadheat.data.reading.text import NAMES, Records, beginning_of, encoding_of, in_utf_8

title = "a text table"
suffixes = (".csv", ".tsv", ".txt", ".data", ".dat", ".tab", ".psv", ".ssv")
magic: tuple[bytes, ...] = ()
opening: tuple[bytes, ...] = ()
understands = ("delimiter", "header", "encoding")

WESTERN = {"cp1252", "latin-1", "iso8859-1"}


def open_stream(source: Source, options: Options) -> Stream:
    encoding = encoding_of(source, options.encoding)
    utf_8 = encoding.startswith("utf-8")
    errors = "surrogateescape" if utf_8 else "strict"  # a stray byte is told with its line
    lines_of = io.TextIOWrapper(in_lines(source), encoding=encoding, errors=errors, newline="")
    text = in_utf_8(lines_of, source.name) if utf_8 else lines_of
    start = beginning_of(text, options.delimiter)
    records = Records(start, text)
    lines, rows = records.chunk(rows_per_block(start.width, start.characters))
    if not rows:
        hint = "a table has a header row and one row or more."
        raise DataError(f"{source.name} is empty.", hint=hint)
    named, doubt = has_header(rows, said=options.header)
    shape = Shape(source.name, rows, named=named, head_line=lines[0])
    columns = shape.names if named else generated(shape.width)
    skip = 1 if named else 0
    western = ""
    if encoding in WESTERN and options.encoding is None:
        other = f"{say('encoding')} says otherwise"
        western = f"the text is not UTF-8 and is read as {encoding}; {other}."
    return Stream(
        source=source.name,
        columns=columns,
        blocks=_blocks(records, shape, lines[skip:], rows[skip:]),
        named=named,
        unit="line",
        quoted_commas=start.delimiter == ",",
        semicolons=start.delimiter == ";",
        guarded=True,
        facts=(
            *source.facts,
            ("format", f"text, {encoding}"),
            ("delimiter", NAMES.get(start.delimiter, repr(start.delimiter))),
            ("header", f"line {start.skipped + 1} names the columns" if named else NO_HEADER),
        ),
        notes=tuple(filter(None, (western, *start.notes, doubt, *shape.notes))),
    )


def _blocks(
    records: Records, shape: Shape, lines: Sequence[int], rows: list[list[str]]
) -> Iterator[TextBlock]:
    while rows or not records.ended:
        lines, rows = shape.fitted(lines, rows)
        if rows:
            yield TextBlock(lines, rows)
        characters = sum(map(len, rows[-1])) + len(rows[-1]) if rows else 1
        lines, rows = records.chunk(rows_per_block(shape.width, characters))


# ------------------------------------------------------------------------------
# How many cells a row has, and what to do with the rows that have more or fewer.

SIGNS = ("±", "+-", "+/-")  # of an uncertainty that stands behind a blank


class Shape:
    def __init__(
        self, source: str, rows: Sequence[Sequence[str]], *, named: bool, head_line: int
    ) -> None:
        self._source, self._head_line = source, head_line
        first = [cell.strip() for cell in rows[0]]
        body = [row for row in rows[1:] if any(cell.strip() for cell in row)]
        self.notes: tuple[str, ...] = ()
        filled, size = _filled(first), len(first)
        if filled < size and (named or body):  # columns at the end that are wholly empty
            filled = max(1, filled, *(min(_filled(row), size) for row in body))
        if filled < size and (named or body):
            more = f"{size - filled:,} empty columns at the end are left out."
            one = "a trailing delimiter made an empty last column, which is ignored."
            self.notes = (one if size - filled == 1 else more,)
            del first[filled:]
        elif named and body:
            self._compare(first, body)
        self.names, self.width = first, len(first)

    def _compare(self, first: list[str], body: Sequence[Sequence[str]]) -> None:
        extra = min(map(len, body)) - len(first)
        if extra < 1:
            return
        if all(_filled(row) <= len(first) for row in body):
            self.notes = ("every row ends with a delimiter, which is ignored.",)
        elif extra == 1 and all(len(row) == len(first) + 1 for row in body):
            first.insert(0, "")
            told = "the header names one column less than there are: the first has none."
            self.notes = (told,)

    def fitted(
        self, lines: Sequence[int], rows: list[list[str]]
    ) -> tuple[Sequence[int], list[list[str]]]:
        width = self.width
        if not any(len(row) != width or not row[0] for row in rows):
            return lines, rows
        kept, fitting = [], []
        for line, row in zip(lines, rows, strict=True):
            if len(row) != width:
                if not any(cell.strip() for cell in row):
                    continue
                row = self._cut(line, row)  # noqa: PLW2901
            elif not row[0] and not any(cell.strip() for cell in row):
                continue
            kept.append(line)
            fitting.append(row)
        return kept, fitting

    def _cut(self, line: int, row: list[str]) -> list[str]:
        if len(row) > self.width and not any(cell.strip() for cell in row[self.width :]):
            return row[: self.width]
        raise DataError(
            f"{self._source}: line {line:,} has {counted(len(row), 'field')}, "
            f"expected {self.width:,} as in line {self._head_line:,}.",
            hint=self._hint(line, row),
        )

    def _hint(self, line: int, row: list[str]) -> str:
        if any("\n" in cell for cell in row):
            return "a quotation mark that is never closed?"
        cut = (" ".join(row[i : i + 2 + (row[i + 1] in SIGNS)]) for i in range(len(row) - 1))
        uncertain = next(filter(is_uncertain, cut), "") if len(row) > self.width else ""
        if uncertain:
            return f"{quoted(uncertain)} was cut at its blanks: {beside_the_number(uncertain)}"
        near = line <= self._head_line + FIRST_ROWS
        if near and len(row) > self.width and like_a_header(row[0], row[1:]):
            return header_below("line", line)
        if not near and names_rows(row[0]) and like_a_header(row[0], row[1:]):
            return header_again("line", line)
        return (
            "quote cells that hold the delimiter (decimal commas too); fill short rows with "
            "empty cells."
        )


def _filled(row: Sequence[str]) -> int:
    """Return the number of cells up to the last that holds anything."""
    size = len(row)
    while size and not row[size - 1].strip():
        size -= 1
    return size

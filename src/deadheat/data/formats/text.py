"""Text tables: CSV, TSV, semicolons, bars or white space, read in bounded blocks."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence

from deadheat.data.delimiter import NAMES
from deadheat.data.encoding import encoding_of, in_utf_8
from deadheat.data.header import generated, has_header
from deadheat.data.options import Options
from deadheat.data.records import Beginning, Records, beginning_of
from deadheat.data.shape import Shape
from deadheat.data.source import Source, in_lines
from deadheat.data.stream import Facts, Stream, TextBlock, rows_per_block
from deadheat.errors import DataError

title = "a text table"
suffixes = (".csv", ".tsv", ".txt", ".data", ".dat", ".tab", ".psv", ".ssv")
magic: tuple[bytes, ...] = ()
opening: tuple[bytes, ...] = ()
understands = ("delimiter", "header", "encoding")

WESTERN = {"cp1252", "latin-1", "iso8859-1"}


def open_stream(source: Source, options: Options) -> Stream:
    """Guess encoding, delimiter and header of a text table and stream its rows."""
    encoding = encoding_of(source, options.encoding)
    utf_8 = encoding.startswith("utf-8")
    errors = "surrogateescape" if utf_8 else "strict"  # a stray byte is told with its line
    lines_of = io.TextIOWrapper(in_lines(source), encoding=encoding, errors=errors, newline="")
    text = in_utf_8(lines_of, source.name) if utf_8 else lines_of
    start = beginning_of(text, options.delimiter)
    records = Records(start, text)
    lines, rows = records.chunk(rows_per_block(start.width, start.characters))
    if not rows:
        raise _empty(source.name)
    named, doubt = (
        (options.header, "") if options.header is not None else has_header(rows[0], rows[1:3])
    )
    shape = Shape(source.name, rows, named=bool(named), head_line=lines[0])
    columns = shape.names if named else generated(shape.width)
    skip = 1 if named else 0
    return Stream(
        source=source.name,
        columns=columns,
        blocks=_blocks(records, shape, lines[skip:], rows[skip:]),
        named=bool(named),
        unit="line",
        quoted_commas=start.delimiter == ",",
        semicolons=start.delimiter == ";",
        guarded=True,
        facts=(*source.facts, *_facts(encoding, start, named=bool(named))),
        notes=tuple(filter(None, (_encoding_note(encoding, options), *start.notes, doubt)))
        + shape.notes,
    )


def _empty(name: str) -> DataError:
    return DataError(f"{name} is empty.", hint="a table has a header row and one row or more.")


def _facts(encoding: str, start: Beginning, *, named: bool) -> Facts:
    delimiter = NAMES.get(start.delimiter, repr(start.delimiter))
    header = f"line {start.skipped + 1} names the columns" if named else "none; names are made up"
    return (("format", f"text, {encoding}"), ("delimiter", delimiter), ("header", header))


def _encoding_note(encoding: str, options: Options) -> str:
    if encoding in WESTERN and options.encoding is None:
        return f"the text is not UTF-8 and is read as {encoding}; --encoding says otherwise."
    return ""


def _blocks(
    records: Records, shape: Shape, lines: Sequence[int], rows: list[list[str]]
) -> Iterator[TextBlock]:
    while rows or not records.ended:
        lines, rows = shape.fitted(lines, rows)
        if rows:
            yield TextBlock(lines, rows)
        characters = sum(map(len, rows[-1])) + len(rows[-1]) if rows else 1
        lines, rows = records.chunk(rows_per_block(shape.width, characters))

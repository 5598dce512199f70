"""Text tables: CSV, TSV, semicolons, bars or white space, read in bounded blocks."""

from __future__ import annotations

import codecs
import csv
import io
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any

from deadheat.core.errors import DataError, UsageError, command_with, counted, quoted, say
from deadheat.core.memory import budget
from deadheat.data.formats import reads_format
from deadheat.data.reading.numbers import another_header, cell_hint, is_uncertain, looks_numeric
from deadheat.data.reading.options import Options
from deadheat.data.reading.preview import (
    NO_HEADER,
    has_header,
    lines_above_header,
    numbered_columns,
)
from deadheat.data.reading.source import LINE, Source, Stream, TextBlock, in_lines, rows_per_block

WESTERN = {"cp1252", "latin-1", "iso8859-1"}


@reads_format(
    "text",
    "a text table",
    suffixes=(".csv", ".tsv", ".txt", ".data", ".dat", ".tab", ".psv", ".ssv"),
    understands=("delimiter", "header", "encoding"),
    generic=True,
)
def read_text(source: Source, options: Options) -> Stream:
    encoding = encoding_of(source, options.encoding)
    utf_8 = encoding.startswith("utf-8")
    errors = "surrogateescape" if utf_8 else "strict"  # a stray byte is told with its line
    lines_of = io.TextIOWrapper(in_lines(source), encoding=encoding, errors=errors, newline="")
    text = _in_utf_8(lines_of, source.name) if utf_8 else lines_of
    start = beginning_of(text, options.delimiter)
    records = Records(start, text)
    first = start.lines[0] if start.lines else ""
    characters = sum(map(len, start.lines)) / max(len(start.lines), 1)
    width = max(first.count(start.delimiter), 1) + 1
    lines, rows = records.chunk(rows_per_block(width, characters))
    if not rows:
        hint = "a table has a header row and one row or more."
        raise DataError(f"{source.name} is empty.", hint=hint)
    above = lines_above_header(rows) if options.header is not False else 0
    title = ""
    if above:
        told = quoted(next(row[0].strip() for row in rows if row[0].strip()))
        title = f"what stands above line {lines[above]:,}, the header, is skipped ({told})."
    lines, rows = lines[above:], rows[above:]
    named, doubt = has_header(rows, said=options.header)
    columns, note = _columns(rows, named=named)
    western = ""
    if encoding in WESTERN and options.encoding is None:
        other = f"{say('encoding')} says otherwise"
        western = f"the text is not UTF-8 and is read as {encoding}; {other}."
    return Stream(
        source=source.name,
        columns=columns,
        blocks=_blocks(source.name, records, len(columns), lines, rows, named=named),
        named=named,
        unit="line",
        quoted_commas=start.delimiter == ",",
        semicolons=start.delimiter == ";",
        guarded=True,
        facts=(
            *source.facts,
            ("format", f"text, {encoding}"),
            ("delimiter", NAMES.get(start.delimiter, repr(start.delimiter))),
            ("header", f"line {lines[0]} names the columns" if named else NO_HEADER),
        ),
        notes=tuple(filter(None, (western, *start.notes, title, doubt, note))),
    )


# ------------------------------------------------------------------------------
# How many cells a row has, and what to do with the rows that have more or fewer.

SIGNS = ("±", "+-", "+/-")  # of an uncertainty that stands behind a blank
QUOTE = (
    "quote cells that hold the delimiter (decimal commas too); fill short rows with empty cells."
)


def _columns(rows: Sequence[Sequence[str]], *, named: bool) -> tuple[list[str], str]:
    """Return the names of the columns, made up where there are none, and a note on odd rows."""
    names = [cell.strip() for cell in rows[0]]
    body = [row for row in rows[1:] if any(map(str.strip, row))]
    size, filled, note = len(names), _filled_width(names), ""
    extra = min(map(len, body), default=0) - size
    if filled < size and (named or body):
        filled = max(1, filled, *(min(_filled_width(row), size) for row in body))
        del names[filled:]
    if len(names) < size:
        more = f"{size - filled:,} empty columns at the end are left out."
        one = "a trailing delimiter made an empty last column, which is ignored."
        note = one if size - filled == 1 else more
    elif named and extra > 0 and all(_filled_width(row) <= size for row in body):
        note = "every row ends with a delimiter, which is ignored."
    elif named and extra == 1 and all(len(row) == size + 1 for row in body):
        note = "the header names one column less than there are: the first has none."
        names.insert(0, "")
    return names if named else numbered_columns(len(names)), note


def _blocks(
    source: str, records: Records, width: int, lines: Any, rows: list[list[str]], *, named: bool
) -> Iterator[TextBlock]:
    """Yield the rows that hold anything, each of as many cells as there are columns."""
    head = lines[0]
    lines, rows = lines[named:], rows[named:]
    while rows or not records.ended:
        if not all(len(row) == width and row[0] for row in rows):
            pairs = [pair for pair in zip(lines, rows, strict=True) if any(map(str.strip, pair[1]))]
            for line, row in pairs:
                if len(row) < width or any(map(str.strip, row[width:])):
                    size = f"{counted(len(row), 'field')}, expected {width:,}"
                    fact = f"{source}: line {line:,} has {size} as in line {head:,}."
                    raise DataError(fact, hint=_about_row(row, width, line, head))
            lines, rows = [line for line, _ in pairs], [row[:width] for _, row in pairs]
        if rows:
            yield TextBlock(lines, rows)
        characters = sum(map(len, rows[-1])) + len(rows[-1]) if rows else 1
        lines, rows = records.chunk(rows_per_block(width, characters))


def _about_row(row: list[str], width: int, line: int, head: int) -> str:
    if any("\n" in cell for cell in row):
        return "close or remove the quotation mark where that line begins."
    cut = (" ".join(row[i : i + 2 + (row[i + 1] in SIGNS)]) for i in range(len(row) - 1))
    text = next(filter(is_uncertain, cut), "") if len(row) > width else ""
    if text:
        return f"{quoted(text)} was cut at its blanks: {cell_hint(text)}"
    return another_header(row[0], row[1:], "line", line, first=head + 1) or QUOTE


def _filled_width(row: Sequence[str]) -> int:
    """Return the number of cells up to the last that holds anything."""
    size = len(row)
    while size and not row[size - 1].strip():
        size -= 1
    return size


# ------------------------------------------------------------------------------
# Which character separates the cells of a text table, judged by what it makes of the lines.

SPACES = " "  # stands for any run of white space
NAMES = {"\t": "tab", ";": "semicolon", "|": "vertical bar", ",": "comma", SPACES: "white space"}
FIELD_LIMIT = min(sys.maxsize, 2**31 - 1)  # a C long, which has 32 bits on Windows
MOST_CELLS = 40  # of a row are looked at
TEXT_ALONE = 0.1  # what consistent rows are worth when they hold no number at all


def split_lines(lines: Iterable[str], delimiter: str) -> Iterator[list[str]]:
    """Yield the cells of each row; spaces after a delimiter do not count.

    A quotation may never end: what a cell may hold is bounded, and only here, since the csv module
    has one bound for all who use it.
    """
    longest = min(FIELD_LIMIT, int(LINE * budget()))
    if delimiter == SPACES:
        lines = (line.replace("\t", " ").rstrip() + "\n" for line in lines)
    reader = csv.reader(lines, delimiter=delimiter, skipinitialspace=True)
    while True:
        before = csv.field_size_limit(longest)
        try:
            row = next(reader, None)
        finally:
            csv.field_size_limit(before)
        if row is None:
            return
        yield row


def _worth(lines: Sequence[str], delimiter: str) -> tuple[float, bool]:
    """Return how well a delimiter cuts lines into equally many cells, most of them numbers.

    It surely is the delimiter where it cuts every line alike, the header too. A blank also stands
    in names: it is sure only where it leaves nothing but numbers behind the first cell.
    """
    rows = [row for row in split_lines(lines, delimiter) if row]
    if len(rows) > 2:
        rows.pop()  # the sample may end inside a quoted cell
    sizes = Counter(map(len, rows))
    size = max(sizes, key=lambda each: (sizes[each], each), default=0)
    if size < 2:
        return 0.0, False
    alike = sum(len(row) == size or (len(row) == size + 1 and not row[-1].strip()) for row in rows)
    whole = 2 if len(rows[0]) == 1 else 1  # a header that is not cut speaks against the delimiter
    cells = [cell for row in rows[1:] or rows for cell in row[:MOST_CELLS]]
    numeric = sum(looks_numeric(cell) or is_uncertain(cell) for cell in cells) / max(len(cells), 1)
    sure = alike == len(rows)
    if delimiter == SPACES:
        sure = all(looks_numeric(cell) for row in rows for cell in row[1:MOST_CELLS])
    return alike / whole / len(rows) * (numeric + TEXT_ALONE), sure


# ------------------------------------------------------------------------------
# Which encoding a text is in, and whether it is text at all.

MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16, whose mark begins alike
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
OF_NO_FILE = ("idna", "punycode", "undefined", "unicode-escape", "raw-unicode-escape", "utf-7")
CONTROLS = bytes(code for code in range(32) if code not in b"\t\n\v\f\r\x1a\x1b")
MOST_CONTROLS = 0.02
FEW = 4  # stray control characters make no binary file
PLAINLY = 0.4  # of all bytes are the zero half of a UTF-16 unit


def encoding_of(source: Source, asked: str | None) -> str:
    head = source.head
    marked = next((name for mark, name in MARKS if head.startswith(mark)), "")
    if asked is not None:
        name = _codec_name(asked)
        return (name == "utf-16" and marked != name and _utf_16(head)) or name
    if guess := marked or _utf_16(head):
        return guess
    controls = len(head) - len(head.translate(None, CONTROLS))
    if b"\0" in head or controls > max(FEW, MOST_CONTROLS * len(head)):
        hint = "deadheat reads CSV, TSV, Parquet, JSON lines and Excel (.xlsx)."
        raise DataError(f"{source.name} is a binary file, not a table of text.", hint=hint)
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head)  # it may end inside a character
    except UnicodeDecodeError:
        return _western(head)
    return "utf-8"


def _codec_name(asked: str) -> str:
    try:
        codec = codecs.lookup(asked)
    except (LookupError, ValueError, SyntaxError):
        codec = None
    if codec is None or codec.name in OF_NO_FILE or not codec._is_text_encoding:  # noqa: SLF001
        what = "unknown encoding" if codec is None else "no encoding of text:"
        ways = {"utf-8": "if it is Unicode", "latin-1": "if it is western text"}
        hint = "\n".join(f"{way}: {command_with(encoding=name)}" for name, way in ways.items())
        raise UsageError(f"{what} {quoted(asked)}.", hint=hint) from None
    return codec.name


def _western(head: bytes) -> str:
    return "cp1252" if {*b"\x81\x8d\x8f\x90\x9d"}.isdisjoint(head) else "latin-1"


def _utf_16(head: bytes) -> str:
    """Return UTF-16 where every other byte is zero, as in all western text."""
    even, odd = head[0::2].count(0), head[1::2].count(0)
    for zeros, others, name in ((odd, even, "utf-16-le"), (even, odd, "utf-16-be")):
        if zeros > PLAINLY * len(head) and others < zeros / 20:
            return name
    return ""


def _in_utf_8(lines: Iterable[str], name: str) -> Iterator[str]:
    """Yield lines whose bytes were decoded with surrogateescape; refuse the first stray byte."""
    for number, line in enumerate(lines, start=1):
        try:
            if not line.isascii():
                line.encode()
        except UnicodeEncodeError as stray:
            byte, place = ord(line[stray.start]) - 0xDC00, f"character {stray.start + 1:,}"
            fact = f"{name}: line {number:,} is not UTF-8: byte 0x{byte:02x} at {place}."
            hint = f"if it is western text: {command_with(encoding=_western(bytes([byte])))}"
            raise DataError(fact, hint=hint) from None
        yield line


# ------------------------------------------------------------------------------
# The first lines, and the rows that lines are cut into.

SAMPLE_CHARACTERS = 1 << 16
SAMPLE_LINES = 200
_LINE_END = re.compile(r"\r\n|\r|\n")
_SEPARATOR_LINE = re.compile(r'"?sep=(.)"?\s*', re.IGNORECASE)  # a habit of spreadsheets


@dataclass(frozen=True)
class Beginning:
    lines: tuple[str, ...]
    skipped: int
    delimiter: str
    notes: tuple[str, ...]


def beginning_of(text: Iterable[str], delimiter: str | None) -> Beginning:
    skipped, comments = 0, 0
    sample: list[str] = []
    above = ""  # the comment right above the first line
    for line in text:
        separator = _SEPARATOR_LINE.fullmatch(line) if not sample else None
        if separator is not None:
            delimiter = delimiter or separator[1]
        elif not sample and line.startswith("#"):
            comments, above = comments + 1, line
        elif sample or line.strip():
            sample.append(line)
            long = len(sample) >= SAMPLE_LINES or sum(map(len, sample)) > SAMPLE_CHARACTERS
            if long and len(sample) > 2:
                break
            continue
        skipped += 1
    if not delimiter:  # where all else is equal, the first wins
        worth = {each: _worth(sample, each) for each in NAMES}
        blanks, sure = worth.pop(SPACES)
        if sure or not any(cuts for _, cuts in worth.values()):
            worth[SPACES] = blanks, sure
        best = max(worth, key=lambda each: worth[each][0])
        delimiter = best if worth[best][0] else ","
    header = _header_in(above, sample[0], delimiter) if above and sample else ""
    if header:
        sample.insert(0, header)
        skipped, comments = skipped - 1, comments - 1
    notes = (f"comment lines at the top were skipped ({comments:,}).",) if comments else ()
    return Beginning(tuple(sample), skipped, delimiter, notes)


def _header_in(comment: str, line: str, delimiter: str) -> str:
    """Return the names of the columns where the comment above a first line of numbers has them."""
    alone = delimiter != SPACES and comment[1:].startswith(delimiter)  # a column called #
    header = comment if alone else comment[1:].lstrip(" ")
    names, cells = (next(split_lines([each], delimiter), []) for each in (header, line))
    fits = len(names) == len(cells) > 1 and any(map(looks_numeric, cells[1:]))
    return header if fits and not any(map(looks_numeric, names)) else ""


class Records:
    """Rows of cells from lines of text.

    Until the first quotation mark a row is a line and splitting it is enough, which is several
    times faster; from then on the csv module reads.
    """

    def __init__(self, start: Beginning, rest: Iterable[str]) -> None:
        self._lines = chain(start.lines, rest)
        self._delimiter = start.delimiter
        self._reader: Iterator[list[str]] | None = None
        self._line = start.skipped
        self.ended = False

    def chunk(self, size: int) -> tuple[Sequence[int], list[list[str]]]:
        if self._reader is None:
            lines, delimiter = list(islice(self._lines, size)), self._delimiter
            if not any('"' in line for line in lines):
                self.ended = len(lines) < size
                first, self._line = self._line + 1, self._line + len(lines)
                if delimiter == SPACES:
                    rows = [line.split() for line in lines]
                else:
                    rows = [line.rstrip("\r\n").split(delimiter) for line in lines]
                return range(first, first + len(lines)), rows
            self._reader = split_lines(chain(lines, self._lines), delimiter)
        rows = list(islice(self._reader, size))
        self.ended = len(rows) < size
        starts = []
        for row in rows:
            starts.append(self._line + 1)
            cells = (cell for cell in row if "\n" in cell or "\r" in cell)
            self._line += 1 + sum(len(_LINE_END.findall(cell)) for cell in cells)
        return starts, rows

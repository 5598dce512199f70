"""Text: its encoding, its delimiter, and lines cut into rows with the line each began on."""

from __future__ import annotations

import codecs
import csv
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice

from deadheat.core.errors import DataError, UsageError, quoted, said_with
from deadheat.core.memory import budget
from deadheat.data.reading.numbers import is_uncertain, looks_numeric
from deadheat.data.reading.source import LINE, Source

# Which character separates the cells of a text table, judged by what it makes of the lines.

SPACES = " "  # stands for any run of white space
CANDIDATES = ("\t", ";", "|", ",", SPACES)  # where all else is equal, the first wins
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


def _worth(lines: Sequence[str], delimiter: str) -> float:
    rows = [row for row in split_lines(lines, delimiter) if row]
    if len(rows) > 2:
        rows.pop()  # the sample may end inside a quoted cell
    sizes = Counter(map(len, rows))
    size = max(sizes, key=lambda found: (sizes[found], found), default=0)
    if size < 2:
        return 0.0
    alike: float = sum(
        len(row) == size or (len(row) == size + 1 and not row[-1].strip()) for row in rows
    )
    if len(rows[0]) == 1:
        alike /= 2  # a header that is not cut at all speaks against the delimiter
    cells = [cell for row in rows[1:] or rows for cell in row[:MOST_CELLS]]
    numeric = sum(looks_numeric(cell) or is_uncertain(cell) for cell in cells) / max(len(cells), 1)
    return alike / len(rows) * (numeric + TEXT_ALONE)


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
    if asked is not None:
        name = _known(asked)
        unmarked = not source.head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
        return (name == "utf-16" and unmarked and _utf_16(source.head)) or name
    head = source.head
    marked = next((name for mark, name in MARKS if head.startswith(mark)), _utf_16(head))
    if marked:
        return marked
    controls = len(head) - len(head.translate(None, CONTROLS))
    if b"\0" in head or controls > max(FEW, MOST_CONTROLS * len(head)):
        raise DataError(
            f"{source.name} is a binary file, not a table of text.",
            hint="deadheat reads CSV, TSV, Parquet, JSON lines and Excel (.xlsx).",
        )
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head)  # it may end inside a character
    except UnicodeDecodeError:
        return _western(head)
    return "utf-8"


def _known(asked: str) -> str:
    try:
        found = codecs.lookup(asked)
    except (LookupError, ValueError, SyntaxError):
        found = None
    if found is None or found.name in OF_NO_FILE or not found._is_text_encoding:  # noqa: SLF001
        what = "unknown encoding" if found is None else "no encoding of text:"
        raise UsageError(
            f"{what} {quoted(asked)}.", hint="for instance utf-8, latin-1 or utf-16."
        ) from None
    return found.name


def _western(head: bytes) -> str:
    try:
        head.decode("cp1252")
    except UnicodeDecodeError:
        return "latin-1"
    return "cp1252"


def _utf_16(head: bytes) -> str:
    """Return UTF-16 where every other byte is zero, as in all western text."""
    even, odd = head[0::2].count(0), head[1::2].count(0)
    for zeros, others, name in ((odd, even, "utf-16-le"), (even, odd, "utf-16-be")):
        if zeros > PLAINLY * len(head) and others < zeros / 20:
            return name
    return ""


def in_utf_8(lines: Iterable[str], name: str) -> Iterator[str]:
    """Yield lines whose bytes were decoded with surrogateescape; refuse the first stray byte."""
    for number, line in enumerate(lines, start=1):
        if not line.isascii():
            try:
                line.encode()
            except UnicodeEncodeError as stray:
                byte = ord(line[stray.start]) - 0xDC00
                way = said_with("encoding", _western(bytes([byte])))
                raise DataError(
                    f"{name}: line {number:,} is not UTF-8: byte 0x{byte:02x} at character "
                    f"{stray.start + 1:,}.",
                    hint=f"if it is western text: {way}",
                ) from None
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

    @property
    def width(self) -> int:
        return max((self.lines[0] if self.lines else "").count(self.delimiter), 1) + 1

    @property
    def characters(self) -> float:
        return sum(map(len, self.lines)) / max(len(self.lines), 1)


def beginning_of(text: Iterable[str], delimiter: str | None) -> Beginning:
    """Read the first lines, without comments; guess the delimiter where it is not given."""
    skipped, comments, found = 0, 0, delimiter
    sample: list[str] = []
    above = ""  # the comment right above the first line
    for line in text:
        separator = _SEPARATOR_LINE.fullmatch(line) if not sample else None
        if separator is not None:
            found = found or separator[1]
        elif not sample and line.startswith("#"):
            comments, above = comments + 1, line
        elif sample or line.strip():
            sample.append(line)
            long = len(sample) >= SAMPLE_LINES or sum(map(len, sample)) > SAMPLE_CHARACTERS
            if long and len(sample) > 2:
                break
            continue
        skipped += 1
    if not found:  # what cuts lines into equally many cells, most of them numbers
        worth, best = max((_worth(sample, each), -k) for k, each in enumerate(CANDIDATES))
        found = CANDIDATES[-best] if worth > 0 else ","
    header = _header_in(above, sample[0], found) if above and sample else ""
    if header:
        sample.insert(0, header)
        skipped, comments = skipped - 1, comments - 1
    notes = (f"comment lines at the top were skipped ({comments:,}).",) if comments else ()
    return Beginning(tuple(sample), skipped, found, notes)


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
        begun = []
        for row in rows:
            begun.append(self._line + 1)
            self._line += 1
            for cell in row:
                if "\n" in cell or "\r" in cell:
                    self._line += len(_LINE_END.findall(cell))
        return begun, rows

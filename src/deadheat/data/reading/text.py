"""Lines of text cut into rows, many at a time, with the line each row began on."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice

from deadheat.data.delimiter import SPACES, guessed_delimiter, split_lines
from deadheat.data.numbers import looks_numeric

SAMPLE_CHARACTERS = 1 << 16
SAMPLE_LINES = 200
_LINE_END = re.compile(r"\r\n|\r|\n")
_SEPARATOR_LINE = re.compile(r'"?sep=(.)"?\s*', re.IGNORECASE)  # a habit of spreadsheets


@dataclass(frozen=True)
class Beginning:
    """The first lines of a text table and what they say about the rest."""

    lines: tuple[str, ...]
    skipped: int
    delimiter: str
    notes: tuple[str, ...]

    @property
    def width(self) -> int:
        """The number of cells in the first line."""
        return max((self.lines[0] if self.lines else "").count(self.delimiter), 1) + 1

    @property
    def characters(self) -> float:
        """The mean number of characters in a line."""
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
            if _enough(sample):
                break
            continue
        skipped += 1
    found = found or guessed_delimiter(sample)
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


def _enough(sample: Sequence[str]) -> bool:
    if len(sample) < 3:
        return False
    return len(sample) >= SAMPLE_LINES or sum(map(len, sample)) > SAMPLE_CHARACTERS


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
        """Return up to ``size`` rows and the line that each begins on."""
        if self._reader is None:
            lines = list(islice(self._lines, size))
            if not any('"' in line for line in lines):
                return self._plain(lines, size)
            self._reader = split_lines(chain(lines, self._lines), self._delimiter)
        rows = list(islice(self._reader, size))
        self.ended = len(rows) < size
        return self._numbered(rows), rows

    def _plain(self, lines: list[str], size: int) -> tuple[Sequence[int], list[list[str]]]:
        self.ended = len(lines) < size
        first = self._line + 1
        self._line += len(lines)
        if self._delimiter == SPACES:
            rows = [line.split() for line in lines]
        else:
            delimiter = self._delimiter
            rows = [line.rstrip("\r\n").split(delimiter) for line in lines]
        return range(first, first + len(lines)), rows

    def _numbered(self, rows: list[list[str]]) -> list[int]:
        lines = []
        for row in rows:
            lines.append(self._line + 1)
            self._line += 1
            for cell in row:
                if "\n" in cell or "\r" in cell:
                    self._line += len(_LINE_END.findall(cell))
        return lines

"""Which character separates the cells of a text table, judged by what it makes of the lines."""

from __future__ import annotations

import csv
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from deadheat.data.mistakes import is_uncertain
from deadheat.data.numbers import looks_numeric
from deadheat.data.source import LINE
from deadheat.memory import budget

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


def guessed_delimiter(lines: Sequence[str]) -> str:
    """Return the delimiter that cuts the lines into equally many cells, most of them numbers."""
    worth = {delimiter: _worth(lines, delimiter) for delimiter in CANDIDATES}
    best = max(CANDIDATES, key=worth.__getitem__)
    return best if worth[best] > 0 else ","


def _worth(lines: Sequence[str], delimiter: str) -> float:
    rows = [row for row in split_lines(lines, delimiter) if row]
    if len(rows) > 2:
        rows.pop()  # the sample may end inside a quoted cell
    sizes = Counter(map(len, rows))
    size = max(sizes, key=lambda found: (sizes[found], found), default=0)
    if size < 2:
        return 0.0
    alike: float = sum(len(row) == size or _ends_empty(row, size) for row in rows)
    if len(rows[0]) == 1:
        alike /= 2  # a header that is not cut at all speaks against the delimiter
    cells = [cell for row in rows[1:] or rows for cell in row[:MOST_CELLS]]
    numeric = sum(looks_numeric(cell) or is_uncertain(cell) for cell in cells) / max(len(cells), 1)
    return alike / len(rows) * (numeric + TEXT_ALONE)


def _ends_empty(row: Sequence[str], size: int) -> bool:
    return len(row) == size + 1 and not row[-1].strip()

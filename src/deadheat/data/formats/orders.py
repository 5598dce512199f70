"""A text table of orders: a row is a round, a column a place, and the cell says who came there."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

from deadheat.core.errors import DataError, listed
from deadheat.data.formats import reads_format
from deadheat.data.formats.text import read_text
from deadheat.data.reading.battle_columns import holds_numbers
from deadheat.data.reading.options import Options
from deadheat.data.reading.source import Block, Row, Source, Stream, blocks_of

PLACE = re.compile(r"(?:(?:place|rank|position|pos)[ _.-]?)?(\d{1,4})(?:st|nd|rd|th)?")
NAMELESS = re.compile(r"column_\d+")
WHOLE = re.compile(r"(\d+)(?:\.0*)?")
LEAST_PLACES = 2
TIMES = 1.5  # that somebody is named, in the mean
COLUMNS = ("round", "candidate", "place")
STATES = {"layout": "long", "better": "lower", "judge": "round", "candidate": "candidate"}
STATES |= {"score": "place"}


@reads_format(
    "orders",
    "a text table of orders",
    known_by="only by its name: a column is a place, and the cell says who came there",
    understands=("delimiter", "header", "encoding"),
    generic=True,
)
def read_orders(source: Source, options: Options) -> Stream:
    table = read_text(source, options)
    first = next(table.blocks, Block([], [[] for _ in table.columns]))
    head = (
        {name: [first.text(k)[0] or ""] for k, name in enumerate(table.columns)}
        if first.size
        else {}
    )
    names, above = named_columns(head)
    places = [_place(name) for name in names]
    if not places[1:] or None in places[1:]:
        fact = f"{source.name}: not every column is a place ({listed(names)})."
        raise DataError(fact, hint="call them 1, 2, 3 and so on; the first may name the round.")
    rows = _rows(table, first, places, above)
    said: Any = {"facts": table.facts, "notes": table.notes, "unit": table.unit}
    return Stream(
        source=source.name,
        columns=COLUMNS,
        blocks=blocks_of(rows, len(COLUMNS)),
        states=STATES,
        **said,
    )


def _rows(table: Stream, first: Block, places: list[int | None], above: int) -> Iterator[Row]:
    """Yield a row for each cell; a driver who is called 83.0 is called 83."""
    number = 0
    for block in chain([first], table.blocks):
        cells = [[(cell or "").strip() for cell in block.text(k)] for k in range(len(places))]
        for i, line in enumerate(block.lines):
            number += 1
            if number <= above:
                continue
            one = cells[0][i] if places[0] is None else ""
            for place, column in zip(places, cells, strict=True):
                if place is not None and column[i]:
                    whole = WHOLE.fullmatch(column[i])
                    who = whole[1] if whole else column[i]
                    yield line, (one or f"{table.unit} {line}", who, place)


def named_columns(cells: Mapping[str, list[str]]) -> tuple[list[str], int]:
    """Return the names of columns; 1 where they stand in the first row, taken for numbers."""
    first = [column[0] for column in cells.values() if column]
    if all(NAMELESS.fullmatch(name) for name in cells) and len({*first}) == len(cells):
        return first, 1
    return [*cells], 0


def holds_orders(cells: Mapping[str, list[str]]) -> bool:
    """Return whether columns are numbered places and rows name somebody, who comes again elsewhere.

    >>> holds_orders({"1": ["ann", "bob", "ann"], "2": ["bob", "ann", "cyd"]})
    True
    """
    places = [_place(name) for name in cells]
    named = bool(places) and places[0] is None
    found = places[named:]
    counts = [*range(len(found))], [*range(1, len(found) + 1)]
    if len(found) < LEAST_PLACES or found not in counts:
        return False
    columns = [[cell.strip() for cell in column] for column in list(cells.values())[named:]]
    rows = [[cell for cell in row if cell] for row in zip(*columns, strict=True)]
    everybody = [cell for row in rows for cell in row]
    if not everybody or any(len({*row}) < len(row) for row in rows):
        return False
    again = len(everybody) >= TIMES * len({*everybody})
    moved = any(len({*column}) < len([*filter(None, column)]) for column in columns)
    numbered = all(WHOLE.fullmatch(cell) for cell in everybody)
    return again and moved and (numbered or not any(holds_numbers([cell]) for cell in everybody))


def _place(name: str) -> int | None:
    """Return the place that the name of a column says: 1, 1st, place_1, rank 1."""
    found = PLACE.fullmatch(name.strip().lower())
    return None if found is None else int(found[1])


def is_place(name: str) -> bool:
    return _place(name) is not None

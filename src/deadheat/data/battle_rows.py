"""Rows of a battle log by their labels: numbered, put in order, grouped where most are alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, Self

import numpy as np

from deadheat.data.battle_fields import trimmed
from deadheat.data.battle_log import Log
from deadheat.data.wording import flag
from deadheat.errors import DataError, counted, quoted
from deadheat.typing import Booleans, Integers

LARGEST_KEY = 2**62


def labelled(log: Log, alias: str, column: str) -> int:
    """Give numbers to clusters or categories by their names, in a table; return how many."""
    log.execute(
        f"CREATE TEMP TABLE labels_{alias} AS SELECT *, "  # noqa: S608
        f"CAST(dense_rank() OVER (ORDER BY label) - 1 AS INTEGER) AS {alias}c "
        f"FROM (SELECT {alias}, {trimmed(alias)} AS label FROM "
        f"(SELECT DISTINCT {alias} FROM ({log.rows()})))"
    )
    number, named, last = log.one(
        f"SELECT count(*), count(label), max({alias}c) FROM labels_{alias}"  # noqa: S608
    )
    if named < number:
        raise _no_label(log, alias, column)
    return int(last) + 1


def _no_label(log: Log, alias: str, column: str) -> DataError:
    absent = f"{trimmed(alias)} IS NULL"
    number = log.one(f"SELECT count(*) FROM ({log.rows()}) WHERE {absent}")[0]  # noqa: S608
    return DataError(
        f"{log.first(absent)}: {quoted(column)} is empty ({counted(number, 'such row')}).",
        hint=f"fill the cells, or leave the rows out with {flag('where', f'{column}!=')}.",
    )


def ordered_by(log: Log) -> str:
    """Return the SQL of what the log is ordered by: numbers, or else points of time."""
    column = log.roles.order_by
    assert column is not None
    kinds = ("DOUBLE", "TIMESTAMPTZ")
    readable = ", ".join(f"count(TRY_CAST(t AS {kind}))" for kind in kinds)
    total, present, *read = log.one(
        f"SELECT count(*), count(t), {readable} FROM ({log.rows()})"  # noqa: S608
    )
    if present < total:
        raise _no_label(log, "t", column)
    for kind, number in zip(kinds, read, strict=True):
        if number == total:
            return f"CAST(t AS {kind})"
    bad = f"TRY_CAST(t AS {kinds[int(read[1] >= read[0])]}) IS NULL"
    raise DataError(
        f"{log.first(bad)}: {quoted(column)} is neither a number nor a point of time.",
        hint="write all times as 2024-05-31 12:00:00, or all as numbers.",
    )


def grouped(columns: dict[str, Any], keys: Sequence[str]) -> dict[str, Any]:
    """Return distinct rows with the sums of counts ``c`` and weights ``x``, in order of their keys.

    Both are 1 where there is no such column. Where most rows are alone, a sort is several times
    faster than a table of groups.
    """
    sortable = [-columns[key] if key == "o" else columns[key] for key in keys]
    packed = _Packed.of(sortable)
    if packed is not None and columns.keys() == {*keys}:
        distinct, battles = np.unique(packed.key, return_counts=True)
        found = dict(zip(keys, packed.unpacked(distinct), strict=True))
        return {**found, "o": -found["o"], "battles": battles, "weight": battles}
    order = np.lexsort(sortable[::-1] if packed is None else [packed.key])
    starts = np.flatnonzero(_new(sortable if packed is None else [packed.key], order))
    counts, weights = columns.get("c"), columns.get("x")
    if counts is None:
        battles = np.diff(starts, append=len(order))
    else:
        battles = np.add.reduceat(counts[order], starts)
        weights = None if weights is None else weights * counts
    return {
        **{key: columns[key][order[starts]] for key in keys},
        "battles": battles,
        "weight": battles if weights is None else np.add.reduceat(weights[order], starts),
    }


def _new(columns: Sequence[Any], order: Integers) -> Booleans:
    """Return which rows, in an order, differ from the one before."""
    new = np.zeros(len(order), dtype=bool)
    new[:1] = True
    for column in columns:
        inside = column[order]
        new[1:] |= inside[1:] != inside[:-1]
    return new


@dataclass(frozen=True)
class _Packed:
    """Columns of integers in one that sorts like all of them."""

    key: Integers
    lows: Sequence[int]
    sizes: Sequence[int]
    kinds: Sequence[np.dtype[Any]]

    @classmethod
    def of(cls, columns: Sequence[Any]) -> Self | None:
        """Return columns as one, or None where that holds no more or there is nothing to hold."""
        if not len(columns[0]) or any(column.dtype.kind == "f" for column in columns):
            return None
        lows = [int(column.min()) for column in columns]
        sizes = [int(column.max()) - low + 1 for column, low in zip(columns, lows, strict=True)]
        if prod(sizes) > LARGEST_KEY:
            return None
        key = np.zeros(len(columns[0]), dtype=np.int64)
        for column, low, size in zip(columns, lows, sizes, strict=True):
            key *= size
            key += column
            key -= low
        return cls(key, lows, sizes, [column.dtype for column in columns])

    def unpacked(self, key: Integers) -> list[Integers]:
        """Return the columns again."""
        found = []
        for low, size, kind in zip(
            self.lows[::-1], self.sizes[::-1], self.kinds[::-1], strict=True
        ):
            key, rest = np.divmod(key, size)
            found.append((rest + low).astype(kind))
        return found[::-1]

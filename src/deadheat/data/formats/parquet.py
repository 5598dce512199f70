"""Parquet files, through DuckDB, a block of rows at a time; one file, or several as one table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from deadheat.core.errors import DataError, listed
from deadheat.data.formats import reads_format
from deadheat.data.reading.database import (
    NO_PARTITIONS,
    database,
    duckdb_errors,
    identifier,
    path_literal,
)
from deadheat.data.reading.options import Options
from deadheat.data.reading.pieces import Again
from deadheat.data.reading.source import Block, Source, Stream, column_of, rows_per_block

if TYPE_CHECKING:
    import duckdb


MOST_COLUMNS = 20_000  # the time that DuckDB takes grows with their square
MOST_NAMED = 5  # files
ZONED = "TIMESTAMP WITH TIME ZONE"


@reads_format(
    "parquet",
    "a Parquet file",
    suffixes=(".parquet", ".pq", ".parq"),
    magic=(b"PAR1",),
    generic=True,
)
def read_parquet(source: Source, options: Options) -> Stream:  # noqa: ARG001
    facts = (*source.facts, ("format", "Parquet"))
    if source.listing is not None:
        return _read_several(source)
    blocks = _blocks(source)
    columns = next(blocks)
    again = None
    if source.path is not None:
        again = Again([source.path], [source.name], rows_per_block(len(columns), 0))
    return Stream(source=source.name, columns=columns, blocks=blocks, facts=facts, again=again)


def _read_several(source: Source) -> Stream:
    names = source.listing or ()
    if len(source.paths) != len(names):
        raise DataError(f"{source.name} is an archive.", hint="unpack its Parquet files first.")
    parts = [
        replace(source, listing=None, opener=None, paths=(), path=path, name=name)
        for name, path in zip(names, source.paths, strict=True)
    ]
    first = _blocks(parts[0])
    columns = next(first)
    again = Again(source.paths, names, rows_per_block(len(columns), 0))
    before = again.before

    def blocks() -> Iterator[Block]:
        for part, start in zip(parts, before, strict=True):
            each = first if part is parts[0] else _blocks(part)
            own = columns if part is parts[0] else next(each)
            if own != columns:
                fact = f"{part.name} has the columns {listed(own)}; {names[0]} has others"
                raise DataError(f"{fact}: {listed(columns)}.", hint="write all files alike.")
            for block in each:
                block.lines = range(block.lines[0] + start, block.lines[-1] + start + 1)
                yield block

    files = f"{len(names):,}: {listed(names, most=MOST_NAMED)}"
    return Stream(
        source=source.name,
        columns=columns,
        blocks=blocks(),
        facts=(("format", "Parquet"), ("files", files)),
        files=[*zip(names, before, strict=True)],
        again=again,
    )


def _blocks(source: Source) -> Iterator[Any]:
    """Yield the names of the columns first, then the blocks."""
    with database([] if source.path is None else [source.path]) as base:
        path = path_literal(base.path(source))
        with duckdb_errors({path: source.name}, base.connection):
            names = column_names(path, source.name, base.connection)
            yield names
            scan = f"read_parquet([{path}], {NO_PARTITIONS})"
            found = base.connection.execute(f"SELECT * FROM {scan}")  # noqa: S608
            kinds = ((identifier(name), str(kind)) for name, kind, *_ in found.description or ())
            zoned = [name for name, kind in kinds if ZONED in kind]
            if zoned:  # as text, at UTC: as an object it would need another package
                texts = ", ".join(f"CAST({name} AS VARCHAR) AS {name}" for name in zoned)
                found.execute(f"SELECT * REPLACE ({texts}) FROM {scan}")  # noqa: S608
            size, done = rows_per_block(len(names), 0), 0
            while rows := found.fetchmany(size):
                columns = [column_of(values) for values in zip(*rows, strict=True)]
                yield Block(range(done + 1, done + len(rows) + 1), columns)
                done += len(rows)


def column_names(path: str, source: str, connection: duckdb.DuckDBPyConnection) -> list[str]:
    """Return the names as the file has them; DuckDB renames those that differ only in case."""
    schema = connection.execute(
        f"SELECT name, coalesce(num_children, 0) FROM parquet_schema([{path}])"  # noqa: S608
    ).fetchall()
    names, inside = [], 0
    for name, children in schema[1:]:  # the first is the table; children follow their parent
        if not inside:
            names.append(str(name))
            inside = children
        else:
            inside += children - 1
    if len(names) > MOST_COLUMNS:
        fact = f"{source} has {len(names):,} columns; of Parquet, {MOST_COLUMNS:,} can be read."
        raise DataError(fact, hint="write it as CSV, or as a long table: one row for each score.")
    return names

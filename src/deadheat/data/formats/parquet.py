"""Parquet files, through DuckDB, a block of rows at a time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from deadheat.core.errors import DataError
from deadheat.data.formats import reads_format
from deadheat.data.reading.database import NO_PARTITIONS, database, duckdb_errors, path_literal
from deadheat.data.reading.options import Options
from deadheat.data.reading.source import Block, Source, Stream, column_of, rows_per_block

if TYPE_CHECKING:
    import duckdb


MOST_COLUMNS = 20_000  # the time that DuckDB takes grows with their square


@reads_format(
    "parquet",
    "a Parquet file",
    suffixes=(".parquet", ".pq", ".parq"),
    magic=(b"PAR1",),
    generic=True,
)
def read_parquet(source: Source, options: Options) -> Stream:  # noqa: ARG001
    blocks = _blocks(source)
    columns = next(blocks)
    facts = (*source.facts, ("format", "Parquet"))
    return Stream(source=source.name, columns=columns, blocks=blocks, facts=facts)


def _blocks(source: Source) -> Iterator[Any]:
    """Yield the names of the columns first, then the blocks."""
    with database([] if source.path is None else [source.path]) as base:
        path = path_literal(base.path(source))
        with duckdb_errors({path: source.name}, base.connection):
            names = column_names(path, source.name, base.connection)
            yield names
            found = base.connection.execute(
                f"SELECT * FROM read_parquet([{path}], {NO_PARTITIONS})"  # noqa: S608
            )
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

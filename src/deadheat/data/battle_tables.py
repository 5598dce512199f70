"""What DuckDB cannot read by itself, brought to it: frames, and tables as streams of blocks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from deadheat.data.battle_fields import Field, Fields, nested
from deadheat.data.database import identifier
from deadheat.data.stream import Block, Stream, text_of
from deadheat.errors import UsageError

if TYPE_CHECKING:
    import duckdb

READ_AS_THEY_ARE = ("pandas", "polars", "pyarrow")
LINE = "line of the row"


def frame_fields(frame: Any, name: str, connection: duckdb.DuckDBPyConnection) -> Fields | None:
    """Let DuckDB see a frame and return its columns; None where DuckDB does not know the kind."""
    import duckdb

    library = type(frame).__module__.partition(".")[0]
    if library not in READ_AS_THEY_ARE:
        return None
    if type(frame).__name__ == "LazyFrame":
        frame = frame.collect()
    columns = getattr(frame, "column_names", None) or getattr(frame, "columns", None)
    if columns is None or len(set(map(str, columns))) < len(columns):
        return None  # what the columns are is for the reader of frames to say
    try:
        connection.register(name, frame)
        return described(name, connection)
    except (duckdb.Error, ImportError):  # polars comes to DuckDB through pyarrow
        return None


def described(
    scan: str, connection: duckdb.DuckDBPyConnection, names: Sequence[str] = ()
) -> Fields:
    """Return the columns of what DuckDB can read; ``names`` are their own where it renames them."""
    found = connection.sql(f"SELECT * FROM {scan} LIMIT 0")  # noqa: S608
    called = list(names or found.columns)
    fields: dict[str, Field] = {}
    for name, column, kind in zip(called, found.columns, found.types, strict=True):
        for part, field in nested(name, identifier(column), kind):
            fields.setdefault(part, field)
    return Fields(called, fields)


def load_stream(stream: Stream, name: str, connection: duckdb.DuckDBPyConnection) -> Fields:
    """Copy a table that Python reads into DuckDB, block by block, as text."""
    columns = [f"c{k}" for k in range(len(stream.columns))]
    kinds = ", ".join([f"{identifier(LINE)} BIGINT", *(f"{each} VARCHAR" for each in columns)])
    connection.execute(f"CREATE TEMP TABLE {name} ({kinds})")
    for block in stream.blocks:
        _insert(block, name, columns, connection)
    fields: dict[str, Field] = {}
    for column, given in zip(columns, stream.columns, strict=True):
        fields.setdefault(given, Field(column))
    return Fields(stream.columns, fields)


def _insert(
    block: Block, name: str, columns: Sequence[str], connection: duckdb.DuckDBPyConnection
) -> None:
    part: dict[str, Any] = {LINE: np.asarray(block.lines, dtype=np.int64)}
    for k, column in enumerate(columns):
        part[column] = np.array(block.text(k), dtype=object)
    connection.register("part", part)
    connection.execute(f"INSERT INTO {name} SELECT * FROM part")  # noqa: S608
    connection.unregister("part")


def given_columns(columns: dict[str, Any]) -> Stream:
    """Return columns that were given one by one as a table."""
    lists = {
        name: list(values.tolist() if hasattr(values, "tolist") else values)
        for name, values in columns.items()
    }
    sizes = {name: len(values) for name, values in lists.items()}
    size = next(iter(sizes.values()))
    for name, other in sizes.items():
        if other != size:
            raise UsageError(
                f"{name} has {other:,} values, {next(iter(sizes))} has {size:,}.",
                hint="give one value per battle in each column.",
            )
    block = Block(range(1, size + 1), [list(map(text_of, values)) for values in lists.values()])
    return Stream(source="the battles", columns=list(lists), blocks=iter([block] if size else []))

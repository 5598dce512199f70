"""Parquet files, through DuckDB, a block of rows at a time."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from deadheat.data.interrupts import interruptible
from deadheat.data.options import Options
from deadheat.data.source import Source
from deadheat.data.stream import Block, Stream, column_of, rows_per_block
from deadheat.errors import DataError

if TYPE_CHECKING:
    import duckdb

title = "a Parquet file"
suffixes = (".parquet", ".pq", ".parq")
magic = (b"PAR1",)
opening: tuple[bytes, ...] = ()
understands: tuple[str, ...] = ()


def open_stream(source: Source, options: Options) -> Stream:  # noqa: ARG001
    """Return the rows of a Parquet file; DuckDB never holds more than some row groups."""
    blocks = _blocks(source)
    columns = next(blocks)
    assert isinstance(columns, list)
    return Stream(
        source=source.name,
        columns=columns,
        blocks=(block for block in blocks if isinstance(block, Block)),
        facts=(*source.facts, ("format", "Parquet")),
    )


def _blocks(source: Source) -> Iterator[list[str] | Block]:
    """Yield the names of the columns first, then the blocks."""
    import duckdb

    with interruptible(), tempfile.TemporaryDirectory(prefix="deadheat-") as folder:
        path = source.path or _spooled(source, Path(folder))
        try:
            with duckdb.connect() as connection:
                found = connection.execute("SELECT * FROM read_parquet(?)", [_literal(path)])
                names = [str(column[0]) for column in found.description or ()]
                yield names
                yield from _fetched(found, len(names))
        except duckdb.InterruptException:
            raise
        except duckdb.Error as error:
            reason = str(error).splitlines()[0]
            raise DataError(
                f"{source.name} is no readable Parquet file ({reason}).",
                hint="is the file whole? Its suffix or first bytes say Parquet.",
            ) from None


def _literal(path: Path) -> str:
    """Return a path in which DuckDB sees no pattern."""
    return "".join(f"[{c}]" if c in "*?[" else c for c in str(path))


def _fetched(found: duckdb.DuckDBPyConnection, width: int) -> Iterator[Block]:
    size, done = rows_per_block(width, 0), 0
    while rows := found.fetchmany(size):
        columns = [column_of(values) for values in zip(*rows, strict=True)]
        yield Block(range(done + 1, done + len(rows) + 1), columns)
        done += len(rows)


def _spooled(source: Source, folder: Path) -> Path:
    """Write a stream to a file: Parquet is read from its end."""
    path = folder / "table.parquet"
    with path.open("wb") as file:
        shutil.copyfileobj(source.handle, file)
    return path

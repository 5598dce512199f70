"""Some columns of Parquet files once more, piece by piece: DuckDB gives texts as codes.

Rows come in the same blocks as when they were read one by one, so that all that is asked of them
has the same answer. A piece is a few blocks of a large file, or several small files; on an engine
with workers elsewhere it is a task.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from deadheat.core.memory import budget
from deadheat.data.reading.database import (
    NO_PARTITIONS,
    SHARE,
    database,
    duckdb_errors,
    identifier,
    path_literal,
    real,
)
from deadheat.data.reading.source import Block, Coded, CodedBlock, column_of

if TYPE_CHECKING:
    import duckdb

TEXT = "VARCHAR"
FLOATS = frozenset({"FLOAT", "DOUBLE"})
SMALL = frozenset({"TINYINT", "SMALLINT", "INTEGER", "UTINYINT", "USMALLINT", "UINTEGER"})
KNOWN = FLOATS | SMALL | {TEXT, "BIGINT"}
ROW_NUMBER = "file_row_number"
MOST_ROWS = 1_000_000  # of a piece
ROW = 150  # bytes of a row in each column: in DuckDB, as it comes out, with the text of a code


@dataclass(frozen=True)
class Piece:
    """Files one after the other with the numbers of their rows, or some rows of one of them."""

    paths: tuple[str, ...]
    rows: tuple[int, ...]
    start: int | None = None  # of one file: the first row

    def scan(self) -> str:
        paths = ", ".join(path_literal(Path(path)) for path in self.paths)
        if self.start is None:
            return f"read_parquet([{paths}], {NO_PARTITIONS})"
        some = f"{ROW_NUMBER} >= {self.start} AND {ROW_NUMBER} < {self.start + self.rows[0]}"
        return f"read_parquet([{paths}], {NO_PARTITIONS}, {ROW_NUMBER}=true) WHERE {some}"


@dataclass(frozen=True)
class Again:
    """What reads some columns of files once more; ``size`` is the number of rows of a block."""

    paths: Sequence[Path]
    names: Sequence[str]
    size: int
    running: Any = None

    def on(self, running: Any) -> Again:
        return replace(self, running=running)

    def pays(self, first: int) -> bool:
        """Return whether there are more rows than the first block has."""
        return len(self.paths) > 1 or first >= self.size

    @property
    def columns(self) -> frozenset[int]:
        """The columns of texts and numbers that are read once more as they were."""
        return frozenset(k for k, (_, kind) in enumerate(self._schema) if kind in KNOWN)

    @property
    def numbers(self) -> frozenset[int]:
        """The columns that surely hold nothing but numbers."""
        kinds = FLOATS | SMALL
        return frozenset(k for k, (_, kind) in enumerate(self._schema) if kind in kinds)

    def __call__(self, wanted: Sequence[int]) -> Iterator[Block]:
        columns = [self._schema[k] for k in wanted]
        workers = 0 if self.running is None else self.running.workers
        pieces = self._pieces(len(wanted), workers)
        width, done = len(self._schema), 0
        for piece, found in zip(pieces, self._found(pieces, columns, workers), strict=True):
            start = 0
            for rows in piece.rows:
                for first in range(start, start + rows, self.size):
                    last = min(first + self.size, start + rows)
                    cells: list[Any] = [None] * width
                    for k, column in zip(wanted, found, strict=True):
                        cells[k] = _part(column, slice(first, last))
                    yield CodedBlock(range(done + first + 1, done + last + 1), cells)
                start += rows
            done += start

    def _found(
        self, pieces: Sequence[Piece], columns: Sequence[tuple[str, str]], workers: int
    ) -> Iterator[list[Any]]:
        if workers:
            work = partial(_read_piece, pieces, columns, self._files, workers)
            yield from self.running.map(work, range(len(pieces)))
            return
        with database(self.paths) as base:
            for piece in pieces:
                yield _columns(base.connection, piece, columns, self._files)

    def _pieces(self, width: int, workers: int) -> list[Piece]:
        most = min(MOST_ROWS, SHARE * budget() / (ROW * width * max(1, workers)))
        most = max(1, int(most) // self.size) * self.size
        pieces: list[Piece] = []
        for path, rows in zip(map(str, map(real, self.paths)), self._rows, strict=True):
            if rows > most:
                starts = range(0, rows, most)
                pieces += [Piece((path,), (min(most, rows - k),), k) for k in starts]
            elif pieces and pieces[-1].start is None and sum(pieces[-1].rows) + rows <= most:
                pieces[-1] = Piece((*pieces[-1].paths, path), (*pieces[-1].rows, rows))
            else:
                pieces.append(Piece((path,), (rows,)))
        return pieces

    @cached_property
    def _files(self) -> dict[str, str]:
        """The names of the files by their paths, as errors have them."""
        pairs = zip(self.paths, self.names, strict=True)
        return {path_literal(real(path)): name for path, name in pairs}

    @cached_property
    def before(self) -> list[int]:
        """The number of rows before each file."""
        return [0, *accumulate(self._rows)][:-1]

    @cached_property
    def _rows(self) -> list[int]:
        with _asking(self._files, self.paths) as connection:
            files = f"parquet_file_metadata([{', '.join(self._files)}])"
            found = connection.execute(f"SELECT file_name, num_rows FROM {files}")  # noqa: S608
            rows = dict(found.fetchall())
        return [rows[str(real(path))] for path in self.paths]

    @cached_property
    def _schema(self) -> Sequence[tuple[str, str]]:
        """The columns with their types, as DuckDB calls them; none where files differ in them."""
        paths = [*self._files]
        with _asking(self._files, self.paths) as connection:
            found = connection.execute(f"FROM parquet_schema([{', '.join(paths)}])")
            schemas: dict[str, list[Any]] = {}
            for name, *column in found.fetchall():
                schemas.setdefault(name, []).append(column)
            first, *others = (
                each[1:] for each in schemas.values()
            )  # without what a table is called
            scan = f"read_parquet([{paths[0]}], {NO_PARTITIONS})"
            table = connection.sql(f"SELECT * FROM {scan} LIMIT 0")  # noqa: S608
            columns = [*zip(table.columns, map(str, table.types), strict=True)]
        numbered = any(name.lower() == ROW_NUMBER for name, _ in columns)
        return () if numbered or any(each != first for each in others) else columns


@contextmanager
def _asking(files: Mapping[str, str], paths: Sequence[Path]) -> Iterator[duckdb.DuckDBPyConnection]:
    with database(paths) as base, duckdb_errors(files, base.connection):
        yield base.connection


def _read_piece(
    pieces: Sequence[Piece],
    columns: Sequence[tuple[str, str]],
    files: Mapping[str, str],
    workers: int,
    k: int,
) -> list[Any]:
    """Return the columns of one piece: a task for any engine, with its share of the memory."""
    with database(pieces[k].paths, among=workers) as base:
        return _columns(base.connection, pieces[k], columns, files)


def _columns(
    connection: duckdb.DuckDBPyConnection,
    piece: Piece,
    columns: Sequence[tuple[str, str]],
    files: Mapping[str, str],
) -> list[Any]:
    """Return texts as codes and numbers as arrays, masked where they are missing."""
    names = [f"c{k}" for k in range(len(columns))]
    pairs = zip(names, columns, strict=True)
    chosen = ", ".join(f"{identifier(called)} AS {name}" for name, (called, _) in pairs)
    texts = [name for name, (_, kind) in zip(names, columns, strict=True) if kind == TEXT]
    with duckdb_errors(files, connection):
        connection.execute(
            f"CREATE OR REPLACE TEMP TABLE piece AS SELECT {chosen} FROM {piece.scan()}"  # noqa: S608
        )
        for name in texts:
            connection.execute(f"DROP TYPE IF EXISTS text_{name}")
            cells = f"SELECT DISTINCT {name} FROM piece WHERE {name} IS NOT NULL"  # noqa: S608
            connection.execute(f"CREATE TEMP TYPE text_{name} AS ENUM ({cells})")
        codes = (f"enum_code({n}::text_{n}) AS {n}" if n in texts else n for n in names)
        found: dict[str, Any] = connection.execute(
            f"SELECT {', '.join(codes)} FROM piece"  # noqa: S608
        ).fetchnumpy()
        for name in texts:
            row = connection.execute(f"SELECT enum_range(NULL::text_{name})").fetchone()
            assert row is not None
            missing = np.ma.getmaskarray(found[name])
            codes_of = np.ma.getdata(found[name]).astype(np.int32)
            codes_of[missing] = len(row[0])
            found[name] = Coded(codes_of, [*row[0], None])
    return [found[name] for name in names]


def _part(column: Any, rows: slice) -> Any:
    """Return some rows of a column, typed as if they were read one by one."""
    if isinstance(column, Coded):
        return Coded(column.codes[rows], column.cells)
    values = column[rows]
    if not np.ma.is_masked(values):
        kind = np.float64 if values.dtype.kind == "f" else np.int64
        return np.ma.getdata(values).astype(kind)
    if values.dtype.kind == "f":
        return np.ma.filled(values.astype(np.float64), np.nan)
    return column_of(values.tolist())

"""What DuckDB says about a file that it cannot read, in the words of this package."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

from deadheat.data.database import plain_path
from deadheat.errors import DataError, first_sentence
from deadheat.memory import too_large

if TYPE_CHECKING:
    import duckdb

_LINE = re.compile(r"CSV Error on Line: (\d+)")
_CELLS = re.compile(r"Expected Number of Columns: (\d+) Found: (\d+)")
_MALFORMED = re.compile(r"Malformed JSON")
_PARQUET = re.compile(r"parquet|magic bytes|thrift|snappy|zstd", re.IGNORECASE)
_CODE = re.compile(r"^[A-Za-z ]+ Error: ")


@contextmanager
def broken(files: Mapping[str, str], connection: duckdb.DuckDBPyConnection) -> Iterator[None]:
    """Turn an error of DuckDB into one clear sentence; ``files`` are names by paths in SQL."""
    import duckdb

    try:
        yield
    except duckdb.InterruptException:
        raise
    except (duckdb.ParserException, duckdb.BinderException, duckdb.CatalogException):
        raise  # a mistake of ours, not of the file
    except duckdb.Error as error:
        raise _complaint(str(error), files, connection) from None


def _complaint(
    said: str, files: Mapping[str, str], connection: duckdb.DuckDBPyConnection
) -> DataError:
    paths = {plain_path(path): path for path in files if path}
    path = next((sql for path, sql in paths.items() if path in said), next(iter(files)))
    name = files[path]
    line = _LINE.search(said)
    if line is not None:
        return _bad_line(name, int(line[1]), said)
    if said.startswith("Out of Memory"):
        return too_large(name)
    reason = _CODE.sub("", said)
    for each, sql in paths.items():
        reason = reason.replace(each, files[sql])
    reason = first_sentence(reason)
    if _MALFORMED.search(said):
        row = _malformed(path, connection)
        return DataError(
            f"{name}: line {row:,} is no JSON." if row else f"{name} is no JSON ({reason}).",
            hint="one JSON object per line, or one array of objects, is expected.",
        )
    kind = "Parquet file" if _PARQUET.search(said) else "table"
    return DataError(f"{name} is no readable {kind} ({reason}).", hint="is the file whole?")


def _malformed(path: str, connection: duckdb.DuckDBPyConnection) -> int | None:
    """Return the first line of JSON lines that is none; DuckDB's own count may be one off."""
    import duckdb

    text = (
        f"read_csv([{path}], auto_detect=false, columns={{'line': 'VARCHAR'}}, "
        "delim=E'\\x1f', quote='', escape='', header=false)"
    )
    try:
        row = connection.execute(
            "SELECT min(n) FROM (SELECT row_number() OVER () AS n, trim(line) AS line "  # noqa: S608
            f"FROM {text}) WHERE line != '' AND NOT json_valid(line)"
        ).fetchone()
    except duckdb.Error:
        return None
    return int(row[0]) if row is not None and row[0] is not None else None


def _bad_line(name: str, line: int, said: str) -> DataError:
    cells = _CELLS.search(said)
    if cells is not None:
        return DataError(
            f"{name}: line {line:,} has {cells[2]} cells, the header has {cells[1]}.",
            hint="every battle needs all of the cells; mend or remove the line.",
        )
    if "unicode" in said.lower():
        return DataError(
            f"{name}: line {line:,} is not UTF-8 text.",
            hint="say its encoding, e.g. encoding='latin-1' (--encoding latin-1).",
        )
    reason = next((text for text in said.splitlines()[2:] if text.strip()), "it cannot be parsed")
    return DataError(
        f"{name}: line {line:,} is no row of the table ({first_sentence(reason)}).",
        hint="mend or remove the line.",
    )

"""DuckDB, opened in one way only: it sees the named files, takes bounded memory, loads nothing."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from deadheat.core.errors import DataError, command_with, first_sentence
from deadheat.core.files import own_folder
from deadheat.core.memory import budget, too_large
from deadheat.data.reading.source import GET_AGAIN, Source, size_limited

if TYPE_CHECKING:
    import duckdb


PATTERN = "*?["
_ESCAPED = re.compile(r"\[([*?[])\]")
SHARE = 0.4  # of the budget; the rest is for Python, numpy and what is made of the rows
LEAST = 32_000_000  # bytes, below which DuckDB does nothing at all
MOST_THREADS = 8
NO_PARTITIONS = "hive_partitioning=false"  # a folder called year=2024 is no column


@dataclass(frozen=True, kw_only=True)
class Database:
    """A database in memory, and a folder for what does not fit there."""

    connection: duckdb.DuckDBPyConnection
    folder: Path

    def path(self, raw: Source) -> Path:
        """Return a path by which DuckDB can read a source: its own, or that of a copy."""
        if raw.path is not None and _is_text(raw.path):
            return real(raw.path)
        path = self.fresh()  # DuckDB reads more than once, and Parquet from its end
        with path.open("wb") as file:
            shutil.copyfileobj(size_limited(raw), file)
        return path

    def fresh(self) -> Path:
        path = self.folder / f"part{len(list(self.folder.iterdir()))}"
        path.touch()
        return path


@contextmanager
def database(files: Iterable[str | os.PathLike[str]] = (), *, among: int = 1) -> Iterator[Database]:
    """Open a database that can read some files, and what is put into its folder, and nothing else.

    Nothing is installed, loaded or fetched, and no setting can be changed any more. It shares
    memory and processors ``among`` so many of its kind.
    """
    import duckdb

    closed = ("autoinstall_known_extensions", "autoload_known_extensions")
    config: Any = dict.fromkeys((*closed, "allow_community_extensions"), False)
    with _interruptible(), own_folder() as folder, duckdb.connect(config=config) as connection:
        home = real(folder)
        paths = [path for file in files if _is_text(path := real(Path(file)))]
        settings = {
            "enable_progress_bar": "false",
            "TimeZone": "'UTC'",
            "memory_limit": f"'{max(LEAST, int(budget() * SHARE / among))}B'",
            "threads": str(max(1, min(MOST_THREADS, os.cpu_count() or 1) // among)),
            "pandas_analyze_sample": "0",  # columns of objects are text, whatever comes first
            "temp_directory": literal(home / "spill"),
            "allowed_directories": _spellings([home]),
            "allowed_paths": _spellings(paths),
            "enable_external_access": "false",
            "lock_configuration": "true",
        }
        for name, value in settings.items():
            connection.execute(f"SET {name} = {value}")
        yield Database(connection=connection, folder=home)


@contextmanager
def _interruptible() -> Iterator[None]:
    """Turn what DuckDB raises at Ctrl-C, perhaps a ``RuntimeError``, into ``KeyboardInterrupt``."""
    import duckdb

    try:
        yield
    except (duckdb.InterruptException, RuntimeError) as error:
        if isinstance(error, RuntimeError) and str(error) != "Query interrupted":
            raise
        raise KeyboardInterrupt from None


def real(path: Path) -> Path:
    """Return a path from the root: DuckDB takes ``~`` and ``s3:`` at a beginning for places."""
    return Path(os.path.realpath(path))


def _is_text(path: Path) -> bool:
    return not any("\ud800" <= c <= "\udfff" for c in str(path))


def _spellings(paths: list[Path]) -> str:
    """Return paths as they are and as they are asked for: DuckDB checks both."""
    return f"[{', '.join(text for p in paths for text in (literal(p), path_literal(p)))}]"


def literal(text: object) -> str:
    return "'" + str(text).replace("'", "''") + "'"


def identifier(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def plain_path(sql: str) -> str:
    return _ESCAPED.sub(r"\1", sql[1:-1].replace("''", "'"))


def path_literal(path: Path) -> str:
    """Return a path as SQL writes it, in which DuckDB sees no pattern."""
    return literal("".join(f"[{c}]" if c in PATTERN else c for c in str(path)))


# ------------------------------------------------------------------------------
# What DuckDB says about a file that it cannot read, in the words of this package.

_LINE = re.compile(r"CSV Error on Line: (\d+)")
_CELLS = re.compile(r"Expected Number of Columns: (\d+) Found: (\d+)")
_PARQUET = re.compile(r"parquet|magic bytes|thrift|snappy|zstd", re.IGNORECASE)
_CODE = re.compile(r"^[A-Za-z ]+ Error: ")


@contextmanager
def duckdb_errors(
    files: Mapping[str, str], connection: duckdb.DuckDBPyConnection
) -> Iterator[None]:
    """Turn an error of DuckDB into one clear sentence; ``files`` are names by paths in SQL."""
    import duckdb

    ours = (duckdb.ParserException, duckdb.BinderException, duckdb.CatalogException)
    try:
        yield
    except (duckdb.InterruptException, *ours):
        raise  # nobody's mistake, or one of ours, not of the file
    except duckdb.Error as error:
        raise _complaint(str(error), files, connection) from None


def _complaint(
    said: str, files: Mapping[str, str], connection: duckdb.DuckDBPyConnection
) -> DataError:
    paths = {plain_path(path): path for path in files if path}
    path = next((sql for path, sql in paths.items() if path in said), next(iter(files)))
    name, line, cells = files[path], _LINE.search(said), _CELLS.search(said)
    place, hint = f"{name}: line {int(line[1]):,}" if line else name, "mend or remove the line."
    reason = _CODE.sub("", said)
    for each, sql in paths.items():
        reason = reason.replace(each, files[sql])
    if line and cells:
        fact = f"{place} has {cells[2]} cells, the header has {cells[1]}."
        hint = f"every battle needs all of the cells; {hint}"
    elif line and "unicode" in said.lower():
        fact = f"{place} is not UTF-8 text."
        hint = f"if it is western text: {command_with(encoding='latin-1')}"
    elif line:
        why = next(filter(str.strip, said.splitlines()[2:]), "it cannot be parsed")
        fact = f"{place} is no row of the table ({first_sentence(why)})."
    elif said.startswith("Out of Memory"):
        return too_large(name)
    elif "Malformed JSON" in said:
        row, why = _first_bad_line(path, connection), first_sentence(reason)
        fact = f"{name}: line {row:,} is no JSON." if row else f"{name} is no JSON ({why})."
        hint = "one JSON object per line, or one array of objects, is expected."
    else:
        kind = "Parquet file" if _PARQUET.search(said) else "table"
        fact = f"{name} is no readable {kind} ({first_sentence(reason)})."
        hint = GET_AGAIN
    return DataError(fact, hint=hint)


def _first_bad_line(path: str, connection: duckdb.DuckDBPyConnection) -> int | None:
    """Return the number of the first line that is not JSON; DuckDB's own may be one off."""
    import duckdb

    as_text = "auto_detect=false, columns={'line': 'VARCHAR'}, delim=E'\\x1f', quote='', escape=''"
    query = (
        "SELECT min(n) FROM (SELECT row_number() OVER () AS n, trim(line) AS line "  # noqa: S608
        f"FROM read_csv([{path}], {as_text}, header=false)) "
        "WHERE line != '' AND NOT json_valid(line)"
    )
    try:
        row = connection.execute(query).fetchone()
    except duckdb.Error:
        return None
    return int(row[0]) if row is not None and row[0] is not None else None

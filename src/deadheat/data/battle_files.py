"""The files of a battle log, each with the words by which DuckDB reads it."""

from __future__ import annotations

import glob
import io
import os
import shutil
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from deadheat.data.battle_complaints import broken
from deadheat.data.battle_fields import Field, Fields, identifier, literal
from deadheat.data.battle_tables import LINE, described, load_stream
from deadheat.data.delimiter import NAMES, SPACES, split_lines
from deadheat.data.encoding import encoding_of
from deadheat.data.formats import format_of, formats, open_stream, refuse_foreign
from deadheat.data.options import Options
from deadheat.data.records import Beginning, beginning_of
from deadheat.data.source import PACKED, Source, complaints, opened
from deadheat.data.stream import Facts
from deadheat.errors import DataError, quoted

if TYPE_CHECKING:
    import duckdb

PATTERN = "*?["
HIDDEN = (".", "_")
ROW = '"number of the row"'


@dataclass(frozen=True, kw_only=True)
class Part:
    """One file or frame of a log.

    ``scan`` is what DuckDB reads from, with ``{paths}`` in the place of files that are read alike;
    ``row`` is the SQL of where a row stands, and ``numbered`` what gives it, if not ``scan``.
    """

    name: str
    fields: Fields
    scan: str
    row: str
    path: str = ""
    numbered: str = ""
    unit: str = "row"
    facts: Facts = ()
    notes: tuple[str, ...] = ()
    library: str = ""

    @property
    def rows(self) -> str:
        """The SQL of all columns with the number of each row beside them."""
        scan = (self.numbered or self.scan).replace("{paths}", self.path)
        return f"(SELECT {self.row} AS {ROW}, * FROM {scan})"  # noqa: S608


def files_of(source: str | os.PathLike[str]) -> list[Path]:
    """Return the file, the files of a folder, or those that match a pattern, in order of name."""
    path = Path(source)
    if path.is_dir():
        known = {suffix for kind in formats().values() for suffix in kind.suffixes}
        found = [
            file for file in sorted(path.rglob("*")) if file.is_file() and _is_log(file, known)
        ]
        if not found:
            raise DataError(
                f"{path} holds no table.",
                hint="deadheat reads Parquet, CSV, TSV, JSON, JSON lines and Excel files in it.",
            )
        return found
    if any(letter in PATTERN for letter in str(path)) and not path.exists():
        found = [Path(each) for each in sorted(glob.glob(str(path), recursive=True))]  # noqa: PTH207
        if not found:
            raise DataError(f"no file matches {quoted(path)}.", hint="is the pattern right?")
        return [file for file in found if file.is_file()]
    return [path]


def _is_log(file: Path, known: set[str]) -> bool:
    suffixes = [suffix.lower() for suffix in file.suffixes if suffix.lower() not in PACKED]
    return not file.name.startswith(HIDDEN) and bool(suffixes) and suffixes[-1] in known


def part_of(
    source: Any, options: Options, connection: duckdb.DuckDBPyConnection, folder: Path
) -> Part:
    """Return a file as DuckDB reads it; what it cannot read is copied to where it can."""
    with ExitStack() as stack:
        raw = opened(source, stack)
        with complaints(raw.name):
            kind = format_of(raw)
            refuse_foreign(options, kind.title, kind.understands, raw.name)
            known = formats()
            if kind is known["parquet"]:
                return _parquet(raw, connection, folder)
            if kind is known["jsonl"] and options.encoding is None:
                return _json(raw, source, connection, folder)
            if kind is known["text"]:
                start = _plain(raw, options)
                if start is not None:
                    return _text(raw, source, start, folder)
            return _streamed(raw, options, connection, folder)


def _parquet(raw: Source, connection: duckdb.DuckDBPyConnection, folder: Path) -> Part:
    path = _path(raw.path or _spooled(raw, folder))
    scan = "read_parquet([{paths}], hive_partitioning=false)"
    with broken({path: raw.name}, connection):
        fields = described(scan.replace("{paths}", path), connection)
    return Part(
        name=raw.name,
        fields=fields,
        scan=scan,
        path=path,
        numbered="read_parquet([{paths}], hive_partitioning=false, file_row_number=true)",
        row="file_row_number + 1",
        facts=(*raw.facts, ("format", "Parquet")),
    )


def _json(raw: Source, source: Any, connection: duckdb.DuckDBPyConnection, folder: Path) -> Part:
    path, packed = _readable(raw, source, folder)
    array = raw.head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"[")
    layout = "array" if array else "newline_delimited"
    options = f"format='{layout}', compression='{packed}'"
    with broken({path: raw.name}, connection):
        found = described(f"read_json([{path}], {options}, maximum_depth=1)", connection)
    kinds = ", ".join(f"{literal(name)}: 'VARCHAR'" for name in found.columns)
    return Part(
        name=raw.name,
        fields=Fields(
            found.columns, {name: Field(identifier(name), "JSON") for name in found.columns}
        ),
        scan=f"read_json([{{paths}}], {options}, columns={{{kinds}}})",
        path=path,
        row="row_number() OVER ()",
        facts=(*raw.facts, ("format", "JSON array" if array else "JSON lines")),
    )


def _plain(raw: Source, options: Options) -> Beginning | None:
    """Return how a text begins where DuckDB reads such text: UTF-8 with one delimiter."""
    encoding = encoding_of(raw, options.encoding)
    if encoding not in {"utf-8", "utf-8-sig"} or b"\n" not in raw.head or options.header is False:
        return None
    start = beginning_of(io.StringIO(raw.head.decode(encoding, "replace")), options.delimiter)
    return None if start.delimiter == SPACES or not start.lines else start


def _text(raw: Source, source: Any, start: Beginning, folder: Path) -> Part:
    path, packed = _readable(raw, source, folder)
    names = [name.strip() for name in next(split_lines(start.lines, start.delimiter))]
    fields: dict[str, Field] = {}
    for k, name in enumerate(names):
        fields.setdefault(name, Field(f"c{k}"))
    columns = ", ".join(f"'c{k}': 'VARCHAR'" for k in range(len(names)))
    options = (
        f"auto_detect=false, header=true, skip={start.skipped}, delim={literal(start.delimiter)}, "
        f"quote='\"', escape='\"', compression='{packed}', columns={{{columns}}}"
    )
    delimiter = NAMES.get(start.delimiter, repr(start.delimiter))
    return Part(
        name=raw.name,
        fields=Fields(names, fields),
        scan=f"read_csv([{{paths}}], {options})",
        path=path,
        row=f"row_number() OVER () + {start.skipped + 1}",
        facts=(*raw.facts, ("format", "text, utf-8"), ("delimiter", delimiter)),
        notes=start.notes,
    )


def _streamed(
    raw: Source, options: Options, connection: duckdb.DuckDBPyConnection, folder: Path
) -> Part:
    stream = open_stream(raw, options)
    name = f"loaded_{_fresh(folder).name}"
    return Part(
        name=raw.name,
        fields=load_stream(stream, name, connection),
        scan=name,
        row=f'"{LINE}"',
        unit=stream.unit,
        facts=stream.facts,
        notes=stream.notes,
    )


def _readable(raw: Source, source: Any, folder: Path) -> tuple[str, str]:
    """Return a path that DuckDB can read and how it is packed."""
    if raw.path is not None:
        return _path(raw.path), "uncompressed"
    packed = [kind for topic, kind in raw.facts if topic == "compression"]
    if packed == ["gzip"] and isinstance(source, os.PathLike) and Path(source).is_file():
        return _path(Path(source)), "gzip"
    return _path(_spooled(raw, folder)), "uncompressed"


def _path(path: Path) -> str:
    """Return a path in SQL in which DuckDB sees no pattern."""
    return literal("".join(f"[{c}]" if c in PATTERN else c for c in str(path)))


def _spooled(raw: Source, folder: Path) -> Path:
    """Write a stream to a file: DuckDB reads it more than once."""
    path = _fresh(folder)
    with path.open("wb") as file:
        shutil.copyfileobj(raw.handle, file)
    return path


def _fresh(folder: Path) -> Path:
    number = len(list(folder.iterdir()))
    path = folder / f"part{number}"
    path.touch()
    return path

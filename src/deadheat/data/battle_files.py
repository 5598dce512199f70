"""The files of a battle log, each with the words by which DuckDB reads it."""

from __future__ import annotations

import glob
import io
import os
import re
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from deadheat.data.battle_fields import Field, Fields
from deadheat.data.battle_tables import LINE, described, load_stream
from deadheat.data.database import (
    NO_PARTITIONS,
    PATTERN,
    Database,
    identifier,
    literal,
    path_literal,
    plain_path,
    real,
)
from deadheat.data.database_complaints import broken
from deadheat.data.delimiter import NAMES, SPACES, split_lines
from deadheat.data.encoding import encoding_of
from deadheat.data.formats import format_of, formats, open_stream, refuse_foreign
from deadheat.data.formats.parquet import column_names
from deadheat.data.options import Options
from deadheat.data.records import Beginning, beginning_of
from deadheat.data.source import PACKED, Source, complaints, opened
from deadheat.data.stream import Facts
from deadheat.errors import DataError, quoted

HIDDEN = (".", "_")
_NUMBERED = re.compile(r"_\d+$")
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
        scan = reading(self.numbered or self.scan, self.path)
        return f"(SELECT {self.row} AS {ROW}, * FROM {scan})"  # noqa: S608


def reading(scan: str, paths: str) -> str:
    """Return a scan of some files; only the first mark is ours, a key of JSON may be called so."""
    return scan.replace("{paths}", paths, 1)


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
        matching = map(Path, sorted(glob.glob(str(path), recursive=True)))  # noqa: PTH207
        found = [file for file in matching if file.is_file()]
        if not found:
            raise DataError(f"no file matches {quoted(path)}.", hint="is the pattern right?")
        return found
    return [path]


def _is_log(file: Path, known: set[str]) -> bool:
    suffixes = [suffix.lower() for suffix in file.suffixes if suffix.lower() not in PACKED]
    return not file.name.startswith(HIDDEN) and bool(suffixes) and suffixes[-1] in known


def part_of(source: Any, options: Options, base: Database) -> Part:
    """Return a file as DuckDB reads it; what it cannot read is copied to where it can."""
    with ExitStack() as stack:
        raw = opened(source, stack)
        with complaints(raw.name):
            kind = format_of(raw)
            refuse_foreign(options, kind.title, kind.understands, raw.name)
            known = formats()
            if kind is known["parquet"]:
                return _parquet(raw, base)
            if kind is known["jsonl"] and options.encoding is None:
                path, packed = _readable(raw, source, base)
                part = _json(raw, path, packed, base)
                if part is not None:
                    return part
                again = opened(Path(plain_path(path)), stack)  # this one may be read up already
                raw = replace(again, name=raw.name, facts=raw.facts)
            if kind is known["text"]:
                start = _plain(raw, options)
                if start is not None:
                    return _text(raw, source, start, base)
            return _streamed(raw, options, base)


def _parquet(raw: Source, base: Database) -> Part:
    path = path_literal(base.path(raw))
    scan = f"read_parquet([{{paths}}], {NO_PARTITIONS})"
    with broken({path: raw.name}, base.connection):
        names = column_names(path, raw.name, base.connection)
        fields = described(reading(scan, path), base.connection, names)
    return Part(
        name=raw.name,
        fields=fields,
        scan=scan,
        path=path,
        numbered=f"read_parquet([{{paths}}], {NO_PARTITIONS}, file_row_number=true)",
        row="file_row_number + 1",
        facts=(*raw.facts, ("format", "Parquet")),
    )


def _json(raw: Source, path: str, packed: str, base: Database) -> Part | None:
    """Return JSON as DuckDB reads it; None where it renames keys that differ only in case."""
    array = raw.head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"[")
    layout = "array" if array else "newline_delimited"
    options = f"format='{layout}', compression='{packed}', {NO_PARTITIONS}"
    with broken({path: raw.name}, base.connection):
        found = described(f"read_json([{path}], {options}, maximum_depth=1)", base.connection)
    if _renamed(found.columns):
        return None
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


def _renamed(names: Sequence[str]) -> bool:
    """Return whether DuckDB may have put numbers behind names that differ only in case.

    Where a name is empty it finds no columns at all, only ``json``.
    """
    if list(names) == ["json"]:
        return True
    known = {name.lower() for name in names}
    return any(_NUMBERED.sub("", name).lower() in known for name in names if _NUMBERED.search(name))


def _plain(raw: Source, options: Options) -> Beginning | None:
    """Return how a text begins where DuckDB reads such text: UTF-8 with one delimiter."""
    encoding = encoding_of(raw, options.encoding)
    if encoding not in {"utf-8", "utf-8-sig"} or b"\n" not in raw.head or options.header is False:
        return None
    start = beginning_of(io.StringIO(raw.head.decode(encoding, "replace")), options.delimiter)
    return None if start.delimiter == SPACES or not start.lines else start


def _text(raw: Source, source: Any, start: Beginning, base: Database) -> Part:
    path, packed = _readable(raw, source, base)
    names = [name.strip() for name in next(split_lines(start.lines, start.delimiter))]
    fields: dict[str, Field] = {}
    for k, name in enumerate(names):
        fields.setdefault(name, Field(f"c{k}"))
    columns = ", ".join(f"'c{k}': 'VARCHAR'" for k in range(len(names)))
    options = (
        f"auto_detect=false, header=true, skip={start.skipped}, delim={literal(start.delimiter)}, "
        f"quote='\"', escape='\"', compression='{packed}', {NO_PARTITIONS}, "
        f"columns={{{columns}}}"
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


def _streamed(raw: Source, options: Options, base: Database) -> Part:
    stream = open_stream(raw, options)
    name = f"loaded_{base.fresh().name}"
    return Part(
        name=raw.name,
        fields=load_stream(stream, name, base.connection),
        scan=name,
        row=f'"{LINE}"',
        unit=stream.unit,
        facts=stream.facts,
        notes=stream.notes,
    )


def _readable(raw: Source, source: Any, base: Database) -> tuple[str, str]:
    """Return a path that DuckDB can read and how it is packed."""
    packed = [kind for topic, kind in raw.facts if topic == "compression"]
    if packed == ["gzip"] and isinstance(source, os.PathLike) and Path(source).is_file():
        return path_literal(real(Path(source))), "gzip"
    return path_literal(base.path(raw)), "uncompressed"

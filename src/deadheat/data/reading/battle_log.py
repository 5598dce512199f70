"""A battle log as DuckDB sees it: rows with one column for each role, from one file or many."""

from __future__ import annotations

import contextlib
import glob
import io
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from deadheat.core.errors import (
    DataError,
    UnknownNameError,
    UsageError,
    Words,
    command_with,
    counted,
    listed,
    quoted,
)
from deadheat.core.weights import CAUTION, TRIFLE
from deadheat.data.formats import (
    ABOUT_FILES,
    FORMATS,
    format_of,
    open_stream,
    refuse_foreign,
    specific,
)
from deadheat.data.formats import frame as frames
from deadheat.data.formats.parquet import column_names
from deadheat.data.formats.text import NAMES, SPACES, beginning_of, encoding_of, split_lines
from deadheat.data.reading import database as db
from deadheat.data.reading import source as sources
from deadheat.data.reading.battle_columns import Covariate, Roles
from deadheat.data.reading.column_names import tokens
from deadheat.data.reading.database import Database, duckdb_errors, identifier, literal
from deadheat.data.reading.numbers import is_missing
from deadheat.data.reading.options import Options, sidecar_of
from deadheat.data.reading.preview import Condition, Head, columns_asked, number_in
from deadheat.data.reading.source import Facts, Source, Stream, complaints, is_stream, open_source
from deadheat.data.results import EXACT

if TYPE_CHECKING:
    import duckdb

Given: TypeAlias = Mapping[str, Any]  # the options of :func:`deadheat.read_battles`

# The SQL of a name, a number, a condition.

BLANKS = "E' \\t\\r\\n'"
FRACTIONAL = ("FLOAT", "DOUBLE", "DECIMAL")
NUMERIC = (*FRACTIONAL, "TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "U")
TEMPORAL = ("DATE", "TIMESTAMP")
# Text is trimmed before it is cast: DuckDB has its reader of CSV cast a bare column, and there
# TRY_CAST fails where it ought to give NULL.
TEXTUAL = ("VARCHAR", "JSON")


def trim_sql(text: str) -> str:
    """Return the SQL of a text without blanks around it; NULL where nothing is left."""
    return f"nullif(trim({text}, {BLANKS}), '')"


@dataclass(frozen=True)
class Field:
    """A column, or a part of a nested one: an expression and the type of what it gives."""

    sql: str
    kind: str = "VARCHAR"

    @property
    def raw(self) -> str:
        """The SQL of the cell as a person would write it; NULL where it is missing."""
        if not self.kind.startswith(FRACTIONAL):
            return f"CAST({self.sql} AS VARCHAR)"
        number = f"CAST({self.sql} AS DOUBLE)"
        whole = f"{number} = trunc({number}) AND abs({number}) < {EXACT}"
        text = f"WHEN {whole} THEN CAST(CAST({number} AS BIGINT) AS VARCHAR)"
        return f"CASE WHEN isnan({number}) THEN NULL {text} ELSE CAST({number} AS VARCHAR) END"

    @property
    def text(self) -> str:
        """The same, trimmed, which costs more than to count; NULL also where nothing is left."""
        return trim_sql(self.raw)

    @property
    def number(self) -> str:
        return f"TRY_CAST({self.text if self.kind in TEXTUAL else self.sql} AS DOUBLE)"

    @property
    def moment(self) -> str:
        """The SQL of the cell as a point of time; NULL where it is none, as no number is."""
        if self.kind.startswith(NUMERIC):
            return "CAST(NULL AS TIMESTAMPTZ)"
        # Without trim, DuckDB casts while it scans a CSV, and a number ends the scan.
        cell = self.sql if self.kind.startswith(TEMPORAL) else self.text
        return f"TRY_CAST({cell} AS TIMESTAMPTZ)"


def _conditions(where: Any, part: Part) -> list[Condition]:
    """Return the conditions that rows must meet; their columns may be parts of nested ones."""
    texts = [where] if isinstance(where, str) else list(where or ())
    names = list(texts) if isinstance(where, Mapping) else []
    for text in (text for text in texts if isinstance(text, str)):
        names += [column for column, _, _ in columns_asked(text)]
    nested = (name for name in names if name not in part.fields and part.find(name) is not None)
    columns = [*part.fields, *nested]
    return Head(source=part.name, columns=columns, blocks=iter(()), where=where).conditions


def _holds(condition: Condition, part: Part) -> str:
    """Return the SQL that a row meets a condition: equal as text, as numbers or as truth."""
    if condition.bound is not None:
        kind = {float: "DOUBLE", datetime: "TIMESTAMPTZ", date: "DATE"}[type(condition.bound)]
        bound = f"CAST({literal(str(condition.bound))} AS {kind})"
        return f"coalesce({_comparable(condition, part)} {condition.sign} {bound}, false)"
    text = f"coalesce({part[condition.column].text}, '')"
    values = sorted(condition.values)
    numbers = [repr(number) for value in values if (number := number_in(value)) is not None]
    truths = [value.lower() for value in values if value.lower() in {"true", "false"}]
    tests = [f"{text} IN ({', '.join(map(literal, values))})"]
    if numbers:
        floats = ", ".join(f"CAST({literal(number)} AS DOUBLE)" for number in numbers)
        tests.append(f"coalesce(TRY_CAST({text} AS DOUBLE) IN ({floats}), false)")
    if truths:
        tests.append(f"lower({text}) IN ({', '.join(map(literal, truths))})")
    return f"{'NOT ' if condition.negated else ''}({' OR '.join(tests)})"


def _comparable(condition: Condition, part: Part) -> str:
    """Return the SQL of a cell as a number, a moment or a day; NULL where it is none."""
    text = part[condition.column].text
    if isinstance(condition.bound, float):
        return f"TRY_CAST({text} AS DOUBLE)"
    moment = f"TRY_CAST({text} AS TIMESTAMPTZ)"
    return moment if isinstance(condition.bound, datetime) else f"CAST({moment} AS DATE)"


# ------------------------------------------------------------------------------
# Files, frames and streams, each with the words by which DuckDB reads it.

HIDDEN = (".", "_")
READ_AS_THEY_ARE = ("pandas", "polars", "pyarrow")
FRAME = "frame"
LINE = "line of the row"
_NUMBERED = re.compile(r"_\d+$")
ROW = '"number of the row"'


@dataclass(frozen=True)
class Part:
    """One file or frame of a log; ``fields`` has parts of nested columns by dotted names.

    ``scan`` is what DuckDB reads from, with ``{paths}`` in the place of files that are read alike;
    ``row`` is the SQL of where a row stands, and ``numbered`` what gives it, if not ``scan``.
    """

    name: str
    columns: Sequence[str]
    fields: Mapping[str, Field]
    scan: str
    path: str = ""
    row: str = "row_number() OVER ()"
    numbered: str = ""
    unit: str = "row"
    facts: Facts = ()
    notes: tuple[str, ...] = ()
    library: str = ""
    states: Mapping[str, Any] = field(default_factory=dict)

    def find(self, name: str) -> Field | None:
        """Return a column or part of one; what is inside a cell of JSON is not known before."""
        top, dot, path = name.partition(".")
        field = self.fields.get(top)
        if name in self.fields or not dot or field is None or field.kind != "JSON":
            return self.fields.get(name)
        steps = path.replace("~", "~0").replace("/", "~1").split(".")  # as a JSON pointer has them
        return Field(f"json_extract_string({field.sql}, {literal('/' + '/'.join(steps))})")

    def __getitem__(self, name: str) -> Field:
        field = self.find(name)
        assert field is not None
        return field

    def reading(self, paths: str = "", *, numbered: bool = False) -> str:
        """Return a scan of some files; only the first mark is ours, a key of JSON may be one."""
        scan = self.numbered if numbered and self.numbered else self.scan
        return scan.replace("{paths}", paths or self.path, 1)


def parts_of(source: Any, files: Sequence[Path], given: Given, base: Database) -> list[Part]:
    about: dict[str, Any] = {name: given.get(name) for name in ABOUT_FILES}
    options = Options(**about).checked()
    if isinstance(source, Stream):
        return [_stream_part(source, base)]
    if sources.is_several(source):
        with contextlib.ExitStack() as stack:
            raw = open_source(source, stack)
            if options.from_ is not None or specific(raw):
                return [_stream_part(open_stream(raw, options), base)]
    if files:
        return [_file_part(file, options, base, alone=len(files) == 1) for file in files]
    if is_stream(source) or isinstance(source, str):
        return [_part(source, options, base)]
    refuse_foreign(options, frames.title, (), frames.SOURCE)
    return [_frame_part(source, base)]


def files_of(source: Any) -> list[Path]:
    """Return the files that a source means; none where it is a stream or a frame."""
    is_dash = isinstance(source, str) and source == "-"
    if isinstance(source, Stream) or is_stream(source) or is_dash:
        return []
    paths = source if isinstance(source, list | tuple) else [source]
    if not paths:
        raise UsageError("there is nothing to read: no file is named.", hint="name some files.")
    if not isinstance(paths[0], str | os.PathLike):
        return []
    files = [file for path in paths for file in _matching(path)]
    known: dict[Path, Path] = {}
    for file in files:
        first = known.setdefault(file.resolve(), file)
        if first is not file:
            as_well = "" if first == file else f", as {first} too"
            fact = f"{file} is named twice{as_well}: its battles would count twice."
            raise UsageError(fact, hint="name every file once.")
    return files


def _matching(source: str | os.PathLike[str]) -> list[Path]:
    """Return the file, the files of a folder, or those that match a pattern, in order of name."""
    if isinstance(source, str) and not source.strip():
        raise sources.empty_path()
    path = Path(source)
    if path.is_dir():
        known = {suffix for kind in FORMATS.values() for suffix in kind.suffixes}
        tables = [file for file in sorted(path.rglob("*")) if not file.name.startswith(HIDDEN)]
        files = [file for file in tables if file.is_file() and _suffix(file) in known]
        fact = f"{path} holds no table."
        hint = "deadheat reads Parquet, CSV, TSV, JSON, JSON lines and Excel files in it."
    elif any(letter in db.PATTERN for letter in str(path)) and not path.exists():
        names = sorted(glob.glob(str(path), recursive=True))  # noqa: PTH207
        files = [file for file in map(Path, names) if file.is_file()]
        fact, hint = f"no file matches {quoted(path)}.", sources.nearby(path)
    else:
        return [path]
    if not files:
        raise DataError(fact, hint=hint)
    return files


def _suffix(file: Path) -> str:
    suffixes = [each for each in map(str.lower, file.suffixes) if each not in sources.PACKED]
    return suffixes[-1] if suffixes else ""


def _file_part(file: Path, options: Options, base: Database, *, alone: bool) -> Part:
    """Open a file; one of several is called by its whole path where something is wrong with it."""
    part = _part(file, options, base, name=file.name if alone else str(file))
    part, sidecar = replace(part, name=file.name), sidecar_of(file, None)
    if sidecar is None:
        return part
    note = f"{sidecar.name} beside it is not read: a sidecar is about a table of scores."
    return replace(part, notes=(*part.notes, note))


def _part(source: Any, options: Options, base: Database, name: str = "") -> Part:
    """Return a file as DuckDB reads it; what it cannot read is copied to where it can."""
    with contextlib.ExitStack() as stack:
        raw = open_source(source, stack, name)
        with complaints(raw.name):
            (kind, why), known = format_of(raw, options.from_), FORMATS
            understands = (*kind.understands, "from_")
            refuse_foreign(options, kind.title, understands, raw.name)
            part = None
            if kind is known["parquet"]:
                part = _parquet(raw, base)
            elif kind is known["jsonl"] and options.encoding is None:
                path, packed = _readable(raw, source, base)
                part = _json(raw, path, packed, base)
                if part is None:  # this source may be read up
                    again = open_source(Path(db.plain_path(path)), stack)
                    raw = replace(again, name=raw.name, facts=raw.facts)
            elif kind is known["text"]:
                part = _text(raw, source, options, base)
            if part is None:
                return _stream_part(open_stream(raw, options), base)
            facts = dict(part.facts)
            told = f"{facts.pop('format')} ({why})"
            return replace(part, facts=(("format", told), *facts.items()))


def _columns_of(
    scan: str, connection: duckdb.DuckDBPyConnection, names: Sequence[str] = ()
) -> tuple[list[str], dict[str, Field]]:
    """Return the columns of what DuckDB can read; ``names`` are their own where it renames them."""
    table = connection.sql(f"SELECT * FROM {scan} LIMIT 0")  # noqa: S608
    columns = list(names or table.columns)
    kinds = zip(columns, map(identifier, table.columns), table.types, strict=True)
    return columns, _firsts(pair for column in kinds for pair in _struct_fields(*column))


def _firsts(pairs: Iterable[tuple[str, Field]]) -> dict[str, Field]:
    """Return fields by their names; of two with one name the first."""
    fields: dict[str, Field] = {}
    for name, each in pairs:
        fields.setdefault(name, each)
    return fields


def _struct_fields(name: str, sql: str, kind: Any) -> Iterator[tuple[str, Field]]:
    """Yield a column and, where it is a struct, each of its parts."""
    yield name, Field(sql, str(kind))
    if getattr(kind, "id", "") == "struct":
        for part, inner in kind.children:
            yield from _struct_fields(f"{name}.{part}", f"{sql}.{identifier(part)}", inner)


def _parquet(raw: Source, base: Database) -> Part:
    path = db.path_literal(base.path(raw))
    with duckdb_errors({path: raw.name}, base.connection):
        names = column_names(path, raw.name, base.connection)
        scan = f"read_parquet([{path}], {db.NO_PARTITIONS})"
        columns, fields = _columns_of(scan, base.connection, names)
    scan = f"read_parquet([{{paths}}], {db.NO_PARTITIONS}"
    rows: Any = {"numbered": f"{scan}, file_row_number=true)", "row": "file_row_number + 1"}
    facts = (*raw.facts, ("format", "Parquet"))
    return Part(raw.name, columns, fields, f"{scan})", path, facts=facts, **rows)


def _json(raw: Source, path: str, packed: str, base: Database) -> Part | None:
    """Return JSON as DuckDB reads it; None where it renames keys that differ only in case."""
    array = raw.head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"[")
    layout = "array" if array else "newline_delimited"
    options = f"format='{layout}', compression='{packed}', {db.NO_PARTITIONS}"
    with duckdb_errors({path: raw.name}, base.connection):
        names, _ = _columns_of(f"read_json([{path}], {options}, maximum_depth=1)", base.connection)
    lower = {name.lower() for name in names}
    numbered = (name for name in names if _NUMBERED.search(name))
    # Where a name is empty DuckDB finds no columns at all, only json.
    if names == ["json"] or any(_NUMBERED.sub("", name).lower() in lower for name in numbered):
        return None
    kinds = ", ".join(f"{literal(name)}: 'VARCHAR'" for name in names)
    scan = f"read_json([{{paths}}], {options}, columns={{{kinds}}})"
    facts = (*raw.facts, ("format", "JSON array" if array else "JSON lines"))
    fields = {name: Field(identifier(name), "JSON") for name in names}
    return Part(raw.name, names, fields, scan, path, facts=facts)


def _text(raw: Source, source: Any, options: Options, base: Database) -> Part | None:
    """Return a text as DuckDB reads it: UTF-8 with a header and one delimiter; else None."""
    encoding = encoding_of(raw, options.encoding)
    if encoding not in {"utf-8", "utf-8-sig"} or b"\n" not in raw.head or options.header is False:
        return None
    start = beginning_of(io.StringIO(raw.head.decode(encoding, "replace")), options.delimiter)
    if start.delimiter == SPACES or not start.lines:
        return None
    path, packed = _readable(raw, source, base)
    names = [name.strip() for name in next(split_lines(start.lines, start.delimiter))]
    kinds = ", ".join(f"'c{k}': 'VARCHAR'" for k in range(len(names)))
    scan = (
        f"read_csv([{{paths}}], auto_detect=false, header=true, skip={start.skipped}, "
        f"delim={literal(start.delimiter)}, quote='\"', escape='\"', compression='{packed}', "
        f"{db.NO_PARTITIONS}, columns={{{kinds}}})"
    )
    delimiter = NAMES.get(start.delimiter, repr(start.delimiter))
    fields = _firsts((name, Field(f"c{k}")) for k, name in enumerate(names))
    row = f"row_number() OVER () + {start.skipped + 1}"
    facts = (*raw.facts, ("format", "text, utf-8"), ("delimiter", delimiter))
    return Part(raw.name, names, fields, scan, path, row, facts=facts, notes=start.notes)


def _readable(raw: Source, source: Any, base: Database) -> tuple[str, str]:
    packed = [kind for topic, kind in raw.facts if topic == "compression"]
    if packed == ["gzip"] and isinstance(source, os.PathLike) and Path(source).is_file():
        return db.path_literal(db.real(Path(source))), "gzip"
    return db.path_literal(base.path(raw)), "uncompressed"


def _stream_part(stream: Stream, base: Database) -> Part:
    table, connection = f"loaded_{base.fresh().name}", base.connection
    columns = [f"c{k}" for k in range(len(stream.columns))]
    kinds = ", ".join([f"{identifier(LINE)} BIGINT", *(f"{each} VARCHAR" for each in columns)])
    connection.execute(f"CREATE TEMP TABLE {table} ({kinds})")
    for block in stream.blocks:
        part: dict[str, Any] = {LINE: np.asarray(block.lines, dtype=np.int64)}
        for k, column in enumerate(columns):
            part[column] = np.array(block.text(k), dtype=object)
        connection.register("part", part)
        connection.execute(f"INSERT INTO {table} SELECT * FROM part")  # noqa: S608
        connection.unregister("part")
    fields = _firsts(zip(stream.columns, map(Field, columns), strict=True))
    more = {name: getattr(stream, name) for name in ("unit", "facts", "notes", "library", "states")}
    return Part(stream.source, stream.columns, fields, table, row=identifier(LINE), **more)


def _frame_part(frame: Any, base: Database) -> Part:
    """Return a frame as a part, which DuckDB sees as it is where it knows the kind."""
    import duckdb

    library, kind = type(frame).__module__.partition(".")[0], type(frame).__name__
    seen = frame.collect() if kind == "LazyFrame" else frame
    columns = getattr(seen, "column_names", None) or getattr(seen, "columns", None)
    distinct = columns is not None and len({*map(str, columns)}) == len(columns)
    if library in READ_AS_THEY_ARE and distinct:
        with contextlib.suppress(duckdb.Error, ImportError):  # polars comes through pyarrow
            base.connection.register(FRAME, seen)
            names, fields = _columns_of(FRAME, base.connection)
            facts = (("format", f"{library} {kind}"),)
            return Part(frames.SOURCE, names, fields, FRAME, facts=facts, library=library)
    return _stream_part(frames.open_frame(frame), base)  # it says what is wrong with columns


# ------------------------------------------------------------------------------
# The rows of all files as one query.

MOST_VALUES = 12
TIMES = frozenset({"tstamp", "timestamp", "date", "datetime", "time", "ts"})
OUTCOMES = ("left", "right", "tie")


def _has(name: str) -> Callable[[Part], bool]:
    return lambda part: name in part.fields and part.columns.count(name) == 1


@dataclass(frozen=True)
class Survey:
    """What a log tells beside its battles: rows with an identifier, votes with a voter, times."""

    rows: int = 0
    identifiers: int = 0
    votes: int = 0
    voters: int = 0
    first: str | None = None
    last: str | None = None


def _word_of_scores(left: Field, right: Field) -> str:
    """Return the SQL of who has the higher score; where one is no number, its cell."""
    one, other = (f"CASE WHEN isfinite({n}) THEN {n} END" for n in (left.number, right.number))
    higher = f"WHEN ({one}) > ({other}) THEN 'left' WHEN ({one}) < ({other}) THEN 'right'"
    odd = f"CASE WHEN ({one}) IS NULL THEN {left.text} ELSE {right.text} END"
    return f"CASE {higher} WHEN ({one}) = ({other}) THEN 'tie' ELSE coalesce({odd}, '') END"


class Log:
    """The rows of a log that are kept.

    Their columns are ``l``, ``r`` and ``w`` for left, right and winner, where there are such ``x``
    (weight), ``g`` (cluster), ``k`` (category), ``t`` (order) and ``z0``, ``z1`` ... (covariates),
    ``v`` (who voted, where that is no cluster), ``b`` (what tells battles apart), ``d`` (the
    time, where a column has one), and for columns of counts ``n_left``, ``n_right``
    and ``n_tie`` instead of ``w``.
    """

    def __init__(
        self, base: Database, parts: Sequence[Part], roles: Roles, source: str, given: Given
    ) -> None:
        self.connection, self.parts, self.roles, self.source = base.connection, parts, roles, source
        self._relative = bool(given.get("relative"))
        self._require(roles.used)
        everywhere = [name for name in parts[0].columns if all(map(_has(name), parts))]
        self.voter, self.identifier = roles.voter(everywhere), roles.identifier(everywhere)
        self.dated = next((name for name in everywhere if {*tokens(name)[-1:]} & TIMES), "")
        self._conditions = [_conditions(given.get("where") or (), part) for part in parts]
        self._where = []
        for part, conditions in zip(parts, self._conditions, strict=True):
            self._refuse_incomparable(part, conditions)
            tests = " AND ".join(_holds(condition, part) for condition in conditions)
            self._where.append(f" WHERE {tests}" if tests else "")
        self.kept = ""  # the table of the rows that are left after repeats are dropped
        self.trim = False  # whether some name or outcome has blanks around it

    def _require(self, names: Iterable[str]) -> None:
        first = self.parts[0]
        for part, name in ((part, name) for part in self.parts for name in names):
            if part.columns.count(name) > 1:
                fact = f"{part.name}: two columns are called {quoted(name)}."
                raise DataError(fact, hint="rename one of them.")
            if part.find(name) is None and part is first:
                raise UnknownNameError("column", name, part.columns)
            if part.find(name) is None:
                fact = f"{part.name} has no column {quoted(name)}, which {first.name} has."
                hint = f"all files of a log need it; this one has {listed(part.columns)}."
                raise DataError(fact, hint=hint)

    def _refuse_incomparable(self, part: Part, conditions: Iterable[Condition]) -> None:
        for asked in (each for each in conditions if each.bound is not None):
            text = part[asked.column].text
            odd = f"{text} IS NOT NULL AND {_comparable(asked, part)} IS NULL"
            cells = f"SELECT DISTINCT {text} FROM {part.reading()} WHERE {odd}"  # noqa: S608
            found = self.execute(f"{cells} LIMIT 99")
            for (cell,) in found.fetchall():
                if not is_missing(cell):
                    raise asked.incomparable(cell, f"{part.name}: ")

    def execute(self, sql: str) -> duckdb.DuckDBPyConnection:
        with duckdb_errors({part.path: part.name for part in self.parts}, self.connection):
            return self.connection.execute(sql)

    def one(self, sql: str) -> tuple[Any, ...]:
        row = self.execute(sql).fetchone()
        assert row is not None
        return row

    def _columns(self, part: Part, *, trim: bool) -> dict[str, str]:
        """Return the SQL of the columns of the rows of a file."""
        roles = self.roles
        texts = {"l": roles.left, "r": roles.right, "w": roles.winner}
        texts |= {"g": roles.cluster, "k": roles.category}
        texts |= {"v": self.voter or None, "b": self.identifier or None}
        fields = {alias: part[name] for alias, name in texts.items() if name is not None}
        columns = {alias: field.text if trim else field.raw for alias, field in fields.items()}
        if roles.scores:
            columns["w"] = _word_of_scores(*(part[name] for name in roles.scores))
        elif not roles.counts:
            columns["w"] = f"coalesce({columns['w']}, '')" if "w" in columns else "'left'"
        columns |= {f"n_{outcome}": part[name].number for outcome, name in roles.counts.items()}
        if roles.weight is not None:
            columns["x"] = part[roles.weight].number
        if roles.order_by is not None:
            columns["t"] = part[roles.order_by].text
        if self.dated:
            columns["d"] = part[self.dated].moment
        beside = enumerate(roles.covariates)
        return columns | {f"z{k}": self._difference(covariate, part) for k, covariate in beside}

    def _difference(self, covariate: Covariate, part: Part) -> str:
        left, *others = [f"({part[column].number})" for column in covariate.columns]
        if not others:
            return left
        (right,) = others
        if not self._relative:
            return f"({left} - {right})"
        known = f"{left} >= 0 AND {right} >= 0"
        share = f"({left} - {right}) / ({left} + {right})"
        return f"CASE WHEN {left} = 0 AND {right} = 0 THEN 0 WHEN {known} THEN {share} END"

    def rows(self, *, numbered: bool = False) -> str:
        """Return the SQL of all rows; numbered with ``f`` of the file and ``n`` of the row."""
        if self.kept:
            return f"SELECT * FROM {self.kept}"  # noqa: S608
        if numbered:
            each = (self.of_part(k, trim=self.trim) for k in range(len(self.parts)))
            return " UNION ALL ".join(each)
        selects = []
        pairs = zip(self.parts, self._where, strict=True)
        groups = groupby(pairs, lambda pair: (pair[0].scan, [*pair[0].fields.items()], pair[1]))
        for (_, _, where), alike in groups:
            parts = [part for part, _ in alike]
            scan = parts[0].reading(", ".join(part.path for part in parts))
            selects.append(f"SELECT {self._list(parts[0], trim=self.trim)} FROM {scan}{where}")  # noqa: S608
        return " UNION ALL ".join(selects)

    def of_file(self, k: int) -> str:
        """Return the SQL of the rows of one file, as a query by itself."""
        part = self.parts[k]
        return f"SELECT {self._list(part, trim=False)} FROM {part.reading()}{self._where[k]}"  # noqa: S608

    def plain_path(self, k: int) -> str:
        return db.plain_path(self.parts[k].path)

    def _list(self, part: Part, *, trim: bool) -> str:
        return ", ".join(f"{sql} AS {name}" for name, sql in self._columns(part, trim=trim).items())

    def of_part(self, k: int, *, trim: bool = True, **more: Any) -> str:
        """Return the SQL of the rows of one file with their numbers, and of more columns."""
        part = self.parts[k]
        beside = "".join(f", {sql} AS {alias}" for alias, sql in more.items())
        rows = f"(SELECT {part.row} AS {ROW}, * FROM {part.reading(numbered=True)})"  # noqa: S608
        columns = f"{k} AS f, {ROW} AS n, {self._list(part, trim=trim)}{beside}"
        return f"SELECT {columns} FROM {rows}{self._where[k]}"  # noqa: S608

    def battles(self, rows: str) -> str:
        if not self.roles.counts:
            return rows
        counts = {outcome: f"n_{outcome}" for outcome in OUTCOMES if outcome in self.roles.counts}
        words = ", ".join(map(literal, counts))
        number = f"CAST(unnest([{', '.join(counts.values())}]) AS BIGINT)"
        each = f"SELECT *, unnest([{words}]) AS w, {number} AS c FROM ({rows})"  # noqa: S608
        return f"SELECT * FROM ({each}) WHERE c > 0"  # noqa: S608

    def count(self, condition: str) -> int:
        return int(self.one(f"SELECT count(*) FROM ({self.rows()}) WHERE {condition}")[0])  # noqa: S608

    def survey(self) -> Survey:
        """Return what rows tell beside their battles, by one query: there may be millions."""
        beside = {"b": self.identifier, "v": self.voter, "d": self.dated}
        if not any(beside.values()):
            return Survey()
        cells = ", ".join(
            f"{alias if name else 'NULL'} AS {alias}" for alias, name in beside.items()
        )
        names = (
            f"count({cell}), count(DISTINCT hash({cell})) FILTER ({cell} IS NOT NULL)"
            for cell in ("nullif(b, '')", "nullif(v, '')")
        )
        times = (f"left(CAST({end}(d) AS VARCHAR), 16)" for end in ("min", "max"))
        told = ", ".join((*names, *times))
        return Survey(*self.one(f"SELECT {told} FROM (SELECT {cells} FROM ({self.rows()}))"))  # noqa: S608

    def are_copies(self) -> bool:
        """Return whether rows of one identifier are the same in all other cells.

        Else it is of something else, or a battle was judged again.
        """
        again = f"SELECT b FROM ({self.rows()}) GROUP BY b HAVING count(*) > 1"  # noqa: S608
        each = (
            f"SELECT {cell} AS b, hash({', '.join(part[name].raw for name in part.fields)}) AS h "  # noqa: S608
            f"FROM {part.reading()}{where or ' WHERE true'} AND nullif({cell}, '') IN ({again})"
            for part, where in zip(self.parts, self._where, strict=True)
            for cell in [self._columns(part, trim=self.trim)["b"]]
        )
        counts = "SELECT count(DISTINCT b), count(DISTINCT h)"
        identifiers, rows = self.one(f"{counts} FROM ({' UNION ALL '.join(each)})")
        return bool(identifiers == rows)

    def first(self, condition: str) -> str:
        return self.first_cell(condition, self.roles.left)[0]

    def first_cell(self, condition: str, column: str) -> tuple[str, str]:
        """Return where the first row stands that meets a condition, and its cell in a column."""
        for k, part in enumerate(self.parts):
            rows = self.of_part(k, cell=part[column].text)
            first = f"SELECT n, cell FROM ({rows}) WHERE {condition} LIMIT 1"  # noqa: S608
            for number, cell in self.execute(first).fetchall():
                return f"{part.name}: {part.unit} {number:,}", cell or ""
        return self.source, ""

    def no_rows_error(self) -> DataError:
        part, conditions = self.parts[0], self._conditions[0]
        if not conditions:
            fact = f"{self.source} has no battle."
            return DataError(fact, hint="a log has a row for each battle below its header.")
        column = conditions[0].column
        rows = f"SELECT {part[column].text} AS v FROM {part.reading()} GROUP BY v"  # noqa: S608
        values = self.execute(f"{rows} ORDER BY count(*) DESC, v LIMIT {MOST_VALUES}").fetchall()
        known = listed((quoted(value or "") for (value,) in values), most=MOST_VALUES)
        fact = f"{self.source}: no battle has {' and '.join(map(str, conditions))}."
        hint = f"{quoted(column)} has the values {known}.\nall rows: {command_with(where=None)}"
        return DataError(fact, hint=hint)

    def drop_repeats(self, keys: Sequence[str] | None) -> str:
        """Keep the first of rows that are equal in some columns, by default all; return a note.

        A row in which one of the named columns is empty repeats none.
        """
        names = keys if keys is not None else self.parts[0].columns
        self._require(names)
        absent = f"concat('row ', {ROW}, E'\\t')" if keys is not None else "NULL"
        rows = []
        for k, part in enumerate(self.parts):
            texts = enumerate(part[name].text for name in names)
            cells: Any = {f"d{i}": f"coalesce({text}, {absent})" for i, text in texts}
            rows.append(self.of_part(k, **cells))
        columns = self._columns(self.parts[0], trim=False)
        whole = ", ".join(f"{column} := {column}" for column in ("f", "n", *columns))
        word = "w" if "w" in columns else "NULL"
        self.execute(
            "CREATE TEMP TABLE firsts AS SELECT "  # noqa: S608
            f"unnest(arg_min(struct_pack({whole}), (f, n))), count(*) AS copies, "
            f"min({word}) IS DISTINCT FROM max({word}) AS differ FROM ({' UNION ALL '.join(rows)}) "
            f"GROUP BY {', '.join(f'd{i}' for i in range(len(names)))}"
        )
        self.kept = "firsts"
        counts = "sum(copies - 1), count(*) FILTER (copies > 1), count(*) FILTER (differ)"
        more, groups, differ = self.one(f"SELECT {counts} FROM firsts")  # noqa: S608
        if not more:
            return ""
        note = f"{counted(int(more), 'repeated row')} dropped"
        if differ:
            number = f"{counted(differ, 'battle')} of {groups:,} with repeats"
            has = "has" if differ == 1 else "have"
            note += f"; {number} {has} different outcomes, of which the first counts"
        return Words(f"{note}.", weight=CAUTION if differ else TRIFLE)

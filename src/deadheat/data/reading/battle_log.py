"""A battle log as DuckDB sees it: rows with one column for each role, from one file or many."""

from __future__ import annotations

import glob
import io
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from deadheat.core.errors import DataError, UnknownNameError, UsageError, counted, listed, quoted
from deadheat.data.formats import format_of, formats, open_stream, refuse_foreign
from deadheat.data.formats import frame as frames
from deadheat.data.formats.parquet import column_names
from deadheat.data.formats.text import (
    NAMES,
    SPACES,
    Beginning,
    beginning_of,
    encoding_of,
    split_lines,
)
from deadheat.data.reading.battle_columns import Covariate, Roles
from deadheat.data.reading.database import (
    NO_PARTITIONS,
    PATTERN,
    Database,
    broken,
    identifier,
    literal,
    path_literal,
    plain_path,
    real,
)
from deadheat.data.reading.options import Options
from deadheat.data.reading.preview import Condition, Head, number_in
from deadheat.data.reading.source import (
    PACKED,
    Block,
    Facts,
    Source,
    Stream,
    complaints,
    empty_path,
    open_source,
    text_of,
)
from deadheat.data.results import EXACT

if TYPE_CHECKING:
    import duckdb


# The SQL of a name, a number, a condition.

BLANKS = "E' \\t\\r\\n'"
FRACTIONAL = ("FLOAT", "DOUBLE", "DECIMAL")


def trimmed(text: str) -> str:
    """Return the SQL of a text without blanks around it; NULL where nothing is left."""
    return f"nullif(trim({text}, {BLANKS}), '')"


@dataclass(frozen=True)
class Field:
    """A column, or a part of a nested one: an expression and the type of what it gives."""

    sql: str
    kind: str = "VARCHAR"

    @cached_property
    def raw(self) -> str:
        """The SQL of the cell as a person would write it; NULL where it is missing."""
        if not self.kind.startswith(FRACTIONAL):
            return f"CAST({self.sql} AS VARCHAR)"
        number = f"CAST({self.sql} AS DOUBLE)"
        return (
            f"CASE WHEN isnan({number}) THEN NULL "
            f"WHEN {number} = trunc({number}) AND abs({number}) < {EXACT} "
            f"THEN CAST(CAST({number} AS BIGINT) AS VARCHAR) ELSE CAST({number} AS VARCHAR) END"
        )

    @cached_property
    def text(self) -> str:
        """The same, trimmed, which costs more than to count; NULL also where nothing is left."""
        return trimmed(self.raw)

    @cached_property
    def number(self) -> str:
        """The SQL of the cell as a number; NULL where it is none."""
        return f"TRY_CAST({self.sql} AS DOUBLE)"


class Fields:
    """The columns of one file by their names; parts of nested ones by dotted names."""

    def __init__(self, columns: Sequence[str], fields: Iterable[tuple[str, Field]]) -> None:
        self.columns = list(columns)
        self._fields: dict[str, Field] = {}
        for name, field in fields:
            self._fields.setdefault(name, field)

    @property
    def names(self) -> list[str]:
        return list(self._fields)

    def find(self, name: str) -> Field | None:
        """Return a column or part of one; what is inside a cell of JSON is not known before."""
        if name in self._fields:
            return self._fields[name]
        top, dot, path = name.partition(".")
        field = self._fields.get(top)
        if not dot or field is None or field.kind != "JSON":
            return None
        steps = path.replace("~", "~0").replace("/", "~1").split(".")  # as a JSON pointer has them
        return Field(f"json_extract_string({field.sql}, {literal('/' + '/'.join(steps))})")

    def __getitem__(self, name: str) -> Field:
        field = self.find(name)
        assert field is not None
        return field

    @property
    def signature(self) -> tuple[object, ...]:
        """What two files must share to be read as one."""
        return tuple(self._fields.items())


def _conditions(where: Any, fields: Fields, source: str) -> list[Condition]:
    """Return the conditions that rows must meet; their columns may be parts of nested ones."""
    texts = [where] if isinstance(where, str) else list(where or ())
    cuts = (
        text[:cut].rstrip("!").strip()
        for text in texts
        if isinstance(text, str)
        for cut, letter in enumerate(text)
        if letter == "="
    )
    asked = [*cuts, *(texts if isinstance(where, Mapping) else ())]
    more = [name for name in asked if name not in fields.names and fields.find(name) is not None]
    stream = Stream(source=source, columns=[*fields.names, *more], blocks=iter(()))
    return Head(**vars(stream), where=where).conditions


def _holds(condition: Condition, fields: Fields) -> str:
    """Return the SQL that a row meets a condition: equal as text, as numbers or as truth."""
    text = f"coalesce({fields[condition.column].text}, '')"
    values = sorted(condition.values)
    tests = [f"{text} IN ({', '.join(map(literal, values))})"]
    floats = [number for value in values if (number := number_in(value)) is not None]
    if floats:
        numbers = [f"CAST({literal(repr(number))} AS DOUBLE)" for number in floats]
        tests.append(f"coalesce(TRY_CAST({text} AS DOUBLE) IN ({', '.join(numbers)}), false)")
    truths = [value.lower() for value in values if value.lower() in {"true", "false"}]
    if truths:
        tests.append(f"lower({text}) IN ({', '.join(map(literal, truths))})")
    return f"{'NOT ' if condition.negated else ''}({' OR '.join(tests)})"


# ------------------------------------------------------------------------------
# Files, frames and streams, each with the words by which DuckDB reads it.

HIDDEN = (".", "_")
READ_AS_THEY_ARE = ("pandas", "polars", "pyarrow")
FRAME = "frame"
LINE = "line of the row"
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
    row: str = "row_number() OVER ()"
    path: str = ""
    numbered: str = ""
    unit: str = "row"
    facts: Facts = ()
    notes: tuple[str, ...] = ()
    library: str = ""

    @property
    def rows(self) -> str:
        scan = _reading(self.numbered or self.scan, self.path)
        return f"(SELECT {self.row} AS {ROW}, * FROM {scan})"  # noqa: S608


def _reading(scan: str, paths: str) -> str:
    """Return a scan of some files; only the first mark is ours, a key of JSON may be called so."""
    return scan.replace("{paths}", paths, 1)


def files_of(source: str | os.PathLike[str]) -> list[Path]:
    """Return the file, the files of a folder, or those that match a pattern, in order of name."""
    if isinstance(source, str) and not source.strip():
        raise empty_path()
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
        raw = open_source(source, stack)
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
                again = open_source(Path(plain_path(path)), stack)  # this one may be read up
                raw = replace(again, name=raw.name, facts=raw.facts)
            if kind is known["text"]:
                start = _plain(raw, options)
                if start is not None:
                    return _text(raw, source, start, base)
            return stream_part(open_stream(raw, options), base)


def _describe(
    scan: str, connection: duckdb.DuckDBPyConnection, names: Sequence[str] = ()
) -> Fields:
    """Return the columns of what DuckDB can read; ``names`` are their own where it renames them."""
    found = connection.sql(f"SELECT * FROM {scan} LIMIT 0")  # noqa: S608
    called = list(names or found.columns)
    described = zip(called, map(identifier, found.columns), found.types, strict=True)
    return Fields(called, (pair for each in described for pair in _nested(*each)))


def _nested(name: str, sql: str, kind: Any) -> Iterator[tuple[str, Field]]:
    """Yield a column and, where it is a struct, each of its parts."""
    yield name, Field(sql, str(kind))
    if getattr(kind, "id", "") == "struct":
        for part, inner in kind.children:
            yield from _nested(f"{name}.{part}", f"{sql}.{identifier(part)}", inner)


def _parquet(raw: Source, base: Database) -> Part:
    path = path_literal(base.path(raw))
    scan = f"read_parquet([{{paths}}], {NO_PARTITIONS})"
    with broken({path: raw.name}, base.connection):
        names = column_names(path, raw.name, base.connection)
        fields = _describe(_reading(scan, path), base.connection, names)
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
        scan = f"read_json([{path}], {options}, maximum_depth=1)"
        names = _describe(scan, base.connection).columns
    lower = {name.lower() for name in names}
    numbered = (name for name in names if _NUMBERED.search(name))
    # Where a name is empty DuckDB finds no columns at all, only json.
    if names == ["json"] or any(_NUMBERED.sub("", name).lower() in lower for name in numbered):
        return None
    kinds = ", ".join(f"{literal(name)}: 'VARCHAR'" for name in names)
    return Part(
        name=raw.name,
        fields=Fields(names, ((name, Field(identifier(name), "JSON")) for name in names)),
        scan=f"read_json([{{paths}}], {options}, columns={{{kinds}}})",
        path=path,
        facts=(*raw.facts, ("format", "JSON array" if array else "JSON lines")),
    )


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
    columns = ", ".join(f"'c{k}': 'VARCHAR'" for k in range(len(names)))
    options = (
        f"auto_detect=false, header=true, skip={start.skipped}, delim={literal(start.delimiter)}, "
        f"quote='\"', escape='\"', compression='{packed}', {NO_PARTITIONS}, "
        f"columns={{{columns}}}"
    )
    delimiter = NAMES.get(start.delimiter, repr(start.delimiter))
    return Part(
        name=raw.name,
        fields=Fields(names, ((name, Field(f"c{k}")) for k, name in enumerate(names))),
        scan=f"read_csv([{{paths}}], {options})",
        path=path,
        row=f"row_number() OVER () + {start.skipped + 1}",
        facts=(*raw.facts, ("format", "text, utf-8"), ("delimiter", delimiter)),
        notes=start.notes,
    )


def _readable(raw: Source, source: Any, base: Database) -> tuple[str, str]:
    packed = [kind for topic, kind in raw.facts if topic == "compression"]
    if packed == ["gzip"] and isinstance(source, os.PathLike) and Path(source).is_file():
        return path_literal(real(Path(source))), "gzip"
    return path_literal(base.path(raw)), "uncompressed"


def stream_part(stream: Stream, base: Database) -> Part:
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
    return Part(
        name=stream.source,
        fields=Fields(stream.columns, zip(stream.columns, map(Field, columns), strict=True)),
        scan=table,
        row=f'"{LINE}"',
        unit=stream.unit,
        facts=stream.facts,
        notes=stream.notes,
        library=stream.library,
    )


def frame_part(frame: Any, base: Database) -> Part:
    """Return a frame as a part, which DuckDB sees as it is where it knows the kind."""
    import duckdb

    library, kind = type(frame).__module__.partition(".")[0], type(frame).__name__
    seen = frame.collect() if kind == "LazyFrame" else frame
    columns = getattr(seen, "column_names", None) or getattr(seen, "columns", None)
    known = library in READ_AS_THEY_ARE
    if not known or columns is None or len({*map(str, columns)}) < len(columns):
        return stream_part(frames.open_frame(frame), base)  # it says what is wrong with columns
    try:
        base.connection.register(FRAME, seen)
        fields = _describe(FRAME, base.connection)
    except (duckdb.Error, ImportError):  # polars comes to DuckDB through pyarrow
        return stream_part(frames.open_frame(frame), base)
    facts = (("format", f"{library} {kind}"),)
    return Part(name=frames.SOURCE, fields=fields, scan=FRAME, facts=facts, library=library)


def columns_as_stream(columns: dict[str, Any]) -> Stream:
    """Return columns that were given one by one as a table."""
    lists = {
        name: list(values.tolist() if hasattr(values, "tolist") else values)
        for name, values in columns.items()
    }
    first, size = next((name, len(values)) for name, values in lists.items())
    for name, values in lists.items():
        if len(values) != size:
            raise UsageError(
                f"{name} has {len(values):,} values, {first} has {size:,}.",
                hint="give one value per battle in each column.",
            )
    block = Block(range(1, size + 1), [list(map(text_of, values)) for values in lists.values()])
    return Stream(source="the battles", columns=list(lists), blocks=iter([block] if size else []))


# ------------------------------------------------------------------------------
# The rows of all files as one query.

MOST_VALUES = 12
OUTCOMES = ("left", "right", "tie")


class Log:
    """The rows of a log that are kept.

    Their columns are ``l``, ``r`` and ``w`` for left, right and winner, where asked for ``x``
    (weight), ``g`` (cluster), ``k`` (category), ``t`` (order) and ``z0``, ``z1`` ... (covariates),
    and for columns of counts ``n_left``, ``n_right`` and ``n_tie`` instead of ``w``.
    """

    def __init__(
        self,
        base: Database,
        parts: Sequence[Part],
        roles: Roles,
        source: str,
        given: Mapping[str, Any],
    ) -> None:
        self.connection, self.parts, self.roles, self.source = base.connection, parts, roles, source
        self._relative = bool(given.get("relative"))
        for part in parts:
            self._require(part, roles.used)
        where = given.get("where") or ()
        self._where = [_conditions(where, part.fields, part.name) for part in parts]
        self.kept = ""  # the table of the rows that are left after repeats are dropped
        self.trim = False  # whether some name or outcome has blanks around it

    def _require(self, part: Part, names: Iterable[str]) -> None:
        first = self.parts[0]
        for name in names:
            if part.fields.columns.count(name) > 1:
                raise DataError(
                    f"{part.name}: two columns are called {quoted(name)}.",
                    hint="rename one of them.",
                )
            if part.fields.find(name) is not None:
                continue
            if part is first:
                raise UnknownNameError("column", name, part.fields.columns)
            raise DataError(
                f"{part.name} has no column {quoted(name)}, which {first.name} has.",
                hint=f"it has {listed(part.fields.columns)}; all files of a log need the columns "
                "that are used.",
            )

    def execute(self, sql: str) -> duckdb.DuckDBPyConnection:
        with broken({part.path: part.name for part in self.parts}, self.connection):
            return self.connection.execute(sql)

    def one(self, sql: str) -> tuple[Any, ...]:
        with broken({part.path: part.name for part in self.parts}, self.connection):
            row = self.connection.execute(sql).fetchone()
        assert row is not None
        return row

    def _selected(self, fields: Fields, *, trim: bool) -> dict[str, str]:
        roles = self.roles
        written = {
            alias: fields[column].text if trim else fields[column].raw
            for alias, column in (
                *(("l", roles.left), ("r", roles.right), ("w", roles.winner)),
                *(("g", roles.cluster), ("k", roles.category)),
            )
            if column is not None
        }
        found = dict(written)
        if roles.counts:
            for outcome, column in roles.counts.items():
                found[f"n_{outcome}"] = fields[column].number
        else:
            found["w"] = f"coalesce({written['w']}, '')" if roles.winner is not None else "'left'"
        if roles.weight is not None:
            found["x"] = fields[roles.weight].number
        if roles.order_by is not None:
            found["t"] = fields[roles.order_by].text
        for k, covariate in enumerate(roles.covariates):
            found[f"z{k}"] = self._difference(covariate, fields)
        return found

    def _difference(self, covariate: Covariate, fields: Fields) -> str:
        numbers = [f"({fields[column].number})" for column in covariate.columns]
        if len(numbers) == 1:
            return numbers[0]
        left, right = numbers
        if not self._relative:
            return f"({left} - {right})"
        known = f"{left} >= 0 AND {right} >= 0"
        share = f"({left} - {right}) / ({left} + {right})"
        return f"CASE WHEN {left} = 0 AND {right} = 0 THEN 0 WHEN {known} THEN {share} END"

    def _kept(self, k: int) -> str:
        tests = [_holds(condition, self.parts[k].fields) for condition in self._where[k]]
        return f" WHERE {' AND '.join(tests)}" if tests else ""

    def rows(self) -> str:
        if self.kept:
            return f"SELECT * FROM {self.kept}"  # noqa: S608
        selects = []
        alike = groupby(
            range(len(self.parts)),
            key=lambda k: (self.parts[k].scan, self.parts[k].fields.signature, self._kept(k)),
        )
        for _, places in alike:
            group = list(places)
            first = self.parts[group[0]]
            paths = ", ".join(self.parts[k].path for k in group)
            scan = _reading(first.scan, paths)
            columns = self._list(first, trim=self.trim)
            selects.append(f"SELECT {columns} FROM {scan}{self._kept(group[0])}")  # noqa: S608
        return " UNION ALL ".join(selects)

    def numbered(self) -> str:
        """Return the SQL of all rows with the number ``f`` of their file and ``n`` of the row."""
        if self.kept:
            return f"SELECT * FROM {self.kept}"  # noqa: S608
        return " UNION ALL ".join(self.of_part(k, trim=self.trim) for k in range(len(self.parts)))

    def of_part(self, k: int, more: Mapping[str, str] | None = None, *, trim: bool = True) -> str:
        """Return the SQL of the rows of one file with their numbers, and of more columns."""
        part = self.parts[k]
        beside = "".join(f", {sql} AS {alias}" for alias, sql in (more or {}).items())
        return (
            f"SELECT {k} AS f, {ROW} AS n, {self._list(part, trim=trim)}{beside} "  # noqa: S608
            f"FROM {part.rows}{self._kept(k)}"
        )

    def _list(self, part: Part, *, trim: bool) -> str:
        selected = self._selected(part.fields, trim=trim)
        return ", ".join(f"{sql} AS {alias}" for alias, sql in selected.items())

    def battles(self, rows: str) -> str:
        if not self.roles.counts:
            return rows
        counts = {outcome: f"n_{outcome}" for outcome in OUTCOMES if outcome in self.roles.counts}
        words = ", ".join(map(literal, counts))
        return (
            f"SELECT * FROM (SELECT *, unnest([{words}]) AS w, "  # noqa: S608
            f"CAST(unnest([{', '.join(counts.values())}]) AS BIGINT) AS c FROM ({rows})) "
            "WHERE c > 0"
        )

    def count(self, condition: str) -> int:
        return int(self.one(f"SELECT count(*) FROM ({self.rows()}) WHERE {condition}")[0])  # noqa: S608

    def first(self, condition: str) -> str:
        return self.first_cell(condition, self.roles.left)[0]

    def first_cell(self, condition: str, column: str) -> tuple[str, str]:
        """Return where the first row stands that meets a condition, and its cell in a column."""
        for k, part in enumerate(self.parts):
            rows = self.of_part(k, {"cell": part.fields[column].text})
            row = self.execute(
                f"SELECT n, cell FROM ({rows}) WHERE {condition} LIMIT 1"  # noqa: S608
            ).fetchone()
            if row is not None:
                return f"{part.name}: {part.unit} {row[0]:,}", row[1] or ""
        return self.source, ""

    def firsts(self, words: Sequence[str]) -> dict[str, str]:
        """Return where the first battle stands that has each of some outcomes."""
        found: dict[str, str] = {}
        for k, part in enumerate(self.parts):
            rest = [word for word in words if word not in found]
            if not rest or self.roles.counts:
                break
            alone = len(words) == 1
            columns, end = ("w, n", "LIMIT 1") if alone else ("w, min(n)", "GROUP BY w")
            rows = self.execute(
                f"SELECT {columns} FROM ({self.of_part(k, trim=self.trim)}) "  # noqa: S608
                f"WHERE w IN ({', '.join(map(literal, rest))}) {end}"
            ).fetchall()
            found |= {word: f"{part.name}: {part.unit} {row:,}" for word, row in rows}
        return found

    def nothing_left(self) -> DataError:
        asked = self._where[0]
        if not asked:
            return DataError(
                f"{self.source} has no battle.", hint="was the right file chosen? It has no row."
            )
        said = " and ".join(map(str, asked))
        text = self.parts[0].fields[asked[0].column].text
        scan = _reading(self.parts[0].scan, self.parts[0].path)
        values = self.execute(
            f"SELECT {text} AS v FROM {scan} GROUP BY v ORDER BY count(*) DESC, v "  # noqa: S608
            f"LIMIT {MOST_VALUES}"
        ).fetchall()
        known = listed((quoted(value or "") for (value,) in values), most=MOST_VALUES)
        return DataError(
            f"{self.source}: no battle has {said}.",
            hint=f"{quoted(asked[0].column)} has the values {known}.",
        )

    def repeats_dropped(self, keys: Sequence[str] | None) -> str:
        """Keep the first of the rows that are equal in some columns; return what to say of it.

        None stands for all columns. A row in which one of the named columns is empty repeats none.
        """
        named = keys if keys is not None else self.parts[0].fields.columns
        for part in self.parts:
            self._require(part, named)
        absent = f"concat('row ', {ROW}, E'\\t')" if keys is not None else "NULL"
        rows = " UNION ALL ".join(
            self.of_part(
                k,
                {
                    f"d{i}": f"coalesce({part.fields[column].text}, {absent})"
                    for i, column in enumerate(named)
                },
            )
            for k, part in enumerate(self.parts)
        )
        columns = self._selected(self.parts[0].fields, trim=False)
        whole = ", ".join(f"{column} := {column}" for column in ("f", "n", *columns))
        word = "w" if "w" in columns else "NULL"
        self.execute(
            "CREATE TEMP TABLE firsts AS SELECT "  # noqa: S608
            f"unnest(arg_min(struct_pack({whole}), (f, n))), count(*) AS copies, "
            f"min({word}) IS DISTINCT FROM max({word}) AS differ FROM ({rows}) GROUP BY "
            + ", ".join(f"d{i}" for i in range(len(named)))
        )
        self.kept = "firsts"
        more, groups, differ = self.one(
            "SELECT sum(copies - 1), count(*) FILTER (copies > 1), count(*) FILTER (differ) "
            "FROM firsts"
        )
        if not more:
            return ""
        told = f"{counted(int(more), 'repeated row')} dropped"
        if differ:
            told += (
                f"; {counted(differ, 'battle')} of {groups:,} with repeats "
                f"{'has' if differ == 1 else 'have'} different outcomes, of which the first counts"
            )
        return f"{told}."

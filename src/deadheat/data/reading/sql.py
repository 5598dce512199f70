"""Columns of a battle log as DuckDB reads them: the SQL of a name, a number, a condition."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from deadheat.core.errors import UsageError
from deadheat.data.reading.database import identifier, literal
from deadheat.data.reading.preview import Condition, Head, number_in
from deadheat.data.reading.source import Block, Stream, text_of

if TYPE_CHECKING:
    import duckdb


BLANKS = "E' \\t\\r\\n'"
FRACTIONAL = ("FLOAT", "DOUBLE", "DECIMAL")
EXACT = 2**53


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
        if self.kind.startswith(FRACTIONAL):
            number = f"CAST({self.sql} AS DOUBLE)"
            whole = f"{number} = trunc({number}) AND abs({number}) < {EXACT}"
            return (
                f"CASE WHEN isnan({number}) THEN NULL "
                f"WHEN {whole} THEN CAST(CAST({number} AS BIGINT) AS VARCHAR) "
                f"ELSE CAST({number} AS VARCHAR) END"
            )
        return f"CAST({self.sql} AS VARCHAR)"

    @cached_property
    def text(self) -> str:
        """The same, trimmed; NULL also where nothing is left. It costs more than to count."""
        return trimmed(self.raw)

    @cached_property
    def number(self) -> str:
        """The SQL of the cell as a number; NULL where it is none."""
        return f"TRY_CAST({self.sql} AS DOUBLE)"


class Fields:
    """The columns of one file by their names; parts of nested ones by dotted names."""

    def __init__(self, columns: Sequence[str], fields: Mapping[str, Field]) -> None:
        self.columns, self._fields = list(columns), dict(fields)

    @property
    def names(self) -> list[str]:
        """All names, those of nested parts too."""
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
        """Return a column that is known to be there."""
        field = self.find(name)
        assert field is not None
        return field

    @property
    def signature(self) -> tuple[object, ...]:
        """What two files must share to be read as one."""
        return tuple(self._fields.items())


def nested(name: str, sql: str, kind: Any) -> Iterable[tuple[str, Field]]:
    """Yield a column and, where it is a struct, each of its parts."""
    yield name, Field(sql, str(kind))
    if getattr(kind, "id", "") == "struct":
        for part, inner in kind.children:
            yield from nested(f"{name}.{part}", f"{sql}.{identifier(part)}", inner)


def conditions(where: Any, fields: Fields, source: str) -> list[Condition]:
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
    return Head(**vars(stream), where=where).keep.conditions


def holds(condition: Condition, fields: Fields) -> str:
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
    met = " OR ".join(tests)
    return f"NOT ({met})" if condition.negated else f"({met})"


# ------------------------------------------------------------------------------
# What DuckDB cannot read by itself, brought to it: frames, and tables as streams of blocks.

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
        return describe(name, connection)
    except (duckdb.Error, ImportError):  # polars comes to DuckDB through pyarrow
        return None


def describe(scan: str, connection: duckdb.DuckDBPyConnection, names: Sequence[str] = ()) -> Fields:
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


def columns_as_stream(columns: dict[str, Any]) -> Stream:
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

"""A battle log as DuckDB sees it: rows with one column for each role, from one file or many."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

from deadheat.data.battle_columns import Roles
from deadheat.data.battle_covariates import Covariate
from deadheat.data.battle_fields import Fields, conditions, holds
from deadheat.data.battle_files import ROW, Part, reading
from deadheat.data.database import literal
from deadheat.data.database_complaints import broken
from deadheat.errors import DataError, UnknownNameError, counted, listed, quoted

if TYPE_CHECKING:
    import duckdb

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
        connection: duckdb.DuckDBPyConnection,
        parts: Sequence[Part],
        roles: Roles,
        *,
        source: str,
        where: Any = (),
        relative: bool = False,
    ) -> None:
        self.connection, self.parts, self.roles, self.source = connection, parts, roles, source
        self._relative = relative
        for part in parts:
            self._require(part, roles.used)
        self._where = [conditions(where, part.fields, part.name) for part in parts]
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
        """Run a query; say in clear words what is wrong with a file."""
        with broken({part.path: part.name for part in self.parts}, self.connection):
            return self.connection.execute(sql)

    def one(self, sql: str) -> tuple[Any, ...]:
        """Return the only row of a query."""
        with broken({part.path: part.name for part in self.parts}, self.connection):
            row = self.connection.execute(sql).fetchone()
        assert row is not None
        return row

    @property
    def columns(self) -> list[str]:
        """The names of the columns that rows have."""
        return list(self._selected(self.parts[0].fields, trim=False))

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
        tests = [holds(condition, self.parts[k].fields) for condition in self._where[k]]
        return f" WHERE {' AND '.join(tests)}" if tests else ""

    def rows(self) -> str:
        """Return the SQL of all rows; files that are read alike are read as one."""
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
            scan = reading(first.scan, paths)
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
        """Return the SQL of rows with one outcome ``w`` each, ``c`` times where it is counted."""
        if not self.roles.counts:
            return rows
        counts = {outcome: f"n_{outcome}" for outcome in OUTCOMES if outcome in self.roles.counts}
        words = ", ".join(map(literal, counts))
        return (
            f"SELECT * FROM (SELECT *, unnest([{words}]) AS w, "  # noqa: S608
            f"CAST(unnest([{', '.join(counts.values())}]) AS BIGINT) AS c FROM ({rows})) "
            "WHERE c > 0"
        )

    def first(self, condition: str) -> str:
        """Return where the first row stands that meets a condition.

        DuckDB gives rows in the order of the file, and reads no further than the first.
        """
        for k, part in enumerate(self.parts):
            row = self.execute(
                f"SELECT n FROM ({self.of_part(k)}) WHERE {condition} LIMIT 1"  # noqa: S608
            ).fetchone()
            if row is not None:
                return f"{part.name}: {part.unit} {row[0]:,}"
        return self.source

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
        """Return the error for a log of which no row is kept, or that has none."""
        asked = self._where[0]
        if not asked:
            return DataError(
                f"{self.source} has no battle.", hint="was the right file chosen? It has no row."
            )
        said = " and ".join(
            f"{c.column}{'!=' if c.negated else '='}{listed(sorted(c.values), most=3)}"
            for c in asked
        )
        text = self.parts[0].fields[asked[0].column].text
        scan = reading(self.parts[0].scan, self.parts[0].path)
        values = self.execute(
            f"SELECT {text} AS v FROM {scan} GROUP BY v ORDER BY count(*) DESC, v "  # noqa: S608
            f"LIMIT {MOST_VALUES}"
        ).fetchall()
        known = listed((quoted(value or "") for (value,) in values), most=MOST_VALUES)
        return DataError(
            f"{self.source}: no battle has {said}.",
            hint=f"{quoted(asked[0].column)} has the values {known}.",
        )

    def repeats_dropped(self, columns: Sequence[str] | None) -> str:
        """Keep the first of the rows that are equal in some columns; return what to say of it.

        None stands for all columns. A row in which one of the named columns is empty repeats none.
        """
        named = columns if columns is not None else self.parts[0].fields.columns
        for part in self.parts:
            self._require(part, named)
        absent = f"concat('row ', {ROW}, E'\\t')" if columns is not None else "NULL"
        keys = {f"d{i}": column for i, column in enumerate(named)}
        rows = " UNION ALL ".join(
            self.of_part(
                k,
                {
                    alias: f"coalesce({part.fields[column].text}, {absent})"
                    for alias, column in keys.items()
                },
            )
            for k, part in enumerate(self.parts)
        )
        whole = ", ".join(f"{column} := {column}" for column in ("f", "n", *self.columns))
        word = "w" if "w" in self.columns else "NULL"
        self.execute(
            "CREATE TEMP TABLE firsts AS SELECT "  # noqa: S608
            f"unnest(arg_min(struct_pack({whole}), (f, n))), count(*) AS copies, "
            f"min({word}) IS DISTINCT FROM max({word}) AS differ FROM ({rows}) GROUP BY "
            + ", ".join(keys)
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

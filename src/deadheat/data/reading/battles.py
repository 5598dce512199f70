"""The collector of battles: the rows of a log become counted cells, by GROUP BY."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import prod
from pathlib import Path
from typing import Any

import numpy as np

from deadheat.core.errors import (
    DataError,
    UnknownNameError,
    UsageError,
    counted,
    listed,
    quoted,
    say,
)
from deadheat.core.types import Integers
from deadheat.data.battles import Battles
from deadheat.data.formats import frame as frames
from deadheat.data.formats import refuse_foreign
from deadheat.data.reading.battle_columns import roles_of
from deadheat.data.reading.battle_log import (
    Log,
    Part,
    columns_as_stream,
    files_of,
    frame_part,
    part_of,
    stream_part,
    trimmed,
)
from deadheat.data.reading.battle_outcomes import (
    BAD_WEIGHT,
    odd_names,
    one_way,
    own_outcomes,
    refuse_bad_counts,
    refuse_bad_covariates,
    refuse_bad_names,
    refuse_bad_weights,
    settled_outcomes,
    without_self_battles,
)
from deadheat.data.reading.database import Database, database
from deadheat.data.reading.options import Options, sidecar_of
from deadheat.data.reading.preview import look_alikes
from deadheat.data.reading.source import Stream, is_stream

# Rows of a battle log by their labels: numbered, put in order, grouped where most are alone.

LARGEST_KEY = 2**62


def number_labels(log: Log, alias: str, column: str) -> int:
    log.execute(
        f"CREATE TEMP TABLE labels_{alias} AS SELECT *, "  # noqa: S608
        f"CAST(dense_rank() OVER (ORDER BY label) - 1 AS INTEGER) AS {alias}c "
        f"FROM (SELECT {alias}, {trimmed(alias)} AS label FROM "
        f"(SELECT DISTINCT {alias} FROM ({log.rows()})))"
    )
    number, named, last = log.one(
        f"SELECT count(*), count(label), max({alias}c) FROM labels_{alias}"  # noqa: S608
    )
    if named < number:
        raise _no_label(log, alias, column)
    return int(last) + 1


def _no_label(log: Log, alias: str, column: str) -> DataError:
    absent = f"{trimmed(alias)} IS NULL"
    rows = counted(log.count(absent), "such row")
    return DataError(
        f"{log.first(absent)}: {quoted(column)} is empty ({rows}).",
        hint=f"fill the cells, or leave the rows out: {say('where', f'{column}!=')}.",
    )


def ordered_by(log: Log) -> str:
    column = log.roles.order_by
    assert column is not None
    kinds = ("DOUBLE", "TIMESTAMPTZ")
    readable = ", ".join(f"count(TRY_CAST(t AS {kind}))" for kind in kinds)
    total, present, *read = log.one(
        f"SELECT count(*), count(t), {readable} FROM ({log.rows()})"  # noqa: S608
    )
    if present < total:
        raise _no_label(log, "t", column)
    for kind, number in zip(kinds, read, strict=True):
        if number == total:
            return f"CAST(t AS {kind})"
    bad = f"TRY_CAST(t AS {kinds[int(read[1] >= read[0])]}) IS NULL"
    raise DataError(
        f"{log.first(bad)}: {quoted(column)} is neither a number nor a point of time.",
        hint="write all times as 2024-05-31 12:00:00, or all as numbers.",
    )


def group_rows(columns: dict[str, Any], keys: Sequence[str]) -> dict[str, Any]:
    """Return distinct rows with the sums of counts ``c`` and weights ``x``, in order of their keys.

    Both are 1 where there is no such column. Where most rows are alone, a sort is several times
    faster than a table of groups.
    """
    sortable: list[Any] = [-columns[key] if key == "o" else columns[key] for key in keys]
    packed, lows, sizes = _packed(sortable)
    if packed is not None and columns.keys() == {*keys}:
        rest, battles = np.unique(packed, return_counts=True)
        found = {}
        for key, low, size in zip(keys[::-1], lows[::-1], sizes[::-1], strict=True):
            rest, inside = np.divmod(rest, size)
            found[key] = (inside + low).astype(columns[key].dtype)
        return {**found, "o": -found["o"], "battles": battles, "weight": battles}
    sortable = sortable if packed is None else [packed]
    order = np.lexsort(sortable[::-1])
    new = np.arange(len(order)) == 0
    for column in sortable:  # one at a time: each is as long as the log
        ordered = column[order]
        new[1:] |= ordered[1:] != ordered[:-1]
    starts = np.flatnonzero(new)
    counts, weights = columns.get("c"), columns.get("x")
    if counts is None:
        battles = np.diff(starts, append=len(order))
    else:
        battles = np.add.reduceat(counts[order], starts)
        weights = None if weights is None else weights * counts
    return {
        **{key: columns[key][order[starts]] for key in keys},
        "battles": battles,
        "weight": battles if weights is None else np.add.reduceat(weights[order], starts),
    }


def _packed(columns: Sequence[Any]) -> tuple[Integers | None, list[int], list[int]]:
    """Return columns of integers as one that sorts like all of them, their minima and sizes.

    It is None where an integer holds no more than that, or there is nothing to hold.
    """
    if not len(columns[0]) or any(column.dtype.kind == "f" for column in columns):
        return None, [], []
    lows = [int(column.min()) for column in columns]
    sizes = [int(column.max()) - low + 1 for column, low in zip(columns, lows, strict=True)]
    if prod(sizes) > LARGEST_KEY:
        return None, [], []
    key = np.zeros(len(columns[0]), dtype=np.int64)
    for column, low, size in zip(columns, lows, sizes, strict=True):
        key *= size
        key += column
        key -= low
    return key, lows, sizes


# ------------------------------------------------------------------------------
# Cells: candidates, outcome, voter and category as numbers, counted by GROUP BY.

NAMES = 5  # of candidates in a note
FEW = 4  # rows for one cell, at least: so many that DuckDB counts them rather than numpy
SIDES = "SELECT DISTINCT unnest([l, r]) AS name FROM pairs ORDER BY name"


def battles_of(log: Log, own: dict[str, str], *, ordered: bool, self_policy: str) -> Battles:
    if log.roles.counts:
        refuse_bad_counts(log)
    _pair(log)
    refuse_bad_names(log)
    refuse_bad_weights(log)
    dropped = without_self_battles(log, self_policy)
    outcome, notes = settled_outcomes(log, own)
    names = [name for (name,) in log.execute(SIDES).fetchall()]
    log.execute(f"CREATE TYPE candidate AS ENUM ({SIDES})")
    coding = _Coding(log, outcome)
    columns = coding.in_order() if ordered else coding.counted()
    return _named(coding, columns, names, [dropped, odd_names(log), one_way(log), *notes])


def _pair(log: Log) -> None:
    """Count the battles of every pair with every outcome, and trim the names that are left."""
    bad = f"count(*) FILTER ({BAD_WEIGHT})" if log.roles.weight is not None else "0"
    log.execute(
        f"CREATE TEMP TABLE written AS SELECT l, r, w, {_battles(log)} AS battles, "  # noqa: S608
        f"{_weight(log)} AS weight, {bad} AS bad FROM ({log.battles(log.rows())}) "
        "GROUP BY l, r, w"
    )
    log.execute(
        "CREATE TEMP TABLE pairs AS SELECT a AS l, b AS r, o AS w, sum(battles) AS battles, "  # noqa: S608
        "sum(weight) AS weight, sum(bad) AS bad, max(l != a OR r != b OR w != o) AS blanks "
        f"FROM (SELECT *, {trimmed('l')} AS a, {trimmed('r')} AS b, "
        f"coalesce({trimmed('w')}, '') AS o FROM written) GROUP BY a, b, o"
    )
    rows, log.trim = log.one("SELECT count(*), coalesce(max(blanks), false) FROM pairs")
    if not rows:
        raise log.nothing_left()


def _battles(log: Log) -> str:
    return "CAST(sum(c) AS BIGINT)" if log.roles.counts else "count(*)"


def _weight(log: Log) -> str:
    if log.roles.weight is None:
        return _battles(log)
    exact = f"CASE WHEN NOT {BAD_WEIGHT} THEN CAST(x AS DECIMAL(38, 18)) END"
    return f"sum({exact} * c)" if log.roles.counts else f"sum({exact})"


class _Coding:
    """Rows with numbers in place of names: ``lc``, ``rc``, ``o``, ``gc``, ``kc``, ``z0``, ``x``."""

    def __init__(self, log: Log, outcome: str) -> None:
        self.log, self._outcome = log, outcome
        roles = log.roles
        self.covariates = [f"z{k}" for k in range(len(roles.covariates))]
        labels = (("g", roles.cluster), ("k", roles.category))
        self.labels = {alias: column for alias, column in labels if column is not None}
        self.keys = ["lc", "rc", "o", *(f"{alias}c" for alias in self.labels), *self.covariates]
        if roles.weight is not None:
            self.keys.append("x")  # battles of one cell weigh the same, and can be drawn again

    def _rows(self, rows: str, more: list[str], order: str = "") -> str:
        """Return the SQL of coded rows; a battle that is dropped or of one with itself is none."""
        sides = [
            f"CAST(enum_code(TRY_CAST({side} AS candidate)) AS INTEGER) AS {side}c"
            for side in ("l", "r")
        ]
        keys = ["CAST(x AS DOUBLE) AS x" if key == "x" else key for key in self.keys[2:]]
        joins = "".join(f" JOIN labels_{alias} USING ({alias})" for alias in self.labels)
        return (
            f"SELECT {', '.join([*sides, *keys, *more])} "  # noqa: S608
            f"FROM (SELECT *, {self._outcome} AS o FROM ({rows})){joins} "
            f"WHERE o IS NOT NULL AND l != r{order}"
        )

    def counted(self) -> dict[str, Any]:
        log = self.log
        if self.keys == ["lc", "rc", "o"]:
            rows = self._rows("SELECT * FROM pairs", ["battles", "weight"])
            return self._summed(rows, "CAST(sum(battles) AS BIGINT)", "sum(weight)")
        refuse_bad_covariates(log)
        sizes = [number_labels(log, alias, column) for alias, column in self.labels.items()]
        pairs, total = log.one("SELECT count(*), sum(battles) FROM pairs")
        rows = self._rows(log.battles(log.rows()), ["c"] * bool(log.roles.counts))
        if not self.covariates and FEW * pairs * prod(sizes) <= total:
            return self._summed(rows, _battles(log), _weight(log))
        return group_rows(log.execute(rows).fetchnumpy(), self.keys)

    def _summed(self, rows: str, battles: str, weight: str) -> dict[str, Any]:
        keys = ", ".join(self.keys)
        return self.log.execute(
            f"SELECT {keys}, {battles} AS battles, CAST({weight} AS DOUBLE) AS weight "  # noqa: S608
            f"FROM ({rows}) GROUP BY {keys} ORDER BY {keys.replace('o', 'o DESC', 1)}"
        ).fetchnumpy()

    def in_order(self) -> dict[str, Any]:
        log = self.log
        refuse_bad_covariates(log)
        for alias, column in self.labels.items():
            number_labels(log, alias, column)
        by = [ordered_by(log)] if log.roles.order_by is not None else []
        shuffled = bool(by or self.labels or log.kept)  # else the rows come as they stand
        order = f" ORDER BY {', '.join([*by, 'f', 'n'])}" if shuffled else ""
        rows = log.numbered() if shuffled else log.rows()
        columns: dict[str, Any] = log.execute(self._rows(rows, [], order)).fetchnumpy()
        ones = np.ones(len(columns["lc"]), dtype=np.int64)
        return {**columns, "battles": ones, "weight": columns.get("x", ones)}


def _named(coding: _Coding, columns: dict[str, Any], names: list[str], notes: list[str]) -> Battles:
    log = coding.log
    if not len(columns["lc"]):
        raise DataError(
            f"{log.source}: no battle is left.", hint="every outcome means drop; was that meant?"
        )
    beside = [columns[name] for name in coding.covariates]
    categories = "SELECT DISTINCT label, kc FROM labels_k ORDER BY kc"
    labels = log.execute(categories).fetchall() if "k" in coding.labels else []
    battles = Battles.from_cells(
        candidates=tuple(names),
        left=columns["lc"],
        right=columns["rc"],
        outcome=np.asarray(columns["o"], dtype=np.int8),
        battles=columns["battles"],
        weights=np.asarray(columns["weight"], dtype=np.float64),
        clusters=columns.get("gc"),
        categories=columns.get("kc"),
        category_names=tuple(label for label, _ in labels),
        covariates=np.column_stack(beside) if beside else None,
    ).without_absent()
    absent = sorted(set(names).difference(battles.candidates))
    if absent:
        has = "has" if len(absent) == 1 else "have"
        told = listed(map(quoted, absent), most=NAMES)
        notes = [*notes, f"{counted(len(absent), 'candidate')} {has} no battle left: {told}."]
    return battles.changed(notes=tuple(filter(None, notes)))


# ------------------------------------------------------------------------------
# Where the rows come from: files, standard input, a stream, a frame, or columns one by one.

POLICIES = ("error", "drop")
ABOUT_FILES = ("delimiter", "header", "encoding", "sheet")
MOST_FACTS = 5  # files that are named one by one


def collect_battles(source: Any, given: Mapping[str, Any]) -> Battles:
    """Read a log; ``given`` are the options of :func:`deadheat.read_battles`."""
    policy = given.get("self_battles", "error")
    if policy not in POLICIES:
        raise UnknownNameError("way to treat battles of a candidate with itself", policy, POLICIES)
    own = own_outcomes(given.get("outcomes"))
    files = _files(source)
    with database(files) as base:
        parts = _parts(source, files, given, base)
        name = f"the log of {len(parts):,} files" if parts[1:] else parts[0].name
        roles = roles_of(parts[0].fields.names, given, name)
        ordered = bool(given.get("ordered") or roles.order_by)
        if ordered and roles.counts:
            raise UsageError(
                "columns of counts have no order of battles.",
                hint="give a log with one battle per row, or take a model that needs no order: "
                f"{say('model', 'bradley-terry')}.",
            )
        log = Log(base, parts, roles, name, given)
        keys = given.get("deduplicate")
        keys = [keys] if isinstance(keys, str) else keys
        repeats = log.repeats_dropped(None if keys is True else [*map(str, keys)]) if keys else ""
        battles = battles_of(log, own, ordered=ordered, self_policy=policy)
    before = [f"{part.name}: {n}" if parts[1:] else n for part in parts for n in part.notes]
    alike = look_alikes(battles.candidates, "candidate")
    facts = [("files", f"{len(parts):,}: {listed((p.name for p in parts), most=MOST_FACTS)}")]
    facts = [*(facts if parts[1:] else ()), *(fact for part in parts for fact in part.facts)]
    return battles.changed(
        ordered=ordered,
        cluster_kind=roles.cluster or "",
        category_kind=roles.category or "",
        covariate_names=tuple(each.name for each in roles.covariates),
        source=name,
        reading=(*dict.fromkeys(facts), *roles.facts(parts[0].fields.columns)),
        notes=tuple(dict.fromkeys(filter(None, (*before, repeats, *battles.notes, *alike)))),
        library=parts[0].library,
    )


def collect_columns(columns: Mapping[str, Any], given: Mapping[str, Any]) -> Battles:
    """Return battles that were given column by column; the columns are called by their roles."""
    present = {name: values for name, values in columns.items() if values is not None}
    named = {name: name for name in present if name != "covariates"}
    return collect_battles(columns_as_stream(present), {**given, **named})


def _files(source: Any) -> list[Path]:
    """Return the files that a source means; none where it is a stream or a frame."""
    is_dash = isinstance(source, str) and source == "-"
    if isinstance(source, Stream) or is_stream(source) or is_dash:
        return []
    paths = source if isinstance(source, list | tuple) else [source]
    if not paths:
        raise UsageError("there is nothing to read: no file is named.", hint="name some files.")
    if not isinstance(paths[0], str | os.PathLike):
        return []
    files = [file for path in paths for file in files_of(path)]
    known: dict[Path, Path] = {}
    for file in files:
        first = known.setdefault(file.resolve(), file)
        if first is not file:
            as_well = "" if first == file else f", as {first} too"
            raise UsageError(
                f"{file} is named twice{as_well}: its battles would count twice.",
                hint="name every file once.",
            )
    return files


def _parts(
    source: Any, files: Sequence[Path], given: Mapping[str, Any], base: Database
) -> list[Part]:
    about: dict[str, Any] = {name: given.get(name) for name in ABOUT_FILES}
    options = Options(**about).checked()
    if isinstance(source, Stream):
        return [stream_part(source, base)]
    if files:
        return [_part(file, options, base, of=len(files)) for file in files]
    if is_stream(source) or isinstance(source, str):
        return [part_of(source, options, base)]
    refuse_foreign(options, frames.title, (), frames.SOURCE)
    return [frame_part(source, base)]


def _part(file: Path, options: Options, base: Database, *, of: int) -> Part:
    """Open a file; one of several is called by its whole path where something is wrong with it."""
    try:
        part = part_of(file, options, base)
    except DataError as error:
        if of == 1 or not error.fact.startswith(file.name):
            raise
        raise DataError(f"{file}{error.fact[len(file.name) :]}", hint=error.hint) from None
    sidecar = sidecar_of(file, None)
    if sidecar is None:
        return part
    told = f"{sidecar.name} beside it is not read: a sidecar is about a table of scores."
    return replace(part, notes=(*part.notes, told))

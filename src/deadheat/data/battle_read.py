"""Read a battle log: files, standard input, a stream or a frame, as counted cells."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from deadheat.data.battle_cells import Cells, cells_of
from deadheat.data.battle_columns import Roles, roles_of
from deadheat.data.battle_files import Part, files_of, part_of
from deadheat.data.battle_log import Log
from deadheat.data.battle_tables import LINE, frame_fields, given_columns, load_stream
from deadheat.data.battle_words import given_outcomes
from deadheat.data.database import Database, database
from deadheat.data.formats import frame as frames
from deadheat.data.formats import refuse_foreign
from deadheat.data.names import look_alikes
from deadheat.data.options import Options
from deadheat.data.sidecar import sidecar_of
from deadheat.data.source import is_stream
from deadheat.data.stream import Facts, Stream
from deadheat.errors import DataError, UnknownNameError, UsageError, counted, listed

FRAME = "frame"
POLICIES = ("error", "drop")
MOST_FACTS = 5  # files that are named one by one


@dataclass(frozen=True, kw_only=True)
class Gathered:
    """The cells of a log and what was understood of it."""

    cells: Cells
    roles: Roles
    source: str
    reading: Facts
    notes: tuple[str, ...]
    library: str = ""

    @property
    def fields(self) -> dict[str, Any]:
        """What a :class:`deadheat.data.battles.Battles` is made of."""
        return {field.name: getattr(self.cells, field.name) for field in fields(self.cells)} | {
            "cluster_kind": self.roles.cluster or "",
            "category_kind": self.roles.category or "",
            "covariate_names": tuple(each.name for each in self.roles.covariates),
            "source": self.source,
            "reading": self.reading,
            "notes": self.notes,
            "library": self.library,
        }


def gathered(source: Any, given: Mapping[str, Any]) -> Gathered:
    """Read a log; ``given`` are the options of :func:`deadheat.data.battles.read_battles`."""
    policy = given.get("self_battles", "error")
    if policy not in POLICIES:
        raise UnknownNameError("way to treat battles of a candidate with itself", policy, POLICIES)
    own = given_outcomes(given.get("outcomes"))
    files = _files(source)
    with database(files) as base:
        parts = _parts(source, files, _about_files(given), base)
        name = _name(parts)
        roles = roles_of(parts[0].fields.names, given, name)
        ordered = bool(given.get("ordered") or roles.order_by)
        if ordered and roles.counts:
            raise UsageError(
                "columns of counts have no order of battles.",
                hint="leave out ordered= and order_by= (--order-by), and take a model that needs "
                "no order (--model bradley-terry); or give a log with one battle per row.",
            )
        log = Log(
            base.connection,
            parts,
            roles,
            source=name,
            where=given.get("where") or (),
            relative=bool(given.get("relative")),
        )
        repeats = _without_repeats(log, given.get("deduplicate"))
        cells = cells_of(log, own, ordered=ordered, self_policy=policy)
    alike = look_alikes(cells.candidates, "candidate")
    return Gathered(
        cells=cells,
        roles=roles,
        source=name,
        reading=(*_facts(parts), *roles.facts(parts[0].fields.columns)),
        notes=tuple(dict.fromkeys(filter(None, (*_notes(parts), repeats, *cells.notes, *alike)))),
        library=parts[0].library,
    )


def _about_files(given: Mapping[str, Any]) -> Options:
    return Options(
        delimiter=given.get("delimiter"),
        encoding=given.get("encoding"),
        sheet=given.get("sheet"),
    ).checked()


def _files(source: Any) -> list[Path]:
    """Return the files that a source means; none where it is a stream or a frame."""
    if (
        isinstance(source, Stream)
        or is_stream(source)
        or (isinstance(source, str) and source == "-")
    ):
        return []
    paths = source if isinstance(source, list | tuple) else [source]
    if not paths:
        raise UsageError("there is nothing to read: no file is named.", hint="name some files.")
    if not isinstance(paths[0], str | os.PathLike):
        return []
    files = [file for path in paths for file in _expanded(path)]
    _refuse_twice(files)
    return files


def _parts(source: Any, files: Sequence[Path], options: Options, base: Database) -> list[Part]:
    if isinstance(source, Stream):
        return [_loaded(source, base)]
    if files:
        return [_part(file, options, base, of=len(files)) for file in files]
    if is_stream(source) or isinstance(source, str):
        return [part_of(source, options, base)]
    refuse_foreign(options, frames.title, (), frames.SOURCE)
    return [_frame(source, base)]


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


def _refuse_twice(files: Sequence[Path]) -> None:
    known: dict[Path, Path] = {}
    for file in files:
        first = known.setdefault(file.resolve(), file)
        if first is not file:
            as_well = "" if first == file else f", as {first} too"
            raise UsageError(
                f"{file} is named twice{as_well}: its battles would count twice.",
                hint="name every file once.",
            )


def _expanded(path: Any) -> list[Path]:
    if isinstance(path, str) and not path.strip():
        raise UsageError(
            "there is nothing to read: the path is empty.",
            hint="name a file, or - for standard input.",
        )
    return files_of(path)


def _frame(source: Any, base: Database) -> Part:
    library = type(source).__module__.partition(".")[0]
    fields = frame_fields(source, FRAME, base.connection)
    if fields is None:
        return _loaded(frames.open_frame(source), base)
    return Part(
        name=frames.SOURCE,
        fields=fields,
        scan=FRAME,
        row="row_number() OVER ()",
        facts=(("format", f"{library} {type(source).__name__}"),),
        library=library,
    )


def _loaded(stream: Stream, base: Database) -> Part:
    return Part(
        name=stream.source,
        fields=load_stream(stream, "loaded", base.connection),
        scan="loaded",
        row=f'"{LINE}"',
        unit=stream.unit,
        facts=stream.facts,
        notes=stream.notes,
        library=stream.library,
    )


def _name(parts: Sequence[Part]) -> str:
    if len(parts) == 1:
        return parts[0].name
    return f"the log of {counted(len(parts), 'file')}"


def _facts(parts: Sequence[Part]) -> Facts:
    files: Facts = ()
    if len(parts) > 1:
        names = listed((part.name for part in parts), most=MOST_FACTS)
        files = (("files", f"{len(parts):,}: {names}"),)
    return tuple(dict.fromkeys((*files, *(fact for part in parts for fact in part.facts))))


def _notes(parts: Sequence[Part]) -> list[str]:
    if len(parts) == 1:
        return list(parts[0].notes)
    return [f"{part.name}: {note}" for part in parts for note in part.notes]


def _without_repeats(log: Log, given: Any) -> str:
    if given is None or given is False or given == ():
        return ""
    if given is True:
        return log.repeats_dropped(None)
    columns = [given] if isinstance(given, str) else [str(column) for column in given]
    return log.repeats_dropped(columns)


def columns_gathered(columns: Mapping[str, Any], given: Mapping[str, Any]) -> Gathered:
    """Return battles that were given column by column; the columns are called by their roles."""
    present = {name: values for name, values in columns.items() if values is not None}
    named = {name: name for name in present if name != "covariates"}
    return gathered(given_columns(present), {**given, **named})

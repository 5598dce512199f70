"""Columns about candidates or judges that stand in another file, and names to show instead."""

from __future__ import annotations

import difflib
import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import mode
from typing import Any, TypeVar

from deadheat.core.errors import (
    DataError,
    UnknownNameError,
    UsageError,
    Words,
    command_with,
    counted,
    listed,
    quoted,
    say,
)
from deadheat.core.options import SEVERAL
from deadheat.core.weights import TRIFLE
from deadheat.data.battles import Battles
from deadheat.data.formats import open_stream
from deadheat.data.reading.column_names import matches
from deadheat.data.reading.options import ABOUT_JUDGES, REPLACED_BY, Options
from deadheat.data.reading.preview import Head, columns_asked, spelling
from deadheat.data.reading.source import Block, Stream, TextBlock, complaints, open_source
from deadheat.data.results import Results
from deadheat.data.runs import Runs


@dataclass(frozen=True, kw_only=True)
class SideTable:
    """Hold a small table as text, column by column."""

    name: str
    columns: dict[str, list[str]]

    @classmethod
    def of(cls, path: Any) -> SideTable:
        with ExitStack() as stack:
            raw = open_source(path, stack)
            with complaints(raw.name):
                head = Head.of(open_stream(raw, Options(), {}))
                cells: dict[str, list[str]] = {name: [] for name in head.columns}
                for block in head.rows():
                    for k, name in enumerate(head.columns):
                        cells[name] += map(head.name, block.text(k))
        return cls(name=raw.name, columns=cells)

    def by_key(
        self, keys: Sequence[str], wanted: Sequence[str]
    ) -> dict[tuple[str, ...], list[str]]:
        """Return the wanted cells of each key; refuse a key of which two things are said."""
        found: dict[tuple[str, ...], list[str]] = {}
        names = zip(*(self.columns[key] for key in keys), strict=True)
        cells = zip(*(self.columns[name] for name in wanted), strict=True)
        for key, told in zip(names, cells, strict=True):
            before = found.setdefault(key, [*told])
            if before != [*told]:
                two = listed(quoted(" ".join(each)) for each in (before, told))
                fact = f"{self.name} says two things of {_named(keys, key)}: {two}."
                raise DataError(fact, hint="keep one row of each.")
        return found


def _named(keys: Sequence[str], key: Sequence[str]) -> str:
    pairs = zip(keys, key, strict=True)
    return " and ".join(f"{name} {quoted(value)}" for name, value in pairs)


def join(stream: Stream, options: Options) -> tuple[Stream, Options]:
    """Return a table with the columns of other files that the options name, found by common ones.

    Where the other file is about the columns of a wide table, what it says of them becomes the
    strata, clusters and weights of these judges.
    """
    for path in options.join:
        side = SideTable.of(path)
        keys = [name for name in side.columns if name in stream.columns]
        about = [] if keys else [_names_of_columns(stream, side)]
        wanted = [name for name in _asked(options, side) if name not in stream.columns]
        if not wanted:
            known = list(dict.fromkeys((*stream.columns, *side.columns)))
            unknown = [name for _, name in options.named_columns if name not in known]
            if unknown and len(options.join) == 1:
                raise UnknownNameError("column", unknown[0], known)
            new = [name for name in side.columns if name not in (*stream.columns, *about)]
            fact = f"{side.name} brings {listed(new) or 'no new column'}, and nothing asks for it."
            others = tuple(each for each in options.join if each != path)
            ways = [*_uses(side, new, keys), f"without it: {command_with(join=others or None)}"]
            raise UsageError(fact, hint="\n".join(ways))
        if not keys:
            options = _about_columns(stream, options, side, about[0], wanted)
            continue
        blocks = _joined(stream, keys, side, wanted)
        stream = replace(stream, columns=[*stream.columns, *wanted], blocks=blocks, again=None)
        told = (side.name, f"{listed(wanted)}, by {listed(keys)}")
        stream = replace(stream, facts=(*stream.facts, told))
    for role in SEVERAL:
        stream, options = _with_columns_together(stream, options, role)
    return stream, options


BETWEEN = " / "  # the cells of columns that name something together


def _with_columns_together(stream: Stream, options: Options, role: str) -> tuple[Stream, Options]:
    """Return a table with one more column where several were said to name something together."""
    names = getattr(options, role)
    if isinstance(names, str):
        parts = tuple(names.split(","))
        if names not in stream.columns and parts[1:] and {*parts} <= {*stream.columns}:
            fact = f"{stream.source} has no column {quoted(names)}, but {listed(parts)}."
            raise UsageError(fact, hint=f"all of them: {command_with(**{role: parts})}")
    if not isinstance(names, tuple):
        return stream, options
    for name in (name for name in names if name not in stream.columns):
        raise UnknownNameError("column", name, stream.columns)
    whole = ", ".join(names)
    if whole not in options.together:
        blocks = _with_texts(stream.blocks, [list(stream.columns).index(name) for name in names])
        stream = replace(stream, columns=[*stream.columns, whole], blocks=blocks, again=None)
    changes: dict[str, Any] = {role: whole, "together": {**options.together, whole: names}}
    return stream, replace(options, **changes)


def _with_texts(blocks: Iterator[Block], places: Sequence[int]) -> Iterator[Block]:
    """Yield blocks with a column of the texts of others; it is empty where one of them is.

    A text that holds what stands between two is quoted: ("x / y", "z") is not ("x", "y / z").
    """

    def part(cell: str | None) -> str:
        text = (cell or "").strip()
        return f'"{text}"' if BETWEEN in text else text

    for block in blocks:
        texts = (map(part, block.text(k)) for k in places)
        cells = [BETWEEN.join(each) if all(each) else "" for each in zip(*texts, strict=True)]
        yield _wider(block, [cells])


def _wider(block: Block, columns: Sequence[list[str]]) -> Block:
    if isinstance(block, TextBlock):
        pairs = zip(block.rows, zip(*columns, strict=True), strict=True)
        return TextBlock(block.lines, [[*row, *more] for row, more in pairs])
    return Block(block.lines, [*block.columns, *columns])  # type: ignore[list-item]


def _asked(options: Options, side: SideTable) -> list[str]:
    roles = [name for _, name in options.named_columns]
    where = [options.where] if isinstance(options.where, str) else [*options.where]
    for each in where:
        roles += [column for column, _, _ in columns_asked(each)] if isinstance(each, str) else each
    return [name for name in dict.fromkeys(roles) if name in side.columns]


def _joined(
    stream: Stream, keys: Sequence[str], side: SideTable, wanted: Sequence[str]
) -> Iterator[Block]:
    known, places = side.by_key(keys, wanted), [list(stream.columns).index(key) for key in keys]
    for block in stream.blocks:
        texts = zip(
            *([(cell or "").strip() for cell in block.text(k)] for k in places), strict=True
        )
        more = []
        for line, key in zip(block.lines, texts, strict=True):
            if key not in known:
                place = f"{stream.source}: {stream.unit} {line:,}"
                fact = f"{place}: {side.name} has no row of {_named(keys, key)}."
                raise DataError(fact, hint=f"add such a row to {side.name}, or remove this one.")
            more.append(known[key])
        yield _wider(block, [[*each] for each in zip(*more, strict=True)])


MOST_USES = 2  # columns that are proposed


def _uses(side: SideTable, new: Sequence[str], keys: Sequence[str]) -> Iterator[str]:
    """Yield what columns with repeated values could be for: to keep rows, or to group judges."""
    groups = [name for name in new if 1 < len({*side.columns[name]}) < len(side.columns[name])]
    for name in groups[:MOST_USES]:
        if matches("candidate", keys):
            usual = mode(side.columns[name])
            rows = command_with(where=[f"{name}={usual}"])
            yield f"to keep the rows with {quoted(usual)}: {rows}"
            continue
        yield f"to draw inside each {quoted(name)}: {command_with(stratum=name)}"
        yield f"to draw all of one {quoted(name)} together: {command_with(cluster=name)}"


def _names_of_columns(stream: Stream, side: SideTable) -> str:
    """Return the column of another file that names columns of a wide table."""
    fits = {key: len({*cells} & {*stream.columns}) for key, cells in side.columns.items()}
    key = max(fits, key=fits.__getitem__)
    if fits[key]:
        return key
    fact = f"{side.name} has no column in common with {stream.source}."
    alike = [
        f"{quoted(theirs)} is {quoted(ours)} in {stream.source}"
        for theirs in side.columns
        for ours in stream.columns
        if theirs.casefold() == ours.casefold()
    ]
    why = f"those of {stream.source} are {listed(stream.columns, most=12)}; {side.name} has "
    why = f"{listed(alike)}." if alike else f"{why}{listed(side.columns, most=12)}."
    raise DataError(fact, hint=f"give the column that both have the same name: {why}")


def _about_columns(
    stream: Stream, options: Options, side: SideTable, key: str, wanted: Sequence[str]
) -> Options:
    judges = side.by_key([key], wanted)
    changes: dict[str, Any] = {}
    for role in (role for role in ABOUT_JUDGES if getattr(options, role) in wanted):
        at = wanted.index(getattr(options, role))
        pairs = ((judge, told[at]) for (judge,), told in judges.items() if judge in stream.columns)
        numbers = role == "weight"
        labels = {judge: float(value) if numbers else value for judge, value in pairs}
        changes |= {role: None, REPLACED_BY[role]: labels}
    return replace(options, **changes)


T = TypeVar("T", Results, Runs, Battles)


def rename(table: T, given: Any) -> T:
    """Return a table whose candidates and judges have other names.

    They come from a mapping, from texts ``OLD=NEW,OLD=NEW``, or from files with two columns.
    """
    names, said = dict[str, str](), say("rename")
    side: SideTable | None = None
    if isinstance(given, Mapping):
        names = {str(old): str(new) for old, new in given.items()}
        given = ()
    for each in [given] if isinstance(given, str | os.PathLike) else given:
        if "=" not in str(each) or Path(each).is_file():
            side = SideTable.of(each)
            names, said = names | _two_columns(side), side.name
        else:
            pairs = str(each).split(",")
            pairs = pairs if all("=" in pair for pair in pairs) else [str(each)]
            names |= {old: new for old, _, new in (pair.partition("=") for pair in pairs)}
    kinds = (kind for kind in ("candidates", "judges", "instances") if hasattr(table, kind))
    known = {kind: getattr(table, kind) or () for kind in kinds}
    strangers = [name for name in names if not any(name in each for each in known.values())]
    notes: tuple[str, ...] = table.notes
    if side and len(strangers) < len(names):  # a file may be about other tables, too
        are = f"{counted(len(strangers), 'name')} of {said} {'are' if strangers[1:] else 'is'}"
        note = Words(f"{are} not in the table: {listed(strangers, most=5)}.", weight=TRIFLE)
        notes = (*notes, note) if strangers else notes
        strangers = []
    for name in strangers[:1]:
        fact = f"{said} renames {quoted(name)}, and {table.source} has no such name."
        everybody = [str(each) for names_of in known.values() for each in names_of]
        near = difflib.get_close_matches(name, everybody, n=1)
        hint = f"it has {listed(table.candidates, most=12)}."
        if near and not side:
            told = {near[0] if old == name else old: new for old, new in names.items()}
            new_names = ",".join(map("=".join, told.items()))
            hint = f"if {quoted(near[0])} was meant: {command_with(rename=new_names)}"
        raise DataError(fact, hint=hint)
    shown = {kind: tuple(names.get(name, name) for name in each) for kind, each in known.items()}
    _refuse_equal(shown, known, said, one=_alike_in(table))
    table = table.changed(notes=notes)
    if isinstance(table, Battles):
        return table.called(shown["candidates"])
    changes: dict[str, Any] = {kind: each or None for kind, each in shown.items()}
    if official := getattr(table, "official", None):
        changes["official"] = {names.get(name, name): rank for name, rank in official.items()}
    return table.changed(**changes)


def _alike_in(table: object) -> Callable[[str], str]:
    """Return by what names are told apart that may become equal: those of a log were one before."""
    return spelling if isinstance(table, Battles) else str


def _refuse_equal(
    shown: Mapping[str, Sequence[str]],
    known: Mapping[str, Sequence[str]],
    said: str,
    *,
    one: Callable[[str], str],
) -> None:
    for kind, names in shown.items():
        pairs = {(name, one(old)) for name, old in zip(names, known[kind], strict=True)}
        for name, times in Counter(name for name, _ in pairs).items():
            if times > 1:
                fact = f"{said} gives two {kind} the name {quoted(name)}."
                raise DataError(fact, hint="every one needs a name of its own.")


def _two_columns(side: SideTable) -> dict[str, str]:
    if len(side.columns) != 2:
        fact = f"{side.name} has {counted(len(side.columns), 'column')}: {listed(side.columns)}."
        raise DataError(fact, hint="it needs two: a name as it stands, and the one to show.")
    old, new = side.columns
    return {key: shown for (key,), (shown,) in side.by_key([old], [new]).items()}

"""The official order of a competition, to compare a verdict with."""

from __future__ import annotations

import csv
import io
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path, PurePath
from typing import Any, NamedTuple

import numpy as np

from deadheat.core.errors import (
    DataError,
    UsageError,
    Words,
    command_with,
    counted,
    listed,
    quoted,
)
from deadheat.core.files import reads
from deadheat.core.types import Floats
from deadheat.core.weights import CAUTION, LITTLE
from deadheat.data.reading.column_names import matches, plain
from deadheat.data.reading.source import PACKED
from deadheat.data.results import Results
from deadheat.ranking.ranks import ranks

TRACKS = frozenset({"track", "table"})
RANKS = frozenset({"rank", "place", "position", "officialrank", "officialplace"})


class Official(NamedTuple):
    """Hold the official rank of each candidate, NaN where it has none, and who else has one."""

    ranks: Floats
    strangers: tuple[str, ...]

    def notes(self, candidates: Sequence[str], what: str) -> Iterator[Words]:
        """Yield whom the order lacks, and what follows, and whom it names in vain."""
        missing = [candidates[i] for i in np.flatnonzero(np.isnan(self.ranks)).tolist()]
        if missing:
            number = f"{len(missing):,} of {len(candidates):,} candidates"
            who = listed(missing, most=5)
            yield Words(f"the official order lacks {number}: {who}; {what}.", weight=CAUTION)
        if self.strangers:
            others = counted(len(self.strangers), "name")
            are = "is" if len(self.strangers) == 1 else "are"
            said = f"{others} of the official order {are} not in the table and left out"
            yield Words(f"{said}: {listed(self.strangers, most=5)}.", weight=LITTLE)


def official_ranks(
    given: Any, candidates: Sequence[str], *, track: str = "", elsewhere: Collection[str] = ()
) -> Official:
    """Return the official rank of each candidate, and who else has one.

    From a mapping of names to ranks, the names in their order (best first), or a file: a CSV with
    the columns candidate and rank (without the latter in order), or one name a line. Of a CSV with
    a column of tracks, the rows of this ``track``, unless it has but one and there are no other
    tables; candidates of other tables are passed over.
    """
    known, seen = dict.fromkeys(candidates, np.nan), dict[str, str]()
    strangers: list[str] = []
    for name, rank, place in _pairs(given, candidates, track, alone=not elsewhere):
        if name not in known:
            strangers += [] if name in elsewhere else [name]
            continue
        if name in seen:
            fact = f"the official order names {quoted(name)} twice: {seen[name]} and {place}."
            raise DataError(fact, hint=f"leave out the one at {place}.")
        known[name], seen[name] = _rank(rank, name, place), place
    places = np.array(list(known.values()))
    if np.isnan(places).all():
        raise DataError(
            f"the official order names none of the candidates{f' of {track}' if track else ''}.",
            hint=f"its names should be {listed(candidates, most=5)}.\n{_without()}",
        )
    return Official(places, tuple(strangers))


NONE = "none"  # said of a table whose source states an order


def official_of(given: Any, results: Results) -> Official | None:
    """Return the official order that was given, else the one that the source of a table states."""
    if isinstance(given, str) and given == NONE:
        return None
    if given is not None:
        return official_ranks(given, results.candidates, track=results.source)
    stated = results.official or {}
    known = {name: stated[name] for name in results.candidates if name in stated}
    return official_ranks(known, results.candidates) if known else None


def official_of_tables(given: Any, tables: Sequence[Results]) -> list[Any]:
    """Return the official ranks of each of several tables, as mappings; None where none are given.

    One order is for all tables. A file with a column track, or table, has an order for each.
    """
    if given is None or (isinstance(given, str) and given == NONE):
        return [given] * len(tables)
    everybody = {name for each in tables for name in each.candidates}
    found: list[Any] = []
    for each in tables:
        known = official_ranks(given, each.candidates, track=each.source, elsewhere=everybody)
        pairs = zip(each.candidates, known.ranks.tolist(), strict=True)
        found.append({name: place for name, place in pairs if not np.isnan(place)})
    return found


def top(official: Floats, k: int) -> list[int]:
    """Return the candidates with an official place of at most k, all who share the last one."""
    places = ranks(-official, convention="min")
    return [int(i) for i in np.flatnonzero(places <= k)]


def official_winners(official: Floats) -> list[int]:
    """Return who won officially, all who share that; nobody where the first place is not known."""
    known = official[np.isfinite(official)]
    if not len(known):
        return []
    first = top(official, 1)
    shared = (1 + len(first)) / 2  # the mean of the places that they share
    return first if len(known) == len(official) or known.min() <= shared else []


def _without() -> str:
    return f"without an official order: {command_with(official=None)}"


Ranked = tuple[str, object, str]  # a name, its rank, and where that is said


def _pairs(given: Any, known: Sequence[str], track: str, *, alone: bool) -> list[Ranked]:
    if isinstance(given, str | Path):
        return _from_file(Path(given), known, track, alone=alone)
    if isinstance(given, Mapping):
        return [(str(name), rank, f"rank {rank}") for name, rank in given.items()]
    if isinstance(given, Iterable):
        return [(str(name), k, f"place {k:,}") for k, name in enumerate(given, start=1)]
    raise UsageError(
        f"the official order is of type {type(given).__name__}.",
        hint="give names best first, a mapping to ranks, or a CSV file.",
    )


def _rank(rank: object, name: str, place: str) -> float:
    with suppress(ValueError):
        number = float(str(rank).strip().rstrip("."))
        if number >= 1:
            return number
    hint = f"write a number from 1, the best, at {place}."
    raise DataError(f"the official rank of {quoted(name)} is {rank!r}.", hint=hint)


def _bare(file: str) -> str:
    path = PurePath(file)
    return PurePath(path.stem).stem if path.suffix in PACKED else path.stem


def _from_file(path: Path, known: Sequence[str], track: str, *, alone: bool) -> list[Ranked]:
    reads(path, "the official order")
    try:
        content = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise UsageError(
            f"cannot read the official order {path}: {why}.",
            hint=f"give a CSV file with a column of candidates and one of ranks.\n{_without()}",
        ) from None
    head = content.partition("\n")[0]
    reader = csv.reader(io.StringIO(content), delimiter=max(",;\t", key=head.count))
    rows = [(row, f"line {reader.line_num:,}") for row in reader if any(row)]
    if not rows:
        raise DataError(f"the official order {path} is empty.", hint=_without())
    names = [name.strip() for name in rows[0][0]]
    if len(names) == 1 and names[0] in known:  # a plain list, best first
        return [(row[0].strip(), k, line) for k, (row, line) in enumerate(rows, start=1)]
    candidate = matches("candidate", names)
    rank = [k for k, name in enumerate(names) if plain(name) in RANKS]
    if not candidate:
        raise UsageError(
            f"{path}: which column names the candidates? The first line is {quoted(head.strip())}.",
            hint="write candidate,rank in line 1; or one name a line, best first.\n" + _without(),
        )
    cells = [(row + [""] * len(names), line) for row, line in rows[1:]]
    for k in (k for k, name in enumerate(names) if track and plain(name) in TRACKS):
        every = list(dict.fromkeys(row[k].strip() for row, _ in cells))
        if alone and len(every) == 1:
            continue
        wanted = track if track in every else _bare(track)
        cells = [each for each in cells if each[0][k].strip() == wanted]
        if not cells:
            fact = f"{path}: no row has {quoted(track)} in its column {quoted(names[k])}."
            there = f"there are {listed(every, most=5)}: rename the table so."
            raise DataError(fact, hint=f"{there}\n{_without()}")
    return [
        (row[candidate[0]].strip(), row[rank[0]] if rank else place, line)
        for place, (row, line) in enumerate(cells, start=1)
    ]

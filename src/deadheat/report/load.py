"""Saved results: their JSON is read, checked, and shown again."""

from __future__ import annotations

import importlib
import json
import os
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property
from itertools import takewhile
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from deadheat.axioms.result import without_tables
from deadheat.core.errors import (
    DataError,
    DeadheatError,
    UnknownNameError,
    UsageError,
    listed,
    quoted,
    visible,
)
from deadheat.core.files import reads
from deadheat.core.memory import readable, require
from deadheat.core.types import Cell, Floats, Row
from deadheat.core.version import __version__
from deadheat.output.result import Result
from deadheat.output.schema import Schema, Whole, keys_of, told, under
from deadheat.output.table import Column, Grid, bar
from deadheat.output.text import cut, number
from deadheat.rate.across_data_sets import AcrossDataSets, across_data_sets
from deadheat.rate.scale import RatingScale, rating_scale
from deadheat.report.schema import schemas
from deadheat.statistics.embedding import RatingMatrix, rating_matrix
from deadheat.verdict.claims import Reading, Standing, digits_of

__all__ = [
    "Saved",
    "SavedAxioms",
    "SavedCriteria",
    "SavedRatingParts",
    "SavedRatings",
    "SavedVerdict",
    "load",
    "saved_at",
]


NAME = re.compile(r"(deadheat\.[a-z-]+)/([1-9][0-9]{0,5})")
LARGEST, MOST_DIGITS = 1e300, 300  # the difference of two such numbers is still one
DEEPEST = 40
PER_BYTE = 10  # of memory, for a byte of a document
LONGEST_VERSION = 24
MAKE = "write one with --json, or with the to_json() of a result."
AGAIN = "make the result again, with --json or to_json()."


def _read(source: object) -> tuple[str, str]:
    """Return where a document comes from, in words, and its text."""
    if isinstance(source, str) and (source.lstrip("\ufeff \t\r\n")[:1] in ("{", "[", "")):
        return "the text", source.removeprefix("\ufeff")
    where, content = "the text", source
    if isinstance(source, str | os.PathLike):
        path = Path(source)
        reads(path, "the saved result")
        size = path.stat().st_size if path.is_file() else 0
        require(size * PER_BYTE, f"{path.name} has {readable(size)}")
        try:
            where, content = path.name, path.read_bytes()
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else str(error)
            raise DataError(
                f"cannot read {quoted(path)}: {reason or error}.",
                hint="name a file that --json wrote.",
            ) from None
    if not isinstance(content, bytes):
        raise UsageError(
            f"a {type(source).__name__} is no saved result.", hint="give a path, or the JSON text."
        )
    try:
        return where, content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DataError(
            f"{where} is no text in UTF-8: byte {error.start + 1} is wrong.", hint=MAKE
        ) from None


def _checked(where: str, text: str) -> dict[str, Any]:
    """Return the document that a text has, where that is what its schema describes."""
    document = _parsed(where, text)
    wrong = _schema(where, document).fault(document)
    if wrong is not None:
        raise DataError(f"{where}: {wrong}.", hint=_remedy(document, missing=wrong.missing))
    foreign = [quoted(name) for name in document if name not in keys_of(Whole)]
    if foreign:
        raise DataError(f"{where}: {listed(foreign)}: no key of a result.", hint="leave it out.")
    return dict(document)


def _parsed(where: str, text: str) -> Any:
    """Return the JSON of a text; refuse also what JSON allows and no result has."""
    try:
        document = json.loads(
            text,
            parse_constant=_refuse_constant,
            parse_float=_float,
            parse_int=_int,
            object_pairs_hook=_object,
        )
        _require_shallow(document)
    except RecursionError:
        raise DataError(f"{where} is nested too deeply for a saved result.", hint=MAKE) from None
    except _RefusedError as error:
        raise DataError(f"{where}: {error}.", hint=MAKE) from None
    except ValueError as error:
        cut_short = text.lstrip().startswith("{") and not text.rstrip().endswith("}")
        hint = f"it ends in the middle: was it cut short? {MAKE}" if cut_short else MAKE
        raise DataError(f"{where} is no JSON: {error}.", hint=hint) from None
    return document


class _RefusedError(Exception):
    """What JSON allows and no result has."""


def _refuse_constant(name: str) -> Any:
    raise _RefusedError(f"{name} is no number of JSON")


def _float(text: str) -> float:
    value = float(text)
    if abs(value) > LARGEST:
        raise _RefusedError(f"{text:.40} is too large a number")
    return value


def _int(text: str) -> int:
    if len(text) > MOST_DIGITS:
        raise _RefusedError(f"{text:.40}... is too large a number")
    return int(text)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        (twice, _), *_ = Counter(name for name, _ in pairs).most_common(1)
        raise _RefusedError(f"the key {quoted(twice)} stands twice in one object")
    return found


def _require_shallow(document: Any) -> None:
    """Refuse what is nested deeper than any result: walking through it would not end well."""
    level: list[Any] = [[document]]
    for _ in range(DEEPEST + 1):
        inside = (each.values() if isinstance(each, dict) else each for each in level)
        level = [item for items in inside for item in items if isinstance(item, dict | list)]
        if not level:
            return
    raise RecursionError


def _schema(where: str, document: Any) -> Schema:
    """Return the schema that a document names."""
    name = document.get("schema") if isinstance(document, dict) else None
    found = NAME.fullmatch(name) if isinstance(name, str) else None
    if found is None:
        said = f": its schema is {quoted(name)}" if name is not None else ": it names no schema"
        raise DataError(f"{where} was not written by deadheat{said}.", hint=MAKE)
    name, kind, version = found[0], found[1], int(found[2])
    known = schemas()
    if name in known:
        return known[name]
    if f"{kind}/1" in known and version > 1:
        raise DataError(
            f"{where} has the schema {name}, and this deadheat knows {kind}/1.",
            hint="a newer deadheat wrote it: upgrade, or make the result again.",
        )
    raise DataError(
        f"{where} has the unknown schema {quoted(name)}.", hint=f"known: {', '.join(known)}."
    )


def _remedy(document: dict[str, Any], *, missing: bool = False) -> str:
    """Return the next step where a document is not as this version writes it."""
    made = document.get("made")
    version = made.get("version") if isinstance(made, dict) else None
    if isinstance(version, str) and version != __version__:
        writer = cut(visible(version), LONGEST_VERSION)
        return f"deadheat {writer} wrote it, and this is {__version__}: {AGAIN}"
    return f"perhaps another version of deadheat wrote it: {AGAIN}" if missing else MAKE


# ------------------------------------------------------------------------------
# What every saved result has: rows, facts and words, and nothing to compute more with.

LARGEST_INTEGER = 2**63 - 1  # what a column of integers holds


@dataclass(frozen=True, eq=False, kw_only=True)
class Saved(Result):
    """Hold what the JSON of a result says: its rows and facts, and nothing to compute more with."""

    schema: ClassVar[str] = ""
    written_as: str
    records: tuple[Row, ...]
    whole: Mapping[str, Any]
    words: tuple[str, ...]

    def __post_init__(self) -> None:
        """Take the schema of what was saved."""
        object.__setattr__(self, "schema", self.written_as)

    def rows(self) -> list[Row]:
        """Return the rows that were saved."""
        return [dict(record) for record in self.records]

    def facts(self) -> dict[str, Any]:
        """Return the facts that were saved."""
        return dict(self.whole)

    def grid(self) -> Grid:
        """Return one column per key of the rows; those that name a row are keys."""
        grid = super().grid()
        names = schemas()[self.written_as].names
        first = len(tuple(takewhile(lambda column: column.name in names, grid.columns)))
        columns = (replace(column, key=j < first) for j, column in enumerate(grid.columns))
        return replace(grid, columns=tuple(columns))

    @property
    def sentences(self) -> tuple[str, ...]:
        """What the result said."""
        return self.words

    def faults(self) -> Iterator[str]:
        """Yield where parts of the right types contradict each other, or fit no table."""
        for k, record in enumerate(self.records):
            for name, value in record.items():
                if type(value) is int and not -LARGEST_INTEGER <= value <= LARGEST_INTEGER:
                    yield f"{under(f'rows[{k}]', name)} is {told(value)}, too large a number"

    def plot(self, kind: str | None = None, *, width: str | int = "page") -> Any:
        """Return a picture of what was saved; without a ``kind`` the one that suits best.

        Pictures that need more than the JSON has are drawn of the table again.
        """
        registry = importlib.import_module("deadheat.report.picture")  # a layer above this one
        suited = list(registry.kinds(type(self)))
        wanted = None if kind is None else registry.kind_named(kind).name
        if not suited or (wanted is not None and wanted not in suited):
            there = f"; of this JSON there are {listed(suited)}" if suited else ""
            raise UsageError(
                f"{wanted or 'a picture'} needs the data, and {self.written_as} has only results.",
                hint=f"draw it of the table: deadheat plot FILE {wanted or 'KIND'}{there}.",
            )
        return super().plot(kind, width=width)


@dataclass(frozen=True, eq=False, kw_only=True)
class SavedGroups(Saved):
    """Hold a saved result that puts candidates into tie groups: a verdict, or ratings."""

    @property
    def candidates(self) -> tuple[str, ...]:
        """The names of the candidates, in the order of the rows."""
        return tuple(dict.fromkeys(record["candidate"] for record in self.records))

    @property
    def groups(self) -> tuple[tuple[str, ...], ...]:
        """The tie groups by name, best first."""
        return tuple(tuple(group) for group in self.whole.get("members", ()))

    @property
    def alpha(self) -> float:
        """The level of tests and intervals."""
        return float(self.made["alpha"])

    def faults(self) -> Iterator[str]:
        """Yield where rows and tie groups contradict each other."""
        yield from super().faults()
        if not self.records:
            yield "rows is empty"
        seen = set()
        for k, record in enumerate(self.records):
            if self.place(record) in seen:
                yield f"rows[{k}].candidate is {told(record['candidate'])} for a second time"
            seen.add(self.place(record))
        if "members" in self.whole:
            by_rows = [(record["candidate"], record["group"]) for record in self.records]
            by_facts = [(name, k) for k, group in enumerate(self.groups, 1) for name in group]
            if sorted(by_rows) != sorted(by_facts):
                yield "facts.members are not the groups of the rows"

    def turned(self, low: str, high: str) -> Iterator[str]:
        """Yield where the lower end of an interval is above the upper one."""
        for k, record in enumerate(self.records):
            ends = record[low], record[high]
            if None not in ends and ends[0] > ends[1]:
                yield f"rows[{k}].{low} is {told(ends[0])}, above {high}, {told(ends[1])}"

    def place(self, record: Row) -> tuple[str, ...]:
        """Return what tells a row from all others."""
        return (record["candidate"],)

    def record(self, candidate: str) -> Row:
        """Return the first row of a candidate."""
        for found in self.records:
            if found["candidate"] == candidate:
                return dict(found)
        raise UnknownNameError("candidate", str(candidate), self.candidates)


# ------------------------------------------------------------------------------
# Criteria that were saved as JSON.


@dataclass(frozen=True, eq=False, kw_only=True)
class SavedCriteria(Saved):
    """Hold saved criteria: what was measured of each function, and which of them rank alike."""

    def faults(self) -> Iterator[str]:
        """Yield where rows and correlations are not about the same functions."""
        yield from super().faults()
        names, found = {*self.names[:-1]}, self.whole["correlations"]
        if not names:
            yield "rows has no ranking function"
        elif names != {*found} or any(names != {*row} for row in found.values()):
            yield "facts.correlations are not those of the functions of the rows"
        elif (np.abs(self.matrix) > 1 + 1e-9).any():
            yield "facts.correlations has a number beyond 1"

    @property
    def names(self) -> tuple[str, ...]:
        """The functions by name, then the baseline."""
        return tuple(record["function"] for record in self.records)

    @property
    def correlation(self) -> str:
        """How rankings were compared: spearman or kendall."""
        return str(self.made["correlation"])

    @property
    def matrix(self) -> Floats:
        """The correlations between the rankings of the functions; NaN where undefined."""
        names, found = self.names[:-1], self.whole["correlations"]
        return np.array([[found[a][b] for b in names] for a in names], dtype=np.float64)


# ------------------------------------------------------------------------------
# Ratings that were saved as JSON: of one tournament, or of several.

PARTS = ("tournament", "category")


@dataclass(frozen=True, eq=False, kw_only=True)
class SavedRatings(SavedGroups):
    """Hold saved ratings; the chances of pairs are in the table ``pairs`` of the ratings."""

    def faults(self) -> Iterator[str]:
        """Yield where rows, tie groups and the scale contradict each other."""
        yield from super().faults()
        yield from self.turned("low", "high")
        yield from self.turned("rank_low", "rank_high")
        best = self.whole.get("leader_corrected")
        if best is not None and best["candidate"] not in self.candidates:
            yield f"facts.leader_corrected has {told(best['candidate'])}, who is in no row"
        if best is not None and not best["low"] <= best["rating"] <= best["high"]:
            yield "facts.leader_corrected has a rating outside its interval"
        try:
            _ = self.scale
        except DeadheatError as error:
            yield f"made has no scale of ratings: {error.fact.removesuffix('.')}"

    @property
    def scale(self) -> RatingScale:
        """How ratings are shown, as far as the shown ones tell."""
        made = self.made
        return rating_scale(
            made["scale"], np.empty(0), (), base=float(made["base"]), width=float(made["width"])
        )

    def row(self, candidate: str) -> Row:
        """Return what the ratings say about one candidate."""
        return self.record(candidate)


@dataclass(frozen=True, eq=False, kw_only=True)
class SavedRatingParts(SavedRatings):
    """Hold saved ratings of several tournaments, or categories."""

    def faults(self) -> Iterator[str]:
        """Yield where rows do not say whose they are, or tournaments how much they count."""
        if self.kind not in PARTS:
            yield f"facts.kind is {told(self.kind)}, neither tournament nor category"
            return
        absent = [k for k, record in enumerate(self.records) if self.kind not in record]
        if absent:
            yield f"rows[{absent[0]}].{self.kind} is missing"
            return
        yield from super().faults()
        if {*self.parts} != {*self.whole.get("tournaments", ())}:
            yield f"facts.tournaments does not have every {self.kind} of the rows and no other"
        elif min(self.weights) < 0 or not sum(self.weights):
            yield "facts.tournaments has a weight below 0, or none above it"

    @property
    def kind(self) -> str:
        """What a part is: a tournament (a data set), or a category."""
        return str(self.whole["kind"])

    @property
    def noun(self) -> str:
        """What a part is called in a sentence."""
        return "category" if self.kind == "category" else "data set"

    @cached_property
    def parts(self) -> dict[str, dict[str, float]]:
        """The rating of each candidate, by part."""
        found: dict[str, dict[str, float]] = {}
        for record in self.records:
            found.setdefault(record[self.kind], {})[record["candidate"]] = record["rating"]
        return found

    @property
    def weights(self) -> list[float]:
        """How much each part counts in means over them."""
        return [self.whole["tournaments"][name]["weight"] for name in self.parts]

    @cached_property
    def shown(self) -> AcrossDataSets | None:
        """The mean rating of each candidate on the scale; None where candidates differ."""
        matrix: RatingMatrix = rating_matrix(self.parts)
        if np.isnan(matrix.ratings).any():
            return None
        with np.errstate(over="ignore"):  # of numbers that nobody computed
            return across_data_sets(matrix, weights=np.array(self.weights, dtype=np.float64))

    def place(self, record: Row) -> tuple[str, ...]:
        """Return what tells a row from all others."""
        return (record[self.kind], record["candidate"])


# ------------------------------------------------------------------------------
# A verdict that was saved as JSON.

TOLD = tuple(field.name for field in fields(Standing))
READ = tuple(field.name for field in fields(Reading))


@dataclass(frozen=True, eq=False, kw_only=True)
class SavedVerdict(SavedGroups):
    """Hold a saved verdict: who won, in which groups, and how each candidate stands."""

    def faults(self) -> Iterator[str]:
        """Yield where rows, tie groups, leaders and winners contradict each other."""
        yield from super().faults()
        yield from self.turned("low", "high")
        yield from self.turned("shown_low", "shown_high")
        yield from self.turned("rank_low", "rank_high")
        leaders = self.reading.leaders
        if len(leaders) != len(self.groups) or any(
            leader not in group for leader, group in zip(leaders, self.groups, strict=True)
        ):
            yield "facts.leaders are not one of each group of facts.members"
        if not self.winners:
            yield "facts.winners is empty"
        if not {*self.winners} <= {*self.candidates}:
            yield "facts.winners are not among the candidates of the rows"
        leader = self.whole.get("leader_corrected")
        if leader is not None:
            if leader["candidate"] not in self.winners:
                yield "facts.leader_corrected.candidate is not one of facts.winners"
            for low, inside, high in (
                ("low", "merit", "high"),
                ("shown_low", "shown", "shown_high"),
            ):
                if not leader[low] <= leader[inside] <= leader[high]:
                    yield f"facts.leader_corrected.{inside} is not from its {low} to its {high}"
        may = {each.candidate: each.may_be_best for each in self.standings}
        best = self.whole["best"]
        told = dict.fromkeys(may) if best is None else {name: name in best for name in may}
        if told != may or not {*(best or ())} <= {*may}:
            yield "facts.best are not those of whom rows say may_be_best"

    @property
    def winners(self) -> tuple[str, ...]:
        """Who is ranked first by the merits as observed."""
        return tuple(self.whole["winners"])

    @property
    def undecided(self) -> bool:
        """Whether the resamples were too few to exclude anybody."""
        return bool(self.whole["undecided"])

    @property
    def guarantee(self) -> str:
        """What the groups guarantee, and what they do not."""
        return str(self.whole["guarantee"])

    @property
    def reading(self) -> Reading:
        """How its numbers and groups are read."""
        found = {name: self.whole[name] for name in READ}
        return Reading(**{**found, "leaders": tuple(found["leaders"])})

    @property
    def has_official(self) -> bool:
        """Whether an official ranking was given."""
        return any(each.official is not None for each in self.standings)

    @property
    def digits(self) -> int:
        """How many decimals the shown number deserves."""
        return digits_of([each.shown for each in self.standings])

    def row(self, candidate: str) -> Standing:
        """Return what the verdict says about one candidate."""
        return _standing(self.record(candidate))

    @cached_property
    def standings(self) -> tuple[Standing, ...]:
        """What the verdict says about each, in the order of the robust ranking."""
        return tuple(map(_standing, self.records))

    def grid(self) -> Grid:
        """Return the robust ranking with interval bars."""
        every = self.standings
        left, right = min(each.low for each in every), max(each.high for each in every)
        official, digits = self.has_official, self.digits
        columns = [
            Column(name="group"),
            Column(name="candidate", key=True),
            *([Column(name="official")] if official else []),
            Column(name=self.reading.heading, digits=digits),
            Column(name="interval", picture=True),
            Column(name="low", digits=digits, on_paper=True),
            Column(name="high", digits=digits, on_paper=True),
            Column(name="first %", digits=1),
            Column(name="ranks"),
        ]
        cells: list[tuple[Cell, ...]] = [
            (
                each.group,
                each.candidate,
                *([each.official] if official else []),
                each.shown,
                bar(each.low, each.merit, each.high, left=left, right=right),
                each.shown_low,
                each.shown_high,
                100 * each.first_share,
                "\u2013".join(number(round(end, 1)) for end in (each.rank_low, each.rank_high)),
            )
            for each in every
        ]
        notes = (f"{self.whole['plan']}.", self.guarantee)
        return Grid(columns=tuple(columns), cells=tuple(cells), notes=notes)


def _standing(record: Row) -> Standing:
    return Standing(**{name: record[name] for name in TOLD})


# ------------------------------------------------------------------------------
# A result that was saved as JSON, read back.

HEAD = 1000  # bytes in which a saved result names its schema
WRITTEN = re.compile(rb'(\xef\xbb\xbf)?\s*\{\s*"schema"\s*:\s*"deadheat\.')


@dataclass(frozen=True, eq=False, kw_only=True)
class SavedAxioms(Saved):
    """Hold saved axioms; spreadsheets get what happens, and not whole tables."""

    def small_rows(self) -> list[Row]:
        """Return the records without what is nested."""
        return [without_tables(record) for record in self.records]


KINDS: dict[str, type[Saved]] = {
    "deadheat.axioms": SavedAxioms,
    "deadheat.criteria": SavedCriteria,
    "deadheat.verdict": SavedVerdict,
    "deadheat.demo": SavedVerdict,
    "deadheat.rate": SavedRatings,
}


def load(source: str | bytes | os.PathLike[str]) -> Saved:
    """Return a result that was saved as JSON: a path, or the text itself.

    It has the rows, facts, warnings and words of what was saved and writes itself in every form,
    as JSON byte for byte the same. A saved verdict has also ``groups``, ``winners`` and ``row``,
    and ``plot`` draws what the JSON has the numbers for. What needs the data, such as comparing
    other pairs, is computed by the functions again.

    Examples
    --------
    >>> import deadheat as dh
    >>> saved = dh.verdict(dh.examples.load("compressors"), replicates=200).to_json()
    >>> dh.load(saved).winners
    ('bzip2-9',)
    """
    where, text = _read(source)
    document = _checked(where, text)
    name = document["schema"]
    kind = KINDS.get(name.partition("/")[0], Saved)
    if kind is SavedRatings and "kind" in document["facts"]:
        kind = SavedRatingParts
    found = kind(
        made=document["made"],
        warnings=tuple(document["warnings"]),
        written_as=name,
        records=tuple(document["rows"]),
        whole=document["facts"],
        words=tuple(document["verdict"].split("\n") if document["verdict"] else ()),
    )
    fault = next(found.faults(), None)
    if fault is not None:
        raise DataError(f"{where}: {fault}.", hint=_remedy(document))
    return found


def saved_at(source: Any) -> Saved | None:
    """Return the result that a file holds, where that is one and no table."""
    if not isinstance(source, str | os.PathLike):
        return None
    try:
        with Path(source).open("rb") as file:
            head = file.read(HEAD)
    except (OSError, ValueError):
        return None
    return load(Path(source)) if WRITTEN.match(head) else None

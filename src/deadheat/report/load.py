"""Saved results: their JSON is read, checked, and shown again."""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from deadheat.axioms.result import without_tables
from deadheat.core.errors import (
    DataError,
    UnknownNameError,
    UsageError,
    Words,
    ask,
    bare,
    listed,
    quoted,
)
from deadheat.core.files import reads
from deadheat.core.memory import readable, require
from deadheat.core.types import Row
from deadheat.core.version import __version__
from deadheat.criteria.result import OF_THE_PAPER
from deadheat.output.result import Boards, Result, undefined_in_words
from deadheat.output.schema import Schema, Whole, as_json, keys_of, under
from deadheat.output.table import Grid
from deadheat.rate.options import rating_scale
from deadheat.rate.result import Ratings, omission_in_words
from deadheat.report.schema import schemas
from deadheat.verdict.claims import Reading, Standing
from deadheat.verdict.result import Verdict

NAME = re.compile(r"(deadheat\.[a-z-]+)/([1-9][0-9]{0,5})")
LARGEST, MOST_DIGITS = 1e300, 300  # the difference of two such numbers is still one
LARGEST_INTEGER = 2**63 - 1  # what a column of integers holds
DEEPEST = 40
BEYOND = 2.0  # what no mean and no deviation of numbers from -1 to 1 is
PER_BYTE = 10  # of memory, for a byte of a document
WRITE = "in Python to_json(), else such as: deadheat verdict results.csv -o saved.json"
MAKE = f"write a result, {WRITE}"
AGAIN = f"make the result again, {WRITE}"
HEAD = 1000  # bytes in which a saved result names its schema
WRITTEN = re.compile(rb'(\xef\xbb\xbf)?\s*\{\s*"schema"\s*:\s*"deadheat\.')
AXIOMS, CRITERIA, RANK, RATE, VERDICT = (
    f"deadheat.{name}" for name in ("axioms", "criteria", "rank", "rate", "verdict")
)
ASKS = {RATE: Ratings.asks, VERDICT: Verdict.asks}  # over the reasons


# ------------------------------------------------------------------------------
# From a source to a document that its schema describes.


def _read_document(source: object) -> tuple[str, str]:
    """Return where a document comes from, in words, and its text."""
    if isinstance(source, str) and source.lstrip("\ufeff \t\r\n")[:1] in ("{", "[", ""):
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
            reason = getattr(error, "strerror", None) or error
            raise DataError(f"cannot read {quoted(path)}: {reason}.", hint=MAKE) from None
    if not isinstance(content, bytes):
        no_source = f"a {type(source).__name__} is no saved result."
        raise UsageError(no_source, hint="give a path, or the JSON text.")
    try:
        return where, content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        no_text = f"{where} is no text in UTF-8: byte {error.start + 1} is wrong."
        raise DataError(no_text, hint=MAKE) from None


class _RefusedError(Exception):
    """What JSON allows and no result has."""


def _number(text: str) -> float:
    if not text.lstrip("-")[:1].isdigit():
        raise _RefusedError(f"{text} is no number of JSON")
    whole = text.lstrip("-").isdigit()
    if len(text) > MOST_DIGITS if whole else abs(float(text)) > LARGEST:
        raise _RefusedError(f"{text:.40}{'...' * whole} is too large a number")
    return int(text) if whole else float(text)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        (twice, _), *_ = Counter(name for name, _ in pairs).most_common(1)
        raise _RefusedError(f"the key {quoted(twice)} stands twice in one object")
    return found


def _parse_document(where: str, text: str) -> Any:
    """Return the JSON of a text; refuse also what JSON allows and no result has."""
    number: dict[str, Any] = dict.fromkeys(("parse_constant", "parse_float", "parse_int"), _number)
    try:
        document = json.loads(text, object_pairs_hook=_object, **number)
        level: list[Any] = [[document]]
        for _ in range(DEEPEST + 1):
            inside = (each.values() if isinstance(each, dict) else each for each in level)
            level = [item for items in inside for item in items if isinstance(item, dict | list)]
    except RecursionError:
        level = [[]]
    except _RefusedError as error:
        raise DataError(f"{where}: {error}.", hint=MAKE) from None
    except ValueError as error:
        cut_short = text.lstrip().startswith("{") and not text.rstrip().endswith("}")
        hint = f"it ends in the middle, perhaps cut short: {MAKE}" if cut_short else MAKE
        if text.strip() and text.lstrip()[0] not in "{[<":
            hint = f"if it is a table: {ask('verdict', 'FILE')}"
        raise DataError(f"{where} is no JSON: {error}.", hint=hint) from None
    if level:  # walking through it would not end well
        raise DataError(f"{where} is nested too deeply for a saved result.", hint=MAKE)
    return document


def _schema(where: str, document: Any) -> Schema:
    name = document.get("schema") if isinstance(document, dict) else None
    found = NAME.fullmatch(name) if isinstance(name, str) else None
    if found is None:
        said = "it names no schema" if name is None else f"its schema is {quoted(name)}"
        raise DataError(f"{where} was not written by deadheat: {said}.", hint=MAKE)
    known = schemas()
    if found[0] in known:
        return known[found[0]]
    if f"{found[1]}/1" in known:
        raise DataError(
            f"{where} has the schema {name}, and this deadheat knows {found[1]}/1.",
            hint="a newer deadheat wrote it: upgrade, or make the result again.",
        )
    unknown = f"{where} has the unknown schema {quoted(name)}."
    raise DataError(unknown, hint=f"known: {', '.join(known)}.")


def _remedy(document: dict[str, Any], *, missing: bool = False) -> str:
    """Return the next step where a document is not as this version writes it."""
    made = document.get("made")
    version = made.get("version") if isinstance(made, dict) else None
    if isinstance(version, str) and version != __version__:
        return f"deadheat {bare(version)} wrote it, and this is {__version__}: {AGAIN}"
    return f"perhaps another version of deadheat wrote it: {AGAIN}" if missing else MAKE


@dataclass(frozen=True, eq=False, kw_only=True)
class Saved(Result):
    """Hold a result that was saved as JSON: it prints, plots and writes itself as before.

    It has no data to compute more with. ``candidates``, ``groups``, ``winners``, ``alpha`` and
    ``row`` are as in the result, where that has them.
    """

    schema: ClassVar[str] = ""
    json: Mapping[str, Any]

    def __post_init__(self) -> None:
        object.__setattr__(self, "schema", self.json["schema"])
        object.__setattr__(self, "asks", ASKS.get(self.kind, Result.asks))
        each = self.json.get("each")
        object.__setattr__(self, "boards", each and Boards.from_json(each))

    @property
    def kind(self) -> str:
        """The schema of its rows and facts, without a version."""
        described = schemas()[self.schema]
        return (described.as_in or described.name).partition("/")[0]

    @property
    def undefined(self) -> int:
        return int(self.json.get("undefined", 0))

    def rows(self) -> list[Row]:
        return [dict(row) for row in self.json["rows"]]

    def small_rows(self) -> list[Row]:
        if self.kind == AXIOMS:
            return [without_tables(row) for row in self.rows()]
        return super().small_rows()

    def facts(self) -> dict[str, Any]:
        return dict(self.json["facts"])

    @property
    def sentences(self) -> tuple[str, ...]:
        """As they were written; before there was a key for them, the verdict was one text."""
        return tuple(self.json.get("sentences", filter(None, [self.json["verdict"]])))

    @property
    def reasons(self) -> tuple[Words, ...]:
        saved = self.json.get("reasons")
        if saved is None:
            return super().reasons
        return tuple(Words(each["says"], good=each["good"]) for each in saved)

    def grid(self) -> Grid:
        return Grid.from_json(self.json["table"], self.json["rows"])

    def document_grid(self) -> Grid | None:
        paper = self.json.get("paper")
        return paper and Grid.from_json(paper, self.json["rows"])

    def appendix(self) -> Iterator[tuple[str, Grid | None]]:
        for each in self.json.get("appendix", ()):
            yield each["says"], each["table"] and Grid.from_json(each["table"], ())

    @property
    def candidates(self) -> tuple[str, ...]:
        """The names of the candidates, in the order of the rows."""
        rows = self.json["rows"]
        return tuple(dict.fromkeys(row["candidate"] for row in rows if "candidate" in row))

    @property
    def groups(self) -> tuple[tuple[str, ...], ...]:
        """The tie groups by name, best first."""
        return tuple(tuple(group) for group in self.facts().get("members") or ())

    @property
    def winners(self) -> tuple[str, ...]:
        """Who is first."""
        return tuple(self.facts().get("winners") or ())

    @property
    def omission(self) -> str:
        """Who is rated and not shown, in words."""
        return omission_in_words(self.made.get("show_only"), self.facts().get("candidates", 0))

    @property
    def alpha(self) -> float:
        """The level of tests and intervals."""
        return float(self._of(self.made, "alpha"))

    @property
    def undecided(self) -> bool:
        """Whether the resamples of a verdict were too few to exclude anybody."""
        return bool(self._of(self.json["facts"], "undecided"))

    @property
    def has_groups(self) -> bool:
        return not self.facts().get("undecided", False)

    @property
    def reading(self) -> Reading:
        """How the numbers and groups of a verdict are read."""
        found = {each.name: self._of(self.json["facts"], each.name) for each in fields(Reading)}
        return Reading(**{**found, "leaders": tuple(found["leaders"])})

    def _of(self, facts: Mapping[str, Any], name: str) -> Any:
        if name not in facts:
            raise AttributeError(f"the JSON of {self.kind} has no {name}")
        return facts[name]

    def row(self, candidate: str) -> Any:
        """Return what the result says about one candidate."""
        for row in self.rows():
            if row.get("candidate") == candidate:
                if self.kind == VERDICT:
                    return Standing(**{each.name: row[each.name] for each in fields(Standing)})
                return row
        raise UnknownNameError("candidate", str(candidate), self.candidates)


# ------------------------------------------------------------------------------
# Where parts of the right types contradict each other.


def _faults(saved: Saved) -> Iterator[str]:
    rows = saved.json["rows"]
    for k, row in enumerate(rows):
        for name, value in row.items():
            if type(value) is int and abs(value) > LARGEST_INTEGER:
                yield f"{under(f'rows[{k}]', name)} is {as_json(value)}, too large a number"
    finds = {
        RATE: (_faults_of_parts, _faults_of_groups, _faults_of_ratings),
        VERDICT: (_faults_of_groups, _faults_of_verdict),
        CRITERIA: (_faults_of_criteria,),
        RANK: (_faults_of_ranking,),
    }
    for find in finds.get(saved.kind, ()):
        yield from find(saved)
    for name in ("table", "paper"):
        yield from _faults_of_table(name, saved.json.get(name), len(rows))
    for k, each in enumerate(saved.json.get("appendix", ())):
        yield from _faults_of_table(f"appendix[{k}].table", each["table"], 0)


def _faults_of_table(name: str, table: Mapping[str, Any] | None, rows: int) -> Iterator[str]:
    if table is None:
        return
    columns = table["columns"]
    always = [j for j, c in enumerate(columns) if not (c.get("picture") or c.get("on_paper"))]
    if len({rows if "of" in each else len(each.get("cells", ())) for each in columns}) > 1:
        yield f"{name}.columns have different numbers of cells"
    for j, column in enumerate(columns):
        if "decided_by" in column and column["decided_by"] not in always:
            yield f"{name}.columns[{j}].decided_by is no column of ranks"
    if any(len(place) != 2 for place in table.get("marked", ())):
        yield f"{name}.marked has a place that is not a line and a column"


def _faults_of_groups(saved: Saved) -> Iterator[str]:
    rows, facts = saved.json["rows"], saved.facts()
    if not rows:
        yield "rows is empty"
    seen = set()
    for k, row in enumerate(rows):
        place = row.get(facts.get("kind", "")), row["candidate"]
        if place in seen:
            yield f"rows[{k}].candidate is {as_json(row['candidate'])} for a second time"
        seen.add(place)
        for begin in ("", "shown_", "rank_"):
            low, high = row.get(f"{begin}low"), row.get(f"{begin}high")
            if low is not None and high is not None and low > high:
                yield f"rows[{k}].{begin}low is {as_json(low)}, above {begin}high, {as_json(high)}"
    if "members" in facts:
        by_rows = [(row["candidate"], row["group"]) for row in rows]
        seen_by = saved.candidates if "show_only" in saved.made else None
        by_facts = [
            (name, k)
            for k, group in enumerate(saved.groups, 1)
            for name in group
            if seen_by is None or name in seen_by
        ]
        if sorted(by_rows) != sorted(by_facts):
            yield "facts.members are not the groups of the rows"


def _faults_of_parts(saved: Saved) -> Iterator[str]:
    facts, rows = saved.facts(), saved.json["rows"]
    kind, known = facts.get("kind"), facts.get("tournaments", {})
    if kind is None:
        return  # there is one rating of each
    if kind not in ("tournament", "category"):
        yield f"facts.kind is {as_json(kind)}, neither tournament nor category"
    for k, row in enumerate(rows):
        if kind not in row:
            yield f"rows[{k}].{kind} is missing"
    weights = [each["weight"] for each in known.values()]
    if {row[kind] for row in rows} != {*known}:
        yield f"facts.tournaments does not have every {kind} of the rows and no other"
    elif min(weights, default=0) < 0 or not sum(weights):
        yield "facts.tournaments has a weight below 0, or none above it"


def _faults_of_ratings(saved: Saved) -> Iterator[str]:
    best, made = saved.facts().get("leader_corrected"), saved.made
    known = {*saved.candidates}.union(*saved.groups)
    if best is not None and best["candidate"] not in known:
        yield f"facts.leader_corrected has {as_json(best['candidate'])}, who is in no row"
    if best is not None and not best["low"] <= best["rating"] <= best["high"]:
        yield "facts.leader_corrected has a rating outside its interval"
    try:
        rating_scale(made["scale"], np.empty(0), (), base=made["base"], width=made["width"])
    except UsageError as error:
        yield f"made has no scale of ratings: {error.clause}"


def _faults_of_verdict(saved: Saved) -> Iterator[str]:
    facts, groups, winners = saved.facts(), saved.groups, saved.winners
    leaders, leader = facts["leaders"], facts.get("leader_corrected")
    if len(leaders) != len(groups) or any(map(lambda a, b: a not in b, leaders, groups)):
        yield "facts.leaders are not one of each group of facts.members"
    if not winners:
        yield "facts.winners is empty"
    if not {*winners} <= {*saved.candidates}:
        yield "facts.winners are not among the candidates of the rows"
    if leader is not None:
        if leader["candidate"] not in winners:
            yield "facts.leader_corrected.candidate is not one of facts.winners"
        for low, inside, high in (("low", "merit", "high"), ("shown_low", "shown", "shown_high")):
            if not leader[low] <= leader[inside] <= leader[high]:
                yield f"facts.leader_corrected.{inside} is not from its {low} to its {high}"
    may, best = {r["candidate"]: r["may_be_best"] for r in saved.rows()}, facts["best"]
    by_facts = dict.fromkeys(may) if best is None else {name: name in best for name in may}
    if by_facts != may or not {*(best or ())} <= {*may}:
        yield "facts.best are not those of whom rows say may_be_best"


def _faults_of_ranking(saved: Saved) -> Iterator[str]:
    rows = Counter((row["function"], row["candidate"]) for row in saved.json["rows"])
    functions = {function for function, _ in rows}
    if not rows or len(rows) < len(functions) * len(saved.candidates) or max(rows.values()) > 1:
        yield "rows do not have every candidate by every function once"


def _faults_of_criteria(saved: Saved) -> Iterator[str]:
    yield from _faults_of_tables(saved)
    found = saved.facts()["correlations"]
    names = {row["function"] for row in saved.json["rows"][:-1]}
    if not names:
        yield "rows has no ranking function"
    elif names != {*found} or any(names != {*row} for row in found.values()):
        yield "facts.correlations are not those of the functions of the rows"
    elif any(abs(r) > 1 + 1e-9 for row in found.values() for r in row.values() if r is not None):
        yield "facts.correlations has a number beyond 1"


def _faults_of_tables(saved: Saved) -> Iterator[str]:
    rows, facts = saved.json["rows"], saved.facts()
    tables = len(facts["tables"])
    if len(facts["kendall_w"]) != tables:
        yield "facts.kendall_w has not one number for each of facts.tables"
    if not {"by_table", "spread"} & {*facts}:
        return  # before there were pictures of it
    endings = ("", "_se", "_se_tables")[: 2 + (tables > 1)]
    for name in OF_THE_PAPER:
        if any(f"{name}{ending}" not in row for row in rows for ending in endings):
            yield f"rows lack {name} or its errors"
        for key in ("by_table", "spread")[: 1 + name.startswith("stability")]:
            found = facts.get(key, {}).get(name, ())
            if [len(values) for values in found] != [len(rows)] * tables:
                yield f"facts.{key}.{name} has not one number for each table and function"
            if any(abs(value or 0) > BEYOND for values in found for value in values):
                yield f"facts.{key}.{name} has a number beyond {BEYOND:g}"


def load(source: str | bytes | os.PathLike[str]) -> Saved:
    """Return a result that was saved as JSON: a path, or the text itself.

    It prints and writes itself in every form as the result did, as JSON byte for byte the same. A
    saved verdict has also ``groups``, ``winners`` and ``row``, and ``plot`` draws what the JSON has
    the numbers for. What needs the data, such as comparing other pairs, is computed by the
    functions again.

    Examples
    --------
    >>> import deadheat as dh
    >>> saved = dh.verdict(dh.examples.load("compressors"), replicates=200).to_json()
    >>> dh.load(saved).winners
    ('bzip2-9',)
    """
    where, text = _read_document(source)
    document = _parse_document(where, text)
    wrong = _schema(where, document).fault(document)
    if wrong is not None:
        raise DataError(f"{where}: {wrong}.", hint=_remedy(document, missing=wrong.missing))
    foreign = [quoted(name) for name in document if name not in keys_of(Whole)]
    if foreign:
        raise DataError(
            f"{where}: {listed(foreign)}: no key of a result.", hint="leave it out of the JSON."
        )
    own = undefined_in_words(document.get("undefined", 0))
    warnings = tuple(warning for warning in document["warnings"] if warning != own)
    saved = Saved(made=document["made"], warnings=warnings, json=document)
    for fault in _faults(saved):
        raise DataError(f"{where}: {fault}.", hint=_remedy(document))
    return saved


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

"""What stands in the JSON of a result: types that say so, in words too, and that find faults.

The rooms declare the objects of their JSON as ``TypedDict``s or dataclasses whose keys are
``Annotated[kind, "meaning"]``; msgspec checks documents, and the documentation follows from them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, is_dataclass
from functools import cache
from types import NoneType, UnionType, new_class
from typing import (
    Annotated,
    Any,
    NamedTuple,
    NotRequired,
    Required,
    TypedDict,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from msgspec import Meta, ValidationError, convert

# What a value may be, beside the types of Python.
ROUNDING = 1e-9  # what sums of shares may be beyond their ends
Share = Annotated[float, Meta(ge=-ROUNDING, le=1 + ROUNDING, title="number from 0 to 1")]
Level = Annotated[float, Meta(gt=0, lt=1, title="number between 0 and 1")]
Correlation = Annotated[float, Meta(ge=-1 - ROUNDING, le=1 + ROUNDING, title="number from -1 to 1")]
Size = Annotated[float, Meta(ge=-ROUNDING, title="number from 0 up")]
Place = Annotated[float, Meta(ge=1 - ROUNDING, title="number from 1 up")]
Count = Annotated[int, Meta(ge=0, title="integer from 0 up")]
Group = Annotated[int, Meta(ge=1, title="integer from 1 up")]
Digits = Annotated[int, Meta(ge=0, le=20, title="integer from 0 to 20")]
End = Annotated[str, Meta(pattern="^(high|low)$", title="high or low")]
Names = list[str]
# What the keys of an object are where they are names.
Candidate = Annotated[str, Meta(title="candidate")]
Function = Annotated[str, Meta(title="function")]
Tournament = Annotated[str, Meta(title="tournament")]

PLAIN = {str: "text", float: "number", int: "integer", bool: "true/false", NoneType: "null"}
NO_ARTICLE = ("text", "null", "true", "anything")
LONGEST = 40  # letters of a value that a fault tells
ABSENT = "is missing"


class TableColumn(TypedDict):
    name: Annotated[str, "its heading"]
    of: NotRequired[Annotated[str, "the key of the rows that has its cells"]]
    cells: NotRequired[Annotated[list[str | float | bool | None], "its cells, from no key"]]
    digits: NotRequired[Annotated[Digits, "decimals of its numbers; four figures where not said"]]
    best: NotRequired[Annotated[End, "which end is best"]]
    decided_by: NotRequired[Annotated[Count, "the column, from 0, with the ranks that say so"]]
    picture: NotRequired[Annotated[bool, "whether it is drawn with letters, for terminals only"]]
    on_paper: NotRequired[Annotated[bool, "whether it says the same in documents"]]
    key: NotRequired[Annotated[bool, "whether it names the row"]]
    spare: NotRequired[Annotated[Count, "how soon a small terminal leaves it out, 0 is never"]]


class PrintedTable(TypedDict):
    """The table as it is printed."""

    columns: Annotated[list[TableColumn], "from left to right"]
    title: NotRequired[Annotated[str, "above it"]]
    notes: NotRequired[Annotated[Names, "below it"]]
    captions: NotRequired[Annotated[Names, "what columns that are drawn show"]]
    legend: NotRequired[Annotated[Names, "what its marks mean"]]
    explains: NotRequired[Annotated[str, "what the captions and notes tell"]]
    leading: NotRequired[Annotated[Count, "how many rows lead a table that a small terminal cuts"]]
    marked: NotRequired[Annotated[list[list[Count]], "line and column, from 0, of starred cells"]]


class Below(TypedDict):
    says: Annotated[str, "a sentence"]
    table: Annotated[PrintedTable | None, "what it is about"]


class Reason(TypedDict):
    says: Annotated[str, "a sentence, or a warning"]
    good: Annotated[bool | None, "whether it supports the answer; null where it does neither"]


class Board(TypedDict):
    value: Annotated[str, "of the column"]
    candidates: Annotated[Count, "how many there are"]
    judges: Annotated[Count, "how many there are"]
    first: Annotated[Names, "who is first by score, all who share it"]
    level: Annotated[Names, "whom tests do not separate from these"]
    shown: Annotated[float | None, "the score of the first, as people write it"]
    rows: Annotated[list[dict[str, Any]], "the records, like those of the whole"]
    too_few: Annotated[bool, "whether the judges are too few for a test"]


class EachBoard(TypedDict):
    """Who is first for each value of a column."""

    column: Annotated[str, "of the table"]
    heading: Annotated[str, "what the scores are"]
    candidate: Annotated[str, "what one is called"]
    judges: Annotated[str, "what they are called"]
    digits: Annotated[Count | None, "the decimals of a score as people write it"]
    boards: Annotated[list[Board], "one for each value, in the order of the table"]


class Whole(TypedDict):
    """The JSON of any result."""

    schema: Annotated[str, "the name of what is described"]
    made: Annotated[dict[str, Any], "how it was made"]
    verdict: Annotated[str, "what it says, in words"]
    sentences: NotRequired[Annotated[Names, "the verdict, sentence by sentence"]]
    warnings: Annotated[Names, "what to know about it"]
    reasons: NotRequired[Annotated[list[Reason], "what bears on it, most important first"]]
    facts: Annotated[dict[str, Any], "what is true of the whole"]
    rows: Annotated[list[dict[str, Any]], "the records"]
    undefined: NotRequired[Annotated[Count, "how many numbers are null that were undefined"]]
    table: Annotated[PrintedTable, "the table as it is printed"]
    paper: NotRequired[Annotated[PrintedTable, "the same for documents, where it is another"]]
    appendix: NotRequired[Annotated[list[Below], "what documents tell below"]]
    each: NotRequired[Annotated[EachBoard, "a board for each value of a column"]]


class Origin(TypedDict):
    """How any result was made."""

    version: Annotated[str, "of deadheat"]
    command: NotRequired[Annotated[Names | None, "the arguments, where the command line made it"]]
    seed: NotRequired[Annotated[int | None, "null where nothing is random"]]
    function: NotRequired[Annotated[Names | str, "the ranking functions, or the rating model"]]


class _AboutData(Origin, total=False):
    """What is said about data; a key has one meaning, also where data need not be told of."""

    candidates: Annotated[Count | list[Count], "how many there are"]
    judges: Annotated[Count | list[Count], "how many there are"]
    better: Annotated[str | Names, "which scores are better: higher, lower, or mixed"]
    missing: Annotated[str | Names, "the policy about holes"]
    tie_tol: Annotated[Size | list[Size], "up to which difference scores count as equal"]
    rule: Annotated[str, "the rule that scored runs"]
    scale_scores: Annotated[str, "what scores were standardised over: global or judge"]
    nouns: Annotated[dict[str, str], "what a candidate and a judge are called: solver, instance"]


class Provenance(_AboutData, total=False):
    """How a result was made that may be about no data."""

    source: Annotated[str | Names, "the name of the table, or of several"]
    sha256: Annotated[str | Names, "the hash of the data"]


class DataProvenance(_AboutData):
    """How a result of data was made."""

    source: Annotated[str | Names, "the name of the table, or of several"]
    sha256: Annotated[str | Names, "the hash of the data"]


class Nothing(TypedDict):
    """No key."""


class TableFacts(TypedDict):
    """Which of several tables it is."""

    table: Annotated[str, "which table it is"]


class Key(NamedTuple):
    """Describe a key of an object; an ``optional`` one is written only where it applies."""

    name: str
    kind: Any
    meaning: str
    optional: bool = False


class Fault(NamedTuple):
    place: str
    said: str

    @property
    def missing(self) -> bool:
        return self.said == ABSENT

    def __str__(self) -> str:
        return f"{self.place} {self.said}"


@dataclass(frozen=True, eq=False, kw_only=True)
class Schema:
    """Describe the JSON of a result: ``made``, ``facts`` and ``rows``; the rest is always alike.

    ``about`` says what a row is. ``tables`` describe the rows where one schema has several;
    ``facts.table`` or ``made.kind`` says which one it is. ``as_in`` is another schema that has the
    same facts and rows.
    """

    name: str
    rows: type = Nothing
    facts: type = TableFacts
    made: type = DataProvenance
    tables: Mapping[str, type] = field(default_factory=dict)
    about: str = ""
    command: str = ""
    as_in: str = ""

    def __post_init__(self) -> None:
        own = self.name.removeprefix("deadheat.").partition("/")[0]
        object.__setattr__(self, "command", self.command or own)
        object.__setattr__(self, "about", self.about or self.rows.__doc__)

    def fault(self, document: Any) -> Fault | None:
        """Return where a document differs first; keys stand in any order, and there may be more."""
        wrong = fault(document, Whole, "")
        for part in () if wrong else ("made", "facts"):
            wrong = wrong or fault(document[part], getattr(self, part), part)
        if wrong is not None:
            return wrong
        rows = self.rows
        if self.tables:
            part, key = ("facts", "table") if self.facts is TableFacts else ("made", "kind")
            table = document[part][key]
            if table not in self.tables:
                return Fault(
                    f"{part}.{key}", f"is {as_json(table)}, and no such table is described"
                )
            rows = self.tables[table]
        found = (fault(row, rows, f"rows[{k}]") for k, row in enumerate(document["rows"]))
        return next(filter(None, found), None)

    def objects(self) -> dict[str, type]:
        tables = {f"rows of {name}": each for name, each in self.tables.items()}
        return {"facts": self.facts, **(tables or {"rows": self.rows})}


# ------------------------------------------------------------------------------
# Keys, and what may stand under them.

_Described = TypeVar("_Described", bound=type)
OTHER_KEYS: dict[type, Key] = {}


def others(name: str, kind: Any, meaning: str) -> Callable[[_Described], _Described]:
    """Describe the keys of an object that begin like ``top<k>``, or ``<judge>`` for any name."""

    def describe(described: _Described) -> _Described:
        OTHER_KEYS[described] = Key(name, kind, meaning)
        return described

    return describe


def with_options(base: type, options: type, own: type) -> type:
    """Return a base's keys, a dataclass' fields that have a meaning or an own key, and own keys."""
    fields, keys = get_type_hints(options, include_extras=True).items(), own.__annotations__
    kept = {name: kind for name, kind in fields if name in keys or get_origin(kind) is Annotated}
    body = {"__annotations__": kept | keys}
    return new_class(own.__name__, (base,), exec_body=lambda empty: empty.update(body))


@cache
def keys_of(described: Any) -> dict[str, Key]:
    found = {}
    for name, hint in get_type_hints(described, include_extras=True).items():
        marked = get_origin(hint) in (Required, NotRequired)
        kind = get_args(hint)[0] if marked else hint
        optional = name in getattr(described, "__optional_keys__", ())
        if marked:
            optional = get_origin(hint) is NotRequired
        meaning = next(each for each in kind.__metadata__ if isinstance(each, str))
        found[name] = Key(name, kind, meaning, optional)
    return found


def choices(kind: Any) -> tuple[Any, ...]:
    """Return the kinds of which a value has one."""
    while get_origin(kind) is Annotated and not _title(kind):
        kind = kind.__origin__
    return get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,)


def words(kind: Any) -> str:
    one, *more = choices(kind)
    if more:
        return " or ".join(map(words, (one, *more)))
    if _title(one):
        return _title(one)
    inside = get_args(one)
    if get_origin(one) is list:
        return f"list of {words(inside[0])}"
    if get_origin(one) is dict and _title(inside[0]):
        return f"{words(inside[1])} by {_title(inside[0])}"
    return "anything" if one is Any else PLAIN.get(one, "object")


def _title(kind: Any) -> str:
    said = (each for each in getattr(kind, "__metadata__", ()) if isinstance(each, Meta))
    return next((each.title or "" for each in said), "")


# ------------------------------------------------------------------------------
# Where a value does not fit.

_NOTHING = object()  # stands under a key that is missing


def fault(value: Any, kind: Any, place: str) -> Fault | None:
    """Return what is wrong with a value at the innermost place; None where it fits."""
    if _fits(value, kind):
        return None
    for choice in choices(kind):
        for name, item, within in _inside(value, choice, place):
            found = Fault(name, ABSENT) if item is _NOTHING else fault(item, within, name)
            if found is not None:
                return found
    kinds = map(words, choices(kind))
    said = (w if w.startswith(NO_ARTICLE) else f"a{'n' * (w[0] in 'aeiou')} {w}" for w in kinds)
    return Fault(place, f"is {as_json(value)}, not {' or '.join(said)}")


def _fits(value: Any, kind: Any) -> bool:
    try:
        convert(value, kind)
    except ValidationError:
        return False
    except UnicodeEncodeError:  # msgspec cannot speak of a lone surrogate
        written = json.dumps(value, ensure_ascii=False).encode("utf-8", "xmlcharrefreplace")
        return _fits(json.loads(written), kind)
    inside = _inside(value, kind, "") if kind in OTHER_KEYS else ()
    return all(_fits(item, within) for _, item, within in inside)


def _inside(value: Any, kind: Any, place: str) -> Iterator[tuple[str, Any, Any]]:
    """Yield place, value and kind of what stands in a list or an object."""
    if get_origin(kind) is list and isinstance(value, list):
        yield from ((f"{place}[{k}]", item, get_args(kind)[0]) for k, item in enumerate(value))
    elif get_origin(kind) is dict and isinstance(value, dict):
        for name, item in value.items():
            yield f"{place}[{as_json(name)}]", item, get_args(kind)[1]
    elif (is_typeddict(kind) or is_dataclass(kind)) and isinstance(value, dict):
        keys, other = keys_of(kind), OTHER_KEYS.get(kind)
        for name, item in value.items():
            if name in keys:
                yield under(place, name), item, keys[name].kind
            elif other is not None and name.startswith(other.name.partition("<")[0]):
                yield under(place, name), item, other.kind
        absent = (key for key in keys.values() if not key.optional and key.name not in value)
        yield from ((under(place, key.name), _NOTHING, key.kind) for key in absent)


def under(place: str, name: str) -> str:
    step = f".{name}" if name.isidentifier() else f"[{as_json(name)}]"
    return f"{place}{step}" if place else step.removeprefix(".")


def as_json(value: Any) -> str:
    """Return a value as its JSON, on one line and not too long; of nested ones only what it is."""
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "a list"
    written = json.dumps(value)
    return written if len(written) <= LONGEST else f"{written[: LONGEST - 1]}…"

"""What stands in the JSON of one kind of result."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any, NamedTuple

from deadheat.core.registry import plugins

# ------------------------------------------------------------------------------
# What a value in JSON may be: kinds that say so in words, and that find faults.

ABSENT = "is missing"
LONGEST = 40  # letters of a value that a fault tells
PLAIN = ("text", "null", "true", "anything")  # words that take no article


class Fault(NamedTuple):
    """Say what is wrong at a place.

    ``foreign`` is a key that is not described: somebody invented it, or a later version added it.
    """

    place: str
    said: str
    foreign: bool = False

    @property
    def missing(self) -> bool:
        """Whether a key is not there, and not its value wrong."""
        return self.said == ABSENT

    def __str__(self) -> str:
        """Return both as a sentence without its full stop."""
        return f"{self.place} {self.said}"


Faults = Iterator[Fault]


@dataclass(frozen=True, kw_only=True)
class Kind:
    """Describe a value: in ``words``, and by the faults that a value at a place has.

    Values of ``types`` are right whatever they hold; ``inside`` looks into all others. ``keys`` are
    those of an object, also of one inside a list or a map.
    """

    words: str
    inside: Callable[[Any, str], Faults]
    types: frozenset[type] = frozenset()
    keys: tuple[Key, ...] = ()
    step: str = ""

    def check(self, value: Any, place: str) -> Faults:
        """Yield what is wrong with a value."""
        if type(value) not in self.types:
            yield from self.inside(value, place)

    def __or__(self, other: Kind) -> Kind:
        """Return what one of two kinds describes."""
        words = f"{self.words} or {other.words}"

        def inside(value: Any, place: str) -> Faults:
            found = [list(kind.check(value, place)) for kind in (self, other)]
            if all(found):
                deeper = [fault for faults in found for fault in faults if fault.place != place]
                yield from deeper or [wrong(value, place, words)]

        held = self if self.keys else other
        return Kind(
            words=words,
            inside=inside,
            types=self.types | other.types,
            keys=held.keys,
            step=held.step,
        )


@dataclass(frozen=True, kw_only=True)
class Key:
    """Describe a key of an object; an ``optional`` one is written only where it applies."""

    name: str
    kind: Kind
    meaning: str
    optional: bool = False


@dataclass(frozen=True, kw_only=True)
class Object:
    """Describe an object: its keys, and what stands under any ``other`` key.

    The name of the other one tells how such keys begin: ``top<k>``, or ``<judge>`` for any name.
    ``names`` are the keys that together tell a row from all others.
    """

    keys: tuple[Key, ...]
    other: Key | None = None
    names: tuple[str, ...] = ()

    @cached_property
    def _known(self) -> dict[str, Key]:
        return {key.name: key for key in self.keys}

    @cached_property
    def _required(self) -> tuple[str, ...]:
        return tuple(key.name for key in self.keys if not key.optional)

    def check(self, value: Any, place: str) -> Faults:
        """Yield what is wrong with a value."""
        if not isinstance(value, Mapping):
            yield wrong(value, place, "object")
            return
        for name, item in value.items():
            key = self._known.get(name) or self._other(name)
            if key is None:
                yield Fault(under(place, name), "is not described", foreign=True)
            elif type(item) not in key.kind.types:
                yield from key.kind.inside(item, under(place, name))
        for name in self._required:
            if name not in value:
                yield Fault(under(place, name), ABSENT)

    def _other(self, name: str) -> Key | None:
        begins = None if self.other is None else self.other.name.partition("<")[0]
        return self.other if begins is not None and name.startswith(begins) else None


def under(place: str, name: str) -> str:
    """Return the place of a key of an object."""
    if not name.isidentifier():
        return f"{place}[{told(name)}]"
    return f"{place}.{name}" if place else name


def told(value: Any) -> str:
    """Return a value as its JSON, on one line and not too long; of nested ones only what it is."""
    if isinstance(value, Mapping):
        return "an object"
    if isinstance(value, list):
        return "a list"
    written = json.dumps(value)
    return written if len(written) <= LONGEST else f"{written[: LONGEST - 1]}…"


def wrong(value: Any, place: str, words: str) -> Fault:
    """Return the fault of a value that is not what it should be."""
    return Fault(place, f"is {told(value)}, not {' or '.join(map(_one, words.split(' or ')))}")


def _one(words: str) -> str:
    """Return a kind with its article."""
    if words.startswith(PLAIN):
        return words
    return f"{'an' if words[0] in 'aeiou' else 'a'} {words}"


def listed(kind: Kind) -> Kind:
    """Return a list whose items are of a kind."""
    words = f"list of {kind.words}"

    def inside(value: Any, place: str) -> Faults:
        if not isinstance(value, list):
            yield wrong(value, place, words)
            return
        for k, item in enumerate(value):
            if type(item) not in kind.types:
                yield from kind.inside(item, f"{place}[{k}]")

    return Kind(words=words, inside=inside, keys=kind.keys, step=f"[]{kind.step}")


def mapped(kind: Kind, by: str) -> Kind:
    """Return an object whose keys are names, such as those of candidates."""

    def inside(value: Any, place: str) -> Faults:
        if not isinstance(value, dict):
            yield wrong(value, place, "object")
            return
        for name, item in value.items():
            yield from kind.check(item, f"{place}[{told(name)}]")

    words = f"{kind.words} by {by}"
    return Kind(words=words, inside=inside, keys=kind.keys, step=f"[{by}]{kind.step}")


def record(*keys: Key) -> Kind:
    """Return an object with these keys."""
    return Kind(words="object", inside=Object(keys=keys).check, keys=keys, step=".")


def key(name: str, kind: Kind, meaning: str, *, optional: bool = False) -> Key:
    """Return the description of a key."""
    return Key(name=name, kind=kind, meaning=meaning, optional=optional)


def maybe(name: str, kind: Kind, meaning: str) -> Key:
    """Return the description of a key that is written only where it applies."""
    return key(name, kind, meaning, optional=True)


# ------------------------------------------------------------------------------
# The kinds of values that every schema speaks of: texts, numbers, and lists of names.


def _simple(words: str, *types: type) -> Kind:
    def inside(value: Any, place: str) -> Faults:
        yield wrong(value, place, words)

    return Kind(words=words, inside=inside, types=frozenset(types))


def _within(words: str, right: Callable[[float], bool], *types: type) -> Kind:
    """Return numbers of these types that are right, too."""

    def inside(value: Any, place: str) -> Faults:
        if type(value) not in types or not right(value):
            yield wrong(value, place, words)

    return Kind(words=words, inside=inside)


TEXT = _simple("text", str)
NUMBER = _simple("number", float, int)
INTEGER = _simple("integer", int)
TRUTH = _simple("true/false", bool)
NULL = _simple("null", type(None))
OBJECT = _simple("object", dict)
ANY = Kind(words="anything", inside=lambda _, __: iter(()))
NAMES = listed(TEXT)
ROUNDING = 1e-9  # what sums of shares may be beyond their ends
SHARE = _within("number from 0 to 1", lambda x: -ROUNDING <= x <= 1 + ROUNDING, float, int)
LEVEL = _within("number between 0 and 1", lambda x: 0 < x < 1, float, int)
CORRELATION = _within("number from -1 to 1", lambda x: abs(x) <= 1 + ROUNDING, float, int)
SIZE = _within("number from 0 up", lambda x: x >= -ROUNDING, float, int)
PLACE = _within("number from 1 up", lambda x: x >= 1 - ROUNDING, float, int)
COUNT = _within("integer from 0 up", lambda x: x >= 0, int)
GROUP = _within("integer from 1 up", lambda x: x >= 1, int)


# ------------------------------------------------------------------------------

WHOLE = Object(
    keys=(
        key("schema", TEXT, "the name of what is described"),
        key("made", OBJECT, "how it was made"),
        key("verdict", TEXT, "what it says, in words"),
        key("warnings", NAMES, "what to know about it"),
        key("facts", OBJECT, "what is true of the whole"),
        key("rows", listed(OBJECT), "the records"),
    )
)
TOP = tuple(each.name for each in WHOLE.keys)
ORIGIN = (
    key("version", TEXT, "of deadheat"),
    maybe("command", NAMES | NULL, "the arguments, where the command line made it"),
    maybe("seed", INTEGER | NULL, "null where nothing is random"),
    maybe("function", NAMES | TEXT, "the ranking functions, or the rating model"),
)
DATA = (
    key("source", TEXT | NAMES, "the name of the table, or of several"),
    key("sha256", TEXT | NAMES, "the hash of the data"),
    maybe("candidates", COUNT | listed(COUNT), "how many there are"),
    maybe("judges", COUNT | listed(COUNT), "how many there are"),
    maybe("better", TEXT | NAMES, "which scores are better: higher, lower, or mixed"),
    maybe("missing", TEXT | NAMES, "the policy about holes"),
    maybe("tie_tol", SIZE | listed(SIZE), "up to which difference scores count as equal"),
    maybe("rule", TEXT, "the rule that scored runs"),
)


@dataclass(frozen=True, eq=False, kw_only=True)
class Schema:
    """Describe the JSON of a result: ``made``, ``facts`` and ``rows``; the rest is always alike.

    ``tables`` describe the rows where one schema has several; ``facts.table`` or ``made.kind``
    says which one it is. ``as_in`` is another schema that has the same facts and rows.
    """

    name: str
    command: str
    about: str
    rows: Object = field(default_factory=lambda: Object(keys=()))
    facts: Object = field(default_factory=lambda: Object(keys=()))
    made: tuple[Key, ...] = ()
    tables: Mapping[str, Object] = field(default_factory=dict)
    as_in: str = ""

    def faults(self, document: Any) -> Faults:
        """Yield where a document differs from the description; keys may stand in any order."""
        whole = list(WHOLE.check(document, ""))
        yield from whole
        if not all(fault.foreign for fault in whole):
            return
        yield from self._made.check(document["made"], "made")
        yield from self.facts.check(document["facts"], "facts")
        place, table = _table(document["made"], document["facts"])
        if self.tables and (not isinstance(table, str) or table not in self.tables):
            yield Fault(place, f"is {told(table)}, and no such table is described")
            return
        rows = self.rows_of(document["made"], document["facts"])
        for k, row in enumerate(document["rows"]):
            yield from rows.check(row, f"rows[{k}]")

    def rows_of(self, made: Mapping[str, Any], facts: Mapping[str, Any]) -> Object:
        """Return the description of the rows of a result of which this is known."""
        return self.tables[_table(made, facts)[1]] if self.tables else self.rows

    @cached_property
    def _made(self) -> Object:
        """What ``made`` holds; a key about the data has one meaning, also where none is asked."""
        about = (maybe(each.name, each.kind, each.meaning) for each in DATA)
        known = {each.name: each for each in (*about, *ORIGIN, *self.made)}
        return Object(keys=tuple(known.values()))

    def objects(self) -> dict[str, Object]:
        """Return the descriptions of the facts and of the rows, by their place."""
        tables = {f"rows of {name}": each for name, each in self.tables.items()}
        return {"facts": self.facts, **(tables or {"rows": self.rows})}


def _table(made: Mapping[str, Any], facts: Mapping[str, Any]) -> tuple[str, Any]:
    """Return where a document says which of several tables it is, and what it says."""
    if "table" in facts:
        return "facts.table", facts["table"]
    return "made.kind", made.get("kind")


# ------------------------------------------------------------------------------
# Which schemas there are.


@cache
def schemas() -> dict[str, Schema]:
    """Return the schemas by name, such as ``deadheat.verdict/1``."""
    things = (thing for home in plugins("deadheat.output.schemas") for thing in vars(home).values())
    found = {thing.name: thing for thing in things if isinstance(thing, Schema)}
    return dict(sorted(found.items()))

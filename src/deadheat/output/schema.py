"""What a value in JSON may be: kinds that say so in words, and that find faults."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

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

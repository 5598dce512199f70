"""What a value in JSON may be: kinds that say so in words, and that can be checked."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

Faults = Iterator[str]


@dataclass(frozen=True, kw_only=True)
class Kind:
    """Describe a value: in ``words``, and by the faults that a value at a place has.

    ``keys`` are those of an object, also of one inside a list or a map.
    """

    words: str
    check: Callable[[Any, str], Faults]
    keys: tuple[Key, ...] = ()
    step: str = ""

    def __or__(self, other: Kind) -> Kind:
        """Return what one of two kinds describes."""

        def check(value: Any, place: str) -> Faults:
            found = [list(kind.check(value, place)) for kind in (self, other)]
            if all(found):
                yield from (*found[0], *found[1])

        held = self if self.keys else other
        words = f"{self.words} or {other.words}"
        return Kind(words=words, check=check, keys=held.keys, step=held.step)


@dataclass(frozen=True, kw_only=True)
class Key:
    """Describe a key of an object; an ``optional`` one is written only where it applies."""

    name: str
    kind: Kind
    meaning: str
    optional: bool = False


@dataclass(frozen=True, kw_only=True)
class Object:
    """Describe an object: its keys, and what stands under any ``other`` key."""

    keys: tuple[Key, ...]
    other: Key | None = None

    def check(self, value: Any, place: str) -> Faults:
        """Yield what is wrong with a value."""
        if not isinstance(value, Mapping):
            yield f"{place}: {type(value).__name__} instead of an object"
            return
        known = {key.name: key for key in self.keys}
        for name, item in value.items():
            key = known.get(name, self.other)
            if key is None:
                yield f"{place}.{name}: is not described"
                continue
            yield from key.kind.check(item, f"{place}.{name}")
        for key in self.keys:
            if not key.optional and key.name not in value:
                yield f"{place}.{key.name}: is described, and not there"


def _simple(words: str, *types: type) -> Kind:
    def check(value: Any, place: str) -> Faults:
        if type(value) not in types:
            yield f"{place}: {value!r:.40} is no {words}"

    return Kind(words=words, check=check)


TEXT = _simple("text", str)
NUMBER = _simple("number", float, int)
INTEGER = _simple("integer", int)
TRUTH = _simple("true/false", bool)
NULL = _simple("null", type(None))
ANY = Kind(words="anything", check=lambda _, __: iter(()))


def listed(kind: Kind) -> Kind:
    """Return a list whose items are of a kind."""

    def check(value: Any, place: str) -> Faults:
        if not isinstance(value, list):
            yield f"{place}: {value!r:.40} is no list"
            return
        for item in value:
            yield from kind.check(item, f"{place}[]")

    return Kind(words=f"list of {kind.words}", check=check, keys=kind.keys, step=f"[]{kind.step}")


def mapped(kind: Kind, by: str) -> Kind:
    """Return an object whose keys are names, such as those of candidates."""

    def check(value: Any, place: str) -> Faults:
        if not isinstance(value, dict):
            yield f"{place}: {value!r:.40} is no object"
            return
        for name, item in value.items():
            yield from kind.check(item, f"{place}[{name}]")

    words = f"{kind.words} by {by}"
    return Kind(words=words, check=check, keys=kind.keys, step=f"[{by}]{kind.step}")


def record(*keys: Key) -> Kind:
    """Return an object with these keys."""
    return Kind(words="object", check=Object(keys=keys).check, keys=keys, step=".")


def key(name: str, kind: Kind, meaning: str, *, optional: bool = False) -> Key:
    """Return the description of a key."""
    return Key(name=name, kind=kind, meaning=meaning, optional=optional)


def maybe(name: str, kind: Kind, meaning: str) -> Key:
    """Return the description of a key that is written only where it applies."""
    return key(name, kind, meaning, optional=True)

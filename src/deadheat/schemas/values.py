"""The kinds of values that every schema speaks of: texts, numbers, and lists of names."""

from __future__ import annotations

from typing import Any

from deadheat.schemas.kinds import Faults, Kind, listed, wrong


def _simple(words: str, *types: type) -> Kind:
    def inside(value: Any, place: str) -> Faults:
        yield wrong(value, place, words)

    return Kind(words=words, inside=inside, types=frozenset(types))


TEXT = _simple("text", str)
NUMBER = _simple("number", float, int)
INTEGER = _simple("integer", int)
TRUTH = _simple("true/false", bool)
NULL = _simple("null", type(None))
OBJECT = _simple("object", dict)
ANY = Kind(words="anything", inside=lambda _, __: iter(()))
NAMES = listed(TEXT)

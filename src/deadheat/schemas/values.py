"""The kinds of values that every schema speaks of: texts, numbers, and lists of names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from deadheat.schemas.kinds import Faults, Kind, listed, wrong


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

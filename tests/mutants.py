"""Documents with one thing wrong each: what a hand or a broken program makes of a saved result."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from typing import Any

Path = tuple[str | int, ...]
DEEP: Any = []
for _ in range(60):
    DEEP = [DEEP]
VALUES = (
    None, "text", "", "lone \ud800 surrogate", "a\x00b\x1b[31m\u202e", True, 0, -1, 3, 1e299,
    -1e299, 10**200, 0.5, [], {}, ["text"], [None], [[1]], {"a": 1}, {"candidate": {}}, DEEP,
)  # fmt: skip
RAW = ("1e999", "-1e999", "NaN", "Infinity", "1e305", "9" * 5000, '{"a": 1, "a": 2}')
MARK = "@@here@@"


def paths(document: Any, path: Path = ()) -> Iterator[Path]:
    """Yield the place of every value, of lists only that of the first, second and last item."""
    if path:
        yield path
    if isinstance(document, dict):
        for name, item in document.items():
            yield from paths(item, (*path, name))
    if isinstance(document, list):
        for k in sorted({0, 1, len(document) - 1} & set(range(len(document)))):
            yield from paths(document[k], (*path, k))


def _holder(document: Any, path: Path) -> Any:
    for step in path[:-1]:
        document = document[step]
    return document


def _put(value: Any) -> Callable[[Any, Path], None]:
    def change(document: Any, path: Path) -> None:
        _holder(document, path)[path[-1]] = copy.deepcopy(value)

    return change


def _remove(document: Any, path: Path) -> None:
    del _holder(document, path)[path[-1]]


def _double(document: Any, path: Path) -> None:
    holder, last = _holder(document, path), path[-1]
    if isinstance(holder, list):
        holder.insert(last, copy.deepcopy(holder[last]))
    else:
        holder[f"{last}_too"] = copy.deepcopy(holder[last])


def _wrap(document: Any, path: Path) -> None:
    holder = _holder(document, path)
    holder[path[-1]] = [holder[path[-1]]]


def _reverse(document: Any, path: Path) -> None:
    holder, last = _holder(document, path), path[-1]
    if isinstance(holder[last], list):
        holder[last].reverse()
    elif isinstance(holder[last], dict):
        holder[last] = dict(reversed(holder[last].items()))


CHANGES: tuple[Callable[[Any, Path], None], ...] = (
    _remove, _double, _wrap, _reverse, *map(_put, VALUES),
)  # fmt: skip


def mutant(document: Any, path: Path, change: int) -> str:
    """Return the JSON of a document with one of ``len(CHANGES) + len(RAW)`` changes at a place."""
    changed = copy.deepcopy(document)
    if change < len(CHANGES):
        CHANGES[change](changed, path)
        return json.dumps(changed)
    _put(MARK)(changed, path)
    return json.dumps(changed).replace(json.dumps(MARK), RAW[change - len(CHANGES)])


NUMBER = len(CHANGES) + len(RAW)

"""The JSON of a saved result: read, and refused where it is none."""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from pathlib import Path
from typing import Any

from deadheat.errors import DataError, UsageError, listed, quoted
from deadheat.files import reads
from deadheat.memory import readable, require
from deadheat.schemas.registry import schemas
from deadheat.schemas.schema import TOP, Schema
from deadheat.text import cut, visible
from deadheat.version import __version__

NAME = re.compile(r"(deadheat\.[a-z-]+)/([1-9][0-9]{0,5})")
LARGEST, MOST_DIGITS = 1e300, 300  # the difference of two such numbers is still one
DEEPEST = 40
PER_BYTE = 10  # of memory, for a byte of a document
LONGEST_VERSION = 24
MAKE = "write one with --json, or with the to_json() of a result."
AGAIN = "make the result again, with --json or to_json()."


def document_of(source: object) -> tuple[str, dict[str, Any]]:
    """Return where a document comes from, in words, and the document itself."""
    where, text = _text(source)
    return where, _document(where, text)


def _text(source: object) -> tuple[str, str]:
    """Return where a document comes from, in words, and its text."""
    if isinstance(source, bytes):
        return "the text", _decoded(source, "the text")
    if isinstance(source, str) and (source.lstrip("\ufeff \t\r\n")[:1] in ("{", "[", "")):
        return "the text", source.removeprefix("\ufeff")
    if not isinstance(source, str | os.PathLike):
        raise UsageError(
            f"a {type(source).__name__} is no saved result.", hint="give a path, or the JSON text."
        )
    path = Path(source)
    reads(path, "the saved result")
    size = path.stat().st_size if path.is_file() else 0
    require(size * PER_BYTE, f"{path.name} has {readable(size)}")
    try:
        content = path.read_bytes()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise DataError(
            f"cannot read {quoted(path)}: {reason or error}.", hint="name a file that --json wrote."
        ) from None
    return path.name, _decoded(content, path.name)


def _decoded(content: bytes, where: str) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DataError(
            f"{where} is no text in UTF-8: byte {error.start + 1} is wrong.", hint=MAKE
        ) from None


def _document(where: str, text: str) -> dict[str, Any]:
    """Return a document that has what its schema describes; refuse anything else."""
    try:
        document = json.loads(
            text,
            parse_constant=_refuse_constant,
            parse_float=_float,
            parse_int=_int,
            object_pairs_hook=_object,
        )
    except RecursionError:
        raise DataError(f"{where} is nested too deeply for a saved result.", hint=MAKE) from None
    except _RefusedError as error:
        raise DataError(f"{where}: {error}.", hint=MAKE) from None
    except ValueError as error:
        raise DataError(f"{where} is no JSON: {error}.", hint=_cut_short(text)) from None
    _require_shallow(where, document)
    schema = _schema(where, document)
    wrong = next((fault for fault in schema.faults(document) if not fault.foreign), None)
    if wrong is not None:
        raise DataError(f"{where}: {wrong}.", hint=remedy(document, missing=wrong.missing))
    foreign = [quoted(name) for name in document if name not in TOP]
    if foreign:
        raise DataError(f"{where}: {listed(foreign)}: no key of a result.", hint="leave it out.")
    return dict(document)


def remedy(document: dict[str, Any], *, missing: bool = False) -> str:
    """Return the next step where a document is not as this version writes it."""
    made = document.get("made")
    version = made.get("version") if isinstance(made, dict) else None
    if isinstance(version, str) and version != __version__:
        writer = cut(visible(version), LONGEST_VERSION)
        return f"deadheat {writer} wrote it, and this is {__version__}: {AGAIN}"
    return f"perhaps another version of deadheat wrote it: {AGAIN}" if missing else MAKE


def _schema(where: str, document: Any) -> Schema:
    """Return the schema that a document names."""
    name = document.get("schema") if isinstance(document, dict) else None
    found = NAME.fullmatch(name) if isinstance(name, str) else None
    if found is None:
        said = f": its schema is {quoted(name)}" if name is not None else ": it names no schema"
        raise DataError(f"{where} was not written by deadheat{said}.", hint=MAKE)
    _require_known(where, found[0], found[1], int(found[2]))
    return schemas()[found[0]]


def _require_shallow(where: str, document: Any) -> None:
    """Refuse what is nested deeper than any result: walking through it would not end well."""
    level: list[Any] = [[document]]
    for _ in range(DEEPEST + 1):
        inside = (each.values() if isinstance(each, dict) else each for each in level)
        level = [item for items in inside for item in items if isinstance(item, dict | list)]
        if not level:
            return
    raise DataError(f"{where} is nested too deeply for a saved result.", hint=MAKE)


def _require_known(where: str, name: str, kind: str, version: int) -> None:
    known = schemas()
    if name in known:
        return
    if f"{kind}/1" in known and version > 1:
        raise DataError(
            f"{where} has the schema {name}, and this deadheat knows {kind}/1.",
            hint="a newer deadheat wrote it: upgrade, or make the result again.",
        )
    raise DataError(
        f"{where} has the unknown schema {quoted(name)}.", hint=f"known: {', '.join(known)}."
    )


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


def _cut_short(text: str) -> str:
    if text.lstrip().startswith("{") and not text.rstrip().endswith("}"):
        return "it ends in the middle: was it cut short? " + MAKE
    return MAKE

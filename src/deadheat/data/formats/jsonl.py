"""JSON: one object per line, or one array of objects."""

from __future__ import annotations

import io
import json
import re
import shlex
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import Any

from deadheat.core.errors import DataError, bare, listed, quoted
from deadheat.core.memory import budget, readable, too_large
from deadheat.data.formats.text import encoding_of
from deadheat.data.reading.options import Options
from deadheat.data.reading.source import (
    LINE,
    Block,
    Source,
    Stream,
    column_of,
    in_lines,
    rows_per_block,
)

title = "JSON lines"
suffixes = (".jsonl", ".ndjson", ".json", ".jsonlines")
magic: tuple[bytes, ...] = ()
opening = (b'{"', b"[{", b"[\n", b"[ ", b"{ ")
understands = ("encoding",)

OBJECTS_WITH_ALL_KEYS = 1_000
CHARACTERS_PER_OBJECT = 40  # a guess that only bounds a block
CHUNK = 1 << 20
TOKEN = 16  # characters: an error so near to the end may come from where the text is cut
EXPECTED = "one JSON object per line, or one array of objects, is expected."
_BLANKS = re.compile(r"[ \t\r\n]*")


def open_stream(source: Source, options: Options) -> Stream:
    encoding = encoding_of(source, "utf-8-sig" if options.encoding is None else options.encoding)
    array = source.head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"[")
    below = source.handle if array else in_lines(source)
    text = io.TextIOWrapper(below, encoding=encoding)
    items = enumerate(_Items(text, source.name), start=1)
    objects = (
        ((k, _object(item, f"{source.name}: row {k:,}")) for k, item in items)
        if array
        else _lines(text, source)
    )
    first = list(islice(objects, OBJECTS_WITH_ALL_KEYS))
    if not first:
        raise DataError(f"{source.name} is empty.", hint="one JSON object per line is expected.")
    if not array and len(first) == 1:
        item = first[0][1]
        if any(isinstance(value, dict | list) for value in item.values()):
            raise _document(item, source)
    columns = list(dict.fromkeys(key for _, item in first for key in item))
    unit = "row" if array else "line"
    return Stream(
        source=source.name,
        columns=columns,
        blocks=_blocks(chain(first, objects), columns, f"{source.name}: {unit}"),
        unit=unit,
        facts=(*source.facts, ("format", "JSON array" if array else "JSON lines")),
    )


def _lines(text: Iterable[str], source: Source) -> Iterator[tuple[int, dict[str, Any]]]:
    name = source.name
    for number, line in enumerate(text, start=1):
        if not line.strip():
            continue
        try:
            item = json.loads(line)
        except (ValueError, RecursionError) as error:
            if number == 1:
                _refuse_document(line, text, source)
            raise DataError(
                f"{name}: line {number:,} is no JSON ({_reason(error)}).", hint=EXPECTED
            ) from None
        yield number, _object(item, f"{name}: line {number:,}")


def _refuse_document(line: str, rest: Iterable[str], source: Source) -> None:
    """Refuse one object over several lines as what it is; other text is none of it."""
    lines, room = [line], LINE * budget()
    for more in rest:
        lines.append(more)
        room -= len(more)
        if room < 0:
            return
    try:
        item = json.loads("".join(lines))
    except (ValueError, RecursionError):
        return
    if isinstance(item, dict):
        raise _document(item, source)


def _document(item: dict[str, Any], source: Source) -> DataError:
    kind, hint = "", EXPECTED
    columns = list(item.values())  # of a DataFrame: objects with the same keys
    if str(item.get("schema", "")).startswith("deadheat."):
        path = shlex.quote(str(source.path or source.name))
        kind, hint = " It was saved by deadheat.", f"look at it: deadheat show {path}"
    elif "results" in item and item.keys() & {"versions", "configs", "config", "n-shot"}:
        kind = " It looks like a result of lm-evaluation-harness."
        hint = "make a table of such files: one row per model and one column per task."
    elif item.keys() >= {"columns", "data"} or all(
        isinstance(each, dict) and each.keys() == columns[0].keys() for each in columns
    ):
        kind, hint = " It looks like a DataFrame of pandas.", "write it with orient='records'."
    keys = listed(map(bare, item), most=4)
    return DataError(
        f"{source.name} is one JSON object ({keys}), not rows of a table.{kind}", hint=hint
    )


class _Items:
    """The items of an array, decoded one after the other: no more is at hand than one takes."""

    def __init__(self, text: io.TextIOWrapper, name: str) -> None:
        self._text, self._name = text, name
        self._buffer, self._at, self._line, self._column = "", 0, 1, 1
        self._decode = json.JSONDecoder().raw_decode
        self._longest = int(LINE * budget())

    def __iter__(self) -> Iterator[object]:
        self._take("[")
        if self._peek() == "]":
            self._at += 1
        else:
            yield self._item()
            while self._peek() == ",":
                self._at += 1
                yield self._item()
            self._take("]")
        if self._peek():
            raise self._no_json("extra data")

    def _more(self) -> bool:
        """Read on; what is decoded already is forgotten."""
        self._line, self._column = self._place(self._at)
        self._buffer, self._at = self._buffer[self._at :], 0
        if len(self._buffer) > self._longest:
            size = readable(len(self._buffer))
            raise too_large(f"{self._name}: line {self._line:,}: an item has {size} or more")
        more = self._text.read(max(CHUNK, len(self._buffer)))
        self._buffer += more
        return bool(more)

    def _place(self, at: int) -> tuple[int, int]:
        lines, last = self._buffer.count("\n", 0, at), self._buffer.rfind("\n", 0, at)
        return self._line + lines, at - last if lines else self._column + at

    def _peek(self) -> str:
        while True:
            found = _BLANKS.match(self._buffer, self._at)
            self._at = found.end() if found else self._at
            if self._at < len(self._buffer):
                return self._buffer[self._at]
            if not self._more():
                return ""

    def _take(self, sign: str) -> None:
        if self._peek() != sign:
            raise self._no_json(f"expecting {sign!r}")
        self._at += 1

    def _item(self) -> object:
        self._peek()
        while True:
            try:
                item, end = self._decode(self._buffer, self._at)
            except json.JSONDecodeError as error:
                place = error.pos - self._at
                cut = error.pos > len(self._buffer) - TOKEN or error.msg.startswith("Unterminated")
                if cut and self._more():
                    continue
                raise self._no_json(error.msg, self._at + place) from None
            except (ValueError, RecursionError) as error:
                raise self._no_json(_reason(error)) from None
            if end == len(self._buffer) and self._more():
                continue  # a number may go on
            self._at = end
            return item

    def _no_json(self, reason: str, at: int | None = None) -> DataError:
        line, column = self._place(self._at if at is None else at)
        said = f"{reason[:1].lower()}{reason[1:]} at character {column:,}"
        return DataError(
            f"{self._name}: line {line:,} is no JSON ({said}).", hint="is the file whole?"
        )


def _reason(error: ValueError | RecursionError) -> str:
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    if not isinstance(error, json.JSONDecodeError):
        return "a number has thousands of digits"
    return f"{error.msg[:1].lower()}{error.msg[1:]} at character {error.colno:,}"


def _object(item: object, place: str) -> dict[str, Any]:
    if isinstance(item, dict):
        return item
    raise DataError(
        f"{place} is {quoted(json.dumps(item))}, not an object.",
        hint='each row is an object such as {"model": "svm", "iris": 0.9}.',
    )


def _blocks(
    objects: Iterator[tuple[int, dict[str, Any]]], columns: list[str], place: str
) -> Iterator[Block]:
    known = set(columns)
    size = rows_per_block(len(columns), CHARACTERS_PER_OBJECT * len(columns))
    while chunk := list(islice(objects, size)):
        for number, item in chunk:
            if not known.issuperset(item):
                new = next(key for key in item if key not in known)
                raise DataError(
                    f"{place} {number:,} has the key {quoted(new)}, which no earlier row has.",
                    hint=f"name every key within the first {OBJECTS_WITH_ALL_KEYS:,} rows; "
                    "null means missing.",
                )
        cells = [[item.get(key) for _, item in chunk] for key in columns]
        texts = [[json.dumps(c) if isinstance(c, dict | list) else c for c in k] for k in cells]
        yield Block([number for number, _ in chunk], [column_of(column) for column in texts])

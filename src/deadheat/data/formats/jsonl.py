"""JSON: one object per line, or one array of objects."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator
from itertools import chain, islice
from typing import Any

from deadheat.core.errors import DataError, ask, bare, listed, quoted
from deadheat.core.memory import budget, readable, too_large
from deadheat.data.formats import reads_format
from deadheat.data.formats.text import encoding_of
from deadheat.data.reading.options import Options
from deadheat.data.reading.source import LINE, Row, Source, Stream, blocks_of, in_lines

OBJECTS_WITH_ALL_KEYS = 1_000
CHARACTERS_PER_OBJECT = 40  # a guess that only bounds a block
CHUNK = 1 << 20
TOKEN = 16  # characters: an error so near to the end may come from where the text is cut
EXPECTED = "one JSON object per line, or one array of objects, is expected."
_BLANKS = re.compile(r"[ \t\r\n]*")


@reads_format(
    "jsonl",
    "JSON lines",
    suffixes=(".jsonl", ".ndjson", ".json", ".jsonlines"),
    opening=(b'{"', b"[{", b"[\n", b"[ ", b"{ "),
    understands=("encoding",),
    generic=True,
)
def read_jsonl(source: Source, options: Options) -> Stream:
    encoding = encoding_of(source, "utf-8-sig" if options.encoding is None else options.encoding)
    array = source.head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"[")
    text = io.TextIOWrapper(source.handle if array else in_lines(source), encoding=encoding)
    items = enumerate(_Items(text, source.name), start=1) if array else _lines(text, source)
    place = f"{source.name}: {'row' if array else 'line'}"
    first = [(k, _object(item, k, place)) for k, item in islice(items, OBJECTS_WITH_ALL_KEYS)]
    if not first:
        raise DataError(f"{source.name} is empty.", hint="one JSON object per line is expected.")
    if not array and len(first) == 1:
        item = first[0][1]
        if any(isinstance(value, dict | list) for value in item.values()):
            raise _document(item, source)
    columns = list(dict.fromkeys(key for _, item in first for key in item))
    rows = _rows(chain(first, items), columns, place)
    return Stream(
        source=source.name,
        columns=columns,
        blocks=blocks_of(rows, len(columns), CHARACTERS_PER_OBJECT * len(columns)),
        unit="row" if array else "line",
        facts=(*source.facts, ("format", "JSON array" if array else "JSON lines")),
    )


def _lines(text: io.TextIOWrapper, source: Source) -> Iterator[tuple[int, object]]:
    for number, line in enumerate(text, start=1):
        if not line.strip():
            continue
        try:
            item = json.loads(line)
        except (ValueError, RecursionError) as error:
            if number == 1:
                _refuse_document(line, text, source)
            column = error.colno if isinstance(error, json.JSONDecodeError) else 0
            raise _no_json(source.name, number, error, column, EXPECTED) from None
        yield number, item


def _no_json(name: str, line: int, why: object, column: int, hint: str) -> DataError:
    reason = why.msg if isinstance(why, json.JSONDecodeError) else str(why)
    reason = f"{reason[:1].lower()}{reason[1:]} at character {column:,}"
    if isinstance(why, RecursionError):
        reason = "it is nested too deeply"
    elif isinstance(why, ValueError) and not isinstance(why, json.JSONDecodeError):
        reason = "a number has thousands of digits"
    return DataError(f"{name}: line {line:,} is no JSON ({reason}).", hint=hint)


def _refuse_document(line: str, rest: io.TextIOWrapper, source: Source) -> None:
    """Refuse one object over several lines as what it is; other text is none of it."""
    most = int(LINE * budget())
    text = line + rest.read(most + 1)
    try:
        item = json.loads(text) if len(text) <= most + len(line) else None
    except (ValueError, RecursionError):
        return
    if isinstance(item, dict):
        raise _document(item, source)


def _document(item: dict[str, Any], source: Source) -> DataError:
    kind, hint = "", EXPECTED
    columns = list(item.values())  # of a DataFrame: objects with the same keys
    if str(item.get("schema", "")).startswith("deadheat."):
        hint = f"look at it: {ask('show', str(source.path or source.name))}"
        kind = " It was saved by deadheat."
    elif item.keys() >= {"columns", "data"} or all(
        isinstance(each, dict) and each.keys() == columns[0].keys() for each in columns
    ):
        kind, hint = " It looks like a DataFrame of pandas.", "write it with orient='records'."
    keys = listed(map(bare, item), most=4)
    fact = f"{source.name} is one JSON object ({keys}), not rows of a table.{kind}"
    return DataError(fact, hint=hint)


class _Items:
    """The items of an array, decoded one after the other: no more is at hand than one takes."""

    def __init__(self, text: io.TextIOWrapper, name: str) -> None:
        self._text, self._name = text, name
        self._buffer, self._at, self._line, self._column = "", 0, 1, 1
        self._decode = json.JSONDecoder().raw_decode
        self._longest = int(LINE * budget())

    def __iter__(self) -> Iterator[object]:
        self._take("[")
        more = self._peek() != "]"
        while more:
            yield self._item()
            more = self._peek() == ","
            self._at += more
        self._take("]")
        if self._peek():
            raise self._error("extra data")

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

    def _error(self, why: object, at: int | None = None) -> DataError:
        line, column = self._place(self._at if at is None else at)
        return _no_json(self._name, line, why, column, "is the file whole?")

    def _peek(self) -> str:
        while True:
            blanks = _BLANKS.match(self._buffer, self._at)
            self._at = blanks.end() if blanks else self._at
            if self._at < len(self._buffer):
                return self._buffer[self._at]
            if not self._more():
                return ""

    def _take(self, sign: str) -> None:
        if self._peek() != sign:
            raise self._error(f"expecting {sign!r}")
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
                raise self._error(error, self._at + place) from None
            except (ValueError, RecursionError) as error:
                raise self._error(error) from None
            if end == len(self._buffer) and self._more():
                continue  # a number may go on
            self._at = end
            return item


def _object(item: object, number: int, place: str) -> dict[str, Any]:
    if isinstance(item, dict):
        return item
    fact = f"{place} {number:,} is {quoted(json.dumps(item))}, not an object."
    raise DataError(fact, hint='each row is an object such as {"model": "svm", "iris": 0.9}.')


def _rows(items: Iterator[tuple[int, object]], columns: list[str], place: str) -> Iterator[Row]:
    known = set(columns)
    for number, each in items:
        item = _object(each, number, place)
        if not known.issuperset(item):
            new = next(key for key in item if key not in known)
            fact = f"{place} {number:,} has the key {quoted(new)}, which no earlier row has."
            hint = (
                f"name every key in the first {OBJECTS_WITH_ALL_KEYS:,} rows; null means missing."
            )
            raise DataError(fact, hint=hint)
        cells = map(item.get, columns)
        yield number, [json.dumps(c) if isinstance(c, dict | list) else c for c in cells]

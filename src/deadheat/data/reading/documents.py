"""What formats share: a whole text, JSON or XML within the budget, files of a folder, rows."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count, islice
from typing import Any, NamedTuple
from xml.parsers import expat

from deadheat.core.errors import DataError, counted, first_sentence
from deadheat.core.memory import Meter
from deadheat.data.reading.source import (
    GET_AGAIN,
    Block,
    Row,
    Source,
    Stream,
    blocks_of,
    complaints,
    in_lines,
    whole,
)

TEXT = 1 / 20  # of the budget: a text as it is, of which many objects are made
DEEPEST = 100  # level of a document
MOST_NUMBER = 1e300
CELL = 100  # bytes that a cell of Python takes
WHOLE = re.compile(r"[1-9]\d{0,8}(?:\.0*)?", re.ASCII)  # a rank
ENCODINGS = ("utf-8-sig", "cp1252", "latin-1")


def text_in(source: Source, encoding: str | None = None) -> str:
    """Return all of a source as text: UTF-8, else Western, unless an encoding is said."""
    data = whole(source, TEXT)
    marked = data[:2] in (b"\xff\xfe", b"\xfe\xff")
    if encoding is not None or marked:
        with complaints(source.name):
            return data.decode(encoding or "utf-16")
    for each in ENCODINGS[:-1]:
        try:
            return data.decode(each)
        except UnicodeDecodeError:
            continue
    return data.decode(ENCODINGS[-1])


def json_in(source: Source) -> Any:
    """Return the document of a JSON file; refuse what is no JSON, nested too deeply or cut."""
    try:
        return json.loads(text_in(source))
    except RecursionError:
        why = "it is nested too deeply"
    except json.JSONDecodeError as error:
        why = f"{error.msg[:1].lower()}{error.msg[1:]} in line {error.lineno:,}"
    except ValueError:
        why = "a number has thousands of digits"
    raise DataError(f"{source.name} is no JSON ({why}).", hint=f"mend it, or {GET_AGAIN}")


def objects_in(source: Source) -> Iterator[dict[str, Any]]:
    """Yield the objects of JSON lines, or of one array, or the only object of a file."""
    if source.head.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] == b"[":
        yield from filter(_is_object, json_in(source))
        return
    for number, line in enumerate(in_lines(source), start=1):
        if not line.strip():
            continue
        try:
            item = json.loads(line)
        except RecursionError:
            why = "it is nested too deeply"
        except ValueError as error:  # also bytes that are no UTF-8
            why = first_sentence(error)
        else:
            if _is_object(item):
                yield item
                continue
            why = "it holds no object"
        fact = f"{source.name}: line {number:,} cannot be read ({why})."
        raise DataError(fact, hint="a line holds one JSON object.")


def _is_object(item: Any) -> bool:
    return isinstance(item, dict)


def number_of(value: Any) -> float | None:
    """Return a number of JSON, or None: ``N/A``, lists, and what is not finite."""
    if not isinstance(value, int | float) or not -MOST_NUMBER < value < MOST_NUMBER:
        return None
    return float(value)


def at(item: Any, *keys: str) -> Any:
    """Return what stands below keys, one inside the other; None where there is nothing."""
    for key in keys:
        item = item.get(key) if isinstance(item, dict) else None
    return item


def many(item: Any, *keys: str) -> list[Any]:
    """Return the list below keys; an empty one where there is none."""
    found = at(item, *keys)
    return found if isinstance(found, list) else []


@dataclass
class Element:
    """An element of XML: its tag, attributes, text directly inside, and elements inside."""

    tag: str
    attributes: dict[str, str] = field(default_factory=dict)
    text: str = ""
    inside: list[Element] = field(default_factory=list)

    def find(self, tag: str) -> Iterator[Element]:
        """Yield the elements of a tag on any level below, in order."""
        below = [*reversed(self.inside)]
        while below:
            each = below.pop()
            if each.tag == tag:
                yield each
            below += reversed(each.inside)


def xml_in(source: Source) -> Element:
    """Return the root of an XML file; entities of its own are refused, and too deep nesting."""
    root = Element("")
    path, meter, parser = [root], Meter(source.name), expat.ParserCreate()

    def start(tag: str, attributes: dict[str, str]) -> None:
        if len(path) > DEEPEST:
            raise DataError(f"{source.name} is nested too deeply.", hint="a table is flat.")
        meter.add(CELL * (4 + len(attributes)))
        path[-1].inside.append(Element(tag, attributes))
        path.append(path[-1].inside[-1])

    def text(data: str) -> None:
        path[-1].text += data

    def entity(*_: object) -> None:
        fact = f"{source.name} declares entities of its own, which are not read."
        raise DataError(fact, hint="save it without them.")

    parser.StartElementHandler, parser.EndElementHandler = start, lambda _: path.pop()
    parser.CharacterDataHandler, parser.EntityDeclHandler = text, entity
    parser.buffer_text = True
    try:
        parser.Parse(whole(source, TEXT), True)  # noqa: FBT003
    except expat.ExpatError as error:
        why = first_sentence(error)
        fact = f"{source.name} is no readable XML ({why})."
        raise DataError(fact, hint=f"mend it, or {GET_AGAIN}") from None
    return root.inside[0]


def files_in(source: Source, wanted: Callable[[str], object]) -> Iterator[tuple[str, Source]]:
    """Yield the files of a folder, archive or list whose names are wanted; a single file itself."""
    if source.listing is None:
        yield source.name, source
        return
    for name in filter(wanted, source.listing):
        with source.open(name) as part, complaints(name):
            yield name, part


LOOKED_AT = 20  # files of a folder, until one tells its format


def holding(source: Source, wanted: Callable[[str], object], known: Callable[[Source], Any]) -> str:
    """Return which file tells the format of a folder, archive or list, in words; else nothing."""
    for name in islice(filter(wanted, source.listing or ()), LOOKED_AT):
        with source.open(name) as part:
            if known(part):
                return f"it holds {name}"
    return ""


def is_json(name: str) -> bool:
    return name.endswith((".json", ".json.gz"))


def rows_of(table: Stream) -> Iterator[tuple[int, tuple[str | None, ...]]]:
    """Yield the rows of a table, each with the place where it stands."""
    for block in table.blocks:
        columns = [block.text(k) for k in range(len(table.columns))]
        yield from zip(block.lines, zip(*columns, strict=True), strict=True)


def remembered(table: Stream, *names: str) -> tuple[Stream, list[tuple[str, ...]]]:
    """Return a table as it is, and the texts of some of its columns, row by row."""
    meter, blocks, rows = Meter(table.source), [], list[tuple[str, ...]]()
    places = [table.columns.index(name) for name in names]
    for block in table.blocks:
        blocks.append(block)
        meter.add(CELL * block.size * len(table.columns))
        texts = ([(cell or "").strip() for cell in block.text(k)] for k in places)
        rows += zip(*texts, strict=True)
    return replace(table, blocks=iter(blocks)), rows


def ways_by(
    table: Stream, judge: str, metric: str, lower: Callable[[str], bool | None]
) -> tuple[Stream, dict[str, str]]:
    """Return a table as it is, and the direction of each judge by the metric in another column.

    Nothing is said of any where a metric is not known, or where a judge has two that differ. A row
    without a metric, of a run that failed, says nothing.
    """
    table, rows = remembered(table, judge, metric)
    known: dict[str, set[bool | None]] = {}
    for name, called in dict.fromkeys(rows):
        known.setdefault(name, set()).update([lower(called)] if called else [])
    sure = all(len(ways) == 1 and None not in ways for ways in known.values())
    pairs = ((name, "lower" if True in ways else "higher") for name, ways in known.items())
    return table, dict(pairs) if sure else {}


def official_by(table: Stream, candidate: str, rank: str) -> tuple[Stream, dict[str, float]]:
    """Return a table as it is, and the official rank of each candidate; nothing if not clear."""
    table, rows = remembered(table, candidate, rank)
    found = {name: float(place) for name, place in rows if WHOLE.fullmatch(place)}
    return table, found if len(found) == len({*rows}) else {}


def apart(table: Stream, name: str, key: str) -> Stream:
    """Return a table where those who share a name have their keys behind it."""
    table, rows = remembered(table, name, key)
    shown, k = shown_names({key: name for name, key in rows}), table.columns.index(name)
    if len({*rows}) == len({name for name, _ in rows}):
        return table
    labels = (shown[key] for _, key in rows)
    blocks = (
        Block(each.lines, [[*islice(labels, each.size)] if i == k else each.column(i)
                           for i in range(len(table.columns))])
        for each in table.blocks
    )  # fmt: skip
    return replace(table, blocks=blocks)


def shown_names(names: Mapping[str, str]) -> dict[str, str]:
    """Return the name to show for each key: with the key behind it where several share one.

    >>> shown_names({"1": "fox", "2": "fox", "3": "owl", "4": ""})
    {'1': 'fox (1)', '2': 'fox (2)', '3': 'owl', '4': '4'}
    """
    times = Counter(names.values())
    alone = {key: name for key, name in names.items() if times[name] == 1 and name}
    return {k: alone.get(k) or (f"{name} ({k})" if name else k) for k, name in names.items()}


def one_way(ways: Mapping[str, str]) -> dict[str, Any]:
    """Return a direction for all judges as an option has it, in one word where they agree."""
    words = set(ways.values())
    return {"better": words.pop() if len(words) == 1 else dict(ways)} if ways else {}


def stating(table: Stream, **states: Any) -> Stream:
    """Return a table that states options; None and what is empty is not stated."""
    return replace(table, states={k: v for k, v in states.items() if v not in (None, "", (), {})})


def stream(
    source: Source,
    columns: Sequence[str],
    rows: Iterable[Sequence[Any]],
    *,
    states: Mapping[str, Any] | None = None,
    unit: str = "row",
    **more: Any,
) -> Stream:
    """Return rows of cells (texts, numbers, None) as a stream; ``states`` is what the file says.

    Rows may be pairs (place, cells) where ``unit`` says what a place counts; else they count.
    """
    placed: Any = rows if unit != "row" else zip(count(1), rows, strict=False)
    body: Iterator[Row] = iter(placed)
    return Stream(
        source=source.name,
        columns=list(columns),
        blocks=blocks_of(body, len(columns)),
        unit=unit,
        facts=(*source.facts, *more.pop("facts", ())),
        states=dict(states or {}),
        **more,
    )


class Score(NamedTuple):
    """What an evaluation measured of a model: on a task, or on an item of one."""

    model: str
    task: str
    item: str
    metric: str  # with its filter, unless that is none
    value: float | None
    error: float | None
    higher: bool | None

    @property
    def unit(self) -> str:
        return f"{self.task} {self.item}".strip()


def of_scores(
    source: Source, scores: Sequence[Score], notes: tuple[str, ...] = (), *, newest: bool = False
) -> Stream:
    """Return scores as a table, whose judges are metrics where tasks have several.

    ``newest``: files stand in the order of their dates, and what was measured again counts once.
    """
    if not scores:
        raise DataError(f"{source.name} holds no scores.", hint="was the evaluation finished?")
    last = {(s.model, s.unit, s.metric): s for s in scores}
    if newest and len(last) < len(scores):
        more = counted(len(scores) - len(last), "score")
        notes = (*notes, f"{more} measured again: those of the last file count.")
        scores = [*last.values()]
    units, pairs = {s.unit for s in scores}, {(s.unit, s.metric) for s in scores}
    several, items = len(pairs) > len(units), any(s.item for s in scores)
    names = {(unit, metric): f"{unit} {metric}" if several else unit for unit, metric in pairs}
    ways: dict[str, set[bool | None]] = {}
    for each in scores:
        ways.setdefault(names[each.unit, each.metric], set()).add(each.higher)
    noun = "item" if items else "task"
    nouns = {"candidate": "model", "judge": "metric" if several else noun, "cluster": noun}
    states: dict[str, Any] = {"layout": "long", "candidate": "model", "judge": noun}
    states |= {"score": "score", "noun": nouns} | ({"cluster": "of"} if several else {})
    states |= {"stratum": "task"} if items and len({s.task for s in scores}) > 1 else {}
    states |= {"standard_error": "stderr"} if any(s.error for s in scores) else {}
    if all(len(found) == 1 and None not in found for found in ways.values()):
        states |= one_way({k: "higher" if True in way else "lower" for k, way in ways.items()})
    error = "standard_error" in states
    others = (("stderr", "error", error), ("of", "unit", several), ("task", "task", items))
    fields = {name: attribute for name, attribute, there in others if there}
    columns = ["model", noun, "score", *fields]
    rows = ([s.model, names[s.unit, s.metric], s.value, *(getattr(s, k) for k in fields.values())]
            for s in scores)  # fmt: skip
    return stream(source, columns, rows, states=states, notes=notes)

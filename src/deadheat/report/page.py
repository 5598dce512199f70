"""The page: one HTML file that asks the network for nothing."""

from __future__ import annotations

import base64
import gzip
import html
import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from importlib.resources import files
from pathlib import Path
from typing import Any

from jinja2 import Environment, FunctionLoader, StrictUndefined, pass_context
from jinja2.runtime import Context
from markupsafe import Markup

from deadheat.core.errors import bare, counted, visible
from deadheat.core.registry import plugins
from deadheat.output.result import Result
from deadheat.output.table import Grid
from deadheat.output.text import number, percent, plain
from deadheat.report.charts import theme as vega
from deadheat.report.charts.spec import Spec, is_stiff, specified
from deadheat.report.charts.theme import config
from deadheat.report.contents import Contents
from deadheat.report.picture import Picture, drawn, in_script, policy

# ------------------------------------------------------------------------------
# Names that are written from right to left, inside sentences that are not.

FIRST_STRONG, END = "\u2068", "\u2069"
MOST = 2_000  # names that are looked for


def isolating(names: Iterable[str]) -> Callable[[str], str]:
    """Return what encloses such names in a text, so that they move nothing beside them.

    Without that a browser shows ``A (1), B (2)`` as ``A (1), (2) B`` where both are Hebrew.

    >>> isolating(["x", "אב"])("x (1), אב (2)") == "x (1), \u2068אב\u2069 (2)"
    True
    """
    turned = [name for name in names if _is_right_to_left(name)][:MOST]
    forms = {visible(form) for name in turned for form in (name, bare(name))}
    if not forms:
        return lambda text: text
    any_of = re.compile("|".join(map(re.escape, sorted(forms, key=len, reverse=True))))
    return lambda text: any_of.sub(lambda found: f"{FIRST_STRONG}{found[0]}{END}", text)


def _is_right_to_left(name: str) -> bool:
    return not name.isascii() and any(unicodedata.bidirectional(c) in ("R", "AL") for c in name)


# ------------------------------------------------------------------------------
# How many bytes the parts of a page may take, so that their sum is bounded whatever the data.

LARGEST_JSON = 1_000_000  # characters of a result inside the JSON of the whole


def packed(text: str) -> str:
    """Return a text as gzip in base64, a fraction of its size; browsers unpack it."""
    written = text.encode("utf-8", "backslashreplace")
    return base64.b64encode(gzip.compress(written, 6, mtime=0)).decode()


def shares(sizes: Mapping[str, int], room: int) -> dict[str, int]:
    """Return how much of the room each may take: small ones all they need, large ones the same.

    >>> shares({"a": 10, "b": 500, "c": 900}, 1000)
    {'a': 10, 'b': 495, 'c': 495}
    """
    found: dict[str, int] = {}
    left = max(room, 0)
    for k, name in enumerate(sorted(sizes, key=sizes.__getitem__)):
        found[name] = min(sizes[name], left // (len(sizes) - k))
        left -= found[name]
    return {name: found[name] for name in sizes}


def too_large(sizes: Mapping[str, int], room: int) -> list[str]:
    """Return the largest, as many as must go so that the others have room.

    >>> too_large({"a": 10, "b": 500, "c": 900}, 600)
    ['c']
    """
    left = sum(sizes.values())
    gone: list[str] = []
    for name in sorted(sizes, key=sizes.__getitem__, reverse=True):
        if left > room:
            gone.append(name)
            left -= sizes[name]
    return gone


def first_lines(text: str, most: int) -> str:
    """Return the whole lines at the beginning of a text, of at most so many characters."""
    return text if len(text) <= most else text[: text.rfind("\n", 0, max(most, 0)) + 1]


def packed_lines(text: str, room: int) -> tuple[str, bool]:
    """Return as many first lines as have room when packed, and whether any are missing."""
    kept, found = text, packed(text)
    while len(found) > room and kept:
        kept = first_lines(kept, min(len(kept) - 1, len(kept) * room // len(found)))
        found = packed(kept)
    return (found if kept else ""), kept != text


def packed_whole(whole: dict[str, Any], room: int) -> tuple[str, list[str]]:
    """Return the JSON of everything as it has room, and whose results are shortened in it."""
    results: dict[str, Any] = whole["facts"]["results"]
    found = ""
    for limit in (LARGEST_JSON, LARGEST_JSON // 8, LARGEST_JSON // 64, 0):
        results = {name: shortened(each, limit) for name, each in results.items()}
        facts = {**whole["facts"], "results": results}
        written = json.dumps({**whole, "facts": facts}, indent=2, allow_nan=False) + "\n"
        found = packed(written)
        if len(found) <= room:
            return found, [name for name, each in results.items() if each.get("shortened")]
    return "", list(results)


def shortened(told: dict[str, Any], most: int) -> dict[str, Any]:
    """Return the JSON of a result; of one of over ``most`` characters the first rows, said so."""
    size = len(json.dumps(told))
    if size <= most:
        return told
    rows = told["rows"]
    kept = len(rows) * most // (2 * size)
    cautions = [*told["warnings"], f"{len(rows) - kept:,} further rows are left out of a report."]
    found = {**told, "rows": rows[:kept], "shortened": True, "warnings": cautions}
    if len(json.dumps(found)) > most:
        found["facts"] = {}
        cautions.append("Its facts are left out of a report.")
    return found


# ------------------------------------------------------------------------------
# What a page is made of: sections, each with a sentence, pictures, tables and notes.

WIDTH = 720  # pixels of a picture on a page
NARROW = 330  # on a small screen, of those that cannot just be made narrower
LARGEST_CSV = 1_000_000  # characters of a table that a page holds


@dataclass(frozen=True, eq=False, kw_only=True)
class Table:
    """Hold a table of a page: its name, what it shows, and the result that is downloaded.

    ``shown`` is what people read; None where it is only there to be downloaded. A ``folded`` table
    is opened by a click.
    """

    name: str
    title: str
    result: Result
    shown: Grid | None = None
    folded: bool = False

    @cached_property
    def csv(self) -> str:
        """What is downloaded: the table as CSV; of a large one the first rows."""
        return first_lines(self._whole, LARGEST_CSV)

    @property
    def is_cut(self) -> bool:
        """Whether the download holds only the first rows."""
        return len(self.csv) < len(self._whole)

    @cached_property
    def _whole(self) -> str:
        return self.result.to_csv()


@dataclass(frozen=True, eq=False, kw_only=True)
class Section:
    """Hold a section of a page; ``template`` draws it, and ``extra`` is what that one needs."""

    name: str
    title: str
    sentence: str
    pictures: tuple[Picture, ...] = ()
    tables: tuple[Table, ...] = ()
    notes: tuple[str, ...] = ()
    template: str = "section.html.j2"
    extra: dict[str, Any] = field(default_factory=dict)


Tell = Callable[[Contents], Section | None]
_known: dict[int, Tell] = {}


def tells(place: int) -> Callable[[Tell], Tell]:
    """Register a function as the section that stands at a place; None means: does not apply."""

    def decorate(tell: Tell) -> Tell:
        return _known.setdefault(place, tell)

    return decorate


def sections(found: Contents) -> list[Section]:
    plugins("deadheat.report.sections")
    told = (_known[place](found) for place in sorted(_known))
    return [section for section in told if section is not None]


def pictures(result: Any, names: Iterable[str]) -> tuple[Picture, ...]:
    """Return the pictures of a result by these names; of no result there are none.

    A section asks for those that apply. What then fails is a defect and is raised, never hidden.
    """
    found = []
    for name in () if result is None else names:
        picture = drawn(result, name, width=WIDTH)
        if is_stiff(picture.view):
            picture = replace(picture, narrow=drawn(result, name, width=NARROW))
        found.append(picture)
    return tuple(found)


# ------------------------------------------------------------------------------

LARGEST = 4_900_000  # bytes of a page
WORDS = 1_700_000  # bytes of its text and tables
SPARE = 20_000  # bytes for what is said about the rest
ROWS = (300, 100, 30, 10)  # of a table that is shown: as many as have room
RANKED = 4  # times as many rows of the ranking
WHOLE = " the whole"  # no table is called so
HEAD = 20_000  # bytes in which a page says who wrote it
WRITTEN = re.compile(
    '<meta name="generator" content="deadheat [^>]*>.*?<title>(.*?) - deadheat report</title>',
    re.DOTALL,
)


@dataclass(frozen=True, kw_only=True)
class Held:
    """Hold what is embedded in a page, packed, and what had no room there."""

    pictures: dict[str, str] = field(default_factory=dict)
    narrow: dict[str, str] = field(default_factory=dict)
    """The pictures of small screens, where they are others."""
    narrow_words: dict[str, tuple[str, str]] = field(default_factory=dict)
    """What is said of these, where that is something else."""
    pairs: str | None = ""
    tables: dict[str, str] = field(default_factory=dict)
    whole: str = ""
    gone: tuple[str, ...] = ()
    """The kinds of pictures that are left out."""
    cut: tuple[str, ...] = ()
    """The tables of which only the first rows are held, or none."""
    shortened: tuple[str, ...] = ()
    """The results of which the JSON of the whole holds the first rows."""
    no_pairs: bool = False

    def embedded(self) -> dict[str, Any]:
        return {
            "config": {theme: config(theme) for theme in ("light", "dark")},
            "pictures": self.pictures,
            "narrow": self.narrow,
            "narrow_words": self.narrow_words,
            "tables": self.tables,
            "pairs": self.pairs,
            "whole": self.whole,
        }


def title_of(path: Path) -> str | None:
    """Return the title of a page that deadheat wrote; None of any other file."""
    if not path.is_file():
        return None
    with path.open("rb") as file:
        found = WRITTEN.search(file.read(HEAD).decode("utf-8", "replace"))
    return html.unescape(found[1]) if found else None


def page(found: Contents, told: list[Section], *, whole: dict[str, Any]) -> str:
    """Return the page with these sections; ``whole`` is what its JSON download holds.

    Text comes first; then pictures, pairs and tables get what room is left, in this order.
    """
    scripts = [vega.javascript(), _template("page.js")]
    everything = _everything(told, whole)
    for rows in ROWS:
        words = len(_rendered(found, told, everything, [], rows, "").encode(errors="replace"))
        if words <= WORDS:
            break
    themes = len(in_script(Held().embedded()))
    room = LARGEST - SPARE - words - themes - sum(map(len, scripts))
    held = _within(told, whole, everything, room)
    left = [
        replace(section, pictures=tuple(p for p in section.pictures if p.kind not in held.gone))
        for section in told
    ]
    return _rendered(found, left, held, scripts, rows, in_script(held.embedded()))


def _rendered(
    found: Contents, told: list[Section], held: Held, scripts: list[str], rows: int, data: str
) -> str:
    written: str = (
        _environment()
        .get_template("page.html.j2")
        .render(
            title=found.title,
            isolated=isolating(found.names),
            sections=told,
            held=held,
            rows=rows,
            ranked=RANKED * rows,
            style=Markup(_template("page.css")),  # noqa: S704 - a file of ours
            scripts=[Markup(script) for script in scripts],  # noqa: S704 - files of ours
            policy=policy(*scripts),
            data=Markup(data),  # noqa: S704 - escaped for scripts
            version=found.main.made["version"],
        )
    )
    return written


def _everything(told: list[Section], whole: dict[str, Any]) -> Held:
    """Return all that a page would hold if there were no end to its room."""
    paired = [s.extra["pairs"].embedded() for s in told if "pairs" in s.extra]
    tables = [table for section in told for table in section.tables]
    json_of_all, shortened = packed_whole(whole, LARGEST)
    drawn = [picture for section in told for picture in section.pictures]
    return Held(
        pictures={each.kind: _packed_spec(each.view) for each in drawn},
        narrow={each.kind: _packed_spec(each.narrow.view) for each in drawn if each.narrow},
        narrow_words={
            each.kind: (visible(each.narrow.see), visible(each.narrow.alt))
            for each in drawn
            if each.narrow and (each.narrow.see, each.narrow.alt) != (each.see, each.alt)
        },
        pairs=packed(json.dumps(paired[0], allow_nan=False)) if paired else None,
        tables={table.name: packed(table.csv) for table in tables},
        whole=json_of_all,
        cut=tuple(table.name for table in tables if table.is_cut),
        shortened=tuple(shortened),
    )


def _within(told: list[Section], whole: dict[str, Any], held: Held, room: int) -> Held:
    """Return as much of it as has room."""
    sizes = {
        kind: len(spec)
        + len(held.narrow.get(kind, ""))
        + len(in_script(held.narrow_words.get(kind, "")))
        + 3 * len(kind)
        + 24
        for kind, spec in held.pictures.items()
    }
    gone = too_large(sizes, room)
    room -= sum(size for kind, size in sizes.items() if kind not in gone)
    no_pairs = held.pairs is not None and len(held.pairs) > room
    pairs = None if no_pairs else held.pairs
    room -= len(pairs or "")
    asked = {name: len(text) + len(name) + 8 for name, text in held.tables.items()}
    allowed = shares({**asked, WHOLE: len(held.whole)}, room)
    csv = {table.name: table.csv for section in told for table in section.tables}
    tables, cut = {}, set(held.cut)
    for name, text in held.tables.items():
        tables[name], is_cut = text, False
        if allowed[name] < asked[name]:
            tables[name], is_cut = packed_lines(csv[name], allowed[name] - len(name) - 8)
        cut |= {name} if is_cut else set()
    if allowed[WHOLE] < len(held.whole):
        json_of_all, shortened = packed_whole(whole, allowed[WHOLE])
        held = replace(held, whole=json_of_all, shortened=tuple(shortened))
    return replace(
        held,
        pictures={kind: spec for kind, spec in held.pictures.items() if kind not in gone},
        narrow={kind: spec for kind, spec in held.narrow.items() if kind not in gone},
        narrow_words={kind: said for kind, said in held.narrow_words.items() if kind not in gone},
        pairs=pairs,
        tables={name: text for name, text in tables.items() if text},
        gone=tuple(gone),
        cut=tuple(name for name in held.tables if name in cut),
        no_pairs=no_pairs,
    )


def _packed_spec(view: Spec) -> str:
    """Return the specification without colours, which each theme has once, and without words."""
    spec = specified(view)
    spec.pop("$schema", None)
    return packed(json.dumps(spec, allow_nan=False))


@dataclass(frozen=True)
class Cell:
    """Hold a cell as it is read, and as it is sorted."""

    text: str
    value: str
    marked: bool


def _cells(grid: Grid, rows: int) -> list[list[Cell]]:
    found = []
    for i, row in enumerate(replace(grid, cells=grid.cells[:rows]).written()):
        values = [plain(cell) for cell in grid.cells[i]]
        pairs = zip(values, row, strict=True)
        keys = [repr(value) if isinstance(value, int | float) else text for value, text in pairs]
        found.append([Cell(text, keys[j], (i, j) in grid.marked) for j, text in enumerate(row)])
    return found


@pass_context
def _shown(context: Context, text: str) -> str:
    """Return a text that can do nothing, with names of another direction kept together."""
    isolated: Callable[[str], str] = context["isolated"]
    return isolated(visible(text))


def _more(number: int, rows: int) -> str:
    more = number - rows
    return f"{counted(more, 'more row')} in the download." if more > 0 else ""


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FunctionLoader(_template),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "name": visible,
        "visible": _shown,
        "number": number,
        "percent": percent,
        "cells": _cells,
        "printed": Grid.printed,
        "more": _more,
    }
    return environment


@cache
def _template(name: str) -> str:
    return files("deadheat.report").joinpath("templates", name).read_text(encoding="utf-8")

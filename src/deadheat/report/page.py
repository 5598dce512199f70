"""The page: one HTML file that asks the network for nothing."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from jinja2 import Environment, FunctionLoader, StrictUndefined, pass_context
from jinja2.runtime import Context
from markupsafe import Markup

from deadheat.errors import counted
from deadheat.grid import Grid
from deadheat.report import vega
from deadheat.report.directions import isolating
from deadheat.report.gathering import Gathered
from deadheat.report.picture import Picture, in_script, policy
from deadheat.report.room import packed, packed_lines, packed_whole, shares, too_large
from deadheat.report.section import Section
from deadheat.report.theme import config
from deadheat.text import number, percent, plain, visible

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

    pictures: dict[str, str]
    narrow: dict[str, str]
    """The pictures of small screens, where they are others."""
    narrow_words: dict[str, tuple[str, str]]
    """What is said of these, where that is something else."""
    pairs: str | None
    tables: dict[str, str]
    whole: str
    gone: tuple[str, ...] = ()
    """The kinds of pictures that are left out."""
    cut: tuple[str, ...] = ()
    """The tables of which only the first rows are held, or none."""
    shortened: tuple[str, ...] = ()
    """The results of which the JSON of the whole holds the first rows."""
    no_pairs: bool = False

    def embedded(self) -> dict[str, Any]:
        """Return it for the script."""
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


def page(found: Gathered, told: list[Section], *, whole: dict[str, Any]) -> str:
    """Return the page with these sections; ``whole`` is what its JSON download holds.

    Text comes first; then pictures, pairs and tables get what room is left, in this order.
    """
    scripts = [vega.javascript(), _template("page.js")]
    everything = _everything(told, whole)
    for rows in ROWS:
        words = len(_rendered(found, told, everything, [], rows, "").encode(errors="replace"))
        if words <= WORDS:
            break
    themes = len(
        in_script(
            replace(
                everything, pictures={}, narrow={}, narrow_words={}, pairs="", tables={}, whole=""
            ).embedded()
        )
    )
    held = _within(
        told, whole, everything, LARGEST - SPARE - words - themes - sum(map(len, scripts))
    )
    left = [_without(section, held.gone) for section in told]
    return _rendered(found, left, held, scripts, rows, in_script(held.embedded()))


def _rendered(
    found: Gathered, told: list[Section], held: Held, scripts: list[str], rows: int, data: str
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
        pictures={each.kind: _packed_spec(each.chart) for each in drawn},
        narrow={each.kind: _packed_spec(each.narrow.chart) for each in drawn if each.narrow},
        narrow_words={
            each.kind: _words(each.narrow)
            for each in drawn
            if each.narrow and _words(each.narrow) != _words(each)
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
    json_of_all, shortened = held.whole, list(held.shortened)
    if allowed[WHOLE] < len(held.whole):
        json_of_all, shortened = packed_whole(whole, allowed[WHOLE])
    return Held(
        pictures={kind: spec for kind, spec in held.pictures.items() if kind not in gone},
        narrow={kind: spec for kind, spec in held.narrow.items() if kind not in gone},
        narrow_words={kind: said for kind, said in held.narrow_words.items() if kind not in gone},
        pairs=pairs,
        tables={name: text for name, text in tables.items() if text},
        whole=json_of_all,
        gone=tuple(gone),
        cut=tuple(name for name in held.tables if name in cut),
        shortened=tuple(shortened),
        no_pairs=no_pairs,
    )


def _words(picture: Picture) -> tuple[str, str]:
    return visible(picture.see), visible(picture.alt)


def _packed_spec(chart: Any) -> str:
    """Return the specification without colours, which each theme has once, and without words."""
    spec = vega.specified(chart)
    spec.pop("$schema", None)
    return packed(json.dumps(spec, allow_nan=False))


def _without(section: Section, gone: tuple[str, ...]) -> Section:
    kept = tuple(picture for picture in section.pictures if picture.kind not in gone)
    return replace(section, pictures=kept)


@dataclass(frozen=True)
class Cell:
    """Hold a cell as it is read, and as it is sorted."""

    text: str
    value: str
    marked: bool


def _cells(grid: Grid, rows: int) -> list[list[Cell]]:
    written = replace(grid, cells=grid.cells[:rows]).written()
    return [
        [
            Cell(text, _sorted_by(grid.cells[i][j], text), (i, j) in grid.marked)
            for j, text in enumerate(row)
        ]
        for i, row in enumerate(written)
    ]


def _sorted_by(cell: object, text: str) -> str:
    value = plain(cell)
    return repr(value) if isinstance(value, int | float) else text


@pass_context
def _shown(context: Context, text: str) -> str:
    """Return a text that can do nothing, with names of another direction kept together."""
    isolated: Callable[[str], str] = context["isolated"]
    return isolated(visible(text))


def _printed(grid: Grid) -> Grid:
    return grid.printed()


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
        "printed": _printed,
        "more": _more,
    }
    return environment


@cache
def _template(name: str) -> str:
    return files("deadheat.report").joinpath("templates", name).read_text(encoding="utf-8")

"""The page: one HTML file that asks the network for nothing."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup

from deadheat.errors import counted
from deadheat.grid import Grid
from deadheat.report import vega
from deadheat.report.gathering import Gathered
from deadheat.report.picture import Picture, in_script
from deadheat.report.section import Section
from deadheat.report.theme import config
from deadheat.text import number, percent, plain, visible

LARGEST = 4_500_000  # bytes of a page
WORDS = 700_000  # bytes that are kept for text and tables
LARGEST_JSON = 1_000_000  # characters of a result inside the JSON of the whole
MOST_ROWS = 300  # of a table that is shown


def is_page(path: Path) -> bool:
    """Return whether a file is a page that deadheat wrote."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return b'name="generator" content="deadheat ' in file.read(4096)


def page(found: Gathered, told: list[Section], *, whole: dict[str, Any]) -> str:
    """Return the page with these sections; ``whole`` is what its JSON download holds."""
    pictures = {p.kind: _packed_spec(p) for section in told for p in section.pictures}
    others = _packed_data(told, whole)
    scripts = [vega.javascript(), _template("page.js")]
    gone = _too_large(pictures, LARGEST - WORDS - len(_json(others)) - sum(map(len, scripts)))
    data = {
        "config": {theme: config(theme) for theme in ("light", "dark")},
        "pictures": {kind: spec for kind, spec in pictures.items() if kind not in gone},
        **others,
    }
    written: str = (
        _environment()
        .get_template("page.html.j2")
        .render(
            title=found.title,
            sections=[_without(section, gone) for section in told],
            dropped=gone,
            shortened=[
                name for name, each in whole["facts"]["results"].items() if each.get("shortened")
            ],
            style=Markup(_template("page.css")),  # noqa: S704 - a file of ours
            scripts=[Markup(script) for script in scripts],  # noqa: S704 - files of ours
            policy=_policy(scripts),
            data=Markup(in_script(data)),  # noqa: S704 - escaped for scripts
            version=found.main.made["version"],
        )
    )
    return written


def _policy(scripts: list[str]) -> str:
    """Return what the page may do: run these scripts, and nothing else, from nowhere else."""
    digests = (hashlib.sha256(script.encode()).digest() for script in scripts)
    known = " ".join(f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests)
    return (
        f"default-src 'none'; script-src {known}; style-src 'unsafe-inline'; img-src data: blob:; "
        "base-uri 'none'; form-action 'none'"
    )


def _packed_data(told: list[Section], whole: dict[str, Any]) -> dict[str, Any]:
    """Return what the script unpacks when it is asked for: tables, pairs, and the whole."""
    paired = [s.extra["pairs"].embedded() for s in told if "pairs" in s.extra]
    tables = {table.name: packed(table.csv) for section in told for table in section.tables}
    return {
        "tables": tables,
        "pairs": packed(_json(paired[0])) if paired else None,
        "whole": packed(_json(whole, indent=2) + "\n"),
    }


def packed(text: str) -> str:
    """Return a text as gzip in base64, a fraction of its size; browsers unpack it."""
    written = text.encode("utf-8", "backslashreplace")
    return base64.b64encode(gzip.compress(written, 9, mtime=0)).decode()


def _json(value: Any, indent: int | None = None) -> str:
    return json.dumps(value, indent=indent, allow_nan=False)


def _packed_spec(picture: Picture) -> str:
    """Return the specification without colours, which each theme has once, and without its words.

    It is not validated: that takes longer than all the rest, and tests do it.
    """
    spec: dict[str, Any] = picture.chart.to_dict(validate=False)
    spec.pop("$schema", None)
    return packed(_json(spec))


def in_whole(result: Any) -> dict[str, Any]:
    """Return a result for the JSON of the whole; of a large one the first rows, and says so."""
    written = result.to_json(indent=None)
    told: dict[str, Any] = json.loads(written)
    if len(written) > LARGEST_JSON:
        rows = told["rows"]
        kept = max(1, len(rows) * LARGEST_JSON // (2 * len(written)))
        told["rows"] = rows[:kept]
        told["shortened"] = True
        told["warnings"].append(f"{len(rows) - kept:,} further rows are left out of a report.")
        if len(json.dumps(told)) > LARGEST_JSON:
            told["facts"] = {}
            told["warnings"].append("Its facts are left out of a report.")
    return told


def _too_large(pictures: dict[str, str], room: int) -> list[str]:
    """Return the largest pictures, as many as must go so that the others have room."""
    sizes = {kind: len(spec) for kind, spec in pictures.items()}
    gone: list[str] = []
    for kind in sorted(sizes, key=sizes.__getitem__, reverse=True):
        if sum(size for name, size in sizes.items() if name not in gone) > room:
            gone.append(kind)
    return gone


def _without(section: Section, gone: list[str]) -> Section:
    kept = tuple(picture for picture in section.pictures if picture.kind not in gone)
    return replace(section, pictures=kept)


@dataclass(frozen=True)
class Cell:
    """Hold a cell as it is read, and as it is sorted."""

    text: str
    value: str
    marked: bool


def _cells(grid: Grid) -> list[list[Cell]]:
    written = grid.written()[:MOST_ROWS]
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


def _printed(grid: Grid) -> Grid:
    return grid.printed()


def _more(grid: Grid) -> str:
    more = len(grid.cells) - MOST_ROWS
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
        "visible": visible,
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

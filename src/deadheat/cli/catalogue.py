"""What there is to choose from, as results that write themselves in any form."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

from deadheat.core.types import Cell, Row
from deadheat.output.result import Result, made
from deadheat.output.table import Column, Grid
from deadheat.output.text import flat

AXIOMS = "What the axioms under satisfies say: docs/functions.md."
THEIR_FILES = 'The file itself: deadheat rank "$(deadheat demo --data models --path)".'
DOCUMENTED = "summary formula reference"


@dataclass(frozen=True, eq=False, kw_only=True)
class Catalogue(Result):
    """Hold what there is of one kind, one record each; people see the ``headings`` only."""

    schema: ClassVar[str] = "deadheat.list/1"
    kind: str
    entries: tuple[Row, ...]
    headings: tuple[str, ...]
    notes: tuple[str, ...] = ()

    def rows(self) -> list[Row]:
        return [dict(entry) for entry in self.entries]

    def grid(self) -> Grid:
        def cell(entry: Row, heading: str) -> Cell:
            value = flat(entry[heading])
            aliases = flat(entry.get("aliases", "")) if heading == "name" else ""
            return f"{value} ({aliases})" if aliases else value

        return Grid(
            columns=tuple(Column(name=heading) for heading in self.headings),
            cells=tuple(tuple(cell(entry, h) for h in self.headings) for entry in self.entries),
            notes=self.notes,
        )


def catalogue(kind: str, entries: list[Row], headings: str, *notes: str) -> Catalogue:
    return Catalogue(
        made=made(kind=kind),
        kind=kind,
        entries=tuple(entries),
        headings=tuple(headings.split()),
        notes=notes,
    )


def _entries(things: Iterable[Any], keys: str) -> list[Row]:

    def plain(value: Any) -> Any:
        if isinstance(value, frozenset):
            return sorted(value)
        return list(value) if isinstance(value, tuple) else value

    return [{key: plain(getattr(thing, key)) for key in keys.split()} for thing in things]


def _functions() -> Catalogue:
    from deadheat.ranking.function import functions

    claims = "name aliases scale cost satisfies violates needs available slow heading"
    entries = _entries(functions(), f"{claims} {DOCUMENTED}")
    return catalogue("functions", entries, "name scale cost satisfies summary", AXIOMS)


def _criteria() -> Catalogue:
    from deadheat.criteria.criterion import all_criteria

    entries = _entries(all_criteria(), f"name over {DOCUMENTED}")
    return catalogue("criteria", entries, "name over summary")


def _axioms() -> Catalogue:
    from deadheat.axioms.axiom import known

    entries = _entries(known().values(), "name summary formula caveat audited reference")
    return catalogue("axioms", entries, "name summary")


def _plots() -> Catalogue:
    from deadheat.report.picture import kinds

    entries = _entries(kinds().values(), "name of summary figure")
    for entry in entries:
        entry["of"] = [each.__name__ for each in entry["of"]]
    return catalogue("plots", entries, "name of summary")


def _formats() -> Catalogue:
    from deadheat.data.formats import formats

    entries: list[Row] = [
        {
            "name": name,
            "title": kind.title,
            "suffixes": list(kind.suffixes),
            "options": [f"--{option}" for option in kind.understands],
        }
        for name, kind in formats().items()
    ]
    return catalogue("formats", entries, "name title suffixes options")


def _scoring() -> Catalogue:
    from deadheat.data.scoring_rule import rules

    entries = _entries(rules(), f"name aliases better needs total {DOCUMENTED}")
    return catalogue("scoring", entries, "name better needs summary")


def _examples() -> Catalogue:
    from deadheat.data.examples import examples

    entries: list[Row] = [
        {
            "name": name,
            "rows": example.rows,
            "candidates": len(example.load().candidates),
            "size": f"{example.path.stat().st_size / 1000:,.0f} kB",
            "summary": example.summary,
            "kind": example.kind,
            "path": str(example.path),
        }
        for name, example in examples().items()
    ]
    return catalogue("examples", entries, "name rows candidates size summary", THEIR_FILES)


CATALOGUES: dict[str, Callable[[], Catalogue]] = {
    "functions": _functions,
    "criteria": _criteria,
    "axioms": _axioms,
    "plots": _plots,
    "formats": _formats,
    "scoring": _scoring,
    "examples": _examples,
}

"""What there is to choose from, as results that write themselves in any form."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from deadheat.core.types import Cell, Row
from deadheat.output.result import Result, made
from deadheat.output.table import Column, Grid
from deadheat.output.text import flat

AXIOMS = "What the axioms under satisfies say: docs/functions.md."
THEIR_FILES = 'The file itself: deadheat rank "$(deadheat demo --data models --path)".'


@dataclass(frozen=True, eq=False, kw_only=True)
class Catalogue(Result):
    """Hold what there is of one kind, one record each; people see the ``headings`` only."""

    schema: ClassVar[str] = "deadheat.list/1"
    kind: str
    entries: tuple[Row, ...]
    headings: tuple[str, ...]
    notes: tuple[str, ...] = ()

    def rows(self) -> list[Row]:
        """Return the records with all their keys."""
        return [dict(entry) for entry in self.entries]

    def grid(self) -> Grid:
        """Return the keys that people choose by."""
        return Grid(
            columns=tuple(Column(name=heading) for heading in self.headings),
            cells=tuple(
                tuple(_in_words(entry, heading) for heading in self.headings)
                for entry in self.entries
            ),
            notes=self.notes,
        )


def _in_words(entry: Row, heading: str) -> Cell:
    value = flat(entry[heading])
    aliases = flat(entry.get("aliases", "")) if heading == "name" else ""
    return f"{value} ({aliases})" if aliases else value


def catalogue(kind: str, entries: list[Row], *headings: str) -> Catalogue:
    """Return a catalogue; without headings people see every key."""
    shown = headings or tuple(entries[0] if entries else ())
    return Catalogue(made=made(kind=kind), kind=kind, entries=tuple(entries), headings=shown)


def entries_of(things: Iterable[Any], *attributes: str) -> list[Row]:
    """Return a record of some attributes of each."""
    return [{key: _plain(getattr(thing, key)) for key in attributes} for thing in things]


def _plain(value: Any) -> Any:
    if isinstance(value, frozenset):
        return sorted(value)
    return list(value) if isinstance(value, tuple) else value


DOCUMENTED = ("summary", "formula", "reference")


def ranking_functions() -> Catalogue:
    """Return the ranking functions."""
    from deadheat.ranking.function import functions

    claims = ("name", "aliases", "scale", "cost", "satisfies", "violates", "needs", "available")
    entries = entries_of(functions(), *claims, "slow", "heading", *DOCUMENTED)
    found = catalogue("functions", entries, "name", "scale", "cost", "satisfies", "summary")
    return replace(found, notes=(AXIOMS,))


def criteria() -> Catalogue:
    """Return what ranking functions are measured by."""
    from deadheat.criteria.criterion import all_criteria

    entries = entries_of(all_criteria(), "name", "over", *DOCUMENTED)
    return catalogue("criteria", entries, "name", "over", "summary")


def axioms() -> Catalogue:
    """Return the laws that ranking functions obey or not."""
    from deadheat.axioms.axiom import known

    keys = ("name", "summary", "formula", "caveat", "audited", "reference")
    return catalogue("axioms", entries_of(known().values(), *keys), "name", "summary")


def plots() -> Catalogue:
    """Return the pictures."""
    from deadheat.report.picture import kinds

    entries = entries_of(kinds().values(), "name", "of", "summary", "figure")
    for entry in entries:
        entry["of"] = [each.__name__ for each in entry["of"]]
    return catalogue("plots", entries, "name", "of", "summary")


def formats() -> Catalogue:
    """Return the kinds of files that can be read."""
    from deadheat.data.formats import formats as known

    entries: list[Row] = [
        {
            "name": name,
            "title": kind.title,
            "suffixes": list(kind.suffixes),
            "options": [f"--{option}" for option in kind.understands],
        }
        for name, kind in known().items()
    ]
    return catalogue("formats", entries)


def scoring() -> Catalogue:
    """Return the rules that make scores of runs."""
    from deadheat.data.scoring_rule import rules

    entries = entries_of(rules(), "name", "aliases", "better", "needs", "total", *DOCUMENTED)
    return catalogue("scoring", entries, "name", "better", "needs", "summary")


def examples() -> Catalogue:
    """Return the competitions that come with deadheat."""
    from deadheat.data.examples import examples as known

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
        for name, example in known().items()
    ]
    found = catalogue("examples", entries, "name", "rows", "candidates", "size", "summary")
    return replace(found, notes=(THEIR_FILES,))


CATALOGUES: dict[str, Callable[[], Catalogue]] = {
    "functions": ranking_functions,
    "criteria": criteria,
    "axioms": axioms,
    "plots": plots,
    "formats": formats,
    "scoring": scoring,
    "examples": examples,
}

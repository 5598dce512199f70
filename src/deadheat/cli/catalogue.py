"""What there is to choose from, as a result that writes itself in any form."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from deadheat.core.types import Cell, Row
from deadheat.output.result import Result, made
from deadheat.output.table import Column, Grid
from deadheat.output.text import flat
from deadheat.ranking.function import RankingFunction, functions

AXIOMS = "What the axioms under satisfies say: docs/functions.md."


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


def catalogue(kind: str, entries: list[Row], *headings: str) -> Catalogue:
    """Return a catalogue; without headings people see every key."""
    shown = headings or tuple(entries[0] if entries else ())
    return Catalogue(made=made(kind=kind), kind=kind, entries=tuple(entries), headings=shown)


def functions_catalogue() -> Catalogue:
    """Return every registered ranking function with its claims."""
    entries = [_entry(f) for f in functions()]
    found = catalogue("functions", entries, "name", "scale", "cost", "satisfies", "summary")
    return replace(found, notes=(AXIOMS,))


def _entry(f: RankingFunction) -> Row:
    return {
        "name": f.name,
        "aliases": list(f.aliases),
        "scale": f.scale,
        "cost": f.cost,
        "satisfies": sorted(f.satisfies),
        "violates": sorted(f.violates),
        "needs": f.needs,
        "available": f.available,
        "slow": f.slow,
        "heading": f.heading,
        "summary": f.summary,
        "formula": f.formula,
        "reference": f.reference,
    }


def _in_words(entry: Row, heading: str) -> Cell:
    value = flat(entry[heading])
    aliases = flat(entry.get("aliases", "")) if heading == "name" else ""
    return f"{value} ({aliases})" if aliases else value

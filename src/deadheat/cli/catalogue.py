"""What there is to choose from, as results that write themselves in any form."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, ClassVar

from deadheat.core.types import Cell, Row
from deadheat.output.result import Result, provenance
from deadheat.output.table import Column, Grid
from deadheat.output.text import flat

DOCUMENTED = "summary formula reference"
CLAIMS = "name aliases scale cost satisfies violates needs available slow heading"
AXIOMS = "What the axioms under satisfies say: deadheat list axioms."
FILES = 'The file itself: deadheat rank "$(deadheat demo --data models --path)".'
RULES = f"name aliases better needs total {DOCUMENTED}"
EXAMPLES = "name rows candidates size summary"
FORMATS = "name title told_by options"
LAWS = "name summary formula caveat audited reference"

# Who knows all of a kind, what is told of each, what people see of it, and notes.
CATALOGUES: Mapping[str, tuple[str, str, str, *tuple[str, ...]]] = {
    "functions": (
        *("ranking.function.functions", f"{CLAIMS} {DOCUMENTED}"),
        *("name scale cost satisfies summary", AXIOMS),
    ),
    "criteria": ("criteria.criterion.CRITERIA", f"name over {DOCUMENTED}", "name over summary"),
    "axioms": ("axioms.axiom.AXIOMS", LAWS, "name summary"),
    "plots": ("report.picture.kinds", "name of summary figure", "name of summary"),
    "formats": ("data.formats.FORMATS", FORMATS, "name title told_by"),
    "scoring": ("data.scoring_rule.rules", RULES, "name better needs summary"),
    "examples": ("data.examples.examples", f"{EXAMPLES} kind path", EXAMPLES, FILES),
}
# What is told of a thing that has no such attribute.
COMPUTED: Mapping[tuple[str, str], Callable[[Any], Any]] = {
    ("plots", "of"): lambda kind: [each.__name__ for each in kind.of],
    ("formats", "options"): lambda kind: [f"--{option}" for option in kind.understands],
    ("examples", "candidates"): lambda example: len(example.load().candidates),
    ("examples", "size"): lambda example: f"{example.path.stat().st_size / 1000:,.0f} kB",
    ("examples", "path"): lambda example: str(example.path),
}


@dataclass(frozen=True, eq=False, kw_only=True)
class Catalogue(Result):
    """Hold what there is of one kind, one record each; people see the ``headings`` only."""

    schema: ClassVar[str] = "deadheat.list/1"
    kind: str
    entries: Sequence[Row]
    headings: Sequence[str]
    notes: tuple[str, ...] = ()

    def rows(self) -> list[Row]:
        return [dict(entry) for entry in self.entries]

    def grid(self) -> Grid:
        def cell(entry: Row, heading: str) -> Cell:
            value = flat(entry[heading])
            aliases = flat(entry.get("aliases", "")) if heading == "name" else ""
            return f"{value} ({aliases})" if aliases else value

        columns = tuple(Column(name=heading) for heading in self.headings)
        cells = tuple(tuple(cell(entry, h) for h in self.headings) for entry in self.entries)
        return Grid(columns=columns, cells=cells, legend=self.notes)


def catalogue_of(kind: str) -> Catalogue:
    def told(thing: Any, key: str) -> Any:
        value = COMPUTED[kind, key](thing) if (kind, key) in COMPUTED else getattr(thing, key)
        if isinstance(value, frozenset):
            return sorted(value)
        return list(value) if isinstance(value, tuple) else value

    source, keys, headings, *notes = CATALOGUES[kind]
    module, _, name = source.rpartition(".")
    known = getattr(import_module(f"deadheat.{module}"), name)
    known = known() if callable(known) else known
    things = known.values() if isinstance(known, Mapping) else known
    entries = [{key: told(thing, key) for key in keys.split()} for thing in things]
    return catalogue(kind, entries, headings, *notes)


def catalogue(kind: str, entries: list[Row], headings: str, *notes: str) -> Catalogue:
    shown = headings.split()
    return Catalogue(
        made=provenance(kind=kind), kind=kind, entries=entries, headings=shown, notes=notes
    )

"""``deadheat list``: what there is to choose from, as results that write themselves in any form."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any, ClassVar, NamedTuple

import click

from deadheat.cli.options import command
from deadheat.cli.output import Output
from deadheat.core.types import Cell, Row
from deadheat.output.result import Result, made
from deadheat.output.table import Column, Grid
from deadheat.output.text import flat

DOCUMENTED = "summary formula reference"


class Kind(NamedTuple):
    """Say what there is of a kind, who knows it, what is told of each, and what people see."""

    summary: str
    known_by: str
    keys: str
    headings: str
    note: str = ""


KINDS = {
    "functions": Kind(
        "the ranking functions, for --by.",
        "ranking.function:functions",
        "name aliases scale cost satisfies violates needs available slow heading " + DOCUMENTED,
        "name scale cost satisfies summary",
        "What the axioms under satisfies say: docs/functions.md.",
    ),
    "criteria": Kind(
        "what ranking functions are measured by, for deadheat criteria.",
        "criteria.criterion:all_criteria",
        f"name over {DOCUMENTED}",
        "name over summary",
    ),
    "axioms": Kind(
        "the laws that ranking functions obey or not, for deadheat axioms --only.",
        "axioms.axiom:known",
        "name summary formula caveat audited reference",
        "name summary",
    ),
    "plots": Kind(
        "the pictures, for deadheat plot and the plot() of results.",
        "report.picture:kinds",
        "name of summary figure",
        "name of summary",
    ),
    "formats": Kind(
        "the kinds of files that can be read.",
        "data.formats:formats",
        "name title suffixes options",
        "name title suffixes options",
    ),
    "scoring": Kind(
        "the rules that make scores of runs, for --rule.",
        "data.scoring_rule:rules",
        f"name aliases better needs total {DOCUMENTED}",
        "name better needs summary",
    ),
    "examples": Kind(
        "the competitions that come with deadheat, for deadheat demo --data.",
        "data.examples:examples",
        "name rows candidates size summary kind path",
        "name rows candidates size summary",
        'The file itself: deadheat rank "$(deadheat demo --data models --path)".',
    ),
}
# What is told of a thing that has no attribute of that name.
COMPUTED: Mapping[tuple[str, str], Callable[[Any], Any]] = {
    ("plots", "of"): lambda kind: [each.__name__ for each in kind.of],
    ("formats", "name"): lambda kind: kind.__name__.rpartition(".")[2],
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


def catalogue(name: str | None) -> Catalogue:
    """Return what there is of a kind; without one, the kinds."""
    if name is None:
        headings, notes = "kind summary", ()
        entries = [{"kind": each, "summary": kind.summary} for each, kind in KINDS.items()]
    else:
        _, known_by, keys, headings, note = KINDS[name]
        notes, (module, _, function) = (note,) if note else (), known_by.partition(":")
        things = getattr(import_module(f"deadheat.{module}"), function)()
        entries = [
            {key: _told(name, key, thing) for key in keys.split()}
            for thing in (things.values() if isinstance(things, dict) else things)
        ]
    return Catalogue(
        made=made(kind=name or "kinds"),
        kind=name or "kinds",
        entries=tuple(entries),
        headings=tuple(headings.split()),
        notes=notes,
    )


def _told(name: str, key: str, thing: Any) -> Any:
    value = COMPUTED[name, key](thing) if (name, key) in COMPUTED else getattr(thing, key)
    if isinstance(value, frozenset):
        return sorted(value)
    return list(value) if isinstance(value, tuple) else value


KIND = click.Argument(["kind"], metavar="[KIND]", type=click.Choice(list(KINDS)), required=False)


@command("list", KIND)
def list_(kind: str | None, out: Output) -> None:
    """List what there is: functions, axioms, criteria, formats, scoring rules, examples.

    In a table only what one chooses by; --json has all that is known of each.
    """
    out.write(catalogue(kind))

"""``deadheat list``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar

import click

from deadheat.cli.options import output_options
from deadheat.cli.output import Output
from deadheat.core.types import Cell, Row
from deadheat.output.result import Result, made
from deadheat.output.table import Column, Grid
from deadheat.output.text import flat
from deadheat.ranking.function import RankingFunction, functions

THEIR_FILES = 'The file itself: deadheat rank "$(deadheat demo --data models --path)".'


def ranking_functions() -> Catalogue:
    """Return the ranking functions, for --by."""
    return functions_catalogue()


def axioms() -> Catalogue:
    """Return the laws that ranking functions obey or not, for deadheat axioms --only."""
    from deadheat.axioms.axiom import known

    entries = [
        {
            "name": axiom.name,
            "summary": axiom.summary,
            "formula": axiom.formula,
            "caveat": axiom.caveat,
            "audited": axiom.audited,
            "reference": axiom.reference,
        }
        for axiom in known().values()
    ]
    return catalogue("axioms", entries, "name", "summary")


def formats() -> Catalogue:
    """Return the kinds of files that can be read."""
    from deadheat.data.formats import formats as known

    entries = [
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
    """Return the rules that make scores of runs, for --rule."""
    from deadheat.data.scoring_rule import rules

    entries = [
        {
            "name": rule.name,
            "aliases": list(rule.aliases),
            "better": rule.better,
            "needs": list(rule.needs),
            "total": rule.total,
            "summary": rule.summary,
            "formula": rule.formula,
            "reference": rule.reference,
        }
        for rule in rules()
    ]
    return catalogue("scoring", entries, "name", "better", "needs", "summary")


def examples() -> Catalogue:
    """Return the competitions that come with deadheat, for deadheat demo --data."""
    from dataclasses import replace

    from deadheat.data.examples.example import examples as known

    entries = [
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


def criteria() -> Catalogue:
    """Return what ranking functions are measured by, for deadheat criteria."""
    from deadheat.criteria.criterion import all_criteria

    entries = [
        {
            "name": criterion.name,
            "over": criterion.over,
            "summary": criterion.summary,
            "formula": criterion.formula,
            "reference": criterion.reference,
        }
        for criterion in all_criteria()
    ]
    return catalogue("criteria", entries, "name", "over", "summary")


def plots() -> Catalogue:
    """Return the pictures, for deadheat plot and the plot() of results."""
    from deadheat.report.picture import kinds

    entries = [
        {
            "name": kind.name,
            "of": [each.__name__ for each in kind.of],
            "summary": kind.summary,
            "figure": kind.figure,
        }
        for kind in kinds().values()
    ]
    return catalogue("plots", entries, "name", "of", "summary")


KINDS: dict[str, Callable[[], Catalogue]] = {
    "functions": ranking_functions,
    "criteria": criteria,
    "axioms": axioms,
    "plots": plots,
    "formats": formats,
    "scoring": scoring,
    "examples": examples,
}


@click.command("list")
@output_options
@click.argument("kind", metavar="[KIND]", type=click.Choice(list(KINDS)), required=False)
def command(kind: str | None, out: Output) -> None:
    """List what there is: functions, axioms, criteria, formats, scoring rules, examples.

    In a table only what one chooses by; --json has all that is known of each.
    """
    if kind is not None:
        out.write(KINDS[kind]())
        return

    summaries = (
        (kind, (tell.__doc__ or "").removeprefix("Return ")) for kind, tell in KINDS.items()
    )
    out.write(catalogue("kinds", [{"kind": kind, "summary": line} for kind, line in summaries]))


# ------------------------------------------------------------------------------
# What there is to choose from, as a result that writes itself in any form.

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

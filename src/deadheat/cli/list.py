"""``deadheat list``."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from deadheat.cli.options import output_options
from deadheat.cli.output import Output

if TYPE_CHECKING:
    from deadheat.cli.catalogue import Catalogue

THEIR_FILES = 'The file itself: deadheat rank "$(deadheat demo --data models --path)".'


def ranking_functions() -> Catalogue:
    """Return the ranking functions, for --by."""
    from deadheat.cli.catalogue import functions_catalogue

    return functions_catalogue()


def axioms() -> Catalogue:
    """Return the laws that ranking functions obey or not, for deadheat axioms --only."""
    from deadheat.axioms.axiom import known
    from deadheat.cli.catalogue import catalogue

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
    from deadheat.cli.catalogue import catalogue
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
    from deadheat.cli.catalogue import catalogue
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

    from deadheat.cli.catalogue import catalogue
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
    from deadheat.cli.catalogue import catalogue
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
    from deadheat.cli.catalogue import catalogue
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
    from deadheat.cli.catalogue import catalogue

    if kind is not None:
        out.write(KINDS[kind]())
        return

    summaries = (
        (kind, (tell.__doc__ or "").removeprefix("Return ")) for kind, tell in KINDS.items()
    )
    out.write(catalogue("kinds", [{"kind": kind, "summary": line} for kind, line in summaries]))

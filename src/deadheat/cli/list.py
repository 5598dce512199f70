"""``deadheat list``."""

from __future__ import annotations

import click

from deadheat.cli.options import output_options
from deadheat.cli.output import Output

KINDS = {
    "functions": "the ranking functions, for --by.",
    "criteria": "what ranking functions are measured by, for deadheat criteria.",
    "axioms": "the laws that ranking functions obey or not, for deadheat axioms --only.",
    "plots": "the pictures, for deadheat plot and the plot() of results.",
    "formats": "the kinds of files that can be read.",
    "scoring": "the rules that make scores of runs, for --rule.",
    "examples": "the competitions that come with deadheat, for deadheat demo --data.",
}


@click.command("list")
@output_options
@click.argument("kind", metavar="[KIND]", type=click.Choice(list(KINDS)), required=False)
def command(kind: str | None, out: Output) -> None:
    """List what there is: functions, axioms, criteria, formats, scoring rules, examples.

    In a table only what one chooses by; --json has all that is known of each.
    """
    from deadheat.cli.catalogue import CATALOGUES, catalogue

    if kind is not None:
        out.write(CATALOGUES[kind]())
        return
    out.write(catalogue("kinds", [{"kind": kind, "summary": KINDS[kind]} for kind in KINDS]))

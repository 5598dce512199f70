"""``deadheat list``."""

from __future__ import annotations

import click

from deadheat.cli.options import command
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
KIND = click.Argument(["kind"], metavar="[KIND]", type=click.Choice(list(KINDS)), required=False)


@command("list", KIND)
def list_(kind: str | None, out: Output) -> None:
    """List what there is: functions, axioms, criteria, formats, scoring rules, examples.

    In a table only what one chooses by; --json has all that is known of each.
    """
    from deadheat.cli.catalogue import CATALOGUES, catalogue

    rows = [{"kind": kind, "summary": summary} for kind, summary in KINDS.items()]
    out.write(CATALOGUES[kind]() if kind else catalogue("kinds", rows, "kind summary"))

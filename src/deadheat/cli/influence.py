"""``deadheat influence``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from deadheat.cli.options import (
    Option,
    by_one_option,
    options,
    output_options,
    table_options,
)
from deadheat.cli.output import Output, watching

if TYPE_CHECKING:
    from deadheat.data.results import Results

# The words of deadheat.influence.leave_judges_out, which cannot be asked without importing numpy.
OVER = ("judges", "clusters", "strata")


@click.command("influence")
@output_options
@table_options
@by_one_option
@options(
    Option(
        "--over",
        OVER,
        "What is left out at a time; clusters by default where there are some, else judges.",
    ),
    "engine",
)
def command(table: Results, out: Output, **request: Any) -> None:
    """Leave out one judge at a time and say what changes.

    How many judges change any rank, the top 10, the podium, the winner, and which ones. On a
    terminal the most decisive ones; --json and --format csv have all.
    """
    from deadheat.influence.api import influence

    with watching("leaving out", quiet=out.quiet) as progress:
        found = influence(table, progress=progress, **request)
    out.write(found)

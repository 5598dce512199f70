"""``deadheat score``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from deadheat.cli.options import output_options, runs_options
from deadheat.cli.output import Output

if TYPE_CHECKING:
    from deadheat.data.results import Results


@click.command("score")
@output_options
@runs_options
def command(table: Results, out: Output) -> None:
    """Score runs by a rule: a long table of one score per run, totals on a terminal.

    FILE has one row per run: candidate, instance, status, and what the rule needs beside. What is
    written can be ranked: deadheat rank FILE --score score --by mean.
    """
    from deadheat.score.api import score

    out.write(score(table))

"""``deadheat check``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from deadheat.cli.options import by_one_option, output_options, understood_table_options
from deadheat.cli.output import Output

if TYPE_CHECKING:
    from deadheat.data.results import Results


@click.command("check")
@output_options
@understood_table_options
@by_one_option
def command(table: Results, by: Any, out: Output) -> None:
    """Say what was understood of a table and what is odd about it.

    Shape, direction, holes, duplicates, ties, and whether the winner changes under other policies.
    """
    from deadheat.check.api import check

    out.write(check(table, by=by))

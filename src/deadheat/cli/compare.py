"""``deadheat compare``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from deadheat.cli.options import RESAMPLING, by_one_option, options, output_options, table_options
from deadheat.cli.output import Output, watching

if TYPE_CHECKING:
    from deadheat.data.results import Results


@click.command("compare")
@output_options
@table_options
@click.argument("a")
@click.argument("b")
@by_one_option
@options(*RESAMPLING)
def command(table: Results, a: str, b: str, out: Output, **request: Any) -> None:
    """Compare the candidates A and B of a table.

    The paired difference of their merits with its interval, p-values, on how many judges each
    scores better, and the judges that decide it.
    """
    from deadheat.compare.api import compare

    with watching("resampling", quiet=out.quiet) as progress:
        found = compare(table, a, b, progress=progress, **request)
    out.write(found)

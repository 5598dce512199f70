"""``deadheat rank``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from deadheat.cli.options import Option, by_option, options, output_options, table_options
from deadheat.cli.output import Output

if TYPE_CHECKING:
    from deadheat.core.types import RankConvention
    from deadheat.data.results import Results


# The words of deadheat.core.types, which cannot be asked without importing numpy.
CONVENTIONS = ("mean", "min", "dense")


@click.command("rank")
@output_options
@table_options
@by_option()
@options(Option("--ranks", CONVENTIONS, "The rank that tied candidates share.", "mean"))
def command(table: Results, by: list[Any], ranks: RankConvention, out: Output) -> None:
    """Rank the candidates of a table by one or several ranking functions.

    FILE is a table of scores: CSV, TSV, Parquet, JSON lines, Excel; - reads standard input.
    """
    from deadheat.rank.api import rank

    out.write(rank(table, by=by, ranks=ranks))

"""``deadheat agree``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from deadheat.cli.options import by_option, output_options, table_options
from deadheat.cli.output import Output
from deadheat.core.errors import UsageError

if TYPE_CHECKING:
    from deadheat.data.results import Results

# The words of deadheat.agree.api, which cannot be asked without importing numpy.
TABLES = ("judges", "matrix", "clusters", "functions")
CORRELATIONS = ("spearman", "kendall")
BY_CORRELATION = ("matrix", "functions")


@click.command("agree")
@output_options
@table_options
@by_option("by default all that fit the table")
@click.option(
    "--show",
    type=click.Choice(TABLES),
    help="One table instead: judges, the matrix of their correlations, clusters, functions.",
)
@click.option(
    "--correlation",
    type=click.Choice(CORRELATIONS),
    help="Spearman's rho (by default) or Kendall's tau-b: of the matrix, and to order functions.",
)
@click.option(
    "--threshold",
    type=float,
    default=0.5,
    show_default=True,
    help="Clusters of judges are joined down to this mean correlation.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Of the permutation test.")
def command(
    table: Results,
    by: Any,
    show: str | None,
    correlation: str | None,
    threshold: float,
    seed: int,
    out: Output,
) -> None:
    """Say how much the judges agree, and who opposes the rest.

    Kendall's W with its test, mean correlations, what each judge has in common with the others,
    clusters of judges that rank alike, and which ranking function comes closest to all of them.
    """
    from deadheat.agree.api import agreement, agreement_table

    if correlation is not None and show not in BY_CORRELATION:
        raise UsageError(
            f"--correlation {correlation} changes nothing here.",
            hint="it goes with --show matrix or --show functions.",
        )
    found = agreement(table, by=by, threshold=threshold, seed=seed)
    if show is None or show == "judges":
        out.write(found if out.path is None else found.with_all())
    else:
        out.write(agreement_table(found, show, correlation=correlation or CORRELATIONS[0]))

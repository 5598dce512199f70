"""``deadheat agree``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from deadheat.cli.options import by_option, output_options, table_options
from deadheat.cli.output import Output

if TYPE_CHECKING:
    from deadheat.data.results import Results

# The words of deadheat.inference.agreement_tables, which cannot be asked without importing numpy.
TABLES = ("judges", "matrix", "clusters", "functions")
CORRELATIONS = ("spearman", "kendall")


@click.command("agree")
@output_options
@table_options
@by_option
@click.option(
    "--show",
    type=click.Choice(TABLES),
    help="One table instead: judges, the matrix of their correlations, clusters, functions.",
)
@click.option(
    "--correlation",
    type=click.Choice(CORRELATIONS),
    default="spearman",
    show_default=True,
    help="Of the matrix: Spearman's rho or Kendall's tau-b.",
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
    correlation: str,
    threshold: float,
    seed: int,
    out: Output,
) -> None:
    """Say how much the judges agree, and who opposes the rest.

    Kendall's W with its test, mean correlations, what each judge has in common with the others,
    clusters of judges that rank alike, and which ranking function comes closest to all of them.
    """
    from deadheat.inference.agreement import agreement
    from deadheat.inference.agreement_tables import agreement_table

    found = agreement(table, by=by, threshold=threshold, seed=seed)
    if show is None or show == "judges":
        out.write(found)
    else:
        out.write(agreement_table(found, show, correlation=correlation))

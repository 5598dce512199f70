"""``deadheat agree``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from deadheat.cli.options import Option, by_option, options, output_options, table_options
from deadheat.cli.output import Output
from deadheat.core.errors import UsageError

if TYPE_CHECKING:
    from deadheat.data.results import Results

# The words of deadheat.agree, which cannot be asked without importing numpy.
CORRELATIONS = ("spearman", "kendall")
TABLES = ("judges", "matrix", "clusters", "functions")
BY_CORRELATION = ("matrix", "functions")


@click.command("agree")
@output_options
@table_options
@by_option("by default all that fit the table")
@options(
    Option(
        "--show",
        TABLES,
        "One table instead: judges, the matrix of their correlations, clusters, functions.",
    ),
    Option(
        "--correlation",
        CORRELATIONS,
        "Spearman's rho (by default) or Kendall's tau-b: of the matrix, and to order functions.",
    ),
    Option(
        "--threshold",
        {"type": float},
        "Clusters of judges are joined down to this mean correlation.",
        0.5,
    ),
    Option("--seed", {"type": int}, "Of the permutation test.", 0),
)
def command(
    table: Results, show: str | None, correlation: str | None, out: Output, **request: Any
) -> None:
    """Say how much the judges agree, and who opposes the rest.

    Kendall's W with its test, mean correlations, what each judge has in common with the others,
    clusters of judges that rank alike, and which ranking function comes closest to all of them.
    """
    from deadheat.agree.api import agreement

    if correlation is not None and show not in BY_CORRELATION:
        raise UsageError(
            f"--correlation {correlation} changes nothing here.",
            hint="it goes with --show matrix or --show functions.",
        )
    found = agreement(table, **request)
    if show is None or show == "judges":
        out.write(found if out.path is None else found.with_all())
    else:
        out.write(found.table(show, correlation=correlation or CORRELATIONS[0]))

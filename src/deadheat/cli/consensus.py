"""``deadheat consensus``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from deadheat.cli.options import Option, options, output_options, table_options
from deadheat.cli.output import Output, proving

if TYPE_CHECKING:
    from deadheat.data.results import Results
    from deadheat.models.aggregation.ballots import Output as Kind

# The words of deadheat.models.aggregation, which cannot be asked without importing numpy.
DISTANCES = ("kendall", "spearman", "footrule", "cayley", "euclidean", "hamming")


@click.command("consensus")
@output_options
@table_options
@options(
    Option(
        "--distance",
        DISTANCES,
        "Between two rankings; kendall is Kemeny's rule, spearman Borda's.",
        "kendall",
    ),
    Option(
        "--time-limit",
        {"type": float, "metavar": "S"},
        "Return the best ranking so far after that many seconds, with a bound.",
        60.0,
    ),
    Option("--weak", bool, "Let candidates tie, for kendall and spearman."),
)
def command(table: Results, *, weak: bool, time_limit: float, distance: str, out: Output) -> None:
    """Find the ranking that is closest to the judges, and prove it.

    Optimal rank aggregation. Prints the ranking, how far it is from the judges, whether that is
    proven optimal, and whether other rankings are as good. A tie counts one half of a
    disagreement.
    """
    from deadheat.consensus.api import consensus

    output: Kind = "weak" if weak else "strict"
    with proving(limit=time_limit, quiet=out.quiet) as progress:
        found = consensus(
            table, distance=distance, output=output, time_limit=time_limit, progress=progress
        )
    out.write(found)

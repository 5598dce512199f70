"""``deadheat criteria``."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING, Any

import click

from deadheat.cli.options import FILE, READ, TABLE, Option, by_several, command, reading_in
from deadheat.cli.output import Output, watching

if TYPE_CHECKING:
    from deadheat.data.results import Results

PATIENT = 60.0  # seconds that need no warning
MANY_CELLS = 1_000_000_000  # of all resampled tables together: such may take longer
PROBES = ({"trials": 1, "q": 2}, {"trials": 5, "q": 6})


@command(
    "criteria",
    TABLE,
    click.Argument(["more"], nargs=-1, type=FILE, metavar="[FILE]..."),
    by_several("by default those of Pavao et al. (2021)"),
    """
    --trials  N = 10000  How many resampled tables for winner rank, Condorcet rate and
        generalization.
    --q  N = 100  How many rankings are compared with each other for stability.
    --repeats  N = 10  How often that is repeated.
    --seed
    --correlation  [spearman|kendall] = spearman  Spearman's rho, or Kendall's tau-b.
    --stability  [mean|kendall_w]  Over judges: the mean correlation of all pairs (by default), or
        Kendall's W.
    --compat  [esann-notebook]  Do as the authors' notebook where it differs from their text.
    --over  [both|judges|candidates] = both  What the trials resample.
    --engine
    """,
    Option(
        "--show",
        {"type": click.Choice(("criteria", "correlations", "tables")), "default": "criteria"},
        "Another table instead: correlations between the functions, or the values by table.",
    ),
)
def criteria(table: Results, more: tuple[str, ...], show: str, out: Output, **request: Any) -> None:
    """Say which ranking function to trust on a table, or on several.

    Resamples judges and candidates, ranks by every function, and measures: how high the judges
    rank the winner, whether a Condorcet winner wins, how well unseen judges are predicted, how
    stable the ranking is. By default the functions of Pavao et al. (2021).
    """
    from deadheat.criteria.api import criteria, refuse_repeats, require_room, told_apart
    from deadheat.data.reading.read import read

    parameters = click.get_current_context().params
    reading = reading_in({name: parameters[name] for name in READ})
    paths = [parameters["file"], *more]
    refuse_repeats(paths)
    tables = told_apart([table, *(read(path, **reading) for path in more)], paths)
    counts = {name: request[name] for name in ("trials", "q", "repeats")}
    require_room(tables, request["by"], **counts)
    _warn_of_a_wait(out, tables, request)
    with watching("resampling", quiet=out.quiet) as progress:
        found = criteria(tables, progress=progress, **request)
    out.write(found.view(show))


def _warn_of_a_wait(out: Output, tables: list[Results], request: dict[str, Any]) -> None:
    """Say how long it will take, before the wait, where that is more than a minute."""
    drawn = request["trials"] + 2 * request["q"] * request["repeats"]
    cells = max(each.n * each.m for each in tables)
    if out.quiet or cells * drawn < MANY_CELLS:
        return
    seconds = _seconds_per_table(tables, request) * drawn
    if seconds > PATIENT:
        fewer = max(round(request["trials"] * PATIENT / seconds, -1), 10)
        out.note(
            f"this takes about {seconds / 60:,.0f} minutes: {drawn:,} resampled tables. "
            f"Fewer may do, with larger errors: --trials {fewer:.0f} --q 20 --repeats 3."
        )


def _seconds_per_table(tables: list[Results], request: dict[str, Any]) -> float:
    """Return what one resampled table takes, measured on a few, without what is done once."""
    from deadheat.criteria.api import criteria

    times, drawn = [], []
    for probe in PROBES:
        start = perf_counter()
        criteria(tables, **request | probe | {"repeats": 1})
        times.append(perf_counter() - start)
        drawn.append(probe["trials"] + 2 * probe["q"])
    return max((times[1] - times[0]) / (drawn[1] - drawn[0]), 0.0)

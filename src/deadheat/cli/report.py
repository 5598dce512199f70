"""``deadheat report``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from deadheat.cli.exits import say
from deadheat.cli.options import BY_ONE, FILE, RATED, Option, command
from deadheat.cli.output import PAGES, watching
from deadheat.cli.program import ARGUMENTS
from deadheat.core.errors import UsageError, command_with
from deadheat.core.files import free_name, promise
from deadheat.output.result import MARKS, MOST_REASONS

PAGE = "report.html"


@command(
    "report",
    RATED,
    BY_ONE,
    """
    --output  ...  The page: one file that needs no network.  [default: report.html]
    """,
    Option(
        "--bundle",
        {"type": FILE, "metavar": "DIR"},
        "Write a new folder instead: page, tables, figures, LaTeX, a list of it all.",
    ),
    """
    --title  TEXT  What the page is called; by default what the table holds.
    --replicates  ...  How many times to resample; 10,000 by default, fewer for many judges.
    --alpha
    --seed  ...  The same seed gives the same page.
    --plan
    --strict
    --official
    --top
    --no-data  flag  Leave the table itself out of the page.
    --tournament  COL  The data set: the page tells the ratings of each.
    --round
    --largest-part  flag  Of a log, as in rate.
    --min-matches  N  Of a log, as in rate.
    --engine
    --quiet
    """,
    writes=False,
)
def report(
    source: Any, reading: dict[str, Any], output: str | None, bundle: str | None, **request: Any
) -> None:
    """Write a page that says who won and how sure that is, with pictures and all tables.

    FILE is a table of scores, a table of runs, or a battle log, of which the page tells ratings.
    """
    from deadheat.report.api import free_folder, report

    request["data"] = not request.pop("no_data")
    of_logs = {name: request.pop(name) for name in ("largest_part", "min_matches")}
    of_logs = {name: value for name, value in of_logs.items() if value}
    if isinstance(source, list) or of_logs:
        from deadheat.data.reading.read import is_battle_log
        from deadheat.report.plot import refuse_several

        files = source if isinstance(source, list) else [source]
        if not all(is_battle_log(each, reading) for each in files):
            if len(files) > 1:
                refuse_several(source, what="a page")
            flag = f"--{next(iter(of_logs)).replace('_', '-')}"
            fact = f"{flag} is about battle logs, and {source} is none."
            raise UsageError(fact, hint=f"without it: {command_with(**dict.fromkeys(of_logs))}")
    quiet = request.pop("quiet")
    page = _page(output) if output is not None or bundle is None else None
    if bundle is not None:
        free_folder(Path(bundle))
    with watching("computing", quiet=quiet) as progress:
        found = report(source, progress=progress, **request, **of_logs, **reading)
        found = found.also_made(command=click.get_current_context().meta.get(ARGUMENTS))
        if page is not None:
            found.save(page)
        if bundle is not None:
            found.bundle(bundle)
    if not quiet:
        reasons = found.summary.reasons[:MOST_REASONS]
        lines = [found.summary.headline, *(f" {MARKS[r.good]} {r.says}" for r in reasons)]
        for line in (*lines, *(f"wrote {place}" for place in (page, bundle) if place)):
            say(line)


def _page(output: str | None) -> str:
    """Return the name of the page; refuse one that cannot be written, before the work begins.

    A page that nobody named does not replace what is no page of ours.
    """
    from deadheat.report.page import title_of

    path = Path(output or PAGE)
    if output is None and path.exists() and title_of(path) is None:
        fact = f"there is a {PAGE} here that deadheat did not write."
        hint = f"to another file: {command_with(output=free_name(PAGE))}"
        raise UsageError(fact, hint=hint)
    if path.suffix.lower() not in PAGES:
        fact = f"a report is a page in HTML, yet the file is called {path.name}."
        others = "the command verdict writes tables, the command plot pictures."
        hint = f"as HTML: {command_with(output=path.with_suffix('.html'))}\n{others}"
        raise UsageError(fact, hint=hint)
    promise(output or PAGE)
    return output or PAGE

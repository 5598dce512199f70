"""``deadheat report``."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import click

from deadheat.cli.exits import say
from deadheat.cli.options import BY_ONE, FILE, LOG_OR_TABLE, Option, command, shared
from deadheat.cli.output import watching
from deadheat.cli.program import ARGUMENTS
from deadheat.core.errors import UsageError
from deadheat.core.files import free_name, promise

PAGE = "report.html"
SUFFIXES = (".html", ".htm")


@command(
    "report",
    LOG_OR_TABLE,
    BY_ONE,
    shared("output", help="The page: one file that needs no network.  [default: report.html]"),
    Option(
        "--bundle",
        {"type": FILE, "metavar": "DIR"},
        "Write a new folder instead: page, tables, figures, LaTeX, a list of it all.",
    ),
    Option("--title", "TEXT", "What the page is called; by default the file."),
    shared(
        "replicates", help="How many times to resample; 10,000 by default, fewer for many judges."
    ),
    "alpha",
    shared("seed", help="The same seed gives the same page."),
    "plan",
    "strict",
    "official",
    Option("--tournament", "COL", "The data set: the page tells the ratings of each."),
    "round",
    "engine",
    "quiet",
    writes=False,
)
def report(
    source: Any, reading: dict[str, Any], output: str | None, bundle: str | None, **request: Any
) -> None:
    """Write a page that says who won and how sure that is, with pictures and all tables.

    FILE is a table of scores, a table of runs, or a battle log, of which the page tells ratings.
    """
    from deadheat.report.api import report

    if isinstance(source, list):
        _require_logs(source, reading)
    quiet = request.pop("quiet")
    page = _usual_page() if output is None and bundle is None else output
    if page is not None:
        _require_page(page)
    if bundle is not None:
        from deadheat.report.api import free_folder

        free_folder(Path(bundle))
    with watching("computing", quiet=quiet) as progress:
        found = report(source, progress=progress, **request, **reading)
        context = click.get_current_context()
        found = found.also_made(command=context.meta.get(ARGUMENTS))
        if page is not None:
            found.save(page)
        if bundle is not None:
            found.bundle(bundle)
    if not quiet:
        for warning in found.summary.cautions:
            say(f"warning: {warning}")
        for line in (found.summary.headline, *found.summary.lines[:2]):
            say(line)
        for place in filter(None, (page, bundle)):
            say(f"wrote {place}")


def _require_logs(files: list[str], reading: dict[str, Any]) -> None:
    """Refuse several files that are no battle logs."""
    from deadheat.data.reading.read import is_battle_log
    from deadheat.report.plot import refuse_several

    if not all(is_battle_log(each, reading) for each in files):
        refuse_several(files, what="a page")


def _usual_page() -> str:
    """Return the name of a page that nobody named; refuse to replace what is no page of ours."""
    from deadheat.report.page import title_of

    if Path(PAGE).exists() and title_of(Path(PAGE)) is None:
        other = free_name(PAGE)
        words = [*click.get_current_context().meta[ARGUMENTS], "-o", other]
        raise UsageError(
            f"there is a {PAGE} here that deadheat did not write.", hint=shlex.join(words)
        )
    return PAGE


def _require_page(output: str) -> None:
    """Refuse, before the work begins, a name that is no page, or that cannot be written."""
    path = Path(output)
    if path.suffix.lower() not in SUFFIXES:
        raise UsageError(
            f"a report is a page in HTML, yet the file is called {path.name}.",
            hint="end its name in .html; deadheat verdict writes tables, deadheat plot pictures.",
        )
    promise(output)

"""The options about runs and how to score them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

# The words of deadheat.data.options, which cannot be asked without importing numpy.
LATE = ("error", "timeout", "solved")
WRONG = ("unsolved", "solved", "disqualify", "penalise")


def complete_rules(
    context: click.Context,  # noqa: ARG001 - click's signature
    parameter: click.Parameter,  # noqa: ARG001
    incomplete: str,
) -> list[CompletionItem]:
    """Complete the name of a scoring rule without importing any: one file each."""
    folder = Path(__file__).parents[1] / "data" / "scoring"
    names = {file.stem.replace("_", "-") for file in folder.glob("[!_]*.py")} - {"par"}
    begun = incomplete.replace("_", "-")
    return [
        CompletionItem(name) for name in sorted(names | {"par2", "par10"}) if name.startswith(begun)
    ]


RUN_OPTIONS: tuple[Any, ...] = (
    click.option(
        "--rule",
        metavar="NAME",
        shell_complete=complete_rules,
        help="Score runs by this rule (see deadheat list scoring), or your own as FILE.py:NAME; "
        "solved by default.",
    ),
    click.option("--status", metavar="COL", help="The column that says how a run ended."),
    click.option("--time", metavar="COL", help="The column of the seconds that a run took."),
    click.option("--quality", metavar="COL", help="The column of a run's cost or accuracy."),
    click.option("--verified", metavar="COL", help="The column that says if it was verified."),
    click.option("--cutoff", metavar="S|COL", help="The time limit in seconds, or its column."),
    click.option(
        "--reference",
        metavar="COL|FILE|replicate",
        help="The best known quality; replicate: the best seen among those in a replicate.",
    ),
    click.option(
        "--statuses",
        metavar="WORD=STATUS",
        multiple=True,
        help="What a word means: solved, timeout, memout, crash, wrong, unknown; commas between.",
    ),
    click.option(
        "--late",
        type=click.Choice(LATE),
        help="What a solved run above the cutoff is; an error by default.",
    ),
    click.option(
        "--wrong",
        type=click.Choice(WRONG),
        help="What a wrong answer does; it counts as unsolved by default.",
    ),
)
RUN_READ = (
    *("rule", "status", "time", "quality", "verified", "cutoff", "reference", "statuses"),
    *("late", "wrong"),
)

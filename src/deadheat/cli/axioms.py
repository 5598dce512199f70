"""``deadheat axioms``."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from deadheat.cli.options import FILE, READ, complete_one_function, output_options, table_options
from deadheat.cli.output import Output, watching
from deadheat.core.errors import UsageError, quoted

if TYPE_CHECKING:
    from deadheat.data.results import Results
    from deadheat.ranking.function import RankingFunction

TABLES = (".csv", ".tsv", ".txt", ".json", ".jsonl", ".parquet", ".xlsx", ".gz")


def optional_table(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add ``--table`` and the options about reading it; hand over ``table``, a Results or None."""
    reading = table_options(command)

    @wraps(reading)
    def choosing(file: str | None, **given: Any) -> Any:
        if file is not None:
            return reading(file=file, **given)
        said = [name for name in given if name in READ and given[name] not in (None, ())]
        if said:
            raise UsageError(
                f"--{said[0].replace('_', '-')} says how to read a table, and none is given.",
                hint="name the table: --table FILE.",
            )
        return command(table=None, **{name: given[name] for name in given if name not in READ})

    parameters = [p for p in choosing.__dict__["__click_params__"] if p.name != "file"]
    option = click.Option(["--table", "file"], type=FILE, help="Audit this table instead.")
    choosing.__dict__["__click_params__"] = [*parameters, option]
    return choosing


@click.command("axioms")
@output_options
@click.argument(
    "functions", metavar="[FUNCTION]...", nargs=-1, shell_complete=complete_one_function
)
@optional_table
@click.option(
    "--only",
    metavar="AXIOM[,AXIOM...]",
    multiple=True,
    help="Some axioms (see deadheat list axioms); all by default.",
)
@click.option(
    "--budget",
    type=int,
    metavar="N",
    help="Of a search, not of --table: applicable cases to look at per function and axiom; 20000 "
    "by default, fewer where the function claims the axiom.",
)
@click.option(
    "--seed",
    type=int,
    metavar="N",
    default=0,
    show_default=True,
    help="The same seed gives the same answer.",
)
def command(
    functions: tuple[str, ...],
    table: Results | None,
    only: tuple[str, ...],
    budget: int | None,
    seed: int,
    out: Output,
) -> None:
    """Say which axioms ranking functions obey, with counter-examples.

    FUNCTION is a ranking function (see deadheat list functions), all, or your own as FILE.py:NAME;
    by default the seven of Pavao et al. (2021). For one function the counter-examples are shown,
    each shrunk to few candidates and judges.

    With --table the axioms are asked of your table: whose removal flips whom, which copy changes
    the winner, which judge hurts the one it prefers.
    """
    from deadheat.axioms.api import axioms

    with watching("searching" if table is None else "asking", quiet=out.quiet) as progress:
        found = axioms(
            [_function(name) for name in functions] or None,
            table=table,
            only=only or None,
            budget=budget,
            seed=seed,
            progress=progress,
        )
    out.write(found)


def _function(name: str) -> str | RankingFunction:
    """Return a name as it is, or the function that it means in a file of the user's own."""
    if Path(name).suffix.lower() in TABLES or (Path(name).is_file() and ".py" not in name):
        raise UsageError(
            f"{quoted(name)} is a table, and no ranking function.",
            hint=f"deadheat axioms --table {shlex.quote(name)} audits it.",
        )
    if not name.partition(":")[0].endswith(".py") and ".py:" not in name:
        return name
    from deadheat.cli.user_functions import function_from

    return function_from(name)

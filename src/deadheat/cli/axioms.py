"""``deadheat axioms``."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from deadheat.cli.options import (
    OPTIONAL_TABLE,
    command,
    complete_function,
    own_or_name,
)
from deadheat.cli.output import Output, watching
from deadheat.core.errors import UsageError, quoted

if TYPE_CHECKING:
    from deadheat.data.results import Results

TABLES = (".csv", ".tsv", ".txt", ".json", ".jsonl", ".parquet", ".xlsx", ".gz")


@command(
    "axioms",
    click.Argument(
        ["functions"], metavar="[FUNCTION]...", nargs=-1, shell_complete=complete_function
    ),
    OPTIONAL_TABLE,
    """
    --only  AXIOM[,AXIOM...]...  Some axioms (see deadheat list axioms); all by default.
    --budget  N  Of a search, not of --table: applicable cases to look at per function and axiom;
        20000 by default, fewer where the function claims the axiom.
    --seed
    """,
)
def axioms(
    functions: tuple[str, ...],
    table: Results | None,
    only: tuple[str, ...],
    out: Output,
    **request: Any,
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
        by = [_function(name) for name in functions] or None
        found = axioms(by, table=table, only=only or None, progress=progress, **request)
    out.write(found)


def _function(name: str) -> Any:
    if Path(name).suffix.lower() in TABLES or (Path(name).is_file() and ".py" not in name):
        raise UsageError(
            f"{quoted(name)} is a table, and no ranking function.",
            hint=f"deadheat axioms --table {shlex.quote(name)} audits it.",
        )
    return own_or_name(name)

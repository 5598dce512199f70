"""The options that commands share, each as a decorator that hands over what was meant."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any, Literal, TypeVar

import click
from click.shell_completion import CompletionItem

from deadheat.cli.output import FORMATS, Output
from deadheat.cli.run_options import RUN_OPTIONS, RUN_READ
from deadheat.errors import UsageError, quoted

Decorated = TypeVar("Decorated", bound=Callable[..., Any])
Decorator = Callable[[Decorated], Decorated]

# The words of deadheat.typing, which cannot be asked without importing numpy.
POLICIES = (
    "error",
    "worst",
    "last-rank",
    "impute-median",
    "available",
    "drop-judges",
    "drop-candidates",
)
CONVENTIONS = ("mean", "min", "dense")
BY_DEFAULT = "average_rank by default; the rule's own total for runs"


class File(click.Path):
    """The name of a file; whoever opens it says what is wrong with it."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Refuse the empty name, which would mean the current folder."""
        if value == "":
            name = param.get_error_hint(ctx) if param is not None and ctx is not None else "FILE"
            raise UsageError(
                f"the name for {name} is empty.",
                hint="name a file; perhaps a variable of the shell is not set.",
            )
        return super().convert(value, param, ctx)


FILE = File(readable=False)


def complete_functions(
    context: click.Context,  # noqa: ARG001 - click's signature
    parameter: click.Parameter,  # noqa: ARG001
    incomplete: str,
) -> list[CompletionItem]:
    """Complete the last of the names of ranking functions that commas separate."""
    before, comma, last = incomplete.rpartition(",")
    names = (name for name in ("all", *function_names()) if name.startswith(last.replace("-", "_")))
    return [CompletionItem(before + comma + name) for name in names]


def complete_one_function(
    context: click.Context,  # noqa: ARG001 - click's signature
    parameter: click.Parameter,  # noqa: ARG001
    incomplete: str,
) -> list[CompletionItem]:
    """Complete the name of a ranking function."""
    begun = incomplete.replace("-", "_")
    return [CompletionItem(name) for name in function_names() if name.startswith(begun)]


def function_names() -> list[str]:
    """Return the names of the ranking functions without importing them: one file each."""
    folder = Path(__file__).parents[1] / "ranking" / "functions"
    return sorted(file.stem for file in folder.glob("[!_]*.py"))


READING: tuple[Decorator[Any], ...] = (
    click.argument("file", type=FILE),
    click.option("--better", type=click.Choice(["higher", "lower"]), help="Which scores win."),
    click.option(
        "--layout",
        type=click.Choice(["wide", "long", "runs", "battles"]),
        help="Guessed by default; battles are for rate.",
    ),
    click.option(
        "--candidates", type=click.Choice(["rows", "columns"]), help="Where they are, if wide."
    ),
    click.option("--candidate", metavar="COL", help="The column that names the candidate."),
    click.option("--judge", metavar="COL", help="The column that names the judge."),
    click.option("--score", metavar="COL", help="The column of the scores; the table is long."),
    click.option("--stratum", metavar="COL", help="The column of the stratum of a judge."),
    click.option("--cluster", metavar="COL", help="The column of the cluster of a judge."),
    click.option("--weight", metavar="COL", help="The column of the weight of a judge."),
    click.option(
        "--where",
        metavar="COL=VALUE",
        multiple=True,
        help="Keep only such rows, with COL!=VALUE only the others; may be repeated.",
    ),
    click.option(
        "--ignore", metavar="COL", multiple=True, help="Leave a column out; may be repeated."
    ),
    click.option(
        "--missing",
        metavar="POLICY",
        type=click.Choice(POLICIES),
        help=f"What to do about missing scores: {', '.join(POLICIES)}.",
    ),
    click.option(
        "--tie-tol",
        type=float,
        metavar="X",
        help="Scores of one judge within X of the best of their level are tied.",
    ),
    click.option("--repeat", metavar="COL", help="The column that tells repeated runs apart."),
    click.option(
        "--combine",
        type=click.Choice(["error", "mean", "judges"]),
        help="What several scores of a candidate on a judge become.",
    ),
    *RUN_OPTIONS,
    click.option("--delimiter", metavar="CHAR", help="A character, or tab, space, semicolon ..."),
    click.option("--decimal", type=click.Choice([".", ","]), help="The decimal sign."),
    click.option("--header/--no-header", default=None, help="Whether the first row holds names."),
    click.option("--encoding", metavar="NAME", help="Such as utf-8, latin-1, utf-16."),
    click.option("--sheet", metavar="NAME", help="The sheet of an Excel file."),
    click.option("--sidecar", type=FILE, help="A TOML file that says what is not said here."),
)
READ = {
    *("better", "layout", "candidates", "candidate", "judge", "score", "stratum", "cluster"),
    *(
        "weight",
        "where",
        "ignore",
        "missing",
        "tie_tol",
        "repeat",
        "combine",
        "delimiter",
        "decimal",
    ),
    *("header", "encoding", "sheet", "sidecar"),
    *RUN_READ,
}


def table_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add FILE and the options about reading it; hand over ``table``, a Results."""
    return _reading(command, "read")


def understood_table_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the same, but hand over the table with its holes, whatever policy is said for them."""
    return _reading(command, "understood")


def runs_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the same for a table of runs, whatever it looks like; hand over ``table``, scored."""
    return _reading(command, "read", layout="runs")


def _reading(
    command: Callable[..., Any], reader: Literal["read", "understood"], **by_default: Any
) -> Callable[..., Any]:
    @wraps(command)
    def reading(file: str, **given: Any) -> Any:
        from deadheat.data import read

        options = {name: given.pop(name) for name in list(given) if name in READ}
        said = {name: value for name, value in options.items() if value not in (None, ())}
        said = by_default | said
        if "rule" in said:
            said["rule"] = own_or_name(said["rule"], "rule_from")
        return command(table=getattr(read, reader)(file, **said), **given)

    return _with(READING, reading)


def output_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options about what is written where; hand over ``out``, an Output.

    Put it on top of the others: then what could not be written is refused before a large file is
    read. In the help its options still stand last.
    """

    @wraps(command)
    def writing(**given: Any) -> Any:
        said = {name: given.pop(name) for name in ("format", "json", "output", "quiet")}
        return command(out=Output.asked(**said), **given)

    options = (
        click.option(
            "--format",
            type=click.Choice(FORMATS),
            help="By default table on a terminal, tsv in a pipe.",
        ),
        click.option("--json", is_flag=True, help="The same as --format json."),
        click.option("-o", "--output", type=FILE, help="Write to a file, whole or not at all."),
        click.option("-q", "--quiet", is_flag=True, help="No notes and warnings on stderr."),
    )
    parameters = _with(options, writing).__dict__["__click_params__"]  # the last is listed first
    parameters[:] = parameters[-len(options) :] + parameters[: -len(options)]
    return writing


def by_option(by_default: str = BY_DEFAULT) -> Decorator[Any]:
    """Add ``--by``; hand over ``by``, names and functions from the user's files, or None.

    ``by_default`` ends the help: what is taken where nobody says it.
    """

    def adding(command: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(command)
        def choosing(by: tuple[str, ...], **given: Any) -> Any:
            return command(by=_functions(by), **given)

        option = click.option(
            "--by",
            metavar="NAME[,NAME...]|all",
            multiple=True,
            shell_complete=complete_functions,
            help="Ranking functions (see deadheat list functions), or your own as FILE.py:NAME; "
            f"{by_default}.",
        )
        return _with((option,), choosing)

    return adding


def _functions(by: tuple[str, ...]) -> list[Any] | None:
    if not by:
        return None
    names = [name.strip() for part in by for name in part.split(",") if name.strip()]
    if not names:
        raise UsageError("--by names no function.", hint="e.g. --by average_rank, or --by all.")
    return [own_or_name(name, "function_from") for name in names]


def by_one_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add ``--by`` for one function; hand over ``by``, a name, a function from a file, or None."""

    @wraps(command)
    def choosing(by: str | None, **given: Any) -> Any:
        if by is None:
            return command(by=None, **given)
        name = by.strip()
        if not name or "," in name or name == "all":
            raise UsageError(
                f"--by takes one function here, not {quoted(by)}.", hint="e.g. --by average_rank."
            )
        return command(by=own_or_name(name, "function_from"), **given)

    option = click.option(
        "--by",
        metavar="NAME",
        shell_complete=complete_one_function,
        help="The ranking function that names the winner, or your own as FILE.py:NAME; "
        f"{BY_DEFAULT}.",
    )
    return _with((option,), choosing)


ranks_option = click.option(
    "--ranks",
    type=click.Choice(CONVENTIONS),
    default="mean",
    show_default=True,
    help="The rank that tied candidates share.",
)


def own_or_name(name: str, finder: Literal["function_from", "rule_from"]) -> Any:
    """Return a name as it is, or what it means in a file of the user's own."""
    if re.search(r"\.py(:|$)", name) is None:
        return name
    from deadheat.cli import own

    return getattr(own, finder)(name)


def _with(options: tuple[Decorator[Any], ...], command: Callable[..., Any]) -> Callable[..., Any]:
    for option in reversed(options):
        command = option(command)
    return command

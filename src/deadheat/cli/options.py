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
from deadheat.core.errors import UsageError, quoted

# ------------------------------------------------------------------------------
# The options about resampling that commands share.

# The words of deadheat.resampling.plans, which cannot be asked without importing numpy.
PLANS = (
    "bootstrap",
    "stratified",
    "clustered",
    "two-level",
    "bayesian",
    "jackknife",
    "subsample",
)


engine_option = click.option(
    "--engine",
    metavar="NAME",
    default="threads",
    show_default=True,
    help="Where the work runs: serial, threads or threads:N; the answer is the same.",
)


def resampling_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options about resampling; hand over replicates, alpha, seed, plan and engine."""
    options = (
        click.option(
            "--replicates",
            type=int,
            metavar="N",
            help="How many times to resample; 10,000 by default, more in tests of very many.",
        ),
        click.option(
            "--alpha",
            type=float,
            metavar="X",
            default=0.05,
            show_default=True,
            help="The level: 0.05 gives 95 % intervals.",
        ),
        click.option(
            "--seed",
            type=int,
            metavar="N",
            default=0,
            show_default=True,
            help="The same seed gives the same answer.",
        ),
        click.option(
            "--plan",
            type=click.Choice(PLANS),
            help="How to resample; by default what the strata and clusters ask for.",
        ),
        engine_option,
    )
    for option in reversed(options):
        command = option(command)
    return command


# ------------------------------------------------------------------------------
# The options about runs and how to score them.

# The words of deadheat.data.reading.options, which cannot be asked without importing numpy.
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


# ------------------------------------------------------------------------------

Decorated = TypeVar("Decorated", bound=Callable[..., Any])
Decorator = Callable[[Decorated], Decorated]

# The words of deadheat.core.types, which cannot be asked without importing numpy.
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
        from deadheat.data.reading import read

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
    from deadheat.cli import user_functions  # late: it loads tables and ranking functions

    return getattr(user_functions, finder)(name)


def _with(options: tuple[Decorator[Any], ...], command: Callable[..., Any]) -> Callable[..., Any]:
    for option in reversed(options):
        command = option(command)
    return command

"""The options that commands share, declared once; decorators hand over what was meant.

An :class:`Option` says name, type, choices, default and help. Click's option, its check, its
completion and the names that :func:`deadheat.read` is given all follow from it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from functools import wraps
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

from deadheat.cli.output import FORMATS, Output
from deadheat.core.errors import UsageError, quoted

Command = Callable[..., Any]
Decorator = Callable[[Command], Command]


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
TYPES = {"N": int, "X": float}  # by what stands for the value in the help; others are texts
Kind = str | tuple[str, ...] | type[bool] | File | Mapping[str, Any]


@dataclass(frozen=True)
class Option:
    """Declare an option: flags, what it takes, its help, and the default that the help shows.

    It takes what the help calls so ("N" a number, "X" a real one, "COL" a text), one of several
    words, nothing (``bool``), a file, or what a mapping says in click's terms. Three dots behind
    what it takes say that the option may be repeated.
    """

    flags: str
    kind: Kind
    help: str = ""
    default: Any = None

    def parameter(self) -> click.Option:
        """Return click's form of it."""
        shown = {} if self.default is None else {"default": self.default, "show_default": True}
        return click.Option(self.flags.split(), help=self.help or None, **self._takes(), **shown)

    def _takes(self) -> Mapping[str, Any]:
        if isinstance(self.kind, str):
            one = self.kind.removesuffix("...")
            return {"metavar": one, "type": TYPES.get(one), "multiple": one != self.kind}
        if isinstance(self.kind, tuple):
            return {"type": click.Choice(self.kind)}
        if isinstance(self.kind, File):
            return {"type": self.kind}
        return {"is_flag": True} if isinstance(self.kind, type) else self.kind

    @property
    def name(self) -> str:
        """The name under which its value is handed over."""
        return str(self.parameter().name)


def options(*declared: Option | str) -> Decorator:
    """Add options to a command, in this order; shared ones by their names."""

    def adding(command: Command) -> Command:
        parameters = vars(command).setdefault("__click_params__", [])  # click reads them backwards
        for option in reversed(declared):
            parameters.append((shared(option) if isinstance(option, str) else option).parameter())
        return command

    return adding


# ------------------------------------------------------------------------------
# Completion without importing what is completed, and functions from users' own files.

Completer = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]


def completer(names: Callable[[], Collection[str]], *, sign: str = "_") -> Completer:
    """Complete one of some names, whose words are joined by a sign."""

    def complete(_: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
        begun = re.sub("[-_]", sign, incomplete)
        return [CompletionItem(name) for name in names() if name.startswith(begun)]

    return complete


def names_in(*folder: str) -> list[str]:
    """Return the names of plug-ins without importing them: one file each."""
    return sorted(
        file.stem for file in Path(__file__).parents[1].joinpath(*folder).glob("[!_]*.py")
    )


def function_names() -> list[str]:
    """Return the names of the ranking functions."""
    return names_in("ranking", "functions")


complete_function = completer(function_names)


def complete_functions(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Complete the last of the names of ranking functions that commas separate."""
    before, comma, last = incomplete.rpartition(",")
    complete = completer(lambda: ["all", *function_names()])
    return [
        CompletionItem(before + comma + item.value) for item in complete(context, parameter, last)
    ]


def rule_names() -> list[str]:
    """Return the names of the scoring rules; the file of par has two."""
    names = {name.replace("_", "-") for name in names_in("data", "scoring")}
    return sorted(names - {"par"} | {"par2", "par10"})


def function_or_name(name: str) -> Any:
    """Return a name as it is, or the ranking function that it means in a file of the user's own."""
    if not _is_own(name):
        return name
    from deadheat.cli.user_functions import function_from

    return function_from(name)


def rule_or_name(name: str) -> Any:
    """Return a name as it is, or the scoring rule that it means in a file of the user's own."""
    if not _is_own(name):
        return name
    from deadheat.cli.user_functions import rule_from

    return rule_from(name)


def _is_own(name: str) -> bool:
    return re.search(r"\.py(:|$)", name) is not None


# ------------------------------------------------------------------------------
# The options about reading. Words are those of core.types, data.reading and resampling.plans,
# which cannot be asked without importing numpy.

POLICIES = (
    *("error", "worst", "last-rank", "impute-median", "available"),
    *("drop-judges", "drop-candidates"),
)

READING = (
    Option("--better", ("higher", "lower"), "Which scores win."),
    Option(
        "--layout",
        ("wide", "long", "runs", "battles"),
        "Guessed by default; battles are for rate.",
    ),
    Option("--candidates", ("rows", "columns"), "Where they are, if wide."),
    Option("--candidate", "COL", "The column that names the candidate."),
    Option("--judge", "COL", "The column that names the judge."),
    Option("--score", "COL", "The column of the scores; the table is long."),
    Option("--stratum", "COL", "The column of the stratum of a judge."),
    Option("--cluster", "COL", "The column of the cluster of a judge."),
    Option("--weight", "COL", "The column of the weight of a judge."),
    Option(
        "--where",
        "COL=VALUE...",
        "Keep only such rows, with COL!=VALUE only the others; may be repeated.",
    ),
    Option("--ignore", "COL...", "Leave a column out; may be repeated."),
    Option(
        "--missing",
        {"type": click.Choice(POLICIES), "metavar": "POLICY"},
        f"What to do about missing scores: {', '.join(POLICIES)}.",
    ),
    Option("--tie-tol", "X", "Scores of one judge within X of the best of their level are tied."),
    Option("--repeat", "COL", "The column that tells repeated runs apart."),
    Option(
        "--combine",
        ("error", "mean", "judges"),
        "What several scores of a candidate on a judge become.",
    ),
    Option(
        "--rule",
        {"metavar": "NAME", "shell_complete": completer(rule_names, sign="-")},
        "Score runs by this rule (see deadheat list scoring), or your own as FILE.py:NAME; "
        "solved by default.",
    ),
    Option("--status", "COL", "The column that says how a run ended."),
    Option("--time", "COL", "The column of the seconds that a run took."),
    Option("--quality", "COL", "The column of a run's cost or accuracy."),
    Option("--verified", "COL", "The column that says if it was verified."),
    Option("--cutoff", "S|COL", "The time limit in seconds, or its column."),
    Option(
        "--reference",
        "COL|FILE|replicate",
        "The best known quality; replicate: the best seen among those in a replicate.",
    ),
    Option(
        "--statuses",
        "WORD=STATUS...",
        "What a word means: solved, timeout, memout, crash, wrong, unknown; commas between.",
    ),
    Option(
        "--late",
        ("error", "timeout", "solved"),
        "What a solved run above the cutoff is; an error by default.",
    ),
    Option(
        "--wrong",
        ("unsolved", "solved", "disqualify", "penalise"),
        "What a wrong answer does; it counts as unsolved by default.",
    ),
    Option("--delimiter", "CHAR", "A character, or tab, space, semicolon ..."),
    Option("--decimal", (".", ","), "The decimal sign."),
    Option("--header/--no-header", {"default": None}, "Whether the first row holds names."),
    Option("--encoding", "NAME", "Such as utf-8, latin-1, utf-16."),
    Option("--sheet", "NAME", "The sheet of an Excel file."),
    Option("--sidecar", FILE, "A TOML file that says what is not said here."),
)
READ = frozenset(option.name for option in READING)

LOG = (
    Option("--left", "COL", "A log's column of the left candidate."),
    Option("--right", "COL", "A log's column of the right candidate."),
    Option("--winner", "COL", "A log's column that says who won."),
    Option("--left-wins", "COL", "Wins of the left one, where rows are counts."),
    Option("--right-wins", "COL", "Wins of the right one."),
    Option("--draws", "COL", "Draws, where rows are counts."),
    Option(
        "--outcomes",
        "WORD=OUTCOME...",
        "What a word means: left, right, tie or drop; may be repeated.",
    ),
    Option("--category", "COL", "Rate each category of battles by itself."),
    Option(
        "--covariate covariates",
        "NAME=A,B...",
        "Control for a quality of both sides, such as length=tokens_a,tokens_b.",
    ),
    Option("--relative", {"is_flag": True, "default": None}, "Covariates as (A - B) / (A + B)."),
    Option("--deduplicate", "COL...", "Count a battle once, by these columns; may be repeated."),
    Option(
        "--self-battles",
        ("error", "drop"),
        "What to do about a candidate that meets itself; an error by default.",
    ),
    Option("--order-by", "COL", "The column of times, for online ratings."),
)
LOG_READ = frozenset(option.name for option in LOG)


def reading_in(given: dict[str, Any], names: Collection[str] = READ) -> dict[str, Any]:
    """Take the options about reading out of what was given; return those that were said."""
    taken = {name: given.pop(name) for name in list(given) if name in names}
    reading = {name: value for name, value in taken.items() if value not in (None, ())}
    if "rule" in reading:
        reading["rule"] = rule_or_name(reading["rule"])
    return reading


def table_options(command: Command) -> Command:
    """Add FILE and the options about reading it; hand over ``table``, a Results."""
    return _reading(command, _read)


def runs_options(command: Command) -> Command:
    """Add the same for a table of runs, whatever it looks like; hand over ``table``, scored."""
    return _reading(command, lambda file, said: _read(file, {"layout": "runs", **said}))


def understood_table_options(command: Command) -> Command:
    """Add the same, but hand over the table with its holes, whatever policy is said for them."""

    def read(file: str, said: dict[str, Any]) -> Any:
        from deadheat.data.reading.read import understood

        return understood(file, **said)

    return _reading(command, read)


def _reading(command: Command, read: Callable[[str, dict[str, Any]], Any]) -> Command:
    @wraps(command)
    def reading(file: str, **given: Any) -> Any:
        said = reading_in(given)
        return command(table=read(file, said), **given)

    return click.argument("file", type=FILE)(options(*READING)(reading))


def _read(file: str, said: dict[str, Any]) -> Any:
    from deadheat.data.reading.read import read

    return read(file, **said)


def optional_table_options(command: Command) -> Command:
    """Add ``--table`` and the options about reading it; hand over ``table``, a Results or None."""

    @wraps(command)
    def reading(file: str | None, **given: Any) -> Any:
        said = reading_in(given)
        if file is None and said:
            raise UsageError(
                f"--{next(iter(said)).replace('_', '-')} says how to read a table, and none is "
                "given.",
                hint="name the table: --table FILE.",
            )
        return command(table=None if file is None else _read(file, said), **given)

    return options(Option("--table file", FILE, "Audit this table instead."), *READING)(reading)


def log_or_table_options(command: Command) -> Command:
    """Add FILE... and the options about reading a log or a table; hand over both unread."""

    @wraps(command)
    def collecting(files: tuple[str, ...], **given: Any) -> Any:
        reading = reading_in(given, READ | LOG_READ)
        if not files:
            raise UsageError("there is nothing to read: no file is named.", hint="name a file.")
        source = files[0] if len(files) == 1 else list(files)
        return command(source=source, reading=reading, **given)

    files = click.argument("files", nargs=-1, type=FILE, metavar="FILE...")
    return files(options(*READING, *LOG)(collecting))


# ------------------------------------------------------------------------------
# The options about what is computed.

PLANS = ("bootstrap", "stratified", "clustered", "two-level", "bayesian", "jackknife", "subsample")
TESTS = ("max-t", "sign-flip", "t-holm", "wilcoxon-holm", "nemenyi")
BY_DEFAULT = "average_rank by default; the rule's own total for runs"

SHARED = {
    option.name: option
    for option in (
        Option(
            "--replicates",
            "N",
            "How many times to resample; 10,000 by default, more in tests of very many.",
        ),
        Option("--alpha", "X", "The level: 0.05 gives 95 % intervals.", 0.05),
        Option("--seed", "N", "The same seed gives the same answer.", 0),
        Option(
            "--plan", PLANS, "How to resample; by default what the strata and clusters ask for."
        ),
        Option(
            "--engine",
            "NAME",
            "Where the work runs: serial, threads or threads:N; the answer is the same.",
            "threads",
        ),
        Option("--strict", bool, "Groups from tests of all pairs, family-wise."),
        Option("--official", FILE, "A CSV file with candidate and rank: the official order."),
        Option(
            "--p-value",
            ("plus-one", "paper"),
            "(count + 1)/(k + 1), or count/k as in the paper.",
            "plus-one",
        ),
        Option(
            "--leader",
            ("plurality", "best-score"),
            "Who leads a group: the candidate most often first, or the one with the best merit.",
            "plurality",
        ),
        Option("--test", TESTS, "The test of all pairs; max-t by default. Is strict."),
        Option("--round", "COL", "The column of the round: split, fold, seed."),
        Option("-o --output", FILE, "Write to a file, whole or not at all."),
        Option("-q --quiet", bool, "No notes and warnings on stderr."),
    )
}
RESAMPLING = ("replicates", "alpha", "seed", "plan", "engine")


def shared(name: str, **changes: Any) -> Option:
    """Return an option that several commands share, with another help or default."""
    return replace(SHARED[name], **changes)


def by_option(by_default: str = BY_DEFAULT) -> Decorator:
    """Add ``--by``; hand over ``by``, names and functions from the user's files, or None.

    ``by_default`` ends the help: what is taken where nobody says it.
    """
    option = Option(
        "--by",
        {
            "metavar": "NAME[,NAME...]|all",
            "multiple": True,
            "shell_complete": complete_functions,
        },
        "Ranking functions (see deadheat list functions), or your own as FILE.py:NAME; "
        f"{by_default}.",
    )
    return _with_functions(option, _several_functions)


def by_one_option(command: Command) -> Command:
    """Add ``--by`` for one function; hand over ``by``, a name, a function from a file, or None."""
    option = Option(
        "--by",
        {"metavar": "NAME", "shell_complete": complete_function},
        f"The ranking function that names the winner, or your own as FILE.py:NAME; {BY_DEFAULT}.",
    )
    return _with_functions(option, _one_function)(command)


def _with_functions(option: Option, functions: Callable[[Any], Any]) -> Decorator:
    def adding(command: Command) -> Command:
        @wraps(command)
        def choosing(by: Any, **given: Any) -> Any:
            return command(by=None if by in (None, ()) else functions(by), **given)

        return options(option)(choosing)

    return adding


def _several_functions(by: tuple[str, ...]) -> list[Any]:
    names = [name.strip() for part in by for name in part.split(",") if name.strip()]
    if not names:
        raise UsageError("--by names no function.", hint="e.g. --by average_rank, or --by all.")
    return [function_or_name(name) for name in names]


def _one_function(by: str) -> Any:
    name = by.strip()
    if not name or "," in name or name == "all":
        raise UsageError(
            f"--by takes one function here, not {quoted(by)}.", hint="e.g. --by average_rank."
        )
    return function_or_name(name)


# ------------------------------------------------------------------------------
# The options about what is written.

WRITING = (
    Option("--format", FORMATS, "By default table on a terminal, tsv in a pipe."),
    Option("--json", bool, "The same as --format json."),
    shared("output"),
    shared("quiet"),
)


def output_options(command: Command) -> Command:
    """Add the options about what is written where; hand over ``out``, an Output.

    Put it on top of the others: then what could not be written is refused before a large file is
    read. In the help its options still stand last.
    """

    @wraps(command)
    def writing(**given: Any) -> Any:
        said = {option.name: given.pop(option.name) for option in WRITING}
        return command(out=Output.asked(**said), **given)

    parameters = vars(writing).setdefault("__click_params__", [])
    parameters[:0] = [option.parameter() for option in reversed(WRITING)]
    return writing

"""The options of the command line, each declared once: a line of a text, as in the help.

A :class:`Group` of options says what a command is handed over instead: a table, an output.
"""

from __future__ import annotations

import inspect
import os
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, get_args

import click
from click.shell_completion import CompletionItem

from deadheat.cli.output import FORMATS, Output
from deadheat.cli.program import EXAMPLES
from deadheat.core import memory
from deadheat.core import options as known
from deadheat.core.errors import READING as READING_FLAGS
from deadheat.core.errors import WIDTHS, UsageError, command_with, quoted


class File(click.Path):
    """The name of a file; whoever opens it says what is wrong with it."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if value == "":  # would mean the current folder
            name = param.get_error_hint(ctx) if param is not None and ctx is not None else "FILE"
            fact = f"the name for {name} is empty."
            raise UsageError(fact, hint="name a file; perhaps a variable of the shell is not set.")
        return super().convert(value, param, ctx)


FILE = File(readable=False)
TYPES = {"N": int, "K": int, "INTEGER": int, "X": float, "S": float, "FLOAT": float}


@dataclass(frozen=True)
class Option:
    flags: str
    takes: Mapping[str, Any]
    help: str = ""
    default: Any = None

    @property
    def name(self) -> str:
        return self.flags.split("/")[0].split()[-1].lstrip("-").replace("-", "_")

    @cached_property
    def parameter(self) -> click.Option:
        shown = {} if self.default is None else {"default": self.default, "show_default": True}
        found = click.Option(self.flags.split(), help=self.help or None, **self.takes, **shown)
        width = 0 if found.is_flag else found.nargs
        WIDTHS.update(dict.fromkeys((*found.opts, *found.secondary_opts), width))
        return found


def parse_options(text: str) -> tuple[Option, ...]:
    """Return the options that a text declares, one in a line: flags, what it takes, help.

    Two spaces or more stand between the columns, and what is indented continues a line. An option
    takes one of ``[some|words]`` (``NAME[some|words]`` in the help), a ``PATH``, a number
    (``TYPES``), nothing (``flag``), or a text under any other name. Three dots behind it let it be
    repeated; ``= VALUE`` is a default that the help shows. A shared option needs its flag alone;
    ``...`` takes what it takes, with another help, and ``... =`` does without its default.
    """
    found = []
    for line in re.split(r"\n(?=-)", inspect.cleandoc(text)):
        flags, kind, told = (*re.split(r" {2,}|\n +", line, maxsplit=2), "", "")[:3]
        told = re.sub(r"\n +", " ", told)
        kind, sign, default = (part.strip() for part in kind.partition(" ="))
        one = kind.removesuffix("...")
        if one:
            value = TYPES.get(one, str)(default) if default else None
            takes = _in_terms_of_click(flags, one, several=one != kind)
            found.append(Option(flags, takes, told, value))
            continue
        option = SHARED[Option(flags, {}).name]
        usual = None if sign else option.default
        found.append(replace(option, help=told, default=usual) if kind else option)
    return tuple(found)


def _in_terms_of_click(flags: str, one: str, *, several: bool) -> dict[str, Any]:
    if one == "flag":
        return {"default": None} if "/" in flags else {"is_flag": True}
    if one == "PATH":
        return {"type": FILE, "multiple": several}
    if chosen := re.fullmatch(r"([A-Z]*)\[(?![,=])(.+)\]", one):
        return {"type": click.Choice(chosen[2].split("|")), "metavar": chosen[1] or None}
    takes = {"metavar": one, "type": TYPES.get(one), "multiple": several}
    return takes | ({"shell_complete": complete_column} if "COL" in one else {})


@dataclass(frozen=True)
class Group:
    """Declare parameters that mean one thing, and what a command is handed over for them."""

    members: tuple[Option | click.Argument, ...]
    meaning: Callable[..., dict[str, Any]]
    on_engine: bool = False  # whether it is told the engine of the command, too

    @property
    def names(self) -> frozenset[str]:
        return frozenset(str(member.name) for member in self.members)


# The options that matter, the most first: the short help of a command shows the first ten that it
# has, --help-all all.
BASIC = (
    *("better", "by", "distance", "model", "left", "right", "winner", "rule", "data", "strict"),
    *("show", "trials", "only", "bundle", "output", "cutoff", "explain", "pair", "width", "where"),
    *("score", "judge", "tournament", "round", "candidate", "format"),
)
SHORT = 10


class Command(click.Command):
    """Begin the help with examples, and show the options that matter, by what they are about."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        way: Any = {"is_flag": True, "is_eager": True, "expose_value": False, "hidden": True}
        self.params.append(click.Option(["--help-all"], callback=self._help_all, **way))

    def _help_all(self, ctx: click.Context, _: click.Parameter, value: bool) -> None:  # noqa: FBT001
        if value and not ctx.resilient_parsing:
            ctx.meta[EVERY_OPTION] = True
            click.echo(self.get_help(ctx), color=ctx.color)
            ctx.exit()

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        summary, _, more = (self.help or "").partition("\n\n")
        self._write_text(formatter, summary)
        with formatter.section("Examples"):
            for line in EXAMPLES.get(str(self.name), ()):
                formatter.write(f"{' ' * formatter.current_indent}{line}\n")
        if more and ctx.meta.get(EVERY_OPTION):
            self._write_text(formatter, more)

    @staticmethod
    def _write_text(formatter: click.HelpFormatter, text: str) -> None:
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text(inspect.cleandoc(text))

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        every = bool(ctx.meta.get(EVERY_OPTION))
        params = [each for each in self.get_params(ctx) if isinstance(each, click.Option)]
        records = {str(p.name): record for p in params if (record := p.get_help_record(ctx))}
        basic = [name for name in BASIC if name in records][:SHORT]
        shown = [name for name in records if every or name in basic]
        for section in (FILE_SECTION, RUN_SECTION, LOG_SECTION, METHOD, OUTPUT):
            rows = [records[name] for name in shown if SECTIONS.get(name, METHOD) == section]
            if rows:
                with formatter.section(section):
                    formatter.write_dl(rows)
        if left := len(records) - len(shown):
            formatter.write(f"\n{ctx.command_path} --help-all shows {left:,} more options.\n")


def command(
    name: str,
    *parts: Group | Option | click.Argument | str,
    cls: type[Command] = Command,
    writes: bool = True,
) -> Callable[[Callable[..., None]], click.Command]:
    """Make a command of groups, arguments and options; ``writes`` adds those of the output."""
    groups = [item for item in parts if isinstance(item, Group)]
    members: list[Option | click.Argument] = []
    for item in (*parts, WRITING) if writes else parts:
        if isinstance(item, str):
            members += parse_options(item)
        else:
            members += item.members if isinstance(item, Group) else [item]

    def making(function: Callable[..., None]) -> click.Command:
        def run(**given: Any) -> None:
            handed: dict[str, Any] = {}
            for group in [WRITING, *groups] if writes else groups:
                names = [name for name in given if name in group.names]  # as they were said
                on = {"engine": given.get("engine")} if group.on_engine else {}
                handed |= group.meaning(**{name: given.pop(name) for name in names}, **on)
            function(**handed, **given)

        params: Any = [m.parameter if isinstance(m, Option) else m for m in members]
        told = inspect.cleandoc(function.__doc__ or "")
        return cls(name, callback=run, params=params, help=told)

    return making


FILE_SECTION, RUN_SECTION, LOG_SECTION = "What is in the file", "Runs of solvers", "Battle logs"
METHOD, OUTPUT = "Method", "Output"
EVERY_OPTION = "deadheat.every option"


# ------------------------------------------------------------------------------
# Completion without importing what is completed, and functions from users' own files.

LONGEST_HEADER = 100_000  # characters
Completer = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]


def completer(
    names: Callable[[], Collection[str]], *, sign: str = "_", several: bool = False
) -> Completer:
    """Complete a name, or the last of ``several`` with commas between; ``sign`` joins its words."""

    def complete(_: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
        before, comma, last = incomplete.rpartition(",") if several else ("", "", incomplete)
        begun = re.sub("[-_]", sign, last)
        return [CompletionItem(before + comma + n) for n in names() if n.startswith(begun)]

    return complete


def complete_column(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Complete a column of the file that is named, by the first line of a text file."""
    # Where the option still lacks its value, click leaves the file among what is not parsed.
    said = (ctx.params.get("file"), *(ctx.params.get("files") or ()), *ctx.args)
    named = next((name for name in said if name and Path(name).is_file()), None)
    if named is None:
        return []
    with Path(named).open(encoding="utf-8-sig", errors="replace") as file:
        line = file.readline(LONGEST_HEADER).strip()
    names = (name.strip(' "') for name in line.split(max(",;\t|", key=line.count)))
    end = "=" if "=" in str(param.metavar) else ""
    return [CompletionItem(name + end) for name in names if name.startswith(incomplete)]


def names_in(folder: str, declared: str) -> list[str]:
    """Return the names of plug-ins without importing them, by how they are declared."""
    files = Path(__file__).parents[1].joinpath(folder).glob("[!_]*.py")
    texts = (file.read_text(encoding="utf-8") for file in files)
    return sorted(
        name for text in texts for name in re.findall(declared, text, re.MULTILINE | re.DOTALL)
    )


def function_names() -> list[str]:
    return names_in("ranking/functions", r'^@ranks_\w+\(\s*"(\w+)"')


def rule_names() -> list[str]:
    return names_in("data/scoring", r'^@scores_runs\(\s*"(.+?)"')


def picture_names() -> list[str]:
    found = names_in("report/plots", r"^@draws\(.*?^def (\w+)")
    return sorted(name.replace("_", "-") for name in found)


complete_function = completer(function_names)


def own_or_name(name: str, *, rule: bool = False) -> Any:
    """Return a name as it is, or the ranking function or rule that it means in a user's file."""
    if not re.search(r"\.py(:|$)", name):
        return name
    from deadheat.cli.user_functions import function_from, rule_from

    return rule_from(name) if rule else function_from(name)


# ------------------------------------------------------------------------------
# The options about reading. Names of functions need numpy to be known; a test compares them.


def _allow(ctx: click.Context, _: click.Parameter, size: str | None) -> None:
    if size is not None:
        before = os.environ.get(memory.VARIABLE, "")
        ctx.call_on_close(lambda: os.environ.__setitem__(memory.VARIABLE, before))
        memory.allow(size)


def words(choices: Any) -> str:
    return "|".join(get_args(choices) or choices)


READING = (
    *parse_options(f"""
        --better  [{words(known.Direction)}]  Which scores win.
        --layout  [wide|long|runs|battles]  Guessed by default; battles are for rate.
        --candidates  [{words(known.PLACES)}]  Where they are, if wide.
        --candidate  COL  The column that names the candidate.
        --judge  COL...  The column that names the judge; several name it together.
        --score  COL  The column of the scores; the table is long.
        --standard-error  COL...  The column of the standard error or interval of each score; said
            twice, of the interval's ends. The table is long, or has one column of scores.
        --stratum  COL...  The column of the stratum of a judge, or several together.
        --cluster  COL...  The column of the cluster of a judge, or several together.
        --weight  COL  The column of the weight of a judge; equal-strata: every stratum counts the
            same.
        --where  COL=VALUE...  Keep only such rows; also != and, of numbers and dates, < <= > >=
            (in quotes); may be repeated.
        --ignore  COL...  Leave a column out; may be repeated.
        --keep  COL...  A column holds scores, though it is called rank, mean or the like; may be
            repeated.
        --missing  POLICY[{words(known.MissingPolicy)}]  What to do about missing scores:
            {", ".join(get_args(known.MissingPolicy))}.
        --tie-tol  X  Scores of one judge within X of the best of their level are tied.
        --scale-scores  [{words(known.SCALINGS)}]  Take scores less their mean, in standard
            deviations: of all scores, or of each judge.
        --brackets  [{words(known.BRACKETS)}]  What a whole number in brackets behind a score is:
            the standard error of its last digits, or a rank or count, which is left out.
        --repeat  COL  The column that tells repeated runs apart.
        --combine  [{words(known.COMBINE)}]  What several scores of a candidate on a judge become.
        """),
    Option(
        "--rule",
        {"metavar": "NAME", "shell_complete": completer(rule_names, sign="-")},
        "Score runs by this rule (see deadheat list scoring), or your own as FILE.py:NAME; "
        "solved by default.",
    ),
    *parse_options(f"""
        --status  COL  The column that says how a run ended.
        --time  COL  The column of the seconds that a run took.
        --quality  COL  The column of a run's cost or accuracy.
        --verified  COL  The column that says if it was verified.
        --cutoff  S|COL  The time limit in seconds, or its column.
        --reference  COL|FILE|replicate  The best known quality; replicate: the best seen among
            those in a replicate.
        --statuses  WORD=STATUS...  What a word means: solved, timeout, memout, crash, wrong,
            unknown; commas between.
        --late  [{words(known.LATE)}]  What a solved run above the cutoff is; an error by default.
        --wrong  [{words(known.WRONG)}]  What a wrong answer does; it counts as unsolved by default.
        --unverified  [{words(known.UNVERIFIED)}]  What an answer is that nobody verified; it counts
            as solved by default.
        --delimiter  CHAR  A character, or tab, space, semicolon ...
        --decimal  [.|,]  The decimal sign.
        --header/--no-header  flag  Whether the first row holds names.
        --encoding  NAME  Such as utf-8, latin-1, utf-16.
        --sheet  NAME  The sheet of an Excel file.
        --from from_  NAME  The format of the file (see deadheat list formats), or your own as
            FILE.py:NAME; recognised by default.
        --sidecar  PATH  A TOML file that says what is not said here.
        --with join  PATH...  A file with columns about candidates or judges of a table, for
            --stratum, --where and the like; may be repeated.
        --rename  OLD=NEW|FILE...  Show another name; commas between several. Or a file with two
            columns: a name as it stands, and the one to show.
        --noun  ROLE=NOUN...  What to call candidates, judges or clusters: judge=instance; may be
            repeated.
        """),
)
LOG = (
    *parse_options("""
        --left  COL  A log's column of the left candidate.
        --right  COL  A log's column of the right candidate.
        --winner  COL  A log's column that says who won.
        --left-wins  COL  Wins of the left one, where rows are counts.
        --right-wins  COL  Wins of the right one.
        --draws  COL  Draws, where rows are counts.
        --left-score  COL  What the left one scored in a match: the higher wins, equal is a tie;
            where the lower wins, name the right one's here.
        --right-score  COL  What the right one scored.
        --outcomes  WORD=OUTCOME...  What a word means: left, right, tie or drop; may be repeated.
        --category  COL...  Rate each category of battles by itself, and their means.
        --covariate covariates  NAME=A,B...  Control for a quality of both sides, such as
            length=tokens_a,tokens_b.
        """),
    Option("--relative", {"is_flag": True, "default": None}, "Covariates as (A - B) / (A + B)."),
    *parse_options("""
        --deduplicate  COL...  Count a battle once, by these columns; may be repeated.
        --self-battles  [error|drop]  What to do about a candidate that meets itself; an error by
            default.
        --order-by  COL  The column of times, for online ratings.
        """),
)
READING_FLAGS.update(flag for each in (*READING, *LOG) for flag in each.flags.split()[0].split("/"))


def reading_in(given: dict[str, Any]) -> dict[str, Any]:
    reading = {name: value for name, value in given.items() if value not in (None, ())}
    for name in (name for name in known.SEVERAL if len(reading.get(name, ())) == 1):
        (reading[name],) = reading[name]
    if "rule" in reading:
        reading["rule"] = own_or_name(reading["rule"], rule=True)
    if re.search(r"\.py(:|$)", reading.get("from_", "")):
        from deadheat.cli.user_functions import format_from

        reading["from_"] = format_from(reading["from_"])
    return reading


def _reading(reader: str) -> Group:
    """Return FILE and the options about reading it; ``table`` is handed over, a Results."""

    def meaning(file: str, engine: str | None = None, **given: Any) -> dict[str, Any]:
        from deadheat.data.reading import read

        return {"table": getattr(read, reader)(file, **reading_in(given), **_on(engine))}

    return Group((click.Argument(["file"], type=FILE), *READING), meaning, reader == "read")


def _on(engine: str | None) -> dict[str, Any]:
    """Return who reads, where that is not this process."""
    if engine is None or engine.partition(":")[0] in {"serial", "threads"}:
        return {}
    from deadheat.resampling.engines import Readers

    return {"engine": Readers(engine)}


def _read_scored(file: str, **given: Any) -> dict[str, Any]:
    from deadheat.score.api import read_scored

    return {"table": read_scored(file, **reading_in(given))}


def _read_all(
    file: str, more: tuple[str, ...], engine: str | None = None, **given: Any
) -> dict[str, Any]:
    from deadheat.data.reading.read import read_all

    return {"tables": read_all([file, *more], **reading_in(given), **_on(engine))}


def _read_boards(
    file: str, more: tuple[str, ...], each: str | None, engine: str | None = None, **given: Any
) -> dict[str, Any]:
    """Return one table with its parts, or several tables."""
    if more or each is None:
        return _read_all(file, more, engine, each=each, **given)
    from deadheat.data.reading.read import read

    return {"tables": [read(file, each=each, **reading_in(given), **_on(engine))]}


def _optional(file: str | None, **given: Any) -> dict[str, Any]:
    from deadheat.data.reading.read import read

    said = reading_in(given)
    if file is None and said:
        flag = f"--{next(iter(said)).replace('_', '-')}"
        fact = f"{flag} says how to read a table, and none is given."
        raise UsageError(fact, hint=f"without it: {command_with(**dict.fromkeys(said))}")
    return {"table": None if file is None else read(file, **said)}


def _unread(files: tuple[str, ...], **given: Any) -> dict[str, Any]:
    reading = reading_in(given)
    if len(categories := reading.get("category", ())) == 1:
        (reading["category"],) = categories
    if not files:
        example = EXAMPLES[str(click.get_current_context().command.name)][0]
        fact = "there is nothing to read: no file is named."
        raise UsageError(fact, hint=f"name a file, such as: {example}")
    return {"source": files[0] if len(files) == 1 else list(files), "reading": reading}


def _one_unread(file: str, **given: Any) -> dict[str, Any]:
    return _unread((file,), **given)


TABLE = _reading("read")
RUNS = Group((click.Argument(["file"], type=FILE), *READING), _read_scored)
MORE = click.Argument(["more"], nargs=-1, type=FILE, metavar="[FILE]...")
EACH = parse_options("--each  COL  Who is first for each value of a column, such as a category.")
BOARDS = Group((*TABLE.members, *EACH), TABLE.meaning, on_engine=True)
PARTS = parse_options("--each  COL  A column: every value of it makes a table of its rows.")
SEVERAL: tuple[Option | click.Argument, ...] = (click.Argument(["file"], type=FILE), MORE, *READING)
TABLES = Group((*SEVERAL, *PARTS), _read_all, on_engine=True)
VERDICTS = Group((*SEVERAL, *EACH), _read_boards, on_engine=True)
AUDITED = parse_options("--table file  PATH  Audit this table instead.")
OPTIONAL_TABLE = Group((*AUDITED, *READING), _optional)
FILES = click.Argument(["files"], nargs=-1, type=FILE, metavar="FILE...")
LOG_OR_TABLE = Group((FILES, *READING, *LOG), _unread)
CHECKED = Group((click.Argument(["file"], type=FILE), *READING, *LOG), _one_unread)
RATED = Group((*LOG_OR_TABLE.members, *EACH), _unread)


# ------------------------------------------------------------------------------
# The options about what is computed.

BY_DEFAULT = (
    "average_rank by default; the mean where every score is 0 or 1; for runs the rule's total"
)
SHARED = {
    option.name: option
    for option in parse_options(f"""
        --replicates  N  How many times to resample; 10,000 by default, more in tests of very many.
        --alpha  X = 0.05  The level: 0.05 gives 95 % intervals.
        --seed  N = 0  The same seed gives the same answer.
        --plan  [{words(known.PLANS)}]  How to resample; by default what the strata and clusters
            ask for.
        --engine  NAME = threads  Where the work runs: serial, threads, processes, dask (also with a
            number, threads:2) or dask://HOST:PORT; the answer is the same.
        --checkpoint  PATH  A folder that keeps finished blocks: the same command goes on after
            them.
        --strict  flag  Groups from tests of all pairs, family-wise.
        --official  PATH  A CSV file with candidate and rank: the official order.
        --top  K  Show only the first K of the official order, or of the observed one.
        --p-value  [{words(known.PValue)}] = plus-one  (count + 1)/(k + 1); count/k as in the
            paper; or of a permutation test, its footnote 1.
        --leader  [{words(known.Leader)}] = plurality  Who leads a group: the candidate most often
            first, or the one with the best merit.
        --test  [{words(known.TESTS)}]  The test of all pairs; max-t by default. Is strict.
        --round  COL  The column of the round: split, fold, seed.
        -o --output  PATH  Write to a file, whole or not at all.
        -q --quiet  flag  No notes and warnings on stderr.
        """)
}
RESAMPLING = "--replicates\n--alpha\n--seed\n--plan\n--engine\n--checkpoint"


def by_several(by_default: str = BY_DEFAULT) -> Group:
    """Return ``--by``; ``by_default`` ends its help: what is taken where nobody says it."""
    complete = completer(lambda: ["all", *function_names()], several=True)
    takes = {"metavar": "NAME[,NAME...]|all", "multiple": True, "shell_complete": complete}
    text = "Ranking functions (see deadheat list functions), or your own as FILE.py:NAME; "
    return Group((Option("--by", takes, f"{text}{by_default}."),), _several_functions)


def _several_functions(by: tuple[str, ...]) -> dict[str, Any]:
    names = [name.strip() for part in by for name in part.split(",") if name.strip()]
    if by and not names:
        hint = f"by average rank: {command_with(by='average_rank')}"
        raise UsageError("--by names no function.", hint=hint)
    return {"by": [own_or_name(name) for name in names] or None}


def _one_function(by: str | None) -> dict[str, Any]:
    name = None if by is None else by.strip()
    if name is not None and (not name or "," in name or name == "all"):
        fact = f"--by takes one function here, not {quoted(by)}."
        first = name.split(",")[0].strip() if name not in ("", "all") else ""
        hint = f"by one function: {command_with(by=first or 'average_rank')}"
        raise UsageError(fact, hint=hint)
    return {"by": name and own_or_name(name)}


NAME = {"metavar": "NAME", "shell_complete": complete_function}
WHO = "The ranking function that names the winner, or your own as FILE.py:NAME"
BY_ONE = Group((Option("--by", NAME, f"{WHO}; {BY_DEFAULT}."),), _one_function)
MEMORY = {"metavar": "SIZE", "callback": _allow, "expose_value": False}
WRITING = Group(
    (
        *parse_options(f"""
        --format  [{"|".join(FORMATS)}]  By default table on a terminal, tsv in a pipe.
        --json  flag  The same as --format json.
        --output
        --quiet
        --explain  flag  On a terminal: what every column and claim means too.
        --all everything  flag  On a terminal: every row of a long table.
        """),
        Option("--memory", MEMORY, "How much memory to take, such as 500MB; 2GB by default."),
    ),
    lambda **said: {"out": Output.from_flags(**said)},
)
SECTIONS = {
    **{option.name: FILE_SECTION for option in READING},
    **dict.fromkeys(["rule", "status", "time", "quality", "verified", "cutoff"], RUN_SECTION),
    **dict.fromkeys(["reference", "statuses", "late", "wrong", "unverified"], RUN_SECTION),
    **{option.name: LOG_SECTION for option in LOG},
    **dict.fromkeys((*WRITING.names, "width", "theme", "scale", "bundle", "help"), OUTPUT),
}

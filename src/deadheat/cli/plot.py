"""``deadheat plot``."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NoReturn

import click

from deadheat.cli import commands
from deadheat.cli.exits import say
from deadheat.cli.options import (
    LOG,
    LOG_OR_TABLE,
    READING,
    WRITING,
    Command,
    Option,
    command,
    completer,
    own_or_name,
    parse_options,
    picture_names,
    words,
)
from deadheat.cli.output import watching
from deadheat.cli.program import EXAMPLES
from deadheat.cli.verdict import verdict
from deadheat.core import options as known
from deadheat.core.errors import UsageError, command_saying, command_with, listed, quoted
from deadheat.core.files import promise

KINDS = completer(picture_names, sign="-")


class PlotCommand(Command):
    """Take two names after ``--pair``, and a file and a kind; say so where they came as one."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        for place, arg in enumerate(args):
            name, equals, value = arg.partition("=")
            if name != "--pair":
                continue
            rest = [value] * bool(equals) + args[place + 1 :]
            if rest and "," in rest[0] and (len(rest) == 1 or rest[1].startswith("-")):
                both = [part.strip() for part in rest[0].split(",", 1)]
                one = f"--pair={rest[0]}" if equals else rest[0]
                words = command_saying({one: ["--pair", *both] if equals else both})
                fact = f"--pair takes two names, and {quoted(rest[0])} is one."
                raise UsageError(fact, hint=f"as two: {words}")
        rest = super().parse_args(ctx, args)
        if not ctx.params["files"] and (one := ctx.params["kind"]):
            out = [] if ctx.params.get("output") else ["-o", "fig.svg"]
            words = command_saying({one: [one, "intervals", *out]})
            way = f"as intervals: {words}"
            if one in picture_names():
                way = f"name a file before it, such as: {EXAMPLES['plot'][0]}"
            fact = f"a picture takes a file and a kind, and only {quoted(one)} is named."
            raise UsageError(fact, hint=way)
        return rest


# What computes the results that are drawn; their options are those of the pictures, too.
MAKERS = (
    verdict,
    *(commands.compare, commands.influence, commands.rank, commands.criteria, commands.agree),
    commands.rate,
)
OWN = parse_options(f"""
    --output  ...  The file: .svg, .pdf, .png, .html or .json.
    --width  page|column|LENGTH = page  Of a page, of a column of a paper, or such as 3.3in.
    --no-title  flag  Without its title, for a caption of your own.
    --theme  [light|dark] = light
    --scale  X = 2  Pixels a point, PNG.
    --values  [{words(known.HEAT_VALUES)}]  What a heat map shows; scores by default.
    --by  NAME[,NAME...]  The ranking functions, as in verdict.
    --quiet
    """)
PAIR = Option("--pair", {"nargs": 2, "metavar": "A B"}, "The two candidates of a scatter.")
(EACH_ONE,) = parse_options(
    "--each  COL  One picture shows one board: says which command draws it."
)
MEANINGS = {
    "benchmarks": commands.benchmarks_by_name,
    "tournament_weights": commands.weights_by_name,
}


def borrowed() -> tuple[Option, ...]:
    """Return the options of all that is drawn, each once, without defaults of their own."""
    written = (*OWN, *READING, *LOG, *WRITING.members)
    elsewhere = {"show", "fail_on", "each", "more_trials", "help_all"}
    elsewhere |= {str(each.name) for each in written}
    users: dict[str, list[tuple[str, click.Option]]] = {}
    for maker in MAKERS:
        for param in maker.params:
            if isinstance(param, click.Option) and param.name not in elsewhere:
                users.setdefault(str(param.name), []).append((str(maker.name), param))
    found = []
    for name, those in users.items():
        first = those[0][1]
        takes: dict[str, Any] = {"metavar": first.metavar, "type": first.type}
        takes |= {"multiple": first.multiple}
        if first.is_flag:
            takes = {"is_flag": True}
        elif isinstance(first.type, click.Choice):
            every = [word for _, param in those for word in getattr(param.type, "choices", ())]
            takes["type"] = click.Choice(list(dict.fromkeys(every)))
        told = f"As in {listed(command for command, _ in those)}."
        found.append(Option(f"{first.opts[-1]} {name}", takes, told))
    return tuple(found)


@command(
    "plot",
    LOG_OR_TABLE,
    click.Argument(["kind"], metavar="KIND", shell_complete=KINDS),
    *OWN,
    PAIR,
    EACH_ONE,
    *borrowed(),
    cls=PlotCommand,
    writes=False,
)
def plot(
    source: Any, reading: dict[str, Any], kind: str, output: str | None, **request: Any
) -> None:
    """Draw a picture of a table: intervals, ranks, pairs, influence, ratings and more.

    KIND is one of `deadheat list plots`. What the picture needs is computed first, with the options
    of the command that computes it.
    """
    from deadheat.report.load import saved_at
    from deadheat.report.picture import format_of, kind_named, pixels
    from deadheat.report.plot import subject_of, understands

    wanted = kind_named(kind, see="deadheat list plots says what each shows")
    quiet = request.pop("quiet")
    if (column := request.pop("each")) is not None:
        _refuse_boards(source, column, reading)
    width, theme, scale = (request.pop(name) for name in ("width", "theme", "scale"))
    titled = not request.pop("no_title")
    if output is None:
        fact = "no file is named to write to."
        raise UsageError(fact, hint=f"to a new file: {command_with(output='fig.svg')}")
    format_of(output)
    promise(output)
    across = pixels(int(width) if width.isdigit() else width)
    said = {name: value for name, value in request.items() if value not in (None, (), False)}
    accepted = understands(wanted)
    said |= {name: mean(said[name]) for name, mean in MEANINGS.items() if name in said}
    if "by" in said:
        names = [own_or_name(name.strip()) for name in said["by"].split(",")]
        said["by"] = names[0] if len(names) == 1 else names
    said = {name: value for name, value in said.items() if name != "engine" or name in accepted}
    look = {name: said.pop(name) for name in wanted.look if name in said}
    if foreign := {name: value for name, value in said.items() if name not in accepted}:
        fact = f"{_flags(foreign)}: no option of the picture {wanted.name}."
        raise UsageError(fact, hint=f"without: {command_with(**dict.fromkeys(foreign))}")
    subject: Any = saved_at(source)
    if subject is None:
        with watching("computing", quiet=quiet) as progress:
            watched: dict[str, Any] = {"progress": progress} if "progress" in accepted else {}
            subject = subject_of(wanted, source, **said, **reading, **watched)
    elif idle := {name: each for name, each in {**said, **reading}.items() if name != "engine"}:
        fact = f"{_flags(idle)}: {source} is a saved result, and nothing is computed again."
        raise UsageError(fact, hint=f"without: {command_with(**dict.fromkeys(idle))}")
    picture = subject.plot(wanted.name, width=across, **look)
    picture.save(output, theme=theme, scale=scale, titled=titled)
    if not quiet:
        say(f"wrote {output}: {picture.see}")
        for warning in getattr(subject, "warnings", ()):
            say(f"warning: {warning}")


def _refuse_boards(source: Any, column: str, reading: dict[str, Any]) -> NoReturn:
    """Name the command that draws the first of the boards."""
    from deadheat.data.reading.read import read

    value = read(source, each=column, **reading).parts[0].source
    command = command_with(each=None, where=[f"{column}={value}"])
    raise UsageError("a picture shows one table, not a board for each value.", hint=command)


def _flags(names: Iterable[str]) -> str:
    return listed(f"--{name.replace('_', '-')}" for name in names)

"""The program ``deadheat``: a group of commands that loads only the one it runs."""

from __future__ import annotations

import difflib
import importlib
import os
import shlex
import sys
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NoReturn

import click
from click.shell_completion import CompletionItem, get_completion_class, shell_complete

from deadheat.cli.exits import exit_code_of, fact_of, help_for
from deadheat.core.errors import (
    UsageError,
    command_saying,
    command_with,
    named,
    remember_command,
)
from deadheat.core.files import OverwritingError, run
from deadheat.core.memory import budget
from deadheat.core.version import __version__

NAME = "deadheat"
COMPLETION = "_DEADHEAT_COMPLETE"
ARGUMENTS = "deadheat.arguments"
OUTPUT = ("-o", "--output")
COMMANDS = {
    "demo": "Say who really won a competition that comes with deadheat.",
    "check": "Say what was understood of a table and what is odd about it.",
    "score": "Score runs by a rule: solved, PAR2, IPC, your own.",
    "rank": "Rank the candidates of a table by one or several ranking functions.",
    "verdict": "Say who really won, and how sure that is: groups, intervals, first places.",
    "compare": "Compare the candidates A and B of a table: difference, interval, p, win rate.",
    "agree": "Say how much the judges agree, and who opposes the rest.",
    "influence": "Leave out one judge at a time and say what changes.",
    "consensus": "Find the ranking that is closest to the judges, and prove it.",
    "axioms": "Say which axioms ranking functions obey, with counter-examples.",
    "criteria": "Say which ranking function to trust on a table, or on several.",
    "rate": "Rate candidates so that differences are odds of winning: EPP, Bradley-Terry, Elo.",
    "plot": "Draw a picture of a table: intervals, ranks, pairs, ratings and more.",
    "report": "Write a page that says who won and how sure that is, with pictures and tables.",
    "reproduce": "Recompute the tables and figures of a paper, beside what it prints.",
    "convert": "Write a file of any format in our own layout: CSV, TSV or Parquet.",
    "show": "Show a result that was saved with --json, or write it in another format.",
    "list": "List what there is: functions, axioms, criteria, plots, formats, scoring rules ...",
    "completion": "Print the script that completes deadheat in your shell.",
}
EXAMPLES = {
    "demo": ("deadheat demo", "deadheat demo --data arena"),
    "check": (
        "deadheat check results.csv --better higher",
        "deadheat check runs.csv --rule par2 --cutoff 60",
    ),
    "score": (
        "deadheat score runs.csv --rule par2 --cutoff 60",
        "deadheat score runs.csv --rule solved -o scores.csv",
    ),
    "rank": (
        "deadheat rank results.csv --better higher",
        "deadheat rank results.csv --better higher --by mean,median,copeland",
    ),
    "verdict": (
        "deadheat verdict results.csv --better higher",
        "deadheat verdict runs.csv --rule par2 --cutoff 60",
    ),
    "compare": (
        "deadheat compare results.csv svm forest --better higher",
        "deadheat compare runs.csv kissat minisat --rule par2 --cutoff 60",
    ),
    "agree": (
        "deadheat agree results.csv --better higher",
        "deadheat agree results.csv --better higher --show clusters",
    ),
    "influence": (
        "deadheat influence results.csv --better higher",
        "deadheat influence runs.csv --rule par2 --cutoff 60",
    ),
    "consensus": (
        "deadheat consensus results.csv --better higher",
        "deadheat consensus results.csv --better higher --distance footrule",
    ),
    "axioms": (
        "deadheat axioms copeland --only iia",
        "deadheat axioms --table results.csv --better higher",
    ),
    "criteria": (
        "deadheat criteria results.csv --better higher",
        "deadheat criteria results.csv --better higher --by mean,copeland --trials 200",
    ),
    "rate": (
        "deadheat rate log.csv",
        "deadheat rate results.csv --better higher --scale elo",
    ),
    "plot": (
        "deadheat plot results.csv intervals --better higher -o intervals.svg",
        "deadheat plot log.csv ratings -o ratings.pdf",
    ),
    "report": (
        "deadheat report results.csv --better higher -o report.html",
        "deadheat report runs.csv --rule par2 --cutoff 60 --bundle folder",
    ),
    "reproduce": (
        "deadheat reproduce pavao2021 table2-left",
        "deadheat reproduce fawcett2023 table1",
    ),
    "convert": (
        "deadheat convert results.csv --better higher -o table.parquet",
        "deadheat convert log.csv -o battles.parquet",
    ),
    "show": ("deadheat show saved.json", "deadheat show saved.json --format latex"),
    "list": ("deadheat list", "deadheat list functions"),
}
NEXT_STEPS = """Who really won, and how sure are we?

  deadheat demo            see it on a competition of 18 SAT solvers
  deadheat FILE            ask it of your table: CSV, Parquet, JSON, Excel ...
  deadheat rate FILE       rate the candidates of a log of battles or matches
  deadheat report FILE     the same as a page to share, with pictures

deadheat --help lists all commands."""
MOST_WAYS = 3  # that a hint offers where none is likelier than the others
ALONE = ("demo", "verdict", "plot", "report")  # each in a file of its own
ANSWERS = ("verdict", "rank", "rate")  # are what is likely asked for


class Program(click.Group):
    """Know the commands by name and one line of help; the module of one is imported on use."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in COMMANDS or cmd_name in self.commands:
            return self.commands.get(cmd_name)
        file = cmd_name if cmd_name in ALONE else "commands"
        values = vars(importlib.import_module(f"deadheat.cli.{file}")).values()
        commands = (value for value in values if isinstance(value, click.Command))
        return next(command for command in commands if command.name == cmd_name)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if name not in COMMANDS and _is_source(name):
            return super().resolve_command(ctx, ["verdict", *args])
        if name not in COMMANDS and not name.startswith("-") and not ctx.resilient_parsing:
            if near := difflib.get_close_matches(name, COMMANDS, n=1):
                fact = f"unknown command {name!r}. Did you mean {near[0]!r}?"
                hint = f"with {near[0]!r}: {shlex.join([NAME, near[0], *args[1:]])}"
                raise UsageError(fact, hint=hint)
            ctx.fail(f"unknown command {name!r}.")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        names = (item for item in COMMANDS.items() if item[0].startswith(incomplete))
        items = [CompletionItem(name, help=line) for name, line in names]
        return items + click.Command.shell_complete(self, ctx, incomplete)

    def main(self, args: Sequence[str] | None = None, **extra: Any) -> NoReturn:  # type: ignore[override]
        """Run and exit; unlike click's own, with deadheat's exit codes and messages."""
        given = list(sys.argv[1:] if args is None else args)
        variable = extra.pop("complete_var", None) or COMPLETION
        for name in ("prog_name", "standalone_mode"):  # the same also under python -m
            extra.pop(name, None)
        if instruction := os.environ.get(variable):
            sys.exit(shell_complete(self, {}, NAME, variable, instruction))
        with remember_command([NAME, *given]):
            sys.exit(exit_code_of(lambda: self._run(given, extra)))

    def _run(self, given: list[str], extra: dict[str, Any]) -> None:
        budget()  # what is no size is refused before any work
        try:
            with run(), self.make_context(NAME, list(given), **extra) as context:
                context.meta[ARGUMENTS] = [NAME, *given]
                self.invoke(context)
        except click.UsageError as error:
            unknown, near = "", list[str]()
            if isinstance(error, click.NoSuchOption):
                unknown, near = error.option_name, _meant(error, given)
            fact, hints = fact_of(error), [*_ways_on(error, given, near)]
            if near and near[0] not in fact:
                fact = f"no such option {unknown!r}. Did you mean {near[0]!r}?"
            if error.ctx is not None and unknown and (having := self._having(unknown)):
                fact = f"{error.ctx.command.name} has no {unknown}."
                hints = [*self._of_others(having, given)]
            raise UsageError(fact, hint="\n".join(hints) or help_for(error)) from None
        except OverwritingError as error:
            raise UsageError(error.fact, hint=_elsewhere([NAME, *given], error)) from None
        finally:
            if engines := sys.modules.get("deadheat.resampling.engines"):
                engines.close()  # the workers that the command has started

    def _having(self, option: str) -> dict[str, click.Parameter]:
        """Return the commands that have an option, and that."""
        commands = {name: self.get_command(click.Context(self), name) for name in COMMANDS}
        return {
            name: each
            for name, command in commands.items()
            for each in (command.params if command else ())
            if option in each.opts
        }

    def _of_others(self, having: dict[str, click.Parameter], given: list[str]) -> Iterator[str]:
        """Yield ways on where other commands have an option: one that takes the rest as well."""
        asked = given[0] if given[0] in COMMANDS else "verdict"
        rest = given[given[0] in COMMANDS :]
        names = sorted(having, key=lambda name: name not in ANSWERS)
        others = f"{named(names, most=9)} {'have' if len(names) > 1 else 'has'} it"
        can = next((name for name in names if self._takes(name, rest)), "")
        yield f"{others}: {shlex.join([NAME, can, *rest])}" if can else f"{others}."
        without = command_with(**{str(next(iter(having.values())).name): None})
        words = shlex.split(without)[1:]
        if self._takes(asked, words[words[:1] == [asked] :]):
            yield f"without it: {without}"

    def _takes(self, name: str, words: list[str]) -> bool:
        command = self.get_command(click.Context(self), name)
        assert command is not None
        try:
            _, rest, _ = command.make_parser(click.Context(command)).parse_args(list(words))
        except click.UsageError:
            return False
        return not rest


CALLED_ELSEWHERE = dict.fromkeys(("--style", "--style-control", "--control"), "--covariate")


def _meant(error: click.NoSuchOption, given: list[str]) -> list[str]:
    """Return the options that may be meant by one that is none, and take what stands behind it."""
    known = {flag: p for p in (error.ctx.command.params if error.ctx else ()) for flag in p.opts}
    meant = CALLED_ELSEWHERE.get(error.option_name)
    if meant in known:
        return [str(meant)]
    words = [part for word in given for part in word.split("=", 1)]
    value = next((word for flag, word in pairwise(words) if flag == error.option_name), "")
    return [each for each in error.possibilities or () if _takes_value(known.get(each), value)]


def _takes_value(param: click.Parameter | None, value: str) -> bool:
    if not isinstance(param, click.Option) or param.is_flag or value.startswith("-"):
        return True
    try:
        param.type.convert(value, param, None)
    except (click.UsageError, UsageError):
        return False
    return True


def _ways_on(error: click.UsageError, given: list[str], near: list[str]) -> Iterator[str]:
    """Yield ways on where words do not suit their command; ``near`` are options that may."""
    if isinstance(error, click.NoSuchOption):
        if near and (command := command_saying({error.option_name: near[:1]})):
            yield f"with {near[0]}: {command}"
    elif isinstance(error, click.MissingParameter):
        for example in EXAMPLES.get(str(error.ctx and error.ctx.command.name), ())[:1]:
            yield f"such as: {example}"
    elif isinstance(error, click.BadOptionUsage):
        name = error.option_name.lstrip("-").replace("-", "_")
        yield f"without it: {command_with(**{name: None})}"
    elif isinstance(error, click.BadParameter) and isinstance(error.param, click.Option):
        name, kind = str(error.param.name), error.param.type
        if isinstance(kind, click.Choice):
            words = " ".join(given).replace("=", " ").split()
            said = next((word for flag, word in pairwise(words) if flag in error.param.opts), "")
            near = difflib.get_close_matches(said, kind.choices, n=1)
            every = kind.choices if len(kind.choices) <= MOST_WAYS else ()
            for choice in near or every:
                yield f"with {choice}: {command_with(**{name: choice})}"
        else:
            yield f"without it: {command_with(**{name: None})}"


def _is_source(name: str) -> bool:
    return name == "-" or bool(Path(name).suffix) or Path(name).exists()


def _elsewhere(words: list[str], error: OverwritingError) -> str:
    changed = list(words)
    for place, word in enumerate(words):
        if word == error.output and words[place - 1] in OUTPUT:
            changed[place] = error.other
        elif word.removesuffix(error.output) in {"-o", "--output="} and word not in OUTPUT:
            changed[place] = word.removesuffix(error.output) + error.other
    if changed == words:
        changed += ["-o", error.other]
    return shlex.join(changed)


@click.group(
    cls=Program,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="deadheat")
@click.pass_context
def deadheat(context: click.Context) -> None:
    """Say who really won, and how sure we can be.

    A table of scores in (candidates x judges), a ranking out that a person can defend.
    """
    if context.invoked_subcommand is None:
        click.echo(NEXT_STEPS)


@deadheat.command("completion")
@click.argument("shell", type=click.Choice(("bash", "zsh", "fish")))
def completion(shell: str) -> None:
    r"""Print the script that completes deadheat in your shell.

    \b
    bash:  eval "$(deadheat completion bash)"     in ~/.bashrc
    zsh:   eval "$(deadheat completion zsh)"      in ~/.zshrc
    fish:  deadheat completion fish > ~/.config/fish/completions/deadheat.fish

    Names of commands, options and ranking functions are then completed by the tab key.
    """
    kind = get_completion_class(shell)
    assert kind is not None
    click.echo(kind(deadheat, {}, NAME, COMPLETION).source())

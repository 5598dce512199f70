"""A group of commands that loads only the one it runs."""

from __future__ import annotations

import difflib
import importlib
import os
import sys
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

import click
from click.shell_completion import CompletionItem, shell_complete

from deadheat.cli.exits import exit_code_of
from deadheat.data.wording import asked_by
from deadheat.memory import budget

NAME = "deadheat"
COMPLETION = "_DEADHEAT_COMPLETE"
ARGUMENTS = "deadheat.arguments"


class Program(click.Group):
    """Know the commands by name and one line of help; ``cli/<name>.py`` is imported on use."""

    def __init__(self, *args: Any, helps: Mapping[str, str], **options: Any) -> None:
        super().__init__(*args, **options)
        self.helps = helps

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Return the names in the order of their table."""
        return list(self.helps)

    def get_command(
        self,
        ctx: click.Context,  # noqa: ARG002 - click's signature
        cmd_name: str,
    ) -> click.Command | None:
        """Import the module of a command and return the command in it."""
        if cmd_name not in self.helps:
            return None
        module = importlib.import_module(f"deadheat.cli.{cmd_name}")
        command = getattr(module, "command")  # noqa: B009 - click hands back Any
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that the first argument names, or say which was meant."""
        name = args[0]
        if name not in self.helps and not name.startswith("-") and not ctx.resilient_parsing:
            near = difflib.get_close_matches(name, self.helps, n=1)
            guess = f" Did you mean {near[0]!r}?" if near else ""
            ctx.fail(f"unknown command {name!r}.{guess}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Write the table of commands without loading them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(self.helps.items()))

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Return the commands that begin so, without loading them, and the options."""
        names = (item for item in self.helps.items() if item[0].startswith(incomplete))
        items = [CompletionItem(name, help=line) for name, line in names]
        return items + click.Command.shell_complete(self, ctx, incomplete)

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,  # noqa: ARG002 - the same name also under python -m
        complete_var: str | None = None,
        standalone_mode: bool = True,  # noqa: ARG002, FBT001, FBT002 - click's signature
        **extra: Any,
    ) -> NoReturn:
        """Run and exit; unlike click's own, with deadheat's exit codes and messages."""
        given = list(sys.argv[1:] if args is None else args)
        variable = complete_var or COMPLETION
        if instruction := os.environ.get(variable):
            sys.exit(shell_complete(self, {}, NAME, variable, instruction))
        sys.exit(exit_code_of(lambda: self._run(given, extra)))

    def _run(self, given: list[str], extra: dict[str, Any]) -> None:
        budget()  # what is no size is refused before any work
        with self.make_context(NAME, list(given), **extra) as context:
            context.meta[ARGUMENTS] = [NAME, *given]
            with asked_by(context.meta[ARGUMENTS]):
                self.invoke(context)

"""The command ``deadheat`` itself."""

from __future__ import annotations

import click

from deadheat.cli import COMMANDS
from deadheat.cli.program import Program
from deadheat.version import __version__


@click.group(
    cls=Program,
    helps=COMMANDS,
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
        click.echo(context.get_help())

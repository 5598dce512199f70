"""The command line: parse, call, write.

A new command is one file: ``cli/<name>.py`` with a click command of that name, which imports what
it computes with inside its body, and one line in ``COMMANDS`` below. The line is all that
``deadheat --help`` and shell completion look at, so they stay quick.
"""

from __future__ import annotations

import click

from deadheat.cli.program import Program
from deadheat.version import __version__

COMMANDS = {
    "demo": "Rank a small example and say who is first.",
    "check": "Say what was understood of a table and what is odd about it.",
    "rank": "Rank the candidates of a table by one or several ranking functions.",
    "list": "List what there is: functions, formats, examples.",
    "completion": "Print the script that completes deadheat in your shell.",
}


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


def main() -> None:
    """Run the command line and exit."""
    deadheat.main()

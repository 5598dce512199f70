"""``deadheat show``."""

from __future__ import annotations

import sys

import click

from deadheat.cli.options import FILE, command
from deadheat.cli.output import STDIN, Output
from deadheat.cli.program import ARGUMENTS


@command("show", click.Argument(["file"], metavar="FILE", type=FILE))
def show(file: str, out: Output) -> None:
    """Show a result that was saved with --json, or write it in another format.

    FILE is the JSON of any command; - reads standard input. Nothing is computed again.
    """
    from deadheat.report.load import load

    result = load(sys.stdin.buffer.read() if file == STDIN else file)
    click.get_current_context().meta.pop(ARGUMENTS, None)  # who made it is known already
    out.write(result)

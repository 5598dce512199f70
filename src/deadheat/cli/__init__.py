"""The command line: parse, call, write.

A new command is a function with :func:`deadheat.cli.options.command` in ``cli/commands.py`` (or in
``cli/<name>.py``), which imports what it computes with inside its body, and one line in
``COMMANDS`` of :mod:`deadheat.cli.program`: all that ``deadheat --help`` and completion look at.
"""

from __future__ import annotations

import os
import sys
import warnings

INTERRUPTED, INTERRUPTION = 130, b"interrupted\n"


def main() -> None:
    try:
        from deadheat.cli.supervisor import supervise

        code = supervise(run)
    except KeyboardInterrupt:  # before anybody watches
        os.write(2, INTERRUPTION)
        os._exit(INTERRUPTED)
    sys.exit(code)


def run() -> int:
    """Run the command line and return the exit code; warnings of libraries are for developers."""
    if not sys.warnoptions:
        warnings.showwarning = lambda *_, **__: None
    try:
        from deadheat.cli.program import deadheat

        deadheat.main()
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else bool(end.code)
    except KeyboardInterrupt:
        os.write(2, INTERRUPTION)
        return INTERRUPTED

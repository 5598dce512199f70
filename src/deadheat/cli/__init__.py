"""The command line: parse, call, write.

A new command is one file: ``cli/<name>.py`` with a click command of that name, which imports what
it computes with inside its body, and one line in ``COMMANDS`` below. The line is all that
``deadheat --help`` and shell completion look at, so they stay quick.
"""

from __future__ import annotations

import os
import sys

COMMANDS = {
    "demo": "Rank a small example and say who is first.",
    "check": "Say what was understood of a table and what is odd about it.",
    "rank": "Rank the candidates of a table by one or several ranking functions.",
    "list": "List what there is: functions, formats, examples.",
    "completion": "Print the script that completes deadheat in your shell.",
}


def main() -> None:
    """Run the command line and exit; an interrupt is quiet also while modules are loaded."""
    try:
        from deadheat.cli.group import deadheat

        deadheat.main()
    except KeyboardInterrupt:
        os.write(2, b"interrupted\n")
        sys.exit(130)

"""The command line: parse, call, write.

A new command is one file: ``cli/<name>.py`` with a click command of that name, which imports what
it computes with inside its body, and one line in ``COMMANDS`` below. The line is all that
``deadheat --help`` and shell completion look at, so they stay quick.
"""

from __future__ import annotations

import os
import sys
import warnings

INTERRUPTED, INTERRUPTION = 130, b"interrupted\n"
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
    "plot": "Draw a picture of a table: intervals, groups, ranks, ratings and more.",
    "report": "Write a page that says who won and how sure that is, with pictures and tables.",
    "show": "Show a result that was saved with --json, or write it in another format.",
    "list": "List what there is: functions, axioms, criteria, plots, formats, scoring rules ...",
    "completion": "Print the script that completes deadheat in your shell.",
}


def main() -> None:
    """Run the command line and exit."""
    try:
        from deadheat.cli.supervisor import supervised

        code = supervised(run)
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

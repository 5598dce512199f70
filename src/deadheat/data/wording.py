"""Options as they are said in Python and on the command line."""

from __future__ import annotations

import shlex


def both(option: str, value: str) -> str:
    """Return an option in both forms.

    >>> both("missing", "drop-judges")
    "missing='drop-judges' (--missing drop-judges)"
    """
    return f"{option}={value!r} ({flag(option, value)})"


def flag(option: str, value: str) -> str:
    """Return an option of the command line, quoted where a shell needs it."""
    return f"--{option.replace('_', '-')} {shlex.quote(value)}"

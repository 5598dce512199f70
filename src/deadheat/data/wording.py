"""Options as they are said in Python and on the command line."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar

_ASKED: ContextVar[tuple[str, ...]] = ContextVar("the command line", default=())


@contextmanager
def asked_by(arguments: Sequence[str]) -> Iterator[None]:
    """Remember the command line that asks, for as long as it does."""
    token = _ASKED.set(tuple(arguments))
    try:
        yield
    finally:
        _ASKED.reset(token)


def said_with(option: str, *values: str) -> str:
    """Return the whole command with an option added; in Python the keyword that says the same.

    >>> said_with("candidates", "rows"), said_with("ignore", "rank", "n")
    ("candidates='rows'", "ignore=['rank', 'n']")
    >>> with asked_by(["deadheat", "rank", "my table.csv"]):
    ...     print(said_with("ignore", "rank", "n"))
    deadheat rank 'my table.csv' --ignore rank --ignore n
    """
    return said_with_all({option: values})


def said_with_all(options: Mapping[str, object]) -> str:
    """Return the whole command with some options; in Python their keywords.

    One value takes the place of what was said; the values of a list or tuple are added to it.

    >>> said_with_all({"largest_part": True, "min_matches": 3})
    'largest_part=True, min_matches=3'
    >>> with asked_by(["deadheat", "rate", "--min-matches", "9", "log.csv"]):
    ...     print(said_with_all({"largest_part": True, "min_matches": 3}))
    deadheat rate log.csv --largest-part --min-matches 3
    """
    asked = list(_ASKED.get())
    if not asked:
        return ", ".join(f"{name}={_literal(value)}" for name, value in options.items())
    flags: list[str] = []
    for option, value in options.items():
        name = f"--{option.replace('_', '-')}"
        if isinstance(value, list | tuple):
            flags += [word for each in value for word in (name, str(each))]
            continue
        asked = [word for word in asked if not word.startswith(f"{name}=")]
        if name in asked:
            at = asked.index(name)
            del asked[at : at + (1 if value is True else 2)]
        flags += [name] if value is True else [name, str(value)]
    cut = asked.index("--") if "--" in asked else len(asked)
    return shlex.join([*asked[:cut], *flags, *asked[cut:]])


def _literal(value: object) -> str:
    if isinstance(value, list | tuple):
        return repr(value[0] if len(value) == 1 else list(value))
    return repr(value)


def both(option: str, value: str) -> str:
    """Return an option in both forms.

    >>> both("missing", "drop-judges")
    "missing='drop-judges' (--missing drop-judges)"
    """
    return f"{option}={value!r} ({flag(option, value)})"


def flag(option: str, value: str) -> str:
    """Return an option of the command line, quoted where a shell needs it."""
    return f"--{option.replace('_', '-')} {shlex.quote(value)}"

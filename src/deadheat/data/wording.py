"""Options as they are said in Python and on the command line."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
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
    return _added([(option, value) for value in values], f"{option}={_literal(values)}")


def said_with_all(options: Mapping[str, object]) -> str:
    """Return the whole command with some options added, or changed; in Python their keywords.

    >>> said_with_all({"largest_part": True, "min_matches": 3})
    'largest_part=True, min_matches=3'
    >>> with asked_by(["deadheat", "rate", "--min-matches", "9", "log.csv"]):
    ...     print(said_with_all({"largest_part": True, "min_matches": 3}))
    deadheat rate log.csv --largest-part --min-matches 3
    """
    keywords = ", ".join(f"{option}={value!r}" for option, value in options.items())
    asked = list(_ASKED.get())
    for option, value in options.items():
        name = f"--{option.replace('_', '-')}"
        asked = [word for word in asked if not word.startswith(f"{name}=")]
        if name in asked:
            at = asked.index(name)
            del asked[at : at + (1 if value is True else 2)]
    with asked_by(asked):
        return _added(options.items(), keywords)


def _added(options: Iterable[tuple[str, object]], keywords: str) -> str:
    asked = _ASKED.get()
    if not asked:
        return keywords
    cut = asked.index("--") if "--" in asked else len(asked)
    flags = []
    for name, value in options:
        flags += [f"--{name.replace('_', '-')}", *([] if value is True else [str(value)])]
    return shlex.join([*asked[:cut], *flags, *asked[cut:]])


def _literal(values: Sequence[str]) -> str:
    return repr(values[0] if len(values) == 1 else list(values))


def both(option: str, value: str) -> str:
    """Return an option in both forms.

    >>> both("missing", "drop-judges")
    "missing='drop-judges' (--missing drop-judges)"
    """
    return f"{option}={value!r} ({flag(option, value)})"


def flag(option: str, value: str) -> str:
    """Return an option of the command line, quoted where a shell needs it."""
    return f"--{option.replace('_', '-')} {shlex.quote(value)}"

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


def said_with_all(options: Mapping[str, str | Sequence[str]]) -> str:
    """Return the whole command with some options added; in Python their keywords."""
    every = {name: [each] if isinstance(each, str) else each for name, each in options.items()}
    asked = _ASKED.get()
    if not asked:
        return ", ".join(f"{name}={_literal(values)}" for name, values in every.items())
    cut = asked.index("--") if "--" in asked else len(asked)
    pairs = ((name, value) for name, values in every.items() for value in values)
    flags = [word for name, value in pairs for word in (f"--{name.replace('_', '-')}", value)]
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

"""Real competitions that the project ran itself; `tools/` holds the scripts that made them.

One folder per example, found by discovery: ``example.toml`` says what it is, the data file lies
beside it with a sidecar that says how it is read, and ``DATASHEET.md`` tells how it was made and
what it cannot show.
"""

from __future__ import annotations

from pathlib import Path

from deadheat.core.errors import UnknownNameError
from deadheat.data.battles import Battles
from deadheat.data.examples.example import Example, examples
from deadheat.data.results import Results
from deadheat.data.runs import Runs

DEFAULT = "sat-race"


def load(name: str = DEFAULT) -> Results | Runs | Battles:
    """Return an example by name: a table of scores, runs of solvers, or a battle log.

    >>> from deadheat.data.examples import load
    >>> load("compressors")
    <Results: 10 candidates x 16 judges, higher is better>
    """
    return named(name).load()


def path(name: str = DEFAULT) -> Path:
    """Return where the file of an example is; the sidecar that says how to read it is beside it.

    >>> from deadheat.data.examples import path
    >>> path("compressors").name
    'ratios.csv'
    """
    return named(name).path


def names() -> tuple[str, ...]:
    """Return the names of all examples.

    >>> from deadheat.data.examples import names
    >>> "compressors" in names()
    True
    """
    return tuple(examples())


def named(name: str) -> Example:
    known = examples()
    if name not in known:
        raise UnknownNameError("example", str(name), known)
    return known[name]

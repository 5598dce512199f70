"""Real competitions that the project ran itself; `tools/` holds the scripts that made them.

One folder per example, found by discovery: ``example.toml`` says what it is, the data file lies
beside it with a sidecar that says how it is read, and ``DATASHEET.md`` tells how it was made and
what it cannot show.
"""

from __future__ import annotations

import gzip
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from deadheat.core.registry import Registry
from deadheat.data.battles import Battles
from deadheat.data.reading.read import read, read_battles, read_runs
from deadheat.data.results import Results
from deadheat.data.runs import Runs

DEFAULT = "sat-race"
FOLDER = Path(__file__).parent


def load(name: str = DEFAULT) -> Results | Runs | Battles:
    """Return an example by name: a table of scores, runs of solvers, or a battle log.

    >>> load("compressors")
    <Results: 10 compressors x 16 files, higher is better>
    """
    return named(name).load()


def path(name: str = DEFAULT) -> Path:
    """Return where the file of an example is; the sidecar that says how to read it is beside it.

    >>> path("compressors").name
    'ratios.csv'
    """
    return named(name).path


def names() -> tuple[str, ...]:
    """Return the names of all examples."""
    return tuple(examples())


@dataclass(frozen=True, kw_only=True)
class Example:
    """Hold what ``example.toml`` says; ``demo`` is what is asked of the verdict or the ratings."""

    folder: Path
    summary: str
    file: str
    kind: str
    title: str = ""  # where no sidecar can say it
    demo: Mapping[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return self.folder.name

    @property
    def path(self) -> Path:
        return self.folder / self.file

    @property
    def rows(self) -> int:
        """The rows of the data file, without its header."""
        opened = gzip.open if self.path.suffix == ".gz" else open
        with opened(self.path, "rb") as file:
            return sum(1 for _ in file) - 1

    @property
    def titled(self) -> str:
        """The title of the data, which a sidecar may say."""
        sidecar = self.folder / f"{self.file.split('.')[0]}.toml"
        said = tomllib.loads(sidecar.read_text(encoding="utf-8")) if sidecar.is_file() else {}
        return str(said.get("title", self.title))

    def load(self) -> Results | Runs | Battles:
        readers: Any = {"battles": read_battles, "runs": read_runs, "table": read}
        table: Results | Runs | Battles = readers[self.kind](self.path)
        return table.changed(source=self.name, title=table.title or self.title)


def examples() -> dict[str, Example]:
    """Return every example whose data file has been made, by name."""
    files = sorted(FOLDER.glob("*/example.toml"))
    said = [(file.parent, tomllib.loads(file.read_text(encoding="utf-8"))) for file in files]
    known = (Example(folder=folder, **each) for folder, each in said)
    return {example.name: example for example in known if example.path.is_file()}


def named(name: str) -> Example:
    return Registry("example", examples().items).named(name)

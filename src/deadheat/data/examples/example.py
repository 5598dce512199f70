"""What is known of an example, and where the examples are."""

from __future__ import annotations

import gzip
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from deadheat.data.battles import Battles
from deadheat.data.reading.read import read, read_battles, read_runs
from deadheat.data.results import Results
from deadheat.data.runs import Runs

FOLDER = Path(__file__).parent
READERS: Mapping[str, Callable[[Path], Results | Runs | Battles]] = {
    "table": read,
    "runs": read_runs,
    "battles": read_battles,
}


@dataclass(frozen=True, kw_only=True)
class Example:
    """Hold what ``example.toml`` says.

    Parameters
    ----------
    folder
        Where it lies; the name of the folder is the name of the example.
    summary
        What it is, in one line.
    file
        The name of the data file.
    kind
        ``table`` (of scores), ``runs`` or ``battles``: what :meth:`load` returns.
    demo
        What ``deadheat demo`` asks of the verdict, or of the ratings of a battle log.
    """

    folder: Path
    summary: str
    file: str
    kind: str
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

    def load(self) -> Results | Runs | Battles:
        return READERS[self.kind](self.path).changed(source=self.name)


def examples() -> dict[str, Example]:
    found = (_example(file) for file in sorted(FOLDER.glob("*/example.toml")))
    return {example.name: example for example in found if example.path.is_file()}


def _example(file: Path) -> Example:
    return Example(folder=file.parent, **tomllib.loads(file.read_text(encoding="utf-8")))

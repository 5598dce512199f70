"""What a paper prints, item by item, and what recomputes it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from deadheat.core.errors import UnknownNameError, UsageError, command_with, listed, quoted
from deadheat.core.registry import Registry, modules
from deadheat.resampling.engines import Engine

ROUNDING = 1e-9
ERRORS = 3.0 * 2**0.5  # Monte-Carlo errors within which two independent runs are the same
Made = TypeVar("Made")


@dataclass(frozen=True, kw_only=True)
class Number:
    """Hold one number of ours, and the printed one where there is one, with all its digits.

    ``error`` is the Monte-Carlo error of ours. ``why`` tells the reason where the two differ.
    ``cell`` is its row and column, where the paper has a grid.
    """

    what: str
    ours: float
    printed: str = ""
    error: float = 0.0
    why: str = ""
    cell: tuple[str, str] | None = None

    @property
    def digits(self) -> int:
        return len(self.printed.partition(".")[2])

    @property
    def agrees(self) -> bool | None:
        """Whether both are the same up to printed digits and noise; None if nothing is printed."""
        if not self.printed:
            return None
        half = 0.5 * 10.0**-self.digits if "." in self.printed or self.error else 0.0
        off = abs(self.ours - float(self.printed))
        return off <= half + ERRORS * self.error + ROUNDING


Finding: TypeAlias = Number | Any  # a picture, which the report above knows


@dataclass(frozen=True, kw_only=True)
class DataSet:
    """Name a public set of data: where it comes from, and the sha256 of its files."""

    name: str
    origin: str
    files: dict[str, str]


@dataclass(frozen=True, kw_only=True)
class Request:
    """Hold what is asked for beside the item: where the data are, and how much is drawn."""

    data: Path | None = None
    trials: int = 10_000
    replicates: int = 10_000
    seed: int = 0
    engine: str | Engine = "threads"
    made: dict[Hashable, Any] = field(default_factory=dict)

    def once(self, make: Callable[..., Made], *of: Hashable) -> Made:
        """Return what items share, made once in a call: files may change before the next."""
        if (make, *of) not in self.made:
            self.made[make, *of] = make(*of)
        found: Made = self.made[make, *of]
        return found

    def path(self, folder: str, file: str) -> Path | None:
        """Return where a file of a data set is, in the folder of its name or beside the others."""
        if self.data is None:
            return None
        places = (self.data / folder / file, self.data / file)
        return next((place for place in places if place.is_file()), None)

    def has(self, data: DataSet) -> bool:
        return not self.lacks(data)

    def lacks(self, data: DataSet) -> list[str]:
        """Return the files of a data set that are not there."""
        return [f"{data.name}/{file}" for file in data.files if not self.path(data.name, file)]

    def other_versions(self, data: DataSet) -> Iterator[str]:
        """Yield which files are other ones than those that the printed numbers were held to."""
        for file, digest in data.files.items():
            path = self.path(data.name, file)
            own = digest if path is None else sha256(path.read_bytes()).hexdigest()
            if own != digest:
                yield f"{path} has the sha256 {own}, not {digest}: another version."

    def why_example(self, item: Item) -> str:
        """Return of which example an item is made and why; empty if of the paper's own data."""
        data = item.data
        if not item.example or (data is not None and self.has(data)):
            return ""
        why = "the paper's data are not public"
        if data is not None:
            absent = listed(self.lacks(data)) if self.data else data.name
            why = f"{self.data} lacks {absent}" if self.data else f"no folder has {absent}"
        return f"made of the shipped examples ({item.example}): {why}."


Compute: TypeAlias = Callable[[Request], Iterable[Finding]]


@dataclass(frozen=True, kw_only=True)
class Item:
    """Name a table or figure of a paper; it is made of ``data``, or else of an example."""

    name: str
    title: str
    compute: Compute
    data: DataSet | None = None
    example: str = ""
    note: str = ""


@dataclass(frozen=True, kw_only=True)
class Paper:
    """Hold the items of a paper; ``absent`` says of its other elements why they are not among them.

    ``errata`` say where print is wrong or silent, and what is done about it.
    """

    name: str
    authors: str
    year: int
    title: str
    venue: str = ""
    items: dict[str, Item] = field(default_factory=dict)
    absent: dict[str, str] = field(default_factory=dict)
    errata: dict[str, str] = field(default_factory=dict)

    def item(self, name: str, title: str, **facts: Any) -> Callable[[Compute], Compute]:
        """Register what recomputes a table or a figure; ``facts`` are further fields of it."""

        def register(compute: Compute) -> Compute:
            self.items[name] = Item(name=name, title=title, compute=compute, **facts)
            return compute

        return register

    @property
    def citation(self) -> str:
        venue = f", {self.venue}" if self.venue else ""
        return f"{self.authors} ({self.year}), {self.title}{venue}"

    @cached_property
    def data(self) -> list[DataSet]:
        """The data sets that its items need."""
        every = (item.data for item in self.items.values() if item.data is not None)
        return list({each.name: each for each in every}.values())

    def named(self, item: str | None) -> list[Item]:
        """Return the item of a name, or all."""
        if item is None:
            return list(self.items.values())
        if item not in self.items:
            raise UnknownNameError(f"item of {self.name}", item, list(self.items), most=3)
        return [self.items[item]]


PAPERS: Registry[Paper] = Registry(
    "paper", lambda: ((m.PAPER.name, m.PAPER) for m in modules("deadheat.reproduce.papers"))
)


def require_folder(data: Path | None, paper: Paper) -> None:
    """Refuse a folder of data that has none of the files."""
    if data is None:
        return
    if not data.is_dir():
        raise UsageError(f"there is no folder {quoted(str(data))}.", hint=_expected(paper))
    request = Request(data=data)
    if not any(request.path(each.name, file) for each in paper.data for file in each.files):
        fact = f"{quoted(str(data))} has none of the files that {paper.name} needs."
        raise UsageError(fact, hint=_expected(paper))


def _expected(paper: Paper) -> str:
    files = (f"{each.name}/{file}" for each in paper.data for file in each.files)
    examples = f"of the shipped examples: {command_with(data=None)}"
    return f"it needs {', '.join(files)}.\n{examples}"

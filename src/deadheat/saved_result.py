"""What every saved result has: rows, facts and words, and nothing to compute more with."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Any, ClassVar

from deadheat.errors import UnknownNameError, UsageError, listed
from deadheat.grid import Grid
from deadheat.result import Result
from deadheat.schemas.kinds import told, under
from deadheat.schemas.registry import schemas
from deadheat.typing import Row

LARGEST = 2**63 - 1  # what a column of integers holds


@dataclass(frozen=True, eq=False, kw_only=True)
class Saved(Result):
    """Hold what the JSON of a result says: its rows and facts, and nothing to compute more with."""

    schema: ClassVar[str] = ""
    written_as: str
    records: tuple[Row, ...]
    whole: Mapping[str, Any]
    words: str

    def __post_init__(self) -> None:
        """Take the schema of what was saved."""
        object.__setattr__(self, "schema", self.written_as)

    def rows(self) -> list[Row]:
        """Return the rows that were saved."""
        return [dict(record) for record in self.records]

    def facts(self) -> dict[str, Any]:
        """Return the facts that were saved."""
        return dict(self.whole)

    def grid(self) -> Grid:
        """Return one column per key of the rows; those that name a row are keys."""
        grid = super().grid()
        names = schemas()[self.written_as].rows_of(self.made, self.whole).names
        first = len(tuple(takewhile(lambda column: column.name in names, grid.columns)))
        columns = (replace(column, key=j < first) for j, column in enumerate(grid.columns))
        return replace(grid, columns=tuple(columns))

    @property
    def verdict(self) -> str:
        """What the result said."""
        return self.words

    def faults(self) -> Iterator[str]:
        """Yield where parts of the right types contradict each other, or fit no table."""
        for k, record in enumerate(self.records):
            for name, value in record.items():
                if type(value) is int and not -LARGEST <= value <= LARGEST:
                    yield f"{under(f'rows[{k}]', name)} is {told(value)}, too large a number"

    def plot(self, kind: str | None = None, *, width: str | int = "page") -> Any:
        """Return a picture of what was saved; without a ``kind`` the one that suits best.

        Pictures that need more than the JSON has are drawn of the table again.
        """
        registry = importlib.import_module("deadheat.report.registry")  # a layer above this one
        suited = list(registry.kinds(type(self)))
        wanted = None if kind is None else registry.kind_named(kind).name
        if not suited or (wanted is not None and wanted not in suited):
            there = f"; of this JSON there are {listed(suited)}" if suited else ""
            raise UsageError(
                f"{wanted or 'a picture'} needs the data, and {self.written_as} has only results.",
                hint=f"draw it of the table: deadheat plot FILE {wanted or 'KIND'}{there}.",
            )
        return super().plot(kind, width=width)


@dataclass(frozen=True, eq=False, kw_only=True)
class SavedGroups(Saved):
    """Hold a saved result that puts candidates into tie groups: a verdict, or ratings."""

    @property
    def candidates(self) -> tuple[str, ...]:
        """The names of the candidates, in the order of the rows."""
        return tuple(dict.fromkeys(record["candidate"] for record in self.records))

    @property
    def groups(self) -> tuple[tuple[str, ...], ...]:
        """The tie groups by name, best first."""
        return tuple(tuple(group) for group in self.whole.get("members", ()))

    @property
    def alpha(self) -> float:
        """The level of tests and intervals."""
        return float(self.made["alpha"])

    def faults(self) -> Iterator[str]:
        """Yield where rows and tie groups contradict each other."""
        yield from super().faults()
        if not self.records:
            yield "rows is empty"
        seen = set()
        for k, record in enumerate(self.records):
            if self.place(record) in seen:
                yield f"rows[{k}].candidate is {told(record['candidate'])} for a second time"
            seen.add(self.place(record))
        if "members" in self.whole:
            by_rows = [(record["candidate"], record["group"]) for record in self.records]
            by_facts = [(name, k) for k, group in enumerate(self.groups, 1) for name in group]
            if sorted(by_rows) != sorted(by_facts):
                yield "facts.members are not the groups of the rows"

    def turned(self, low: str, high: str) -> Iterator[str]:
        """Yield where the lower end of an interval is above the upper one."""
        for k, record in enumerate(self.records):
            ends = record[low], record[high]
            if None not in ends and ends[0] > ends[1]:
                yield f"rows[{k}].{low} is {told(ends[0])}, above {high}, {told(ends[1])}"

    def place(self, record: Row) -> tuple[str, ...]:
        """Return what tells a row from all others."""
        return (record["candidate"],)

    def record(self, candidate: str) -> Row:
        """Return the first row of a candidate."""
        for found in self.records:
            if found["candidate"] == candidate:
                return dict(found)
        raise UnknownNameError("candidate", str(candidate), self.candidates)

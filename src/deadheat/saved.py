"""A result that was saved as JSON, read back."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, ClassVar

from deadheat.axioms.result import NESTED
from deadheat.errors import DataError, UnknownNameError, listed
from deadheat.grid import Column, Grid
from deadheat.inference.standing import Standing
from deadheat.inference.verdict_grid import bar
from deadheat.result import PathLike, Result
from deadheat.saved_document import MAKE, document_of
from deadheat.text import number
from deadheat.typing import Cell, Row


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

    @property
    def verdict(self) -> str:
        """What the result said."""
        return self.words


@dataclass(frozen=True, eq=False, kw_only=True)
class SavedGroups(Saved):
    """Hold a saved result that puts candidates into tie groups: a verdict, or ratings."""

    @property
    def candidates(self) -> tuple[str, ...]:
        """The names of the candidates, in the order of the rows."""
        return tuple(dict.fromkeys(str(record["candidate"]) for record in self.records))

    @property
    def groups(self) -> tuple[tuple[str, ...], ...]:
        """The tie groups by name, best first."""
        return tuple(tuple(group) for group in self.whole.get("members", ()))

    def record(self, candidate: str) -> Row:
        """Return the first row of a candidate."""
        for found in self.records:
            if found["candidate"] == candidate:
                return dict(found)
        raise UnknownNameError("candidate", str(candidate), self.candidates)


@dataclass(frozen=True, eq=False, kw_only=True)
class SavedVerdict(SavedGroups):
    """Hold a saved verdict: who won, in which groups, and how each candidate stands."""

    @property
    def winners(self) -> tuple[str, ...]:
        """Who is ranked first by the merits as observed."""
        return tuple(self.whole["winners"])

    @property
    def guarantee(self) -> str:
        """What the groups guarantee, and what they do not."""
        return str(self.whole["guarantee"])

    def row(self, candidate: str) -> Standing:
        """Return what the verdict says about one candidate."""
        return Standing(**self.record(candidate))

    @cached_property
    def standings(self) -> tuple[Standing, ...]:
        """What the verdict says about each, in the order of the robust ranking."""
        return tuple(Standing(**record) for record in self.records)

    def grid(self) -> Grid:
        """Return the robust ranking with interval bars."""
        every = self.standings
        left, right = min(each.low for each in every), max(each.high for each in every)
        official = any(each.official is not None for each in every)
        digits = _digits([each.shown for each in every])
        columns = [
            Column(name="group"),
            Column(name="candidate"),
            *([Column(name="official")] if official else []),
            Column(name=listed(self.made.get("function", ["merit"])), digits=digits),
            Column(name="interval", picture=True),
            Column(name="low", digits=digits, on_paper=True),
            Column(name="high", digits=digits, on_paper=True),
            Column(name="first %", digits=1),
            Column(name="ranks"),
        ]
        cells: list[tuple[Cell, ...]] = [
            (
                each.group,
                each.candidate,
                *([each.official] if official else []),
                each.shown,
                bar(each.low, each.merit, each.high, left=left, right=right),
                each.shown_low,
                each.shown_high,
                100 * each.first_share,
                "\u2013".join(number(round(end, 1)) for end in (each.rank_low, each.rank_high)),
            )
            for each in every
        ]
        notes = (f"{self.whole['plan']}.", self.guarantee)
        return Grid(columns=tuple(columns), cells=tuple(cells), notes=notes)


def _digits(numbers: list[float]) -> int:
    """Return how many decimals numbers deserve: four figures of the largest."""
    if all(x == round(x) for x in numbers):
        return 0
    return max(0, 4 - len(f"{max(map(abs, numbers)):.0f}"))


@dataclass(frozen=True, eq=False, kw_only=True)
class SavedRatings(SavedGroups):
    """Hold saved ratings; the chances of pairs are in the table ``pairs`` of the ratings."""

    def row(self, candidate: str) -> Row:
        """Return what the ratings say about one candidate."""
        return self.record(candidate)


@dataclass(frozen=True, eq=False, kw_only=True)
class SavedAxioms(Saved):
    """Hold saved axioms; spreadsheets get what happens, and not whole tables."""

    def to_csv(self, path: PathLike | None = None) -> str:
        """Return the small facts as CSV."""
        return self._small().to_csv(path)

    def to_tsv(self, path: PathLike | None = None) -> str:
        """Return the small facts separated by tabs."""
        return self._small().to_tsv(path)

    def _small(self) -> Saved:
        return Saved(
            made=self.made,
            written_as=self.written_as,
            records=tuple(_small(record) for record in self.records),
            whole=self.whole,
            words=self.words,
        )


def _small(row: Row) -> Row:
    example = row["counterexample"] or row.get("weak_example")
    if "findings" in row:
        example = next(iter(row["findings"]), None)
    kept = {key: value for key, value in row.items() if key not in NESTED}
    return {**kept, "change": example and example["change"]}


KINDS: dict[str, type[Saved]] = {
    "deadheat.axioms": SavedAxioms,
    "deadheat.verdict": SavedVerdict,
    "deadheat.demo": SavedVerdict,
    "deadheat.rate": SavedRatings,
}


def load(source: str | bytes | os.PathLike[str]) -> Saved:
    """Return a result that was saved as JSON: a path, or the text itself.

    It has the rows, facts, warnings and words of what was saved and writes itself in every form,
    as JSON byte for byte the same. A saved verdict has also ``groups``, ``winners`` and ``row``.
    What needs the data, such as comparing other pairs, is computed by the functions again.

    Examples
    --------
    >>> import deadheat as dh
    >>> saved = dh.verdict(dh.examples.load("compressors"), replicates=200).to_json()
    >>> dh.load(saved).winners
    ('bzip2-9',)
    """
    where, document = document_of(source)
    name = document["schema"]
    kind = KINDS.get(name.partition("/")[0], Saved)
    found = kind(
        made=document["made"],
        warnings=tuple(document["warnings"]),
        written_as=name,
        records=tuple(document["rows"]),
        whole=document["facts"],
        words=document["verdict"],
    )
    if isinstance(found, SavedVerdict):
        _require_standings(found, where)
    return found


def _require_standings(found: SavedVerdict, where: str) -> None:
    """Refuse a verdict that has lost what its methods speak of."""
    wanted = {field.name for field in fields(Standing)}
    if not found.records or any(set(record) != wanted for record in found.records):
        raise DataError(
            f"{where}: the rows of a verdict must have {', '.join(sorted(wanted))}.", hint=MAKE
        )
    absent = [key for key in ("members", "winners", "guarantee", "plan") if key not in found.whole]
    if absent:
        raise DataError(f"{where}: the facts of the verdict lack {listed(absent)}.", hint=MAKE)

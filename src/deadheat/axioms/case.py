"""One case in which an axiom is violated: a table, its worlds, and how they are ranked."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from deadheat.axioms.axiom import STRONG
from deadheat.data.naming import named, short
from deadheat.result import Column, Grid
from deadheat.text import number, width_of
from deadheat.typing import Floats, Integers

MOST_CELLS = 10_000
MOST_JUDGES = 30  # that are named where somebody may want to check it


@dataclass(frozen=True, eq=False)
class Case:
    """Hold a table (n, m) and worlds of it: who judges, who is there, and the ranks that result."""

    scores: Floats
    candidates: tuple[str, ...]
    judges: tuple[str, ...]
    present: Integers
    """Which judges are there in each world, (k, m)."""
    copies: Integers
    """How often each candidate is there in each world, (k, n)."""
    ranks: Floats
    """(k, n); NaN for who is not there."""
    pair: tuple[int, int]
    level: int
    change: str = ""
    levels: Floats | None = None
    """The scores as those see them who only compare, within the tie tolerance; the scores if None.
    """
    weights: Floats | None = None
    """What each judge counts, (m,); 1 if None."""

    @property
    def seen(self) -> Floats:
        """The scores with those that are tied made equal."""
        return self.scores if self.levels is None else self.levels

    def weights_in(self, world: int) -> Floats:
        """Return what each judge counts in a world, 0 for those who are not there."""
        here: Floats = self.present[world].astype(np.float64)
        return here if self.weights is None else here * self.weights

    @property
    def size(self) -> tuple[int, int, int]:
        """How large it is: candidates, judges, copies."""
        return (*self.scores.shape, int(self.copies.sum()))

    @property
    def one_world(self) -> bool:
        """Whether there is only one ranking to show."""
        return len(self.ranks) == 1

    @cached_property
    def first(self) -> str:
        """The name of the one that is wronged."""
        return short(self.candidates[self.pair[0]])

    @cached_property
    def second(self) -> str:
        """The name of the one that gains."""
        return short(self.candidates[self.pair[1]])

    def origin(self) -> str:
        """Return how the two stand in the first world."""
        return self._order(0)

    def outcome(self) -> str:
        """Return how the two stand in the last world."""
        return self._order(-1)

    def _order(self, world: int) -> str:
        u, v = (self.ranks[world, i] for i in self.pair)
        if u == v:
            return f"{self.first} and {self.second} tie"
        above, below = (self.first, self.second) if u < v else (self.second, self.first)
        return f"{above} is above {below}"

    def judged_by(self, world: int) -> str:
        """Return who judges in a world."""
        names = [name for name, here in zip(self.judges, self.present[world], strict=True) if here]
        return named(names, most=MOST_JUDGES)

    def absent(self, world: int) -> list[str]:
        """Return who is not there in a world."""
        return [self.candidates[i] for i in np.flatnonzero(self.copies[world] == 0).tolist()]

    def rest(self) -> str:
        """Return who stays in the last world, or who goes, whichever is shorter."""
        gone = self.absent(-1)
        kept = [name for name in self.candidates if name not in gone]
        if len(gone) > len(kept):
            return f"with only {named(kept)}"
        return f"without {named(gone)}"

    def as_dict(self) -> dict[str, Any]:
        """Return the case in the types of JSON; ``after`` is null where one ranking says it all."""
        small = self.scores.size <= MOST_CELLS
        last = None if self.one_world else _ranked(self.ranks[-1])
        return {
            "scores": self.scores.tolist() if small else None,
            "candidates": list(self.candidates),
            "judges": list(self.judges),
            "before": _ranked(self.ranks[0]),
            "after": last,
            "judges_before": self._names(0),
            "judges_after": None if self.one_world else self._names(-1),
            "copies_before": self.copies[0].tolist(),
            "copies_after": None if self.one_world else self.copies[-1].tolist(),
            "pair": [self.candidates[i] for i in self.pair],
            "strong": self.level == STRONG,
            "change": self.change,
        }

    def grid(self) -> Grid:
        """Return the table with its rankings, for documents."""
        heads = ["rank"] if self.one_world else ["before", "after"]
        ranks = [self.ranks[0]] if self.one_world else [self.ranks[0], self.ranks[-1]]
        columns = [Column(name=name) for name in ("", *self.judges, *heads)]
        cells = [
            (name, *self.scores[i].tolist(), *(float(row[i]) for row in ranks))
            for i, name in enumerate(self.candidates)
        ]
        return Grid(columns=tuple(columns), cells=tuple(cells))

    def _names(self, world: int) -> list[str]:
        return [name for name, here in zip(self.judges, self.present[world], strict=True) if here]

    def lines(self, *, width: int = 76) -> list[str]:
        """Return the table with its rankings in plain letters, if it fits the width.

        Where every judge as a column of its own is too much, those who are alike share one.
        """
        each = [(name, k) for k, name in enumerate(self.judges)]
        for columns in (each, self._alike()):
            lines = self._lines(columns)
            if max(map(width_of, lines)) <= width:
                return lines
        return []

    def _alike(self) -> list[tuple[str, int]]:
        """Return how many judges are alike, and the first of them."""
        groups: dict[tuple[float, ...], list[int]] = {}
        for k in range(len(self.judges)):
            groups.setdefault((*self.scores[:, k], *self.present[:, k]), []).append(k)
        return [(f"{len(members)}x", members[0]) for members in groups.values()]

    def _lines(self, judges: list[tuple[str, int]]) -> list[str]:
        head = ["", *(name for name, _ in judges)]
        rows = [
            [name, *(number(float(row[k])) for _, k in judges)]
            for name, row in zip(self.candidates, self.scores, strict=True)
        ]
        labels = ["rank"] if self.one_world else ["before", "after"]
        columns = [self.ranks[0]] if self.one_world else [self.ranks[0], self.ranks[-1]]
        for label, ranks in zip(labels, columns, strict=True):
            head.append(f"  {label}")
            for row, rank in zip(rows, ranks.tolist(), strict=True):
                row.append(number(rank))
        widths = [max(width_of(line[j]) for line in (head, *rows)) for j in range(len(head))]
        return [_line(line, widths) for line in (head, *rows)]


def _line(cells: list[str], widths: list[int]) -> str:
    first = cells[0] + " " * (widths[0] - width_of(cells[0]))
    rest = (
        " " * (size - width_of(cell)) + cell
        for cell, size in zip(cells[1:], widths[1:], strict=True)
    )
    return "  " + "  ".join([first, *rest])


def _ranked(ranks: Floats) -> list[float | None]:
    return [None if rank != rank else rank for rank in ranks.tolist()]

"""What can be left out of a table at a time: a judge, a cluster of judges, a stratum."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, get_args

import numpy as np

from deadheat.data.results import Results
from deadheat.errors import DataError, UnknownNameError, UsageError, counted, quoted
from deadheat.resampling.grouping import codes
from deadheat.typing import Floats, Integers

Over = Literal["judges", "clusters", "strata"]
OVER: tuple[Over, ...] = get_args(Over)
ONE_OF: dict[Over, str] = {"judges": "judge", "clusters": "cluster", "strata": "stratum"}
OPTION: dict[Over, str] = {"clusters": "--cluster COL", "strata": "--stratum COL"}


@dataclass(frozen=True, eq=False)
class Parts:
    """Hold what is left out at a time: a judge, or all judges of a cluster or a stratum."""

    over: Over
    names: tuple[str, ...]
    of_judge: Integers
    """The part of each judge, (m,)."""
    word: str = ""
    """What one is called, where that is not what it is: the judges of runs are instances."""

    def __len__(self) -> int:
        return len(self.names)

    @property
    def one(self) -> str:
        """What one part is called."""
        return self.word or ONE_OF[self.over]

    @property
    def many(self) -> str:
        """What several parts are called."""
        return f"{self.word}s" if self.word else self.over

    def counted(self, number: int) -> str:
        """Return ``1 judge``, ``2 judges``."""
        return counted(number, self.one, self.many)

    @cached_property
    def order(self) -> Integers:
        """The judges, part by part."""
        return np.argsort(self.of_judge, kind="stable")

    @cached_property
    def starts(self) -> Integers:
        """Where each part starts in that order, and where the last one ends."""
        return np.searchsorted(self.of_judge[self.order], np.arange(len(self) + 1))

    def sums(self, of_judges: Floats) -> Floats:
        """Return what numbers of judges (m,) add up to in each part."""
        return np.asarray(np.bincount(self.of_judge, weights=of_judges), dtype=np.float64)

    def pieces(self, first: int, last: int, size: int) -> Iterator[Integers]:
        """Yield the judges of some parts, part by part, at most ``size`` at a time."""
        start, stop = int(self.starts[first]), int(self.starts[last])
        for here in range(start, stop, size):
            yield self.order[here : min(here + size, stop)]


def parts_of(results: Results, over: str | None = None) -> Parts:
    """Return what is left out at a time: what is asked for, else clusters where there are some."""
    asked = over or ("judges" if results.clusters is None else "clusters")
    if asked not in OVER:
        raise UnknownNameError("part to leave out", str(over), OVER)
    if asked == "judges":
        return Parts("judges", tuple(results.judges), np.arange(results.m), _word(results, asked))
    labels = results.clusters if asked == "clusters" else results.strata
    if labels is None:
        raise UsageError(
            f"{asked} cannot be left out: the table has none.",
            hint=f"{OPTION[asked]} names the column with the {ONE_OF[asked]} of each judge.",
        )
    names = tuple(dict.fromkeys(labels))
    return Parts(asked, names, codes(tuple(labels)), _word(results, asked))


def _word(results: Results, over: str) -> str:
    if not results.rule or over == "strata":
        return ""
    return "run" if over == "judges" and results.clusters is not None else "instance"


def require_rest(results: Results, parts: Parts) -> None:
    """Raise if there is a part without which nobody judges."""
    weights = parts.sums(results.weights)
    if np.count_nonzero(weights) > 1:
        return
    name = parts.names[int(np.argmax(weights))]
    others = "" if len(parts) == 1 else ": all others have weight 0"
    raise DataError(
        f"without {parts.one} {quoted(name)} nothing is left{others}.",
        hint=f"at least 2 {parts.over} are needed to leave one out.",
    )

"""Which judges are drawn together, and out of which pot."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from deadheat.errors import DataError, quoted
from deadheat.typing import Floats, Integers

Labels = tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Grouping:
    """Hold the units that are drawn, and the pots that they are drawn from.

    ``of_judge`` (m,) is the unit of each judge; a unit is a cluster of judges, or one judge.
    ``pots`` are the units of each stratum, those of one size in one array (strata, size).
    """

    of_judge: Integers
    number: int
    pots: tuple[Integers, ...]

    def drawn(self, rows: int, draw: Callable[[int, int], Floats]) -> Floats:
        """Return what ``draw(rows, size)`` gives for every pot, as weights of judges (rows, m)."""
        first = self.pots[0]
        if len(self.pots) == 1 and len(first) == 1:
            weights = draw(rows, self.number)
        else:
            weights = self._from_pots(rows, draw)
        return weights if self.number == len(self.of_judge) else weights[:, self.of_judge]

    def _from_pots(self, rows: int, draw: Callable[[int, int], Floats]) -> Floats:
        weights = np.empty((rows, self.number))
        for pots in self.pots:
            strata, size = pots.shape
            weights[:, pots.ravel()] = draw(rows * strata, size).reshape(rows, strata * size)
        return weights


@lru_cache(maxsize=16)
def grouping(strata: Labels | None, clusters: Labels | None, m: int) -> Grouping:
    """Return the grouping of m judges; without labels every judge is a unit, in one pot.

    Raises
    ------
    DataError
        If a cluster lies in two strata: it cannot be drawn from both.
    """
    of_judge = np.arange(m) if clusters is None else codes(clusters)
    number = int(of_judge.max()) + 1
    if strata is None:
        return Grouping(of_judge, number, (np.arange(number)[None, :],))
    of_stratum = codes(strata)
    _require_nested(strata, clusters, of_judge, of_stratum)
    of_unit = np.zeros(number, dtype=np.int64)
    of_unit[of_judge] = of_stratum
    members = [np.flatnonzero(of_unit == h) for h in range(int(of_stratum.max()) + 1)]
    sizes = sorted({len(units) for units in members})
    pots = (np.stack([units for units in members if len(units) == size]) for size in sizes)
    return Grouping(of_judge, number, tuple(pots))


def codes(labels: Labels) -> Integers:
    """Return a number for each label, in the order of first appearance."""
    numbers: dict[str, int] = {}
    return np.array([numbers.setdefault(label, len(numbers)) for label in labels])


def _require_nested(
    strata: Labels, clusters: Labels | None, of_judge: Integers, of_stratum: Integers
) -> None:
    if clusters is None:
        return
    first = np.full(int(of_judge.max()) + 1, -1)
    first[of_judge[::-1]] = of_stratum[::-1]
    astray = np.flatnonzero(first[of_judge] != of_stratum)
    if len(astray):
        j = int(astray[0])
        other = strata[int(np.argmax(of_judge == of_judge[j]))]
        raise DataError(
            f"cluster {quoted(clusters[j])} lies in two strata: {quoted(other)} and "
            f"{quoted(strata[j])}.",
            hint="clusters are drawn from one stratum each; leave out --stratum or --cluster.",
        )

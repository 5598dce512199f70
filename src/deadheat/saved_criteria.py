"""Criteria that were saved as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from deadheat.saved_result import Saved
from deadheat.typing import Floats


@dataclass(frozen=True, eq=False, kw_only=True)
class SavedCriteria(Saved):
    """Hold saved criteria: what was measured of each function, and which of them rank alike."""

    def faults(self) -> Iterator[str]:
        """Yield where rows and correlations are not about the same functions."""
        yield from super().faults()
        names, found = {*self.names[:-1]}, self.whole["correlations"]
        if not names:
            yield "rows has no ranking function"
        elif names != {*found} or any(names != {*row} for row in found.values()):
            yield "facts.correlations are not those of the functions of the rows"
        elif (np.abs(self.matrix) > 1 + 1e-9).any():
            yield "facts.correlations has a number beyond 1"

    @property
    def names(self) -> tuple[str, ...]:
        """The functions by name, then the baseline."""
        return tuple(record["function"] for record in self.records)

    @property
    def correlation(self) -> str:
        """How rankings were compared: spearman or kendall."""
        return str(self.made["correlation"])

    @property
    def matrix(self) -> Floats:
        """The correlations between the rankings of the functions; NaN where undefined."""
        names, found = self.names[:-1], self.whole["correlations"]
        return np.array([[found[a][b] for b in names] for a in names], dtype=np.float64)

"""Judges that order the candidates alike, as one: few orders stand for many judges."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from deadheat.criteria.levels import Levels
from deadheat.data.results import Results
from deadheat.typing import Floats, Integers

MANY = 1_000  # judges: below this there is nothing to gain
SHARE = 4  # judges per order on average, at least


@dataclass(frozen=True, eq=False)
class Orders:
    """Hold the different orders of the judges: as levels, and as a table with a judge for each."""

    levels: Levels
    table: Results
    judges: Integers
    """The judges, those of one order together."""
    starts: Integers
    """Where each order begins among them."""

    def summed(self, weights: Floats) -> Floats:
        """Return weights of judges (B, m) as those of the orders (B, D)."""
        together = np.asarray(weights, dtype=np.float64)[:, self.judges]
        return np.asarray(np.add.reduceat(together, self.starts, axis=1))


def orders_of(results: Results, levels: Levels) -> Orders | None:
    """Return the orders of the judges where they are few beside the judges, else None."""
    if results.m < MANY:
        return None
    _, one, which = np.unique(levels.first, axis=0, return_index=True, return_inverse=True)
    if SHARE * len(one) > results.m:
        return None
    judges = np.argsort(which.ravel(), kind="stable")
    starts = np.searchsorted(which.ravel()[judges], np.arange(len(one)))
    chosen = levels.of(one)
    table = Results(
        scores=-chosen.first.T.astype(np.float64),
        better="higher",
        candidates=results.candidates,
        source=results.source,
    )
    return Orders(chosen, table, judges, starts)

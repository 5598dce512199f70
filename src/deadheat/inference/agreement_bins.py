"""How many judges agree how much with the others, in steps, for tables with many judges."""

from __future__ import annotations

import numpy as np

from deadheat.inference.agreement import Agreement
from deadheat.typing import Row

STEPS = 40  # from -1 to 1


def agreement_bins(found: Agreement) -> list[Row]:
    """Return per step of the mean correlation how many judges there are, those opposing apart.

    A step holds its lower end, the last one both; steps without judges and judges without a
    correlation are left out. The others stand on those that oppose: from ``start`` to ``end``.
    """
    edges = np.linspace(-1, 1, STEPS + 1).round(12)
    opposing = np.zeros(len(found.means), dtype=bool)
    opposing[found.opposing] = True
    rows: list[Row] = []
    start = np.zeros(STEPS, dtype=np.int64)
    for kind, which in ((True, opposing), (False, ~opposing & np.isfinite(found.means))):
        counts, _ = np.histogram(found.means[which], bins=edges)
        rows += [
            {
                "low": float(edges[k]),
                "high": float(edges[k + 1]),
                "opposes": kind,
                "judges": int(counts[k]),
                "start": int(start[k]),
                "end": int(start[k] + counts[k]),
            }
            for k in np.flatnonzero(counts).tolist()
        ]
        start += counts
    return rows

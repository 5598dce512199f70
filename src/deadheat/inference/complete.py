"""A table in which every judge ranks every candidate, or what to do about it."""

from __future__ import annotations

from typing import NoReturn

import numpy as np

from deadheat.data.results import Results
from deadheat.data.wording import both
from deadheat.errors import MissingScoresError, counted


def complete(results: Results) -> Results:
    """Return the table without judges of weight 0, or say that it has holes."""
    if results.has_holes:
        _refuse(results)
    idle = results.weights == 0
    if not idle.any():
        return results
    note = f"{counted(int(idle.sum()), 'judge')} of weight 0 left out."
    kept = results.of_judges(~idle)
    return kept.changed(notes=(*kept.notes, note))


def _refuse(results: Results) -> NoReturn:
    """Say what is missing, and which policies leave something to compare."""
    holes = results.holes
    i, j = np.argwhere(holes)[0].tolist()
    whole = {
        "judge": (int((~holes.any(axis=0)).sum()), results.m),
        "candidate": (int((~holes.any(axis=1)).sum()), results.n),
    }
    ways = [
        f"{both('missing', f'drop-{kind}s')} keeps {left:,} of {counted(number, kind)}"
        for kind, (left, number) in whole.items()
        if left > 1
    ]
    if not holes.all(axis=0).any():
        ways.append(f"{both('missing', 'worst')} keeps all")
    raise MissingScoresError(
        f"{results.source}: agreement compares whole rankings, and the score of "
        f"{results.place(i, j)} is missing ({int(holes.sum()):,} in all).",
        hint=f"choose a policy: {'; '.join(ways) or 'first leave out judges without a score'}.",
    )

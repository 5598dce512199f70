"""Ratings as a table that people read, with their intervals drawn in letters."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from deadheat.grid import Column, Grid
from deadheat.inference.rating_claims import shows, why_unknown
from deadheat.inference.verdict_grid import DOT, bar
from deadheat.text import number
from deadheat.typing import Cell

if TYPE_CHECKING:
    from deadheat.inference.ratings import Ratings
DASH = "\u2013"
ROOM = 0.1  # of the axis, beyond what is finite


def rating_grid(r: Ratings) -> Grid:
    """Return ratings, interval bars, records and groups."""
    rows = r.rows()
    left, right = _axis(r)
    digits = r.scale.digits
    shown = (r.separated and r.fit is not None, bool(r.record[2].any()))
    columns = [
        Column(name="group"),
        Column(name="candidate", key=True),
        Column(name="rating", digits=digits),
        Column(name=f"{number(left, digits)} … {number(right, digits)}", picture=True),
        Column(name="low", digits=digits, on_paper=True),
        Column(name="high", digits=digits, on_paper=True),
        *([Column(name="mle", digits=digits)] if shown[0] else []),
        Column(name=f"won{DASH}lost{DASH}tied" if shown[1] else f"won{DASH}lost", picture=True),
        *(Column(name=name, on_paper=True) for name in ("wins", "losses")),
        *([Column(name="ties", on_paper=True)] if shown[1] else []),
    ]
    cells: list[tuple[Cell, ...]] = []
    for row in rows:
        start = left if row["low"] is None else row["low"]
        end = right if row["high"] is None else row["high"]
        drawn = bar(start, row["rating"], end, left=left, right=right)
        told = (row["group"], row["candidate"], row["rating"], drawn, row["low"], row["high"])
        mle = (row["mle"],) if shown[0] else ()
        record = (row["wins"], row["losses"], *((row["ties"],) if shown[1] else ()))
        counts = [_count(value) for value in record]
        cells.append((*told, *mle, DASH.join(number(count) for count in counts), *counts))
    level = f"{100 * (1 - r.alpha):g} %"
    apart = r.evidence.separation is not None
    kind = "" if apart else f"{r.interval} "
    bars = f"Bars: {level} {kind}intervals, right is better, {DOT} the rating."
    if apart:
        bars += " Whoever won or lost all between parts of the field has a bar without that end."
    return Grid(columns=tuple(columns), cells=tuple(cells), notes=_notes(r), captions=(bars,))


def _axis(r: Ratings) -> tuple[float, float]:
    """Return where the axis begins and ends: at what is finite, with room for open ends."""
    ends = r.scale.shown(np.concatenate([r.bounds.low, r.ratings, r.bounds.high]))
    known = ends[np.isfinite(ends)]
    room = 0.0 if len(known) == len(ends) else ROOM * float(np.ptp(known))
    return float(known.min()) - room, float(known.max()) + room


def _notes(r: Ratings) -> tuple[str, ...]:
    how = r.drawn if r.drawn.endswith(".") else f"{r.drawn}."
    notes = [how]
    if r.of_rounds and r.split_sd is not None and np.isfinite(r.split_sd):
        unit = ": the unit of these ratings" if r.scale.name == "logit" else ""
        notes.append(f"Scores vary by {number(r.split_sd)} from round to round{unit}.")
    return (*notes, about_groups(r))


def about_groups(r: Ratings) -> str:
    """Return what the groups guarantee, as a note."""
    level = f"{100 * r.alpha:g} %"
    tests = r.grouped.tests
    if tests is not None:
        told = f"the chance that any pair is wrongly told apart is about {level}"
        if not shows(r):
            told = f"how often they err is not known {why_unknown(r)}"
        return f"Groups: all pairs tested at once ({tests.method}); {told}."
    if not shows(r):
        return (
            "Groups (Fawcett et al. 2023): the leader of a group, and not every member, is put "
            f"ahead of all below; how often that is wrong is not known {why_unknown(r)}."
        )
    return (
        "Groups (Fawcett et al. 2023): the leader of a group, and not every member, is shown "
        f"better than all below, with more errors than {level} in all. --strict holds for all "
        "pairs at once."
    )


def _count(value: float) -> float:
    """Return a count with at most one decimal: half wins and weights are no whole numbers."""
    return round(value, 1)

"""The critical-difference diagram, with bars that tell no falsehood."""

from __future__ import annotations

from typing import Any

import numpy as np

from deadheat.errors import counted
from deadheat.inference.cliques import Cliques, cliques, nemenyi_ranks
from deadheat.inference.cliques import critical_difference as distance
from deadheat.inference.verdict import Verdict
from deadheat.ranking.ranks import best_first
from deadheat.report.bars import Bars, bars_of
from deadheat.report.elbows import elbows
from deadheat.report.lanes import lanes
from deadheat.report.picture import Picture
from deadheat.report.registry import draws
from deadheat.report.rows import name_of, told
from deadheat.report.tested import all_pairs_of, level_of
from deadheat.text import number

CLASSICAL = 24  # candidates up to which names stand left and right of one axis


@draws(Verdict, figure="Demšar (2006), figure 1", strict=True)
def critical_difference(verdict: Verdict, *, width: int) -> Picture:
    """Show which candidates tests of all pairs do not separate: joined by bars along the axis."""
    tests = all_pairs_of(verdict).tests
    nemenyi = tests.method == "nemenyi"
    values = nemenyi_ranks(tests) if nemenyi else verdict.shown
    heading = "mean rank" if nemenyi else verdict.heading
    lower = nemenyi or verdict.reading.lower_is_better
    order = best_first(-values) if nemenyi else np.argsort(verdict.evidence.ranks, kind="stable")
    found = cliques(tests.better, order)
    bars = bars_of(found, order)
    drawn: dict[str, Any] = {
        "names": [verdict.candidates[i] for i in order.tolist()],
        "values": values[order].tolist(),
        "bars": bars,
        "title": heading,
        "width": width,
    }
    if len(order) <= CLASSICAL:
        apart = distance(tests) if nemenyi and len(order) > 1 else None
        chart = elbows(**drawn, lower=lower, distance=apart)
    else:
        chart = lanes(**drawn, digits=verdict.digits if not nemenyi else 2)
    return Picture(
        chart=chart,
        title="Who is not told apart",
        see=_see(bars, found),
        alt=f"{counted(len(order), 'candidate')} by {heading}, best first ({level_of(verdict)}). "
        + told(
            [
                f"{name_of(verdict.candidates[i])}: {number(float(values[i]), 2)}."
                for i in order.tolist()
            ]
        )
        + " Not separated from each other: "
        + (told([f"{_listed(verdict, bar)}." for bar in bars.members]) or "nobody."),
    )


def _see(bars: Bars, found: Cliques) -> str:
    if not bars.members:
        return "No bar joins anybody: the tests tell all candidates apart."
    cut = ""
    if bars.left_out or not found.whole:
        cut = f"; there are more than the {len(bars.members)} bars shown"
    return (
        "A bar joins candidates that the tests do not tell apart, those with a dot on it; who "
        f"shares no bar is told apart{'' if not cut else ' or on a bar left out'}{cut}."
    )


def _listed(verdict: Verdict, members: tuple[int, ...]) -> str:
    names = [name_of(verdict.candidates[i]) for i in members]
    return ", ".join(names[:8]) + (f" and {len(names) - 8} more" if len(names) > 8 else "")

"""A verdict as a table that people read, with its intervals drawn in letters."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from deadheat.grid import Column, Grid
from deadheat.inference.claims import sound
from deadheat.inference.official import top
from deadheat.resampling.choice import plan_in_words
from deadheat.resampling.plans import Jackknife
from deadheat.text import number
from deadheat.typing import Cell

if TYPE_CHECKING:
    from deadheat.inference.verdict import Verdict

BAR = 16  # what an 80-column terminal has room for beside names of 24 letters
LINE, DOT = "\u2500", "\u25cf"


def verdict_grid(v: Verdict) -> Grid:
    """Return the robust ranking: groups, merits, interval bars, shares ranked first, ranks."""
    kept = set(range(len(v.candidates)) if v.shown_top is None else top(v.official, v.shown_top))
    order = [i for group in v.members for i in group if i in kept]
    left, right = float(v.low[order].min()), float(v.high[order].max())
    axis = v.function.shown(np.array([left, right]), v.evidence.results)
    level = f"{100 * (1 - v.alpha):g} %"
    columns = [
        Column(name="group"),
        Column(name="candidate", key=True),
        Column(name=v.heading, digits=v.digits),
        Column(name=f"{number(float(axis[0]))} \u2026 {number(float(axis[1]))}", picture=True),
        Column(name="low", digits=v.digits, on_paper=True),
        Column(name="high", digits=v.digits, on_paper=True),
        Column(name="first %", digits=1),
        Column(name="ranks"),
    ]
    cells: list[tuple[Cell, ...]] = []
    for i in order:
        who = v.row(v.candidates[i])
        drawn = bar(who.low, who.merit, who.high, left=left, right=right)
        span = "\u2013".join(number(round(end, 1)) for end in (who.rank_low, who.rank_high))
        official = (float(v.official[i]),) if v.has_official else ()
        told = (None if v.undecided else who.group, who.candidate, *official, who.shown, drawn)
        ends = (who.shown_low, who.shown_high)
        cells.append((*told, *ends, 100 * who.first_share, span))
    if v.has_official:
        columns.insert(2, Column(name="official"))
    ranges = "resampling ranges, no confidence sets"
    if v.strictly is not None and sound(v):
        ranges = "simultaneous confidence sets"
    elif v.strictly is not None:
        ranges = "who is put above and below by the same tests, no confidence sets"
    elif isinstance(v.evidence.plan, Jackknife):
        ranges = "ranges over tables with one left out, no confidence sets"
    each = "" if v.interval == "simultaneous" else " of a given candidate"
    bars = f"Bars: {level} {v.interval} intervals{each}, right is better, {DOT} as observed."
    shares = "First %: a shared first place counts for all who share it."
    if v.strictly is None or sound(v):
        ranges = f"{level} {ranges}"
    notes = [resampled(v), f"{shares} Ranks: {ranges}.", v.guarantee]
    if len(order) < len(v.candidates):
        notes.append(f"The top {v.shown_top} of {len(v.candidates):,} candidates are shown.")
    return Grid(columns=tuple(columns), cells=tuple(cells), notes=tuple(notes), captions=(bars,))


def resampled(v: Verdict) -> str:
    """Say how often was resampled, how, and what the answer is about where there are strata."""
    what = plan_in_words(v.evidence.results, v.evidence.plan)
    if isinstance(v.evidence.plan, Jackknife):
        return f"{what}."
    given = getattr(v.evidence.plan, "strata", None) is not None
    about = "; the strata are taken as given, not as a sample" if given else ""
    counted = "" if v.paper.draws in (None, len(v.merits)) else f", {v.paper.draws:,} in the tests"
    return f"{len(v.merits):,} resamples{counted}: {what}{about}."


def bar(low: float, value: float, high: float, *, left: float, right: float) -> str:
    """Return an interval as a line with a dot, on an axis from left to right.

    >>> bar(2, 3, 5, left=0, right=10)
    '   ─●────'
    """
    if not left < right:
        return DOT
    first, dot, last = (round((x - left) / (right - left) * (BAR - 1)) for x in (low, value, high))
    dot = min(max(dot, 0), BAR - 1)
    line = [LINE if first <= k <= last else " " for k in range(BAR)]
    line[dot] = DOT
    return "".join(line).rstrip()

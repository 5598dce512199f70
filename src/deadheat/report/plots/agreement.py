"""How much each judge agrees with the others."""

from __future__ import annotations

from typing import Any

import numpy as np

from deadheat.agree.api import Agreement
from deadheat.core.errors import counted, listed, visible
from deadheat.core.types import Row
from deadheat.output.text import number
from deadheat.report.charts.placement import fitting, inner, said
from deadheat.report.charts.rows import height, label_limit, names_axis
from deadheat.report.charts.spec import View, data, field, framed, layer, mark
from deadheat.report.charts.theme import ROW
from deadheat.report.picture import Picture, draws

MOST_ROWS = 100
TALL = 220
TOLD = 12
TITLE = "mean correlation with the others"
# What a judge does, how it is drawn, and by which shape it is told besides its colour.
LOOKS = ((False, "accent", "circle"), (True, "second", "triangle-left"))
STEPS = 40  # from -1 to 1


@draws(Agreement, first=True)
def agreement(found: Agreement, *, width: int) -> Picture:
    """Show the mean correlation of each judge with the others; those that oppose are marked."""
    rows = [row for row in found.rows() if row["mean_spearman"] == row["mean_spearman"]]
    few = len(rows) <= MOST_ROWS
    if rows:
        chart = _points(rows, width) if few else _bars(found, width)
    else:
        text = fitting("no judge can be compared with another", inner(width))
        chart = framed(said(text, width), width, ROW, stiff=True)
    told = [f"{row['judge']} {number(float(row['mean_spearman']), 2)}" for row in rows[:TOLD]]
    opposing = found.names(found.opposing)
    w = number(found.numbers.kendall_w, 3)
    return Picture(
        view=chart,
        title="agreement with the other judges",
        see=_see(found, few=few) if rows else "No judge can be compared with another one.",
        alt=f"Mean Spearman correlation of each of {counted(found.results.m, 'judge')} with the "
        f"others, the lowest first; Kendall's W is {w}. {', '.join(told) or 'Nothing is defined'}"
        + (f" and {len(rows) - TOLD:,} more" if len(rows) > TOLD else "")
        + (f". Negatively with the rest: {listed(opposing, most=TOLD)}." if opposing else "."),
    )


def _see(found: Agreement, *, few: bool) -> str:
    against, silent = len(found.opposing), int(found.constant.sum())
    parts = [
        "The further right a point, the more alike this judge ranks to the others"
        if few
        else "A bar counts judges, and the further right, the more alike these rank to the others"
    ]
    if against:
        where = "triangle" if few else "marked, left of the dashed line"
        verb = "correlates" if against == 1 else "correlate"
        parts.append(f"{counted(against, 'judge')} ({where}) {verb} negatively with the rest")
    if silent:
        verb = "ties" if silent == 1 else "tie"
        parts.append(f"{counted(silent, 'judge')} that {verb} all candidates left out")
    return "; ".join(parts) + "."


def _looks(rows: list[Row]) -> list[tuple[dict[str, Any], str]]:
    """Return how those that oppose, and those that do not, are drawn, with their shapes."""
    there = {bool(row["opposes"]) for row in rows}
    return [
        ({"where": f"(datum.opposes === {str(opposes).lower()})", "style": style}, shape)
        for opposes, style, shape in LOOKS
        if opposes in there
    ]


def _points(rows: list[Row], width: int) -> View:
    chart = data(
        {
            "judge": row["judge"],
            "mean": row["mean_spearman"],
            "rest": row["rest_correlation"],
            "opposes": row["opposes"],
            "zero": 0.0,
        }
        for row in rows
    )
    order = [visible(str(row["judge"])) for row in rows]
    y = field("judge:N", title=None, sort=order, axis=names_axis(label_limit(width)))
    tooltip = [
        field("judge:N"),
        field("mean:Q", title="mean correlation", format=".3f"),
        field("rest:Q", title="with the ranking of the others", format=".3f"),
    ]
    both: dict[str, Any] = {"y": y, "tooltip": tooltip}
    line = {"x": field("zero:Q", title=TITLE), "x2": "mean:Q", "style": "muted", "opacity": 0.6}
    x, point = field("mean:Q", title=TITLE), {"filled": True, "size": 55, "opacity": 1}
    marks = [
        mark("point", chart, x=x, **both, **look, shape=shape, **point)
        for look, shape in _looks(rows)
    ]
    return framed(layer(mark("rule", chart, **line, **both), *marks), width, height(len(rows)))


def _bars(found: Agreement, width: int) -> View:
    bins = agreement_bins(found)
    chart = data(bins)
    place = {
        "x": field("low:Q", title=TITLE, bin={"binned": True}, axis={"tickCount": 6}),
        "x2": "high:Q",
        "y": field("start:Q", title="judges", axis={"tickMinStep": 1, "format": "d"}),
        "y2": "end:Q",
        "tooltip": [
            field("judges:Q"),
            field("low:Q", title="from", format=".2f"),
            field("high:Q", title="to", format=".2f"),
        ],
    }
    zero = mark("rule", data([{"low": 0.0}]), x="low:Q", style="muted", strokeDash=[4, 3])
    bars = (mark("bar", chart, **place, **look) for look, _ in _looks(bins))
    return framed(layer(*bars, zero), width, TALL)


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

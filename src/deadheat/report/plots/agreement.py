"""How much each judge agrees with the others."""

from __future__ import annotations

from typing import Any

import altair as alt
import numpy as np

from deadheat.agree.api import Agreement
from deadheat.core.errors import counted, listed, visible
from deadheat.core.types import Row
from deadheat.output.text import number
from deadheat.report.charts.placement import drawing, fitting, inner, said
from deadheat.report.charts.rows import data, framed, height
from deadheat.report.charts.theme import LABEL, ROW
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
        chart = drawing(said(text, width), width, ROW)
    told = [f"{row['judge']} {number(float(row['mean_spearman']), 2)}" for row in rows[:TOLD]]
    opposing = found.names(found.opposing)
    w = number(found.numbers.kendall_w, 3)
    return Picture(
        chart=chart,
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
        mark = "triangle" if few else "marked, left of the dashed line"
        verb = "correlates" if against == 1 else "correlate"
        parts.append(f"{counted(against, 'judge')} ({mark}) {verb} negatively with the rest")
    if silent:
        verb = "ties" if silent == 1 else "tie"
        parts.append(f"{counted(silent, 'judge')} that {verb} all candidates left out")
    return "; ".join(parts) + "."


def _points(rows: list[Row], width: int) -> Any:
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
    y = alt.Y(
        "judge:N",
        title=None,
        sort=[visible(str(row["judge"])) for row in rows],
        axis=alt.Axis(
            labelOverlap=False,
            labelLimit=round(min(LABEL, 0.36 * width)),
            ticks=False,
            domain=False,
        ),
    )
    x = alt.X("mean:Q", title=TITLE)
    tooltip = [
        alt.Tooltip("judge:N"),
        alt.Tooltip("mean:Q", title="mean correlation", format=".3f"),
        alt.Tooltip("rest:Q", title="with the ranking of the others", format=".3f"),
    ]
    lines = chart.mark_rule(style="muted", opacity=0.6).encode(
        x=alt.X("zero:Q", title=TITLE), x2=alt.X2("mean:Q"), y=y, tooltip=tooltip
    )
    marks = [
        chart.transform_filter(alt.datum.opposes == opposes)
        .mark_point(style=style, shape=shape, filled=True, size=55, opacity=1)
        .encode(x=x, y=y, tooltip=tooltip)
        for opposes, style, shape in LOOKS
        if any(row["opposes"] == opposes for row in rows)
    ]
    return framed(alt.layer(lines, *marks), width, height(len(rows)))


def _bars(found: Agreement, width: int) -> Any:
    bins = agreement_bins(found)
    chart = data(bins)
    x = alt.X("low:Q", title=TITLE, bin=alt.BinParams(binned=True), axis=alt.Axis(tickCount=6))
    tooltip = [
        alt.Tooltip("judges:Q"),
        alt.Tooltip("low:Q", title="from", format=".2f"),
        alt.Tooltip("high:Q", title="to", format=".2f"),
    ]
    y = alt.Y("start:Q", title="judges", axis=alt.Axis(tickMinStep=1, format="d"))
    bars = [
        chart.transform_filter(alt.datum.opposes == opposes)
        .mark_bar(style=style)
        .encode(x=x, x2=alt.X2("high:Q"), y=y, y2=alt.Y2("end:Q"), tooltip=tooltip)
        for opposes, style, _ in LOOKS
        if any(row["opposes"] == opposes for row in bins)
    ]
    zero = data([{"low": 0.0}]).mark_rule(style="muted", strokeDash=[4, 3]).encode(x=alt.X("low:Q"))
    return framed(alt.layer(*bars, zero), width, TALL)


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

"""The merits with their intervals."""

from __future__ import annotations

from typing import Any

import altair as alt

from deadheat.output.text import number, percent
from deadheat.report.charts.rows import (
    bands,
    candidate_axis,
    data,
    digits,
    framed,
    group_numbers,
    heading,
    height,
    name_of,
    orient,
    rank_text,
    told,
)
from deadheat.report.load import Saved
from deadheat.report.picture import Picture, draws
from deadheat.verdict.claims import digits_of
from deadheat.verdict.result import Verdict


@draws(Verdict, saved=True, figure="Fawcett et al. (2023), figure 1", first=True)
def intervals(verdict: Verdict | Saved, *, width: int) -> Picture:
    """Show how well each candidate does, with the interval of resampling, group by group."""
    rows, reading = verdict.rows(), verdict.reading
    official = any(row["official"] is not None for row in rows)
    form = digits(digits_of([row["shown"] for row in rows]))
    before = [None, *(row["group"] for row in rows)]
    chart = data(
        {
            "candidate": row["candidate"],
            "group": row["group"],
            "odd": bool(row["group"] % 2),
            "opens": row["group"] != before[k],
            "shown": row["shown"],
            "low": row["shown_low"],
            "high": row["shown_high"],
            "first": row["first_share"],
            **({"official": rank_text(row["official"])} if official else {}),
        }
        for k, row in enumerate(rows)
    )
    y = candidate_axis([row["candidate"] for row in rows], width)
    axis = alt.Axis(orient=orient(len(rows)), tickCount=max(3, width // 80))
    x: dict[str, Any] = {"scale": alt.Scale(zero=False), "title": reading.axis, "axis": axis}
    hint = [
        alt.Tooltip("candidate:N"),
        alt.Tooltip("group:N"),
        alt.Tooltip("shown:Q", title=reading.heading, format=form),
        alt.Tooltip("low:Q", format=form),
        alt.Tooltip("high:Q", format=form),
        alt.Tooltip("first:Q", title="ranked first", format=".0%"),
        *([alt.Tooltip("official:N", title="official rank")] if official else []),
    ]
    lines = chart.mark_rule(style="accent", strokeWidth=2).encode(
        x=alt.X("low:Q", **x), x2=alt.X2("high:Q"), y=y, tooltip=hint
    )
    shapes = alt.Scale(domain=[True, False], range=["circle", "diamond"])
    points = chart.mark_point(style="accent", filled=True, size=50, opacity=1).encode(
        x=alt.X("shown:Q", **x),
        y=y,
        shape=alt.Shape("odd:N", scale=shapes, legend=None),
        tooltip=hint,
    )
    layers = [bands(chart, y), lines, points, group_numbers(chart, y)]
    ranks = ""
    if official:
        places = chart.mark_text(style="muted", align="left", dx=46)
        layers += [places.encode(x=alt.value("width"), y=y, text=alt.Text("official:N"))]
        layers += [heading("official", dx=46)]
        ranks = " On the right the official rank."
    level = percent(1 - verdict.alpha)
    bands_say = (
        "Tests were not enough to put candidates into groups"
        if verdict.undecided
        else "Candidates on one band, with one group number, are in a dead heat"
    )
    return Picture(
        chart=framed(alt.layer(*layers), width, height(len(rows))),
        title=f"{reading.heading} with {level} intervals",
        see=f"{bands_say}; the line is where resampling the judges puts the number.",
        alt=f"{reading.heading} of {len(rows)} candidates with {level} intervals, best group first."
        f" The first group has {len(verdict.groups[0])} of {len(rows)} candidates.{ranks} "
        + told(
            [
                f"{name_of(row['candidate'])}: {number(row['shown'])} "
                f"({number(row['shown_low'])} to {number(row['shown_high'])}), "
                f"group {row['group']}"
                + (f", officially {rank_text(row['official'])}." if official else ".")
                for row in rows
            ]
        ),
    )

"""How often each candidate is first."""

from __future__ import annotations

from typing import Any

import altair as alt

from deadheat.core.errors import counted
from deadheat.output.text import percent
from deadheat.report.charts.rows import candidate_axis, data, framed, height, name_of, orient, told
from deadheat.report.load import Saved
from deadheat.report.picture import Picture, draws
from deadheat.verdict.claims import CLOSE
from deadheat.verdict.result import Verdict


@draws(Verdict, saved=True, figure="Fawcett et al. (2023), table 3")
def first(verdict: Verdict | Saved, *, width: int) -> Picture:
    """Show in what share of resamples each candidate is first, those who ever are."""
    every = sorted(verdict.rows(), key=lambda row: -row["first_share"])
    ever = [row for row in every if row["first_share"] > 0]
    random = any(row["first_error"] for row in ever)
    tables = "resamples" if random else "tables"
    chart = data(
        {
            "candidate": row["candidate"],
            "share": row["first_share"],
            "low": max(0.0, row["first_share"] - CLOSE * row["first_error"]),
            "high": min(1.0, row["first_share"] + CLOSE * row["first_error"]),
            "said": percent(row["first_share"]),
        }
        for row in ever
    )
    y = candidate_axis([row["candidate"] for row in ever], width)
    axis = alt.Axis(format="%", orient=orient(len(ever)), tickCount=max(2, width // 90))
    x: dict[str, Any] = {
        "title": f"share of {tables} in which it is first",
        "scale": alt.Scale(domain=[0, 1]),
        "axis": axis,
    }
    hint = [
        alt.Tooltip("candidate:N"),
        alt.Tooltip("share:Q", title="first in", format=".1%"),
    ]
    if random:
        hint += [
            alt.Tooltip("low:Q", title="from, by Monte-Carlo error", format=".1%"),
            alt.Tooltip("high:Q", title="to", format=".1%"),
        ]
    bars = chart.mark_bar(style="accent", height={"band": 0.7}, opacity=0.75).encode(
        x=alt.X("share:Q", **x), y=y, tooltip=hint
    )
    said = chart.mark_text(style="ink", align="left", dx=8)
    layers = [bars, said.encode(x=alt.value("width"), y=y, text=alt.Text("said:N"))]
    if random:
        lines = chart.mark_rule(style="ink", strokeWidth=2)
        ends = lines.encode(x=alt.X("low:Q", **x), x2=alt.X2("high:Q"), y=y, tooltip=hint)
        layers.insert(1, ends)
    never = len(every) - len(ever)
    rest = f"{counted(never, 'other')} {'is' if never == 1 else 'are'} never first"
    number, plan = verdict.made["replicates"], verdict.made["plan"]
    return Picture(
        chart=framed(alt.layer(*layers), width, height(len(ever))),
        title="Who is first, and how often",
        see=f"The longer the bar, the more often a candidate comes first in {number:,} {tables} "
        f"({plan})"
        + ("; the thin line at its end is what other random draws might give" if random else "")
        + (f"; {rest}." if never else "."),
        alt=f"Shares of {number:,} {tables} in which a candidate is first; a shared "
        "first place counts for all who share it. "
        + told([f"{name_of(r['candidate'])}: {percent(r['first_share'])}." for r in ever])
        + (f" {rest}." if never else ""),
    )

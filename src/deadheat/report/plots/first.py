"""How often each candidate is first."""

from __future__ import annotations

from typing import Any

import altair as alt

from deadheat.core.errors import counted
from deadheat.output.text import percent
from deadheat.report.charts.rows import candidate_axis, data, framed, height, name_of, orient, told
from deadheat.report.load import SavedVerdict
from deadheat.report.picture import Picture, draws
from deadheat.verdict.result import Verdict


@draws(Verdict, SavedVerdict, figure="Fawcett et al. (2023), table 3")
def first(verdict: Verdict | SavedVerdict, *, width: int) -> Picture:
    """Show in what share of resamples each candidate is first, those who ever are."""
    every = sorted(verdict.standings, key=lambda each: -each.first_share)
    ever = [each for each in every if each.first_share > 0]
    random = any(each.first_error for each in ever)
    tables = "resamples" if random else "tables"
    chart = data(
        {
            "candidate": each.candidate,
            "share": each.first_share,
            "low": each.first_interval[0],
            "high": each.first_interval[1],
            "said": percent(each.first_share),
        }
        for each in ever
    )
    y = candidate_axis([each.candidate for each in ever], width)
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
    layers = [bars, said.encode(x=alt.value("width"), y=y, text="said:N")]
    if random:
        lines = chart.mark_rule(style="ink", strokeWidth=2)
        ends = lines.encode(x=alt.X("low:Q", **x), x2="high:Q", y=y, tooltip=hint)
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
        + told([f"{name_of(each.candidate)}: {percent(each.first_share)}." for each in ever])
        + (f" {rest}." if never else ""),
    )

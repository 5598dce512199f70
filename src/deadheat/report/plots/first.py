"""How often each candidate is first."""

from __future__ import annotations

from typing import Any

import altair as alt
import numpy as np

from deadheat.errors import counted
from deadheat.inference.pairs import monte_carlo_error
from deadheat.inference.verdict import Verdict
from deadheat.report.marks import data, framed, height
from deadheat.report.picture import Picture
from deadheat.report.registry import draws
from deadheat.report.rows import candidate_axis, name_of, orient, told
from deadheat.text import percent

CLOSE = 1.96  # Monte-Carlo errors either side


@draws(Verdict, figure="Fawcett et al. (2023), table 3")
def first(verdict: Verdict, *, width: int) -> Picture:
    """Show in what share of resamples each candidate is first, those who ever are."""
    shares = verdict.spread.first
    errors = monte_carlo_error(shares, len(verdict.merits))
    order = [i for i in np.argsort(-shares, kind="stable").tolist() if shares[i] > 0]
    names = [verdict.candidates[i] for i in order]
    chart = data(
        {
            "candidate": verdict.candidates[i],
            "share": shares[i],
            "low": max(0.0, shares[i] - CLOSE * errors[i]),
            "high": min(1.0, shares[i] + CLOSE * errors[i]),
            "said": percent(float(shares[i])),
        }
        for i in order
    )
    y = candidate_axis(names, width)
    axis = alt.Axis(format="%", orient=orient(len(order)), tickCount=max(2, width // 90))
    x: dict[str, Any] = {
        "title": "share of resamples in which it is first",
        "scale": alt.Scale(domain=[0, 1]),
        "axis": axis,
    }
    hint = [
        alt.Tooltip("candidate:N"),
        alt.Tooltip("share:Q", title="first in", format=".1%"),
        alt.Tooltip("low:Q", title="from, by Monte-Carlo error", format=".1%"),
        alt.Tooltip("high:Q", title="to", format=".1%"),
    ]
    bars = chart.mark_bar(style="accent", height={"band": 0.7}, opacity=0.75).encode(
        x=alt.X("share:Q", **x), y=y, tooltip=hint
    )
    lines = chart.mark_rule(style="ink", strokeWidth=2).encode(
        x=alt.X("low:Q", **x), x2="high:Q", y=y, tooltip=hint
    )
    said = chart.mark_text(style="ink", align="left", dx=8)
    numbers = said.encode(x=alt.value("width"), y=y, text="said:N")
    never = len(shares) - len(order)
    rest = f"{counted(never, 'other')} {'is' if never == 1 else 'are'} never first"
    return Picture(
        chart=framed(bars + lines + numbers, width, height(len(order))),
        title="Who is first, and how often",
        see="The longer the bar, the more often a candidate comes first when the judges are drawn "
        "again; the thin line at its end is what other random draws might give"
        + (f"; {rest}." if never else "."),
        alt=f"Shares of {len(verdict.merits):,} resamples in which a candidate is first; a shared "
        "first place counts for all who share it. "
        + told([f"{name_of(verdict.candidates[i])}: {percent(float(shares[i]))}." for i in order])
        + (f" {rest}." if never else ""),
    )

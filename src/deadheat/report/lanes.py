"""Candidates down, and beside them bars that join some of their rows: for many candidates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import altair as alt

from deadheat.report.bars import Bars, dots
from deadheat.report.marks import data, framed, height
from deadheat.report.rows import candidate_axis
from deadheat.text import number

WIDEST = 16  # pixels a lane


def lanes(
    *,
    names: Sequence[str],
    values: Sequence[float],
    bars: Bars,
    digits: int,
    title: str,
    width: int,
) -> Any:
    """Return the diagram of candidates given best first, with their numbers."""
    y = candidate_axis(names, width)
    rows = data(
        {"candidate": name, "said": number(float(value), digits), "odd": bool(k % 2)}
        for k, (name, value) in enumerate(zip(names, values, strict=True))
    )
    guides = rows.transform_filter("datum.odd").mark_rect(style="faint", opacity=0.3).encode(y=y)
    said = rows.mark_text(style="muted", align="left", dx=4, fontSize=10)
    numbers = said.encode(x=alt.value(0), y=y, text="said:N")
    top = data([{"word": title}]).mark_text(style="muted", align="left", dx=4, fontSize=10)
    above = top.encode(x=alt.value(0), y=alt.value(-8), text="word:N")
    x = alt.X(
        "lane:Q",
        scale=alt.Scale(domain=_domain(bars, width), nice=False),
        axis=None,
    )
    lines = data(
        {
            "candidate": names[places[0]],
            "end": names[places[-1]],
            "lane": lane,
            "unbroken": bars.unbroken(k),
        }
        for k, (places, lane) in enumerate(zip(bars.places, bars.lanes, strict=True))
    )
    points = data({"candidate": names[dot["place"]], "lane": dot["lane"]} for dot in dots(bars))
    layers = [
        lines.transform_filter("datum.unbroken")
        .mark_rule(style="accent", strokeWidth=3)
        .encode(x=x, y=y, y2="end:N"),
        lines.transform_filter("!datum.unbroken")
        .mark_rule(style="accent", strokeWidth=1, strokeDash=[3, 2])
        .encode(x=x, y=y, y2="end:N"),
        points.mark_point(style="accent", filled=True, size=26, opacity=1).encode(x=x, y=y),
    ]
    return framed(alt.layer(guides, numbers, above, *layers), width, height(len(names)), stiff=True)


def _domain(bars: Bars, width: int) -> list[float]:
    """Return the ends of the scale of lanes: room for numbers on the left, then the lanes."""
    room = 0.6 * width
    lane = min(WIDEST, (room - 60) / max(bars.depth, 1))
    return [-60 / lane, (room - 60) / lane]

"""One axis across with names left and right of it, as critical-difference diagrams have it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import altair as alt

from deadheat.report.bars import Bars, dots
from deadheat.report.marks import data, framed
from deadheat.text import number

STEP = 17  # pixels between two names
LANE = 9  # pixels between two bars
START = 14  # pixels from the axis to the first bar
NUMBERED = 400  # pixels across from which there is room for numbers


def elbows(
    *,
    names: Sequence[str],
    values: Sequence[float],
    bars: Bars,
    title: str,
    lower: bool,
    distance: float | None,
    width: int,
) -> Any:
    """Return the diagram of candidates given best first; the best is on the left.

    ``distance`` is the critical difference, drawn below the axis where there is one.
    """
    top = START + LANE * bars.depth + (LANE + 6 if distance is not None else 0) + 8
    half = (len(names) + 1) // 2
    tall = top + STEP * half
    low, high = min(values), max(values)
    if distance is not None:
        high = max(high, low + distance)
    numbered = width >= NUMBERED
    pad = (high - low) * (28 / (0.46 * width - 56) if numbered else 0.05) or 0.5
    best, worst = (low - pad, high + pad) if lower else (high + pad, low - pad)
    side = "lower" if lower else "higher"
    x: dict[str, Any] = {
        "title": f"{title} ({side} is better)",
        "scale": alt.Scale(domain=[low - pad, high + pad], nice=False, reverse=best > worst),
        "axis": alt.Axis(orient="top", grid=False, tickCount=max(3, width // 90)),
    }
    y: dict[str, Any] = {
        "scale": alt.Scale(domain=[0, tall], reverse=True, nice=False),
        "axis": None,
    }
    who = data(
        {
            "candidate": name,
            "value": value,
            "said": number(float(value), 2),
            "left": k < half,
            "start": 0,
            "y": top + STEP * (k if k < half else len(names) - 1 - k) + STEP / 2,
        }
        for k, (name, value) in enumerate(zip(names, values, strict=True))
    )
    layers = [
        who.mark_rule(style="muted").encode(
            x=alt.X("value:Q", **x), y=alt.Y("start:Q", **y), y2="y:Q"
        )
    ]
    hint = [alt.Tooltip("candidate:N"), alt.Tooltip("said:N", title=title)]
    for left in (True, False):
        edge: Any = alt.value(0) if left else alt.value("width")
        mine = who.transform_filter("datum.left" if left else "!datum.left")
        align: Any = "right" if left else "left"
        layers += [
            mine.mark_rule(style="muted").encode(
                x=alt.X("value:Q", **x), x2=edge, y=alt.Y("y:Q", **y)
            ),
            mine.mark_text(
                style="ink", align=align, dx=-4 if left else 4, limit=round(0.27 * width)
            ).encode(x=edge, y=alt.Y("y:Q", **y), text="candidate:N", tooltip=hint),
        ]
        if numbered:
            dx, against = (2, "left") if left else (-2, "right")
            said = mine.mark_text(
                style="muted", align=cast("Any", against), dx=dx, dy=-6, fontSize=9
            )
            layers.append(said.encode(x=edge, y=alt.Y("y:Q", **y), text="said:N"))
    begin = START
    if distance is not None:
        layers += _critical(low, distance, begin, x, y)
        begin += LANE + 6
    return framed(alt.layer(*layers, *_bars(values, bars, begin, x, y)), width, tall, stiff=True)


def _bars(
    values: Sequence[float], bars: Bars, begin: float, x: dict[str, Any], y: dict[str, Any]
) -> list[Any]:
    if not bars.members:
        return []
    lines = data(
        {
            "value": values[places[0]],
            "end": values[places[-1]],
            "y": begin + LANE * lane,
            "unbroken": bars.unbroken(k),
        }
        for k, (places, lane) in enumerate(zip(bars.places, bars.lanes, strict=True))
    )
    ends = {"x": alt.X("value:Q", **x), "x2": "end:Q", "y": alt.Y("y:Q", **y)}
    points = data(
        {"value": values[dot["place"]], "y": begin + LANE * dot["lane"]} for dot in dots(bars)
    )
    return [
        lines.transform_filter("datum.unbroken")
        .mark_rule(style="accent", strokeWidth=3)
        .encode(**ends),
        lines.transform_filter("!datum.unbroken")
        .mark_rule(style="accent", strokeWidth=1.5, strokeDash=[3, 2])
        .encode(**ends),
        points.mark_point(style="accent", filled=True, size=36, opacity=1).encode(
            x=alt.X("value:Q", **x), y=alt.Y("y:Q", **y)
        ),
    ]


def _critical(
    low: float, distance: float, at: float, x: dict[str, Any], y: dict[str, Any]
) -> list[Any]:
    ends = [low, low + distance]
    one = data([{"value": ends[0], "end": ends[1], "y": at}])
    both = data({"value": end, "y": at} for end in ends)
    label = data([{"value": ends[1], "y": at, "said": f"CD = {distance:.2f}"}])
    return [
        one.mark_rule(style="second", strokeWidth=2).encode(
            x=alt.X("value:Q", **x), x2="end:Q", y=alt.Y("y:Q", **y)
        ),
        both.mark_tick(style="second", thickness=2, orient="vertical", size=9).encode(
            x=alt.X("value:Q", **x), y=alt.Y("y:Q", **y)
        ),
        label.mark_text(style="ink", align="left", dx=6, fontSize=10).encode(
            x=alt.X("value:Q", **x), y=alt.Y("y:Q", **y), text="said:N"
        ),
    ]

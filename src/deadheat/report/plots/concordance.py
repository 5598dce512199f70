"""Whether rankings predict unseen judges better where judges agree."""

from __future__ import annotations

from typing import Any

import altair as alt
import numpy as np

from deadheat.core.errors import counted
from deadheat.core.types import Floats
from deadheat.criteria.result import Criteria, table_means
from deadheat.output.text import number
from deadheat.report.charts.placement import (
    LINE,
    Box,
    Frame,
    fitting,
    label_layers,
    label_width,
    placed,
    spread,
    unnamed,
)
from deadheat.report.charts.rows import data, framed
from deadheat.report.picture import Picture, draws

AXIS = 56  # pixels that the axis and its title take
SHORTEST = 260
BESIDE = 30  # pixels between points and the column of their labels
TOLD = 12


@draws(Criteria, figure="Pavao et al. (2021), supplement, figure 5")
def concordance(found: Criteria, *, width: int) -> Picture:
    """Show how much the judges of each table agree, and how well rankings predict unseen ones."""
    if found.several:
        names = [table.results.source for table in found.measured]
        points = np.column_stack([found.concordance, table_means(found)])
    else:
        names = list(found.names[:-1])
        values = found.measured[0].means("generalization")[:-1]
        points = np.column_stack([np.full(len(values), found.concordance[0]), values])
    there = [k for k in range(len(names)) if np.isfinite(points[k]).all()]
    frame = _frame(points[there], width)
    shown = [names[k] for k in there]
    chart, hidden = _chart(frame, shown, points[there], several=found.several)
    missing = len(names) - len(there)
    told = [f"{names[k]}: W {number(points[k, 0], 3)}, {number(points[k, 1], 3)}" for k in there]
    what = "table" if found.several else "ranking function"
    see = (
        "Each point is a table: the further right, the more its judges agree, and the higher, the "
        "better rankings of some judges predict the others"
        if found.several
        else "With one table each point is a ranking function: the higher, the better its ranking "
        "of some judges predicts the others, whose agreement is where the points stand"
    )
    see += f"; {counted(missing, what)} without a defined value left out" if missing else ""
    return Picture(
        chart=framed(chart, width, round(frame.height), stiff=True),
        title="agreement and prediction",
        see=f"{see}{hidden}.",
        alt=f"Kendall's W and mean generalization of {counted(len(names), what)}. "
        + "; ".join(told[:TOLD])
        + (f"; {len(told) - TOLD} more" if len(told) > TOLD else "")
        + ("." if told else "Nothing is defined."),
    )


def _frame(points: Floats, width: int) -> Frame:
    low, high = (0.0, 1.0) if not len(points) else (points[:, 1].min(), points[:, 1].max())
    margin = max(0.15 * (high - low), 0.02)
    height = max(SHORTEST, (len(points) + 1) * LINE)
    return Frame(width - AXIS, height, (0.0, 1.0), (float(low - margin), float(high + margin)))


def _beside(pixels: list[tuple[float, float]], texts: list[str], frame: Frame) -> list[Box | None]:
    """Return places in one column for the labels of points that stand above each other."""
    heights = spread([y for _, y in pixels], gap=LINE, low=LINE, high=frame.height - LINE)
    side = 1 if pixels and pixels[0][0] < frame.width / 2 else -1
    return [
        Box(px + side * (BESIDE + label_width(text) / 2), at, label_width(text), LINE)
        for (px, _), text, at in zip(pixels, texts, heights, strict=True)
    ]


def _chart(frame: Frame, names: list[str], points: Floats, *, several: bool) -> tuple[Any, str]:
    """Return the chart, and what it has no room to name."""
    pixels = [frame.pixel(float(x), float(y)) for x, y in points]
    texts = [fitting(name, (0.34 if several else 0.42) * frame.width) for name in names]
    boxes = (
        placed(pixels, texts, width=frame.width, height=frame.height, far=True)
        if several
        else _beside(pixels, texts, frame)
    )
    rows = [
        {"name": name, "x": x, "y": y} for name, (x, y) in zip(names, points.tolist(), strict=True)
    ]
    axis_x = frame.x(title="Kendall's W", axis=alt.Axis(tickCount=5))
    axis_y = frame.y(title="unseen judges predicted")
    tooltip = [
        "name:N",
        alt.Tooltip("x:Q", title="Kendall's W", format=".3f"),
        alt.Tooltip("y:Q", title="generalization", format=".3f"),
    ]
    chart = alt.layer(
        data(rows)
        .mark_point(style="accent", filled=True, size=60, opacity=1)
        .encode(x=axis_x, y=axis_y, tooltip=tooltip),
        *label_layers(frame, pixels, texts, boxes, x=axis_x, y=axis_y),
    )
    return chart, unnamed(boxes, "table")

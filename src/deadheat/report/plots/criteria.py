"""What was measured of each ranking function."""

from __future__ import annotations

from typing import Any

from deadheat.core.errors import counted, listed
from deadheat.criteria.criterion import Criterion
from deadheat.criteria.result import OF_THE_PAPER, Criteria, span_of
from deadheat.output.text import number
from deadheat.report.charts.placement import (
    LINE,
    PADDING,
    fitting,
    label_width,
    pixels_across,
    pixels_down,
    ticks,
    written,
)
from deadheat.report.charts.spec import View, data, field, layer, mark
from deadheat.report.charts.theme import ROW
from deadheat.report.picture import Picture, draws

NARROW = 420  # pixels, below which panels stand below each other
GAP = 12
NUMBER = 36  # pixels that a number on an axis takes
TOLD = 12
WHOLE: dict[str, Any] = {"filled": True, "opacity": 1}
# What a function is, and how its point is drawn.
LOOKS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("best", {"style": "accent", "size": 60, **WHOLE}),
    ("other", {"style": "paper", "size": 45, **WHOLE}),
    ("other", {"style": "accent", "size": 40, "filled": False, "opacity": 1}),
    ("baseline", {"style": "muted", "size": 50, "shape": "diamond", **WHOLE}),
    ("below", {"style": "muted", "size": 50, "shape": "triangle-left", **WHOLE}),
)


@draws(Criteria, figure="Pavao et al. (2021), supplement, figure 6", first=True)
def criteria(found: Criteria, *, width: int) -> Picture:
    """Show how well each ranking function does by each criterion, with error bars."""
    panels = [c for c in found.criteria if c.name in OF_THE_PAPER]
    narrow = width < NARROW
    # The last number on an axis may stick out.
    across = width - 2 * PADDING - (3 * GAP if narrow else GAP)
    names = [fitting(name, (0.45 if narrow else 0.3) * across) for name in found.names]
    room, tall = max(map(label_width, names)), len(names) * ROW
    rows = [{"x": room, "y": (k + 0.5) * ROW, "text": name} for k, name in enumerate(names)]
    side = written(rows, pixels_across(room), pixels_down(tall), align="right")
    side |= {"width": round(room), "height": tall}
    each_width = across - room - GAP if narrow else (across - room) / len(panels) - GAP
    charts = [_panel(found, each, each_width) for each in panels]
    lines = [[side, chart] for chart in charts] if narrow else [[side, *charts]]
    views: list[View] = [{"hconcat": line, "spacing": GAP} for line in lines]
    error = "over the tables" if found.several else "of chance in the trials"
    faint = ", the small ticks are single tables" if found.several else ""
    return Picture(
        view={"vconcat": views, "spacing": GAP} if narrow else views[0],
        title="ranking functions, measured",
        see="Further right is better; filled points are the best or cannot be told from it, the "
        f"bars are two standard errors {error}{faint}, and the diamond is the ranking of one judge "
        "at random (an arrow where it lies further left).",
        alt=f"{counted(len(found.functions), 'ranking function')} on "
        f"{counted(len(found.measured), 'table')}, and one judge drawn at random. "
        + " ".join(_told(found, each) for each in panels),
    )


def _told(found: Criteria, each: Criterion) -> str:
    means, *_ = found.values(each.name)
    values = [
        f"{name} {number(value, 3)}"
        for name, value in zip(found.names, means.tolist(), strict=True)
    ]
    return f"{each.name.replace('_', ' ').capitalize()}: {listed(values, most=TOLD)}."


def _panel(found: Criteria, each: Criterion, width: float) -> View:
    span, leading = span_of(found, each.name), found.leads[each.name]
    rows: list[dict[str, Any]] = [
        {
            "function": name,
            "y": (k + 0.5) * ROW,
            "value": float(span.mean[k]),
            "at": float(span.mean[k]),
            "low": float(span.low[k]),
            "high": float(span.high[k]),
            "error": float(span.error[k]),
            "look": "other",
        }
        for k, name in enumerate(found.names)
    ]
    rows[-1]["look"] = "baseline"
    for k, row in enumerate(rows[:-1]):
        if leading is not None and leading.level[k]:
            row["look"] = "best"
    shown = rows if found.several else rows[:-1]  # else the baseline may lie outside
    single = [
        {"at": float(value), "y": (k + 0.5) * ROW}
        for table in found.measured
        for k, value in enumerate(table.means(each.name).tolist())
    ]
    ends = [row[end] for row in shown for end in ("low", "high")]
    ends += [row["at"] for row in single if found.several]
    known = [end for end in ends if end == end]
    margin = max(0.12 * (max(known) - min(known)), 0.004) if known else 0.0
    low, high = min(known, default=0.0) - margin, max(known, default=1.0) + margin
    if rows[-1]["value"] < low:
        rows[-1] |= {"at": low, "low": None, "high": None, "look": "below"}
    tooltip = [
        field("function:N"),
        field("value:Q", title=each.heading, format=".3f"),
        field("error:Q", title="standard error", format=".4f"),
    ]
    chart, tall = data(rows), len(rows) * ROW
    places = ticks(low, high, max(2, int(width / NUMBER)))
    scale = {"zero": False, "nice": False, "domain": [low, high]}  # functions can be told apart
    axis = {"values": places, "labelFlush": True, "labelOverlap": True}
    x, y = field("at:Q", title=None, scale=scale, axis=axis), pixels_down(tall)
    line = {"tooltip": tooltip, "style": "accent", "strokeWidth": 1.5}
    layers = [mark("rule", chart, x="low:Q", x2="high:Q", y=y, **line)]
    layers += [
        mark("point", chart, where=f"(datum.look === '{look}')", x=x, y=y, tooltip=tooltip, **style)
        for look, style in LOOKS
    ]
    if found.several:
        tick = {"style": "muted", "height": LINE - 3, "opacity": 0.5}
        layers.insert(0, mark("tick", data(single), x=x, y=y, **tick))
    title = {"text": each.heading, "fontSize": 11, "fontWeight": "normal", "anchor": "middle"}
    title["offset"] = 4
    return {**layer(*layers), "width": round(width), "height": tall, "title": title}

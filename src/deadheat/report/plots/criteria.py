"""What was measured of each ranking function."""

from __future__ import annotations

from typing import Any

import altair as alt

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
from deadheat.report.charts.rows import data
from deadheat.report.charts.theme import ROW
from deadheat.report.picture import Picture, draws

NARROW = 420  # pixels, below which panels stand below each other
GAP = 12
NUMBER = 36  # pixels that a number on an axis takes
TOLD = 12


@draws(Criteria, figure="Pavao et al. (2021), supplement, figure 6", first=True)
def criteria(found: Criteria, *, width: int) -> Picture:
    """Show how well each ranking function does by each criterion, with error bars."""
    panels = [c for c in found.criteria if c.name in OF_THE_PAPER]
    # The last number on an axis may stick out.
    across = width - 2 * PADDING - (3 * GAP if width < NARROW else GAP)
    share = 0.45 if width < NARROW else 0.3
    names = [fitting(name, share * across) for name in found.names]
    room = max(label_width(name) for name in names)
    if width < NARROW:
        rows = [
            alt.hconcat(_names(names, room), _panel(found, each, across - room - GAP), spacing=GAP)
            for each in panels
        ]
        chart: Any = alt.vconcat(*rows, spacing=GAP)
    else:
        each_width = (across - room) / len(panels) - GAP
        drawn = [_panel(found, each, each_width) for each in panels]
        chart = alt.hconcat(_names(names, room), *drawn, spacing=GAP)
    error = "over the tables" if found.several else "of chance in the trials"
    faint = ", the small ticks are single tables" if found.several else ""
    return Picture(
        chart=chart,
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


def _names(names: list[str], room: float) -> Any:
    rows = [{"x": room, "y": (k + 0.5) * ROW, "text": name} for k, name in enumerate(names)]
    height = len(names) * ROW
    chart = written(rows, pixels_across(room), pixels_down(height), align="right")
    return chart.properties(width=round(room), height=height)


def _rows(found: Criteria, each: Criterion) -> list[dict[str, Any]]:
    span = span_of(found, each.name)
    leading = found.leads[each.name]
    rows = []
    for k, name in enumerate(found.names):
        baseline = k == len(found.names) - 1
        best = leading is not None and not baseline and bool(leading.level[k])
        value = float(span.mean[k])
        rows.append(
            {
                "function": name,
                "y": (k + 0.5) * ROW,
                "value": value,
                "at": value,
                "low": float(span.low[k]),
                "high": float(span.high[k]),
                "error": float(span.error[k]),
                "look": "baseline" if baseline else "best" if best else "other",
            }
        )
    return rows


def _panel(found: Criteria, each: Criterion, width: float) -> Any:
    rows = _rows(found, each)
    single = [
        {"at": float(value), "y": (k + 0.5) * ROW}
        for table in found.measured
        for k, value in enumerate(table.means(each.name).tolist())
    ]
    shown = rows if found.several else rows[:-1]  # else the baseline may lie outside
    ends = [row[end] for row in shown for end in ("low", "high")]
    ends += [row["at"] for row in single if found.several]
    known = [end for end in ends if end == end]
    margin = max(0.12 * (max(known) - min(known)), 0.004) if known else 0.0
    low, high = min(known, default=0.0) - margin, max(known, default=1.0) + margin
    domain = [low, high]  # so that functions can be told apart
    if rows[-1]["value"] < domain[0]:
        rows[-1] |= {"at": domain[0], "low": None, "high": None, "look": "below"}
    tooltip = [
        alt.Tooltip("function:N"),
        alt.Tooltip("value:Q", title=each.heading, format=".3f"),
        alt.Tooltip("error:Q", title="standard error", format=".4f"),
    ]
    chart = data(rows)
    places = ticks(low, high, max(2, int(width / NUMBER)))
    x = alt.X(
        "at:Q",
        title=None,
        scale=alt.Scale(zero=False, nice=False, domain=domain),
        axis=alt.Axis(values=places, labelFlush=True, labelOverlap=True),
    )
    height = len(rows) * ROW
    y = pixels_down(height)
    whole = {"filled": True, "opacity": 1}
    hollow = {"filled": False, "opacity": 1}
    looks: tuple[tuple[str, dict[str, Any]], ...] = (
        ("best", {"style": "accent", "size": 60, **whole}),
        ("other", {"style": "paper", "size": 45, **whole}),
        ("other", {"style": "accent", "size": 40, **hollow}),
        ("baseline", {"style": "muted", "size": 50, "shape": "diamond", **whole}),
        ("below", {"style": "muted", "size": 50, "shape": "triangle-left", **whole}),
    )
    layers = [
        chart.mark_rule(style="accent", strokeWidth=1.5).encode(
            x=alt.X("low:Q"), x2=alt.X2("high:Q"), y=y, tooltip=tooltip
        )
    ]
    layers += [
        chart.transform_filter(alt.datum.look == look)
        .mark_point(**style)
        .encode(x=x, y=y, tooltip=tooltip)
        for look, style in looks
    ]
    if found.several:
        tables = data(single).mark_tick(style="muted", height=LINE - 3, opacity=0.5)
        layers.insert(0, tables.encode(x=x, y=y))
    title = alt.TitleParams(
        text=each.heading, fontSize=11, fontWeight="normal", anchor="middle", offset=4
    )
    return alt.layer(*layers).properties(width=round(width), height=height, title=title)

"""Step curves, one per candidate: the best in colour with their names beside them, others grey."""

from __future__ import annotations

from typing import Any

import altair as alt
import numpy as np

from deadheat.inference.run_curves import Curve, RunCurves
from deadheat.report.marks import data, framed
from deadheat.report.placement import LINE, fitting, spread
from deadheat.text import visible

NAMED = 12  # curves with a colour and a name
HUES = 6
GREY = 40  # other curves that are drawn each by itself
STEPS, FEW_STEPS = 160, 50
DECADES = 1.5  # above which powers of ten are ticks enough
NARROW = 400
PLAIN = ",~r"


def step_lines(
    found: RunCurves,
    *,
    width: int,
    start: float,
    stop: float,
    log: bool,
    top: float,
    titles: tuple[str, str],
    form: str,
) -> Any:
    """Return the chart of curves from ``start`` to ``stop`` and from 0 to ``top``."""
    narrow = width < NARROW
    height, room = (220, 84) if narrow else (320, 150)
    best, rest = found.curves[:NAMED], found.curves[NAMED:]
    named = data(_ends(best, stop, top, height, room))
    points = data(row for k, curve in enumerate(best) for row in _points(k, curve, start, stop))
    x = alt.X(
        "x:Q", title=titles[0], scale=_scale(start, stop, log=log), axis=_axis(start, stop, log=log)
    )
    y = alt.Y(
        "y:Q",
        title=titles[1],
        scale=alt.Scale(domain=[0, top], nice=False),
        axis=alt.Axis(format=form, tickCount=5),
    )
    hue = alt.Color("hue:N", legend=None, scale=alt.Scale(domain=list(range(HUES))))
    dash = alt.StrokeDash(
        "dash:N", legend=None, scale=alt.Scale(domain=[0, 1], range=[[1, 0], [4, 2]])
    )
    end: Any = {"value": "width"}
    lines = (
        points.mark_line(interpolate="step-after", strokeWidth=1.8, clip=True)
        .transform_lookup(
            lookup="line",
            from_=alt.LookupData(data=named.data, key="line", fields=["candidate", "hue", "dash"]),
        )
        .encode(x=x, y=y, detail="line:N", color=hue, strokeDash=dash, tooltip="candidate:N")
    )
    leaders = named.mark_rule(strokeWidth=1).encode(
        x=end, x2=alt.value({"expr": "width + 10"}), y=y, y2="label:Q", color=hue, strokeDash=dash
    )
    names = named.mark_text(align="left", dx=12, limit=room, baseline="middle").encode(
        x=end, y=alt.Y("label:Q"), text="short:N", color=hue, tooltip="candidate:N"
    )
    return framed(
        alt.layer(*_others(found, rest, x, y, start, stop, log=log), lines, leaders, names),
        width,
        height,
    )


def time_lines(
    found: RunCurves,
    span: tuple[float, float, bool],
    *,
    width: int,
    top: float,
    title: str,
    form: str,
) -> Any:
    """Return the chart of curves over time: of a span, and whether its axis is logarithmic."""
    start, stop, log = span
    return step_lines(
        found,
        width=width,
        start=start,
        stop=stop,
        log=log,
        top=top,
        titles=("seconds, log scale" if log else "seconds", title),
        form=form,
    )


def without_time(found: RunCurves) -> str:
    """Return what to say of runs that solved something nobody knows when."""
    return f" {found.untimed:,} solved without a time are left out." if found.untimed else ""


def among(found: RunCurves) -> str:
    """Return what to say of the candidates without a name."""
    others = len(found.curves) - NAMED
    if others <= 0:
        return ""
    drawn = "the grey lines" if others <= GREY else "within the grey band"
    return f"; the best {NAMED} are named and the other {others:,} are {drawn}"


def _ends(
    best: tuple[Curve, ...], stop: float, top: float, height: int, room: int
) -> list[dict[str, Any]]:
    ends = [float(curve.at(np.array([stop]))[0]) for curve in best]
    # Better ones stand above where ends are equal.
    wanted = [height * (1 - end / top) + k * 1e-6 for k, end in enumerate(ends)]
    places = spread(wanted, gap=LINE, low=0.0, high=float(height))
    return [
        {
            "line": k,
            "candidate": curve.candidate,
            "short": fitting(curve.candidate, room),
            "hue": k % HUES,
            "dash": k // HUES,
            "y": ends[k],
            "label": top * (1 - places[k] / height),
        }
        for k, curve in enumerate(best)
    ]


def _points(
    line: int, curve: Curve, start: float, stop: float, most: int = STEPS
) -> list[dict[str, Any]]:
    inside = (curve.places > start) & (curve.places < stop)
    thin = Curve(
        candidate=curve.candidate, places=curve.places[inside], heights=curve.heights[inside]
    ).thinned(most)
    ends = curve.at(np.array([start, stop])).tolist()
    places = [start, *thin.places.tolist(), stop]
    heights = [ends[0], *thin.heights.tolist(), ends[1]]
    return [
        {"line": line, "x": float(f"{x:.5g}"), "y": float(f"{y:.5g}")}
        for x, y in zip(places, heights, strict=True)
    ]


def _others(
    found: RunCurves,
    rest: tuple[Curve, ...],
    x: alt.X,
    y: alt.Y,
    start: float,
    stop: float,
    *,
    log: bool,
) -> list[Any]:
    if not rest:
        return []
    if len(rest) <= GREY:
        rows = [row for k, c in enumerate(rest) for row in _points(k, c, start, stop, FEW_STEPS)]
        names = data({"line": k, "candidate": c.candidate} for k, c in enumerate(rest))
        lines = data(rows).mark_line(
            style="faint", interpolate="step-after", strokeWidth=1, clip=True
        )
        told = alt.LookupData(data=names.data, key="line", fields=["candidate"])
        return [
            lines.transform_lookup(lookup="line", from_=told).encode(
                x=x, y=y, detail="line:N", tooltip="candidate:N"
            )
        ]
    places = np.geomspace(start, stop, STEPS) if log else np.linspace(start, stop, STEPS)
    low, high = found.extent(rest, places)
    band = data({"x": a, "y": b, "high": c} for a, b, c in zip(places, low, high, strict=True))
    return [
        band.mark_area(style="faint", interpolate="step-after", clip=True).encode(
            x=x, y=y, y2="high:Q", tooltip=alt.value(visible(f"{len(rest):,} others"))
        )
    ]


def _scale(start: float, stop: float, *, log: bool) -> alt.Scale:
    return alt.Scale(type="log" if log else "linear", domain=[start, stop], nice=False)


def _axis(start: float, stop: float, *, log: bool) -> alt.Axis:
    if log and np.log10(stop / start) > DECADES:
        powers = range(int(np.ceil(np.log10(start) - 1e-9)), int(np.log10(stop) + 1e-9) + 1)
        ticks = [float(f"1e{k}") for k in powers]
        return alt.Axis(values=ticks, format=PLAIN, labelOverlap=True)
    return alt.Axis(format=PLAIN, tickCount=5, labelOverlap=True)

"""Judges that rank alike, and the candidates that tell them apart."""

from __future__ import annotations

from typing import Any

import altair as alt
import numpy as np

from deadheat.agree.api import Agreement
from deadheat.agree.maps import JudgeMap, heaped, judge_map
from deadheat.core.errors import counted, listed
from deadheat.core.types import Floats, Integers
from deadheat.output.text import percent
from deadheat.ranking.ranks import best_first
from deadheat.report.charts.placement import Frame, fitting, label_layers, placed
from deadheat.report.charts.rows import data, framed
from deadheat.report.picture import Picture, draws

AXIS = 48  # pixels that the axis and its title take
SHAPE = 0.8
MOST_POINTS = 400
HEAP = 16  # pixels across a heap of judges
MOST_LABELS = 40
MOST_ARROWS = 60
TOLD = 12


@draws(Agreement)
def judges_map(found: Agreement, *, width: int) -> Picture:
    """Show judges as points, alike ones close together, and candidates as directions."""
    placing = judge_map(found.results)
    across = width - AXIS
    places = np.concatenate([placing.points, placing.arrows])
    frame = Frame.square(places, across, max(200, round(across * SHAPE)))
    seen, m, n = len(placing.judges), found.results.m, found.results.n
    said = f"; circles are heaps of judges, {seen:,} in all" if seen > MOST_POINTS else ""
    said += f" of {m:,}" if seen < m else ""
    said += f"; of {n:,} candidates the {MOST_ARROWS} furthest out" if n > MOST_ARROWS else ""
    shares = " and ".join(percent(share) for share in placing.shares)
    outer = _furthest(placing.arrows)[:TOLD]
    judges = placing.judges[_furthest(placing.points)[:TOLD]]
    alike = not placing.points.any()
    telling = (
        f"The two axes show {shares} of the differences. Candidates that judges differ about, "
        f"furthest out first: {listed([found.results.candidates[i] for i in outer], most=TOLD)}. "
        f"Judges furthest from the middle: {listed(found.names(judges.tolist()), most=TOLD)}."
    )
    return Picture(
        chart=framed(_chart(found, placing, frame), width, round(frame.height), stiff=True),
        title="map of judges and candidates",
        see="All judges rank alike, so that all stand at one point."
        if alike
        else "Judges (points) that stand close together rank alike, and a candidate (line) points "
        "to the judges that rank it better than the others do; names stand where there is "
        f"room{said}.",
        alt=f"A map of {counted(m, 'judge')} and {counted(n, 'candidate')} by ranks. "
        + ("All judges rank alike." if alike else telling),
    )


def _furthest(points: Floats) -> Integers:
    return best_first((points**2).sum(axis=1))


def _cells(points: Floats, frame: Frame) -> int:
    long = float(np.ptp(points, axis=0).max())
    return max(4, int(long / (frame.across[1] - frame.across[0]) * frame.width / HEAP))


def _chart(found: Agreement, placing: JudgeMap, frame: Frame) -> Any:
    titles = [
        f"{name} component, {percent(share)}"
        for name, share in zip(("first", "second"), placing.shares, strict=True)
    ]
    quiet = alt.Axis(labels=False, ticks=False, grid=False, domain=False)
    x, y = frame.x(title=titles[0], axis=quiet), frame.y(title=titles[1], axis=quiet)
    arrows = _furthest(placing.arrows)[:MOST_ARROWS]
    candidates = [found.results.candidates[i] for i in arrows.tolist()]
    ends = placing.arrows[arrows]
    many = len(placing.points) > MOST_POINTS
    points, counts = (
        heaped(placing.points, cells=_cells(placing.points, frame))
        if many
        else (placing.points, np.ones(len(placing.points), dtype=np.int64))
    )
    order = _furthest(points)
    judges = [] if many else [found.results.judges[placing.judges[k]] for k in order.tolist()]
    return alt.layer(
        data([{"x": frame.across[0], "x2": frame.across[1], "y": 0.0}])
        .mark_rule(style="faint")
        .encode(x=x, x2=alt.X2("x2:Q"), y=y),
        data([{"x": 0.0, "y": frame.up[0], "y2": frame.up[1]}])
        .mark_rule(style="faint")
        .encode(x=x, y=y, y2=alt.Y2("y2:Q")),
        _arrows(candidates, ends, x, y),
        _points(judges, points[order], counts[order], x, y),
        *_labels(frame, candidates, ends, judges, points[order], x, y),
    )


def _arrows(names: list[str], ends: Floats, x: alt.X, y: alt.Y) -> Any:
    rows = [
        {"candidate": name, "x": 0.0, "y": 0.0, "x2": end[0], "y2": end[1]}
        for name, end in zip(names, ends.tolist(), strict=True)
    ]
    marks = data(rows).mark_rule(style="second", strokeWidth=1.2, opacity=0.6)
    return marks.encode(x=x, y=y, x2=alt.X2("x2:Q"), y2=alt.Y2("y2:Q"), tooltip=["candidate:N"])


def _points(judges: list[str], points: Floats, counts: Integers, x: alt.X, y: alt.Y) -> Any:
    names = judges or [counted(int(count), "judge") for count in counts]
    rows = [
        {"judge": name, "count": count, "x": round(at[0], 4), "y": round(at[1], 4)}
        for name, count, at in zip(names, counts.tolist(), points.tolist(), strict=True)
    ]
    marks = data(rows)
    if judges:
        dots = marks.mark_point(style="accent", filled=True, size=40, opacity=0.7)
        return dots.encode(x=x, y=y, tooltip=["judge:N"])
    most = int(counts.max())
    size = alt.Size(
        "count:Q",
        title="judges",
        scale=alt.Scale(domain=[0, most], range=[0, HEAP**2]),
        legend=alt.Legend(values=sorted({1, -(-most // 2), most})),
    )
    heaps = marks.mark_circle(style="accent", opacity=0.6)
    return heaps.encode(x=x, y=y, size=size, tooltip=["judge:N"])


def _labels(
    frame: Frame,
    candidates: list[str],
    ends: Floats,
    judges: list[str],
    points: Floats,
    x: alt.X,
    y: alt.Y,
) -> list[Any]:
    """Return the names that have room, candidates before judges, those furthest out first."""
    dots = [frame.pixel(*at) for at in points.tolist()]
    tips = [frame.pixel(*at) for at in ends.tolist()]
    names = [*candidates[:MOST_LABELS], *judges[:MOST_LABELS]]
    pixels = [*tips[:MOST_LABELS], *dots[: min(MOST_LABELS, len(judges))]]
    texts = [fitting(name, 0.3 * frame.width) for name in names]
    boxes = placed(pixels, texts, width=frame.width, height=frame.height, taken=[*tips, *dots])
    split = len(candidates[:MOST_LABELS])
    return [
        *label_layers(frame, pixels[split:], texts[split:], boxes[split:], x=x, y=y, style="muted"),
        *label_layers(frame, pixels[:split], texts[:split], boxes[:split], x=x, y=y),
    ]

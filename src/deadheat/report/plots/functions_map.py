"""Which ranking functions rank alike."""

from __future__ import annotations

import altair as alt
import numpy as np

from deadheat.core.errors import counted, listed
from deadheat.core.types import Floats
from deadheat.criteria.result import Criteria, on_the_map
from deadheat.output.text import number
from deadheat.ranking.ranks import best_of
from deadheat.report.charts.placement import (
    Frame,
    drawing,
    fitting,
    inner,
    label_layers,
    placed,
    unnamed,
)
from deadheat.report.charts.rows import data
from deadheat.report.load import Saved
from deadheat.report.picture import Picture, draws
from deadheat.statistics.embedding import scaled

SHAPE = 0.62  # height of the map, as a share of its width
LOWEST = 140
TOLD = 12


@draws(Criteria, saved=True, figure="Pavao et al. (2021), supplement, figure 4")
def functions_map(found: Criteria | Saved, *, width: int) -> Picture:
    """Show ranking functions as points, close together where they rank alike."""
    alike = found.facts()["correlations"]
    names = [row["function"] for row in found.rows()[:-1]]
    matrix = np.array([[alike[a][b] for b in names] for a in names], dtype=np.float64)
    there = on_the_map(matrix)
    kept = [names[k] for k in there]
    apart = 1 - matrix[np.ix_(there, there)]
    scaling = scaled(apart)
    frame = _frame(scaling.points, inner(width))
    pixels = [frame.pixel(float(x), float(y)) for x, y in scaling.points]
    texts = [fitting(name, 0.45 * frame.width) for name in kept]
    boxes = placed(pixels, texts, width=frame.width, height=frame.height, far=True)
    x, y = frame.x(axis=None), frame.y(axis=None)
    labels = label_layers(frame, pixels, texts, boxes, x=x, y=y)
    places = zip(kept, scaling.points.tolist(), strict=True)
    points = data({"function": name, "x": a, "y": b} for name, (a, b) in places)
    dots = points.mark_point(style="accent", filled=True, size=70, opacity=0.8)
    chart = alt.layer(dots.encode(x=x, y=y, tooltip=["function:N"]), *labels)
    error = round(100 * scaling.stress)
    truth = f"with an error of about {error} %" if error else "almost exactly"
    missing = len(names) - len(kept)
    out = f"; {counted(missing, 'function')} that tie all candidates left out" if missing else ""
    out += unnamed(boxes, "function")
    kind = "Spearman's rho" if found.made["correlation"] == "spearman" else "Kendall's tau-b"
    return Picture(
        chart=drawing(chart, width, frame.height),
        title="ranking functions that rank alike",
        see="Functions that stand close together rank the candidates alike, and the map shows "
        f"how far apart they are {truth}{out}.",
        alt=f"A map of {counted(len(kept), 'ranking function')} by distances of 1 - {kind} between "
        f"their rankings, stress {number(scaling.stress, 3)}. {_told(kept, apart)}",
    )


def _told(names: list[str], apart: Floats) -> str:
    if len(names) < 2:
        return "There is nothing to compare."
    others = apart + np.where(np.eye(len(names), dtype=bool), np.inf, 0)
    near = [
        f"{name} and {names[best_of(-others[k])]} ({number(float(others[k].min()), 3)})"
        for k, name in enumerate(names)
    ]
    a, b = divmod(best_of(apart.ravel()), len(names))
    return (
        f"Furthest apart: {names[a]} and {names[b]} ({number(float(apart[a, b]), 3)}). "
        f"Nearest to each: {listed(near, most=TOLD)}."
    )


def _frame(points: Floats, across: int) -> Frame:
    """Return a frame that is flat where the points are."""
    wide, high = np.ptp(points, axis=0).tolist() if len(points) else (0.0, 0.0)
    shape = high / wide if wide > 0 else 0.0
    height = round(min(max(across * shape, LOWEST), across * SHAPE))
    return Frame.square(points if len(points) else np.zeros((1, 2)), across, height)

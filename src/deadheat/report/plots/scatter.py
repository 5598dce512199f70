"""Two candidates, judge by judge."""

from __future__ import annotations

import math
from typing import Any

import altair as alt
import numpy as np

from deadheat.compare.api import Comparison
from deadheat.core.errors import counted, visible
from deadheat.core.types import Booleans, Floats, Integers
from deadheat.output.text import cut, number, percent
from deadheat.report.charts.rows import data, framed, name_of
from deadheat.report.picture import Picture, draws

MOST = 1500  # judges that get a point each
CELLS = 40
SHAPES = ["circle", "triangle-up", "square"]
WIDE = 30  # how many times the smallest score the largest is, for a logarithmic scale


@draws(Comparison, first=True)
def scatter(comparison: Comparison, *, width: int) -> Picture:
    """Show the scores of two candidates judge by judge, and who is better on how many."""
    a, b = (np.asarray(side, dtype=float) for side in comparison.scores)
    known = np.isfinite(a) & np.isfinite(b)
    values = np.concatenate([a[known], b[known]])
    log = bool(len(values)) and values.min() > 0 and values.max() >= WIDE * values.min()
    scale = _scale(values, log=log)
    x, y = _axes(comparison, scale, width)
    duel = comparison.duel
    called = [name_of(name) for name in (comparison.a, comparison.b)]
    many = int(known.sum()) > MOST
    ends = data({"a": end, "b": end} for end in scale["domain"])
    layers = [
        ends.mark_line(style="muted", strokeDash=[4, 3], strokeWidth=1).encode(x=x, y=y),
        _cells(a[known], b[known], x, y, log=log)
        if many
        else _points(comparison, known, x, y, width),
    ]
    odd = len(a) - int(known.sum())
    left_out = (
        f" {counted(odd, 'judge')} without two finite scores {'is' if odd == 1 else 'are'} not "
        "shown."
        if odd
        else ""
    )
    spans = ""
    if len(values):
        ranges = (
            f"{name} scores {number(float(side.min()))} to {number(float(side.max()))}"
            for name, side in zip(called, (a[known], b[known]), strict=True)
        )
        spans = f" {', '.join(ranges)}."
    what = "the deeper a cell, the more judges" if many else "a point is a judge"
    share = "unknown" if np.isnan(duel.effect) else percent(duel.effect)
    return Picture(
        chart=framed(alt.layer(*layers), width, min(round(width * 0.75), 420)),
        title="Two candidates, judge by judge",
        see=f"On the line both score the same and {what}; {called[0]} is better on {duel.higher:,} "
        f"of {counted(duel.judges, 'judge')}, {called[1]} on {duel.lower:,}.",
        alt=f"Scores of {called[0]} across and {called[1]} upwards on "
        f"{counted(duel.judges, 'judge')}. {called[0]} is better on {duel.higher:,}, {called[1]} "
        f"on {duel.lower:,}, {duel.tied:,} are tied; the share of {called[0]}, ties as half, is "
        f"{share}.{spans}{left_out}",
    )


def _scale(values: Floats, *, log: bool) -> dict[str, Any]:
    if not len(values):
        return {"domain": [0, 1]}
    edges = score_edges(values, 1, log=log)
    if log:
        return {"type": "log", "domain": [edges[0] / 1.15, edges[-1] * 1.15], "nice": False}
    pad = 0.04 * (edges[-1] - edges[0])
    return {"domain": [edges[0] - pad, edges[-1] + pad], "nice": False}


def _axes(comparison: Comparison, scale: dict[str, Any], width: int) -> tuple[Any, Any]:
    # the same ends on both, so that the diagonal is one
    letters = width // 9
    marked: dict[str, Any] = {"values": _powers(*scale["domain"])} if "type" in scale else {}
    ticks = alt.Axis(tickCount=max(3, width // 110), grid=True, **marked)
    both: dict[str, Any] = {"scale": alt.Scale(**scale), "axis": ticks}
    x, y = (cut(visible(name), letters) for name in (comparison.a, comparison.b))
    return alt.X("a:Q", title=x, **both), alt.Y("b:Q", title=y, **both)


def _powers(low: float, high: float) -> list[float]:
    """Return the powers of ten in between, not more than eight, or where they are few 1, 2, 5.

    By itself Vega draws a line at each digit.
    """
    first, last = math.ceil(math.log10(low)), math.floor(math.log10(high))
    if last - first >= 2:
        return [10.0**k for k in range(first, last + 1, 1 + (last - first) // 8)]
    round_ = (digit * 10.0**k for k in range(first - 1, last + 1) for digit in (1, 2, 5))
    return [value for value in round_ if low <= value <= high]


def _points(comparison: Comparison, known: Booleans, x: alt.X, y: alt.Y, width: int) -> Any:
    a, b = comparison.scores
    duel, room = comparison.duel, max(12, width // 12)
    who = [f"{cut(visible(name), room)} better" for name in (comparison.a, comparison.b)]
    if who[0] == who[1]:  # cut to the same letters
        who = [f"{side}: {words}" for side, words in zip(("across", "upwards"), who, strict=True)]
    words = {
        1: f"{who[0]} ({duel.higher:,})",
        -1: f"{who[1]} ({duel.lower:,})",
        0: f"tied ({duel.tied:,})",
    }
    domain = [words[1], words[-1], *([words[0]] if duel.tied else [])]
    chart = data(
        {
            "judge": comparison.results.judges[j],
            "a": a[j],
            "b": b[j],
            "who": words[int(np.sign(duel.differences[j]))],
        }
        for j in np.flatnonzero(known).tolist()
    )
    shapes = SHAPES[: len(domain)]
    legend = alt.Legend(title=None, columns=1, labelLimit=width - 40)
    return chart.mark_point(filled=True, size=45, opacity=0.75).encode(
        x=x,
        y=y,
        color=alt.Color("who:N", scale=alt.Scale(domain=domain), legend=legend),
        shape=alt.Shape("who:N", scale=alt.Scale(domain=domain, range=shapes), legend=legend),
        tooltip=[
            alt.Tooltip("judge:N"),
            alt.Tooltip("a:Q", title=cut(visible(comparison.a), 40)),
            alt.Tooltip("b:Q", title=cut(visible(comparison.b), 40)),
            alt.Tooltip("who:N", title="who"),
        ],
    )


def _cells(a: Floats, b: Floats, x: alt.X, y: alt.Y, *, log: bool) -> Any:
    edges = score_edges(np.concatenate([a, b]), CELLS, log=log)
    counts = score_counts(a, b, edges)
    chart = data(
        {
            "a": edges[i],
            "a2": edges[i + 1],
            "b": edges[j],
            "b2": edges[j + 1],
            "judges": int(counts[i, j]),
        }
        for i, j in zip(*np.nonzero(counts), strict=True)
    )
    most = int(counts.max())
    shade = alt.Opacity(
        "judges:Q",
        title="judges",
        scale=alt.Scale(type="sqrt", domain=[0, most], range=[0.08, 1]),
        legend=alt.Legend(symbolType="square", tickCount=3),
    )
    return chart.mark_rect(style="accent").encode(
        x=x,
        x2=alt.X2("a2:Q"),
        y=y,
        y2=alt.Y2("b2:Q"),
        opacity=shade,
        tooltip=[alt.Tooltip("judges:Q")],
    )


def score_edges(values: Floats, number: int, *, log: bool) -> Floats:
    """Return the ends of so many cells from the smallest to the largest value, (number + 1,).

    With ``log``, cells are equally wide on a logarithmic scale; all values must be positive.
    """
    low, high = float(values.min()), float(values.max())
    if low == high:
        low, high = (low / 2, high * 2) if log else (low - 0.5, high + 0.5)
    edges = np.geomspace(low, high, number + 1) if log else np.linspace(low, high, number + 1)
    edges[0], edges[-1] = low, high
    return np.asarray(edges)


def score_counts(a: Floats, b: Floats, edges: Floats) -> Integers:
    """Return how many pairs of scores fall into each cell, the first score by rows."""
    counts, _, _ = np.histogram2d(a, b, bins=[edges, edges])
    return counts.astype(np.int64)

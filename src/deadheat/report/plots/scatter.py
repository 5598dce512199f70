"""Two candidates, judge by judge."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from deadheat.compare.api import Comparison
from deadheat.core.errors import visible
from deadheat.core.types import Floats, Integers, Row
from deadheat.data.results import Nouns
from deadheat.output.text import number, percent, shorten
from deadheat.report.charts.pixels import powers
from deadheat.report.charts.rows import name_of, nouns_of, unit_of
from deadheat.report.charts.spec import Spec, as_float, data, field, framed, layer, mark, tips
from deadheat.report.charts.theme import HUES, REVERSED
from deadheat.report.load import Saved
from deadheat.report.picture import Picture, draws

MOST = 1500  # judges that get a point each
CELLS = 40
SHAPES = ["circle", "triangle-up", "square"]
WIDE = 30  # how many times the smallest score the largest is, for a logarithmic scale


@draws(Comparison, first=True, saved="effect")
def scatter(comparison: Comparison | Saved, *, width: int) -> Picture:
    """Show the scores of two candidates judge by judge, and who is better on how many."""
    nouns, unit = nouns_of(comparison), unit_of(comparison)
    rows: Sequence[Mapping[str, Any]] = comparison.rows()
    facts = comparison.facts()
    a, b = (np.array([row[side] for row in rows], dtype=np.float64) for side in "ab")
    known = np.isfinite(a) & np.isfinite(b)
    odd, many = int((~known).sum()), int(known.sum()) > MOST
    a, b = a[known], b[known]
    values = np.concatenate([a, b])
    log, floor = _on_logarithms(values, timed=bool(unit))
    drawn_a, drawn_b = (np.maximum(side, floor) if log else side for side in (a, b))
    # The same ends on both axes, so that the diagonal is one.
    scale = _scale(np.concatenate([drawn_a, drawn_b]), log=log)
    signs = np.sign([as_float(row["difference"]) for row in rows])[known] * np.sign(a - b)
    better = "" if (signs > 0).any() and (signs < 0).any() else " (better →)"
    scale |= {"reverse": True} if better and (signs < 0).any() else {}
    axis: Spec = {"tickCount": max(3, width // 110), "grid": True}
    if log:
        axis |= {"values": powers(*scale["domain"], most=max(3, width // 90)), "format": ",~r"}
    axis |= {"labelExpr": "datum.label + ' s'"} if unit else {}
    titles = [f"{shorten(visible(facts[side]), width // 11)}{better}" for side in "ab"]
    across = {**axis, **REVERSED} if scale.get("reverse") else axis
    x = field("a:Q", title=titles[0], scale=scale, axis=across)
    y = field("b:Q", title=titles[1], scale=scale, axis=axis)
    diagonal = data({"a": end, "b": end} for end in scale["domain"])
    line = {"style": "muted", "strokeDash": [4, 3], "strokeWidth": 1}
    points = [row for row, there in zip(rows, known, strict=True) if there]
    points = [
        {**row, "a": left, "b": up}
        for row, left, up in zip(points, drawn_a.tolist(), drawn_b.tolist(), strict=True)
    ]
    if many:
        cells = _cells(drawn_a, drawn_b, x, y, nouns, log=log)
    else:
        cells = _points(points, facts, x, y, nouns, width)
    higher, tied, lower = facts["higher"], facts["tied"], facts["lower"]
    judges = nouns.judges(higher + tied + lower)
    called = [name_of(facts[side]) for side in "ab"]
    left_out = f" {nouns.judges(odd)} without two finite scores {'is' if odd == 1 else 'are'}"
    spans = [
        f"{name} scores {number(float(side.min()))} to {number(float(side.max()))}"
        for name, side in zip(called, (a, b), strict=True)
        if len(side)
    ]
    what = (
        f"The deeper a cell, the more {nouns.judges()}" if many else f"A point: one {nouns.judge}"
    )
    rails = _rails(values, x, y) if unit else []
    out = " Beyond the thin lines: out of time." if rails else ""
    blue, orange = ("", "") if many else (f"{HUES['wins']}: ", f"{HUES['loses'].lower()}: ")
    effect = facts["effect"]
    share = "unknown" if effect is None or np.isnan(effect) else percent(effect)
    chart = layer(mark("line", diagonal, x=x, y=y, **line), *rails, cells)
    return Picture(
        view=framed(chart, width, min(round(width * 0.75), 420)),
        title=f"Two {nouns.candidates()}, {nouns.judge} by {nouns.judge}",
        see=f"{blue}{called[0]} is better on {higher:,} of {judges}, {orange}{called[1]} on "
        f"{lower:,}. {what}; on the dashed line both score the same.{out}",
        alt=f"Scores of {called[0]} across and {called[1]} upwards on "
        f"{judges}. {called[0]} is better on {higher:,}, {called[1]} "
        f"on {lower:,}, {tied:,} are tied; the share of {called[0]}, ties as half, is "
        f"{share}."
        + (f" {', '.join(spans)}." if spans else "")
        + (f"{left_out} not shown." if odd else ""),
    )


def _on_logarithms(values: Floats, *, timed: bool) -> tuple[bool, float]:
    """Return whether axes are logarithmic, as of times, and the smallest number drawn there."""
    above = values[values > 0]
    if not len(above) or (values < 0).any():
        return False, 0.0
    wide = len(above) == len(values) and values.max() >= WIDE * values.min()
    return timed or bool(wide), float(above.min())


def _rails(values: Floats, x: Spec, y: Spec) -> list[Spec]:
    """Return lines before the penalty of those out of time: the largest score, found twice."""
    last = float(values.max()) if len(values) else 0.0
    if np.count_nonzero(values == last) < 2 or last <= 0:
        return []
    ends = data([{"a": last / 1.12, "b": last / 1.12}])
    look = {"style": "ink", "strokeWidth": 1, "opacity": 0.6}
    return [mark("rule", ends, x=x, **look), mark("rule", ends, y=y, **look)]


def _scale(values: Floats, *, log: bool) -> dict[str, Any]:
    if not len(values):
        return {"domain": [0, 1]}
    low, high = score_edges(values, 1, log=log).tolist()
    if log:
        return {"type": "log", "domain": [low / 1.15, high * 1.15], "nice": False}
    pad = 0.04 * (high - low)
    return {"domain": [low - pad, high + pad], "nice": False}


def _points(
    rows: Sequence[Mapping[str, Any]], facts: Row, x: Spec, y: Spec, nouns: Nouns, width: int
) -> Spec:
    higher, tied, lower = facts["higher"], facts["tied"], facts["lower"]
    room = max(12, width // 12)
    names = [visible(facts[side]) for side in "ab"]
    who = [f"{shorten(name, room)} better" for name in names]
    if who[0] == who[1]:  # cut to the same letters
        who = [f"across: {who[0]}", f"upwards: {who[1]}"]
    domain = [f"{who[0]} ({higher:,})", f"{who[1]} ({lower:,})", f"tied ({tied:,})"]
    words = {1: domain[0], -1: domain[1], 0: domain[2]}
    domain = domain if tied else domain[:2]
    points = data(
        {
            **{key: row[key] for key in ("judge", "a", "b")},
            "who": words[int(np.sign(np.nan_to_num(as_float(row["difference"]))))],
        }
        for row in rows
    )
    legend = {"title": None, "columns": 1, "labelLimit": width - 40}
    shapes = {"domain": domain, "range": SHAPES[: len(domain)]}
    return mark(
        "point",
        points,
        x=x,
        y=y,
        color=field("who:N", scale={"domain": domain, "range": "ordinal"}, legend=legend),
        shape=field("who:N", scale=shapes, legend=legend),
        tooltip=tips(
            ("judge:N", nouns.judge),
            ("a:Q", shorten(names[0], 40)),
            ("b:Q", shorten(names[1], 40)),
            ("who:N", "who"),
        ),
        filled=True,
        size=45,
        opacity=0.75,
    )


def _cells(a: Floats, b: Floats, x: Spec, y: Spec, nouns: Nouns, *, log: bool) -> Spec:
    edges = score_edges(np.concatenate([a, b]), CELLS, log=log)
    counts = score_counts(a, b, edges)
    rows = data(
        {
            "a": edges[i],
            "a2": edges[i + 1],
            "b": edges[j],
            "b2": edges[j + 1],
            "judges": int(counts[i, j]),
        }
        for i, j in zip(*np.nonzero(counts), strict=True)
    )
    shade = field(
        "judges:Q",
        title=nouns.judges(),
        scale={"type": "sqrt", "domain": [0, int(counts.max())], "range": [0.08, 1]},
        legend={"symbolType": "square", "tickCount": 3},
    )
    look = {
        "opacity": shade,
        "tooltip": [field("judges:Q", title=nouns.judges())],
        "style": "muted",
    }
    return mark("rect", rows, x=x, x2="a2:Q", y=y, y2="b2:Q", **look)


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
    return np.histogram2d(a, b, bins=[edges, edges])[0].astype(np.int64)

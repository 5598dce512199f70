"""How far apart the settings of each algorithm are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import altair as alt
import numpy as np

from deadheat.core.types import Floats
from deadheat.output.text import number
from deadheat.rate.result import Ratings
from deadheat.rate.tournaments import RatingParts
from deadheat.rate.tunability import algorithm_of
from deadheat.report.charts.grids import only_some, panels, parts_of, shown_parts
from deadheat.report.charts.rows import digits, name_of, told
from deadheat.report.picture import Picture, draws

MOST_OUTSIDE = 10  # points beyond a box that are drawn, the farthest on each side
QUARTILES = ("low", "quarter", "median", "three_quarters", "high")
REACH = 1.5  # of the length of a box, as far as its whiskers go at most


@draws(RatingParts, Ratings, figure="Gosiewska et al. (2019), figure 3")
def tunability(rated: RatingParts | Ratings, *, width: int) -> Picture:
    """Show how much the ratings of each algorithm vary over its settings, as box plots."""
    parts = parts_of(rated)
    boxes = {part: tuning_boxes(found) for part, found in parts.items()}
    names = list(dict.fromkeys(box.algorithm for some in boxes.values() for box in some))
    drawn = shown_parts(parts, len(names))
    place = {name: row for row, name in enumerate(names)}
    records: list[dict[str, Any]] = []
    for panel, part in enumerate(drawn):
        for box in boxes[part]:
            where = {"panel": panel, "row": place[box.algorithm]}
            numbers = {key: float(f"{getattr(box, key):.6g}") for key in QUARTILES}
            records.append(where | {"kind": "box", "settings": box.settings, **numbers})
            far = box.outside[:MOST_OUTSIDE] + box.outside[MOST_OUTSIDE:][-MOST_OUTSIDE:]
            records += [where | {"kind": "outside", "out": float(f"{v:.6g}")} for v in far]
    scale = next(iter(parts.values())).scale
    x: dict[str, Any] = {
        "title": None,
        "scale": alt.Scale(zero=False, padding=4),
        "axis": alt.Axis(tickCount=3),
    }
    tips = [
        alt.Tooltip("name:N", title="algorithm"),
        alt.Tooltip("title:N", title="data set"),
        alt.Tooltip("settings:Q"),
        *(alt.Tooltip(f"{key}:Q", format=digits(scale.digits)) for key in QUARTILES),
    ]
    whole = alt.Chart().transform_filter("datum.kind == 'box'")
    beyond = alt.Chart().transform_filter("datum.kind == 'outside'")
    layers: list[Any] = [
        whole.mark_rule(style="muted").encode(x=alt.X("low:Q", **x), x2=alt.X2("high:Q")),
        whole.mark_bar(style="accent", opacity=0.45, height={"band": 0.8}).encode(
            x=alt.X("quarter:Q", **x), x2=alt.X2("three_quarters:Q"), tooltip=tips
        ),
        whole.mark_tick(style="accent", opacity=1, thickness=3, height={"band": 0.9}).encode(
            x=alt.X("median:Q", **x), tooltip=tips
        ),
    ]
    if any("out" in record for record in records):
        points = beyond.mark_point(style="muted", size=14, opacity=1)
        layers.append(points.encode(x=alt.X("out:Q", **x)))
    single = all(box.settings == 1 for some in boxes.values() for box in some)
    see = (
        "Every algorithm has one setting only, so that its box is a line."
        if single
        else "The longer a box, the more it matters which setting of the algorithm is chosen; the "
        f"line in it is the middle setting{only_some(parts, drawn)}."
    )
    return Picture(
        chart=panels(records, layers, names=names, titles=drawn, width=width, unit=scale.name),
        title="ratings of each algorithm",
        see=see,
        alt="Ratings of the settings. "
        + told([_in_words(part, box, scale.digits) for part in drawn for box in boxes[part]]),
    )


def _in_words(part: str, box: Box, form: int) -> str:
    where = f" on {name_of(part)}" if part else ""
    return (
        f"{name_of(box.algorithm)}{where}: half of {box.settings} between "
        f"{number(box.quarter, form)} and {number(box.three_quarters, form)}, the middle "
        f"{number(box.median, form)}."
    )


@dataclass(frozen=True, kw_only=True)
class Box:
    """Hold Tukey's box of some numbers.

    ``low`` and ``high`` are the farthest numbers within 1.5 times the length of the box from it;
    ``outside`` are those beyond.
    """

    algorithm: str
    settings: int
    low: float
    quarter: float
    median: float
    three_quarters: float
    high: float
    outside: tuple[float, ...]


def box(algorithm: str, values: Floats) -> Box:
    """Return the box of some numbers; quartiles are interpolated between neighbours.

    >>> box("svm", np.array([1.0, 2.0, 3.0, 4.0, 20.0]))
    Box(algorithm='svm', settings=5, low=1.0, quarter=2.0, median=3.0, three_quarters=4.0, \
high=4.0, outside=(20.0,))
    """
    quarter, median, three = np.quantile(values, [0.25, 0.5, 0.75]).tolist()
    reach = REACH * (three - quarter)
    within = (values >= quarter - reach) & (values <= three + reach)
    return Box(
        algorithm=algorithm,
        settings=len(values),
        low=float(values[within].min()),
        quarter=quarter,
        median=median,
        three_quarters=three,
        high=float(values[within].max()),
        outside=tuple(np.sort(values[~within]).tolist()),
    )


def tuning_boxes(r: Ratings) -> tuple[Box, ...]:
    """Return the box of the shown ratings of each algorithm, in the order of first settings.

    The longer a box, the more tuning matters for the algorithm.
    """
    shown = r.scale.shown(r.ratings)
    of = [algorithm_of(name) for name in r.candidates]
    return tuple(
        box(name, shown[[i for i, other in enumerate(of) if other == name]])
        for name in dict.fromkeys(of)
    )

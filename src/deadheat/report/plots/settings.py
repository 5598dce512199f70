"""Ratings of settings, a panel for each data set: one by one, or as boxes of an algorithm."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from deadheat.core.types import Floats
from deadheat.output.text import number
from deadheat.rate.result import Ratings
from deadheat.rate.tournaments import RatingParts
from deadheat.rate.tunability import algorithm_of
from deadheat.report.charts.grids import only_some, panels, parts_of, shown_parts
from deadheat.report.charts.rows import digits, name_of, told
from deadheat.report.charts.spec import field
from deadheat.report.picture import Picture, draws

MOST_OUTSIDE = 10  # points beyond a box that are drawn, the farthest on each side
QUARTILES = ("low", "quarter", "median", "three_quarters", "high")
REACH = 1.5  # of the length of a box, as far as its whiskers go at most


@draws(RatingParts, Ratings, figure="Gosiewska et al. (2019), figure 2")
def epp_bars(rated: RatingParts | Ratings, *, width: int) -> Picture:
    """Show the rating of each setting as a bar from the average, a panel per data set."""
    parts = parts_of(rated)
    if isinstance(rated, Ratings):
        names, against, where = [rated.candidates[i] for i in rated.order], set[str](), ""
    else:  # the best first in the mean over the data sets that have it
        names, where = rated.matrix.best_first, f" on each {rated.noun}"
        against = set() if rated.agreement is None else {*rated.agreement.reversed_}
    place = {name: row for row, name in enumerate(names)}
    shown = {part: parts[part] for part in shown_parts(parts, len(names))}
    records = [
        {
            "panel": panel,
            "row": place[name],
            "rating": float(f"{rating:.6g}"),
            "average": found.scale.origin,
        }
        for panel, found in enumerate(shown.values())
        for name, rating in zip(found.candidates, _ratings(found).tolist(), strict=True)
    ]
    ends = [row[key] for row in records for key in ("rating", "average")]
    low, high = min(ends), max(ends)
    scale = next(iter(parts.values())).scale
    domain = [low, high] if low < high else [low - 1, high + 1]
    axes = {"axis": {"tickCount": 3}, "scale": {"domain": domain, "nice": True}}
    bar = {
        "x": field("rating:Q", title=None, **axes),
        "x2": "average:Q",
        "tooltip": [
            field("name:N", title="setting"),
            field("title:N", title="data set"),
            field("rating:Q", format=digits(scale.digits)),
        ],
    }
    marks = [
        ("bar", {**bar, "where": f"datum.rating {sign} datum.average", "style": style})
        for sign, style in ((">=", "accent"), ("<", "second"))
    ]
    titles = [f"{'↔ ' * (n in against)}{n}{'*' * bool(shown[n].separated)}" for n in shown]
    centre = "average" if scale.anchor is None else name_of(scale.anchor)
    notes = ""
    if against & {*shown}:
        notes += "; ↔ marks data sets that put the settings in another order than most"
    if any(found.separated for found in shown.values()):
        notes += "; * marks where the largest ratings were held back"
    return Picture(
        view=panels(records, marks, names=names, titles=titles, width=width, unit=scale.name),
        title=f"ratings{where}",
        see=f"Bars to the right are better than {centre} and bars to the left are worse"
        f"{only_some(parts, titles)}{notes}.",
        alt="Ratings. " + told([_ends_in_words(part, found) for part, found in shown.items()]),
    )


def _ratings(found: Ratings) -> Floats:
    return found.scale.shown(found.ratings)


def _ends_in_words(part: str, found: Ratings) -> str:
    best, worst = (
        f"{name_of(found.candidates[i])}, {number(float(_ratings(found)[i]), found.scale.digits)}"
        for i in (found.order[0], found.order[-1])
    )
    return f"{f'{name_of(part)}: b' if part else 'B'}est {best}, worst {worst}."


@draws(RatingParts, Ratings, figure="Gosiewska et al. (2019), figure 3")
def tunability(rated: RatingParts | Ratings, *, width: int) -> Picture:
    """Show how much the ratings of each algorithm vary over its settings, as box plots."""
    parts = parts_of(rated)
    boxes = {part: tuning_boxes(found) for part, found in parts.items()}
    names = list(dict.fromkeys(box.algorithm for some in boxes.values() for box in some))
    place = {name: row for row, name in enumerate(names)}
    shown = shown_parts(parts, len(names))
    records: list[dict[str, Any]] = []
    for panel, part in enumerate(shown):
        for box in boxes[part]:
            where = {"panel": panel, "row": place[box.algorithm]}
            numbers = {key: float(f"{getattr(box, key):.6g}") for key in QUARTILES}
            records.append(where | {"kind": "box", "settings": box.settings, **numbers})
            far = box.outside[:MOST_OUTSIDE] + box.outside[MOST_OUTSIDE:][-MOST_OUTSIDE:]
            records += [where | {"kind": "outside", "out": float(f"{v:.6g}")} for v in far]
    scale = next(iter(parts.values())).scale
    tips = [
        field("name:N", title="algorithm"),
        field("title:N", title="data set"),
        field("settings:Q"),
        *(field(f"{key}:Q", format=digits(scale.digits)) for key in QUARTILES),
    ]
    axes = {"title": None, "scale": {"zero": False, "padding": 4}, "axis": {"tickCount": 3}}
    x = {key: field(f"{key}:Q", **axes) for key in (*QUARTILES, "out")}
    whole = {"where": "datum.kind == 'box'", "style": "accent", "tooltip": tips}
    bar = {"opacity": 0.45, "height": {"band": 0.8}}
    tick = {"opacity": 1, "height": {"band": 0.9}, "thickness": 3}
    beyond = {"where": "datum.kind == 'outside'", "style": "muted", "size": 14, "opacity": 1}
    marks: list[tuple[str, dict[str, Any]]] = [
        ("rule", {"where": whole["where"], "style": "muted", "x": x["low"], "x2": "high:Q"}),
        ("bar", {**whole, **bar, "x": x["quarter"], "x2": "three_quarters:Q"}),
        ("tick", {**whole, **tick, "x": x["median"]}),
    ]
    if any("out" in record for record in records):
        marks.append(("point", {**beyond, "x": x["out"]}))
    single = all(box.settings == 1 for some in boxes.values() for box in some)
    see = (
        "Every algorithm has one setting only, so that its box is a line."
        if single
        else "The longer a box, the more it matters which setting of the algorithm is chosen; the "
        f"line in it is the middle setting{only_some(parts, shown)}."
    )
    return Picture(
        view=panels(records, marks, names=names, titles=shown, width=width, unit=scale.name),
        title="ratings of each algorithm",
        see=see,
        alt="Ratings of the settings. "
        + told([_box_in_words(part, box, scale.digits) for part in shown for box in boxes[part]]),
    )


def _box_in_words(part: str, box: Box, form: int) -> str:
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


def tuning_boxes(found: Ratings) -> tuple[Box, ...]:
    """Return the box of the shown ratings of each algorithm, in the order of first settings."""
    shown = _ratings(found)
    of = [algorithm_of(name) for name in found.candidates]
    return tuple(
        box(name, shown[[i for i, other in enumerate(of) if other == name]])
        for name in dict.fromkeys(of)
    )

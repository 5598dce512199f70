"""The rating of each setting on each data set."""

from __future__ import annotations

from typing import Any

import altair as alt

from deadheat.output.text import number
from deadheat.rate.result import Ratings
from deadheat.rate.tournaments import RatingParts
from deadheat.report.charts.grids import only_some, panels, parts_of, shown_parts
from deadheat.report.charts.rows import digits, name_of, told
from deadheat.report.picture import Picture, draws


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
    drawn = shown_parts(parts, len(names))
    scale = next(iter(parts.values())).scale
    records: list[dict[str, Any]] = []
    for panel, part in enumerate(drawn):
        found = parts[part]
        shown = found.scale.shown(found.ratings).tolist()
        records += [
            {
                "panel": panel,
                "row": place[name],
                "rating": float(f"{value:.6g}"),
                "average": found.scale.origin,
            }
            for name, value in zip(found.candidates, shown, strict=True)
        ]
    ends = [row[key] for row in records for key in ("rating", "average")]
    low, high = min(ends), max(ends)
    x = alt.X(
        "rating:Q",
        title=None,
        axis=alt.Axis(tickCount=3),
        scale=alt.Scale(domain=[low, high] if low < high else [low - 1, high + 1], nice=True),
    )
    told_of = [
        alt.Tooltip("name:N", title="setting"),
        alt.Tooltip("title:N", title="data set"),
        alt.Tooltip("rating:Q", format=digits(scale.digits)),
    ]
    empty = alt.Chart()
    layers = [
        empty.transform_filter(f"datum.rating {sign} datum.average")
        .mark_bar(style=style)
        .encode(x=x, x2=alt.X2("average:Q"), tooltip=told_of)
        for sign, style in ((">=", "accent"), ("<", "second"))
    ]
    titles = [f"{'↔ ' * (n in against)}{n}{'*' * bool(parts[n].separated)}" for n in drawn]
    centre = "average" if scale.anchor is None else name_of(scale.anchor)
    marks = ""
    if against & {*drawn}:
        marks += "; ↔ marks data sets that put the settings in another order than most"
    if any(parts[part].separated for part in drawn):
        marks += "; * marks where the largest ratings were held back"
    return Picture(
        chart=panels(records, layers, names=names, titles=titles, width=width, unit=scale.name),
        title=f"ratings{where}",
        see=f"Bars to the right are better than {centre} and bars to the left are worse"
        f"{only_some(parts, drawn)}{marks}.",
        alt="Ratings. " + told([_in_words(part, parts[part]) for part in drawn]),
    )


def _in_words(part: str, found: Ratings) -> str:
    best, worst = found.order[0], found.order[-1]
    shown = found.scale.shown(found.ratings)
    where = f"{name_of(part)}: b" if part else "B"
    return (
        f"{where}est {name_of(found.candidates[best])}, "
        f"{number(float(shown[best]), found.scale.digits)}, worst "
        f"{name_of(found.candidates[worst])}, {number(float(shown[worst]), found.scale.digits)}."
    )

"""The ratings with their intervals."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import altair as alt
import numpy as np

from deadheat.core.errors import DataError
from deadheat.core.types import Row
from deadheat.output.text import number, percent
from deadheat.ranking.ranks import best_first
from deadheat.rate.result import Ratings
from deadheat.rate.tournaments import PLURALS, RatingParts
from deadheat.report.charts.rows import (
    bands,
    candidate_axis,
    data,
    digits,
    framed,
    group_numbers,
    height,
    name_of,
    orient,
    told,
)
from deadheat.report.load import SavedRatingParts, SavedRatings
from deadheat.report.picture import Picture, draws

ROOM = 0.12  # of the axis, for arrows beyond what is finite
MARGIN = 0.02


@draws(
    Ratings,
    RatingParts,
    SavedRatings,
    figure="Gosiewska et al. (2019), section 5",
    first=True,
)
def ratings(rated: Ratings | RatingParts | SavedRatings, *, width: int) -> Picture:
    """Show the rating of each candidate with its interval, group by group."""
    if isinstance(rated, RatingParts | SavedRatingParts):
        return _of_several(rated, width)
    return _of_one(rated, width)


def _of_one(rated: Ratings | SavedRatings, width: int) -> Picture:
    rows = rated.rows()
    penalised = ["within" in row and not isinstance(row["mle"], float | int) for row in rows]
    ends = _ends(rows)
    source = data(_records(rows, penalised, ends))
    chart = alt.Chart()  # all layers share the data of the whole
    y = candidate_axis([row["candidate"] for row in rows], width)
    form = digits(rated.scale.digits)
    x: dict[str, Any] = {
        "scale": alt.Scale(domain=list(ends), nice=False, zero=False),
        "title": f"rating ({rated.scale.name}, higher is better)",
        "axis": alt.Axis(orient=orient(len(rows)), tickCount=max(3, width // 80)),
    }
    tips = [
        alt.Tooltip("candidate:N"),
        alt.Tooltip("group:N"),
        *(alt.Tooltip(f"{name}:Q", format=form) for name in ("rating", "low", "high")),
        *(alt.Tooltip(f"{name}:Q", format=",~r") for name in ("won", "lost")),
    ]
    lines = chart.mark_rule(style="accent", strokeWidth=2).encode(
        x=alt.X("from:Q", **x), x2="to:Q", y=y, tooltip=tips
    )
    layers: list[Any] = [bands(chart, y), lines, *_arrows(chart, y, x)]
    layers += [
        chart.transform_filter(f"{which} datum.penalised")
        .mark_point(style=style, filled=filled, size=50, strokeWidth=2, opacity=1)
        .encode(x=alt.X("rating:Q", **x), y=y, tooltip=tips)
        for which, style, filled in (
            ("!", "accent", True),
            ("", "paper", True),
            ("", "accent", False),
        )
    ]
    layers.append(group_numbers(chart, y))
    return Picture(
        chart=framed(alt.layer(*layers, data=source.data), width, height(len(rows))),
        title=f"ratings with {percent(1 - rated.alpha)} intervals",
        see=_see(rows, odd=any(penalised)),
        alt=_alt(rated, rows, penalised),
    )


def _records(
    rows: list[Row], penalised: list[bool], ends: tuple[float, float]
) -> Iterator[dict[str, Any]]:
    margin = MARGIN * (ends[1] - ends[0])
    before = [None, *(row["group"] for row in rows)]
    for k, row in enumerate(rows):
        yield {
            "candidate": row["candidate"],
            "group": row["group"],
            "odd": bool(row["group"] % 2),
            "opens": row["group"] != before[k],
            "rating": row["rating"],
            "low": row["low"],
            "high": row["high"],
            "from": ends[0] + margin if row["low"] is None else row["low"],
            "to": ends[1] - margin if row["high"] is None else row["high"],
            "open_low": row["low"] is None,
            "open_high": row["high"] is None,
            "penalised": penalised[k],
            "won": row["wins"],
            "lost": row["losses"],
        }


def _ends(rows: list[Row]) -> tuple[float, float]:
    """Return where the axis begins and ends: at what is finite, with room for arrows."""
    known = [row[key] for row in rows for key in ("rating", "low", "high") if row[key] is not None]
    low, high = min(known), max(known)
    room = (high - low) or 1.0
    left, right = (
        ROOM if any(row[key] is None for row in rows) else MARGIN for key in ("low", "high")
    )
    return low - left * room, high + right * room


def _arrows(chart: Any, y: alt.Y, x: dict[str, Any]) -> list[Any]:
    found = []
    for end, place, to in (("open_low", "from", "left"), ("open_high", "to", "right")):
        mark = chart.transform_filter(f"datum.{end}").mark_point(
            style="accent", shape=f"triangle-{to}", filled=True, size=60, opacity=1
        )
        found.append(mark.encode(x=alt.X(f"{place}:Q", **x), y=y))
    return found


def _see(rows: list[Row], *, odd: bool) -> str:
    arrows = any(row["low"] is None or row["high"] is None for row in rows)
    said = ["Candidates on one band, with one group number, are in a dead heat"]
    said += ["the line is the interval"]
    said += ["an arrow says that the matches set no limit on that side"] if arrows else []
    said += ["a hollow point exists only because extreme ratings were held back"] if odd else []
    return "; ".join(said) + "."


def _alt(rated: Ratings | SavedRatings, rows: list[Row], penalised: list[bool]) -> str:
    form = rated.scale.digits
    said = []
    for row, odd in zip(rows, penalised, strict=True):
        low = "no lower end" if row["low"] is None else number(row["low"], form)
        high = "no upper end" if row["high"] is None else number(row["high"], form)
        kept = ", penalised" if odd else ""
        said.append(
            f"{name_of(row['candidate'])}: {number(row['rating'], form)} ({low} to {high}){kept}, "
            f"group {row['group']}."
        )
    level = percent(1 - rated.alpha)
    return f"Ratings of {len(rows):,} candidates with {level} intervals, best first. {told(said)}"


def _of_several(rated: RatingParts | SavedRatingParts, width: int) -> Picture:
    across = rated.shown
    plural = PLURALS[rated.noun]
    if across is None:
        raise DataError(
            f"the {plural} have different candidates, so that there are no mean ratings to draw.",
            hint="epp-bars draws each by itself.",
        )
    order = best_first(np.asarray(across.mean)).tolist()
    rows: list[Row] = [
        {
            "candidate": across.settings[i],
            "mean": float(across.mean[i]),
            "low": float(across.low[i]),
            "high": float(across.high[i]),
        }
        for i in order
    ]
    base = data(rows)
    y = candidate_axis([row["candidate"] for row in rows], width)
    scale = rated.scale
    form = digits(scale.digits)
    x: dict[str, Any] = {
        "scale": alt.Scale(zero=False),
        "title": f"mean rating ({scale.name}, higher is better)",
        "axis": alt.Axis(orient=orient(len(rows)), tickCount=max(3, width // 80)),
    }
    tips = [
        alt.Tooltip("candidate:N"),
        *(alt.Tooltip(f"{name}:Q", format=form) for name in ("mean", "low", "high")),
    ]
    lines = base.mark_rule(style="muted", strokeWidth=2).encode(
        x=alt.X("low:Q", **x), x2="high:Q", y=y, tooltip=tips
    )
    points = base.mark_point(style="accent", filled=True, size=50, opacity=1).encode(
        x=alt.X("mean:Q", **x), y=y, tooltip=tips
    )
    said = [
        f"{name_of(row['candidate'])}: {number(row['mean'], scale.digits)} "
        f"({number(row['low'], scale.digits)} to {number(row['high'], scale.digits)})."
        for row in rows
    ]
    return Picture(
        chart=framed(lines + points, width, height(len(rows))),
        title=f"mean ratings over {len(rated.parts)} {plural}",
        see=f"The point is the mean rating and the line goes from the lowest to the highest of the "
        f"{plural}: it shows how they differ, and is no interval of the mean.",
        alt=f"Mean ratings over {len(rated.parts)} {plural}, best first. {told(said)}",
    )

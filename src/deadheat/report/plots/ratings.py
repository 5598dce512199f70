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
from deadheat.rate.options import RatingScale, rating_scale
from deadheat.rate.result import Ratings
from deadheat.rate.tournaments import PLURAL_OF_KIND, PLURALS, RatingParts, across_data_sets
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
from deadheat.report.load import Saved
from deadheat.report.picture import Picture, draws
from deadheat.statistics.embedding import rating_matrix

ROOM = 0.12  # of the axis, for arrows beyond what is finite
MARGIN = 0.02


@draws(Ratings, RatingParts, figure="Gosiewska et al. (2019), section 5", first=True, saved=True)
def ratings(rated: Ratings | RatingParts | Saved, *, width: int) -> Picture:
    """Show the rating of each candidate with its interval, group by group."""
    rows, made = rated.rows(), rated.made
    scale = rating_scale(made["scale"], np.empty(0), (), base=made["base"], width=made["width"])
    kind = next((kind for kind in PLURAL_OF_KIND if kind in rows[0]), None)
    if kind is None:
        return _of_one(rows, scale, percent(1 - rated.alpha), width)
    facts = rated.facts()["tournaments"]
    return _of_several(rows, kind, {name: facts[name]["weight"] for name in facts}, scale, width)


def _of_one(rows: list[Row], scale: RatingScale, level: str, width: int) -> Picture:
    penalised = ["within" in row and not isinstance(row["mle"], float | int) for row in rows]
    ends = _ends(rows)
    source = data(_records(rows, penalised, ends))
    chart = alt.Chart()  # all layers share the data of the whole
    y = candidate_axis([row["candidate"] for row in rows], width)
    form = digits(scale.digits)
    x: dict[str, Any] = {
        "scale": alt.Scale(domain=list(ends), nice=False, zero=False),
        "title": f"rating ({scale.name}, higher is better)",
        "axis": alt.Axis(orient=orient(len(rows)), tickCount=max(3, width // 80)),
    }
    tips = [
        alt.Tooltip("candidate:N"),
        alt.Tooltip("group:N"),
        *(alt.Tooltip(f"{name}:Q", format=form) for name in ("rating", "low", "high")),
        *(alt.Tooltip(f"{name}:Q", format=",~r") for name in ("won", "lost")),
    ]
    lines = chart.mark_rule(style="accent", strokeWidth=2).encode(
        x=alt.X("from:Q", **x), x2=alt.X2("to:Q"), y=y, tooltip=tips
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
        title=f"ratings with {level} intervals",
        see=_see(rows, odd=any(penalised)),
        alt=f"Ratings of {len(rows):,} candidates with {level} intervals, best first. "
        + told(list(_sentences(rows, penalised, scale.digits))),
    )


def _records(rows: list[Row], penalised: list[bool], ends: tuple[float, float]) -> Iterator[Row]:
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


def _sentences(rows: list[Row], penalised: list[bool], form: int) -> Iterator[str]:
    for row, odd in zip(rows, penalised, strict=True):
        low = "no lower end" if row["low"] is None else number(row["low"], form)
        high = "no upper end" if row["high"] is None else number(row["high"], form)
        yield (
            f"{name_of(row['candidate'])}: {number(row['rating'], form)} ({low} to {high})"
            f"{', penalised' * odd}, group {row['group']}."
        )


def _of_several(
    records: list[Row], kind: str, weights: dict[str, float], scale: RatingScale, width: int
) -> Picture:
    parts: dict[str, dict[str, float]] = {}
    for row in records:
        parts.setdefault(row[kind], {})[row["candidate"]] = row["rating"]
    plural = PLURALS["category" if kind == "category" else "data set"]
    matrix = rating_matrix(parts)
    if np.isnan(matrix.ratings).any():
        raise DataError(
            f"the {plural} have different candidates, so that there are no mean ratings to draw.",
            hint="epp-bars draws each by itself.",
        )
    with np.errstate(over="ignore"):  # of saved numbers that nobody computed
        across = across_data_sets(matrix, weights=np.array([weights[name] for name in parts]))
    rows: list[Row] = [
        {
            "candidate": across.settings[i],
            "mean": float(across.mean[i]),
            "low": float(across.low[i]),
            "high": float(across.high[i]),
        }
        for i in best_first(np.asarray(across.mean)).tolist()
    ]
    base = data(rows)
    y = candidate_axis([row["candidate"] for row in rows], width)
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
        x=alt.X("low:Q", **x), x2=alt.X2("high:Q"), y=y, tooltip=tips
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
        title=f"mean ratings over {len(parts)} {plural}",
        see=f"The point is the mean rating and the line goes from the lowest to the highest of the "
        f"{plural}: it shows how they differ, and is no interval of the mean.",
        alt=f"Mean ratings over {len(parts)} {plural}, best first. {told(said)}",
    )

"""Pictures with a row for each candidate: names, bands of tie groups, columns; and their words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from deadheat.core.errors import say, visible
from deadheat.core.types import Row, require_whole
from deadheat.output.result import Result
from deadheat.ranking.official import top
from deadheat.rate.options import RatingScale, rating_scale
from deadheat.report.charts.spec import Spec, data, field, framed, layer, mark
from deadheat.report.charts.theme import LABEL, ROW

DENSE = 60  # candidates above which rows are as low as letters allow
LOWEST = 12
AXIS_ON_TOP = 40  # rows from which the bottom of a picture is out of sight
MOST_TOLD = 12
LONGEST_TOLD = 60


def height(n: int) -> int:
    return max(1, n) * (ROW if n <= DENSE else LOWEST)


def name_room(width: int) -> int:
    return min(LABEL, round(0.36 * width))


def names_axis(limit: float, **more: Any) -> dict[str, Any]:
    """Return an axis of names only, of so many pixels each at most."""
    return {"labelOverlap": False, "labelLimit": limit, "ticks": False, "domain": False, **more}


def first_rows(result: Any, k: int | None) -> tuple[list[Row], str]:
    """Return the rows of the first k of the official order, or of the observed one; and say so.

    By default they are as many as the verdict shows.
    """
    rows, k = result.rows(), result.made.get("top") if k is None else k
    if k is None:
        return rows, ""
    require_whole("top", k, 1, hint=f"e.g. {say('top', 10)}.")
    given = any(row["official"] is not None for row in rows)
    places = np.array([row["official" if given else "rank"] for row in rows], dtype=np.float64)
    kept = [rows[i] for i in top(places, k)]
    fewer = f" The first {k:,} of {len(rows):,} candidates are shown."
    return kept, fewer if len(kept) < len(rows) else ""


def group_rows(
    rows: Iterable[Mapping[str, Any]], *, level: bool, undecided: bool = False
) -> Iterator[dict[str, Any]]:
    """Yield candidate and group of each row; of the first, if it is shared, that it is level."""
    for row in rows:
        group = "\u2013" if undecided else row["group"]
        yield {"candidate": row["candidate"], "group": group, "level": level and group == 1}


def groups_in_words(*, level: bool, undecided: bool = False) -> str:
    """Say what the bands of a picture and the numbers beside its rows mean."""
    if undecided:
        return "Tests were not enough to put candidates into groups"
    shared = "Shaded: level with the leader" if level else "Nobody is level with the leader"
    return f"{shared}; the number on the right is the group"


def parts_of(rated: Result) -> dict[str, dict[str, float]]:
    """Return the ratings by part (a data set, a category) and candidate, the highest first."""
    kind, parts = rated.outline().get("kind"), dict[str, dict[str, float]]()
    for row in rated.rows():
        parts.setdefault(row[kind] if kind else "", {})[row["candidate"]] = float(row["rating"])
    return parts


def scale_of(rated: Result) -> RatingScale:
    made = rated.made
    return rating_scale(made["scale"], np.empty(0), (), base=made["base"], width=made["width"])


class Rows:
    """Hold the rows of a picture, touching each other: a candidate each, in this order."""

    def __init__(self, names: Sequence[str], width: int) -> None:
        self.n, self.width = len(names), width
        scale = {"domain": [visible(name) for name in names], "padding": 0}
        axis = names_axis(name_room(width), grid=False)
        self.y = field("candidate:N", sort=None, title=None, scale=scale, axis=axis)
        # Where the axis across is seen first.
        self.orient = "top" if self.n > AXIS_ON_TOP else "bottom"

    def across(self, title: str, **scale: Any) -> dict[str, Any]:
        axis = {"orient": self.orient, "tickCount": max(3, self.width // 80)}
        return {"title": title, "scale": {"zero": False, **scale}, "axis": axis}

    def bands(self, view: Spec) -> Spec:
        """Return the bands behind all who are level with the leader."""
        return mark("rect", view, where="datum.level", y=self.y, style="faint", opacity=0.45)

    def group_numbers(self, view: Spec) -> Spec:
        """Return the number of the tie group, right of each row, under a heading."""
        return layer(beside(view, self.y, "group:N"), heading("group", dx=8))

    def framed(self, chart: Spec, *, stiff: bool = False) -> Spec:
        return framed(chart, self.width, height(self.n), stiff=stiff)


def beside(view: Spec, y: Spec, text: str, **more: Any) -> Spec:
    """Return a column of text right of the rows."""
    look = {"style": "ink", "align": "left", "dx": 8, **more}
    return mark("text", view, x="width", y=y, text=text, **look)


def heading(text: str, *, dx: int, x: Any = "width", align: str = "left") -> Spec:
    look = {"style": "muted", "align": align, "dx": dx, "fontSize": 10}
    return mark("text", data([{"word": text}]), x=x, y=-8, text="word:N", **look)


def name_of(candidate: str) -> str:
    """Return a name for use inside a sentence: short, and never invisible."""
    text = visible(candidate)
    if not text.strip():
        return "(a name of blanks)"
    return text if len(text) <= LONGEST_TOLD else f"{text[: LONGEST_TOLD - 1]}…"


def prose(sentences: Sequence[str]) -> str:
    """Return the first sentences as one text, and how many more there are."""
    rest = len(sentences) - MOST_TOLD
    return " ".join(sentences[:MOST_TOLD]) + (f" {rest} more." if rest > 0 else "")

"""Whether favourites win as often as their ratings say."""

from __future__ import annotations

from typing import Any, cast

import altair as alt

from deadheat.core.errors import counted
from deadheat.output.text import number, percent
from deadheat.rate.result import Ratings
from deadheat.report.charts.rows import data, framed, told
from deadheat.report.picture import Picture, draws

TALL = 300
ROOM = 0.07  # of the share, for the count left of the lowest point
ASIDE = 10  # pixels from the middle of a point to its count, which stands beside the line


@draws(Ratings)
def calibration(ratings: Ratings, *, width: int) -> Picture:
    """Show what favourites should win by their ratings against what they won."""
    rows = ratings.table("calibration").rows()
    lowest = min(0.5, *(float(row["observed"]) for row in rows))
    domain = [max(0.0, lowest - ROOM), 1.0]

    def axis(title: str) -> dict[str, Any]:
        return {
            "title": title,
            "scale": alt.Scale(domain=domain, nice=True),
            "axis": alt.Axis(format=".0%", tickCount=5),
        }

    points = data(rows)
    x = alt.X("fitted:Q", **axis("favourites should win"))
    y = alt.Y("observed:Q", **axis("and won"))
    ends = data([{"fitted": end, "observed": end} for end in domain])
    diagonal = ends.mark_line(style="muted", strokeDash=[4, 3]).encode(x=x, y=y)
    dots = points.mark_circle(style="accent", opacity=0.85).encode(
        x=x,
        y=y,
        size=alt.Size(
            "matches:Q",
            title="matches",
            scale=alt.Scale(rangeMin=20, rangeMax=220, zero=True),
            legend=None,
        ),
        tooltip=[
            alt.Tooltip("fitted:Q", title="should win", format=".1%"),
            alt.Tooltip("observed:Q", title="won", format=".1%"),
            alt.Tooltip("matches:Q", format=",~r"),
            alt.Tooltip("pairs:Q", format=","),
        ],
    )
    counts = [
        points.transform_filter(f"{side} (datum.observed >= datum.fitted)")
        .mark_text(style="muted", align=cast("Any", align), dx=away, dy=away / 2, fontSize=10)
        .encode(x=x, y=y, text=alt.Text("matches:Q", format=",~r"))
        for side, align, away in (("", "right", -ASIDE), ("!", "left", ASIDE))
    ]
    said = [
        f"Should win {percent(row['fitted'])}, won {percent(row['observed'])} of "
        f"{number(round(row['matches'], 1))} matches."
        for row in rows
    ]
    return Picture(
        chart=framed(alt.layer(diagonal, dots, *counts), width, min(TALL, width)),
        title="calibration of the ratings",
        see="Points on the dashed line would be exactly right; above it favourites won more often "
        "than their ratings say, below it less, and the numbers count the matches.",
        alt="What favourites should win and won, in "
        f"{counted(len(rows), 'class', 'classes')}. {told(said)}",
    )

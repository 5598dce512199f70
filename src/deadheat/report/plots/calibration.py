"""Whether favourites win as often as their ratings say."""

from __future__ import annotations

from deadheat.core.errors import counted
from deadheat.output.text import number, percent
from deadheat.rate.result import Ratings
from deadheat.report.charts.rows import told
from deadheat.report.charts.spec import data, field, framed, layer, mark
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
    axis = {"scale": {"domain": domain, "nice": True}, "axis": {"format": ".0%", "tickCount": 5}}
    x = field("fitted:Q", title="favourites should win", **axis)
    y = field("observed:Q", title="and won", **axis)
    points, ends = data(rows), data([{"fitted": end, "observed": end} for end in domain])
    sizes = {"rangeMin": 20, "rangeMax": 220, "zero": True}
    size = field("matches:Q", title="matches", scale=sizes, legend=None)
    tips = [
        field("fitted:Q", title="should win", format=".1%"),
        field("observed:Q", title="won", format=".1%"),
        field("matches:Q", format=",~r"),
        field("pairs:Q", format=","),
    ]
    text = field("matches:Q", format=",~r")
    layers = [
        mark("line", ends, x=x, y=y, style="muted", strokeDash=[4, 3]),
        mark("circle", points, x=x, y=y, size=size, tooltip=tips, style="accent", opacity=0.85),
    ]
    for side, align, away in (("", "right", -ASIDE), ("!", "left", ASIDE)):
        where = f"{side} (datum.observed >= datum.fitted)"
        look = {"style": "muted", "align": align, "dx": away, "dy": away / 2, "fontSize": 10}
        layers.append(mark("text", points, where=where, x=x, y=y, text=text, **look))
    said = [
        f"Should win {percent(row['fitted'])}, won {percent(row['observed'])} of "
        f"{number(round(row['matches'], 1))} matches."
        for row in rows
    ]
    return Picture(
        view=framed(layer(*layers), width, min(TALL, width)),
        title="calibration of the ratings",
        see="Points on the dashed line would be exactly right; above it favourites won more often "
        "than their ratings say, below it less, and the numbers count the matches.",
        alt="What favourites should win and won, in "
        f"{counted(len(rows), 'class', 'classes')}. {told(said)}",
    )

"""The distribution of bootstrap ranks as blobs."""

from __future__ import annotations

import math

import altair as alt

from deadheat.inference.rank_shares import rank_shares
from deadheat.inference.verdict import Verdict
from deadheat.report.picture import Picture
from deadheat.report.rank_cells import (
    across,
    aggregation,
    axis_of,
    column_pixels,
    heat,
    hints,
    in_words,
    layered,
    legend_columns,
    on_rows,
)
from deadheat.report.registry import draws
from deadheat.report.theme import ROW

MOST, SMALLEST = 40, 6  # candidates, and pixels a column, that blobs are drawn for


@draws(Verdict)
def ranks(verdict: Verdict, *, width: int) -> Picture:
    """Show which ranks resampling gives each candidate: blobs, or a heat map of many."""
    pixels = column_pixels(verdict, width)
    drawn = len(verdict.candidates) <= MOST and pixels >= SMALLEST
    what = "The larger the blob" if drawn else "The deeper the colour"
    return Picture(
        chart=_blobs(verdict, width, pixels) if drawn else heat(verdict, width),
        title="Which ranks resampling gives",
        see=f"{what}, the more often a candidate has that rank when the judges are drawn again; "
        f"the frame is its rank as observed{aggregation(verdict)}.",
        alt=in_words(verdict),
    )


def _blobs(verdict: Verdict, width: int, pixels: float) -> object:
    largest = math.pi * (min(ROW, pixels) * 0.5) ** 2
    most = float(rank_shares(verdict.spread.places).max())
    size = alt.Size(
        "share:Q",
        title="share of resamples",
        scale=alt.Scale(domain=[0, most], range=[0, largest]),
        legend=alt.Legend(
            format="%",
            values=[share for share in (0.05, 0.25, 0.5, 1) if share <= most],
            columns=legend_columns(width),
        ),
    )
    blobs = alt.Chart().mark_circle(style="accent", opacity=0.8)
    marks = blobs.encode(
        x=alt.X("middle:Q", **across(verdict, width)),
        y=axis_of(verdict, width),
        size=size,
        tooltip=hints(),
    )
    return on_rows(verdict, layered(verdict, marks), width)

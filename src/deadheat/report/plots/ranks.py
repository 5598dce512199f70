"""The distribution of bootstrap ranks: blobs, or a map where candidates are many."""

from __future__ import annotations

import math
from typing import Any

import altair as alt
import numpy as np

from deadheat.core.types import Floats, Integers
from deadheat.output.text import number, percent
from deadheat.report.charts.rows import (
    bands,
    candidate_axis,
    data,
    framed,
    group_numbers,
    height,
    label_limit,
    looked_up,
    name_of,
    orient,
    rows_of,
    told,
    values,
)
from deadheat.report.charts.theme import ROW
from deadheat.report.picture import Picture, draws
from deadheat.verdict.result import Verdict

MOST, SMALLEST = 40, 6  # candidates, and pixels a column, that blobs are drawn for
DASH = "\u2013"
FINEST = 60  # ranks that get a column each
BINS = 30
LEAST = 0.005  # a share of replicates that can be seen
NUMBERED = 12  # candidates up to which cells have numbers
LEGIBLE = 30  # pixels of a column that has room for them
DARKEST_NUMBERED = 0.6


@draws(Verdict)
def ranks(verdict: Verdict, *, width: int) -> Picture:
    """Show which ranks resampling gives each candidate: blobs, or a heat map of many."""
    few = len(verdict.candidates) <= MOST and column_pixels(verdict, width) >= SMALLEST
    return _picture(verdict, width, "Which ranks resampling gives", blobs=few)


@draws(Verdict)
def rank_map(verdict: Verdict, *, width: int) -> Picture:
    """Show the share of resamples in which each candidate has each rank, as a heat map."""
    return _picture(verdict, width, "How often each candidate has each rank", blobs=False)


def _picture(verdict: Verdict, width: int, title: str, *, blobs: bool) -> Picture:
    what = "The larger the blob" if blobs else "The deeper the colour"
    low, high = runs_of(verdict)[0]
    shared = "" if low == high else f"; {high - low + 1} ranks side by side share a column"
    return Picture(
        chart=_chart(verdict, width, blobs=blobs),
        title=title,
        see=f"{what}, the more often a candidate has that rank when the judges are drawn again; "
        f"the frame is its rank as observed{shared}.",
        alt=in_words(verdict),
    )


def _chart(verdict: Verdict, width: int, *, blobs: bool) -> Any:
    """Return cells over the bands of the groups, the observed ranks framed.

    Names of candidates and of ranks are written only once.
    """
    n, runs, places = len(verdict.candidates), runs_of(verdict), verdict.spread.places
    order = [i for group in verdict.members for i in group]
    every = rank_shares(places)
    shares = binned(every, runs)
    cells = [
        {"at": k, "run": column, "share": round(float(shares[i, column]), 3)}
        for k, i in enumerate(order)
        for column in range(len(runs))
        if shares[i, column] >= LEAST
    ]
    y = candidate_axis([verdict.candidates[i] for i in order], width)
    ticks = alt.Axis(
        orient=orient(n), tickMinStep=1, tickCount=min(n, width // 40), grid=False, format="d"
    )
    scale = alt.Scale(domain=[0.5, n + 0.5], nice=False)
    x: dict[str, Any] = {"title": "rank", "scale": scale, "axis": ticks}
    hint = [
        alt.Tooltip("candidate:N"),
        alt.Tooltip("ranks:N", title="rank"),
        alt.Tooltip("share:Q", title="share of resamples", format=".1%"),
    ]
    columns = max(1, (width - label_limit(width) - 40) // 62)
    if blobs:
        most = float(every.max())
        largest = math.pi * (min(ROW, column_pixels(verdict, width)) * 0.5) ** 2
        legend = alt.Legend(
            format="%", values=[s for s in (0.05, 0.25, 0.5, 1) if s <= most], columns=columns
        )
        size = alt.Size(
            "share:Q",
            title="share of resamples",
            scale=alt.Scale(domain=[0, most], range=[0, largest]),
            legend=legend,
        )
        circles = alt.Chart().mark_circle(style="accent", opacity=0.8)
        marks = [circles.encode(x=alt.X("middle:Q", **x), y=y, size=size, tooltip=hint)]
    else:
        most = max(cell["share"] for cell in cells)
        numbered = n <= NUMBERED and column_pixels(verdict, width) >= LEGIBLE
        legend = alt.Legend(
            format="%",
            values=[s for s in (0.05, 0.1, 0.25, 0.5, 1) if s <= most],
            symbolType="square",
            columns=columns,
        )
        shade = alt.Opacity(
            "share:Q",
            title="share of resamples",
            scale=alt.Scale(domain=[0, most], range=[0.04, DARKEST_NUMBERED if numbered else 1.0]),
            legend=legend,
        )
        deep = alt.Chart().mark_rect(style="accent")
        marks = [
            deep.encode(
                x=alt.X("low:Q", **x), x2=alt.X2("high:Q"), y=y, opacity=shade, tooltip=hint
            )
        ]
        if numbered:
            written = alt.Chart().mark_text(style="ink", fontSize=10, opacity=1)
            share = alt.Text("share:Q", format=".0%")
            marks.append(written.encode(x=alt.X("middle:Q", **x), y=y, text=share))
    named = ({"at": k, "candidate": verdict.candidates[i]} for k, i in enumerate(order))
    of_runs = (
        {
            "run": k,
            "low": low - 0.5,
            "high": high + 0.5,
            "middle": (low + high) / 2,
            "ranks": str(low) if low == high else f"{low}{DASH}{high}",
        }
        for k, (low, high) in enumerate(runs)
    )
    mark = looked_up(alt.layer(*marks, data=values(cells)), "at", named)
    mark = looked_up(mark, "run", of_runs)
    seen = verdict.evidence.ranks
    rows = data(rows_of(verdict, {"rank": seen, "left": seen - 0.5, "right": seen + 0.5}))
    observed = rows.mark_rect(style="ink", filled=False, strokeWidth=1.2).encode(
        x=alt.X("left:Q", **x),
        x2=alt.X2("right:Q"),
        y=y,
        tooltip=[alt.Tooltip("candidate:N"), alt.Tooltip("rank:Q", title="rank as observed")],
    )
    layers = alt.layer(bands(rows, y), mark, observed, group_numbers(rows, y))
    return framed(layers, width, height(n), stiff=True)


def rank_shares(places: Integers) -> Floats:
    """Return the share of replicates in which a candidate (row) has a rank (column), (n, n).

    Tied candidates share the mean of their ranks. Where that ends in one half, the two ranks
    beside it get half of the replicate each, so that the shares keep the mean rank.

    Parameters
    ----------
    places
        Twice the rank of each candidate in each replicate, (B, n).

    Examples
    --------
    >>> rank_shares(np.array([[2, 4], [3, 3]]))  # one replicate in order, one tied
    array([[0.75, 0.25],
           [0.25, 0.75]])
    """
    replicates, n = places.shape
    found = np.empty((n, n))
    for i in range(n):
        twice = np.bincount(places[:, i], minlength=2 * n + 2)[: 2 * n + 2]
        halves = twice[1::2] / 2  # of the ranks 0.5, 1.5, ...
        found[i] = twice[2 : 2 * n + 1 : 2] + halves[:n] + halves[1:]
    return np.asarray(found / replicates)


def bins(n: int, most: int) -> list[tuple[int, int]]:
    """Return the first and last of at most so many runs of ranks from 1 to n, equally long.

    >>> bins(7, 3)
    [(1, 3), (4, 6), (7, 7)]
    """
    size = -(-n // most)
    return [(start + 1, min(start + size, n)) for start in range(0, n, size)]


def median_ranks(places: Integers) -> Floats:
    """Return the median rank of each candidate over the replicates, (n,).

    ``places`` (B, n) are doubled ranks, as ties end in .5.
    """
    return np.asarray(np.median(places, axis=0) / 2)


def binned(shares: Floats, runs: list[tuple[int, int]]) -> Floats:
    """Return the shares (n, n) summed over runs of ranks, (n, number of runs)."""
    return np.stack([shares[:, low - 1 : high].sum(axis=1) for low, high in runs], axis=1)


def runs_of(verdict: Verdict) -> list[tuple[int, int]]:
    """Return the runs of ranks that get a column each: single ranks, or some side by side."""
    n = len(verdict.candidates)
    return bins(n, FINEST if n <= FINEST else BINS)


def column_pixels(verdict: Verdict, width: int) -> float:
    return (width - label_limit(width) - 40) / len(runs_of(verdict))


def in_words(verdict: Verdict) -> str:
    """Return for each candidate its observed, median and likeliest rank."""
    shares = rank_shares(verdict.spread.places)
    medians = median_ranks(verdict.spread.places)
    sentences = []
    for i in (i for group in verdict.members for i in group):
        likeliest = int(shares[i].argmax())
        sentences.append(
            f"{name_of(verdict.candidates[i])}: observed rank {number(verdict.evidence.ranks[i])}, "
            f"median of resamples {number(float(medians[i]))}, most often {likeliest + 1} "
            f"({percent(float(shares[i, likeliest]))})."
        )
    return (
        f"How often {len(verdict.merits):,} resamples put each of {len(shares)} candidates on each "
        f"rank. {told(sentences)}"
    )

"""The distribution of bootstrap ranks: blobs, or a map where candidates are many."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from deadheat.core.types import Floats, Integers
from deadheat.output.text import number, percent
from deadheat.report.charts.rows import (
    TALLEST,
    Rows,
    accent_in_words,
    first_rows,
    name_of,
    name_room,
    prose,
)
from deadheat.report.charts.spec import Spec, data, field, layer, lookup, mark, tips
from deadheat.report.charts.theme import REVERSED, ROW
from deadheat.report.picture import Picture, draws
from deadheat.verdict.result import Verdict

SMALLEST = 12  # pixels of a column that blobs are drawn for; else cells
FINEST = 60  # ranks that get a column each
BINS = 30
LEAST = 0.005  # a share of replicates that can be seen
NUMBERED = 12  # candidates up to which cells have numbers
LEGIBLE = 36  # pixels of a column that has room for them
DARKEST_NUMBERED = 0.6
LEGEND = (0.05, 0.1, 0.25, 0.5, 1)
LOOKS = (("!datum.level", "muted"), ("datum.level", "accent"))


@draws(Verdict)
def ranks(verdict: Verdict, *, width: int, top: int | None = None) -> Picture:
    """Show which ranks resampling gives each candidate: blobs, or a heat map of many."""
    (rows, fewer), nouns = first_rows(verdict, top, most=TALLEST), verdict.nouns
    members = [(verdict.at(row["candidate"]), row["group"]) for row in rows]
    shares = rank_shares(verdict.spread.places)
    runs = runs_of(_lowest(shares, verdict.evidence.ranks, [i for i, _ in members]))
    blobs = runs[0] == (1, 1) and _column(runs, width) >= SMALLEST
    what = "The larger the blob" if blobs else "The deeper the colour"
    low, high = runs[0]
    shared = "" if low == high else f" {high - low + 1} ranks side by side share a column."
    medians = np.median(verdict.spread.places, axis=0) / 2  # places are doubled ranks
    said = [
        f"{name_of(verdict.candidates[i])}: observed rank {number(verdict.evidence.ranks[i])}, "
        f"median of resamples {number(float(medians[i]))}, most often {likeliest + 1} "
        f"({percent(float(shares[i, likeliest]))})."
        for i, _ in members
        for likeliest in [int(shares[i].argmax())]
    ]
    tied = {"level": verdict.says_level, "undecided": verdict.undecided}
    return Picture(
        view=_chart(verdict, members, shares, runs, width, blobs=blobs),
        title="Which ranks were possible",
        see=f"{what}, the more often a {nouns.candidate} has that rank when the {nouns.judges()} "
        f"are drawn again. Ring: the rank as observed.{shared} "
        f"{accent_in_words(**tied, nouns=nouns)}{fewer}",
        alt=f"How often {len(verdict.merits):,} resamples put each of "
        f"{nouns.candidates(len(rows))} on each rank.{fewer} {prose(said)}",
    )


def _chart(
    verdict: Verdict,
    members: list[tuple[int, int]],
    every: Floats,
    runs: list[tuple[int, int]],
    width: int,
    *,
    blobs: bool,
) -> Spec:
    """Return cells with the observed ranks as rings, the best rank on the right."""
    last = runs[-1][1]
    names = [verdict.candidates[i] for i, _ in members]
    shares = binned(every, runs)
    cells = [
        {"at": k, "run": column, "share": round(float(shares[i, column]), 3)}
        for k, (i, _) in enumerate(members)
        for column in range(len(runs))
        if shares[i, column] >= LEAST
    ]
    table = Rows(names, width)
    y = table.y
    axis = {"orient": table.orient, "values": _ticks(last, width // 40), "grid": False, **REVERSED}
    scale = {"domain": [0.5, last + 0.5], "nice": False, "reverse": True}
    x: Spec = {"title": "rank (better →)", "scale": scale, "axis": axis}
    pixels = _column(runs, width)
    hint = tips(
        ("candidate:N", verdict.nouns.candidate),
        ("ranks:N", "rank"),
        ("share:Q", "share of resamples", ".1%"),
    )
    most = float(shares.max())
    marks = (_blobs if blobs else _shades)(last, most, pixels, width, x, y, hint)
    of_runs = (
        {
            "run": k,
            "low": low - 0.5,
            "high": high + 0.5,
            "middle": (low + high) / 2,
            "ranks": str(low) if low == high else f"{low}\u2013{high}",
        }
        for k, (low, high) in enumerate(runs)
    )
    named = (
        {"at": k, "candidate": name, "level": group == 1 and not verdict.undecided}
        for k, (name, (_, group)) in enumerate(zip(names, members, strict=True))
    )
    drawn = lookup(lookup(layer(*marks, **data(cells)), "at", named), "run", of_runs)
    observed = data(
        {"candidate": verdict.candidates[i], "rank": verdict.evidence.ranks[i]} for i, _ in members
    )
    ring = {"style": "ink", "filled": False, "strokeWidth": 1, "opacity": 1, "size": 90}
    ring["tooltip"] = tips(("candidate:N", verdict.nouns.candidate), ("rank:Q", "rank as observed"))
    rings = mark("point", observed, x=field("rank:Q", **x), y=y, **ring)
    return table.framed(layer(drawn, rings), stiff=True)


def _share(
    most: float, scale: list[float], steps: Sequence[float], width: int, kind: str = "linear"
) -> Spec:
    """Return the share of resamples as a size or an opacity, with its legend."""
    columns = max(1, (width - name_room(width) - 40) // 62)
    values = [step for step in steps if step <= most]
    return field(
        "share:Q",
        title="share of resamples",
        scale={"domain": [0, most], "range": scale, "type": kind},
        legend={"format": "%", "values": values, "columns": columns},
    )


def _blobs(
    _: int, most: float, pixels: float, width: int, x: Spec, y: Spec, hint: Any
) -> list[Spec]:
    largest = math.pi * (min(ROW, pixels) * 0.5) ** 2
    size = _share(most, [0, largest], (LEGEND[0], *LEGEND[2:]), width)
    look = {"size": size, "tooltip": hint, "opacity": 0.8, "y": y, "x": field("middle:Q", **x)}
    return [mark("circle", where=which, **look, style=style) for which, style in LOOKS]


def _shades(
    n: int, most: float, pixels: float, width: int, x: Spec, y: Spec, hint: Any
) -> list[Spec]:
    numbered = n <= NUMBERED and pixels >= LEGIBLE
    deepest = DARKEST_NUMBERED if numbered else 1.0
    shade = _share(most, [0.08, deepest], LEGEND, width, "sqrt")
    shade["legend"]["symbolType"] = "square"
    look = {"opacity": shade, "tooltip": hint, "x": field("low:Q", **x), "x2": "high:Q", "y": y}
    marks = [mark("rect", where=which, **look, style=style) for which, style in LOOKS]
    if numbered:
        text = {"text": field("share:Q", format=".0%"), "style": "ink"}
        marks.append(mark("text", x=field("middle:Q", **x), y=y, **text, opacity=1))
    return marks


def rank_shares(places: Integers) -> Floats:
    """Return the share of replicates in which a candidate (row) has a rank (column), (n, n).

    ``places`` (B, n) are doubled ranks. Tied candidates share the mean of their ranks. Where that
    ends in one half, the two ranks beside it get half of the replicate each, so that the shares
    keep the mean rank.

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


def binned(shares: Floats, runs: list[tuple[int, int]]) -> Floats:
    """Return the shares (n, n) summed over runs of ranks, (n, number of runs)."""
    return np.stack([shares[:, low - 1 : high].sum(axis=1) for low, high in runs], axis=1)


def runs_of(last: int) -> list[tuple[int, int]]:
    """Return the runs of ranks that get a column each: single ranks, or some side by side."""
    return bins(last, FINEST if last <= FINEST else BINS)


def _lowest(shares: Floats, observed: Floats, shown: list[int]) -> int:
    """Return the lowest rank that those who are shown have, but for chances too small to see."""
    seen = np.flatnonzero((shares[shown] >= LEAST).any(axis=0))
    return max(2, int(seen.max(initial=0)) + 1, math.ceil(float(observed[shown].max())))


def _ticks(last: int, most: int) -> list[int]:
    """Return the ranks that an axis names, 1 always among them."""
    step = next(step for step in (1, 2, 5, 10, 20, 50, 100, 200, last) if last <= step * most)
    return [1, *range(step if step > 2 else 1 + step, last + 1, step)]


def _column(runs: list[tuple[int, int]], width: int) -> float:
    return (width - name_room(width) - 40) / len(runs)

"""The critical-difference diagram, with bars that tell no falsehood."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import altair as alt
import numpy as np

from deadheat.core.errors import counted
from deadheat.core.types import Integers
from deadheat.output.text import number
from deadheat.ranking.ranks import best_first
from deadheat.report.charts.rows import (
    all_pairs_of,
    candidate_axis,
    data,
    framed,
    height,
    level_of,
    name_of,
    told,
)
from deadheat.report.picture import Picture, draws
from deadheat.statistics.pair_tests import Cliques, cliques, nemenyi_ranks
from deadheat.statistics.pair_tests import critical_difference as distance
from deadheat.verdict.result import Verdict

CLASSICAL = 24  # candidates up to which names stand left and right of one axis
MOST = 60  # bars
STEP = 17  # pixels between two names
LANE = 9  # pixels between two bars
START = 14  # pixels from the axis to the first bar
NUMBERED = 400  # pixels across from which there is room for numbers
WIDEST = 16  # pixels a lane


@draws(Verdict, figure="Demšar (2006), figure 1", strict=True)
def critical_difference(verdict: Verdict, *, width: int) -> Picture:
    """Show which candidates tests of all pairs do not separate: joined by bars along the axis."""
    tests = all_pairs_of(verdict).tests
    nemenyi = tests.method == "nemenyi"
    values = nemenyi_ranks(tests) if nemenyi else verdict.shown
    heading = "mean rank" if nemenyi else verdict.heading
    lower = nemenyi or verdict.reading.lower_is_better
    order = best_first(-values) if nemenyi else np.argsort(verdict.evidence.ranks, kind="stable")
    found = cliques(tests.better, order)
    bars = bars_of(found, order)
    drawn: dict[str, Any] = {
        "names": [verdict.candidates[i] for i in order.tolist()],
        "values": values[order].tolist(),
        "bars": bars,
        "title": heading,
        "width": width,
    }
    if len(order) <= CLASSICAL:
        apart = distance(tests) if nemenyi and len(order) > 1 else None
        chart = cd_diagram(**drawn, lower=lower, distance=apart)
    else:
        chart = lanes(**drawn, digits=verdict.digits if not nemenyi else 2)
    cut = bars.left_out or not found.whole
    more = f"; there are more than the {len(bars.members)} bars shown" if cut else ""
    see = "No bar joins anybody: the tests tell all candidates apart."
    if bars.members:
        see = (
            "A bar joins candidates that the tests do not tell apart, those with a dot on it; who "
            f"shares no bar is told apart{' or on a bar left out' if cut else ''}{more}."
        )
    return Picture(
        chart=chart,
        title="Who is not told apart",
        see=see,
        alt=f"{counted(len(order), 'candidate')} by {heading}, best first ({level_of(verdict)}). "
        + told(
            [
                f"{name_of(verdict.candidates[i])}: {number(float(values[i]), 2)}."
                for i in order.tolist()
            ]
        )
        + " Not separated from each other: "
        + (told([f"{_listed(verdict, bar)}." for bar in bars.members]) or "nobody."),
    )


def _listed(verdict: Verdict, members: tuple[int, ...]) -> str:
    names = [name_of(verdict.candidates[i]) for i in members]
    return ", ".join(names[:8]) + (f" and {len(names) - 8} more" if len(names) > 8 else "")


@dataclass(frozen=True, kw_only=True)
class Bars:
    """Hold the bars of a diagram: members by position, places in the order, lanes.

    Bars that overlap stand in different lanes. ``left_out`` are the bars beyond those that a
    diagram has room for: the smallest, and every second or so where not even all cliques are
    known.
    """

    members: tuple[tuple[int, ...], ...]
    places: tuple[tuple[int, ...], ...]
    lanes: tuple[int, ...]
    left_out: int

    @property
    def depth(self) -> int:
        return max(self.lanes, default=-1) + 1

    @property
    def dots(self) -> list[tuple[int, int]]:
        pairs = zip(self.places, self.lanes, strict=True)
        return [(place, lane) for places, lane in pairs for place in places]

    def unbroken(self, bar: int) -> bool:
        """Return whether a bar passes nobody who is no member of it."""
        places = self.places[bar]
        return places[-1] - places[0] == len(places) - 1


def bars_of(found: Cliques, order: Integers, *, most: int = MOST) -> Bars:
    """Return the bars of cliques of at least two candidates, given the candidates best first."""
    at = {int(i): k for k, i in enumerate(order)}
    several = [clique for clique in found.members if len(clique) > 1]
    if found.whole:
        chosen = set(sorted(several, key=len, reverse=True)[:most])
    else:
        chosen = set(several[:: -(-len(several) // most) or 1])
    kept = [clique for clique in several if clique in chosen]
    places = [tuple(sorted(at[i] for i in clique)) for clique in kept]
    ends: list[int] = []
    lanes = []
    for place in places:
        lane = next((k for k, end in enumerate(ends) if end < place[0]), len(ends))
        ends[lane : lane + 1] = [place[-1]]
        lanes.append(lane)
    return Bars(
        members=tuple(kept),
        places=tuple(places),
        lanes=tuple(lanes),
        left_out=len(several) - len(kept),
    )


def _joining(
    lines: Any, dots: Any, bar: dict[str, Any], dot: dict[str, Any], *, thin: float, size: int
) -> list[Any]:
    """Return the bars, thin and dashed where they pass somebody, with a dot for each member."""
    dashed = lines.transform_filter("!datum.unbroken")
    return [
        lines.transform_filter("datum.unbroken")
        .mark_rule(style="accent", strokeWidth=3)
        .encode(**bar),
        dashed.mark_rule(style="accent", strokeWidth=thin, strokeDash=[3, 2]).encode(**bar),
        dots.mark_point(style="accent", filled=True, size=size, opacity=1).encode(**dot),
    ]


def cd_diagram(
    *,
    names: Sequence[str],
    values: Sequence[float],
    bars: Bars,
    title: str,
    lower: bool,
    distance: float | None,
    width: int,
) -> Any:
    """Return the diagram of candidates given best first; the best is on the left.

    ``distance`` is the critical difference, drawn below the axis where there is one.
    """
    top = START + LANE * bars.depth + (LANE + 6 if distance is not None else 0) + 8
    half = (len(names) + 1) // 2
    tall = top + STEP * half
    low, high = min(values), max(values)
    if distance is not None:
        high = max(high, low + distance)
    numbered = width >= NUMBERED
    pad = (high - low) * (28 / (0.46 * width - 56) if numbered else 0.05) or 0.5
    x = alt.X(
        "value:Q",
        title=f"{title} ({'lower' if lower else 'higher'} is better)",
        scale=alt.Scale(domain=[low - pad, high + pad], nice=False, reverse=not lower),
        axis=alt.Axis(orient="top", grid=False, tickCount=max(3, width // 90)),
    )
    down = alt.Scale(domain=[0, tall], reverse=True, nice=False)
    y = alt.Y("y:Q", scale=down, axis=None)
    who = data(
        {
            "candidate": name,
            "value": value,
            "said": number(float(value), 2),
            "left": k < half,
            "start": 0,
            "y": top + STEP * (k if k < half else len(names) - 1 - k) + STEP / 2,
        }
        for k, (name, value) in enumerate(zip(names, values, strict=True))
    )
    layers = [
        who.mark_rule(style="muted").encode(
            x=x, y=alt.Y("start:Q", scale=down, axis=None), y2=alt.Y2("y:Q")
        )
    ]
    hint = [alt.Tooltip("candidate:N"), alt.Tooltip("said:N", title=title)]
    for left in (True, False):
        edge: Any = alt.value(0) if left else alt.value("width")
        mine = who.transform_filter("datum.left" if left else "!datum.left")
        align: Any = "right" if left else "left"
        layers += [
            mine.mark_rule(style="muted").encode(x=x, x2=edge, y=y),
            mine.mark_text(
                style="ink", align=align, dx=-4 if left else 4, limit=round(0.27 * width)
            ).encode(x=edge, y=y, text=alt.Text("candidate:N"), tooltip=hint),
        ]
        if numbered:
            dx, against = (2, "left") if left else (-2, "right")
            said = mine.mark_text(
                style="muted", align=cast("Any", against), dx=dx, dy=-6, fontSize=9
            )
            layers.append(said.encode(x=edge, y=y, text=alt.Text("said:N")))
    begin = START
    if distance is not None:
        layers += _critical(low, distance, begin, x, y)
        begin += LANE + 6
    return framed(alt.layer(*layers, *_bars(values, bars, begin, x, y)), width, tall, stiff=True)


def _bars(values: Sequence[float], bars: Bars, begin: float, x: alt.X, y: alt.Y) -> list[Any]:
    if not bars.members:
        return []
    lines = data(
        {
            "value": values[places[0]],
            "end": values[places[-1]],
            "y": begin + LANE * lane,
            "unbroken": bars.unbroken(k),
        }
        for k, (places, lane) in enumerate(zip(bars.places, bars.lanes, strict=True))
    )
    dots = data({"value": values[place], "y": begin + LANE * lane} for place, lane in bars.dots)
    ends = {"x": x, "x2": "end:Q", "y": y}
    return _joining(lines, dots, ends, {"x": x, "y": y}, thin=1.5, size=36)


def _critical(low: float, distance: float, at: float, x: alt.X, y: alt.Y) -> list[Any]:
    ends = [low, low + distance]
    one = data([{"value": ends[0], "end": ends[1], "y": at}])
    both = data({"value": end, "y": at} for end in ends)
    label = data([{"value": ends[1], "y": at, "said": f"CD = {distance:.2f}"}])
    return [
        one.mark_rule(style="second", strokeWidth=2).encode(x=x, x2=alt.X2("end:Q"), y=y),
        both.mark_tick(style="second", thickness=2, orient="vertical", size=9).encode(x=x, y=y),
        label.mark_text(style="ink", align="left", dx=6, fontSize=10).encode(
            x=x, y=y, text=alt.Text("said:N")
        ),
    ]


def lanes(
    *,
    names: Sequence[str],
    values: Sequence[float],
    bars: Bars,
    digits: int,
    title: str,
    width: int,
) -> Any:
    """Return the diagram of candidates given best first, with their numbers."""
    y = candidate_axis(names, width)
    rows = data(
        {"candidate": name, "said": number(float(value), digits), "odd": bool(k % 2)}
        for k, (name, value) in enumerate(zip(names, values, strict=True))
    )
    guides = rows.transform_filter("datum.odd").mark_rect(style="faint", opacity=0.3).encode(y=y)
    said = rows.mark_text(style="muted", align="left", dx=4, fontSize=10)
    numbers = said.encode(x=alt.value(0), y=y, text=alt.Text("said:N"))
    top = data([{"word": title}]).mark_text(style="muted", align="left", dx=4, fontSize=10)
    above = top.encode(x=alt.value(0), y=alt.value(-8), text=alt.Text("word:N"))
    room = 0.6 * width  # for numbers on the left, then the lanes
    lane = min(WIDEST, (room - 60) / max(bars.depth, 1))
    domain = [-60 / lane, (room - 60) / lane]
    x = alt.X("lane:Q", scale=alt.Scale(domain=domain, nice=False), axis=None)
    lines = data(
        {
            "candidate": names[places[0]],
            "end": names[places[-1]],
            "lane": lane,
            "unbroken": bars.unbroken(k),
        }
        for k, (places, lane) in enumerate(zip(bars.places, bars.lanes, strict=True))
    )
    dots = data({"candidate": names[place], "lane": lane} for place, lane in bars.dots)
    layers = _joining(
        lines, dots, {"x": x, "y": y, "y2": "end:N"}, {"x": x, "y": y}, thin=1, size=26
    )
    return framed(alt.layer(guides, numbers, above, *layers), width, height(len(names)), stiff=True)

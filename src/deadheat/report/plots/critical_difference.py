"""The critical-difference diagram, with bars that tell no falsehood."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from deadheat.core.errors import counted
from deadheat.core.types import Integers
from deadheat.output.text import number
from deadheat.ranking.ranks import best_first
from deadheat.report.charts.rows import (
    all_pairs_of,
    candidate_axis,
    heading,
    height,
    level_of,
    name_of,
    told,
)
from deadheat.report.charts.spec import Field, View, data, field, framed, layer, mark, value
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
    axis = "mean rank" if nemenyi else verdict.heading
    order = best_first(-values) if nemenyi else np.argsort(verdict.evidence.ranks, kind="stable")
    found = cliques(tests.better, order)
    bars = bars_of(found, order)
    names = [verdict.candidates[i] for i in order.tolist()]
    shown = values[order].tolist()
    if len(order) <= CLASSICAL:
        lower = nemenyi or verdict.reading.lower_is_better
        apart = distance(tests) if nemenyi and len(order) > 1 else None
        chart = _diagram(names, shown, bars, axis, width, lower=lower, apart=apart)
    else:
        digits = 2 if nemenyi else verdict.digits
        chart = _lanes(names, [number(float(v), digits) for v in shown], bars, axis, width)
    cut = bars.left_out or not found.whole
    more = f"; there are more than the {len(bars.members)} bars shown" if cut else ""
    see = "No bar joins anybody: the tests tell all candidates apart."
    if bars.members:
        see = (
            "A bar joins candidates that the tests do not tell apart, those with a dot on it; who "
            f"shares no bar is told apart{' or on a bar left out' if cut else ''}{more}."
        )
    said = [f"{name_of(n)}: {number(float(v), 2)}." for n, v in zip(names, shown, strict=True)]
    joined = []
    for bar in bars.members:
        some = ", ".join(name_of(verdict.candidates[i]) for i in bar[:8])
        joined.append(f"{some} and {len(bar) - 8} more." if len(bar) > 8 else f"{some}.")
    return Picture(
        view=chart,
        title="Who is not told apart",
        see=see,
        alt=f"{counted(len(order), 'candidate')} by {axis}, best first ({level_of(verdict)}). "
        f"{told(said)} Not separated from each other: {told(joined) or 'nobody.'}",
    )


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

    @property
    def lines(self) -> list[tuple[int, int, int, bool]]:
        """First and last place, lane, and whether the bar passes nobody who is no member of it."""
        return [
            (places[0], places[-1], lane, places[-1] - places[0] == len(places) - 1)
            for places, lane in zip(self.places, self.lanes, strict=True)
        ]


def bars_of(found: Cliques, order: Integers, *, most: int = MOST) -> Bars:
    """Return the bars of cliques of at least two candidates, given the candidates best first."""
    at = {int(i): k for k, i in enumerate(order)}
    several = [clique for clique in found.members if len(clique) > 1]
    if found.whole:
        chosen = set(sorted(several, key=len, reverse=True)[:most])
    else:
        chosen = set(several[:: -(-len(several) // most) or 1])
    kept = tuple(clique for clique in several if clique in chosen)
    places = tuple(tuple(sorted(at[i] for i in clique)) for clique in kept)
    ends: list[int] = []
    lanes = []
    for place in places:
        lane = next((k for k, end in enumerate(ends) if end < place[0]), len(ends))
        ends[lane : lane + 1] = [place[-1]]
        lanes.append(lane)
    left_out = len(several) - len(kept)
    return Bars(members=kept, places=places, lanes=tuple(lanes), left_out=left_out)


def _joining(
    lines: View, dots: View, at: dict[str, Any], end: dict[str, str], *, thin: float, size: int
) -> list[View]:
    """Return the bars, thin and dashed where they pass somebody, with a dot for each member."""
    whole = {"style": "accent", "strokeWidth": 3}
    dashed = {"style": "accent", "strokeWidth": thin, "strokeDash": [3, 2]}
    dot = {"style": "accent", "filled": True, "size": size, "opacity": 1}
    return [
        mark("rule", lines, where="datum.unbroken", **at, **end, **whole),
        mark("rule", lines, where="!datum.unbroken", **at, **end, **dashed),
        mark("point", dots, **at, **dot),
    ]


def _diagram(
    names: Sequence[str],
    values: Sequence[float],
    bars: Bars,
    title: str,
    width: int,
    *,
    lower: bool,
    apart: float | None,
) -> View:
    """Return the diagram of candidates given best first; the best is on the left.

    ``apart`` is the critical difference, drawn below the axis where there is one.
    """
    begin = START + (LANE + 6 if apart is not None else 0)
    top = begin + LANE * bars.depth + 8
    half = (len(names) + 1) // 2
    tall = top + STEP * half
    low, high = min(values), max(values)
    if apart is not None:
        high = max(high, low + apart)
    numbered = width >= NUMBERED
    pad = (high - low) * (28 / (0.46 * width - 56) if numbered else 0.05) or 0.5
    x = field(
        "value:Q",
        title=f"{title} ({'lower' if lower else 'higher'} is better)",
        scale={"domain": [low - pad, high + pad], "nice": False, "reverse": not lower},
        axis={"orient": "top", "grid": False, "tickCount": max(3, width // 90)},
    )
    down = {"scale": {"domain": [0, tall], "reverse": True, "nice": False}, "axis": None}
    y = field("y:Q", **down)
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
    layers = [mark("rule", who, x=x, y=field("start:Q", **down), y2="y:Q", style="muted")]
    hint = [field("candidate:N"), field("said:N", title=title)]
    sides: tuple[tuple[str, Any, int, str, str], ...] = (
        ("datum.left", 0, -1, "right", "left"),
        ("!datum.left", "width", 1, "left", "right"),
    )
    for where, edge, sign, outside, inside in sides:
        at: dict[str, Any] = {"where": where, "y": y}
        name = {"style": "ink", "align": outside, "dx": 4 * sign, "limit": round(0.27 * width)}
        small = {"style": "muted", "align": inside, "dx": -2 * sign, "dy": -6, "fontSize": 9}
        layers += [
            mark("rule", who, **at, x=x, x2=value(edge), style="muted"),
            mark("text", who, **at, x=value(edge), text="candidate:N", tooltip=hint, **name),
            mark("text", who, **at, x=value(edge), text="said:N", **small),
        ]
        if not numbered:
            layers.pop()
    if apart is not None:
        layers += _critical(low, apart, x, y)
    if bars.members:
        lines = data(
            {"value": values[a], "end": values[b], "y": begin + LANE * lane, "unbroken": unbroken}
            for a, b, lane, unbroken in bars.lines
        )
        dots = data({"value": values[place], "y": begin + LANE * lane} for place, lane in bars.dots)
        layers += _joining(lines, dots, {"x": x, "y": y}, {"x2": "end:Q"}, thin=1.5, size=36)
    return framed(layer(*layers), width, tall, stiff=True)


def _critical(low: float, apart: float, x: Field, y: Field) -> list[View]:
    high = low + apart
    one = data([{"value": low, "end": high, "y": START}])
    both = data({"value": end, "y": START} for end in (low, high))
    label = data([{"value": high, "y": START, "said": f"CD = {apart:.2f}"}])
    tick = {"style": "second", "thickness": 2, "orient": "vertical", "size": 9}
    text = {"style": "ink", "align": "left", "dx": 6, "fontSize": 10}
    return [
        mark("rule", one, x=x, x2="end:Q", y=y, style="second", strokeWidth=2),
        mark("tick", both, x=x, y=y, **tick),
        mark("text", label, x=x, y=y, text="said:N", **text),
    ]


def _lanes(
    names: Sequence[str], numbers: Sequence[str], bars: Bars, title: str, width: int
) -> View:
    """Return the diagram of candidates given best first, in rows with their numbers."""
    y = candidate_axis(names, width)
    rows = data(
        {"candidate": name, "said": said, "odd": bool(k % 2)}
        for k, (name, said) in enumerate(zip(names, numbers, strict=True))
    )
    room = 0.6 * width  # for numbers on the left, then the lanes
    pixels = min(WIDEST, (room - 60) / max(bars.depth, 1))
    domain = [-60 / pixels, (room - 60) / pixels]
    x = field("lane:Q", scale={"domain": domain, "nice": False}, axis=None)
    lines = data(
        {"candidate": names[a], "end": names[b], "lane": lane, "unbroken": unbroken}
        for a, b, lane, unbroken in bars.lines
    )
    dots = data({"candidate": names[place], "lane": lane} for place, lane in bars.dots)
    small = {"style": "muted", "align": "left", "dx": 4, "fontSize": 10}
    chart = layer(
        mark("rect", rows, where="datum.odd", y=y, style="faint", opacity=0.3),
        mark("text", rows, x=value(0), y=y, text="said:N", **small),
        heading(title, dx=4, x=0),
        *_joining(lines, dots, {"x": x, "y": y}, {"y2": "end:N"}, thin=1, size=26),
    )
    return framed(chart, width, height(len(names)), stiff=True)

"""The majority relation: a circle of candidates that beat each other, where one reaches the top."""

from __future__ import annotations

import math
from collections.abc import Sequence

from deadheat.data.results import Nouns, Results
from deadheat.models.aggregation.ballots import Majority, majority
from deadheat.report.charts.pixels import LINE, canvas, fitting, inner, label_width, text_layer
from deadheat.report.charts.rows import name_of
from deadheat.report.charts.spec import Spec, data, field, framed, layer, mark
from deadheat.report.picture import Picture, draws
from deadheat.verdict.result import Verdict

PODIUM = 3
MOST = 9  # members of a circle that are drawn
TOLD = 12
TITLE = "Who beats whom"
CLEAR = 0.52  # of the judges, that each must win whose circle is worth a picture
SHORT = 0.16  # of a side, that an arrow leaves free at each end


@draws(Results, Verdict)
def condorcet(result: Results | Verdict, *, width: int) -> Picture:
    """Show the circle, where candidates on top beat each other in a circle, judge by judge."""
    results = result.evidence.results if isinstance(result, Verdict) else result
    relation, nouns, names = majority(results), results.nouns, results.candidates
    order = [i for tier in relation.layers for i in tier]
    podium = {*(result.order if isinstance(result, Verdict) else order)[:PODIUM]}
    circle = _circle_on_top(relation, podium)
    answer = _answer(relation, names, nouns)
    wins = " ".join(f"{name_of(names[i])}: {relation.wins[i]}." for i in order[:TOLD])
    alt = f"{answer} How many others each beats: {wins}"
    if not circle or len(circle) > MOST:
        return Picture.sentence(TITLE, answer, width, alt=alt)
    beaten = (*circle[1:], circle[0])
    rates = [float(relation.rates[i, j]) for i, j in zip(circle, beaten, strict=True)]
    shares = [f"{100 * rate:.1f} %" for rate in rates]
    if min(rates) < CLEAR:
        least = f"one wins on {100 * min(rates):.1f} % of the {nouns.judges()}"
        hardly = f"{_around(circle, names)}, but hardly: {least}."
        return Picture.sentence(TITLE, hardly, width, alt=alt)
    said = [
        f"{name_of(names[i])} beats {name_of(names[j])} on {share} of the {nouns.judges()}."
        for i, j, share in zip(circle, (*circle[1:], circle[0]), shares, strict=True)
    ]
    return Picture(
        view=_ring([names[i] for i in circle], [i in podium for i in circle], shares, width),
        title="A circle on top",
        see=f"{_around(circle, names)}. With the share of {nouns.judges()} that each wins, ties as "
        "half. Bold: on the podium.",
        alt=f"{alt} {' '.join(said)}",
    )


def _circle_on_top(relation: Majority, podium: set[int]) -> tuple[int, ...]:
    """Return a shortest circle with somebody of the podium; () where there is none."""
    for tier in relation.layers:
        if len(tier) > 2 and podium & set(tier):
            first = sorted(tier, key=lambda i: i not in podium)
            circle = relation.cycle(tuple(first))
            if podium & set(circle):
                return circle
    return ()


def _ring(
    names: Sequence[str], on_podium: Sequence[bool], shares: Sequence[str], width: int
) -> Spec:
    """Return the circle with its first member on top, each beating the next clockwise."""
    across, k = inner(width), len(names)
    room = min(0.3 * across, max(label_width(name) for name in names) + 12)
    radius = min(across / 2 - room, 130.0)
    centre = (across / 2, radius + 2 * LINE)
    turns = [2 * math.pi * i / k for i in range(k)]
    at = [(centre[0] + radius * math.sin(t), centre[1] - radius * math.cos(t)) for t in turns]
    tall = max(y for _, y in at) + 3 * LINE
    sides = [(at[i], at[(i + 1) % k]) for i in range(k)]
    arrows, labels = [], []
    for ((x1, y1), (x2, y2)), share in zip(sides, shares, strict=True):
        dx, dy = x2 - x1, y2 - y1
        turn = math.degrees(math.atan2(dx, -dy)) % 360
        start, end = (x1 + SHORT * dx, y1 + SHORT * dy), (x2 - SHORT * dx, y2 - SHORT * dy)
        arrows.append({"x": start[0], "y": start[1], "x2": end[0], "y2": end[1], "turn": turn})
        middle = ((x1 + x2) / 2, (y1 + y2) / 2)
        out = math.hypot(middle[0] - centre[0], middle[1] - centre[1]) or 1.0
        reach = 1 + 28 / out  # outside, where labels have room
        labels.append(
            (
                centre[0] + (middle[0] - centre[0]) * reach,
                centre[1] + (middle[1] - centre[1]) * reach,
                share,
            )
        )
    x, y = canvas(across, tall)
    members = data(
        {"x": px, "y": py, "candidate": name, "podium": top}
        for (px, py), name, top in zip(at, names, on_podium, strict=True)
    )
    lines = data(arrows)
    tip = {"shape": "triangle", "filled": True, "size": 70, "opacity": 1, "style": "muted"}
    dot = {"filled": True, "size": 90, "opacity": 1, "tooltip": "candidate:N"}
    layers = [
        mark("rule", lines, x=x, y=y, x2="x2:Q", y2="y2:Q", style="muted", strokeWidth=1.5),
        mark(
            "point",
            lines,
            x={**x, "field": "x2"},
            y={**y, "field": "y2"},
            angle=field("turn:Q", scale=None),
            **tip,
        ),
        mark("point", members, where="datum.podium", x=x, y=y, **dot, style="ink"),
        mark("point", members, where="!datum.podium", x=x, y=y, **dot, style="muted"),
        text_layer(labels, x, y, align="center"),
    ]
    for (px, py), turn, name, top in zip(at, turns, names, on_podium, strict=True):
        side = math.sin(turn)
        align = "center" if abs(side) < 0.2 else "left" if side > 0 else "right"
        shift = (0.0, -14.0 if math.cos(turn) > 0 else 14.0)
        if align != "center":
            shift = (math.copysign(10.0, side), 0.0)
        text = [(px + shift[0], py + shift[1], fitting(name, room))]
        weight = "bold" if top else "normal"
        layers.append(text_layer(text, x, y, align=align, fontWeight=weight))
    return framed(layer(*layers), width, tall, stiff=True)


def _answer(relation: Majority, names: Sequence[str], nouns: Nouns) -> str:
    """Say who beats all others, or that nobody does."""
    if relation.winner is not None:
        who = name_of(names[relation.winner])
        return f"{who} beats every other {nouns.candidate} on more {nouns.judges()} than not."
    circle = relation.cycle(relation.smith)
    who = f"{nouns.candidates(len(relation.smith))} beat all others, and none beats all of them"
    if len(relation.smith) == len(relation.beats):
        who = f"No {nouns.candidate} beats every other"
    return f"{who}: {_around(circle, names)}." if circle else f"{who}: there are draws on top."


def _around(circle: tuple[int, ...], names: Sequence[str]) -> str:
    called = [name_of(names[i]) for i in circle[:4]]
    back = ", and so on back to " if len(circle) > 4 else " beats "
    return f"{' beats '.join(called)}{back}{called[0]}"

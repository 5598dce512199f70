"""The majority relation as a graph: only what goes against the order is drawn."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from deadheat.core.errors import counted
from deadheat.core.types import Floats
from deadheat.data.results import Results
from deadheat.models.aggregation.ballots import Majority, majority
from deadheat.output.text import percent
from deadheat.report.charts.rows import beside, heading, height, name_of, name_room, prose
from deadheat.report.charts.spec import Spec, data, field, framed, layer, mark, tips
from deadheat.report.picture import Picture, draws
from deadheat.verdict.result import Verdict

Arc = tuple[int, int, bool]  # the upper and the lower place, and whether the lower wins

MOST = 30  # candidates that are shown
STEPS = 12  # pieces that an arc is drawn in
FLATTEST = 4  # rows that the widest arc spans, at least


@draws(Results, Verdict)
def condorcet(result: Results | Verdict, *, width: int) -> Picture:
    """Show who beats whom on more judges, and where that runs in a circle."""
    results = result.evidence.results if isinstance(result, Verdict) else result
    relation = majority(results)
    names = results.candidates
    order = [i for tier in relation.layers for i in tier]
    shown = order[:MOST]
    tier_of = {i: k for k, tier in enumerate(relation.layers) for i in tier}
    chart = data(
        {
            "candidate": names[i],
            "place": place,
            "top": place - 0.5,
            "bottom": place + 0.5,
            "odd": tier_of[i] % 2 == 0,
            "said": f"{relation.wins[i]} of {len(order) - 1}",
            "draws": int(relation.draws[i]),
            "x": 0,
        }
        for place, i in enumerate(shown)
    )
    exceptions = [
        (above, below, bool(relation.beats[shown[below], shown[above]]))
        for above in range(len(shown))
        for below in range(above + 1, len(shown))
        if not relation.beats[shown[above], shown[below]]
    ]
    reach = max([FLATTEST, *(below - above for above, below, _ in exceptions)])
    across = {"domain": [-0.06 * reach, 1.04 * reach], "nice": False}
    down = {"domain": [-0.5, len(shown) - 0.5], "reverse": True, "nice": False}
    x: Spec = {"axis": None, "scale": across}
    y: Spec = {"axis": None, "scale": down}
    at = field("place:Q", **y)
    hint = tips("candidate:N", ("said:N", "beats"), ("draws:Q", "level with"))
    band = {"y": field("top:Q", **y), "y2": "bottom:Q", "style": "faint", "opacity": 0.45}
    name = {"style": "ink", "align": "right", "dx": -4, "limit": name_room(width)}
    point = {"style": "accent", "filled": True, "size": 55, "opacity": 1}
    rates = relation.rates[np.ix_(shown, shown)]
    arcs = _arcs([names[i] for i in shown], rates, exceptions, x, y) if exceptions else []
    view = layer(
        mark("rect", chart, where="datum.odd", **band),
        mark("text", chart, x=0, y=at, text="candidate:N", tooltip=hint, **name),
        *arcs,
        mark("point", chart, x=field("x:Q", **x), y=at, tooltip=hint, **point),
        beside(chart, at, "said:N", fontSize=10),
        heading("beats", dx=8),
    )
    answer = _answer(relation, names)
    return Picture(
        view=framed(view, width, height(len(shown)), stiff=True),
        title="Who beats whom",
        see=f"{answer.rstrip('.')}; {_how(exceptions, len(order) - len(shown))}.",
        alt=f"{answer} Best first, with how many of {counted(len(order) - 1, 'other')} each "
        "beats on more judges: "
        + prose([f"{name_of(names[i])}: {relation.wins[i]}." for i in order])
        + f" {_circles(relation, names)}",
    )


def _arcs(names: list[str], rates: Floats, exceptions: list[Arc], x: Spec, y: Spec) -> list[Spec]:
    points = data(
        {
            "arc": k,
            "step": step,
            "x": round((below - above) * math.sin(math.pi * step / STEPS), 3),
            "place": round((above + below + (below - above) * turn) / 2, 3),
            "won": won,
        }
        for k, (above, below, won) in enumerate(exceptions)
        for step in range(STEPS + 1)
        for turn in [math.cos(math.pi * step / STEPS)]
    )
    heads = data(
        {
            "winner": names[below],
            "loser": names[above],
            "rate": rates[below, above],
            "middle": (above + below) / 2,
            "out": below - above,
        }
        for above, below, won in exceptions
        if won
    )
    hint = tips("winner:N", ("loser:N", "beats"), ("rate:Q", "share of judges", ".0%"))
    lines: Spec = {"detail": "arc:N", "order": "step:Q"}
    lines |= {"x": field("x:Q", **x), "y": field("place:Q", **y)}
    level = {"style": "muted", "strokeWidth": 1, "strokeDash": [2, 3]}
    upset = {"style": "second", "strokeWidth": 1.5, "opacity": 0.85}
    head = {"style": "second", "filled": True, "shape": "triangle-up", "size": 60, "opacity": 1}
    tip = {"x": field("out:Q", **x), "y": field("middle:Q", **y), "tooltip": hint}
    return [
        mark("line", points, where="!datum.won", **lines, **level),
        mark("line", points, where="datum.won", **lines, **upset),
        mark("point", heads, **tip, **head),
    ]


def _how(found: list[Arc], hidden: int) -> str:
    rest = f"; {counted(hidden, 'candidate')} below are left out" if hidden else ""
    upsets = sum(won for *_, won in found)
    how = "everybody beats all listed below"
    if upsets:
        how += ", except where an arrow leads up to somebody beaten from below"
    if len(found) > upsets:
        how += ", and level where the line is dotted" if upsets else ", or is level (dotted lines)"
    return f"{how}{rest}"


def _answer(relation: Majority, names: Sequence[str]) -> str:
    if relation.winner is not None:
        return f"{name_of(names[relation.winner])} beats everybody else on more judges than not."
    circle = relation.cycle(relation.smith)
    who = f"{len(relation.smith)} candidates beat all others, and nobody beats all of them"
    if len(relation.smith) == len(relation.beats):
        who = "No candidate beats everybody else"
    if not circle:
        return f"{who}: there are draws on top."
    return f"{who}: {_around(circle, names)}."


def _around(circle: tuple[int, ...], names: Sequence[str]) -> str:
    called = [name_of(names[i]) for i in circle[:4]]
    back = ", and so on back to " if len(circle) > 4 else " beats "
    return f"{' beats '.join(called)}{back}{called[0]}"


def _circles(relation: Majority, names: Sequence[str]) -> str:
    found = [relation.cycle(layer) for layer in relation.layers if len(layer) > 2]
    found = [circle for circle in found if circle]
    if not found:
        return "There is no circle."
    i, j = found[0][:2]
    share = percent(float(relation.rates[i, j]))
    return (
        f"In {counted(len(found), 'layer')} candidates beat each other in a circle, such as "
        f"{_around(found[0], names)}; the first of these wins on {share} of the judges."
    )

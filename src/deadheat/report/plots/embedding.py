"""Data sets as points, by the ratings of the same settings."""

from __future__ import annotations

from typing import Any

import altair as alt
import numpy as np

from deadheat.core.errors import counted
from deadheat.output.text import number, percent
from deadheat.ranking.ranks import best_first
from deadheat.rate.tournaments import PLURALS, RatingParts
from deadheat.report.charts.placement import Frame, fitting, placed, unnamed
from deadheat.report.charts.rows import data, framed, name_of, told
from deadheat.report.picture import Picture, draws

AXES = 50  # pixels that the axis and its title take
MOST_ARROWS = 12
LONGEST = 0.3  # of the picture, that a label may take


@draws(RatingParts, figure="Gosiewska et al. (2019), figure 4")
def embedding(rated: RatingParts, *, width: int) -> Picture:
    """Show which data sets rate the settings alike: a map of them, with arrows for settings."""
    found = rated.embedding()
    points, arrows = _plane(found.points), _plane(found.arrows)
    far = best_first(np.hypot(*arrows.T))[:MOST_ARROWS].tolist()
    inner = width - AXES
    frame = Frame.square(np.vstack([points, arrows[far], [[0.0, 0.0]]]), inner, inner * 0.8)
    dots = [frame.pixel(*place) for place in points.tolist()]
    tips = [frame.pixel(*arrows[k].tolist()) for k in far]
    order = best_first(np.hypot(*(points - points.mean(axis=0)).T)).tolist()
    names = [*(found.data_sets[d] for d in order), *(found.settings[k] for k in far)]
    short = [fitting(name, LONGEST * width) for name in names]
    places = placed([*(dots[d] for d in order), *tips], short, width=inner, height=inner * 0.8)
    labels = [
        {"x": x, "y": y, "label": label, "kind": "set" if k < len(order) else "setting"}
        for k, (box, label) in enumerate(zip(places, short, strict=True))
        if box is not None
        for x, y in [frame.number(box.x, box.y)]
    ]
    shares = [*map(percent, found.shares.tolist()), percent(0.0)]
    axis = alt.Axis(tickCount=5, grid=True)
    x = frame.x(title=f"component 1 ({shares[0]} of the variance)", axis=axis)
    y = frame.y(title=f"component 2 ({shares[1]})", axis=axis)
    sets = data(
        {"x": a, "y": b, "name": name}
        for (a, b), name in zip(points.tolist(), found.data_sets, strict=True)
    )
    heads = data(
        {"x": 0.0, "y": 0.0, "x2": a, "y2": b, "name": found.settings[k], "turn": turn}
        for k in far
        for a, b in [arrows[k].tolist()]
        for turn in [float(np.degrees(np.arctan2(a, b)) % 360)]  # from up, to the right
    )
    layers = [
        heads.mark_rule(style="second", strokeWidth=1.2, opacity=0.6).encode(
            x=x,
            y=y,
            x2=alt.X2("x2:Q"),
            y2=alt.Y2("y2:Q"),
            tooltip=alt.Tooltip("name:N", title="setting"),
        ),
        heads.mark_point(style="second", shape="triangle", filled=True, size=40, opacity=1).encode(
            x=alt.X("x2:Q"),
            y=alt.Y("y2:Q"),
            angle=alt.Angle("turn:Q", scale=None),
            tooltip=alt.Tooltip("name:N"),
        ),
        sets.mark_circle(style="accent", size=60, opacity=1).encode(
            x=x, y=y, tooltip=alt.Tooltip("name:N", title=rated.noun)
        ),
        *(
            data([row for row in labels if row["kind"] == kind])
            .mark_text(style=style, fontSize=11)
            .encode(x=x, y=y, text=alt.Text("label:N"))
            for kind, style in (("set", "ink"), ("setting", "second"))
            if any(row["kind"] == kind for row in labels)
        ),
    ]
    plural, most = PLURALS[rated.noun], len(far)
    which = "" if most == len(found.settings) else f" of the {most} most telling settings"
    said = [
        f"{name_of(name)} at {', '.join(number(v, 2) for v in place)}."
        for name, place in zip(found.data_sets, found.points.tolist(), strict=True)
    ]
    return Picture(
        chart=framed(alt.layer(*layers), width, round(inner * 0.8), stiff=True),
        title=f"map of the {plural}",
        see=f"{plural.capitalize()} that lie close together rate the settings alike; an arrow"
        f"{which} points to the {plural} where that setting does better than elsewhere"
        f"{unnamed(places, 'point')}.",
        alt=f"Map of {counted(len(said), rated.noun, plural)}, which shows "
        f"{percent(min(1.0, float(found.shares.sum())))} of the variance of their ratings. "
        + told(said),
    )


def _plane(places: Any) -> Any:
    """Return places (k, 2), also where there is one component only."""
    return places if places.shape[1] == 2 else np.column_stack([places[:, 0], 0 * places[:, 0]])

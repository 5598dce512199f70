"""Labels of points as layers of a chart: text beside its point, joined to it where further off."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, get_args

import altair as alt

from deadheat.errors import counted
from deadheat.report.marks import data
from deadheat.report.placement import Box, Frame

LEADER = 16  # pixels from a point, beyond which a line joins its label
Side = Literal["left", "center", "right"]
SIDES: tuple[Side, ...] = get_args(Side)


def label_layers(
    frame: Frame,
    pixels: Sequence[tuple[float, float]],
    texts: Sequence[str],
    boxes: Sequence[Box | None],
    *,
    x: alt.X,
    y: alt.Y,
    style: str = "ink",
) -> list[Any]:
    """Return the layers of labels that have a place, and of the lines to those that need one."""
    leaders: list[dict[str, Any]] = []
    labels: dict[Side, list[dict[str, Any]]] = {side: [] for side in SIDES}
    for (px, py), text, box in zip(pixels, texts, boxes, strict=True):
        if box is None:
            continue
        side = _side(px, box)
        edges = {"left": box.x - box.width / 2 + 1, "right": box.x + box.width / 2 - 1}
        edge = edges.get(side, box.x)
        at = frame.number(edge, box.y)
        labels[side].append({"text": text, "x": at[0], "y": at[1]})
        gap = abs(box.x - px) - box.width / 2
        if gap > LEADER or abs(box.y - py) > LEADER:
            start, end = frame.number(px, py), frame.number(edge, _near(py, box))
            leaders.append({"x": start[0], "y": start[1], "x2": end[0], "y2": end[1]})
    drawn = [
        data(labels[side])
        .mark_text(align=side, baseline="middle", style=style)
        .encode(x=x, y=y, text="text:N")
        for side in SIDES
        if labels[side]
    ]
    lines = data(leaders).mark_rule(style="muted", opacity=0.5)
    return [*([lines.encode(x=x, y=y, x2="x2:Q", y2="y2:Q")] if leaders else []), *drawn]


def unnamed(boxes: Sequence[Box | None], what: str, *, more: int = 0) -> str:
    """Return how many points have no label for want of room, as the end of a sentence.

    ``more`` are those whose labels were not even tried.
    """
    number = sum(box is None for box in boxes) + more
    if not number:
        return ""
    verb = "has" if number == 1 else "have"
    return f"; {counted(number, what)} {verb} no room for a name"


def _side(px: float, box: Box) -> Side:
    """Return how a label is aligned: so that it begins, or ends, beside its point."""
    if box.x - box.width / 2 >= px:
        return "left"
    return "right" if box.x + box.width / 2 <= px else "center"


def _near(py: float, box: Box) -> float:
    """Return the height at which a line meets a label."""
    half = box.height / 2
    if abs(py - box.y) <= half:
        return box.y
    return box.y + half if py > box.y else box.y - half

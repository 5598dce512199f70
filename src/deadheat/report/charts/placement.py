"""Where labels go so that none covers another: pixels in, pixels out."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any, Literal, get_args

import altair as alt

from deadheat.core.errors import counted, visible
from deadheat.output.text import cut, width_of
from deadheat.report.charts.rows import data, framed

LETTER = 6.1  # pixels that a letter of 11 pixels takes, on average and a little more
LINE = 13  # pixels from a line to the next
PADDING = 5  # pixels that Vega leaves around a picture, on every side
NEAR = ((1, 0), (-1, 0), (0, -1), (0, 1), (1, -1), (-1, -1), (1, 1), (-1, 1))
FAR = (22, 34, 48, 64, 84)


@dataclass(frozen=True)
class Box:
    x: float
    y: float
    width: float
    height: float

    def meets(self, other: Box) -> bool:
        return (
            abs(self.x - other.x) * 2 < self.width + other.width
            and abs(self.y - other.y) * 2 < self.height + other.height
        )

    def inside(self, width: float, height: float) -> bool:
        return (
            self.width / 2 <= self.x <= width - self.width / 2
            and self.height / 2 <= self.y <= height - self.height / 2
        )


def label_width(text: str) -> float:
    return LETTER * width_of(text) + 2


def fitting(name: str, pixels: float) -> str:
    """Return a name as it can be shown in so many pixels, cut in its middle."""
    return cut(visible(name), max(3, int(pixels / LETTER)))


def placed(
    points: Sequence[tuple[float, float]],
    labels: Sequence[str],
    *,
    width: float,
    height: float,
    taken: Sequence[tuple[float, float]] = (),
    far: bool = False,
) -> list[Box | None]:
    """Return a place for the label of each point, the first points first; None where none is free.

    Labels cover neither each other nor a point, also not one that is ``taken`` by something else,
    and stay inside the picture. ``far`` lets them stand further off, where a line must join them.
    """
    blocked = [Box(x, y, 6, 6) for x, y in (*points, *taken)]
    found: list[Box | None] = []
    for (x, y), label in zip(points, labels, strict=True):
        size = label_width(label)
        choices = [
            Box(x + a * (size / 2 + 6), y + b * (9 if a else 11), size, LINE) for a, b in NEAR
        ]
        for reach in FAR if far else ():
            choices += [Box(x + a * (size / 2 + reach), y + b * reach, size, LINE) for a, b in NEAR]
        free = (
            box
            for box in choices
            if box.inside(width, height) and not any(box.meets(other) for other in blocked)
        )
        chosen = next(free, None)
        found.append(chosen)
        if chosen is not None:
            blocked.append(chosen)
    return found


def spread(places: Sequence[float], *, gap: float, low: float, high: float) -> list[float]:
    """Return places at least ``gap`` apart in the same order, each near its own.

    They stay between ``low`` and ``high`` as long as there is room.

    >>> spread([5.0, 5.0, 30.0], gap=10, low=0, high=100)
    [5.0, 15.0, 30.0]
    """
    order = sorted(range(len(places)), key=lambda k: places[k])
    found = list(places)
    floor = low
    for k in order:
        found[k] = max(found[k], floor)
        floor = found[k] + gap
    ceiling = high
    for k in reversed(order):
        found[k] = min(found[k], ceiling)
        ceiling = found[k] - gap
    return found


@dataclass(frozen=True)
class Frame:
    """Turn numbers into pixels of a view and back, with the same scale on both axes if asked."""

    width: float
    height: float
    across: tuple[float, float]
    up: tuple[float, float]

    @classmethod
    def square(cls, points: Any, width: float, height: float) -> Frame:
        """Return a frame around points (k, 2), a unit as long on both axes, with a margin."""
        low, high = points.min(axis=0), points.max(axis=0)
        middle = (low + high) / 2
        unit = max((high[0] - low[0]) / (width * 0.72), (high[1] - low[1]) / (height * 0.76))
        unit = float(unit) if unit > 0 else 1.0
        x, y = unit * width / 2, unit * height / 2
        across, up = map(float, middle)
        return cls(width, height, (across - x, across + x), (up - y, up + y))

    def pixel(self, x: float, y: float) -> tuple[float, float]:
        across = (x - self.across[0]) / (self.across[1] - self.across[0])
        up = (y - self.up[0]) / (self.up[1] - self.up[0])
        return across * self.width, (1 - up) * self.height

    def number(self, x: float, y: float) -> tuple[float, float]:
        across = self.across[0] + x / self.width * (self.across[1] - self.across[0])
        return across, self.up[0] + (1 - y / self.height) * (self.up[1] - self.up[0])

    def x(self, **axis: Any) -> alt.X:
        return alt.X("x:Q", scale=alt.Scale(domain=list(self.across), nice=False), **axis)

    def y(self, **axis: Any) -> alt.Y:
        return alt.Y("y:Q", scale=alt.Scale(domain=list(self.up), nice=False), **axis)


def inner(width: int) -> int:
    return width - 2 * PADDING


def pixels_across(width: float, field: str = "x") -> alt.X:
    return alt.X(f"{field}:Q", scale=alt.Scale(domain=[0, width], nice=False), axis=None)


def pixels_down(height: float, field: str = "y") -> alt.Y:
    return alt.Y(f"{field}:Q", scale=alt.Scale(domain=[height, 0], nice=False), axis=None)


def written(rows: Iterable[Mapping[str, Any]], x: alt.X, y: alt.Y, **look: Any) -> Any:
    return data(rows).mark_text(baseline="middle", **look).encode(x=x, y=y, text=alt.Text("text:N"))


def said(text: str, width: int) -> Any:
    line = [{"x": 0, "y": 0.5, "text": text}]
    return written(line, pixels_across(inner(width)), pixels_down(1), align="left")


def ticks(low: float, high: float, most: int) -> list[float]:
    """Return round numbers between two ends, evenly apart: at least two, and about ``most``.

    >>> ticks(0.73, 0.78, 2), ticks(0.0, 1.0, 3)
    ([0.74, 0.76, 0.78], [0.0, 0.5, 1.0])
    """
    found: list[float] = []
    for power in count(math.ceil(math.log10(high - low)), -1):
        for digit in (5, 2, 1):
            step = digit * 10.0**power
            first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
            finer = [round(k * step, 12) for k in range(first, last + 1)]
            if len(found) >= 2 and len(finer) > most:
                return found
            found = finer
    raise AssertionError  # pragma: no cover


def drawing(chart: Any, width: int, height: float) -> Any:
    return framed(chart, width, round(height), stiff=True)


# ------------------------------------------------------------------------------
# Labels of points as layers of a chart: text beside its point, joined to it where further off.

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
        side: Side = "center"  # or so that it begins, or ends, beside its point
        if box.x - box.width / 2 >= px:
            side = "left"
        elif box.x + box.width / 2 <= px:
            side = "right"
        edges = {"left": box.x - box.width / 2 + 1, "right": box.x + box.width / 2 - 1}
        edge = edges.get(side, box.x)
        at = frame.number(edge, box.y)
        labels[side].append({"text": text, "x": at[0], "y": at[1]})
        gap = abs(box.x - px) - box.width / 2
        if gap > LEADER or abs(box.y - py) > LEADER:
            half = box.height / 2
            meets = box.y if abs(py - box.y) <= half else box.y + math.copysign(half, py - box.y)
            start, end = frame.number(px, py), frame.number(edge, meets)
            leaders.append({"x": start[0], "y": start[1], "x2": end[0], "y2": end[1]})
    drawn = [written(labels[side], x, y, align=side, style=style) for side in SIDES if labels[side]]
    lines = data(leaders).mark_rule(style="muted", opacity=0.5)
    return [
        *([lines.encode(x=x, y=y, x2=alt.X2("x2:Q"), y2=alt.Y2("y2:Q"))] if leaders else []),
        *drawn,
    ]


def unnamed(boxes: Sequence[Box | None], what: str, *, more: int = 0) -> str:
    """Return how many points have no label for want of room, as the end of a sentence.

    ``more`` are those whose labels were not even tried.
    """
    number = sum(box is None for box in boxes) + more
    if not number:
        return ""
    verb = "has" if number == 1 else "have"
    return f"; {counted(number, what)} {verb} no room for a name"

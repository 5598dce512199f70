"""Where labels go so that none covers another: pixels in, pixels out."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from deadheat.core.errors import counted, visible
from deadheat.output.text import shorten, width_of
from deadheat.report.charts.spec import Spec, data, field, mark

LETTER = 6.6  # pixels that a letter of 12 pixels takes, on average and a little more
LINE = 14  # pixels from a line to the next
PADDING = 5  # pixels that Vega leaves around a picture, on every side
NEAR = ((1, 0), (-1, 0), (0, -1), (0, 1), (1, -1), (-1, -1), (1, 1), (-1, 1))
FAR = (22, 34, 48, 64, 84)
LEADER = 16  # pixels from a point, beyond which a line joins its label

Pixels = Sequence[tuple[float, float]]
Names = Sequence[str]


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


Boxes = Sequence[Box | None]


def label_width(text: str) -> float:
    return LETTER * width_of(text) + 2


def fitting(name: str, pixels: float) -> str:
    """Return a name as it can be shown in so many pixels, cut in its middle."""
    return shorten(visible(name), max(3, int(pixels / LETTER)))


def place_labels(
    at: Pixels, labels: Names, *, width: float, height: float, taken: Pixels = (), far: bool = False
) -> list[Box | None]:
    """Return a place for the label of each point, the first ones first; None where none is free.

    Labels cover neither each other nor a point, also not one that is ``taken`` by something else,
    and stay inside the picture. ``far`` lets them stand further off, where a line must join them.
    """
    blocked = [Box(x, y, 6, 6) for x, y in (*at, *taken)]
    found: list[Box | None] = []
    for (x, y), label in zip(at, labels, strict=True):
        size = label_width(label)
        steps = [(a * (size / 2 + 6), b * (9 if a else 11)) for a, b in NEAR]
        steps += [(a * (size / 2 + r), b * r) for r in (FAR if far else ()) for a, b in NEAR]
        boxes = (Box(x + right, y + down, size, LINE) for right, down in steps)
        free = (
            box
            for box in boxes
            if box.inside(width, height) and not any(box.meets(other) for other in blocked)
        )
        found.append(next(free, None))
        blocked += [box for box in found[-1:] if box is not None]
    return found


def spread_apart(places: Sequence[float], *, gap: float, low: float, high: float) -> list[float]:
    """Return places at least ``gap`` apart in the same order, each near its own.

    They stay between ``low`` and ``high`` as long as there is room.

    >>> spread_apart([5.0, 5.0, 30.0], gap=10, low=0, high=100)
    [5.0, 15.0, 30.0]
    """
    order = sorted(range(len(places)), key=lambda k: places[k])
    found = list(places)
    floor, ceiling = low, high
    for k in order:
        found[k] = max(found[k], floor)
        floor = found[k] + gap
    for k in reversed(order):
        found[k] = min(found[k], ceiling)
        ceiling = found[k] - gap
    return found


@dataclass(frozen=True)
class Frame:
    """Turn numbers into pixels of a view and back."""

    width: float
    height: float
    across: tuple[float, float]
    up: tuple[float, float]

    @classmethod
    def square(cls, points: Any, width: float, height: float) -> Frame:
        """Return a frame around points (k, 2), a unit as long on both axes, with a margin."""
        low, high = points.min(axis=0), points.max(axis=0)
        unit = max((high[0] - low[0]) / (width * 0.72), (high[1] - low[1]) / (height * 0.76))
        unit = float(unit) if unit > 0 else 1.0
        x, y = unit * width / 2, unit * height / 2
        across, up = map(float, (low + high) / 2)
        return cls(width, height, (across - x, across + x), (up - y, up + y))

    def pixel(self, x: float, y: float) -> tuple[float, float]:
        across = (x - self.across[0]) / (self.across[1] - self.across[0])
        up = (y - self.up[0]) / (self.up[1] - self.up[0])
        return across * self.width, (1 - up) * self.height

    def pixels(self, points: Any) -> list[tuple[float, float]]:
        return [self.pixel(float(x), float(y)) for x, y in points]

    def number(self, x: float, y: float) -> tuple[float, float]:
        across = self.across[0] + x / self.width * (self.across[1] - self.across[0])
        return across, self.up[0] + (1 - y / self.height) * (self.up[1] - self.up[0])

    def x(self, **axis: Any) -> Spec:
        return field("x:Q", scale={"domain": list(self.across), "nice": False}, **axis)

    def y(self, **axis: Any) -> Spec:
        return field("y:Q", scale={"domain": list(self.up), "nice": False}, **axis)


def powers(low: float, high: float, *, most: int = 8) -> list[float]:
    """Return round numbers for a logarithmic axis: powers of ten, or where they are few 1, 2, 5.

    By itself Vega draws a line at each digit.

    >>> powers(0.2, 6, most=6), powers(0.001, 1000, most=4)
    ([0.2, 0.5, 1.0, 2.0, 5.0], [0.001, 0.1, 10.0, 1000.0])
    """
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    for digits in ((1, 2, 5), (1, 3), (1,)):
        found = [float(f"{d}e{k}") for k in range(first, last + 1) for d in digits]
        found = [value for value in found if low <= value <= high]
        if len(found) <= most:
            return found
    return found[:: -(-len(found) // most)]


def inner(width: int) -> int:
    return width - 2 * PADDING


def canvas(width: float, height: float, x: str = "x", y: str = "y") -> tuple[Spec, Spec]:
    """Return the axes, which nobody sees, of a picture that is laid out in pixels."""
    across, down = {"domain": [0, width], "nice": False}, {"domain": [height, 0], "nice": False}
    return field(f"{x}:Q", scale=across, axis=None), field(f"{y}:Q", scale=down, axis=None)


def text_layer(texts: Iterable[tuple[float, float, str]], x: Spec, y: Spec, **look: Any) -> Spec:
    rows = data({"x": across, "y": down, "text": text} for across, down, text in texts)
    return mark("text", rows, x=x, y=y, text="text:N", baseline="middle", **look)


def label_layers(
    frame: Frame, pixels: Pixels, texts: Names, boxes: Boxes, x: Spec, y: Spec, style: str = "ink"
) -> list[Spec]:
    """Return the layers of labels that have a place, and of the lines to those further off."""
    leaders: list[dict[str, Any]] = []
    labels: dict[str, list[dict[str, Any]]] = {"left": [], "center": [], "right": []}
    for (px, py), text, box in zip(pixels, texts, boxes, strict=True):
        if box is None:
            continue
        # A label begins, or ends, beside its point, or stands above or below it.
        side, edge = "center", box.x
        if box.x - box.width / 2 >= px:
            side, edge = "left", box.x - box.width / 2 + 1
        elif box.x + box.width / 2 <= px:
            side, edge = "right", box.x + box.width / 2 - 1
        at = frame.number(edge, box.y)
        labels[side].append({"text": text, "x": at[0], "y": at[1]})
        if abs(box.x - px) - box.width / 2 > LEADER or abs(box.y - py) > LEADER:
            half = box.height / 2
            meets = box.y if abs(py - box.y) <= half else box.y + math.copysign(half, py - box.y)
            start, end = frame.number(px, py), frame.number(edge, meets)
            leaders.append({"x": start[0], "y": start[1], "x2": end[0], "y2": end[1]})
    ends: Spec = {"x": x, "y": y, "x2": "x2:Q", "y2": "y2:Q"}
    lines = [mark("rule", data(leaders), **ends, style="muted", opacity=0.5)] if leaders else []
    look: Spec = {"text": "text:N", "baseline": "middle", "style": style}
    return lines + [
        mark("text", data(rows), x=x, y=y, **look, align=side)
        for side, rows in labels.items()
        if rows
    ]


def place_and_label(
    frame: Frame, points: Any, names: Names, share: float, x: Spec, y: Spec
) -> tuple[list[Spec], list[Box | None]]:
    """Return the layers of labels, each of at most a share of the width, and their places."""
    pixels = frame.pixels(points)
    texts = [fitting(name, share * frame.width) for name in names]
    boxes = place_labels(pixels, texts, width=frame.width, height=frame.height, far=True)
    return label_layers(frame, pixels, texts, boxes, x, y), boxes


def unlabelled_note(boxes: Boxes, what: str) -> str:
    """Return how many points have no label for want of room, as the end of a sentence."""
    number = sum(box is None for box in boxes)
    if not number:
        return ""
    return f"; {counted(number, what)} {'has' if number == 1 else 'have'} no room for a name"

"""Where the words of an SVG stand: boxes of letters, to see which cover each other or are cut."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

SVG = "{http://www.w3.org/2000/svg}"
STEP = re.compile(r"(translate|rotate|scale)\(([^)]*)\)")
RISE, FALL = 0.72, 0.2  # of the size of the letters, above and below the line that they stand on
# Widths of Helvetica, whose metrics Arial and Liberation Sans share (Adobe's Helvetica.afm), from
# the blank on, in thousandths of the size; other letters are taken as wide as a digit.
# fmt: off
WIDTHS = (
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556,
    556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667,
    611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667,
    667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500,
    222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
)
# fmt: on
OTHERS = {"…": 1000, "\u2013": 556, "\u2003": 1000, "\u2212": 584}


@dataclass(frozen=True)
class Word:
    """Hold a text and the corners (4, 2) of its box in pixels."""

    text: str
    corners: np.ndarray

    def covers(self, other: Word) -> bool:
        """Whether two boxes share more than half a pixel: no line separates them."""
        for one in (self, other):
            for k in range(2):
                side = one.corners[k + 1] - one.corners[k]
                side = side / (np.hypot(*side) or 1.0)
                a, b = one.corners @ side, (other if one is self else self).corners @ side
                if min(a.max(), b.max()) - max(a.min(), b.min()) < 0.5:
                    return False
        return True


def words(svg: str) -> list[Word]:
    """All texts that can be seen, without blank ones."""
    root = ET.fromstring(svg)
    return [word for word in _texts(root, np.eye(3)) if word.text.strip()]


def covered(svg: str) -> list[tuple[str, str]]:
    """Pairs of texts that cover each other."""
    found = words(svg)
    if len(found) < 2:
        return []
    low = np.stack([word.corners.min(axis=0) for word in found])
    high = np.stack([word.corners.max(axis=0) for word in found])
    near = ((low[:, None] < high[None]) & (low[None] < high[:, None])).all(axis=2)
    pairs = np.argwhere(np.triu(near, 1)).tolist()
    return [(found[a].text, found[b].text) for a, b in pairs if found[a].covers(found[b])]


def cut_off(svg: str, slack: float = 1.5) -> list[str]:
    """Texts that stand out of the picture."""
    root = ET.fromstring(svg)
    size = np.array([float(root.attrib["width"]), float(root.attrib["height"])])
    return [
        word.text
        for word in words(svg)
        if (word.corners < -slack).any() or (word.corners > size + slack).any()
    ]


def length(text: str, size: float, *, bold: bool = False) -> float:
    """How many pixels a text takes."""
    each = (
        WIDTHS[ord(c) - 32] if 32 <= ord(c) < 32 + len(WIDTHS) else OTHERS.get(c, 556) for c in text
    )
    return sum(each) / 1000 * size * (1.07 if bold else 1.0)


def _texts(node: ET.Element, above: np.ndarray) -> Iterator[Word]:
    if node.attrib.get("opacity") == "0" or node.attrib.get("display") == "none":
        return
    place = above @ _matrix(node.attrib.get("transform", ""))
    if node.tag == f"{SVG}text":
        size = float(node.attrib["font-size"].removesuffix("px"))
        bold = node.attrib.get("font-weight") == "bold"
        down = 0.0
        for line in node.findall(f"{SVG}tspan") or [node]:
            down += float(line.attrib.get("dy", 0.0)) if line is not node else 0.0
            text = "".join(line.itertext())
            wide = length(text, size, bold=bold)
            start = {"end": -1.0, "middle": -0.5}.get(node.attrib.get("text-anchor", ""), 0.0)
            left, right = start * wide, (start + 1) * wide
            top, bottom = down - RISE * size, down + FALL * size
            box = [[left, top, 1], [right, top, 1], [right, bottom, 1], [left, bottom, 1]]
            yield Word(text, (np.array(box) @ place.T)[:, :2])
        return
    for child in node:
        yield from _texts(child, place)


def _matrix(transform: str) -> np.ndarray:
    found = np.eye(3)
    for name, given in STEP.findall(transform):
        numbers = [float(each) for each in re.split(r"[ ,]+", given.strip())]
        step = np.eye(3)
        if name == "translate":
            step[:2, 2] = [numbers[0], numbers[1] if len(numbers) > 1 else 0.0]
        elif name == "scale":
            step[0, 0], step[1, 1] = numbers[0], numbers[-1]
        else:
            turn = np.radians(numbers[0])
            step[:2, :2] = [[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]]
        found = found @ step
    return found

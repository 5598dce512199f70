"""Cells by rows and columns: means over blocks, heat maps, and small panels with one axis."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from deadheat.core.errors import visible
from deadheat.core.types import Floats
from deadheat.report.charts.pixels import PADDING, label_width
from deadheat.report.charts.rows import height, name_room, names_axis
from deadheat.report.charts.spec import Spec, data, field, framed, layer, lookup, mark
from deadheat.report.charts.theme import LETTERS

Names = Sequence[str]
Marks = Sequence[tuple[str, Spec]]
WIDE_ENOUGH = 18  # pixels that a number of two digits takes
NARROWEST, CLOSEST = 110, 64  # pixels across a panel, and where they must fit a page
GAP = 14
EDGE = 24  # pixels for what stands over: the padding of Vega and the last number of an axis
DENSE, LEAST = 15, 3  # pixels a row takes, and where panels must fit a page
HEADING = 44  # pixels a panel takes for its title and its axis
READABLE = 12  # pixels a row takes that has room for its name
FEW = 6  # rows, of which each has room for its name
ALL_ROWS = 100  # of a single panel, which all have room
TALLEST = 1.35  # of the width: a page
MOST_PANELS = 24
MOST_ROWS = 2_000  # in all panels


def block_means(matrix: Floats, blocks: Sequence[Sequence[int]]) -> Floats:
    """Return the mean of a matrix of pairs (n, n) over each pair of blocks of candidates.

    Nobody meets himself, so the diagonal plays no part; NaN where no pair is left.
    """
    n = len(matrix)
    there = ~np.eye(n, dtype=bool) & ~np.isnan(matrix)
    of_block = np.zeros((len(blocks), n))
    for k, block in enumerate(blocks):
        of_block[k, list(block)] = 1
    sums = of_block @ np.where(there, matrix, 0.0) @ of_block.T
    counts = of_block @ there @ of_block.T
    return np.divide(sums, counts, out=np.full_like(sums, np.nan), where=counts > 0)


def _in_order_of(name: str) -> dict[str, str]:
    return {"field": name, "op": "min"}


def heat(
    cells: list[Spec], rows: Names, columns: Names, width: int, *, upright: bool = True, **look: Any
) -> Spec:
    """Return the chart of cells, which have ``i`` and ``j`` as numbers of rows and columns.

    It looks by ``color``, ``tooltip``, ``text`` and ``deep``, the condition under which a cell is
    so deep that its text is as the background. Names of rows and columns are kept once, not in each
    cell; those of columns stand ``upright`` where they have no room to lie.
    """
    deep, text = look.pop("deep"), look.pop("text")
    room = name_room(width)
    row_names, longest = (
        min(room, max(label_width(visible(name)) for name in names)) for names in (rows, columns)
    )
    each = (width - row_names - 2 * PADDING) / max(len(columns), 1)
    top = names_axis(room, columns, orient="top", labelSeparation=5)
    top |= {"labelAngle": 0 if longest <= each or not upright else -90, "labelOverlap": not upright}
    x = field("column:N", sort=_in_order_of("j"), title=None, axis=top)
    y = field("row:N", sort=_in_order_of("i"), title=None, axis=names_axis(room, rows))
    base = lookup(data(cells), "i", ({"i": i, "row": name} for i, name in enumerate(rows)))
    base = lookup(base, "j", ({"j": j, "column": name} for j, name in enumerate(columns)))
    layers = [mark("rect", base, x=x, y=y, **look)]
    if each >= WIDE_ENOUGH:
        for style, test in (("paper", deep), ("ink", f"!({deep})")):
            inside = {"where": f"isValid(datum.v) && ({test})", "style": style}
            layers.append(mark("text", base, x=x, y=y, text=text, **inside))
    return framed(layer(*layers), width, height(len(rows)), stiff=True)


# ------------------------------------------------------------------------------
# Several small pictures with one axis, one per data set.


def first_parts(parts: Mapping[str, Any], rows: int) -> list[str]:
    return list(parts)[: max(1, min(MOST_PANELS, MOST_ROWS // max(rows, 1)))]


def only_some(parts: Mapping[str, Any], shown: Sequence[str]) -> str:
    if len(shown) == len(parts):
        return ""
    return f" (the first {len(shown):,} of {len(parts):,} are drawn)"


def panels(
    records: Iterable[Spec], marks: Marks, *, names: Names, titles: Names, width: int, unit: str
) -> Spec:
    """Return a panel of ratings for each title, with a row for each name.

    Records and marks (kind and look) speak of a ``row`` (a number), and of ``panel`` (a number);
    names are kept once. The axis across, called a rating in that ``unit``, stands below each
    column; below each panel where the last row has gaps, as Vega would draw it below these. Where
    that would be longer than a page, panels are narrower and rows lower, and names stand where
    there is room.
    """
    labels = min(name_room(width), max(label_width(visible(name)) for name in names) + 6)
    inside = width - labels - EDGE
    step = 0.0
    for narrowest in (NARROWEST, CLOSEST):
        if step < DENSE:
            columns = max(1, min(len(titles), int((inside + GAP) // (narrowest + GAP))))
            tall = TALLEST * width / -(-len(titles) // columns) - HEADING
            least = READABLE if len(names) <= FEW else LEAST
            step = min(DENSE, max(least, tall / len(names)))
    if len(titles) == 1 and len(names) <= ALL_ROWS:
        step = DENSE
    each = int((inside - GAP * (columns - 1)) // columns)
    axis = names_axis(int(labels), names, minExtent=labels, maxExtent=labels)
    axis |= {"labelOverlap": "greedy"} if step < READABLE else {}
    scale = {"padding": 0.15}
    y = field("name:N", sort=_in_order_of("row"), title=None, scale=scale, axis=axis)
    rows = ({"row": i, "name": name} for i, name in enumerate(names))
    heads = ({"panel": k, "title": title} for k, title in enumerate(titles))
    view = layer(*(mark(kind, y=y, **look) for kind, look in marks))
    head: Spec = {"labels": False}
    if len(titles) > 1:
        head = {"labelLimit": each, "labelAnchor": "start", "labelOrient": "top", "labelPadding": 3}
    head |= {"title": f"rating ({unit})", "titleOrient": "bottom"}
    head |= {"titleFontSize": LETTERS, "titleFontWeight": "normal"}
    return {
        **lookup(lookup(data(records), "row", rows), "panel", heads),
        "facet": field("title:N", sort=_in_order_of("panel"), header=head),
        "spec": {**view, "width": each, "height": round(len(names) * step)},
        "columns": columns,
        "spacing": GAP,
        **({"resolve": {"axis": {"x": "independent"}}} if len(titles) % columns else {}),
    }

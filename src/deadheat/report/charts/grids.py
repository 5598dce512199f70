"""Pictures with a cell for every pair: of candidates, or of groups where there are too many."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import altair as alt
import numpy as np

from deadheat.core.errors import visible
from deadheat.core.types import Floats
from deadheat.rate.result import Ratings
from deadheat.rate.tournaments import RatingParts
from deadheat.report.charts.placement import PADDING, label_width
from deadheat.report.charts.rows import (
    LOWEST,
    data,
    framed,
    height,
    label_limit,
    looked_up,
    values,
)
from deadheat.report.charts.theme import ROW
from deadheat.statistics.groups import Members
from deadheat.verdict.result import Verdict

# ------------------------------------------------------------------------------
# Matrices of pairs told in blocks, where there are too many candidates for a cell each.


@dataclass(frozen=True, kw_only=True)
class PairBlock:
    """Hold some candidates that stand side by side: where they begin, and their groups."""

    members: tuple[int, ...]
    place: int
    first_group: int
    last_group: int


def pair_blocks(groups: Members, most: int) -> tuple[PairBlock, ...]:
    """Return at most so many blocks of neighbours, of about as many candidates each.

    A large group is cut into parts, and small groups are joined from the best on.

    >>> [block.members for block in pair_blocks(((0, 1), (2,), (3,)), 2)]
    [(0, 1), (2, 3)]
    >>> [block.members for block in pair_blocks(((3, 1, 0, 2),), 2)]
    [(3, 1), (0, 2)]
    """
    size = sum(map(len, groups)) / most
    parts = [(k, part) for k, group in enumerate(groups, start=1) for part in _parts(group, size)]
    if len(parts) <= most:
        size = 0.0  # each part is a block
    found: list[PairBlock] = []
    members: tuple[int, ...] = ()
    first = done = 0
    for n, (k, part) in enumerate(parts, start=1):
        first = first or k
        members += part
        done += len(part)
        if done >= size * (len(found) + 1) - 1e-9 or n == len(parts):
            place = done - len(members) + 1
            found.append(PairBlock(members=members, place=place, first_group=first, last_group=k))
            members, first = (), 0
    return tuple(found)


def _parts(group: tuple[int, ...], size: float) -> list[tuple[int, ...]]:
    """Return a group in equal parts of at most so many, or of one."""
    count = max(1, min(len(group), math.ceil(len(group) / size - 1e-9)))
    ends = [len(group) * k // count for k in range(count + 1)]
    return [group[a:b] for a, b in pairwise(ends)]


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


# ------------------------------------------------------------------------------
# Heat maps: a cell per row and column, with its number inside where there is room.

WIDE_ENOUGH = 17  # pixels that a number of two digits takes


def heat(
    cells: Sequence[Mapping[str, Any]],
    *,
    rows: Sequence[str],
    columns: Sequence[str],
    width: int,
    colour: alt.Color,
    deep: str,
    number: alt.Text,
    tooltip: Sequence[alt.Tooltip],
    upright: bool = True,
) -> Any:
    """Return the chart of cells, which have ``i`` and ``j`` as numbers of rows and columns.

    ``deep`` is the condition under which a cell is so dark that its number is written in a pale
    colour. Names of rows and columns are kept once, not in each cell; those of columns stand
    ``upright`` where they have no room to lie.
    """
    room = label_limit(width)
    names = min(room, max(label_width(visible(name)) for name in rows))
    each = (width - names - 2 * PADDING) / max(len(columns), 1)
    longest = min(room, max(label_width(visible(name)) for name in columns))
    base = looked_up(data(cells), "i", ({"i": i, "row": name} for i, name in enumerate(rows)))
    base = looked_up(base, "j", ({"j": j, "column": name} for j, name in enumerate(columns)))
    base = base.encode(
        x=alt.X(
            "column:N",
            sort=alt.EncodingSortField(field="j", op="min"),
            title=None,
            axis=alt.Axis(
                orient="top",
                labelAngle=0 if longest <= each or not upright else -90,
                labelLimit=room,
                labelOverlap=not upright,
                labelSeparation=5,
                labelFontSize=10,
                ticks=False,
                domain=False,
            ),
        ),
        y=alt.Y(
            "row:N",
            sort=alt.EncodingSortField(field="i", op="min"),
            title=None,
            axis=alt.Axis(labelLimit=room, labelOverlap=False, ticks=False, domain=False),
        ),
    )
    layers = [base.mark_rect().encode(color=colour, tooltip=list(tooltip))]
    if each >= WIDE_ENOUGH:
        for style, test in (("on-deep", deep), ("on-pale", f"!({deep})")):
            inside = base.transform_filter(f"isValid(datum.v) && ({test})")
            layers.append(inside.mark_text(style=style, fontSize=10).encode(text=number))
    return framed(alt.layer(*layers), width, height(len(rows)), stiff=True)


# ------------------------------------------------------------------------------

MOST = 60  # candidates that have a row each
BLOCKS = 30  # rows where there are more
LETTERS = 13  # pixels a column needs for a name written upwards
ONE_LINE = 400  # pixels across from which a title stands in one line
UPRIGHT = 96  # pixels for a name written upwards


@dataclass(frozen=True, kw_only=True)
class Matrix:
    """Hold who stands down and across a matrix, best first, and how wide it is.

    Where columns are too narrow for names, rows are numbered and columns have the numbers.
    """

    names: tuple[str, ...]
    blocks: tuple[PairBlock, ...] | None
    width: int

    @property
    def n(self) -> int:
        return len(self.names)

    @property
    def pixels(self) -> float:
        return (self.width - label_limit(self.width) - 20) / self.n

    @property
    def row(self) -> float:
        return min(max(self.pixels, LOWEST), 2 * ROW) if self.n <= 20 else LOWEST + 2

    @cached_property
    def labels(self) -> tuple[list[str], list[str]]:
        names = [visible(name) for name in self.names]
        if self.blocks is not None:  # rows tell the groups, columns the places
            whole = self.pixels >= LETTERS
            return names, [_places(block) if whole else str(block.place) for block in self.blocks]
        if self.pixels >= LETTERS:
            return names, names
        numbers = [str(k) for k in range(1, self.n + 1)]
        return [f"{k}  {name}" for k, name in zip(numbers, names, strict=True)], numbers

    def layered(self, cells: Iterable[Mapping[str, Any]], *marks: Any) -> Any:
        """Return marks of cells {"i", "j", ...}, with names that are written only once."""
        rows, columns = self.labels
        known = values(
            {"at": k, "row": rows[k], "column": columns[k], "name": self.names[k]}
            for k in range(self.n)
        )
        mine = alt.LookupData(data=known, key="at", fields=["row", "name"])
        yours = alt.LookupData(data=known, key="at", fields=["column", "name"])
        chart = alt.layer(*marks, data=values(cells))
        chart = chart.transform_lookup(lookup="i", from_=mine, as_=["row", "a"])
        return chart.transform_lookup(lookup="j", from_=yours, as_=["column", "b"])

    def places(self, *title: str) -> dict[str, Any]:
        """Return the encodings of both axes; the title stands above the columns.

        Its parts stand side by side, or in lines where the picture is narrow.
        """
        rows, columns = self.labels
        lines = list(title) if self.width < ONE_LINE else ["\u2003".join(title)]
        named = self.pixels >= LETTERS
        return {
            "x": alt.X(
                "column:N",
                sort=None,
                title=lines,
                scale=alt.Scale(domain=columns, padding=0.04),
                axis=alt.Axis(
                    orient="top",
                    labelAngle=-90 if named else 0,
                    labelLimit=UPRIGHT,
                    labelOverlap=False if named else "greedy",
                    labelSeparation=5,
                    ticks=False,
                    domain=False,
                    grid=False,
                    titleLimit=self.width,
                ),
            ),
            "y": alt.Y(
                "row:N",
                sort=None,
                title=None,
                scale=alt.Scale(domain=rows, padding=0.04),
                axis=alt.Axis(
                    labelLimit=label_limit(self.width),
                    labelOverlap=False,
                    ticks=False,
                    domain=False,
                    grid=False,
                ),
            ),
        }

    def means(self, matrix: Floats, order: Sequence[int]) -> Floats:
        """Return what the cells show of a matrix of all candidates: itself, or means of blocks."""
        if self.blocks is not None:
            return block_means(matrix, [block.members for block in self.blocks])
        return np.asarray(matrix[np.ix_(order, order)])

    def framed(self, chart: Any) -> Any:
        return framed(chart, self.width, round(self.row * self.n), stiff=True)


def matrix_of(verdict: Verdict, width: int) -> Matrix:
    """Return the matrix of the candidates of a verdict, or of blocks of neighbours beyond 60."""
    if len(verdict.candidates) <= MOST:
        names = tuple(name for group in verdict.groups for name in group)
        return Matrix(names=names, blocks=None, width=width)
    blocks = pair_blocks(verdict.members, BLOCKS)
    return Matrix(names=tuple(map(_called, blocks)), blocks=blocks, width=width)


def aggregation(matrix: Matrix) -> str:
    if matrix.blocks is None:
        return ""
    return (
        "; there are too many candidates for a cell each, so a cell tells the mean over neighbours "
        "in the robust ranking"
    )


def _called(block: PairBlock) -> str:
    groups = f"group {block.first_group}"
    if block.first_group != block.last_group:
        groups = f"groups {block.first_group}\u2013{block.last_group}"
    return f"{_places(block)} ({groups})"


def _places(block: PairBlock) -> str:
    first, last = block.place, block.place + len(block.members) - 1
    return str(first) if first == last else f"{first}\u2013{last}"


# ------------------------------------------------------------------------------
# Several small pictures with one axis, one per data set.

NARROWEST = 110  # pixels across a panel
GAP = 14
EDGE = 24  # pixels for what stands over: the padding of Vega and the last number of an axis
DENSE = 15  # pixels a row takes
MOST_PANELS = 24
MOST_ROWS = 2_000  # in all panels


def parts_of(rated: Ratings | RatingParts) -> dict[str, Ratings]:
    return dict(rated.parts) if isinstance(rated, RatingParts) else {"": rated}


def shown_parts(parts: Mapping[str, Ratings], rows: int) -> list[str]:
    return list(parts)[: max(1, min(MOST_PANELS, MOST_ROWS // max(rows, 1)))]


def only_some(parts: Mapping[str, Ratings], drawn: Sequence[str]) -> str:
    if len(drawn) == len(parts):
        return ""
    return f" (the first {len(drawn):,} of {len(parts):,} are drawn)"


def panels(
    records: Iterable[Mapping[str, Any]],
    layers: Sequence[Any],
    *,
    names: Sequence[str],
    titles: Sequence[str],
    width: int,
    unit: str,
) -> Any:
    """Return a panel of ratings for each title, with a row for each name.

    Records and layers speak of a ``row`` (a number), and of ``panel`` (a number); names are kept
    once. The axis across, called a rating in that ``unit``, stands below each column; below each
    panel where the last row has gaps, as Vega would draw it below these.
    """
    labels = min(label_limit(width), max(label_width(visible(name)) for name in names) + 6)
    inside = width - labels - EDGE
    columns = max(1, min(len(titles), int((inside + GAP) // (NARROWEST + GAP))))
    each = int((inside - GAP * (columns - 1)) // columns)
    y = alt.Y(
        "name:N",
        sort=alt.EncodingSortField(field="row", op="min"),
        title=None,
        scale=alt.Scale(padding=0.15),
        axis=alt.Axis(
            labelOverlap=False,
            labelLimit=int(labels),
            minExtent=labels,
            maxExtent=labels,
            ticks=False,
            domain=False,
        ),
    )
    rows = ({"row": i, "name": name} for i, name in enumerate(names))
    heads = ({"panel": k, "title": title} for k, title in enumerate(titles))
    source = looked_up(looked_up(data(records), "row", rows), "panel", heads)
    chart = alt.layer(*(layer.encode(y=y) for layer in layers), data=source.data)
    below: dict[str, Any] = {
        "title": f"rating ({unit})",
        "titleOrient": "bottom",
        "titleFontSize": 11,
        "titleFontWeight": "normal",
    }
    head = alt.Header(
        labelLimit=each, labelAnchor="start", labelOrient="top", labelPadding=3, **below
    )
    if len(titles) == 1:
        head = alt.Header(labels=False, **below)
    order = alt.EncodingSortField(field="panel", op="min")
    faceted = chart.properties(width=each, height=len(names) * DENSE).facet(
        facet=alt.Facet("title:N", sort=order, header=head), columns=columns, spacing=GAP
    )
    faceted.transform = source.transform
    gaps = len(titles) % columns
    return faceted.resolve_axis(x="independent") if gaps else faceted

"""Pictures with a cell for every pair: of candidates, or of groups where there are too many."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import altair as alt
import numpy as np

from deadheat.inference.pair_blocks import PairBlock, block_means, pair_blocks
from deadheat.inference.verdict import Verdict
from deadheat.report.marks import LOWEST, framed, values
from deadheat.report.rows import label_limit
from deadheat.report.theme import ROW
from deadheat.text import visible
from deadheat.typing import Floats

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
        """The number of rows."""
        return len(self.names)

    @property
    def pixels(self) -> float:
        """About how many pixels a column gets."""
        return (self.width - label_limit(self.width) - 20) / self.n

    @property
    def row(self) -> float:
        """How many pixels a row gets."""
        return min(max(self.pixels, LOWEST), 2 * ROW) if self.n <= 20 else LOWEST + 2

    @cached_property
    def labels(self) -> tuple[list[str], list[str]]:
        """What is written at the rows and at the columns."""
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
            return block_means(matrix, self.blocks)
        return np.asarray(matrix[np.ix_(order, order)])

    def framed(self, chart: Any) -> Any:
        """Return the chart in its size."""
        return framed(chart, self.width, round(self.row * self.n), stiff=True)


def matrix_of(verdict: Verdict, width: int) -> Matrix:
    """Return the matrix of the candidates of a verdict, or of blocks of neighbours beyond 60."""
    if len(verdict.candidates) <= MOST:
        names = tuple(name for group in verdict.groups for name in group)
        return Matrix(names=names, blocks=None, width=width)
    blocks = pair_blocks(verdict.members, BLOCKS)
    return Matrix(names=tuple(map(_called, blocks)), blocks=blocks, width=width)


def aggregation(matrix: Matrix) -> str:
    """Return what a cell stands for where it is no pair, as the end of a sentence."""
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

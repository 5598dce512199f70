"""The rank that each judge gives each candidate, alike ones side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import altair as alt
import numpy as np

from deadheat.agree.api import Agreement, complete
from deadheat.agree.maps import Clustered, Tree, clustered
from deadheat.core.errors import counted, listed
from deadheat.data.results import Results
from deadheat.output.text import number
from deadheat.report.charts.placement import (
    LINE,
    drawing,
    fitting,
    inner,
    label_width,
    pixels_across,
    pixels_down,
    written,
)
from deadheat.report.charts.rows import data, height, looked_up
from deadheat.report.picture import Picture, draws

MOST = 200
BLOCKS = 100  # where there are more than that
THINNEST = 2  # pixels of a column
WIDEST = 44
NAMED = 11  # pixels of a column that has room for a name
NAME = 96  # pixels that the name of a judge may take
TREE = 0.09  # of the width
TOLD = 12
FOOT = 0.2  # below the lowest join of a tree, as a share of the heights of its joins


@draws(Agreement, Results, figure="Pavao et al. (2021), supplement, figures 1 to 3")
def heat_map(found: Agreement | Results, *, width: int) -> Picture:
    """Show the rank that each judge gives each candidate, with trees of what is alike."""
    results = found.results if isinstance(found, Agreement) else complete(found)
    across = inner(width)
    more = label_width(" +99") if results.n > MOST else 0
    names = min(max(map(label_width, results.candidates)) + more, 0.3 * across)
    tree = max(22, TREE * across)
    room = across - names - tree - 10
    clusters = clustered(
        results,
        most_judges=min(_most(results.m), int(room / THINNEST)),
        most_candidates=_most(results.n),
    )
    layout = _Layout(results, clusters, across, names, tree, room)
    n, m = results.n, results.m
    blocks = [
        f"{many:,} {what} are shown as {len(shown)} blocks of alike ones with their mean ranks"
        for what, many, shown in (
            ("candidates", n, clusters.candidates),
            ("judges", clusters.seen, clusters.judges),
        )
        if many > len(shown)
    ]
    blocks += [f"only {clusters.seen:,} of {m:,} judges are shown"] if clusters.seen < m else []
    said = "".join(f"; {text}" for text in blocks)
    told = [
        f"{_named(results.candidates, block)} {number(float(mean), 1)}"
        for block, mean in zip(clusters.candidates, clusters.means, strict=True)
    ]
    return Picture(
        chart=drawing(layout.chart(), width, layout.height),
        title="rank by judge and candidate",
        see="Candidates (rows) and judges (columns) that are alike stand side by side, joined by "
        f"lines that are shorter the more alike they are{said}.",
        alt=f"Ranks that {counted(m, 'judge')} give {counted(n, 'candidate')}, 1 is best{said}. "
        f"Candidates from top to bottom with their mean rank: {listed(told, most=TOLD)}.",
    )


def _most(number_of: int) -> int:
    return MOST if number_of <= MOST else BLOCKS


def _named(names: Sequence[str], block: tuple[int, ...], room: float = 300) -> str:
    """Return the name of the first of a block, and how many more there are."""
    more = f" +{len(block) - 1:,}" if len(block) > 1 else ""
    return f"{fitting(names[block[0]], room - (label_width(more) if more else 0))}{more}"


class _Layout:
    """Hold where everything is, in pixels."""

    def __init__(
        self,
        results: Results,
        found: Clustered,
        across: int,
        names: float,
        tree: float,
        room: float,
    ) -> None:
        self.results, self.found = results, found
        self.across, self.names, self.tree = across, names, tree
        columns, rows = len(found.judges), len(found.candidates)
        self.column = max(1, min(WIDEST, int(room / columns)))
        self.row = height(rows) / rows
        self.left = round(names) + 5
        self.right = self.left + self.column * columns
        self.top = round(tree) + 3 if columns > 1 else 2
        self.bottom = self.top + height(rows)
        self.judge_names = [_named(results.judges, block, NAME) for block in found.judges]
        below = LINE if self.column < NAMED else max(map(label_width, self.judge_names))
        self.height = self.bottom + below + 6

    def chart(self) -> Any:
        x, y = pixels_across(self.across), pixels_down(self.height)
        parts = [self._cells(), *self._trees(x, y), self._candidates(x, y), self._judges(x, y)]
        return alt.layer(*[part for part in parts if part is not None])

    def _cells(self) -> Any:
        """Return the cells, told in few letters: whole numbers, row by row.

        Ranks are told as twice the rank, as ties end in .5; means of blocks in hundredths.
        """
        times = 2 if self.whole else 100
        units = np.rint(times * self.found.ranks).astype(int)
        rows = [
            {
                "candidate": _named(self.results.candidates, block),
                "row": self.top + k * self.row,
                "units": units[k],
            }
            for k, block in enumerate(self.found.candidates)
        ]
        judges = (
            {"place": k, "judge": _named(self.results.judges, block)}
            for k, block in enumerate(self.found.judges)
        )
        size = len(self.found.judges)
        chart = (
            data(rows)
            .transform_calculate(place=f"sequence(0, {size})")
            .transform_flatten(["units", "place"])
            .transform_calculate(
                rank=f"datum.units / {times}",
                x=f"{self.left} + datum.place * {self.column}",
                x2=f"{self.left} + (datum.place + 1) * {self.column}",
                y2=f"datum.row + {self.row}",
            )
        )
        chart = looked_up(chart, "place", judges)
        legend = alt.Legend(
            title="rank (1 is best)",
            orient="bottom",
            direction="horizontal",
            gradientLength=round(min(160, self.across * 0.6)),
            tickCount=4,
        )
        return chart.mark_rect().encode(
            x=pixels_across(self.across),
            x2=alt.X2("x2:Q"),
            y=pixels_down(self.height, "row"),
            y2=alt.Y2("y2:Q"),
            color=alt.Color(
                "rank:Q",
                legend=legend,
                scale=alt.Scale(domain=[1, max(2, self.results.n)], nice=False, reverse=True),
            ),
            tooltip=[
                "candidate:N",
                "judge:N",
                alt.Tooltip("rank:Q", title="rank", format=".1f")
                if self.whole
                else alt.Tooltip("rank:Q", title="mean rank", format=".2f"),
            ],
        )

    @property
    def whole(self) -> bool:
        blocks = (*self.found.judges, *self.found.candidates)
        return all(len(block) == 1 for block in blocks)

    def _trees(self, x: alt.X, y: alt.Y) -> list[Any]:
        above = [
            {"line": k, "step": s, "x": self.left + place * self.column, "y": self.top - 3 - rise}
            for k, s, place, rise in _corners(self.found.judge_tree, self.top - 5)
        ]
        beside = [
            {"line": k, "step": s, "x": self.right + 3 + rise, "y": self.top + place * self.row}
            for k, s, place, rise in _corners(self.found.candidate_tree, self.tree)
        ]
        return [
            data(_rounded(rows))
            .mark_line(style="muted", strokeWidth=1)
            .encode(x=x, y=y, detail=alt.Detail("line:N"), order=alt.Order("step:Q"))
            for rows in (above, beside)
            if rows
        ]

    def _candidates(self, x: alt.X, y: alt.Y) -> Any:
        rows = [
            {
                "x": self.left - 4,
                "y": self.top + (k + 0.5) * self.row,
                "text": _named(self.results.candidates, block, self.names),
            }
            for k, block in enumerate(self.found.candidates)
        ]
        return written(rows, x, y, align="right")

    def _judges(self, x: alt.X, y: alt.Y) -> Any:
        if self.column < NAMED:
            text = counted(self.found.seen, "judge")
            rows = [{"x": self.left, "y": self.bottom + LINE / 2 + 3, "text": text}]
            return written(rows, x, y, align="left")
        rows = [
            {"x": self.left + (k + 0.5) * self.column, "y": self.bottom + 4, "text": name}
            for k, name in enumerate(self.judge_names)
        ]
        return written(rows, x, y, align="right", angle=270)


def _corners(tree: Tree, size: float) -> list[tuple[int, int, float, float]]:
    """Return join, corner, place and height in pixels of all lines of a tree.

    Its foot stands a little below the lowest join, so that all joins can be seen.
    """
    joins = tree.branches()
    heights = [join[1][1] for join in joins] or [0.0]
    tallest = max(heights)
    foot = max(0.0, min(heights) - FOOT * (tallest - min(heights)))
    unit = size / (tallest - foot) if tallest > foot else 0.0
    return [
        (k, step, place, max(0.0, rise - foot) * unit)
        for k, join in enumerate(joins)
        for step, (place, rise) in enumerate(join)
    ]


def _rounded(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{key: round(value, 1) for key, value in row.items()} for row in rows]

"""The rank of each candidate by each ranking function."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import altair as alt
import numpy as np

from deadheat.core.errors import counted, listed
from deadheat.core.types import Floats
from deadheat.criteria.result import Criteria
from deadheat.output.text import number
from deadheat.rank.api import Ranking, rank
from deadheat.report.charts.placement import (
    LINE,
    drawing,
    fitting,
    inner,
    label_width,
    pixels_across,
    pixels_down,
    spread,
    written,
)
from deadheat.report.charts.rows import data
from deadheat.report.charts.theme import ROW
from deadheat.report.picture import Picture, draws

ALL_NAMED = 40
HIGHLIGHTED = 10
COLOURED = 6
TALLEST = 520
TOLD = 12
HEADING = 108  # pixels that the name of a function may take
STEEP = 0.82  # of its length, the height of a name that rises by 55 degrees
ROOM_TO_LEAN = 17  # pixels between functions; with less their names stand upright
MOST_GREY = 150
NARROW = 400  # pixels, below which only the left side has names


@draws(Ranking, Criteria, by="all")
def rank_lines(found: Criteria | Ranking, *, width: int) -> Picture:
    """Show the rank of each candidate by each ranking function as lines."""
    several = isinstance(found, Criteria) and found.several
    ranking = (
        rank(found.measured[0].results, by=list(found.functions))
        if isinstance(found, Criteria)
        else found
    )
    layout = _Layout.of(ranking, inner(width))
    n, functions = len(ranking.candidates), len(ranking.functions)
    few = n <= ALL_NAMED
    rest = (
        ""
        if few
        else f"; the best {HIGHLIGHTED} by the first function are named, and lower ranks are drawn "
        "closer together"
    )
    left_out = functions - len(layout.columns)
    rest += f"; {counted(left_out, 'function')} left out for want of room" if left_out else ""
    table = f", here on the first of {len(found.measured)} tables" if several else ""  # type: ignore[union-attr]
    name = ranking.functions[0].name
    order = ranking.best_first[:TOLD]
    told = [
        f"{ranking.candidates[i]}: "
        + ", ".join(number(float(rank)) for rank in dict.fromkeys(ranking.ranks[:, i].tolist()))
        for i in order
    ]
    firsts = {who for f in ranking.functions for who in ranking.first[f.name]}
    return Picture(
        chart=drawing(layout.chart(), width, layout.height),
        title="rank by ranking function",
        see="A line that stays level is a candidate whose rank does not depend on the ranking "
        f"function, lines that meet are tied{rest}{table}.",
        alt=f"Ranks of {counted(n, 'candidate')} by {counted(functions, 'ranking function')}: "
        f"{listed([f.name for f in ranking.functions], most=TOLD)}. "
        f"Ranked first by at least one: {listed(sorted(firsts), most=TOLD)}. "
        f"The different ranks of each, best by {name} first. {'; '.join(told)}."
        + (f" {n - TOLD} more." if n > TOLD else ""),
    )


@dataclass(frozen=True, eq=False)
class _Layout:
    ranking: Ranking
    across: int
    top: float
    height: float
    named: list[int]
    room: float
    ends: tuple[float, float]
    columns: list[float]

    @classmethod
    def of(cls, ranking: Ranking, across: int) -> _Layout:
        n = len(ranking.candidates)
        named = ranking.best_first[: n if n <= ALL_NAMED else HIGHLIGHTED]
        share = 0.22 if across > NARROW else 0.28
        room = min(max(label_width(ranking.candidates[i]) for i in named), share * across)
        shown = ranking.ranks[:, named].ravel().tolist()
        ranks = max(label_width(number(rank)) for rank in shown)
        right_room = room + 8 if across > NARROW else 0
        ends = (room + ranks + 8, across - right_room - ranks)
        left, right = ends[0] + 14, ends[1] - 14
        fitting_in = max(2, int((right - left) // LINE) + 1)
        functions = min(len(ranking.functions), fitting_in)
        step = (right - left) / max(1, functions - 1)
        columns = [left + k * step for k in range(functions)]
        columns = columns if functions > 1 else [(left + right) / 2]
        heads = [label_width(fitting(f.name, HEADING)) for f in ranking.functions[:functions]]
        top = max(heads) * (STEEP if step >= ROOM_TO_LEAN else 1) + 14
        body = n * ROW if n <= ALL_NAMED else min(n * LINE, TALLEST)
        return cls(ranking, across, top, top + body, named, room, ends, columns)

    @property
    def shown(self) -> Floats:
        return self.ranking.ranks[: len(self.columns)]

    def y(self, rank: float) -> float:
        """Return where a rank is drawn; of many candidates the lower ones closer together."""
        n = len(self.ranking.candidates)
        if n <= ALL_NAMED:
            return self.top + (rank - 0.5) * (self.height - self.top) / n
        share = np.log(rank) / np.log(n)
        return float(self.top + LINE / 2 + share * (self.height - self.top - LINE))

    def labels(self, side: int) -> list[float]:
        """Return where the names of one side stand: apart also where ranks are tied."""
        ranks: Floats = self.shown[-side]
        ordinal = np.empty(len(ranks))
        ordinal[np.lexsort((self.shown[0], ranks))] = np.arange(1, len(ranks) + 1)
        half = LINE / 2
        return spread(
            [self.y(float(ordinal[i])) for i in self.named],
            gap=LINE,
            low=self.top + half,
            high=self.height - half,
        )

    def chart(self) -> Any:
        x, y = pixels_across(self.across), pixels_down(self.height)
        drawn = [*self._rest(x, y), *self._lines(x, y), *self._names(x, y), self._heads(x, y)]
        return alt.layer(*drawn)

    def _rest(self, x: alt.X, y: alt.Y) -> list[Any]:
        others = self.ranking.best_first[len(self.named) :]
        if not others:
            return []
        others = others[:: -(-len(others) // MOST_GREY)]
        rows = [
            {"line": i, "x": round(at, 1), "y": round(self.y(float(self.shown[k, i])), 1)}
            for i in others
            for k, at in enumerate(self.columns)
        ]
        lines = data(rows).mark_line(style="faint", strokeWidth=1)
        return [lines.encode(x=x, y=y, detail=alt.Detail("line:N"), order=alt.Order("x:Q"))]

    def _lines(self, x: alt.X, y: alt.Y) -> list[Any]:
        rows, leaders = [], []
        for side in (0, 1):
            for i, at in zip(self.named, self.labels(side), strict=True):
                end = self.columns[-side]
                start = self.ends[side] + (4 if side == 0 else -4)
                rank = float(self.shown[-side, i])
                leaders += [
                    {"line": f"{side} {i}", "x": start, "y": at},
                    {"line": f"{side} {i}", "x": end, "y": self.y(rank)},
                ]
        for place, i in enumerate(self.named):
            for k, at in enumerate(self.columns):
                rank = float(self.shown[k, i])
                rows.append(
                    {
                        "candidate": self.ranking.candidates[i],
                        "function": self.ranking.functions[k].name,
                        "rank": rank,
                        "line": place,
                        "look": str(place % COLOURED),
                        "plain": len(self.named) > HIGHLIGHTED and place >= COLOURED,
                        "second": place >= COLOURED,
                        "x": at,
                        "y": self.y(rank),
                    }
                )
        chart = data(rows)
        tooltip = ["candidate:N", "function:N", alt.Tooltip("rank:Q", title="rank")]
        common = {"x": x, "y": y, "detail": "line:N", "order": alt.Order("x:Q")}
        colour = alt.Color("look:N", legend=None, sort=[str(k) for k in range(COLOURED)])
        dash = alt.StrokeDash("second:N", legend=None, scale=alt.Scale(range=[[1, 0], [5, 3]]))
        plain, told = chart.transform_filter("datum.plain"), chart.transform_filter("!datum.plain")
        joined = data(leaders).mark_line(style="faint", strokeWidth=1)
        return [
            joined.encode(x=x, y=y, detail=alt.Detail("line:N"), order=alt.Order("x:Q")),
            plain.mark_line(style="muted", strokeWidth=1.2, opacity=0.6).encode(**common),
            plain.mark_point(style="muted", filled=True, size=18, opacity=0.8).encode(
                x=x, y=y, tooltip=tooltip
            ),
            told.mark_line(strokeWidth=2).encode(**common, color=colour, strokeDash=dash),
            told.mark_point(filled=True, size=36, opacity=1).encode(
                x=x, y=y, color=colour, tooltip=tooltip
            ),
        ]

    def _names(self, x: alt.X, y: alt.Y) -> list[Any]:
        drawn = []
        for side in (0, 1):
            edge = self.room if side == 0 else self.across - self.room
            named = side == 0 or self.across > NARROW
            names, ranks = [], []
            for i, at in zip(self.named, self.labels(side), strict=True):
                name = fitting(self.ranking.candidates[i], self.room)
                names.append({"x": edge, "y": at, "text": name})
                rank = number(float(self.shown[-side, i]))
                ranks.append({"x": self.ends[side], "y": at, "text": rank})
            align = "left" if side else "right"
            drawn.append(written(ranks, x, y, align=align, fontWeight="bold"))
            drawn += [written(names, x, y, align=align)] if named else []
        return drawn

    def _heads(self, x: alt.X, y: alt.Y) -> Any:
        names = [fitting(f.name, HEADING) for f in self.ranking.functions[: len(self.columns)]]
        step = self.columns[1] - self.columns[0] if len(self.columns) > 1 else ROOM_TO_LEAN
        rows = [
            {"x": at, "y": self.top - 4, "text": name}
            for at, name in zip(self.columns, names, strict=True)
        ]
        return written(rows, x, y, align="left", angle=305 if step >= ROOM_TO_LEAN else 270)

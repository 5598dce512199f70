"""The rank of each candidate by each ranking function."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from deadheat.core.errors import counted, listed
from deadheat.core.types import Floats
from deadheat.criteria.result import Criteria
from deadheat.output.text import number
from deadheat.rank.api import Ranking, rank
from deadheat.report.charts.placement import (
    LINE,
    fitting,
    inner,
    label_width,
    pixels_across,
    pixels_down,
    spread,
    written,
)
from deadheat.report.charts.spec import Field, View, data, field, framed, layer, mark
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
    table = ""
    ranking = found
    if isinstance(found, Criteria):
        ranking = rank(found.measured[0].results, by=list(found.functions))
        tables = len(found.measured)
        table = f", here on the first of {tables} tables" if found.several else ""
    layout = _Layout.of(ranking, inner(width))
    n, functions = len(ranking.candidates), len(ranking.functions)
    rest = (
        ""
        if n <= ALL_NAMED
        else f"; the best {HIGHLIGHTED} by the first function are named, and lower ranks are drawn "
        "closer together"
    )
    left_out = functions - len(layout.columns)
    rest += f"; {counted(left_out, 'function')} left out for want of room" if left_out else ""
    told = [
        f"{ranking.candidates[i]}: "
        + ", ".join(number(float(rank)) for rank in dict.fromkeys(ranking.ranks[:, i].tolist()))
        for i in ranking.best_first[:TOLD]
    ]
    firsts = {who for f in ranking.functions for who in ranking.first[f.name]}
    return Picture(
        view=framed(layout.chart(), width, layout.height, stiff=True),
        title="rank by ranking function",
        see="A line that stays level is a candidate whose rank does not depend on the ranking "
        f"function, lines that meet are tied{rest}{table}.",
        alt=f"Ranks of {counted(n, 'candidate')} by {counted(functions, 'ranking function')}: "
        f"{listed([f.name for f in ranking.functions], most=TOLD)}. "
        f"Ranked first by at least one: {listed(sorted(firsts), most=TOLD)}. "
        f"The different ranks of each, best by {ranking.functions[0].name} first. "
        f"{'; '.join(told)}." + (f" {n - TOLD} more." if n > TOLD else ""),
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
        functions = min(len(ranking.functions), max(2, int((right - left) // LINE) + 1))
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
        wanted = [self.y(float(ordinal[i])) for i in self.named]
        half = LINE / 2
        return spread(wanted, gap=LINE, low=self.top + half, high=self.height - half)

    def chart(self) -> View:
        x, y = pixels_across(self.across), pixels_down(self.height)
        others = self.ranking.best_first[len(self.named) :]
        grey = [
            {"line": i, "x": round(at, 1), "y": round(self.y(float(self.shown[k, i])), 1)}
            for i in others[:: -(-len(others) // MOST_GREY) or 1]
            for k, at in enumerate(self.columns)
        ]
        leaders: list[dict[str, Any]] = []
        texts = []
        for side, align, out in ((0, "right", 4), (1, "left", -4)):
            edge = self.across - self.room if side else self.room
            names, ranks = [], []
            for i, at in zip(self.named, self.labels(side), strict=True):
                line, rank = f"{side} {i}", float(self.shown[-side, i])
                leaders += [
                    {"line": line, "x": self.ends[side] + out, "y": at},
                    {"line": line, "x": self.columns[-side], "y": self.y(rank)},
                ]
                name = fitting(self.ranking.candidates[i], self.room)
                names.append({"x": edge, "y": at, "text": name})
                ranks.append({"x": self.ends[side], "y": at, "text": number(rank)})
            texts.append(written(ranks, x, y, align=align, fontWeight="bold"))
            if side == 0 or self.across > NARROW:
                texts.append(written(names, x, y, align=align))
        faint = {"detail": "line:N", "order": "x:Q", "style": "faint", "strokeWidth": 1}
        return layer(
            *(mark("line", data(rows), x=x, y=y, **faint) for rows in (grey, leaders) if rows),
            *self._lines(x, y),
            *texts,
            self._heads(x, y),
        )

    def _lines(self, x: Field, y: Field) -> list[View]:
        rows = data(
            {
                "candidate": self.ranking.candidates[i],
                "function": self.ranking.functions[k].name,
                "rank": float(self.shown[k, i]),
                "line": place,
                "look": str(place % COLOURED),
                "plain": len(self.named) > HIGHLIGHTED and place >= COLOURED,
                "second": place >= COLOURED,
                "x": at,
                "y": self.y(float(self.shown[k, i])),
            }
            for place, i in enumerate(self.named)
            for k, at in enumerate(self.columns)
        )
        line: dict[str, Any] = {"x": x, "y": y, "detail": "line:N", "order": "x:Q"}
        tips = [field("candidate:N"), field("function:N"), field("rank:Q", title="rank")]
        point: dict[str, Any] = {"x": x, "y": y, "tooltip": tips, "filled": True}
        colour = field("look:N", legend=None, sort=[str(k) for k in range(COLOURED)])
        dash = field("second:N", legend=None, scale={"range": [[1, 0], [5, 3]]})
        grey: dict[str, Any] = {"where": "datum.plain", "style": "muted"}
        told: dict[str, Any] = {"where": "!datum.plain", "color": colour}
        return [
            mark("line", rows, **line, **grey, strokeWidth=1.2, opacity=0.6),
            mark("point", rows, **point, **grey, size=18, opacity=0.8),
            mark("line", rows, **line, **told, strokeDash=dash, strokeWidth=2),
            mark("point", rows, **point, **told, size=36, opacity=1),
        ]

    def _heads(self, x: Field, y: Field) -> View:
        step = self.columns[1] - self.columns[0] if len(self.columns) > 1 else ROOM_TO_LEAN
        heads = zip(self.columns, self.ranking.functions, strict=False)
        rows = [
            {"x": at, "y": self.top - 4, "text": fitting(function.name, HEADING)}
            for at, function in heads
        ]
        return written(rows, x, y, align="left", angle=305 if step >= ROOM_TO_LEAN else 270)

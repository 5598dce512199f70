"""Who beats whom, how likely."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from deadheat.core.types import Floats
from deadheat.output.text import percent
from deadheat.rate.result import Ratings
from deadheat.report.charts.grids import block_means, heat
from deadheat.report.charts.rows import name_of, told
from deadheat.report.charts.spec import field
from deadheat.report.picture import Picture, draws

MOST = 80  # candidates that have a row each
BLOCKS = 40  # rows where there are more
WITH_ENDS = 40  # candidates up to which cells know their intervals
DEEP = "datum.v < 20 || datum.v > 80"


@draws(Ratings)
def win_matrix(ratings: Ratings, *, width: int) -> Picture:
    """Show the probability that the candidate of a row beats that of a column."""
    n, order = len(ratings.candidates), list(ratings.order)
    found = ratings.win_matrix()
    if n <= MOST:
        p = found.p[np.ix_(order, order)]
        names = [f"{k}  {ratings.candidates[i]}" for k, i in enumerate(order, start=1)]
        columns = [str(k) for k in range(1, n + 1)]
        see = (
            "Each cell is the chance in % that the candidate of the row beats that of the column; "
            "columns have the numbers of the rows."
        )
    else:
        bounds, p = win_blocks(found.p, order, most=BLOCKS)
        names = columns = [f"{low}\u2013{high}" if low < high else f"{low}" for low, high in bounds]
        see = (
            f"The {n:,} candidates are drawn in {len(p)} blocks of neighbours by rank; a cell is "
            "the mean chance in % that one of the row beats one of the column."
        )
    cells: list[dict[str, Any]] = [
        {"i": i, "j": j, "v": None if i == j and n <= MOST else round(100 * float(p[i, j]), 2)}
        for i, j in np.ndindex(p.shape)
    ]
    tooltip = [
        field("row:N", title="the row"),
        field("column:N", title="beats column"),
        field("v:Q", title="chance in %", format=".1f"),
    ]
    if n <= WITH_ENDS:
        for cell in cells:
            i, j = order[cell["i"]], order[cell["j"]]
            cell["low"] = round(100 * float(found.low[i, j]), 2)
            cell["high"] = round(100 * float(found.high[i, j]), 2)
        tooltip += [field(f"{end}:Q", format=".1f") for end in ("low", "high")]
    legend = {"values": [0, 50, 100], "labelExpr": "datum.label + ' %'"}
    legend["gradientLength"] = min(180, width // 3)
    scale = {"domain": [0, 100], "domainMid": 50}
    said = [
        f"{name_of(ratings.candidates[a])} beats {name_of(ratings.candidates[b])}: "
        f"{percent(float(found.p[a, b]))}."
        for a, b in pairwise(order)
    ]
    return Picture(
        view=heat(
            cells,
            rows=names,
            columns=columns,
            width=width,
            colour=field("v:Q", title=None, scale=scale, legend=legend),
            deep=DEEP,
            number=field("v:Q", format=".0f"),
            tooltip=tooltip,
            upright=False,
        ),
        title="chance that the row beats the column",
        see=see,
        alt=f"Chance of beating the next one by rating, {n:,} candidates, best first. {told(said)}",
    )


def win_blocks(
    p: Floats, order: Sequence[int], *, most: int
) -> tuple[list[tuple[int, int]], Floats]:
    """Return the bounds of at most so many blocks of neighbours, and the mean chances of each pair.

    Bounds are the first and last place of a block, from 1 on; blocks are as equal in size as can
    be. Within a block the mean is over two different members: 1/2, or NaN where there is one.
    """
    blocks = [block.tolist() for block in np.array_split(order, min(most, len(order)))]
    ends = np.cumsum([len(block) for block in blocks]).tolist()
    bounds = [(end - len(block) + 1, end) for block, end in zip(blocks, ends, strict=True)]
    return bounds, block_means(p, blocks)

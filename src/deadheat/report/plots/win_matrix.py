"""Who beats whom, how likely."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import altair as alt
import numpy as np

from deadheat.core.types import Floats
from deadheat.output.text import percent
from deadheat.rate.result import Ratings
from deadheat.report.charts.grids import heat
from deadheat.report.charts.rows import name_of, told
from deadheat.report.picture import Picture, draws

# ------------------------------------------------------------------------------
# Win probabilities of many candidates, as means over blocks of neighbours.


@dataclass(frozen=True, eq=False, kw_only=True)
class WinBlocks:
    """Hold the mean probability that members of one block beat those of another.

    ``bounds`` are the first and the last place of each block, from 1 on; ``p`` (k, k) has NaN
    where a block of one meets itself.
    """

    bounds: tuple[tuple[int, int], ...]
    p: Floats


def win_blocks(p: Floats, order: Sequence[int], *, most: int) -> WinBlocks:
    """Return the means of win probabilities (n, n) over at most so many blocks of neighbours.

    Blocks are as equal in size as can be. Nobody meets himself: within a block the mean is over
    two different members, and 1/2.
    """
    n = len(order)
    pieces = np.array_split(np.asarray(order), min(most, n))
    sizes = np.array([len(piece) for piece in pieces])
    member = np.zeros((len(pieces), n))
    for k, piece in enumerate(pieces):
        member[k, piece] = 1.0
    others = np.where(np.eye(n, dtype=bool), 0.0, p)
    total = member @ others @ member.T
    meetings = np.outer(sizes, sizes) - np.diag(sizes)
    ends = np.cumsum(sizes)
    return WinBlocks(
        bounds=tuple(zip((ends - sizes + 1).tolist(), ends.tolist(), strict=True)),
        p=np.where(meetings > 0, total / np.maximum(meetings, 1), np.nan),
    )


# ------------------------------------------------------------------------------

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
        )
        see += "columns have the numbers of the rows."
    else:
        blocks = win_blocks(found.p, order, most=BLOCKS)
        p = blocks.p
        names = columns = [
            f"{low}\u2013{high}" if low < high else f"{low}" for low, high in blocks.bounds
        ]
        see = f"The {n:,} candidates are drawn in {len(p)} blocks of neighbours by rank; a cell is "
        see += "the mean chance in % that one of the row beats one of the column."
    cells: list[dict[str, Any]] = [
        {"i": i, "j": j, "v": None if i == j and n <= MOST else round(100 * float(p[i, j]), 2)}
        for i in range(len(p))
        for j in range(len(p))
    ]
    tooltip = [
        alt.Tooltip("row:N", title="the row"),
        alt.Tooltip("column:N", title="beats column"),
        alt.Tooltip("v:Q", title="chance in %", format=".1f"),
    ]
    if n <= WITH_ENDS:
        for cell in cells:
            i, j = order[cell["i"]], order[cell["j"]]
            cell["low"], cell["high"] = (
                round(100 * float(end[i, j]), 2) for end in (found.low, found.high)
            )
        tooltip += [alt.Tooltip(f"{end}:Q", format=".1f") for end in ("low", "high")]
    colour = alt.Color(
        "v:Q",
        title=None,
        scale=alt.Scale(domain=[0, 100], domainMid=50),
        legend=alt.Legend(
            values=[0, 50, 100], labelExpr="datum.label + ' %'", gradientLength=min(180, width // 3)
        ),
    )
    said = [
        f"{name_of(ratings.candidates[a])} beats {name_of(ratings.candidates[b])}: "
        f"{percent(float(found.p[a, b]))}."
        for a, b in pairwise(order)
    ]
    return Picture(
        chart=heat(
            cells,
            rows=names,
            columns=columns,
            width=width,
            colour=colour,
            deep=DEEP,
            number=alt.Text("v:Q", format=".0f"),
            tooltip=tooltip,
            titles=(None, None),
            upright=False,
        ),
        title="chance that the row beats the column",
        see=see,
        alt=f"Chance of beating the next one by rating, {n:,} candidates, best first. "
        + told(said),
    )

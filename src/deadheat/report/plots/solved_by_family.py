"""Who solves which family of instances."""

from __future__ import annotations

from typing import Any

import altair as alt
import numpy as np

from deadheat.core.errors import counted
from deadheat.data.runs import Runs
from deadheat.report.charts.grids import heat
from deadheat.report.charts.rows import label_limit, name_of, told
from deadheat.report.charts.run_curves import SolvedByStratum, solved_by_stratum
from deadheat.report.picture import Picture, draws

NARROWEST = 12  # pixels across a column
MOST_CELLS = 4_000
DEEP = "datum.v < 0.5"


@draws(Runs)
def solved_by_family(runs: Runs, *, width: int) -> Picture:
    """Show how much of each family (stratum) of instances each candidate solves."""
    found = solved_by_stratum(runs)
    n, room = len(found.candidates), (width - label_limit(width)) // NARROWEST
    across = n <= room and n < len(found.strata)  # candidates stand across, families down
    if across:
        found = found.at_most(MOST_CELLS // n)
    else:
        found = found.at_most(max(2, min(room, MOST_CELLS // n)))
    families = [
        f"{name} ({size})" for name, size in zip(found.strata, found.sizes.tolist(), strict=True)
    ]
    what = "runs" if len(runs.seeds) > 1 else "instances"
    chart = heat(
        _cells(found, across=across),
        rows=families if across else found.candidates,
        columns=found.candidates if across else families,
        width=width,
        colour=alt.Color(
            "v:Q",
            title="solved",
            scale=alt.Scale(domain=[0, 1]),
            legend=alt.Legend(
                format=".0%", values=[0, 0.5, 1], gradientLength=min(140, width // 3)
            ),
        ),
        deep=DEEP,
        number=alt.Text("solved:Q"),
        tooltip=[
            alt.Tooltip("row:N"),
            alt.Tooltip("column:N"),
            alt.Tooltip("solved:Q"),
            alt.Tooltip("v:Q", title="share", format=".0%"),
        ],
    )
    merged = f"; the {found.merged:,} smallest families are one" if found.merged else ""
    return Picture(
        chart=chart,
        title=f"solved {what} by family",
        see=f"Each cell is how many {what} of a family a candidate solves, of as many as its name "
        f"has in brackets{merged}.",
        alt=f"Solved {what} in {counted(len(families), 'family', 'families')}. "
        + told([_in_words(found, s, families[s]) for s in range(len(families))]),
    )


def _cells(found: SolvedByStratum, *, across: bool) -> list[dict[str, Any]]:
    cells = []
    for s, size in enumerate(found.sizes.tolist()):
        for k, solved in enumerate(found.solved[s].tolist()):
            i, j = (s, k) if across else (k, s)
            cells.append({"i": i, "j": j, "v": round(solved / size, 3), "solved": solved})
    return cells


def _in_words(found: SolvedByStratum, s: int, family: str) -> str:
    solved = found.solved[s]
    most, least = int(solved.max()), int(solved.min())
    best = [name_of(found.candidates[i]) for i in np.flatnonzero(solved == most).tolist()]
    if most == least:
        return f"{name_of(family)}: {most} by everybody."
    who = best[0] if len(best) == 1 else counted(len(best), "candidate")
    return f"{name_of(family)}: {least} to {most}, most by {who}."

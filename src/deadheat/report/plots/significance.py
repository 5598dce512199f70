"""The map of all pairs: shown better, shown worse, or not separated."""

from __future__ import annotations

from typing import Any

import altair as alt
import numpy as np

from deadheat.core.errors import counted
from deadheat.core.types import Floats
from deadheat.report.charts.grids import Matrix, matrix_of
from deadheat.report.charts.rows import all_pairs_of, level_of, name_of, told
from deadheat.report.picture import Picture, draws
from deadheat.verdict.result import Verdict

# The outcome: its style, its symbol on a cell, and the same in the title.
OUTCOMES = {1: ("accent", "triangle-up"), -1: ("second", "triangle-down"), 0: ("faint", "circle")}
MEANING = ("▲ row better than column", "▼ worse", "○ not told apart")


@draws(Verdict, strict=True)
def significance(verdict: Verdict, *, width: int) -> Picture:
    """Show for all pairs who is shown better, by tests of all pairs at once."""
    strict = all_pairs_of(verdict)
    better = strict.tests.better
    matrix = matrix_of(verdict, width)
    order = [i for group in verdict.members for i in group]
    pairs = len(order) * (len(order) - 1) // 2
    separated = int(better.sum())
    if matrix.blocks is None:
        chart = _cells(matrix, better[np.ix_(order, order)], strict.tests.p[np.ix_(order, order)])
        what = "▲ the tests show the row better than the column, ▼ worse, ○ neither"
    else:
        chart = _shares(matrix, matrix.means(better.astype(float), order))
        what = (
            "There are too many candidates for a cell each, so neighbours share one: the deeper "
            "the colour, the more of their pairs in which the row is shown better"
        )
    return Picture(
        chart=matrix.framed(chart),
        title="Which pairs are told apart",
        see=f"{what}; {separated:,} of {pairs:,} pairs are told apart.",
        alt=f"{counted(pairs, 'pair')} of {len(order)} candidates, {separated:,} of them told "
        f"apart ({level_of(verdict)}). "
        + told(
            [
                f"{name_of(verdict.candidates[i])} is shown better than {int(better[i].sum())} and "
                f"worse than {int(better[:, i].sum())}."
                for i in order
            ]
        ),
    )


def _cells(matrix: Matrix, better: Any, p: Floats) -> Any:
    outcome = better.astype(int) - better.T.astype(int)
    cells = (
        {"i": i, "j": j, "o": int(outcome[i, j]), "p": float(f"{p[i, j]:.2g}")}
        for i in range(matrix.n)
        for j in range(matrix.n)
        if i != j
    )
    places = matrix.places(*MEANING)
    said = "datum.o > 0 ? 'shown better' : datum.o < 0 ? 'shown worse' : 'not told apart'"
    told_by_outcome = alt.Chart().transform_calculate(outcome=said)
    hint = [
        alt.Tooltip("a:N", title="row"),
        alt.Tooltip("b:N", title="column"),
        alt.Tooltip("outcome:N", title="the row is"),
        alt.Tooltip("p:Q", title="p, adjusted"),
    ]
    side = 0.55 * min(matrix.pixels, matrix.row, 18)
    layers = []
    for value, (style, shape) in OUTCOMES.items():
        these = told_by_outcome.transform_filter(f"datum.o == {value}")
        opacity = 0.9 if value else 0.5
        layers.append(these.mark_rect(style=style, opacity=opacity).encode(**places, tooltip=hint))
        marks = these.mark_point(
            style="paper" if value else "muted",
            shape=shape,
            filled=bool(value),
            size=max(4, side**2),
            strokeWidth=1,
            opacity=1,
        )
        layers.append(marks.encode(**places, tooltip=hint))
    return matrix.layered(cells, *layers)


def _shares(matrix: Matrix, shares: Floats) -> Any:
    cells = (
        {"i": i, "j": j, "share": round(float(shares[i, j]), 3)}
        for i in range(matrix.n)
        for j in range(matrix.n)
        if shares[i, j] > 0  # also leaves out NaN, a block of one against itself
    )
    shade = alt.Opacity(
        "share:Q",
        title="row shown better in",
        scale=alt.Scale(domain=[0, 1], range=[0.08, 1]),
        legend=alt.Legend(format="%", values=[0.25, 0.5, 1], symbolType="square", columns=3),
    )
    marks = alt.Chart().mark_rect(style="accent")
    deep = marks.encode(
        **matrix.places(),
        opacity=shade,
        tooltip=[
            alt.Tooltip("a:N", title="row"),
            alt.Tooltip("b:N", title="column"),
            alt.Tooltip("share:Q", title="pairs in which the row is shown better", format=".0%"),
        ],
    )
    return matrix.layered(cells, deep)

"""The win rates of all pairs, judge by judge."""

from __future__ import annotations

from typing import Any

import altair as alt
import numpy as np

from deadheat.core.types import Floats
from deadheat.models.aggregation.ballots import majority
from deadheat.output.text import percent
from deadheat.report.charts.grids import Matrix, aggregation, matrix_of
from deadheat.report.charts.rows import name_of, told
from deadheat.report.picture import Picture, draws
from deadheat.verdict.result import Verdict

NUMBERED = 21  # pixels a cell needs for two digits


@draws(Verdict)
def pairs(verdict: Verdict, *, width: int) -> Picture:
    """Show on what share of the judges each candidate scores better than each other."""
    relation = majority(verdict.evidence.results)
    matrix = matrix_of(verdict, width)
    order = [i for group in verdict.members for i in group]
    rates = matrix.means(relation.rates, order)
    leader, names = order[0], verdict.candidates
    others = [i for i in order if i != leader]
    shares = [
        "an unknown share" if np.isnan(rate) else percent(rate)
        for rate in relation.rates[leader].tolist()
    ]
    return Picture(
        chart=matrix.framed(_cells(matrix, rates)),
        title="On how many judges one beats another",
        see="Each cell says on what share of the judges the row scores better than the column, "
        f"ties as half{aggregation(matrix)}.",
        alt=f"Win rates of {len(order)} candidates over the judges who scored both; a tie counts "
        f"half. {name_of(names[leader])}, listed first, scores better than "
        + (told([f"{name_of(names[i])} on {shares[i]}." for i in others]) or "nobody."),
    )


def _cells(matrix: Matrix, rates: Floats) -> Any:
    cells = (
        {"i": i, "j": j, "rate": round(float(rates[i, j]), 3)}
        for i in range(matrix.n)
        for j in range(matrix.n)
        if (i != j or matrix.blocks is not None) and not np.isnan(rates[i, j])
    )
    places = matrix.places("the row's share of judges", "against the column")
    hint = [
        alt.Tooltip("a:N", title="row"),
        alt.Tooltip("b:N", title="column"),
        alt.Tooltip("rate:Q", title="the row scores better on", format=".1%"),
    ]
    colour = alt.Color(
        "rate:Q",
        title="share of judges",
        scale=alt.Scale(domain=[0, 0.5, 1], range="diverging"),
        legend=alt.Legend(format="%", gradientLength=120, tickCount=2),
    )
    marks = alt.Chart().mark_rect().encode(**places, color=colour, tooltip=hint)
    if min(matrix.pixels, matrix.row + 4) < NUMBERED:
        return matrix.layered(cells, marks)
    text = alt.Text("rate:Q", format=".0%")
    far = "datum.rate < 0.15 || datum.rate > 0.9"
    layers = [marks]
    for style, which in (("on-pale", f"!({far})"), ("on-deep", far)):
        written = alt.Chart().transform_filter(which).mark_text(style=style, fontSize=9)
        layers.append(written.encode(**places, text=text, tooltip=hint))
    return matrix.layered(cells, *layers)

"""How often who is how much slower than the fastest."""

from __future__ import annotations

import numpy as np

from deadheat.data.runs import Runs
from deadheat.output.text import percent
from deadheat.report.charts.rows import name_of, told
from deadheat.report.charts.run_curves import Span, among, step_lines
from deadheat.report.charts.run_curves import performance_profile as profile
from deadheat.report.picture import Picture, draws

LONGEST = 1e6


@draws(Runs, figure="Dolan and Moré (2002), figure 1")
def performance_profile(runs: Runs, *, width: int) -> Picture:
    """Show how often each candidate is within a factor of the fastest one."""
    found = profile(runs)
    largest = max((float(c.places[-1]) for c in found.curves if len(c.places)), default=1.0)
    span = Span(1.0, min(max(largest * 1.05, 2.0), LONGEST), log=True)
    titles = ("times the fastest", f"share of {found.noun}")
    ends = np.array([1.0, np.inf])
    said = []
    for curve in found.curves:
        fastest, ever = curve.at(ends).tolist()
        said.append(
            f"{name_of(curve.candidate)}: fastest on {percent(fastest)}, solves {percent(ever)}."
        )
    return Picture(
        chart=step_lines(found, span, width=width, top=1.0, titles=titles, form=".0%"),
        title="performance profile",
        see=f"On the left is how often each is the fastest, on the right how much it solves at all"
        f"{among(found)}.",
        alt=f"Share of {found.noun} on which each is within a factor of the fastest. {told(said)}",
    )

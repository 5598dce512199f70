"""Who has solved which share by when."""

from __future__ import annotations

from math import isinf

from deadheat.data.runs import Runs
from deadheat.inference.run_curves import RunCurves, solved_by, time_span
from deadheat.report.picture import Picture
from deadheat.report.registry import draws
from deadheat.report.rows import name_of, told
from deadheat.report.run_lines import among, time_lines, without_time
from deadheat.text import number, percent


@draws(Runs)
def quantile(runs: Runs, *, width: int) -> Picture:
    """Show which share of all instances each candidate has solved by which time."""
    solved = solved_by(runs)
    span = time_span(solved)
    found = solved.shares()
    title = f"share of {found.noun} solved"
    chart = time_lines(found, span, width=width, top=1.0, title=title, form=".0%")
    return Picture(
        chart=chart,
        title=f"{title} by time",
        see=f"Read a line upwards for the share of all {found.noun} solved by a time, and across "
        "for the time that a share takes; what was never solved is missing at the right end"
        f"{among(found)}.",
        alt=f"Share of {number(solved.whole)} {found.noun} solved by {number(span[1])} seconds, "
        f"most first; what is not solved in time counts as not solved. {told(_in_words(found))}"
        + without_time(found),
    )


def _in_words(found: RunCurves) -> list[str]:
    said = []
    for curve in found.curves:
        share = float(curve.heights[-1]) if len(curve.heights) else 0.0
        half = curve.reached(0.5)
        when = "never half" if isinf(half) else f"half by {number(half)} seconds"
        said.append(f"{name_of(curve.candidate)}: {percent(share)}, {when}.")
    return said

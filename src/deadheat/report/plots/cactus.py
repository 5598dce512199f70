"""Who has solved how many by when."""

from __future__ import annotations

from deadheat.data.runs import Runs
from deadheat.inference.run_curves import RunCurves, solved_by, time_span
from deadheat.report.picture import Picture
from deadheat.report.registry import draws
from deadheat.report.rows import name_of, told
from deadheat.report.run_lines import among, time_lines, without_time
from deadheat.text import number


@draws(Runs, first=True)
def cactus(runs: Runs, *, width: int) -> Picture:
    """Show how many instances each candidate has solved by which time."""
    found = solved_by(runs)
    span = time_span(found)
    top = max((float(c.heights[-1]) for c in found.curves if len(c.heights)), default=1.0)
    until = f"{number(span[1])} seconds"
    title, form = f"solved {found.noun}", ",.0f" if top >= 5 else ",~r"
    chart = time_lines(found, span, width=width, top=top * 1.03, title=title, form=form)
    return Picture(
        chart=chart,
        title=f"{title} by time",
        see=f"A higher line has solved more {found.noun} by that time{among(found)}.",
        alt=f"Solved {found.noun} of {number(found.whole)} by {until}, most first. "
        + told(_in_words(found))
        + without_time(found),
    )


def _in_words(found: RunCurves) -> list[str]:
    said = []
    for curve in found.curves:
        solved = float(curve.heights[-1]) if len(curve.heights) else 0.0
        when = f", half of them by {number(curve.reached(solved / 2))} seconds" if solved else ""
        said.append(f"{name_of(curve.candidate)}: {number(solved)}{when}.")
    return said

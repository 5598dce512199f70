"""Who has solved how many by when, in numbers or in shares."""

from __future__ import annotations

from math import isinf

from deadheat.data.runs import Runs
from deadheat.output.text import number, percent
from deadheat.report.charts.rows import name_of, told
from deadheat.report.charts.run_curves import (
    RunCurves,
    among,
    solved_by,
    time_lines,
    time_span,
    without_time,
)
from deadheat.report.picture import Picture, draws


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


# ------------------------------------------------------------------------------
# Who has solved which share by when.


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
        f"most first; what is not solved in time counts as not solved. {told(_shares(found))}"
        + without_time(found),
    )


def _shares(found: RunCurves) -> list[str]:
    said = []
    for curve in found.curves:
        share = float(curve.heights[-1]) if len(curve.heights) else 0.0
        half = curve.reached(0.5)
        when = "never half" if isinf(half) else f"half by {number(half)} seconds"
        said.append(f"{name_of(curve.candidate)}: {percent(share)}, {when}.")
    return said

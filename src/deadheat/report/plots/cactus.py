"""Who has solved how many by when: in numbers (a cactus plot) or in shares (a quantile plot)."""

from __future__ import annotations

from math import isinf

from deadheat.data.runs import Runs
from deadheat.output.text import number, percent
from deadheat.report.charts.rows import name_of, told
from deadheat.report.charts.run_curves import (
    Curve,
    among,
    solved_by,
    step_lines,
    time_span,
    without_time,
)
from deadheat.report.picture import Picture, draws


@draws(Runs, first=True)
def cactus(runs: Runs, *, width: int) -> Picture:
    """Show how many instances each candidate has solved by which time."""
    return _by_time(runs, width, shares=False)


@draws(Runs)
def quantile(runs: Runs, *, width: int) -> Picture:
    """Show which share of all instances each candidate has solved by which time."""
    return _by_time(runs, width, shares=True)


def _by_time(runs: Runs, width: int, *, shares: bool) -> Picture:
    counts = solved_by(runs)
    span = time_span(counts)
    noun, whole, end = counts.noun, number(counts.whole), f"{number(span.stop)} seconds"
    if shares:
        found, top, form = counts.shares(), 1.0, ".0%"
        title = f"share of {noun} solved"
        see = (
            f"Read a line upwards for the share of all {noun} solved by a time, and across for the "
            "time that a share takes; what was never solved is missing at the right end"
        )
        alt = (
            f"Share of {whole} {noun} solved by {end}, most first; what is not solved in time "
            f"counts as not solved. {told([_share(curve) for curve in found.curves])}"
        )
    else:
        found, most = counts, max((curve.height for curve in counts.curves), default=0.0) or 1.0
        top, form = most * 1.03, ",.0f" if most >= 5 else ",~r"
        title = f"solved {noun}"
        see = f"A higher line has solved more {noun} by that time"
        alt = (
            f"Solved {noun} of {whole} by {end}, most first. "
            f"{told([_number(curve) for curve in found.curves])}"
        )
    seconds = "seconds, log scale" if span.log else "seconds"
    return Picture(
        chart=step_lines(found, span, width=width, top=top, titles=(seconds, title), form=form),
        title=f"{title} by time",
        see=f"{see}{among(found)}.",
        alt=f"{alt}{without_time(found)}",
    )


def _number(curve: Curve) -> str:
    solved = curve.height
    when = f", half of them by {number(curve.reached(solved / 2))} seconds" if solved else ""
    return f"{name_of(curve.candidate)}: {number(solved)}{when}."


def _share(curve: Curve) -> str:
    half = curve.reached(0.5)
    when = "never half" if isinf(half) else f"half by {number(half)} seconds"
    return f"{name_of(curve.candidate)}: {percent(curve.height)}, {when}."

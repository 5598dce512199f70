"""Runs: how many instances were solved in which time, and of which family."""

from __future__ import annotations

from deadheat.core.errors import counted
from deadheat.report.contents import Contents
from deadheat.report.page import Section, pictures, tells


@tells(110)
def runs(found: Contents) -> Section | None:
    """Show the runs behind the scores."""
    r = found.runs
    if r is None:
        return None
    timed = r.time is not None
    of_times = ("cactus", "performance-profile") if timed else ()
    return Section(
        name="runs",
        title="The runs",
        sentence=f"{counted(len(r), 'run')} of {counted(len(r.candidates), 'candidate')} on "
        f"{counted(len(r.instances), 'instance')}: {r.statuses_in_words}.",
        pictures=pictures(r, (*of_times, "solved-by-family")),
    )

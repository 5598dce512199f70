"""The numbers with their intervals."""

from __future__ import annotations

from deadheat.report.contents import Contents
from deadheat.report.page import Section, Table, pictures, tells


@tells(30)
def intervals(found: Contents) -> Section | None:
    """Show how far resampling moves each number."""
    v = found.verdict
    if v is None:
        return None
    table = v.table("intervals")
    told = len(table.rows())
    title = "Intervals" if told == len(v.candidates) else f"Intervals of the first {told}"
    return Section(
        name="intervals",
        title="How far the numbers would move",
        sentence=f"Each line is where the true {v.heading} of a candidate may lie. That of another "
        "competition of the same size varies once more.",
        pictures=pictures(v, ("intervals",)),
        tables=(Table(name="intervals", title=title, result=table),),
    )

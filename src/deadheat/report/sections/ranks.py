"""Which ranks each candidate takes in the resamples."""

from __future__ import annotations

from deadheat.report.contents import Contents
from deadheat.report.page import Section, Table, pictures, tells

MANY = 40


@tells(50)
def ranks(found: Contents) -> Section | None:
    """Show the distribution of ranks."""
    v = found.verdict
    if v is None:
        return None
    table, first = v.table("ranks"), v.table("first")
    of_ranks = "ranks" if len(v.candidates) <= MANY else "rank-map"
    return Section(
        name="ranks",
        title="Which ranks were possible",
        sentence=first.sentence,
        pictures=pictures(v, ("first", of_ranks)),
        tables=(
            Table(name="ranks", title="Quantiles of the ranks", result=table),
            Table(name="first", title="Shares ranked first", result=first),
        ),
        notes=(table.sentence,),
    )

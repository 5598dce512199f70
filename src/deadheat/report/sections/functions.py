"""Whether the ranking functions agree."""

from __future__ import annotations

from deadheat.criteria.result import has_map
from deadheat.report.contents import Contents
from deadheat.report.page import Section, Table, pictures, tells
from deadheat.report.summary import by_functions


@tells(70)
def functions(found: Contents) -> Section | None:
    """Compare ranking functions on the table."""
    c = found.criteria
    if c is None:
        return None
    correlations = c.correlations()
    return Section(
        name="functions",
        title="Do the ranking functions agree?",
        sentence=by_functions(found),
        pictures=pictures(
            c, ("rank-lines", "criteria", *(["functions-map"] if has_map(c) else []))
        ),
        tables=(
            Table(name="functions", title="What can be trusted here", result=c, shown=c.grid()),
            Table(
                name="function-correlations",
                title="How alike the rankings are",
                result=correlations,
                shown=correlations.grid(),
                folded=True,
            ),
        ),
        notes=(c.verdict, *c.grid().notes, correlations.sentence),
    )

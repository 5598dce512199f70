"""Whether the ranking functions agree."""

from __future__ import annotations

from deadheat.ranking.words import others_in_words
from deadheat.report.gathering import Gathered
from deadheat.report.section import Section, Table, pictures, tells


@tells(70)
def functions(found: Gathered) -> Section | None:
    """Compare ranking functions on the table."""
    c = found.criteria
    if c is None:
        return None
    correlations = c.correlations()
    return Section(
        name="functions",
        title="Do the ranking functions agree?",
        sentence=_first_by(found),
        pictures=pictures(c, ("rank-lines", "criteria", "functions-map")),
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
        notes=(*c.verdict.split("\n"), *c.grid().notes, correlations.sentence),
    )


def _first_by(found: Gathered) -> str:
    """Say whether other ranking functions have other winners."""
    v = found.verdict
    if v is None or not v.first_by:
        return "How ranking functions do on this table."
    return others_in_words(v.winners, {v.function.name: v.winners, **v.first_by})

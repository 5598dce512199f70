"""A map of judges and candidates."""

from __future__ import annotations

from deadheat.report.contents import Contents
from deadheat.report.page import Section, Table, pictures, tells


@tells(100)
def judges(found: Contents) -> Section | None:
    """Show which judges rank alike, and whom they favour."""
    a = found.agreement
    if a is None or a.results.m < 2:
        return None
    return Section(
        name="judges",
        title="Do the judges agree?",
        sentence=a.verdict,
        pictures=pictures(a, ("heat-map", "judges-map", "agreement")),
        tables=(
            Table(
                name="judges",
                title="Judges that agree least with the others",
                result=a,
                shown=a.grid(),
                folded=True,
            ),
        ),
        notes=a.grid().notes,
    )

"""What was understood of the data, and what is odd about them."""

from __future__ import annotations

from deadheat.report.contents import Contents
from deadheat.report.page import Section, Table, tells


@tells(120)
def health(found: Contents) -> Section | None:
    """Show the findings of the check."""
    c = found.check
    if c is None:
        return None
    return Section(
        name="health",
        title="Are the data sound?",
        sentence=c.verdict,
        tables=(Table(name="check", title="Findings", result=c, shown=c.grid()),),
        notes=("Starred findings deserve a second look.",)
        if any(look for _, _, look in c.findings)
        else (),
    )

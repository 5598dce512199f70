"""Names that are too long for a page, in full."""

from __future__ import annotations

from dataclasses import replace

from deadheat.core.errors import counted
from deadheat.output.text import ELLIPSIS
from deadheat.report.contents import LONGEST, Contents, FullNames
from deadheat.report.page import Section, Table, tells

SHOWN = 1_000  # letters of a name in full that the page itself shows
MOST = 300


@tells(125)
def names(found: Contents) -> Section | None:
    """Tell each shortened name in full."""
    records = tuple(
        {"kind": kind, "name": short, "in_full": full}
        for kind, names in found.full_names.items()
        for short, full in names.items()
    )
    if not records:
        return None
    told = FullNames(
        made=found.main.made,
        name="names",
        records=records,
        sentence="The names that are shortened here, and what they are in full.",
        keys=2,
        headings={"in_full": "in full"},
    )
    begun = tuple({**each, "in_full": _begun(each["in_full"])} for each in records[:MOST])
    shown = replace(told, records=begun).grid()
    return Section(
        name="names",
        title="Names in full",
        sentence=f"{counted(len(records), 'name')} of more than {LONGEST} letters "
        f"{'is' if len(records) == 1 else 'are'} shortened in the middle everywhere else here.",
        tables=(Table(name="names", title="Names in full", result=told, shown=shown, folded=True),),
        notes=(f"The page shows up to {SHOWN:,} letters of {MOST} names; the download has all.",)
        if len(records) > MOST or any(len(each["in_full"]) > SHOWN for each in records)
        else (),
    )


def _begun(name: str) -> str:
    return name if len(name) <= SHOWN else name[: SHOWN - 1] + ELLIPSIS

"""What functions, judges, runs and the data themselves say, and names in full."""

from __future__ import annotations

from dataclasses import replace

from deadheat.core.errors import counted
from deadheat.criteria.result import has_map
from deadheat.output.text import ELLIPSIS
from deadheat.report.contents import LONGEST, Contents, FullNames
from deadheat.report.page import Section, Table, pictures, tells
from deadheat.report.summary import by_functions

SHOWN = 1_000  # letters of a name in full that the page itself shows
MOST = 300


@tells(70)
def functions(found: Contents) -> Section | None:
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


@tells(100)
def judges(found: Contents) -> Section | None:
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


@tells(110)
def runs(found: Contents) -> Section | None:
    r = found.runs
    if r is None:
        return None
    of_times = () if r.time is None else ("cactus", "performance-profile")
    return Section(
        name="runs",
        title="The runs",
        sentence=f"{counted(len(r), 'run')} of {counted(len(r.candidates), 'candidate')} on "
        f"{counted(len(r.instances), 'instance')}: {r.statuses_in_words}.",
        pictures=pictures(r, (*of_times, "solved-by-family")),
    )


@tells(120)
def health(found: Contents) -> Section | None:
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


@tells(125)
def names(found: Contents) -> Section | None:
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
    begun = tuple(
        {**each, "in_full": full if len(full) <= SHOWN else full[: SHOWN - 1] + ELLIPSIS}
        for each in records[:MOST]
        for full in [each["in_full"]]
    )
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

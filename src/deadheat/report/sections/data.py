"""What functions, judges, runs and the data say; names in full; how the page was made."""

from __future__ import annotations

import platform
from dataclasses import replace
from importlib.metadata import version
from typing import Any

from deadheat.core.errors import counted
from deadheat.core.version import __version__
from deadheat.criteria.result import has_map
from deadheat.output.text import ELLIPSIS, cell_text, flat
from deadheat.report.contents import LONGEST, Contents, FullNames
from deadheat.report.page import Section, Table, pictures, tells
from deadheat.report.summary import by_functions

SHOWN = 1_000  # letters of a name in full that the page itself shows
MOST = 300
LABELS = {
    "command": "Command",
    "source": "Data",
    "sha256": "SHA-256 of the data",
    "candidates": "Candidates",
    "judges": "Judges",
    "battles": "Battles",
    "better": "Direction",
    "missing": "Missing scores",
    "rule": "Scoring rule",
    "tie_tol": "Tie tolerance",
    "scale_scores": "Scores standardised",
    "function": "Ranking function",
    "plan": "Resampling",
    "replicates": "Resamples",
    "seed": "Seed",
    "alpha": "Level",
    "interval": "Intervals",
    "correction": "Correction",
    "strict": "Tests of all pairs",
    "errors": "Standard errors",
}
PACKAGES = ("numpy", "scipy", "altair", "vl-convert-python")
COUNTS = ("candidates", "judges", "battles", "replicates")


@tells(70)
def functions(found: Contents) -> Section | None:
    c = found.criteria
    if c is None:
        return None
    correlations, grid = c.correlations(), c.grid()
    drawn = pictures(c, ("rank-lines", "criteria", *["functions-map"] * has_map(c)))
    title, alike = "Do the ranking functions agree?", "How alike the rankings are"
    tables = (
        Table("functions", "What can be trusted here", c, grid),
        Table("function-correlations", alike, correlations, correlations.grid(), folded=True),
    )
    notes = (c.verdict, *grid.remarks, correlations.sentence)
    return Section("functions", title, by_functions(found), drawn, tables, notes)


@tells(100)
def judges(found: Contents) -> Section | None:
    a = found.agreement
    if a is None or a.results.m < 2:
        return None
    grid, title = a.grid(), "Judges that agree least with the others"
    drawn = pictures(a, ("heat-map",), values="ranks") + pictures(a, ("judges-map", "agreement"))
    table = Table("judges", title, a, grid, folded=True)
    return Section("judges", "Do the judges agree?", a.verdict, drawn, (table,), grid.remarks)


@tells(110)
def runs(found: Contents) -> Section | None:
    r = found.runs
    if r is None:
        return None
    of_times = () if r.time is None else ("cactus", "performance-profile")
    sentence = (
        f"{counted(len(r), 'run')} of {counted(len(r.candidates), 'candidate')} on "
        f"{counted(len(r.instances), 'instance')}: {r.statuses_in_words}."
    )
    drawn = pictures(r, (*of_times, "solved-by-family"))
    return Section("runs", "The runs", sentence, drawn)


@tells(120)
def health(found: Contents) -> Section | None:
    c = found.check
    if c is None:
        return None
    table = Table("check", "Findings", c, c.grid())
    starred = any(look for _, _, look in c.findings)
    notes = ("Starred findings deserve a second look.",) if starred else ()
    return Section("health", "Are the data sound?", c.verdict, (), (table,), notes)


@tells(125)
def names(found: Contents) -> Section | None:
    records = tuple(
        {"kind": kind, "name": short, "in_full": full}
        for kind, names in found.full_names.items()
        for short, full in names.items()
    )
    if not records:
        return None
    listing = FullNames(
        made=found.main.made,
        name="names",
        records=records,
        sentence="The names that are shortened here, and what they are in full.",
        keys=2,
        headings={"in_full": "in full"},
    )
    grid = listing.grid()
    cells = tuple(
        (*names, str(full) if len(str(full)) <= SHOWN else str(full)[: SHOWN - 1] + ELLIPSIS)
        for *names, full in grid.cells[:MOST]
    )
    grid = replace(grid, cells=cells)
    cut = len(records) > MOST or any(len(each["in_full"]) > SHOWN for each in records)
    note = f"The page shows up to {SHOWN:,} letters of {MOST} names; the download has all."
    are = "is" if len(records) == 1 else "are"
    sentence = (
        f"{counted(len(records), 'name')} of more than {LONGEST} letters {are} shortened in the "
        "middle everywhere else here."
    )
    table = Table("names", "Names in full", listing, grid, folded=True)
    return Section("names", "Names in full", sentence, (), (table,), (note,) if cut else ())


@tells(130)
def provenance(found: Contents) -> Section:
    facts = {**found.main.made, **found.also_made}
    told = {key: facts[key] for key in LABELS if facts.get(key) not in (None, "", [], ())}
    versions = {"deadheat": __version__, "Python": platform.python_version()}
    versions |= {name: version(name) for name in PACKAGES}
    done = found.methods
    extra = {
        "facts": [(LABELS[key], _in_words(key, value)) for key, value in told.items()],
        "versions": list(versions.items()),
        "methods": "" if done is None else done.paragraph(),
        "references": [] if done is None else [each.full for each in done.references],
    }
    sentence = "The same data, options and seed give the same page."
    form = ("made.html.j2", extra)
    return Section("made", "How this was made", sentence, (), (), found.left_out, *form)


def _in_words(key: str, value: Any) -> str:
    if key == "missing" and value == "error":
        return "none"  # any would have been refused
    if isinstance(value, list):
        return " ".join(map(str, value))
    return f"{value:,}" if isinstance(value, int) and key in COUNTS else cell_text(flat(value))

"""What functions, judges, runs and the data say; names in full; how the page was made."""

from __future__ import annotations

import platform
from dataclasses import replace
from importlib.metadata import version
from typing import Any, ClassVar

import numpy as np

from deadheat.core.errors import counted, named
from deadheat.core.version import __version__
from deadheat.criteria.result import Criteria, has_map
from deadheat.data.results import Results
from deadheat.models.aggregation.ballots import majority
from deadheat.output.result import Listing
from deadheat.output.table import Grid
from deadheat.output.text import ELLIPSIS, cell_text, flat
from deadheat.rank.api import Ranking, rank
from deadheat.rank.words import are_first, by_winner
from deadheat.ranking.ranks import ranks
from deadheat.rate.result import Ratings
from deadheat.rate.words import SPOKEN
from deadheat.report.charts.rows import called, nouns_of
from deadheat.report.contents import LONGEST, Contents, FullNames
from deadheat.report.page import Section, Table, pictures, tells
from deadheat.report.picture import Picture
from deadheat.verdict.result import Verdict

SHOWN = 1_000  # letters of a name in full that the page itself shows
MOST = 300
LABELS = {
    "command": "Command",
    "source": "Data",
    "sha256": "SHA-256 of the data",
    "candidates": "",  # the table's nouns
    "judges": "",
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
PODIUM = 3
MOST_WAYS = 3  # of counting that are named
MOST_IN_OPEN = 30  # candidates of a picture that is not folded
WITHOUT_A_MODEL = (
    "The share of wins counts every battle alike, whoever the rival was; the share of rivals "
    "beaten counts every rival alike, however often they met. A rating allows for both."
)
COUNTS = ("candidates", "judges", "battles", "replicates")


class Scores(Listing):
    schema: ClassVar[str] = "deadheat.scores/1"


class Ways(Listing):
    """Hold the ranks of candidates by several ways of counting."""

    schema: ClassVar[str] = "deadheat.ways/1"


class ByValue(Listing):
    """Hold who is first for each value of a column."""

    schema: ClassVar[str] = "deadheat.boards/1"


@tells(30)
def functions(found: Contents) -> Section | None:
    v, budget, r, title = found.verdict, found.budget, found.ratings, "Count another way"
    if v is None and found.table is None and isinstance(r, Ratings) and r.first_by:
        return Section("functions", title, WITHOUT_A_MODEL, (), (_ways(r),))
    if v is None or budget is None or not v.first_by:
        return None
    ways, results = rank(v.evidence.results, by=[v.function, *v.first_by]), v.evidence.results
    told = [_others_first(v, ways)]
    agree = all(first == v.winners for first in v.first_by.values())
    drawn: tuple[Picture, ...] = ()
    if budget.listed and not (agree and results.n > MOST_IN_OPEN):
        first, others = v.leaders[0], [i for i in v.order if i in v.members[0]]
        level = [v.candidates[i] for i in sorted(others, key=first.__ne__)] if v.says_level else []
        drawn = pictures(ways, ("rank-lines",), asked=v.function.name, told=True, level=level)
    if budget.graph:
        (circle,) = pictures(v, ("condorcet",))
        best = majority(results).winner
        if circle.shows:
            drawn += (circle,)
        elif best is not None and results.candidates[best] not in v.winners:
            told.insert(0, circle.see)
    return Section("functions", title, " ".join(filter(None, told)), drawn)


def _others_first(v: Verdict, ways: Ranking) -> str:
    """Say by which few ways somebody else is first, or how many keep the podium."""
    others = by_winner({name: who for name, who in v.first_by.items() if who != v.winners})
    if others:
        return " ".join(
            f"{are_first(who, v.nouns.candidate)} by {named([called(ways, name) for name in by])}."
            for who, by in others
            if len(by) <= MOST_WAYS
        )
    top = ways.ranks <= PODIUM
    same = int((ways.ranks * top == (ways.ranks * top)[0]).all(axis=1).sum())
    every = counted(len(top), "way", "ways")
    return (
        f"{same:,} of {every} of counting keep the podium." if v.evidence.results.n > PODIUM else ""
    )


def _ways(r: Ratings) -> Table:
    """Return the ranks by the model and by what is counted without one."""
    model, many = SPOKEN.get(r.model, r.model), r.nouns.candidates()
    ways = {model: r.ratings, **r.shares}
    places = {name: ranks(shares).tolist() for name, shares in ways.items()}
    records = (
        {"candidate": r.candidates[i], **{name: place[i] for name, place in places.items()}}
        for i in r.order
    )
    said = f"Ranks of the {many} by each way of counting."
    result = Ways.of(r, "ways", records, said, headings={"candidate": r.nouns.candidate})
    return Table("ways", "Ranks by each way of counting", result, result.grid(), folded=True)


@tells(40)
def decided(found: Contents) -> Section | None:
    """Tell by which families and by which single judges it was decided."""
    v, r, influence, a = found.verdict, found.runs, found.influence, found.agreement
    drawn: tuple[Picture, ...] = ()
    if r is not None:
        order = () if v is None else [v.candidates[i] for i in v.order]
        drawn = pictures(r, ("solved-by-family",), order=order)
    elif a is not None and a.results.m > 1 and a.results.n <= MOST_IN_OPEN:
        drawn = pictures(a, ("heat-map",), values="ranks")
    tables: tuple[Table, ...] = ()
    if influence is not None:
        drawn += tuple(p for p in pictures(influence, ("influence",)) if p.shows)  # else it is said
        grid = influence.grid()
        title = f"Without one {influence.parts.one}"
        tables = (Table("influence", title, influence, grid if grid.cells else None, folded=True),)
    if v is None or not (drawn or tables):
        return None
    several = f"{counted(len(r), 'run')}: {r.statuses_in_words}." if r is not None else ""
    sentence = several if influence is None else " ".join(influence.sentences[:2])
    sentence = sentence or f"How each {v.nouns.judge} ranks the {v.nouns.candidates()}."
    return Section("decided", "Where it was decided", sentence, drawn, tables)


@tells(45)
def boards(found: Contents) -> Section | None:
    """Tell who is first for each value of the column that was asked for."""
    v = found.verdict
    if v is None or v.boards is None:
        return None
    records = ({k: x for k, x in board.items() if k != "rows"} for board in v.boards.boards)
    result = ByValue.of(v, "boards", records, v.boards.sentence)
    title = f"By {flat(v.boards.column)}"
    table = Table(
        "boards", f"Who is first in each {flat(v.boards.column)}", result, v.boards.grid()
    )
    return Section("boards", title, v.boards.sentence, (), (table,))


@tells(120)
def judges(found: Contents) -> Section | None:
    a = found.agreement
    if a is None or a.results.m < 2:
        return None
    grid, many = a.grid(), a.results.nouns.judges()
    shown = found.runs is None and a.results.n <= MOST_IN_OPEN  # where it was decided
    drawn = () if shown else pictures(a, ("heat-map",), values="ranks")
    drawn += pictures(a, ("judges-map", "agreement"))
    table = Table(
        "judges", f"{many.capitalize()} that agree least with the others", a, grid, folded=True
    )
    told = (drawn, (table,), grid.remarks)
    return Section("judges", f"Do the {many} agree?", " ".join(a.sentences), *told, folded=True)


@tells(130)
def criteria(found: Contents) -> Section | None:
    c = found.criteria
    if c is None:
        return None
    correlations, grid = c.correlations(), _spoken(c, c.grid())
    drawn = pictures(c, ("criteria", *["functions-map"] * has_map(c)))
    alike = "How alike the rankings are"
    tables = (
        Table("functions", "What can be trusted here", c, grid),
        Table(
            "function-correlations",
            alike,
            correlations,
            _spoken(c, correlations.grid(), *c.names),
            folded=True,
        ),
    )
    notes = (*grid.remarks, correlations.sentence)
    title, told = "Which way of counting can be trusted here?", (drawn, tables, notes)
    return Section("criteria", title, " ".join(c.sentences), *told, folded=True)


def _spoken(c: Criteria, grid: Grid, *names: str) -> Grid:
    """Return a table of functions with the words of the page in place of the names of options.

    Columns are called by ``names``, where these are functions, too.
    """
    cells = ((called(c, str(name)), *row) for name, *row in grid.cells)
    first, *others = grid.columns
    if names:
        others = [
            replace(each, name=called(c, name)) for each, name in zip(others, names, strict=False)
        ]
    return replace(
        grid, columns=(replace(first, name="way of counting"), *others), cells=tuple(cells)
    )


@tells(150)
def runs(found: Contents) -> Section | None:
    r = found.runs
    if r is None or r.time is None:
        return None
    sentence = (
        f"{counted(len(r), 'run')} of {r.nouns.candidates(len(r.candidates))} on "
        f"{r.nouns.judges(len(r.instances))}: {r.statuses_in_words}."
    )
    v = found.verdict
    level = () if v is None or v.undecided else v.groups[0]
    drawn = pictures(r, ("cactus", "performance-profile"), level=level)
    return Section("runs", "The runs over time", sentence, drawn, folded=True)


@tells(170)
def health(found: Contents) -> Section | None:
    c = found.check
    if c is None:
        return None
    table = Table("check", "Findings", c, c.grid())
    starred = any(look for _, _, look in c.findings)
    notes = ("Starred findings deserve a second look.",) if starred else ()
    told = ((), (table,), notes)
    return Section("health", "Are the data sound?", " ".join(c.sentences), *told, folded=True)


@tells(175)
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
    told = ((), (table,), (note,) if cut else ())
    return Section("names", "Names in full", sentence, *told, folded=True)


@tells(180)
def provenance(found: Contents) -> Section:
    facts = {**found.main.made, **found.also_made}
    told = {key: facts[key] for key in LABELS if facts.get(key) not in (None, "", [], ())}
    if "function" in told:
        by = told["function"]
        told["function"] = [
            called(found.main, name) for name in ([by] if isinstance(by, str) else by)
        ]
    nouns = nouns_of(found.main)
    own = {"candidates": nouns.candidates().capitalize(), "judges": nouns.judges().capitalize()}
    versions = {"deadheat": __version__, "Python": platform.python_version()}
    versions |= {name: version(name) for name in PACKAGES}
    done = found.methods
    extra = {
        "facts": [({**LABELS, **own}[key], _in_words(key, value)) for key, value in told.items()],
        "versions": list(versions.items()),
        "methods": "" if done is None else done.paragraph(),
        "references": [] if done is None else [each.full for each in done.references],
    }
    sentence = "The same data, options and seed give the same page."
    tables = () if found.table is None or not found.carries else (_scores(found, found.table),)
    form = ("made.html.j2", extra)
    title, notes = "How this was made", found.left_out
    return Section("made", title, sentence, (), tables, notes, *form, folded=True)


def _scores(found: Contents, table: Results) -> Table:
    """Return the table itself, as it was written."""
    written = np.where(table.lower, -table.scores, table.scores) + 0.0
    records = tuple(
        {
            "candidate": name,
            "judge": str(judge),
            "stratum": table.strata[j] if table.strata is not None else None,
            "score": None if np.isnan(written[i, j]) else float(written[i, j]),
        }
        for i, name in enumerate(table.candidates)
        for j, judge in enumerate(table.judges)
    )
    said = f"The scores of all {table.nouns.candidates()}."
    listing = Scores(made=found.main.made, name="scores", records=records, sentence=said, keys=2)
    return Table("scores", "The scores", listing)


def _in_words(key: str, value: Any) -> str:
    if key == "missing" and value == "error":
        return "none"  # any would have been refused
    if isinstance(value, list):
        return ", ".join(map(str, value)) if key == "function" else " ".join(map(str, value))
    return f"{value:,}" if isinstance(value, int) and key in COUNTS else cell_text(flat(value))

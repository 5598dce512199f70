"""The answer with its picture; a stricter test, possible ranks, and who is left out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import ClassVar

from deadheat.core.errors import listed, on_page
from deadheat.output.result import Listing
from deadheat.rate.result import Ratings
from deadheat.report.contents import MOST_TESTS, Contents
from deadheat.report.page import Section, Table, pictures, tells
from deadheat.report.picture import Picture
from deadheat.report.summary import summary
from deadheat.statistics.strict_groups import cost_of
from deadheat.verdict.result import Verdict

DRAWN, MOST_DRAWN = 60, 30  # candidates: of more, so many are drawn
RANKED, MOST_RANKED = 400, 200
MOST_NAMES = 12  # of a group


@tells(10)
def answer(found: Contents) -> Section:
    said, v, r = summary(found), found.verdict, found.ratings
    drawn: tuple[Picture, ...] = ()
    if v is not None:
        few = {"top": MOST_DRAWN} if len(v.candidates) > DRAWN and v.shown_top is None else {}
        drawn = pictures(v, ("intervals",), **few)
    elif isinstance(r, Ratings):
        drawn = pictures(r, ("ratings",))
    shown = None if found.live is None else found.live["ways"][0]
    form = ("answer.html.j2", {"summary": said, "live": shown})
    return Section("answer", "The answer", said.headline, drawn, (), said.lines, *form)


@tells(100)
def stricter(found: Contents) -> Section | None:
    v = found.verdict
    if v is None or v.undecided:
        return None
    n = len(v.candidates)
    sentence = (
        f"All {n * (n - 1) // 2:,} pairs at once, two-sided. Above, only leaders are tested: a "
        f"group holds those that {v.tests_in_words} do not separate from its leader."
    )
    if v.all_pairs is None:
        cost = cost_of(v.evidence, v.test)
        sentence = f"All {n * (n - 1) // 2:,} pairs at once were not tested: that takes {cost}."
    if not v.shows:
        sentence = f"The groups are what resampling gives, {v.why_unknown}."
    table, grid = v.table("groups"), v.table("groups").grid()
    headings = (replace(each, name=each.name.replace("_", " ")) for each in grid.columns)
    cells = tuple((*row, _few_names(str(names))) for *row, names in grid.cells)
    shown = replace(grid, columns=tuple(headings), cells=cells)
    tables = [*_groupings(v), Table("groups", "The groups", table, shown, folded=True)]
    notes = [table.sentence, on_page(v.guarantee)]
    tests = sum(len(each.others) for each in v.paper.rounds)
    if tests <= MOST_TESTS:
        tables.append(Table("tests", "Every test behind the groups", v.table("tests")))
    else:
        notes.append(f"The {tests:,} tests are not listed.")
    tables.append(Table("group-summary", "Ties and inversions", v.table("summary")))
    drawn = pictures(v, ["critical-difference"] if found.has_all_pairs else [])
    drawn += pictures(v, ["significance"] if drawn and drawn[0].shows else [])
    told = (drawn, tuple(tables), tuple(notes))
    return Section("stricter", "A stricter test", sentence, *told, folded=True)


def _few_names(listed: str) -> str:
    names = listed.split("), ")
    more = len(names) - MOST_NAMES
    return listed if more < 2 else f"{'), '.join(names[:MOST_NAMES])}) and {more:,} more"


@tells(110)
def ranks(found: Contents) -> Section | None:
    v = found.verdict
    if v is None:
        return None
    table, first = v.table("ranks"), v.table("first")
    tables = (
        Table("intervals", "Intervals", v.table("intervals")),
        Table("ranks", "Quantiles of the ranks", table),
        Table("first", "Shares ranked first", first),
    )
    few = {"top": MOST_RANKED} if len(v.candidates) > RANKED and v.shown_top is None else {}
    title, drawn = "Which ranks were possible", pictures(v, ("first", "ranks"), **few)
    told = (drawn, tables, (table.sentence,))
    return Section("ranks", title, first.sentence, *told, folded=True)


class Policies(Listing):
    schema: ClassVar[str] = "deadheat.policies/1"


class TwoGroupings(Listing):
    """Hold the group of each candidate by the procedure of the paper and by tests of all pairs."""

    schema: ClassVar[str] = "deadheat.groupings/1"


@tells(160)
def what_if(found: Contents) -> Section | None:
    removals = found.removals
    if found.verdict is None or removals is None:
        return None
    grid = removals.grid()
    noun = found.verdict.nouns.candidate
    shown = grid if grid.cells else None
    tables = [Table("removals", f"Without one {noun}", removals, shown, folded=True)]
    title, told = f"What if one {noun} were left out?", ((), (*tables, *_policies(found)), ())
    return Section("what-if", title, " ".join(removals.sentences), *told, folded=True)


def _policies(found: Contents) -> Iterator[Table]:
    winners = {} if found.check is None else found.check.details.get("winners_by_policy", {})
    if not winners or found.check is None:
        return
    records = tuple(
        {"policy": policy, "first": "impossible here" if first is None else listed(first)}
        for policy, first in winners.items()
    )
    sentence = "Who is first under each policy for missing scores."
    made = found.check.made
    result = Policies(made=made, name="policies", records=records, sentence=sentence, keys=1)
    yield Table("policies", "Another policy for missing scores", result, result.grid())


def _groupings(v: Verdict) -> Iterator[Table]:
    if v.all_pairs is None:
        return
    paper, strict = (
        {i: g for g, group in enumerate(members, start=1) for i in group}
        for members in (v.paper.members, v.all_pairs.members)
    )
    result = TwoGroupings(
        made=v.made,
        name="groupings",
        records=tuple(
            {"candidate": v.candidates[i], "paper": paper[i], "all_pairs": strict[i]}
            for group in v.members
            for i in group
        ),
        sentence="The group by Fawcett et al. (2023), whose leaders are tested, and by stricter "
        "tests of all pairs.",
        keys=1,
        headings={
            "candidate": v.nouns.candidate,
            "paper": "paper's group",
            "all_pairs": "strict group",
        },
    )
    title = "The paper's groups against strict ones" + ": the same" * (paper == strict)
    shown = None if paper == strict else result.grid()
    yield Table("groupings", title, result, shown, folded=True)

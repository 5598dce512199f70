"""The answer, what resampling says (intervals, dead heats, ranks), and what would change it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import ClassVar

from deadheat.core.errors import listed, on_page
from deadheat.output.result import Listing
from deadheat.report.contents import MOST_TESTS, Contents
from deadheat.report.page import Section, Table, pictures, tells
from deadheat.report.summary import summary
from deadheat.statistics.strict_groups import cost_of
from deadheat.verdict.result import Verdict


@tells(10)
def answer(found: Contents) -> Section:
    said = summary(found)
    form = ("answer.html.j2", {"summary": said})
    return Section("answer", "The answer", said.headline, (), (), said.lines, *form)


@tells(30)
def intervals(found: Contents) -> Section | None:
    v = found.verdict
    if v is None:
        return None
    table = v.table("intervals")
    rows = len(table.rows())
    title = "Intervals" if rows == len(v.candidates) else f"Intervals of the first {rows}"
    sentence = (
        f"Each line is where the true {v.heading} of a candidate may lie. That of another "
        "competition of the same size varies once more."
    )
    drawn, tables = pictures(v, ("intervals",)), (Table("intervals", title, table),)
    return Section("intervals", "How far the numbers would move", sentence, drawn, tables)


@tells(40)
def groups(found: Contents) -> Section | None:
    v = found.verdict
    if v is None or v.undecided:
        return None
    sentence = (
        f"A group holds those that {v.tests_in_words} do not tell apart from its leader; they "
        "show the leader better than everybody below."
    )
    if not v.shows:
        sentence = f"The groups are what resampling gives, {v.why_unknown}."
    table, grid = v.table("groups"), v.table("groups").grid()
    headings = (replace(each, name=each.name.replace("_", " ")) for each in grid.columns)
    tables = [Table("groups", "The groups", table, replace(grid, columns=tuple(headings)))]
    notes = [table.sentence, *([] if v.too_few else [on_page(v.guarantee)])]
    if v.all_pairs is None:
        notes.append(
            "Pictures of critical differences and of pairs told apart are left out: testing all "
            f"pairs would take {cost_of(v.evidence, v.test)} more."
        )
    tests = sum(len(each.others) for each in v.paper.rounds)
    if tests <= MOST_TESTS:
        tables.append(Table("tests", "Every test behind the groups", v.table("tests")))
    else:
        notes.append(f"The {tests:,} tests are not listed.")
    tables.append(Table("group-summary", "Ties and inversions", v.table("summary")))
    drawn = pictures(v, ("groups", *["critical-difference"] * found.has_all_pairs))
    sentence = v.guarantee if v.too_few else sentence
    return Section("groups", "Dead heats", sentence, drawn, tuple(tables), tuple(notes))


@tells(50)
def ranks(found: Contents) -> Section | None:
    v = found.verdict
    if v is None:
        return None
    table, first = v.table("ranks"), v.table("first")
    tables = (
        Table("ranks", "Quantiles of the ranks", table),
        Table("first", "Shares ranked first", first),
    )
    title, drawn = "Which ranks were possible", pictures(v, ("first", "ranks"))
    return Section("ranks", title, first.sentence, drawn, tables, (table.sentence,))


class Policies(Listing):
    schema: ClassVar[str] = "deadheat.policies/1"


class TwoGroupings(Listing):
    """Hold the group of each candidate by the procedure of the paper and by tests of all pairs."""

    schema: ClassVar[str] = "deadheat.groupings/1"


@tells(80)
def what_if(found: Contents) -> Section | None:
    v, influence, removals = found.verdict, found.influence, found.removals
    if v is None:
        return None
    tables = []
    one = "candidate" if influence is None else influence.parts.one
    for name, what, result in (("influence", one, influence), ("removals", "candidate", removals)):
        if result is not None:
            grid = result.grid()
            shown = grid if grid.cells else None
            tables.append(Table(name, f"Without one {what}", result, shown, folded=True))
    tables += [*_policies(found), *_groupings(v)]
    if not tables:
        return None
    sentence = "What another candidate, policy or test would have changed."
    sentence = sentence if influence is None else influence.verdict
    drawn = pictures(influence, ("influence",))
    notes = () if removals is None else (removals.verdict,)
    return Section("what-if", "What if?", sentence, drawn, tuple(tables), notes)


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
        headings={"paper": "paper's group", "all_pairs": "strict group"},
    )
    title = "The paper's groups against strict ones" + ": the same" * (paper == strict)
    shown = None if paper == strict else result.grid()
    yield Table("groupings", title, result, shown, folded=True)

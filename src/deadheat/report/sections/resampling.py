"""The answer, and what resampling says: intervals, dead heats, ranks."""

from __future__ import annotations

from dataclasses import replace

from deadheat.core.errors import on_page
from deadheat.report.contents import MOST_TESTS, Contents
from deadheat.report.page import Section, Table, pictures, tells
from deadheat.report.summary import summary
from deadheat.statistics.strict_groups import cost_of
from deadheat.verdict.result import Verdict

MANY_RANKS = 40  # candidates above which ranks are drawn as a map


@tells(10)
def answer(found: Contents) -> Section:
    said = summary(found)
    return Section(
        name="answer",
        title="The answer",
        sentence=said.headline,
        notes=said.lines,
        template="answer.html.j2",
        extra={"summary": said},
    )


@tells(30)
def intervals(found: Contents) -> Section | None:
    v = found.verdict
    if v is None:
        return None
    table = v.table("intervals")
    told = len(table.rows())
    title = "Intervals" if told == len(v.candidates) else f"Intervals of the first {told}"
    return Section(
        name="intervals",
        title="How far the numbers would move",
        sentence=f"Each line is where the true {v.heading} of a candidate may lie. That of another "
        "competition of the same size varies once more.",
        pictures=pictures(v, ("intervals",)),
        tables=(Table(name="intervals", title=title, result=table),),
    )


@tells(40)
def groups(found: Contents) -> Section | None:
    v = found.verdict
    if v is None or v.undecided:
        return None
    table, grid = v.table("groups"), v.table("groups").grid()
    headings = (replace(each, name=each.name.replace("_", " ")) for each in grid.columns)
    shown = replace(grid, columns=tuple(headings))
    tables = [Table(name="groups", title="The groups", result=table, shown=shown)]
    notes = [table.sentence, *([] if v.too_few else [on_page(v.guarantee)])]
    if v.all_pairs is None:
        notes.append(
            "Pictures of critical differences and of pairs told apart are left out: testing all "
            f"pairs would take {cost_of(v.evidence, v.test)} more."
        )
    tests = sum(len(each.others) for each in v.paper.rounds)
    if tests <= MOST_TESTS:
        title = "Every test behind the groups"
        tables.append(Table(name="tests", title=title, result=v.table("tests")))
    else:
        notes.append(f"The {tests:,} tests are not listed.")
    summed = Table(name="group-summary", title="Ties and inversions", result=v.table("summary"))
    return Section(
        name="groups",
        title="Dead heats",
        sentence=_sentence(v),
        pictures=pictures(
            v, ("groups", "critical-difference") if found.has_all_pairs else ("groups",)
        ),
        tables=(*tables, summed),
        notes=tuple(notes),
    )


def _sentence(v: Verdict) -> str:
    if v.too_few:
        return v.guarantee
    if not v.shows:
        return f"The groups are what resampling gives, {v.why_unknown}."
    return (
        f"A group holds those that {v.tests_in_words} do not tell apart from its leader; they "
        "show the leader better than everybody below."
    )


@tells(50)
def ranks(found: Contents) -> Section | None:
    v = found.verdict
    if v is None:
        return None
    table, first = v.table("ranks"), v.table("first")
    of_ranks = "ranks" if len(v.candidates) <= MANY_RANKS else "rank-map"
    return Section(
        name="ranks",
        title="Which ranks were possible",
        sentence=first.sentence,
        pictures=pictures(v, ("first", of_ranks)),
        tables=(
            Table(name="ranks", title="Quantiles of the ranks", result=table),
            Table(name="first", title="Shares ranked first", result=first),
        ),
        notes=(table.sentence,),
    )

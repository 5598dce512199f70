"""Who is in a dead heat with whom."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from deadheat.core.errors import on_page
from deadheat.report.contents import MOST_TESTS, Contents
from deadheat.report.page import Section, Table, pictures, tells
from deadheat.statistics.strict_groups import cost_of
from deadheat.verdict.result import Verdict


@tells(40)
def groups(found: Contents) -> Section | None:
    """Show the tie groups."""
    v = found.verdict
    if v is None or v.undecided:
        return None
    table, spoken = v.table("groups"), v.table("groups").grid()
    headings = (replace(each, name=each.name.replace("_", " ")) for each in spoken.columns)
    groups = Table(
        name="groups",
        title="The groups",
        result=table,
        shown=replace(spoken, columns=tuple(headings)),
    )
    tests = sum(len(each.others) for each in v.paper.rounds)
    listed = tests <= MOST_TESTS
    return Section(
        name="groups",
        title="Dead heats",
        sentence=_sentence(v),
        pictures=pictures(
            v, ("groups", "critical-difference") if found.has_all_pairs else ("groups",)
        ),
        tables=(
            groups,
            *(
                [Table(name="tests", title="Every test behind the groups", result=v.table("tests"))]
                if listed
                else []
            ),
            Table(name="group-summary", title="Ties and inversions", result=v.table("summary")),
        ),
        notes=(
            table.sentence,
            *([] if v.too_few else [on_page(v.guarantee)]),
            *_untested(v),
            *([] if listed else [f"The {tests:,} tests are not listed."]),
        ),
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


def _untested(v: Verdict) -> Iterator[str]:
    if v.all_pairs is None:
        cost = cost_of(v.evidence, v.test)
        yield (
            "Pictures of critical differences and of pairs told apart are left out: testing all "
            f"pairs would take {cost} more."
        )

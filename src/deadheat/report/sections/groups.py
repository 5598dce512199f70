"""Who is in a dead heat with whom."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from deadheat.output.table import Grid
from deadheat.report.contents import MOST_TESTS, Gathered
from deadheat.report.page import Section, Table, pictures, tells
from deadheat.report.summary import on_a_page
from deadheat.statistics.strict_groups import cost_of
from deadheat.verdict.result import Verdict


@tells(40)
def groups(found: Gathered) -> Section | None:
    """Show the tie groups."""
    v = found.verdict
    if v is None or v.undecided:
        return None
    table = v.table("groups")
    return Section(
        name="groups",
        title="Dead heats",
        sentence=_sentence(v),
        pictures=pictures(
            v, ("groups", "critical-difference") if found.has_all_pairs else ("groups",)
        ),
        tables=(
            Table(name="groups", title="The groups", result=table, shown=_spoken(table.grid())),
            *_tests(v),
            Table(name="group-summary", title="Ties and inversions", result=v.table("summary")),
        ),
        notes=(
            table.sentence,
            *([] if v.too_few else [on_a_page(v.guarantee, found.names)]),
            *_untested(v),
            *([] if _tests_listed(v) else [f"The {_test_count(v):,} tests are not listed."]),
        ),
    )


def _tests(v: Verdict) -> Iterator[Table]:
    if _tests_listed(v):
        yield Table(name="tests", title="Every test behind the groups", result=v.table("tests"))


def _tests_listed(v: Verdict) -> bool:
    return _test_count(v) <= MOST_TESTS


def _test_count(v: Verdict) -> int:
    return sum(len(each.others) for each in v.paper.rounds)


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


def _spoken(grid: Grid) -> Grid:
    """Return a grid whose headings are words, not names of fields."""
    columns = (replace(column, name=column.name.replace("_", " ")) for column in grid.columns)
    return replace(grid, columns=tuple(columns))

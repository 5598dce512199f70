"""What another judge, candidate, policy or test would change."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from deadheat.core.errors import listed
from deadheat.output.result import Listing
from deadheat.report.contents import Contents
from deadheat.report.page import Section, Table, pictures, tells
from deadheat.verdict.result import Verdict


class Policies(Listing):
    """Hold who is first under each policy for missing scores."""

    schema: ClassVar[str] = "deadheat.policies/1"


class TwoGroupings(Listing):
    """Hold the group of each candidate by the procedure of the paper and by tests of all pairs."""

    schema: ClassVar[str] = "deadheat.groupings/1"


@tells(80)
def what_if(found: Contents) -> Section | None:
    v, influence = found.verdict, found.influence
    if v is None:
        return None
    tables = [*_of_results(found), *_policies(found), *_groupings(v)]
    if not tables:
        return None
    return Section(
        name="what-if",
        title="What if?",
        sentence=influence.verdict
        if influence is not None
        else "What another candidate, policy or test would have changed.",
        pictures=pictures(influence, ("influence",)),
        tables=tuple(tables),
        notes=() if found.removals is None else (found.removals.verdict,),
    )


def _of_results(found: Contents) -> Iterator[Table]:
    one = "candidate" if found.influence is None else found.influence.parts.one
    without = (("influence", one, found.influence), ("removals", "candidate", found.removals))
    for name, what, result in without:
        if result is not None:
            grid = result.grid()
            shown, title = grid if grid.cells else None, f"Without one {what}"
            yield Table(name=name, title=title, result=result, shown=shown, folded=True)


def _policies(found: Contents) -> Iterator[Table]:
    winners = {} if found.check is None else found.check.details.get("winners_by_policy", {})
    if not winners or found.check is None:
        return
    records = tuple(
        {"policy": policy, "first": "impossible here" if first is None else listed(first)}
        for policy, first in winners.items()
    )
    sentence = "Who is first under each policy for missing scores."
    result = Policies(
        made=found.check.made, name="policies", records=records, sentence=sentence, keys=1
    )
    title = "Another policy for missing scores"
    yield Table(name="policies", title=title, result=result, shown=result.grid())


def _groupings(v: Verdict) -> Iterator[Table]:
    strict = v.all_pairs
    if strict is None:
        return
    order = [i for group in v.members for i in group]
    places = [
        {i: g for g, group in enumerate(members, start=1) for i in group}
        for members in (v.paper.members, strict.members)
    ]
    records = tuple(
        {
            "candidate": v.candidates[i],
            "paper": places[0][i],
            "all_pairs": places[1][i],
        }
        for i in order
    )
    result = TwoGroupings(
        made=v.made,
        name="groupings",
        records=records,
        sentence="The group by Fawcett et al. (2023), whose leaders are tested, and by stricter "
        "tests of all pairs.",
        keys=1,
        headings={"paper": "paper's group", "all_pairs": "strict group"},
    )
    differ = any(record["paper"] != record["all_pairs"] for record in records)
    title = "The paper's groups against strict ones" + ("" if differ else ": the same")
    shown = result.grid() if differ else None
    yield Table(name="groupings", title=title, result=result, shown=shown, folded=True)

"""One candidate against another."""

from __future__ import annotations

from collections.abc import Iterator

from deadheat.inference.ratings import Ratings
from deadheat.report.budget import MOST_PAIRED, Budget
from deadheat.report.duels import paired_data, rated_pairs
from deadheat.report.gathering import Gathered
from deadheat.report.section import Section, Table, pictures, tells

UNCORRECTED = (
    "These comparisons are not corrected for there being many: who picks one because it looks good "
    "finds small p-values by chance. The groups are corrected."
)


@tells(60)
def pairs(found: Gathered) -> Section | None:
    """Let the reader choose two candidates."""
    v, budget = found.verdict, found.budget
    if v is None or budget is None:
        return _of_battles(found)
    data = paired_data(v, budget.paired)
    shown = len(data.candidates)
    notes = [UNCORRECTED]
    if shown < len(v.candidates):
        notes.insert(0, f"The {shown} best of {len(v.candidates):,} candidates can be chosen.")
    return Section(
        name="pairs",
        title="One against one",
        sentence="Choose two candidates to see how they differ, how sure that is, and which judges "
        "decide it.",
        pictures=pictures(v, _kinds(found, budget)),
        tables=(Table(name="pairs", title="Every pair", result=v.table("pairs")),)
        if budget.listed
        else (),
        notes=tuple(notes),
        template="pairs.html.j2",
        extra={"pairs": data},
    )


def _kinds(found: Gathered, budget: Budget) -> Iterator[str]:
    yield "pairs"
    if found.has_all_pairs:
        yield "significance"
    if budget.graph:
        yield "condorcet"


def _of_battles(found: Gathered) -> Section | None:
    """Let the reader choose two candidates of a battle log."""
    r = found.ratings
    if found.table is not None or not isinstance(r, Ratings) or len(r.candidates) < 2:
        return None
    data = rated_pairs(r, MOST_PAIRED)
    shown = len(data.candidates)
    few = f"The {shown} best of {len(r.candidates):,} candidates can be chosen."
    return Section(
        name="pairs",
        title="One against one",
        sentence="Choose two candidates to see how likely one of them is to win against the other.",
        notes=(few,) if shown < len(r.candidates) else (),
        template="pairs.html.j2",
        extra={"pairs": data},
    )

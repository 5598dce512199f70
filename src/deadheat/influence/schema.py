"""What stands in the JSON of ``deadheat influence``, and of leaving candidates out."""

from __future__ import annotations

from typing import Annotated, NotRequired, TypedDict

from deadheat.output.schema import Count, DataProvenance, Names, Schema, Size


class Flip(TypedDict):
    ahead: Annotated[str, "who is ahead"]
    behind: Annotated[str, "who is next"]
    left_out: Annotated[Names, "the fewest judges without which that changes"]
    passed: Annotated[bool, "whether the other is then ahead, and not only level"]


class OtherWinner(TypedDict):
    first: Annotated[Names, "who is then first"]
    without: Annotated[Names, "the judges of which any one is left out"]


class Counts(TypedDict):
    any: Annotated[Count, "judges that change any rank"]
    top10_set: Annotated[Count, "judges that change who is among the first ten"]
    top10_order: Annotated[Count, "judges that change only the order of the first ten"]
    top3_set: Annotated[Count, "judges that change who is on the podium"]
    top3_order: Annotated[Count, "judges that change only the order of the podium"]
    winner: Annotated[Count, "judges that change who is first"]
    candidates: Annotated[Count, "how many there are"]
    judges: Annotated[Count, "how many there are to leave out"]


class InfluenceFacts(Counts):
    over: Annotated[str, "what is left out: judges, clusters or strata"]
    unit: NotRequired[Annotated[str, "what one of these is called: of runs, an instance or a run"]]
    by: NotRequired[Annotated[str, "what the ranking goes by, as people call it"]]
    first: Annotated[Names, "who is first with all judges"]
    winners: Annotated[list[OtherWinner], "the other winners"]
    decisive: Annotated[Names, "the judges that matter most"]
    redundant: Annotated[Names, "those that matter least"]
    flip: Annotated[Flip | None, "the fewest judges that decide the first place"]


class InfluenceRow(TypedDict):
    """One row per judge (cluster, stratum), the most decisive first."""

    judge: Annotated[str, "that is left out"]
    any: Annotated[bool, "whether that changes any rank"]
    top10_set: Annotated[bool, "whether that changes who is among the first ten"]
    top10_order: Annotated[bool, "whether that changes only the order of the first ten"]
    top3_set: Annotated[bool, "whether that changes who is on the podium"]
    top3_order: Annotated[bool, "whether that changes only the order of the podium"]
    winner: Annotated[bool, "whether that changes who is first"]
    moved: Annotated[Names, "whose rank changes"]
    shift: Annotated[Size, "the largest change of a rank"]
    change: Annotated[Size, "the largest change of a difference of two merits"]


class TablesRow(Counts):
    table: Annotated[str, "its name"]


class InfluenceProvenance(DataProvenance):
    over: Annotated[str, "as in the facts"]


class RemovalsRow(TypedDict):
    """One row per candidate that is taken away, those that matter most first."""

    candidate: Annotated[str, "that is taken away"]
    winner_changes: Annotated[bool, "whether the first of the others is another one"]
    first: Annotated[Names, "who is then first"]
    reversed_pairs: Annotated[Count, "pairs of others whose order turns around"]


class RemovalsFacts(TypedDict):
    candidates: Annotated[Count, "how many there are"]
    winner: Annotated[Count, "of them change the winner"]
    order: Annotated[Count, "of them change the order of others"]


INFLUENCE = Schema(
    name="deadheat.influence/1", rows=InfluenceRow, facts=InfluenceFacts, made=InfluenceProvenance
)
TABLE = Schema(
    name="deadheat.influence-table/1",
    about="What leaving out one judge changes, of several tables.",
    made=InfluenceProvenance,
    tables={"tables": TablesRow},
)
REMOVALS = Schema(
    name="deadheat.removals/1", command="report", rows=RemovalsRow, facts=RemovalsFacts
)

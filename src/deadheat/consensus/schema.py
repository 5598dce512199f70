"""What stands in the JSON of ``deadheat consensus``."""

from __future__ import annotations

from typing import Annotated, NotRequired, TypedDict

from deadheat.output.schema import Count, DataProvenance, Names, Place, Schema, Size


class ConsensusRow(TypedDict):
    """The ranking closest to the judges, best first."""

    candidate: Annotated[str, "its name"]
    rank: Annotated[Place, "its rank in the consensus"]


class ConsensusFacts(TypedDict):
    distance: Annotated[str, "between two rankings"]
    objective: Annotated[float, "the sum of the distances to the judges"]
    bound: Annotated[float, "below which no ranking can come"]
    gap: Annotated[float, "objective less bound; 0 where the consensus is proved"]
    status: Annotated[str, "optimal, or how the search ended"]
    unique: Annotated[bool | None, "whether no other ranking is as close; null: not known"]
    optima: Annotated[Count | None, "how many rankings are as close; null: not counted"]
    rankings: Annotated[list[Names] | None, "some of these, best candidate first"]
    winners: Annotated[Names | None, "who is first in any of them"]
    all_equal: Annotated[bool, "whether every ranking is as close as any other"]
    mean_distance: Annotated[float, "to a judge"]
    seconds: Annotated[Size, "that the search took"]


class ConsensusProvenance(DataProvenance):
    distance: Annotated[str, "as asked"]
    output: Annotated[str, "whether ties were allowed"]
    time_limit: Annotated[float | None, "of the search, in seconds"]
    top: NotRequired[Annotated[Count, "how many are shown"]]


CONSENSUS = Schema(
    name="deadheat.consensus/1", rows=ConsensusRow, facts=ConsensusFacts, made=ConsensusProvenance
)

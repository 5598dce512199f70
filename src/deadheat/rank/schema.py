"""What stands in the JSON of ``deadheat rank``."""

from __future__ import annotations

from typing import Annotated, NotRequired, TypedDict

from deadheat.output.schema import Count, DataProvenance, Function, Names, Place, Schema


class RankRow(TypedDict):
    """One row per candidate and ranking function."""

    candidate: Annotated[str, "its name"]
    function: Annotated[str, "the ranking function"]
    shown: Annotated[float | None, "its score as people write it"]
    rank: Annotated[Place, "1 is best; ties share the mean of their ranks"]
    merit: Annotated[float | None, "what the function gives it, higher is better"]


class RankFacts(TypedDict):
    first: Annotated[dict[Function, Names], "who is first by each function"]


class RankProvenance(DataProvenance):
    ranks: Annotated[str, "what tied candidates share: mean, min or dense"]
    top: NotRequired[Annotated[Count, "how many are shown"]]


RANK = Schema(name="deadheat.rank/1", rows=RankRow, facts=RankFacts, made=RankProvenance)

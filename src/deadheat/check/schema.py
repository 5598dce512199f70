"""What stands in the JSON of ``deadheat check``."""

from __future__ import annotations

from typing import Annotated, TypedDict

from msgspec import Meta

from deadheat.output.schema import Count, Function, Names, Schema, Share

Policy = Annotated[str, Meta(title="policy")]


class CheckRow(TypedDict):
    """One row per finding about the data."""

    topic: Annotated[str, "what it is about"]
    finding: Annotated[str, "what was found, in words"]
    look: Annotated[bool, "whether it deserves a second look"]


class Hole(TypedDict):
    candidate: Annotated[str, "without a score"]
    judge: Annotated[str, "that gave none"]


class NearClone(TypedDict):
    candidates: Annotated[Names, "the two"]
    share: Annotated[Share, "of judges that score them equally"]


class FailedStratum(TypedDict):
    candidate: Annotated[str, "its name"]
    stratum: Annotated[str, "in which it has the worst score everywhere"]
    judges: Annotated[Count, "of that stratum"]


class SuspiciousScore(TypedDict):
    candidate: Annotated[str, "its name"]
    judge: Annotated[str, "its name"]
    score: Annotated[float, "the cell"]
    why: Annotated[str, "what is odd about it"]


class CheckFacts(TypedDict):
    holes: Annotated[list[Hole], "the first empty cells"]
    holes_in_all: Annotated[Count, "how many there are"]
    constant_judges: Annotated[Names, "judges that give all the same score"]
    identical_judges: Annotated[list[Names], "judges that say the same, together"]
    clones: Annotated[list[Names], "candidates with equal scores everywhere, together"]
    near_clones: Annotated[list[NearClone], "pairs that are nearly equal"]
    failed_strata: Annotated[
        list[FailedStratum], "parts of the table on which a candidate failed throughout"
    ]
    suspicious: Annotated[list[SuspiciousScore], "scores that look like mistakes"]
    tied_share: Annotated[Share | None, "of pairs of candidates that a judge ties"]
    winners_by_policy: Annotated[dict[Policy, Names | None], "who wins; null: impossible"]
    winners_by_function: Annotated[dict[Function, Names], "who wins by each function"]


CHECK = Schema(name="deadheat.check/1", rows=CheckRow, facts=CheckFacts)

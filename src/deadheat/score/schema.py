"""What stands in the JSON of ``deadheat score``."""

from __future__ import annotations

from typing import Annotated, NotRequired, TypedDict

from deadheat.output.schema import Candidate, Schema


class ScoreRow(TypedDict):
    """One row per run, scored by a rule."""

    candidate: Annotated[str, "its name"]
    instance: Annotated[str, "what was run"]
    seed: NotRequired[Annotated[str, "which of several runs on the instance"]]
    stratum: NotRequired[Annotated[str, "the part of the instances it belongs to"]]
    score: Annotated[float | None, "what the rule gives the run"]


class ScoreFacts(TypedDict):
    rule: Annotated[str, "the rule"]
    better: Annotated[str, "which scores are better"]
    by: Annotated[str, "the ranking function that goes with the rule"]
    shown: Annotated[str, "what the totals are called"]
    totals: Annotated[dict[Candidate, float | None], "what each candidate has in all"]


SCORE = Schema(name="deadheat.score/1", rows=ScoreRow, facts=ScoreFacts)

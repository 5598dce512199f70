"""What stands in the JSON of ``deadheat rank``."""

from __future__ import annotations

from typing import Annotated, NotRequired, TypedDict

from deadheat.output.schema import (
    Count,
    DataProvenance,
    Function,
    Level,
    Names,
    Place,
    Schema,
    Share,
)


class OwnErrorsOfRow(TypedDict, total=False):
    """What a row also has where each candidate has one score, and scores have standard errors."""

    standard_error: Annotated[float | None, "of its score; null where it is not known"]
    shown_low: Annotated[float | None, "the lower end of the interval, as people write it"]
    shown_high: Annotated[float | None, "the upper end"]
    level: Annotated[bool | None, "whether it is level with the best score; null: not tested"]
    p: Annotated[Share | None, "of the test that the best score is better; not corrected"]


class RankRow(OwnErrorsOfRow):
    """One row per candidate and ranking function."""

    candidate: Annotated[str, "its name"]
    function: Annotated[str, "the ranking function"]
    shown: Annotated[float | None, "its score as people write it"]
    rank: Annotated[Place, "1 is best; ties share the mean of their ranks"]
    merit: Annotated[float | None, "what the function gives it, higher is better"]


class RankFacts(TypedDict):
    first: Annotated[dict[Function, Names], "who is first by each function"]
    leader: NotRequired[Annotated[str, "the best score, where scores have standard errors"]]
    level: NotRequired[Annotated[Names, "who is level with it, itself among them"]]
    alpha: NotRequired[Annotated[Level, "the level of these tests"]]
    test: NotRequired[Annotated[str, "which tests they are"]]


class RankProvenance(DataProvenance):
    ranks: Annotated[str, "what tied candidates share: mean, min or dense"]
    top: NotRequired[Annotated[Count, "how many are shown"]]


RANK = Schema(name="deadheat.rank/1", rows=RankRow, facts=RankFacts, made=RankProvenance)

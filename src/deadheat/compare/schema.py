"""What stands in the JSON of ``deadheat compare``."""

from __future__ import annotations

from typing import Annotated, TypedDict

from deadheat.influence.schema import Flip
from deadheat.output.schema import Count, DataProvenance, Level, Names, Schema, Share, Size


class CompareRow(TypedDict):
    """Two candidates a and b: one row per judge, those that do most for a first."""

    judge: Annotated[str, "its name"]
    a: Annotated[float | None, "the score of a"]
    b: Annotated[float | None, "the score of b"]
    difference: Annotated[float | None, "a less b, positive where a is better"]
    contribution: Annotated[float | None, "to the difference of the merits"]


class CompareFacts(TypedDict):
    a: Annotated[str, "the first candidate"]
    b: Annotated[str, "the second"]
    merit_a: Annotated[float, "the merit of a"]
    merit_b: Annotated[float, "the merit of b"]
    shown_a: Annotated[float, "the same as people write it"]
    shown_b: Annotated[float, "the same as people write it"]
    difference: Annotated[float, "of the merits, a less b"]
    low: Annotated[float | None, "the lower end of its interval"]
    high: Annotated[float | None, "the upper end"]
    alpha: Annotated[Level, "the level"]
    p_a_better: Annotated[Share | None, "one-sided p-value"]
    p_b_better: Annotated[Share | None, "one-sided p-value"]
    p: Annotated[Share | None, "two-sided p-value"]
    ahead_share: Annotated[Share, "of resamples in which a is ahead"]
    tied_share: Annotated[Share, "of resamples in which they are level"]
    behind_share: Annotated[Share, "of resamples in which b is ahead"]
    share_error: Annotated[Size | None, "the Monte-Carlo error of these"]
    replicates: Annotated[Count, "how many resamples"]
    higher: Annotated[Count, "judges that score a better"]
    tied: Annotated[Count, "judges that tie them"]
    lower: Annotated[Count, "judges that score b better"]
    win_rate: Annotated[Share | None, "the share of judges that score a better"]
    effect: Annotated[Share | None, "that share, with half of the ties"]
    sign_p: Annotated[Share | None, "of the sign test"]
    signs_over: Annotated[str, "what that counts: judges or clusters"]
    deciding_for_a: Annotated[Names, "the judges that do most for a"]
    deciding_for_b: Annotated[Names, "the judges that do most for b"]
    over: Annotated[str, "what flip leaves out: judges, clusters or strata"]
    flip: Annotated[Flip | None, "the fewest judges that decide who is ahead"]
    plan: Annotated[str, "how was resampled, in words"]


class CompareProvenance(DataProvenance):
    replicates: Annotated[Count, "how many resamples"]
    plan: Annotated[str, "how they were drawn"]
    alpha: Annotated[Level, "the level"]


COMPARE = Schema(
    name="deadheat.compare/1", rows=CompareRow, facts=CompareFacts, made=CompareProvenance
)

"""What stands in the JSON of ``deadheat compare``."""

from __future__ import annotations

from functools import partial
from typing import Annotated, TypedDict

from deadheat.compare.api import CompareRow, Duel, PairedDifference
from deadheat.influence.schema import Flip
from deadheat.output.schema import (
    Count,
    DataProvenance,
    Level,
    Names,
    Nothing,
    Schema,
    Share,
    with_options,
)


@partial(with_options, Nothing, PairedDifference)
@partial(with_options, Nothing, Duel)
class CompareFacts(TypedDict):
    a: Annotated[str, "the first candidate"]
    b: Annotated[str, "the second"]
    merit_a: Annotated[float, "the merit of a"]
    merit_b: Annotated[float, "the merit of b"]
    shown_a: Annotated[float, "the same as people write it"]
    shown_b: Annotated[float, "the same as people write it"]
    low: Annotated[float | None, "the lower end of the interval of their difference"]
    high: Annotated[float | None, "the upper end"]
    p_a_better: Annotated[Share | None, "one-sided p-value"]
    p_b_better: Annotated[Share | None, "one-sided p-value"]
    p: Annotated[Share | None, "two-sided p-value"]
    win_rate: Annotated[Share | None, "the share of judges that score a better"]
    effect: Annotated[Share | None, "that share, with half of the ties"]
    sign_p: Annotated[Share | None, "of the sign test"]
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

"""What stands in the JSON of ``deadheat verdict``, of its tables, and of ``deadheat demo``."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, NotRequired, TypedDict

from deadheat.influence.schema import InfluenceFacts
from deadheat.output.schema import (
    Count,
    DataProvenance,
    Function,
    Group,
    Level,
    Names,
    Place,
    Schema,
    Share,
    Size,
    others,
)
from deadheat.verdict.claims import Standing


class Counts(TypedDict):
    ties: Annotated[Count, "pairs in one group"]
    inversions: Annotated[Count, "pairs that the groups put the other way round than the order"]
    mean_iqr: Annotated[Size | None, "the mean inter-quartile range of the ranks"]


class Top(Counts):
    candidates: Annotated[Count, "how many these are"]
    groups: Annotated[Count, "among them"]


class _Provenance(DataProvenance):
    replicates: Annotated[Count, "how many resamples"]
    pairs_tested: NotRequired[Annotated[Count, "on which all pairs were tested, if not on all"]]
    tested: NotRequired[Annotated[Count, "on which leaders were tested, if not all were kept"]]
    alpha: Annotated[Level, "the level of tests and intervals"]
    interval: Annotated[str, "the kind of interval"]
    p_value: Annotated[str, "plus-one, paper, or sign-flip"]
    leader: Annotated[str, "who leads a group: by first places, or by score"]
    correction: Annotated[str, "of the tests of one leader"]
    strict: Annotated[str | None, "the test of all pairs, where the groups come from it"]
    compat: NotRequired[Annotated[str, "whose procedure is followed to the letter"]]
    top: NotRequired[Annotated[Count, "how many of the official order are shown"]]


class VerdictProvenance(_Provenance):
    plan: Annotated[str, "how they were drawn"]


class TableProvenance(_Provenance):
    plan: NotRequired[Annotated[str, "how they were drawn; not of several tables"]]


class BorderlineTest(TypedDict):
    leader: Annotated[str, "of the group"]
    other: Annotated[str, "whom it was tested against"]
    p: Annotated[Share, "of the test"]
    threshold: Annotated[Share, "that it was compared with"]
    error: Annotated[Size, "the Monte-Carlo error of p"]
    excluded: Annotated[bool, "whether the test put the other into a later group"]


class CorrectedLeader(TypedDict):
    candidate: Annotated[str, "who has the best merit as observed"]
    merit: Annotated[float, "less what the best of many owes to luck"]
    low: Annotated[float, "the lower end of its interval"]
    high: Annotated[float, "the upper end"]
    shown: Annotated[float, "the merit as people write it"]
    shown_low: Annotated[float, "the lower end, as people write it"]
    shown_high: Annotated[float, "the upper end, as people write it"]


class InversionsRow(TypedDict):
    above: Annotated[str, "who is above, by the groups or by median merit"]
    below: Annotated[str, "who is below, and above in the order"]
    rank_above: Annotated[Place, "the official rank of the first; as observed where none is given"]
    rank_below: Annotated[Place, "the official rank of the other"]
    group_above: Annotated[Group, "the group of the first"]
    group_below: Annotated[Group, "the group of the other"]
    median_above: Annotated[Place, "the rank of the first by median merit over the resamples"]
    median_below: Annotated[Place, "the rank of the other by it"]
    separated: Annotated[bool, "whether a test shows the first one better"]


@others("top<k>", Top, "the same among the first k that are shown")
class VerdictFacts(Counts):
    groups: Annotated[list[Group], "the sizes of the tie groups, best first"]
    members: Annotated[list[Names], "who is in them"]
    median_inversions: Annotated[Count, "pairs that medians put the other way round than the order"]
    inverted: Annotated[list[InversionsRow], "the first 100 of both; the table inversions has all"]
    top10: Annotated[Top, "the same among the first ten of the order"]
    top3: Annotated[Top, "the same among the first three"]
    borderline: Annotated[list[BorderlineTest], "decisions that other resamples might turn"]
    winners: Annotated[Names, "who has the best score, whatever tests say"]
    first_place: NotRequired[
        Annotated[Names, "who shares first place by the tests, or wins; empty: undecided"]
    ]
    leader_corrected: Annotated[CorrectedLeader | None, "what the best is worth without luck"]
    undecided: Annotated[
        bool, "whether too few judges or resamples, or too long tests, leave it open"
    ]
    detectable: Annotated[Size | None, "the lead that is seen in 4 of 5 cases; null without a tie"]
    heading: Annotated[str, "what the shown number is called"]
    lower_is_better: Annotated[bool, "whether a smaller shown number is better"]
    leaders: Annotated[Names, "who leads each tie group, best group first"]
    shows: Annotated[bool, "whether the groups may be said to show anybody better"]
    first_by: Annotated[dict[Function, Names], "who is first by other ranking functions"]
    leaders_differ: Annotated[bool, "whether the other kind of leader gives other groups"]
    ever_first: Annotated[Count, "how many are first in any resample"]
    tied_at_top: Annotated[Count, "how many share the first place as observed"]
    guarantee: Annotated[str, "what the groups guarantee, and what not"]
    plan: Annotated[str, "how was resampled, in words"]
    paper_groups: Annotated[list[Group], "the sizes by the procedure of Fawcett et al."]
    strict_groups: Annotated[list[Group] | None, "the sizes by tests of all pairs"]
    best: Annotated[Names | None, "a given best is among them with confidence 1 - alpha"]
    strict_cost: Annotated[str | None, "what tests of all pairs would take, where not done"]
    influence: Annotated[InfluenceFacts | None, "what leaving out one judge changes; null: slow"]


class GroupsRow(TypedDict):
    group: Annotated[str, "its number"]
    fractional_rank: Annotated[Place, "the mean rank of the group"]
    size: Annotated[Count, "how many are in it"]
    candidates: Annotated[str, "who, with the official rank in brackets"]


class SummaryRow(Top):
    among: Annotated[str, "all, or the top of the order"]


class TablesRow(Counts):
    table: Annotated[str, "its name"]
    candidates: Annotated[Count, "how many there are"]
    judges: Annotated[Count, "how many there are"]
    first: NotRequired[Annotated[Names, "who has the best score"]]
    level: NotRequired[Annotated[Count, "how many are in the first group"]]
    groups: Annotated[Count, "of all candidates"]
    top10_groups: Annotated[Count, "among the first ten of the order"]
    top10_ties: Annotated[Count, "among them"]
    top10_inversions: Annotated[Count, "among them"]
    top10_mean_iqr: Annotated[Size | None, "of them"]
    top3_groups: Annotated[Count, "among the first three"]
    top3_ties: Annotated[Count, "among them"]
    top3_inversions: Annotated[Count, "among them"]
    top3_mean_iqr: Annotated[Size | None, "of them"]


class FirstRow(TypedDict):
    candidate: Annotated[str, "its name; of all others together: all others"]
    first_share: Annotated[Size, "of resamples in which it is first; of several the sum"]
    monte_carlo_error: Annotated[Size, "of that share"]
    candidates: Annotated[Count, "how many these are: 1, or all others"]


@others("<heading>", float, "the merit, under what the function calls it")
class IntervalsRow(TypedDict):
    candidate: Annotated[str, "its name"]
    low: Annotated[float, "the lower end, as people write it"]
    high: Annotated[float, "the upper end"]
    median: Annotated[float, "over the resamples"]


Quantiles = TypedDict(
    "Quantiles",
    {
        "q2.5": Annotated[Place, "the 2.5 % quantile of the ranks"],
        "q25": Annotated[Place, "the 25 % quantile of the ranks"],
        "q50": Annotated[Place, "the 50 % quantile of the ranks"],
        "q75": Annotated[Place, "the 75 % quantile of the ranks"],
        "q97.5": Annotated[Place, "the 97.5 % quantile of the ranks"],
    },
)


class RanksRow(Quantiles):
    candidate: Annotated[str, "its name"]
    rank: Annotated[Place, "as observed"]
    mean_rank: Annotated[Place, "over the resamples"]
    iqr: Annotated[Size, "the inter-quartile range"]
    top3_share: Annotated[Share, "of resamples in which it is among the first three"]
    top10_share: Annotated[Share, "of resamples in which it is among the first ten"]


class TestsRow(TypedDict):
    group: Annotated[Group, "that was being formed"]
    leader: Annotated[str, "of the group"]
    other: Annotated[str, "whom it was tested against"]
    p: Annotated[Share, "one-sided"]
    threshold: Annotated[Share | None, "of Holm's test; none after the first that failed"]
    excluded: Annotated[bool, "whether the other is not in the group"]


class PairsRow(TypedDict):
    a: Annotated[str, "a candidate"]
    b: Annotated[str, "another, later in the robust ranking"]
    difference: Annotated[float, "of the merits as observed, a less b"]
    p_a_better: Annotated[Share, "one-sided, not corrected"]
    p_b_better: Annotated[Share, "one-sided, not corrected"]
    p_all_pairs: NotRequired[Annotated[Share, "two-sided, corrected for all pairs"]]


VERDICT = Schema(
    name="deadheat.verdict/1", rows=Standing, facts=VerdictFacts, made=VerdictProvenance
)
DEMO = replace(
    VERDICT,
    name="deadheat.demo/1",
    command="demo",
    about="As deadheat.verdict/1, of an example.",
    as_in="deadheat.verdict/1",
)
TABLE = Schema(
    name="deadheat.verdict-table/1",
    about="One of the tables that a verdict can be told in.",
    made=TableProvenance,
    tables={
        "groups": GroupsRow,
        "summary": SummaryRow,
        "tables": TablesRow,
        "inversions": InversionsRow,
        "first": FirstRow,
        "intervals": IntervalsRow,
        "ranks": RanksRow,
        "tests": TestsRow,
        "pairs": PairsRow,
    },
)

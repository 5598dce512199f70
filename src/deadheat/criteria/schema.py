"""What stands in the JSON of ``deadheat criteria`` and of its tables."""

from __future__ import annotations

from typing import Annotated, NotRequired, TypedDict

from msgspec import Meta

from deadheat.output.schema import Count, Function, MadeOfData, Names, Schema, others

Error = Annotated[float | None, "its standard error, over the trials"]
ErrorOverTables = Annotated[float | None, "the same over several tables"]
Criterion = Annotated[str, Meta(title="criterion")]
Event = Annotated[str, Meta(title="event")]


class Measures(TypedDict, total=False):
    winner_rank: Annotated[
        float | None, "the mean rank that judges give the winner, from 0 (best) to 1"
    ]
    condorcet_rate: Annotated[float | None, "how often the Condorcet winner is first"]
    majority_rate: Annotated[float | None, "how often the majority winner is first"]
    generalization: Annotated[float | None, "the correlation with judges that were left out"]
    stability_judges: Annotated[float | None, "how alike rankings are when judges are resampled"]
    stability_candidates: Annotated[
        float | None, "how alike rankings are when candidates are resampled"
    ]


class CriteriaRow(Measures):
    """One row per ranking function, and one for a random ranking."""

    function: Annotated[str, "the ranking function"]
    winner_rank_se: NotRequired[Error]
    winner_rank_se_tables: NotRequired[ErrorOverTables]
    condorcet_rate_se: NotRequired[Error]
    condorcet_rate_se_tables: NotRequired[ErrorOverTables]
    majority_rate_se: NotRequired[Error]
    majority_rate_se_tables: NotRequired[ErrorOverTables]
    generalization_se: NotRequired[Error]
    generalization_se_tables: NotRequired[ErrorOverTables]
    stability_judges_se: NotRequired[Error]
    stability_judges_se_tables: NotRequired[ErrorOverTables]
    stability_candidates_se: NotRequired[Error]
    stability_candidates_se_tables: NotRequired[ErrorOverTables]


class CriteriaFacts(TypedDict):
    correlations: Annotated[
        dict[Function, dict[Function, float | None]], "of the rankings of the whole table"
    ]
    baseline: Annotated[str, "what the row of a random ranking is called"]
    kendall_w: Annotated[list[float | None], "how much judges agree, for each table"]
    kendall_w_p: Annotated[list[float | None], "the p-value of that"]
    above_baseline: Annotated[list[Names], "who generalizes better than a random ranking"]
    best: Annotated[dict[Criterion, Names], "the functions that nobody is ahead of"]
    cases: Annotated[dict[Criterion, list[Count]], "trials that count, for each table"]
    counts: Annotated[list[dict[Event, Count]], "what happened, for each table"]
    tables: Annotated[Names, "the names of the tables"]


class CriteriaMade(MadeOfData):
    trials: Annotated[Count, "resampled tables"]
    q: Annotated[Count, "rankings of a measurement of stability"]
    repeats: Annotated[Count, "such measurements"]
    correlation: Annotated[str, "spearman or kendall"]
    stability: Annotated[str, "how rankings are compared: mean or kendall_w"]
    compat: Annotated[str | None, "the published code that is imitated"]
    over: Annotated[str, "what is resampled: judges, candidates or both"]


@others("<function>", float | None, "the correlation with that function")
class CorrelationsRow(TypedDict):
    function: Annotated[str, "a ranking function"]


class TablesRow(Measures):
    table: Annotated[str, "its name"]
    function: Annotated[str, "the ranking function"]
    kendall_w: Annotated[float | None, "how much the judges of the table agree"]


CRITERIA = Schema(
    name="deadheat.criteria/1", rows=CriteriaRow, facts=CriteriaFacts, made=CriteriaMade
)
TABLE = Schema(
    name="deadheat.criteria-table/1",
    about="One of the tables that criteria can be told in.",
    made=CriteriaMade,
    tables={"correlations": CorrelationsRow, "tables": TablesRow},
    names=("table", "function"),
)

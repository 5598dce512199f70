"""What stands in the JSON of ``deadheat criteria`` and of its tables."""

from __future__ import annotations

from typing import Annotated, NotRequired, TypedDict

from msgspec import Meta

from deadheat.output.schema import (
    Correlation,
    Count,
    DataProvenance,
    Function,
    Names,
    Schema,
    Share,
    others,
)

Criterion = Annotated[str, Meta(title="criterion")]
Event = Annotated[str, Meta(title="event")]
Value = float | None
Measure = Correlation | None
ByTable = dict[Criterion, list[list[Value]]]


class Measures(TypedDict, total=False):
    winner_rank: Annotated[Measure, "how high the judges rank the winner: 1 if all put it first"]
    condorcet_rate: Annotated[Measure, "how often the Condorcet winner is first"]
    majority_rate: Annotated[Measure, "how often the majority winner is first"]
    generalization: Annotated[Measure, "the correlation with judges that were left out"]
    stability_judges: Annotated[Measure, "how alike rankings are when judges are resampled"]
    stability_candidates: Annotated[Measure, "how alike rankings are when candidates are resampled"]


@others("<criterion>_se", Value, "its standard error over the trials; _se_tables that over tables")
class CriteriaRow(Measures):
    """One row per ranking function, and one for a random ranking."""

    function: Annotated[str, "the ranking function"]


class CriteriaFacts(TypedDict):
    correlations: Annotated[
        dict[Function, dict[Function, float | None]], "of the rankings of the whole table"
    ]
    baseline: Annotated[str, "what the row of a random ranking is called"]
    kendall_w: Annotated[list[Share | None], "how much judges agree, for each table"]
    kendall_w_p: Annotated[list[float | None], "the p-value of that"]
    above_baseline: Annotated[list[Names], "who generalizes better than a random ranking"]
    best: Annotated[dict[Criterion, Names], "the functions that nobody is ahead of"]
    cases: Annotated[dict[Criterion, list[Count]], "trials that count, for each table"]
    counts: Annotated[list[dict[Event, Count]], "what happened, for each table"]
    tables: Annotated[Names, "the names of the tables"]
    by_table: NotRequired[Annotated[ByTable, "the mean of each function on each table"]]
    spread: NotRequired[
        Annotated[ByTable, "the standard deviation of stabilities over the repeats, likewise"]
    ]
    benchmarks: NotRequired[Annotated[Names, "the benchmark that each table is one of"]]
    substitutes: NotRequired[
        Annotated[dict[str, dict[Function, Function]], "by table, what stood in for which function"]
    ]


class CriteriaProvenance(DataProvenance):
    trials: Annotated[Count, "resampled tables; of convergence, panels of each size"]
    q: NotRequired[Annotated[Count, "rankings of a measurement of stability"]]
    repeats: NotRequired[Annotated[Count, "such measurements"]]
    correlation: Annotated[str, "spearman or kendall"]
    stability: NotRequired[Annotated[str, "how rankings are compared: mean or kendall_w"]]
    compat: NotRequired[Annotated[str | None, "the published code that is imitated"]]
    over: NotRequired[Annotated[str, "what is resampled: judges, candidates or both"]]


@others("<function>", float | None, "the correlation with that function")
class CorrelationsRow(TypedDict):
    function: Annotated[str, "a ranking function"]


@others("<criterion>", Value, "any other criterion")
class TablesRow(Measures):
    table: Annotated[str, "its name"]
    function: Annotated[str, "the ranking function"]
    kendall_w: Annotated[float | None, "how much the judges of the table agree"]


class ConvergenceRow(TypedDict):
    function: Annotated[str, "the ranking function"]
    judges: Annotated[Count, "how many are in a panel"]
    stability: Annotated[Value, "the mean correlation of two panels that share no judge"]
    stability_se: Annotated[Value, "its Monte-Carlo error"]
    generalization: Annotated[Value, "the mean correlation with the judges that are not in it"]
    generalization_se: Annotated[Value, "its Monte-Carlo error"]


CRITERIA = Schema(
    name="deadheat.criteria/1", rows=CriteriaRow, facts=CriteriaFacts, made=CriteriaProvenance
)
TABLE = Schema(
    name="deadheat.criteria-table/1",
    about="One of the tables that criteria can be told in.",
    made=CriteriaProvenance,
    tables={
        "correlations": CorrelationsRow,
        "tables": TablesRow,
        "convergence": ConvergenceRow,
    },
)

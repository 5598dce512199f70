"""What stands in the JSON of ``deadheat agree`` and of its tables."""

from __future__ import annotations

from typing import Annotated, TypedDict

from deadheat.output.schema import Correlation, Count, Function, Names, Schema, Share, Size, others

ByFunction = dict[Function, float | None]


class AgreeRow(TypedDict):
    """One row per judge, those that have least in common with the others first."""

    judge: Annotated[str, "its name"]
    mean_spearman: Annotated[Correlation | None, "the mean correlation with the others"]
    rest_correlation: Annotated[Correlation | None, "the correlation with all others together"]
    opposes: Annotated[bool, "whether it goes against the rest further than chance explains"]
    constant: Annotated[bool, "whether it gives all the same score"]
    cluster: Annotated[Count | str | None, "of judges that agree, from 1"]
    ties: Annotated[Share | None, "the share of pairs that it ties"]
    weight: Annotated[Size, "how much it counts"]


class AgreeFacts(TypedDict):
    kendall_w: Annotated[float | None, "Kendall's W, corrected for ties"]
    kendall_w_uncorrected: Annotated[float | None, "the same without correction"]
    mean_spearman: Annotated[Correlation | None, "the mean correlation of two judges"]
    spearman_from_w: Annotated[float | None, "the same as W gives it"]
    chi2: Annotated[float | None, "Friedman's statistic"]
    df: Annotated[Count, "its degrees of freedom"]
    friedman_p: Annotated[Share | None, "its p-value"]
    f: Annotated[float | None, "the statistic of Iman and Davenport"]
    f_p: Annotated[Share | None, "its p-value"]
    permutation_p: Annotated[Share | None, "the p-value from permuted rankings"]
    permutations: Annotated[Count | None, "how many of these"]
    permutation_exact: Annotated[bool | None, "whether these are all there are"]
    mean_tau_b: Annotated[Correlation | None, "the mean of Kendall's tau-b of two judges"]
    effective_judges: Annotated[float | None, "how many independent ones they amount to"]
    candidates: Annotated[Count, "how many there are"]
    judges: Annotated[Count, "how many there are"]
    constant: Annotated[Names, "judges that give all the same score"]
    opposing: Annotated[Names, "judges that go against the rest"]
    clusters: Annotated[list[Names] | None, "judges that agree, together"]
    threshold: Annotated[float, "of the correlation inside a cluster"]
    centrality: Annotated[ByFunction, "the mean correlation of a ranking with the judges"]
    centrality_tau_b: Annotated[ByFunction, "the same by tau-b"]
    centrality_strict: Annotated[ByFunction, "the same with ties broken"]
    centrality_strict_tau_b: Annotated[ByFunction, "that by tau-b"]
    most_central: Annotated[Names, "the functions with the highest"]


@others("<judge>", float | None, "the correlation with that judge")
class MatrixRow(TypedDict):
    judge: Annotated[str, "its name"]


class ClusterRow(TypedDict):
    cluster: Annotated[str | Count, "its number"]
    size: Annotated[Count, "how many judges are in it"]
    mean_inside: Annotated[Correlation | None, "the mean correlation inside"]
    mean_outside: Annotated[Correlation | None, "the mean correlation with the rest"]
    judges: Annotated[str, "who"]


class FunctionRow(TypedDict):
    function: Annotated[str, "the ranking function"]
    mean_spearman: Annotated[Correlation | None, "of its ranking with the judges"]
    mean_tau_b: Annotated[Correlation | None, "the same by tau-b"]
    strict_spearman: Annotated[Correlation | None, "with ties broken"]
    strict_tau_b: Annotated[Correlation | None, "that by tau-b"]


class TablesRow(TypedDict):
    table: Annotated[str, "its name"]
    candidates: Annotated[Count, "how many there are"]
    judges: Annotated[Count, "how many there are"]
    kendall_w: Annotated[float | None, "Kendall's W, corrected for ties"]
    mean_spearman: Annotated[Correlation | None, "the mean correlation of two judges"]


AGREE = Schema(name="deadheat.agree/1", rows=AgreeRow, facts=AgreeFacts)
TABLE = Schema(
    name="deadheat.agree-table/1",
    about="One of the tables that agreement can be told in.",
    tables={
        "judges": AgreeRow,
        "matrix": MatrixRow,
        "clusters": ClusterRow,
        "functions": FunctionRow,
        "tables": TablesRow,
    },
)

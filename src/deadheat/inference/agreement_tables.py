"""What agreement can be told in besides its rows: a matrix, clusters, functions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from deadheat.errors import UnknownNameError, UsageError, counted
from deadheat.ranking.correlation_matrices import spearman_matrix, tau_b_matrix
from deadheat.result import Column, Grid, Listing
from deadheat.typing import Floats, Row

if TYPE_CHECKING:
    from deadheat.inference.agreement import Agreement

MATRICES: dict[str, Callable[[Floats], Floats]] = {
    "spearman": spearman_matrix,
    "kendall": tau_b_matrix,
    "tau_b": tau_b_matrix,
}

NAMES = {
    "spearman": "Spearman's rho",
    "kendall": "Kendall's tau-b",
    "tau_b": "Kendall's tau-b",
}


@dataclass(frozen=True, eq=False, kw_only=True)
class AgreementTable(Listing):
    """Hold one of the tables that agreement can be told in."""

    schema: ClassVar[str] = "deadheat.agree-table/1"
    digits: int | None = 3

    def grid(self) -> Grid:
        """Return the lines with three digits."""
        keys = list(self.records[0]) if self.records else []
        return Grid(
            columns=tuple(Column(name=key, digits=self.digits) for key in keys),
            cells=tuple(tuple(row[key] for key in keys) for row in self.records),
        )


def agreement_table(
    found: Agreement, name: str, *, correlation: str = "spearman"
) -> AgreementTable:
    """Return one table: ``judges``, ``matrix``, ``clusters`` or ``functions``."""
    if name not in TABLES:
        raise UnknownNameError("table of agreement", name, TABLES)
    if correlation not in MATRICES:
        raise UnknownNameError("correlation", correlation, MATRICES)
    records, sentence = TABLES[name](found, correlation)
    return AgreementTable(
        made=found.made,
        warnings=found.warnings,
        library=found.library,
        name=name,
        records=tuple(records),
        sentence=sentence,
    )


def _judges(found: Agreement, correlation: str) -> tuple[list[Row], str]:  # noqa: ARG001
    return found.rows(), found.verdict


def _matrix(found: Agreement, correlation: str) -> tuple[list[Row], str]:
    if found.clusters is None:
        raise UsageError(
            f"the table is too large for a matrix of {found.results.m:,} judges.",
            hint="choose some of them with --where, or take the rows: one per judge.",
        )
    order = found.clusters.order
    names = found.names(order.tolist())
    values = MATRICES[correlation](found.ranks[order]) if len(order) else np.empty((0, 0))
    key = _free("judge", names)
    records: list[Row] = [
        {key: name, **dict(zip(names, row, strict=True))}
        for name, row in zip(names, values.tolist(), strict=True)
    ]
    left = int(found.constant.sum())
    out = f"; {counted(left, 'judge')} that tied all left out" if left else ""
    return (
        records,
        f"{NAMES[correlation]} between all judges, those that rank alike side by side{out}.",
    )


def _clusters(found: Agreement, correlation: str) -> tuple[list[Row], str]:  # noqa: ARG001
    if found.clusters is None:
        raise UsageError(
            f"the table is too large to put {found.results.m:,} judges into clusters.",
            hint="choose some of them with --where.",
        )
    matrix = np.nan_to_num(spearman_matrix(found.ranks))
    records: list[Row] = []
    members = found.clusters.members()
    telling = found.sums.telling
    for place, judges in enumerate(members, start=1):
        others = np.setdiff1d(np.flatnonzero(telling), judges)
        records.append(
            {
                "cluster": str(place),
                "size": len(judges),
                "mean_inside": _mean_inside(matrix, judges),
                "mean_outside": float(matrix[judges][:, others].mean()) if len(others) else np.nan,
                "judges": ", ".join(found.names(judges)),
            }
        )
    return records, (
        f"Clusters are joined as long as the mean correlation between them is at least "
        f"{found.threshold:g} (average linkage)."
    )


def _functions(found: Agreement, correlation: str) -> tuple[list[Row], str]:
    central = found.centrality
    records: list[Row] = [
        {
            "function": name,
            "mean_spearman": central.spearman[name],
            "mean_tau_b": central.tau_b[name],
            "strict_spearman": central.strict_spearman[name],
            "strict_tau_b": central.strict_tau_b[name],
        }
        for name in central.strict(correlation)
    ]
    return records, (
        "The mean correlation of the ranking by each function with the judges. Ties in a ranking "
        "raise it; strict is its mean over all ways to break them, by which the functions stand "
        f"here ({NAMES[correlation]}), the closest first."
    )


TABLES: dict[str, Callable[[Agreement, str], tuple[list[Row], str]]] = {
    "judges": _judges,
    "matrix": _matrix,
    "clusters": _clusters,
    "functions": _functions,
}


def _mean_inside(matrix: Floats, judges: list[int]) -> float:
    size = len(judges)
    if size < 2:
        return np.nan
    return float((matrix[judges][:, judges].sum() - size) / (size * (size - 1)))


def _free(key: str, names: list[str]) -> str:
    """Return a key that is no name of a judge."""
    while key in names:
        key += "_"
    return key

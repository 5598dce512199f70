"""What the reader of criteria must know about this request and these tables."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from deadheat.criteria.result import FEW_CASES
from deadheat.errors import counted

if TYPE_CHECKING:
    from deadheat.criteria.measuring import TableValues
    from deadheat.criteria.result import Criteria

RATES = {"condorcet_rate": "Condorcet winner", "majority_rate": "majority winner"}


def cautions(found: Criteria) -> list[str]:
    """Return the sentences, most important first."""
    sentences: list[str] = []
    for table in found.measured:
        sentences += _of_table(found, table)
    return sentences


def _of_table(found: Criteria, table: TableValues) -> Iterator[str]:
    results, name = table.results, table.results.source
    if results.n < 3:
        yield (
            f"{name} has {counted(results.n, 'candidate')}: rank correlations are 1, -1 or "
            "undefined; criteria say little below 3 candidates."
        )
    yield from _rare(found, table)
    if np.count_nonzero(results.weights) < 2:
        yield (
            f"{name} has one judge: nobody is left to predict, and stability over judges is 1 by "
            "construction."
        )
    elif found.made["over"] == "candidates" and found.made["compat"] is None:
        yield "judges are not resampled, so none is left out, and generalization is undefined."
    yield from _skipped(table)
    if results.clusters is not None:
        yield (
            f"{name} has clusters of judges, but criteria resample judges one by one: a judge out "
            "of the bag may have a relative in it, which flatters generalization."
        )


def _rare(found: Criteria, table: TableValues) -> Iterator[str]:
    name, trials = table.results.source, found.made["trials"]
    for criterion, winner in RATES.items():
        cases = table.cases(criterion)
        if cases == 0:
            yield (
                f"no trial on {name} has a {winner}, so the {winner.split()[0]} rate is undefined."
            )
        elif cases < FEW_CASES:
            left = " and left out of the average" if table not in found.used(criterion) else ""
            yield (
                f"only {cases} of {trials:,} trials on {name} have a {winner}: the "
                f"{winner.split()[0]} rate is unreliable{left}."
            )


def _skipped(table: TableValues) -> Iterator[str]:
    name, counts = table.results.source, table.counts
    unseen = counts.get("generalization: no judge out of the bag", 0)
    trials = table.values["generalization"].shape[1]
    if 0 < unseen < trials:
        yield f"in {counted(unseen, 'trial')} on {name} every judge was drawn: skipped."
    alone = counts.get("generalization: fewer than two candidates", 0)
    if alone:
        yield f"in {counted(alone, 'trial')} on {name} only one candidate was drawn: skipped."
    constant = counts.get("generalization: constant judges", 0)
    if constant:
        asked = counts["generalization: judges out of the bag"]
        yield (
            f"{constant:,} of {asked:,} judges out of the bag on {name} tie all candidates that "
            "were drawn, so no correlation with them is defined: skipped."
        )
    for axis in ("judges", "candidates"):
        pairs = counts.get(f"stability_{axis}: pairs of rankings without a correlation", 0)
        if pairs:
            yield (
                f"{counted(pairs, 'pair')} of rankings of resampled {axis} on {name} have no "
                "correlation (all tied, or fewer than two candidates in common): skipped."
            )

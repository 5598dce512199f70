"""What the reader of criteria must know about this request and these tables."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from deadheat.criteria.result import FEW_CASES
from deadheat.errors import counted
from deadheat.text import percent

if TYPE_CHECKING:
    from deadheat.criteria.measuring import TableValues
    from deadheat.criteria.result import Criteria

RATES = {"condorcet_rate": "Condorcet winner", "majority_rate": "majority winner"}
WORTH_SAYING = 0.01  # of what a criterion is measured on: less is in the counts alone


def cautions(found: Criteria) -> list[str]:
    """Return the sentences, most important first; none where nothing can be ranked at all."""
    sentences: list[str] = []
    if all(found.nothing_to_rank):
        return sentences
    for table, nothing in zip(found.measured, found.nothing_to_rank, strict=True):
        sentences += [f"{nothing}."] if nothing else _of_table(found, table)
    return sentences


def _of_table(found: Criteria, table: TableValues) -> Iterator[str]:
    results, name = table.results, table.results.source
    if results.n < 3:
        yield (
            f"{name} has {counted(results.n, 'candidate')}: rank correlations are 1, -1 or "
            "undefined; criteria say little below 3 candidates."
        )
    yield from _few(found, table) if found.made["trials"] < FEW_CASES else _rare(found, table)
    if np.count_nonzero(results.weights) < 2:
        yield (
            f"{name} has one judge: nobody is left to predict, and stability over judges is 1 by "
            "construction."
        )
    elif found.made["over"] == "candidates" and found.made["compat"] is None:
        yield "judges are not resampled, so none is left out, and generalization is undefined."
    skipped = [*_skipped_trials(table), *_skipped_judges(table), *_skipped_pairs(found, table)]
    if skipped:
        yield f"{name}: skipped, because undefined, are {'; '.join(skipped)}."
    if results.clusters is not None:
        yield (
            f"{name} has clusters of judges, but criteria resample judges one by one: a judge out "
            "of the bag may have a relative in it, which flatters generalization."
        )


def _few(found: Criteria, table: TableValues) -> Iterator[str]:
    cases = (f"{table.cases(c):,} of them have a {winner}" for c, winner in RATES.items())
    yield (
        f"{counted(found.made['trials'], 'trial')} on {table.results.source}: too few for rates, "
        f"because {' and '.join(cases)}; the paper takes 10,000."
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


def _skipped_trials(table: TableValues) -> Iterator[str]:
    """Yield how many trials generalization skips, and why; not where it skips all."""
    trials = table.values["generalization"].shape[1]
    why = {
        "no judge out of the bag": "every judge was drawn",
        "fewer than two candidates": "only one candidate was drawn",
    }
    for reason, told in why.items():
        skipped = table.counts.get(f"generalization: {reason}", 0)
        if WORTH_SAYING * trials <= skipped < trials and skipped:
            yield f"{skipped:,} of {trials:,} trials in generalization ({told})"


def _skipped_judges(table: TableValues) -> Iterator[str]:
    constant = table.counts.get("generalization: constant judges", 0)
    asked = table.counts.get("generalization: judges out of the bag", 0)
    if constant and constant >= WORTH_SAYING * asked:
        yield (
            f"{constant:,} of {asked:,} judges out of the bag (they tie all candidates that were "
            "drawn)"
        )


def _skipped_pairs(found: Criteria, table: TableValues) -> Iterator[str]:
    q, repeats = found.made["q"], found.made["repeats"]
    pairs = len(found.names) * repeats * q * (q - 1) // 2
    shares: list[str] = []
    for axis in ("judges", "candidates"):
        skipped = table.counts.get(f"stability_{axis}: pairs of rankings without a correlation", 0)
        if skipped and skipped >= WORTH_SAYING * pairs:
            of = " of the pairs of rankings" if not shares else ""
            shares.append(f"{percent(skipped / pairs)}{of} in stability over {axis}")
    if shares:
        yield f"{' and '.join(shares)} (one ties all, or they share fewer than two candidates)"

"""What a table decides about functions, and what their definitions have decided before."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from deadheat.typing import Booleans

if TYPE_CHECKING:
    from deadheat.criteria.criterion import Criterion
    from deadheat.criteria.noise import Lead
    from deadheat.criteria.result import Criteria

WEIGHED = (
    *("winner_rank", "condorcet_rate", "generalization", "stability_judges"),
    "stability_candidates",
)
EXACT = 1e-9


def sure(criteria: Criteria, criterion: Criterion) -> list[str]:
    """Return the functions that are best by definition, and so no evidence.

    A function that claims the axiom behind it, but violates it here, is not among them.
    """
    found = []
    for f, value in zip(criteria.functions, criteria.values(criterion.name)[0], strict=False):
        claimed = criterion.certain in f.satisfies and value >= 1 - EXACT
        if claimed or (f.name in criterion.led_by and value == value):
            found.append(f.name)
    return found


def broken(criteria: Criteria) -> Iterator[tuple[str, Criterion, float]]:
    """Yield functions that claim an axiom, the criterion that refutes the claim, and its value."""
    for criterion in criteria.criteria:
        values = criteria.values(criterion.name)[0].tolist()
        for f, value in zip(criteria.functions, values, strict=False):
            if criterion.certain in f.satisfies and value < 1 - EXACT:
                yield f.name, criterion, value


def weighed(criteria: Criteria) -> Iterator[tuple[Criterion, Lead]]:
    """Yield the criteria of the paper that have a value here."""
    for criterion in criteria.criteria:
        found = criteria.leads[criterion.name]
        if criterion.name in WEIGHED and found is not None:
            yield criterion, found


def decided(criteria: Criteria) -> list[tuple[Criterion, Lead, Booleans]]:
    """Return the criteria by which the tables tell functions apart, and whom each speaks for.

    A criterion that a function leads by definition is none. Stability over judges speaks only for
    functions that also predict best: a ranking that ignores the judges is stable too.
    """
    found = []
    predicts = np.ones(len(criteria.functions), dtype=bool)
    for criterion, lead in weighed(criteria):
        level = lead.level[: len(criteria.functions)]
        if criterion.name == "generalization":
            predicts = level
        if level.all() or sure(criteria, criterion):
            continue
        credit = level & predicts if criterion.name == "stability_judges" else level
        if credit.any():
            found.append((criterion, lead, credit))
    return found

"""Independence of irrelevant alternatives."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from deadheat.axioms.axiom import Axiom, Case, Demands, Inquiry, Questions, unchanged
from deadheat.core.errors import named
from deadheat.core.types import Floats


class Independence(Axiom):
    r"""The order of u and v depends on the scores of u and v alone.

    .. math:: \text{sgn}(f_u - f_v) \text{ is the same whatever the other rows are}

    Other rows come, go, or stand in for each other.

    On scores: a function that adds them up can satisfy it. None of the judges' orders alone can
    (Arrow), so that the same functions fail where only orders are thought of as given.

    .. [1] Pavao, Vaccaro, Guyon (2021), "Judging competitions and benchmarks", ESANN, sec. 2.2.
    """

    name = "iia"
    caveat = (
        "a statement about scores: no function of the judges' orders alone satisfies it (Arrow)."
    )

    def questions(self, inquiry: Inquiry) -> Iterator[Questions]:
        """Take away candidates one at a time where some are named, else all ways; exchange two."""
        if inquiry.tried is not None:
            yield from inquiry.with_each(1 - inquiry.each)
            return
        fields = subsets(inquiry.n)
        if len(fields):
            yield from inquiry.with_each(fields)
        size, n = len(inquiry.profiles), inquiry.n
        if n > 3:
            pairs = np.array(list(combinations(range(n), 2)))
            yield inquiry.questions(
                np.repeat(inquiry.profiles, n, axis=0),
                (np.arange(size)[:, None, None] * n + pairs[None]).reshape(-1, 2),
                np.tile(1 - np.eye(n), (size, 1)),
            )

    def demands(self, questions: Questions, ranks: Floats) -> Demands:  # noqa: ARG002 - as all
        return unchanged(ranks)

    def words(self, case: Case) -> str:
        gone = [name for name in case.absent(1) if name not in case.absent(0)]
        came = case.absent(0)
        instead = f" instead of {named(gone)}" if gone else ""
        where = f"with {named(came)}{instead}" if came else case.rest()
        return f"{case.origin()}; {where}, {case.outcome()}."


def subsets(n: int) -> Floats:
    """Return every field of at least two and not all candidates, (K, n)."""
    kept = [c for size in range(2, n) for c in combinations(range(n), size)]
    fields = np.zeros((len(kept), n))
    for row, members in zip(fields, kept, strict=True):
        row[list(members)] = 1
    return fields

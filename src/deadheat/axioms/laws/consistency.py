"""Consistency over parts of the judges."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from deadheat.axioms.axiom import Axiom, Case, Demands, Inquiry, Questions, unchanged
from deadheat.core.types import Floats, Integers


class Consistency(Axiom):
    r"""Two parts of the judges that give the same ranking give it together.

    .. math:: \text{rank} f(A) = \text{rank} f(B)
        \Rightarrow \text{rank} f(A + B) = \text{rank} f(A)

    Whole rankings are compared, ties included. The proof of [1]_ for Relative Difference supposes
    that the first ranks differ, which is not without loss of generality; the result holds because
    the merit is a sum over judges, as with mean, average rank and success rate.

    .. [1] Pavao, Vaccaro, Guyon (2021), "Judging competitions and benchmarks", ESANN, sec. 2.2.
    """

    name = "consistency"
    caveat = "the candidates are the same in both parts, and whole rankings agree."

    most_judges = (3, 7, 12, 17, 17)

    def questions(self, inquiry: Inquiry) -> Iterator[Questions]:
        """Ask about parts that rank alike: given ones, or profiles that happen to."""
        parts = inquiry.profiles if inquiry.parts is None else inquiry.parts.astype(np.float64)
        if len(parts) < 2:
            return
        alone = inquiry.ranks(parts)
        pairs = _neighbours(alone) if inquiry.parts is None else _all_alike(alone)
        size = len(parts)
        for start in range(0, len(pairs), inquiry.step):
            here = pairs[start : start + inquiry.step]
            judges = np.concatenate([parts, parts[here[:, 0]] + parts[here[:, 1]]])
            together = size + np.arange(len(here))
            yield inquiry.questions(judges, np.column_stack([here, together]))

    def demands(self, questions: Questions, ranks: Floats) -> Demands:  # noqa: ARG002 - as all
        one, other = ranks[:, 0], ranks[:, 1]
        alike = ((one == other) | (np.isnan(one) & np.isnan(other))).all(axis=1)
        return unchanged(ranks).where(alike[:, None, None])

    def words(self, case: Case) -> str:
        return (
            f"by judges {case.judged_by(0)} alone, and by judges {case.judged_by(1)} alone, "
            f"{case.origin()} (before); by all together {case.outcome()} (after)."
        )

    def units(self, weights: Integers) -> list[Integers]:
        """Return a judge as members of one part or the other."""
        first, second = weights[:2].tolist()
        return [np.array([1, 0, 1])] * first + [np.array([0, 1, 1])] * second


def _neighbours(ranks: Floats) -> Integers:
    """Return pairs of profiles with the same ranking, (Q, 2), each with the next few."""
    keys = np.unique(np.nan_to_num(ranks), axis=0, return_inverse=True)[1].reshape(-1)
    by_ranking = np.argsort(keys, kind="stable")
    found = []
    for distance in (1, 2, 3):
        alike = keys[by_ranking[distance:]] == keys[by_ranking[:-distance]]
        found.append(np.column_stack([by_ranking[:-distance][alike], by_ranking[distance:][alike]]))
    return np.concatenate(found)


def _all_alike(ranks: Floats) -> Integers:
    """Return all pairs of parts with the same ranking, (Q, 2)."""
    alike = [
        (a, b)
        for a, b in combinations(range(len(ranks)), 2)
        if np.array_equal(ranks[a], ranks[b], equal_nan=True)
    ]
    return np.array(alike, dtype=np.int64).reshape(-1, 2)

"""The majority criterion."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

import numpy as np

from deadheat.axioms.axiom import Asked, Axiom, Demands, Questions, never_below
from deadheat.axioms.case import Case
from deadheat.typing import Booleans, Floats


class Majority(Axiom):
    r"""Whoever is first for more than half of the judges is not beaten.

    .. math:: \sum_k w_k [y_{uk} > \max_{v \ne u} y_{vk}] > \tfrac W2 \Rightarrow u \in T

    with T the set of those ranked first. Judges with a tie for their first place support nobody.

    References
    ----------
    .. [1] Pavao, Vaccaro, Guyon (2021), "Judging competitions and benchmarks", ESANN, sec. 2.2.
    """

    name: ClassVar[str] = "majority"
    caveat: ClassVar[str] = "the winner may share its first place; to share it is a weak violation."

    def questions(self, asked: Asked) -> Iterator[Questions]:
        """Ask every profile once."""
        return asked.once()

    def demands(self, questions: Questions, ranks: Floats) -> Demands:
        """Demand that the favourite of a majority is above everybody."""
        pairs = np.broadcast_to(
            favourites(questions)[:, :, None], (len(questions), *[len(questions.scores)] * 2)
        )
        return never_below(pairs, ranks)

    def told(self, case: Case) -> str:
        """Say how many judges put the favourite first."""
        u, others = case.scores[case.pair[0]], np.delete(case.scores, case.pair[0], axis=0)
        firsts = int((u > others).all(axis=0).sum())
        return f"{case.first} is first for {firsts} of {len(u)} judges, and {case.outcome()}."


def favourites(questions: Questions) -> Booleans:
    """Return who is strictly first for more than half of the judges, (Q, n)."""
    judges = questions.counted(-1)
    present = questions.copies_of(-1) > 0
    found = np.zeros(present.shape, dtype=bool)
    fields, kind = np.unique(present, axis=0, return_inverse=True)
    scores = np.where(np.isnan(questions.scores), -np.inf, questions.scores)
    for k, field in enumerate(fields):
        asked = np.flatnonzero(kind.reshape(-1) == k)
        first = field[:, None] & (
            scores == scores.max(axis=0, where=field[:, None], initial=-np.inf)
        )
        alone = (first & (first.sum(axis=0) == 1)).astype(np.float64)
        found[asked] = 2 * (judges[asked] @ alone.T) > judges[asked].sum(axis=1, keepdims=True)
    return found

"""The majority criterion."""

from __future__ import annotations

import numpy as np

from deadheat.axioms.axiom import Axiom, Case, Demands, Questions, never_below
from deadheat.core.types import Booleans, Floats
from deadheat.ranking.block import tie_groups
from deadheat.ranking.duels import majority_winners


class Majority(Axiom):
    r"""Whoever is first for more than half of the judges is not beaten.

    .. math:: \sum_k w_k [y_{uk} > \max_{v \ne u} y_{vk}] > \tfrac W2 \Rightarrow u \in T

    with T the set of those ranked first. Judges with a tie for their first place support nobody,
    nor do judges who miss the score of somebody who is there.

    .. [1] Pavao, Vaccaro, Guyon (2021), "Judging competitions and benchmarks", ESANN, sec. 2.2.
    """

    name = "majority"
    caveat = "the winner may share its first place; to share it is a weak violation."

    def demands(self, questions: Questions, ranks: Floats) -> Demands:
        return never_below(favourites(questions)[:, :, None], ranks)

    def words(self, case: Case) -> str:
        return f"{case.first} is first for {_supporters(case)}, and {case.outcome()}."


def _supporters(case: Case) -> str:
    levels = case.scores if case.levels is None else case.levels
    scores = levels[case.copies[-1] > 0]
    first = (scores >= levels[case.pair[0]]).sum(axis=0) == 1
    first &= ~np.isnan(scores).any(axis=0)
    weights = case.present[-1] * (1.0 if case.weights is None else case.weights)
    if len(np.unique(weights[weights > 0])) > 1:
        return f"judges of weight {weights[first].sum():g} of {weights.sum():g}"
    return f"{int((first & (weights > 0)).sum())} of {int((weights > 0).sum())} judges"


def favourites(questions: Questions) -> Booleans:
    """Return who is alone in first place for more than half of the judges, (Q, n)."""
    order, _, last = (np.ascontiguousarray(part.T) for part in tie_groups(questions.scores))
    return majority_winners(
        order, last, questions.counted(-1), questions.copies_of(-1), np.isnan(questions.scores)
    )

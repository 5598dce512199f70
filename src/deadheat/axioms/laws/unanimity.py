"""Unanimity, also known as the Pareto principle."""

from __future__ import annotations

import numpy as np

from deadheat.axioms.axiom import Axiom, Case, Demands, Questions, never_below
from deadheat.core.types import Floats, Scale
from deadheat.ranking.block import Block
from deadheat.ranking.duels import Duels


class Unanimity(Axiom):
    r"""Whom every judge prefers to another is not ranked below it.

    .. math:: y_{uk} > y_{vk} \text{ for all } k \Rightarrow f_u > f_v

    A tie of the two is a weak violation.

    .. [1] Arrow (1963), "Social choice and individual values", 2nd edition, Wiley, ch. 8.
    """

    name = "unanimity"
    caveat = "a tie with somebody whom every judge puts lower is a weak violation."

    def prepare(self, scores: Floats, scale: Scale, rng: np.random.Generator) -> Floats:  # noqa: ARG002
        """Let every judge put one candidate above another."""
        u, v = rng.permutation(len(scores))[:2]
        changed = scores.copy()
        changed[v] = np.minimum(scores[u], scores[v])
        changed[u] = np.maximum(scores[u], scores[v]) + (scores[u] == scores[v])
        return changed

    def demands(self, questions: Questions, ranks: Floats) -> Demands:
        judges = questions.counted(-1)
        duels = Duels(Block(questions.scores, judges, questions.copies_of(-1)))
        everyone = judges.sum(axis=1)[:, None, None]
        return never_below(duels.margins >= everyone * (1 - 1e-12), ranks)

    def words(self, case: Case) -> str:
        return f"every judge prefers {case.first} to {case.second}, and {case.outcome()}."

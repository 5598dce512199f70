"""The Condorcet criterion."""

from __future__ import annotations

import numpy as np

from deadheat.axioms.axiom import Axiom, Case, Demands, Questions, never_below
from deadheat.core.types import Booleans, Floats
from deadheat.ranking.block import Block
from deadheat.ranking.duels import Duels


class Condorcet(Axiom):
    r"""Whoever beats every rival on more judges than not is not beaten.

    .. math:: G_{uv} > G_{vu} \text{ for all } v \ne u \Rightarrow u \in T

    where G counts the judges who put the first above the second. It implies the majority criterion.

    .. [1] Pavao, Vaccaro, Guyon (2021), "Judging competitions and benchmarks", ESANN, sec. 2.2.
    """

    name = "condorcet"
    caveat = "the winner may share its first place; to share it is a weak violation."

    def demands(self, questions: Questions, ranks: Floats) -> Demands:
        return never_below(condorcet_winners(questions)[:, :, None], ranks)

    def words(self, case: Case) -> str:
        return f"{case.first} wins every duel, and {case.outcome()}."


def condorcet_winners(questions: Questions) -> Booleans:
    """Return who beats every other candidate who is there, (Q, n)."""
    copies = questions.copies_of(-1)
    block = Block(questions.scores, questions.counted(-1), copies)
    present = copies > 0
    others = present[:, None, :] & ~np.eye(len(questions.scores), dtype=bool)
    won = np.asarray((Duels(block).outcomes > 0) | ~others).all(axis=2)
    return np.asarray(won & present & (present.sum(axis=1, keepdims=True) > 1))

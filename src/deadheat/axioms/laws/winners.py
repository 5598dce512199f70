"""Who must be first, or not below another: majority, Condorcet, unanimity."""

from __future__ import annotations

import numpy as np

from deadheat.axioms.axiom import Axiom, Case, Demands, Questions, never_below
from deadheat.core.types import Booleans, Floats, Scale
from deadheat.ranking.block import Block, tie_groups
from deadheat.ranking.duels import Duels, majority_winners


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
        levels = case.scores if case.levels is None else case.levels
        scores = levels[case.copies[-1] > 0]
        first = (scores >= levels[case.pair[0]]).sum(axis=0) == 1
        first &= ~np.isnan(scores).any(axis=0)
        weights = case.present[-1] * (1.0 if case.weights is None else case.weights)
        there = weights > 0
        who = f"{int((first & there).sum())} of {int(there.sum())} judges"
        if len(np.unique(weights[there])) > 1:
            who = f"judges of weight {weights[first].sum():g} of {weights.sum():g}"
        return f"{case.first} is first for {who}, and {case.outcome()}."


def favourites(questions: Questions) -> Booleans:
    """Return who is alone in first place for more than half of the judges, (Q, n)."""
    order, _, last = (np.ascontiguousarray(part.T) for part in tie_groups(questions.scores))
    return majority_winners(
        order, last, questions.weights_of(-1), questions.copies_of(-1), np.isnan(questions.scores)
    )


class Condorcet(Axiom):
    r"""Whoever beats every rival on more judges than not is not beaten.

    .. math:: G_{uv} > G_{vu} \text{ for all } v \ne u \Rightarrow u \in T

    where G counts the judges who put the first above the second. It implies the majority criterion.

    .. [1] Pavao, Vaccaro, Guyon (2021), "Judging competitions and benchmarks", ESANN, sec. 2.2.
    """

    name = "condorcet"
    caveat = Majority.caveat

    def demands(self, questions: Questions, ranks: Floats) -> Demands:
        return never_below(condorcet_winners(questions)[:, :, None], ranks)

    def words(self, case: Case) -> str:
        return f"{case.first} wins every duel, and {case.outcome()}."


def condorcet_winners(questions: Questions) -> Booleans:
    """Return who beats every other candidate who is there, (Q, n)."""
    copies = questions.copies_of(-1)
    duels = Duels(Block(questions.scores, questions.weights_of(-1), copies))
    present = copies > 0
    others = present[:, None, :] & ~np.eye(len(questions.scores), dtype=bool)
    won = np.asarray((duels.outcomes > 0) | ~others).all(axis=2)
    return np.asarray(won & present & (present.sum(axis=1, keepdims=True) > 1))


class Unanimity(Axiom):
    r"""Whom every judge prefers to another is not ranked below it.

    .. math:: y_{uk} > y_{vk} \text{ for all } k \Rightarrow f_u > f_v

    Also known as the Pareto principle. A tie of the two is a weak violation.

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
        judges = questions.weights_of(-1)
        duels = Duels(Block(questions.scores, judges, questions.copies_of(-1)))
        everyone = judges.sum(axis=1)[:, None, None]
        return never_below(duels.margins >= everyone * (1 - 1e-12), ranks)

    def words(self, case: Case) -> str:
        return f"every judge prefers {case.first} to {case.second}, and {case.outcome()}."

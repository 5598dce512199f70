"""Search small tables for one that breaks an axiom."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import count

import numpy as np

from deadheat.axioms.asking import ranker, require_same_answer
from deadheat.axioms.axiom import STRONG, WEAK, Asked, Axiom, Demands, Questions
from deadheat.axioms.case import Case
from deadheat.axioms.pools import pool
from deadheat.axioms.shrinking import smallest
from deadheat.ranking.function import RankingFunction

SHRUNK = 3  # cases of one batch that are shrunk, to keep the smallest
TABLES_PER_CASE = 5
FURTHER = 3  # batches from the first violation on, in case one of them has a smaller one
SMALL = (3, 4)  # candidates and judges of an example that is small enough


@dataclass(eq=False)
class Found:
    """Hold what a search found, and how hard it looked."""

    axiom: Axiom
    tables: int = 0
    searched: int = 0
    strong: int = 0
    weak: int = 0
    cases: dict[int, Case] = field(default_factory=dict)

    @property
    def holds(self) -> bool | None:
        """Whether no strong violation was found; None where nothing could be asked."""
        return self.strong == 0 if self.searched else None

    @property
    def case(self) -> Case | None:
        """The worst violation that was found."""
        return self.cases.get(STRONG) or self.cases.get(WEAK)

    @property
    def is_small(self) -> bool:
        """Whether there is a strong violation so small that nobody wants a smaller one."""
        case = self.cases.get(STRONG)
        return (
            case is not None
            and case.scores.shape[0] <= SMALL[0]
            and case.scores.shape[1] <= SMALL[1]
        )

    def keep(self, case: Case, *, level: int) -> None:
        """Keep a case of some level if it is the smallest of its kind so far.

        What was weak and became strong while it shrank is one more question, with a strong answer.
        """
        if case.level > level:
            self.searched += 1
            self.strong += 1
        known = self.cases.get(case.level)
        if known is None or case.size < known.size:
            self.cases[case.level] = case

    def count(self, demands: Demands) -> None:
        """Count the questions of a batch."""
        self.searched += int(demands.applicable.sum())
        self.strong += int((demands.worst == STRONG).sum())
        self.weak += int((demands.worst == WEAK).sum())


def search(f: RankingFunction, axiom: Axiom, *, budget: int, seed: int) -> Found:
    """Ask f about random tables until there are violations, or ``budget`` applicable cases.

    The tables depend on the axiom, the seed and the scale of f alone. A search in which hardly a
    table is applicable ends after five times as many tables.
    """
    found = Found(axiom)
    more = FURTHER
    for batch in count():
        _look(found, f, batch, seed)
        enough = found.searched >= budget or found.tables >= TABLES_PER_CASE * budget
        more -= found.strong > 0
        if found.is_small or more == 0 or (enough and not found.strong):
            break
    return found


def _look(found: Found, f: RankingFunction, batch: int, seed: int) -> None:
    """Ask about one batch of tables, and keep the smallest violations."""
    axiom = found.axiom
    drawn = pool(axiom, batch, seed=seed)
    scores = axiom.arranged(drawn.scores, f.scale, np.random.default_rng([seed, batch]))
    asked = Asked(scores, drawn.profiles, ranker(f, scores))
    whole = np.ones((len(drawn.profiles), len(drawn.scores)))
    require_same_answer(f, ranker(f, drawn.scores), drawn.profiles, whole)
    found.tables += len(drawn.profiles)
    for questions in axiom.questions(asked):
        demands = axiom.demands(questions, asked.answered(questions))
        found.count(demands)
        for level in (STRONG, WEAK):
            if level == WEAK and found.cases:
                continue
            if (demands.worst == level).any():
                found.keep(_smallest(f, axiom, questions, demands, level), level=level)


def _smallest(
    f: RankingFunction, axiom: Axiom, questions: Questions, demands: Demands, level: int
) -> Case:
    """Return the smallest case that a few of the smallest questions shrink to."""
    bad = np.flatnonzero(demands.worst == level)
    sizes = questions.judges_of(-1)[bad].sum(axis=1) + questions.copies_of(-1)[bad].sum(axis=1)
    few = bad[np.argsort(sizes, kind="stable")[:SHRUNK]]
    return smallest(f, axiom, questions, few.tolist(), level)

"""The seven axioms of Pavao et al. (2021), sec. 2.2, as literal questions to a ranking function.

Only strong violations count here: an order that is reversed, a winner that is strictly beaten; an
order that becomes a tie is none. To take away a judge or a candidate is weight 0, a clone is
weight 2 or more, so that one call answers every question about many tables.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from deadheat.ranking.function import RankingFunction
from deadheat.ranking.ranks import ranks

Key = tuple[object, ...]
CLONES = (2, 3, 5)


@dataclass(frozen=True)
class Case:
    """A table of n candidates, and n spare rows that stand in for irrelevant alternatives."""

    scores: np.ndarray
    spare: np.ndarray
    splits: tuple[tuple[int, ...], ...]

    @property
    def n(self) -> int:
        return self.scores.shape[0]

    @property
    def m(self) -> int:
        return self.scores.shape[1]

    def questions(self) -> Iterator[tuple[Key, np.ndarray, np.ndarray]]:
        """Yield (key, judge weights, weights of the candidates and of the spare rows)."""
        n, m = self.n, self.m
        judges, field = np.ones(m), np.repeat([1.0, 0.0], n)
        yield ("all",), judges, field
        for k in range(m):
            yield ("without judge", k), np.arange(m) != k, field
        for part in self.splits:
            inside = np.isin(np.arange(m), part)
            yield ("part", part), inside, field
            yield ("rest", part), ~inside, field
        for size in range(2, n):
            for kept in combinations(range(n), size):
                yield ("only", kept), judges, field * np.isin(np.arange(2 * n), kept)
        for z in range(n):
            for copies in CLONES:
                yield ("clones", z, copies), judges, np.where(np.arange(2 * n) == z, copies, field)
        for u, v in combinations(range(n), 2):
            other = 1 - field
            other[[u, v, n + u, n + v]] = [1, 1, 0, 0]
            yield ("others", u, v), judges, other


Answers = dict[Key, np.ndarray]


def above(rank: np.ndarray, u: int, v: int) -> bool:
    """Whether u is ranked strictly above v."""
    return bool(rank[u] < rank[v])


def reversed_pairs(before: np.ndarray, after: np.ndarray, among: Iterable[int]) -> bool:
    """Whether some two change sides."""
    return any(
        (above(before, u, v) and above(after, v, u)) or (above(before, v, u) and above(after, u, v))
        for u, v in combinations(among, 2)
    )


def majority(case: Case, answers: Answers) -> bool:
    """Somebody is strictly first for more than half of the judges, and is beaten."""
    rank = answers["all",]
    for u in range(case.n):
        others = np.delete(case.scores, u, axis=0)
        firsts = int((case.scores[u] > others).all(axis=0).sum())
        if 2 * firsts > case.m and rank[u] > np.nanmin(rank):
            return True
    return False


def condorcet(case: Case, answers: Answers) -> bool:
    """Somebody beats each of the others by a majority, and is beaten."""
    rank = answers["all",]
    for u in range(case.n):
        rivals = [v for v in range(case.n) if v != u]
        beats = [
            (case.scores[u] > case.scores[v]).sum() > (case.scores[v] > case.scores[u]).sum()
            for v in rivals
        ]
        if all(beats) and rank[u] > np.nanmin(rank):
            return True
    return False


def consistency(case: Case, answers: Answers) -> bool:
    """Two parts of the judges rank alike, and all judges together reverse an order."""
    for part in case.splits:
        one, other = answers["part", part], answers["rest", part]
        alike = np.array_equal(one, other, equal_nan=True)
        if alike and reversed_pairs(one, answers["all",], range(case.n)):
            return True
    return False


def participation(case: Case, answers: Answers) -> bool:
    """A judge prefers u to v, and only because that judge is there v is above u."""
    for k in range(case.m):
        before, after = answers["without judge", k], answers["all",]
        for u in range(case.n):
            for v in range(case.n):
                prefers = case.scores[u, k] > case.scores[v, k]
                if prefers and above(before, u, v) and above(after, v, u):
                    return True
    return False


def iia(case: Case, answers: Answers) -> bool:
    """Other rows change, or go, and two whose rows stay change sides."""
    for u, v in combinations(range(case.n), 2):
        for changed in (answers["others", u, v], answers.get(("only", (u, v)))):
            if changed is not None and reversed_pairs(answers["all",], changed, (u, v)):
                return True
    return False


def liia(case: Case, answers: Answers) -> bool:
    """All but an interval of the ranking go, and two in the interval change sides."""
    rank = answers["all",]
    for low in np.unique(rank[: case.n]):
        for high in np.unique(rank[: case.n]):
            kept = tuple(i for i in range(case.n) if low <= rank[i] <= high)
            alone = answers.get(("only", kept))
            if alone is not None and reversed_pairs(rank, alone, kept):
                return True
    return False


def clones(case: Case, answers: Answers) -> bool:
    """Exact copies of z come, and two others change sides."""
    return any(
        reversed_pairs(
            answers["all",], answers["clones", z, copies], [i for i in range(case.n) if i != z]
        )
        for z in range(case.n)
        for copies in CLONES
    )


CHECKS: dict[str, Callable[[Case, Answers], bool]] = {
    check.__name__: check
    for check in (majority, condorcet, consistency, participation, iia, liia, clones)
}


def case_of(scores: np.ndarray, *, spare: np.ndarray | None = None) -> Case:
    """Return a case with every way to split the judges in two."""
    scores = np.asarray(scores, dtype=float)
    m = scores.shape[1]
    splits = [part for size in range(1, m // 2 + 1) for part in combinations(range(m), size)]
    return Case(scores, scores if spare is None else np.asarray(spare, dtype=float), tuple(splits))


def random_cases(seed: int, *, number: int, n: int) -> list[Case]:
    """Return positive tables of n candidates with many ties, and some without any."""
    rng = np.random.default_rng(seed)
    cases = []
    for _ in range(number):
        m, levels = int(rng.integers(3, 8)), int(rng.integers(2, 7))
        scores = rng.integers(1, levels + 1, size=(2 * n, m)) / 4.0
        if rng.random() < 0.4:
            scores = rng.uniform(0.05, 1.0, size=(2 * n, m))
        splits = []
        for _ in range(5):
            size = int(rng.integers(1, m // 2 + 1))
            splits.append(tuple(sorted(rng.choice(m, size=size, replace=False).tolist())))
        cases.append(Case(scores[:n], scores[n:], tuple(splits)))
    return cases


def answered(f: RankingFunction, cases: list[Case]) -> Iterator[tuple[Case, Answers]]:
    """Yield every case with the ranks that f gives to its questions.

    The tables, all with equally many candidates, stand side by side in one; the judge weights
    choose which of them is meant.
    """
    table = np.concatenate([np.concatenate([c.scores, c.spare]) for c in cases], axis=1)
    keys, judges, candidates = [], [], []
    start = 0
    for number, case in enumerate(cases):
        for key, among, field in case.questions():
            weights = np.zeros(table.shape[1])
            weights[start : start + case.m] = among
            keys.append((number, key))
            judges.append(weights)
            candidates.append(field)
        start += case.m
    found = ranks(f(table, np.array(judges), np.array(candidates)), unit=f.unit(table))
    answers: list[Answers] = [{} for _ in cases]
    for (number, key), row in zip(keys, found, strict=True):
        answers[number][key] = row
    yield from zip(cases, answers, strict=True)


def violated(f: RankingFunction, case: Case, axiom: str) -> bool:
    """Whether the case is a strong violation of the axiom by f."""
    ((_, answers),) = answered(f, [case])
    return CHECKS[axiom](case, answers)

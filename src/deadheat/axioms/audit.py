"""Ask the axioms of one table as it is: whose removal, copy or vote turns what around."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import compress
from typing import Any

import numpy as np

from deadheat.axioms.axiom import STRONG, WEAK, Axiom, Case, Inquiry, Questions, Tally
from deadheat.axioms.laws.winners import condorcet_winners, favourites
from deadheat.axioms.search import ranker_of
from deadheat.core.errors import named
from deadheat.core.types import Booleans, Floats, Integers
from deadheat.data.results import Results
from deadheat.ranking.function import RankingFunction
from deadheat.ranking.ranks import levels
from deadheat.resampling.draws import codes

MOST_FINDINGS = 10
MOST_PAIRS = 5
STEPS = 2e10  # comparisons that the questions of one axiom may take, for all functions together
CHEAP = "n m"
FEWEST, MOST_QUESTIONS = 20, 1_000
BY_COPIES = 100  # questions to a function that is called once for each


@dataclass(frozen=True, eq=False)
class Finding:
    """A change to the table that violates an axiom, and what it turns around."""

    case: Case
    pairs: list[list[str]]  # a few of the pairs that are violated worst
    number: int  # of pairs that are violated as badly
    ties: int  # how many pairs become or were a tie
    first: list[str] | None  # who is first after the change, where that is not who was

    def as_dict(self) -> dict[str, Any]:
        turned = self.number if self.case.level == STRONG else 0
        pairs = {"reversed": turned, "ties": self.ties, "pairs": self.pairs}
        return {"change": self.case.change, **pairs, "first": self.first}


@dataclass(eq=False)
class AuditResult(Tally):
    """How often one axiom is violated on a table, and the worst cases."""

    winner: int = 0
    findings: list[Finding] = field(default_factory=list)


@dataclass(frozen=True, eq=False)
class Table:
    """A table with what is asked of it; large ones are asked about a sample of their parts."""

    results: Results
    seed: int = 0
    functions: int = 1  # how many functions share the time there is

    def inquiry(self, f: RankingFunction) -> Inquiry:
        results, most = self.results, self.most(f)
        present = results.weights > 0
        strata = np.zeros((0, results.m), dtype=bool)  # which judges belong to each
        if results.strata is not None:
            label = codes(tuple(results.strata))
            parts = (label == np.arange(label.max() + 1)[:, None]) & present
            strata = parts[parts.any(axis=1)]
        return Inquiry(
            levels(results.scores, tolerance=results.tie_tol),
            present[None].astype(np.float64),
            ranker_of(f, results),
            weights=results.weights,
            parts=strata,
            tried=self._some(results.n, most),
            heard=self._some(results.m, most),
        )

    def most(self, f: RankingFunction) -> int:
        n, m = self.results.scores.shape
        steps = 10 * n * m if f.cost == CHEAP else n * n * (m + n)
        largest = BY_COPIES if f.form == "table" or f.slow else MOST_QUESTIONS
        return int(np.clip(STEPS / self.functions / steps, FEWEST, largest))

    def _some(self, size: int, most: int) -> Integers:
        rng = np.random.default_rng(self.seed)
        return np.sort(rng.choice(size, min(size, most), replace=False))

    def sampled(self, fs: Iterable[RankingFunction]) -> Iterator[str]:
        """Yield what is left out of the questions, in words, once for functions that are alike."""
        sizes = dict(zip(("candidates", "judges"), self.results.scores.shape, strict=True))
        alike: dict[int, list[str]] = {}
        for f in fs:
            alike.setdefault(self.most(f), []).append(f.name)
        for most, names in alike.items():
            few = [f"{most:,} of {size:,} {kind}" for kind, size in sizes.items() if size > most]
            if few:
                who = named(names, most=len(names))
                yield f"{who}: {' and '.join(few)} were taken away, drawn at random."


def audited(f: RankingFunction, axiom: Axiom, table: Table) -> AuditResult:
    found = AuditResult(axiom)
    inquiry = table.inquiry(f)
    for questions in axiom.questions(inquiry):
        ranks = inquiry.answered(questions)
        demands = axiom.demands(questions, ranks)
        found.count(demands)
        before, after = _first(ranks[:, 0]), _first(ranks[:, -1])
        gone = before & (questions.copies_of(-1) == 0)
        new = np.asarray((before != after).any(axis=1) & ~gone.any(axis=1))
        found.winner += int((new & (demands.worst > 0)).sum())
        number = (demands.levels > 0).sum(axis=(1, 2))
        worst_first = np.lexsort([-number, ~new, -demands.worst])[:MOST_FINDINGS]
        for q in worst_first[demands.worst[worst_first] > 0].tolist():
            case = _case(axiom, table.results, questions, q, ranks[q], demands.levels[q])
            first = list(compress(case.candidates, after[q])) if new[q] else None
            found.findings.append(_finding(case, demands.levels[q], first))
        # The worst stay: strong ones, then new winners, then those that turn most.
        found.findings.sort(key=lambda f: (-f.case.level, f.first is None, -f.number))
        del found.findings[MOST_FINDINGS:]
    return found


def special_winners(results: Results) -> dict[str, str | None]:
    """Return who is first for a majority of judges, and who wins every duel; None for nobody."""
    scores = levels(results.scores, tolerance=results.tie_tol)
    judges = (results.weights > 0)[None].astype(np.float64)
    one = Questions(scores, judges, np.ones((1, results.n)), np.zeros((1, 1), int), results.weights)
    found = {"majority_winner": favourites(one)[0], "condorcet_winner": condorcet_winners(one)[0]}
    return {
        key: results.candidates[int(np.argmax(who))] if who.any() else None
        for key, who in found.items()
    }


def _first(ranks: Floats) -> Booleans:
    return np.asarray(ranks == np.fmin.reduce(ranks, axis=1, keepdims=True))


def _case(
    axiom: Axiom, results: Results, questions: Questions, q: int, ranks: Floats, worse: Integers
) -> Case:
    """Return a violation with the worst pair that stands highest in the first ranking."""
    worst = int(worse.max())
    pairs, worlds = np.argwhere(worse == worst), questions.places[q]
    places = np.nan_to_num(ranks[0], nan=np.inf)[pairs]
    u, v = pairs[int(np.lexsort([places.sum(axis=1), places.min(axis=1)])[0])].tolist()
    return Case(
        axiom=axiom,
        scores=results.scores,
        candidates=tuple(results.candidates),
        judges=tuple(results.judges),
        present=(questions.judges[worlds] > 0).astype(np.int64),
        copies=questions.copies[worlds].astype(np.int64),
        ranks=ranks,
        pair=(u, v),
        level=worst,
        levels=questions.scores,
        weights=results.weights,
    )


def _finding(case: Case, worse: Integers, first: list[str] | None) -> Finding:
    once = {tuple(sorted(p)): p for p in np.argwhere(worse == case.level).tolist()}
    ties = {tuple(sorted(p)) for p in np.argwhere(worse == WEAK).tolist()}
    few = [[case.candidates[i] for i in pair] for pair in list(once.values())[:MOST_PAIRS]]
    return Finding(case, few, len(once), len(ties), first)

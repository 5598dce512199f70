"""Search small tables for one that breaks an axiom."""

from __future__ import annotations

import zlib
from dataclasses import dataclass, field
from itertools import combinations, count
from typing import NamedTuple

import numpy as np

from deadheat.axioms.axiom import (
    STRONG,
    WEAK,
    Axiom,
    Case,
    Demands,
    Inquiry,
    Questions,
    Ranker,
    Tally,
)
from deadheat.core.errors import UsageError
from deadheat.core.types import Floats, Integers
from deadheat.data.results import Results
from deadheat.ranking.function import RankingFunction, on_scores, table_of
from deadheat.ranking.on_tables import merits_of
from deadheat.ranking.ranks import ranks

WIDE = 1e4  # where scores differ more than this, what counts as a tie depends on who judges
ASKED_TWICE = 20  # worlds: a function of the user may forget to seed what is random in it
CANDIDATES = (3, 3, 4, 3, 4, 5, 2)
LEVELS = (2, 3, 4, 5, 9)
POOL = 14
BATCHES = (128, 256, 512)  # profiles: what is easy to find is found early; then as the last
SHRUNK = 3  # cases of one batch that are shrunk, to keep the smallest
TABLES_PER_CASE = 5
FURTHER = 3  # batches from the first violation on, in case one of them has a smaller one
SMALL = (3, 4)  # candidates and judges of an example that is small enough


def _contradictory(f: RankingFunction, table: Floats | None = None) -> UsageError:
    where = "" if table is None else on_scores(table)
    return UsageError(
        f"{f.name} gave two answers to the same table{where}.",
        hint="a ranking function depends on the scores alone; seed what is random in it.",
    )


def ranker(f: RankingFunction, scores: Floats) -> Ranker:
    """Return what ranks a small table of our own in worlds (R, m) and (R, n)."""
    unit = f.unit(scores)

    def rank(judges: Floats, copies: Floats) -> Floats:
        merits = f(scores, judges, copies)
        _require_numbers(f, scores, judges, copies, merits)
        return ranks(merits, unit=unit)

    return rank


def require_same_answer(f: RankingFunction, rank: Ranker, judges: Floats, copies: Floats) -> None:
    """Ask a function of the user twice, and refuse it if its answers differ."""
    if not f.shipped:
        some = judges[:ASKED_TWICE], copies[:ASKED_TWICE]
        if not np.array_equal(rank(*some), rank(*some), equal_nan=True):
            raise _contradictory(f)


def ranker_of(f: RankingFunction, results: Results) -> Ranker:
    """Return what ranks a table of the user in worlds (R, m) and (R, n)."""
    known: dict[object, Floats] = {}
    unit = f.unit(results.scores, results.weights)
    sizes = np.abs(results.scores[np.isfinite(results.scores) & (results.scores != 0)])
    wide = sizes.size > 0 and float(sizes.max() / np.median(sizes)) > WIDE

    def rank(judges: Floats, copies: Floats) -> Floats:
        merits = merits_of(results, [f], judges, copies, known=known)[f.name]
        _require_numbers(f, results.scores, judges * results.weights, copies, merits)
        if np.ndim(unit) == 0 or not wide:
            return ranks(merits, unit=unit)
        kinds, which = np.unique(judges, axis=0, return_inverse=True)
        units = np.stack([f.unit(results.scores, results.weights * row) for row in kinds])
        return ranks(merits, unit=units[which.reshape(-1)])

    return rank


def _require_numbers(
    f: RankingFunction, scores: Floats, judges: Floats, copies: Floats, merits: Floats
) -> None:
    """Raise, with a small table as the place, where somebody who is there gets no merit."""
    absent = (copies == 0) | (judges.sum(axis=1, keepdims=True) == 0)
    bad = np.isnan(merits) & ~absent
    if not bad.any() or np.isnan(scores).any():  # who has no score left rightly has no merit
        return
    b = int(np.argmax(bad.any(axis=1)))
    raise UsageError(
        f"ranking function {f.name} returned {merits[b].tolist()}"
        f"{on_scores(table_of(scores, judges[b], copies[b]))}: "
        f"{int(bad[b].sum())} of the merits are NaN.",
        hint="every candidate that is present needs a merit; check its kernel.",
    )


def _pool(axiom: Axiom, batch: int, seed: int) -> tuple[Floats, Floats]:
    """Return judges to choose from (n, m), and how often each is there in each profile (B, m).

    Scores are small whole numbers above 0, so that they are on every scale. A third of the pools
    have ties, a third have none, and a third hold orders with their rotations, which make cycles.
    """
    key = (zlib.crc32(axiom.name.encode()), batch)
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=key))
    n = CANDIDATES[batch % len(CANDIDATES)]
    size = BATCHES[min(batch, len(BATCHES) - 1)]
    most = int(rng.choice(axiom.most_judges))
    kind = ("ties", "strict", "cycles")[int(rng.integers(3))]
    if kind == "ties":
        scores = rng.integers(1, rng.choice(LEVELS) + 1, (n, POOL)).astype(np.float64)
    else:
        scores = rng.permuted(np.tile(np.arange(1.0, n + 1)[:, None], POOL), axis=0)
    if kind == "cycles":
        scores = np.column_stack([np.roll(scores[:, k // n], k % n) for k in range(POOL)])
    number = rng.integers(1, most + 1, size)
    judges = rng.integers(0, POOL, (size, most))
    profiles = np.zeros((size, POOL))
    row, place = np.nonzero(np.arange(most) < number[:, None])
    np.add.at(profiles, (row, judges[row, place]), 1)
    return scores, profiles


class Sketch(NamedTuple):
    """A question about one table: who judges, 0 or 1 (k, m), and who is there (k, n) in worlds."""

    scores: Floats
    judges: Integers
    copies: Integers

    def compact(self) -> Sketch:
        """Return it without the candidates and judges who are in no world."""
        rows, columns = self.copies.any(axis=0), self.judges.any(axis=0)
        scores = self.scores[np.ix_(rows, columns)]
        return Sketch(scores, self.judges[:, columns], self.copies[:, rows])


def _demands(
    f: RankingFunction, axiom: Axiom, scores: Floats, judges: Integers, copies: Integers
) -> tuple[Demands, Floats]:
    """Return what an axiom finds in questions with judges (T, k, m) and copies (T, k, n)."""
    size, k, m = judges.shape
    places = np.arange(size * k).reshape(size, k)
    worlds = judges.reshape(-1, m).astype(float), copies.reshape(size * k, -1).astype(float)
    found = ranker(f, scores)(*worlds).reshape(size, k, -1)
    return axiom.demands(Questions(scores, *worlds, places), found), found


def _smallest(
    f: RankingFunction, axiom: Axiom, questions: Questions, demands: Demands, level: int
) -> Case:
    """Return the smallest case that a few of the smallest questions shrink to."""
    bad = np.flatnonzero(demands.worst == level)
    sizes = questions.judges_of(-1)[bad].sum(axis=1) + questions.copies_of(-1)[bad].sum(axis=1)
    shrunk: list[tuple[Sketch, int]] = []
    for q in bad[np.argsort(sizes, kind="stable")[:SHRUNK]].tolist():
        worlds = questions.places[q]
        weights = questions.judges[worlds].astype(np.int64)  # (k, m)
        columns: list[int] = []  # every judge as one of its own
        units: list[Integers] = []
        for k in np.flatnonzero(weights.any(axis=0)).tolist():
            units += axiom.units(weights[:, k])
            columns += [k] * (len(units) - len(columns))
        copies = questions.copies[worlds].astype(np.int64)
        sketch, worst = Sketch(questions.scores[:, columns], np.array(units).T, copies), level
        sketch = sketch.compact()
        while (smaller := _smaller(f, axiom, sketch, worst)) is not None:
            sketch, worst = smaller
        shrunk.append((sketch, worst))
    best, worst = min(shrunk, key=lambda one: (-one[1], *one[0].scores.shape, one[0].copies.sum()))
    return _case(f, axiom, _plainer(f, axiom, best, worst))


def _case(f: RankingFunction, axiom: Axiom, sketch: Sketch) -> Case:
    """Return a sketch as a case, with the ranks that f gives and names of its own."""
    demands, found = _demands(f, axiom, sketch.scores, sketch.judges[None], sketch.copies[None])
    levels = demands.levels[0]
    u, v = np.unravel_index(int(np.argmax(levels)), levels.shape)
    if not levels[u, v]:  # it was violated a moment ago
        raise _contradictory(f, sketch.scores)
    return Case(
        axiom=axiom,
        scores=sketch.scores,
        candidates=axiom.letters(sketch.copies),
        judges=axiom.numbers(sketch.scores.shape[1]),
        present=sketch.judges,
        copies=sketch.copies,
        ranks=found[0],
        pair=(int(u), int(v)),
        level=int(levels[u, v]),
    )


def _smaller(
    f: RankingFunction, axiom: Axiom, sketch: Sketch, level: int
) -> tuple[Sketch, int] | None:
    """Return it without a candidate, a judge or copies, else without two judges; worst first."""
    n, m = sketch.scores.shape
    groups = axiom.tied_judges(m)
    one_less = [(sketch.judges, _without(sketch.copies, [i])) for i in range(n)]
    one_less += [(_without(sketch.judges, group), sketch.copies) for group in groups]
    fewer = np.where(sketch.copies > 2, sketch.copies - 1, sketch.copies)
    one_less += [(sketch.judges, fewer)] if (fewer < sketch.copies).any() else []
    pairs = [[*a, *b] for a, b in combinations(groups, 2)]
    two_less = [(_without(sketch.judges, pair), sketch.copies) for pair in pairs]
    for tried in filter(None, (one_less, two_less)):
        judges, copies = (np.stack(part) for part in zip(*tried, strict=True))
        demands, _ = _demands(f, axiom, sketch.scores, judges, copies)
        chosen = int(np.argmax(demands.worst))
        worst = int(demands.worst[chosen])
        if worst >= level:
            return Sketch(sketch.scores, judges[chosen], copies[chosen]).compact(), worst
    return None


def _without(there: Integers, places: list[int]) -> Integers:
    changed = there.copy()
    changed[:, places] = 0
    return changed


def _plainer(f: RankingFunction, axiom: Axiom, sketch: Sketch, level: int) -> Sketch:
    """Return the sketch with the numbers 1, 2, 3 ... as scores of judges where that is enough."""
    m = sketch.scores.shape[1]
    if any(len(group) > 1 for group in axiom.tied_judges(m)):  # they depend on each other
        return sketch
    for column in range(m):
        scores = sketch.scores.copy()
        scores[:, column] = np.unique(scores[:, column], return_inverse=True)[1] + 1.0
        if (scores == sketch.scores).all():
            continue
        demands, _ = _demands(f, axiom, scores, sketch.judges[None], sketch.copies[None])
        if demands.worst[0] >= level:
            sketch = sketch._replace(scores=scores)
    return sketch


@dataclass(eq=False)
class SearchResult(Tally):
    tables: int = 0
    cases: dict[int, Case] = field(default_factory=dict)

    @property
    def case(self) -> Case | None:
        return self.cases.get(STRONG) or self.cases.get(WEAK)

    def keep(self, case: Case, *, level: int) -> None:
        """Keep a case of some level if it is the smallest of its kind so far."""
        if case.level > level:  # it became strong while it shrank: one more question
            self.searched += 1
            self.strong += 1
        known = self.cases.get(case.level)
        if known is None or case.size < known.size:
            self.cases[case.level] = case


def search(f: RankingFunction, axiom: Axiom, *, budget: int, seed: int) -> SearchResult:
    """Ask f about random tables until there are violations, or ``budget`` applicable cases."""
    found = SearchResult(axiom)
    more = FURTHER
    for batch in count():
        _look(found, f, batch, seed)
        enough = found.searched >= budget or found.tables >= TABLES_PER_CASE * budget
        more -= found.strong > 0
        case = found.cases.get(STRONG)
        small = case is not None and all(np.less_equal(case.scores.shape, SMALL))
        if small or more == 0 or (enough and not found.strong):
            break
    return found


def _look(found: SearchResult, f: RankingFunction, batch: int, seed: int) -> None:
    """Ask about one batch of tables, and keep the smallest violations."""
    axiom = found.axiom
    pool, profiles = _pool(axiom, batch, seed)
    scores = axiom.prepare(pool, f.scale, np.random.default_rng([seed, batch]))
    inquiry = Inquiry(scores, profiles, ranker(f, scores))
    require_same_answer(f, ranker(f, pool), profiles, np.ones((len(profiles), len(pool))))
    found.tables += len(profiles)
    for questions in axiom.questions(inquiry):
        demands = axiom.demands(questions, inquiry.ranks_for(questions))
        found.count(demands)
        for level in (STRONG, WEAK):
            if (demands.worst == level).any() and (level == STRONG or not found.cases):
                found.keep(_smallest(f, axiom, questions, demands, level), level=level)

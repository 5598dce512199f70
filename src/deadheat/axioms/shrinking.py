"""Make a counter-example smaller as long as it stays one: fewer candidates, judges and copies."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from deadheat.axioms.asking import ranker
from deadheat.axioms.axiom import Axiom, Questions
from deadheat.axioms.case import Case
from deadheat.axioms.faults import contradictory
from deadheat.ranking.function import RankingFunction
from deadheat.typing import Floats, Integers


@dataclass(frozen=True, eq=False)
class Sketch:
    """A question about one table: who judges and who is there in each of its worlds."""

    scores: Floats
    judges: Integers
    """0 or 1, (k, m)."""
    copies: Integers
    """(k, n)."""

    def compact(self) -> Sketch:
        """Return it without the candidates and judges who are in no world."""
        rows, columns = self.copies.any(axis=0), self.judges.any(axis=0)
        return Sketch(
            self.scores[np.ix_(rows, columns)], self.judges[:, columns], self.copies[:, rows]
        )


def smallest(
    f: RankingFunction, axiom: Axiom, questions: Questions, chosen: Iterable[int], level: int
) -> Case:
    """Return the smallest case that the chosen questions shrink to while they violate the axiom.

    A weak violation may become a strong one on the way, which it then stays.
    """
    found = [_shrunk(f, axiom, _explicit(axiom, questions, q), level) for q in chosen]
    best, worst = min(found, key=lambda one: (-one[1], *one[0].scores.shape, one[0].copies.sum()))
    return case_of(f, axiom, _plainer(f, axiom, best, worst))


def _shrunk(f: RankingFunction, axiom: Axiom, sketch: Sketch, level: int) -> tuple[Sketch, int]:
    """Return what a sketch shrinks to, and how badly that violates the axiom."""
    while (smaller := _smaller(f, axiom, sketch, level)) is not None:
        sketch, level = smaller
    return sketch, level


def case_of(f: RankingFunction, axiom: Axiom, sketch: Sketch) -> Case:
    """Return a sketch as a case, with the ranks that f gives and names of its own."""
    questions = _asked(sketch, sketch.judges[None], sketch.copies[None])
    ranks = ranker(f, sketch.scores)(questions.judges, questions.copies)
    levels = axiom.demands(questions, ranks[None]).levels[0]
    u, v = np.unravel_index(int(np.argmax(levels)), levels.shape)
    if not levels[u, v]:  # it was violated a moment ago
        raise contradictory(f, sketch.scores)
    case = Case(
        scores=sketch.scores,
        candidates=axiom.letters(sketch.copies),
        judges=axiom.numbers(sketch.scores.shape[1]),
        present=sketch.judges,
        copies=sketch.copies,
        ranks=ranks,
        pair=(int(u), int(v)),
        level=int(levels[u, v]),
    )
    return replace(case, change=axiom.told(case))


def _explicit(axiom: Axiom, questions: Questions, q: int) -> Sketch:
    """Return one question with every judge as a column of its own."""
    worlds = questions.places[q]
    weights = questions.judges[worlds].astype(np.int64)  # (k, m)
    columns, members = [], []
    for k in np.flatnonzero(weights.any(axis=0)).tolist():
        for unit in axiom.units(weights[:, k]):
            columns.append(k)
            members.append(unit)
    copies = questions.copies[worlds].astype(np.int64)
    sketch = Sketch(questions.scores[:, columns], np.array(members).T, copies)
    return sketch.compact()


def _smaller(
    f: RankingFunction, axiom: Axiom, sketch: Sketch, level: int
) -> tuple[Sketch, int] | None:
    """Return the sketch without a candidate, a judge or copies, else without two judges.

    The worst violation that is left goes first, and its level comes with it.
    """
    k, n = sketch.copies.shape
    for judges, copies in (_with_one_less(axiom, sketch), _with_two_less(axiom, sketch)):
        asked = _asked(sketch, judges, copies)
        ranks = ranker(f, sketch.scores)(asked.judges, asked.copies)
        demands = axiom.demands(asked, ranks.reshape(-1, k, n))
        chosen = int(np.argmax(demands.worst))
        worst = int(demands.worst[chosen])
        if worst >= level:
            less = replace(sketch, judges=judges[chosen], copies=copies[chosen])
            return less.compact(), worst
    return None


def _with_one_less(axiom: Axiom, sketch: Sketch) -> tuple[Integers, Integers]:
    """Return the judges (T, k, m) and copies (T, k, n) of worlds without one of either."""
    n, m = sketch.scores.shape
    fewer = np.where(sketch.copies > 2, sketch.copies - 1, sketch.copies)
    groups = axiom.tied_judges(m)
    judges = [sketch.judges] * n + [_without(sketch.judges, g) for g in groups] + [sketch.judges]
    copies = [_without(sketch.copies, [i]) for i in range(n)] + [sketch.copies] * len(groups)
    if (fewer < sketch.copies).any():
        copies.append(fewer)
    return np.stack(judges[: len(copies)]), np.stack(copies)


def _with_two_less(axiom: Axiom, sketch: Sketch) -> tuple[Integers, Integers]:
    """Return the judges (T, k, m) and copies (T, k, n) of worlds without two judges."""
    groups = axiom.tied_judges(sketch.scores.shape[1])
    judges = [_without(sketch.judges, [*a, *b]) for a, b in combinations(groups, 2)]
    tried = judges or [np.zeros_like(sketch.judges)]
    return np.stack(tried), np.stack([sketch.copies] * len(tried))


def _without(there: Integers, places: list[int]) -> Integers:
    changed = there.copy()
    changed[:, places] = 0
    return changed


def _asked(sketch: Sketch, judges: Integers, copies: Integers) -> Questions:
    """Return questions, one for each (k, m) of judges and (k, n) of copies."""
    size, k, m = judges.shape
    worlds = np.arange(size * k).reshape(size, k)
    return Questions(
        sketch.scores,
        judges.reshape(-1, m).astype(np.float64),
        copies.reshape(size * k, -1).astype(np.float64),
        worlds,
    )


def _plainer(f: RankingFunction, axiom: Axiom, sketch: Sketch, level: int) -> Sketch:
    """Return the sketch with the scores of judges as the numbers 1, 2, 3 ... where that is enough.

    A judge that must be left out together with another one depends on it, and stays as it is.
    """
    m = sketch.scores.shape[1]
    if any(len(group) > 1 for group in axiom.tied_judges(m)):
        return sketch
    for column in range(m):
        scores = sketch.scores.copy()
        scores[:, column] = np.unique(scores[:, column], return_inverse=True)[1] + 1.0
        if (scores == sketch.scores).all():
            continue
        changed = replace(sketch, scores=scores)
        questions = _asked(changed, sketch.judges[None], sketch.copies[None])
        ranks = ranker(f, scores)(questions.judges, questions.copies)
        if axiom.demands(questions, ranks[None]).worst[0] >= level:
            sketch = changed
    return sketch

"""What other scores may change: one candidate's that rise, or all of them reversed."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from deadheat.axioms.axiom import (
    LETTERS,
    Axiom,
    Case,
    Demands,
    Inquiry,
    Questions,
    demand_same_order,
)
from deadheat.core.types import Floats, Integers, Scale

OFTEN = 0.2  # so often a judge raises the candidate


class Monotonicity(Axiom):
    r"""A candidate whose scores rise, and nobody else's, does not fall below anybody.

    .. math:: y'_u \ge y_u \Rightarrow \text{sgn}(f'_u - f_v) \ge \text{sgn}(f_u - f_v)

    The raised candidate is a row of its own that stands in for the original one.

    .. [1] Brams, Fishburn (2002), "Voting procedures", Handbook of Social Choice and Welfare 1.
    """

    name = "monotonicity"
    audited = False
    caveat = "every pair with the raised candidate counts, not the winner alone."
    most_judges = (3, 9, 17)

    def prepare(self, scores: Floats, scale: Scale, rng: np.random.Generator) -> Floats:  # noqa: ARG002
        """Add, behind the first candidate, the same with higher scores on some judges."""
        m = scores.shape[1]
        rise = np.where(rng.random(m) < OFTEN, rng.integers(1, int(scores.max()) + 1, m), 0)
        return np.concatenate([scores[:1], scores[:1] + rise, scores[1:]])

    def questions(self, inquiry: Inquiry) -> Iterator[Questions]:
        """Let the raised candidate stand in for the original."""
        size, n = len(inquiry.profiles), inquiry.n
        original, raised = np.ones(n), np.ones(n)
        original[1] = raised[0] = 0
        yield inquiry.questions(
            np.concatenate([inquiry.profiles, inquiry.profiles]),
            np.arange(2 * size).reshape(2, size).T,
            np.repeat([original, raised], size, axis=0),
        )

    def demands(self, questions: Questions, ranks: Floats) -> Demands:
        before, after = questions.copies_of(0) > 0, questions.copies_of(1) > 0
        leaves, comes = before & ~after, after & ~before
        u, raised = np.argmax(leaves, axis=1), np.argmax(comes, axis=1)
        rises = (questions.scores[raised] >= questions.scores[u]) | (questions.judges_of(1) <= 0)
        valid = leaves.any(axis=1) & comes.any(axis=1) & rises.all(axis=1)
        swapped, row = ranks.copy(), np.arange(len(questions))
        swapped[row, 0, raised] = ranks[row, 0, u]
        swapped[row, 0, u] = np.nan
        return demand_same_order(swapped).where(comes[:, :, None] & valid[:, None, None])

    def words(self, case: Case) -> str:
        row = int(np.argmax(case.copies[0] - case.copies[1]))
        above = case.ranks[0, row] < case.ranks[0, case.pair[1]]
        before = f"{case.candidates[row]} is {'above' if above else 'level with'} {case.second}"
        return f"{before}; with higher scores, as {case.first}, {case.outcome()}."

    def letters(self, copies: Integers) -> tuple[str, ...]:
        comes = copies[1] > copies[0]
        places = (np.cumsum(~comes) - 1).tolist()
        return tuple(LETTERS[k] + "'" * bool(new) for k, new in zip(places, comes, strict=True))


class Reversal(Axiom):
    r"""When every judge reverses its scores, the ranking is reversed.

    .. math:: \text{sgn}(f_u(M') - f_v(M')) = -\text{sgn}(f_u(M) - f_v(M)), \quad y' = c - y

    with y' = 1 / y for functions on a ratio scale.

    .. [1] Saari, Barney (2003), "Consequences of reversing preferences", The Mathematical
           Intelligencer 25(4).
    """

    name = "reversal"
    audited = False
    caveat = (
        "scores are subtracted from a constant; on a ratio scale they become their reciprocals."
    )

    def prepare(self, scores: Floats, scale: Scale, rng: np.random.Generator) -> Floats:  # noqa: ARG002
        """Add every judge once more, reversed."""
        opposite = 1 / scores if scale == "ratio" else scores.max() + scores.min() - scores
        return np.concatenate([scores, opposite], axis=1)

    def questions(self, inquiry: Inquiry) -> Iterator[Questions]:
        """Compare the judges with their reverse."""
        size = len(inquiry.profiles)
        judges = np.kron(np.eye(2), inquiry.profiles)
        yield inquiry.questions(judges, np.arange(2 * size).reshape(2, size).T)

    def demands(self, questions: Questions, ranks: Floats) -> Demands:  # noqa: ARG002 - as all
        same = demand_same_order(ranks)
        return Demands(same.wanted, -same.found, same.pairs)

    def words(self, case: Case) -> str:
        return f"{case.origin()}; with all scores reversed, {case.outcome()}."

    def numbers(self, m: int) -> tuple[str, ...]:
        return tuple(f"{sign}j{k}" for sign in ("", "-") for k in range(1, m // 2 + 1))

    def tied_judges(self, m: int) -> list[list[int]]:
        """Return each judge with its reverse."""
        return [[k, m // 2 + k] for k in range(m // 2)]

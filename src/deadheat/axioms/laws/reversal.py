"""Reversal symmetry."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from deadheat.axioms.axiom import Axiom, Case, Demands, Inquiry, Questions, order, there
from deadheat.core.types import Floats, Scale


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
        nobody = np.zeros_like(inquiry.profiles)
        judges = np.block([[inquiry.profiles, nobody], [nobody, inquiry.profiles]])
        yield inquiry.questions(judges, np.column_stack([np.arange(size), size + np.arange(size)]))

    def demands(self, questions: Questions, ranks: Floats) -> Demands:  # noqa: ARG002 - as all
        first, last = ranks[:, 0], ranks[:, 1]
        return Demands(order(first), -order(last), there(first) & there(last))

    def words(self, case: Case) -> str:
        return f"{case.origin()}; with all scores reversed, {case.outcome()}."

    def numbers(self, m: int) -> tuple[str, ...]:
        return (*(f"j{k}" for k in range(1, m // 2 + 1)), *(f"-j{k}" for k in range(1, m // 2 + 1)))

    def tied_judges(self, m: int) -> list[list[int]]:
        """Return each judge with its reverse."""
        return [[k, m // 2 + k] for k in range(m // 2)]

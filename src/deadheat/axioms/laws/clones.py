"""Independence of clones."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from deadheat.axioms.axiom import Axiom, Case, Demands, Inquiry, Questions, unchanged
from deadheat.core.errors import bare, counted
from deadheat.core.types import Floats

COPIES = (2, 3, 5)  # of one candidate; where candidates are named, a second one


class CloneProof(Axiom):
    r"""Exact copies of one candidate never turn the order of two others.

    .. math:: \text{sgn}(f_u - f_v) \text{ is the same for every } c_z, \; z \ne u, v

    A clone is an exact duplicate of a row. Tideman's clones, which the judges merely put next to
    each other, ask for more.

    .. [1] Pavao, Vaccaro, Guyon (2021), "Judging competitions and benchmarks", ESANN, sec. 2.2.
    """

    name = "clones"
    caveat = "a clone is an exact copy; judges who put two side by side make none."

    def questions(self, inquiry: Inquiry) -> Iterator[Questions]:
        """Add copies of one candidate at a time."""
        numbers = COPIES if inquiry.tried is None else COPIES[:1]
        fields = [1 + (number - 1) * inquiry.each for number in numbers]
        yield from inquiry.with_each(np.concatenate(fields))

    def demands(self, questions: Questions, ranks: Floats) -> Demands:
        others = questions.copies_of(0) == questions.copies_of(1)
        copied = (~others).any(axis=1)[:, None, None]
        return unchanged(ranks).where(others[:, :, None] & others[:, None, :] & copied)

    def words(self, case: Case) -> str:
        z = int(np.argmax(case.copies[1] - case.copies[0]))
        copies = int(case.copies[1, z] - case.copies[0, z])
        more = counted(copies, "more copy", "more copies")
        return f"{case.origin()}; with {more} of {bare(case.candidates[z])}, {case.outcome()}."

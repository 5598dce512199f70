"""Local independence of irrelevant alternatives."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from deadheat.axioms.axiom import Axiom, Case, Demands, Inquiry, Questions, unchanged
from deadheat.core.types import Floats

ALL_INTERVALS = 20  # candidates: beyond, only the top and the bottom of the order are taken


class LocalIndependence(Axiom):
    r"""Candidates next to each other keep their order when all others leave.

    .. math:: I \text{ an interval of the order of } f(M) \Rightarrow
        \text{the order of } f(M_I) \text{ is that of } f(M) \text{ on } I

    An interval holds whole groups of ties. It is weaker than iia.

    .. [1] Pavao, Vaccaro, Guyon (2021), "Judging competitions and benchmarks", ESANN, sec. 2.2.
    """

    name = "liia"
    caveat = "a statement about scores, as iia is; an interval never splits a tie."

    def questions(self, inquiry: Inquiry) -> Iterator[Questions]:
        """Keep intervals of the order: all for few candidates, tops and bottoms for many."""
        size, n = len(inquiry.profiles), inquiry.n
        ranks = inquiry.ranks(inquiry.profiles)
        if n <= ALL_INTERVALS:
            ends = [(low, high) for low in range(1, n) for high in range(low + 1, n + 1)]
        else:
            # Where candidates are a sample, their numbers are one of the ranks to cut at, too.
            cuts = range(1, n + 1) if inquiry.tried is None else (inquiry.tried + 1).tolist()
            ends = [(1, cut) for cut in cuts] + [(cut, n) for cut in cuts]
        fields = np.concatenate([((ranks >= a) & (ranks <= b)).astype(np.float64) for a, b in ends])
        kept = fields.sum(axis=1)
        proper = np.flatnonzero((kept > 1) & (kept < n))
        once = np.unique(np.column_stack([proper % size, fields[proper]]), axis=0)
        yield from inquiry.with_fields(once[:, 0].astype(np.intp), once[:, 1:])

    def left_out(self, n: int) -> str:
        if n <= ALL_INTERVALS:
            return ""
        return (
            "liia: only tops and bottoms of the ranking were kept alone; intervals in its middle "
            f"are asked up to {ALL_INTERVALS} candidates."
        )

    def demands(self, questions: Questions, ranks: Floats) -> Demands:
        first, kept = ranks[:, 0], questions.copies_of(1) > 0
        low = np.where(kept, first, np.inf).min(axis=1, keepdims=True)
        high = np.where(kept, first, -np.inf).max(axis=1, keepdims=True)
        # Nobody who goes stands between, or beside in a tie, those who stay.
        local = ~(~kept & (first >= low) & (first <= high)).any(axis=1)
        return unchanged(ranks).where(local[:, None, None])

    def words(self, case: Case) -> str:
        return f"{case.origin()}; {case.rest()}, {case.outcome()}."

"""Independence of the other candidates: of irrelevant ones, locally, of clones."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from deadheat.axioms.axiom import Axiom, Case, Demands, Inquiry, Questions, demand_same_order
from deadheat.core.errors import bare, counted, named
from deadheat.core.types import Floats

ALL_INTERVALS = 20  # candidates: beyond, only the top and the bottom of the order are taken
COPIES = (2, 3, 5)  # of one candidate; where candidates are named, a second one


class Independence(Axiom):
    r"""The order of u and v depends on the scores of u and v alone.

    .. math:: \text{sgn}(f_u - f_v) \text{ is the same whatever the other rows are}

    Other rows come, go, or stand in for each other. A function that adds scores up can satisfy it;
    no function of the judges' orders alone can (Arrow).

    .. [1] Pavao, Vaccaro, Guyon (2021), "Judging competitions and benchmarks", ESANN, sec. 2.2.
    """

    name = "iia"
    caveat = (
        "a statement about scores: no function of the judges' orders alone satisfies it (Arrow)."
    )

    def questions(self, inquiry: Inquiry) -> Iterator[Questions]:
        """Take away candidates one at a time where some are named, else all ways; exchange two."""
        if inquiry.tried is not None:
            yield from inquiry.with_each(1 - inquiry.each)
            return
        size, n = len(inquiry.profiles), inquiry.n
        kept = [few for k in range(2, n) for few in combinations(range(n), k)]
        if kept:
            yield from inquiry.with_each(np.array([np.isin(range(n), few) for few in kept], float))
        if n > 3:
            pairs = np.array(list(combinations(range(n), 2)))
            yield inquiry.questions(
                np.repeat(inquiry.profiles, n, axis=0),
                (np.arange(size)[:, None, None] * n + pairs[None]).reshape(-1, 2),
                np.tile(1 - np.eye(n), (size, 1)),
            )

    def demands(self, questions: Questions, ranks: Floats) -> Demands:  # noqa: ARG002 - as all
        return demand_same_order(ranks)

    def words(self, case: Case) -> str:
        gone = [name for name in case.absent(1) if name not in case.absent(0)]
        came = case.absent(0)
        instead = f" instead of {named(gone)}" if gone else ""
        where = f"with {named(came)}{instead}" if came else case.rest()
        return f"{case.origin()}; {where}, {case.outcome()}."


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
        ends = list(combinations(range(1, n + 1), 2))
        if n > ALL_INTERVALS:
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
            f"are asked of at most {ALL_INTERVALS}."
        )

    def demands(self, questions: Questions, ranks: Floats) -> Demands:
        first, kept = ranks[:, 0], questions.copies_of(1) > 0
        low = np.where(kept, first, np.inf).min(axis=1, keepdims=True)
        high = np.where(kept, first, -np.inf).max(axis=1, keepdims=True)
        # Nobody who goes stands between, or beside in a tie, those who stay.
        local = ~(~kept & (first >= low) & (first <= high)).any(axis=1)
        return demand_same_order(ranks).where(local[:, None, None])

    def words(self, case: Case) -> str:
        return f"{case.origin()}; {case.rest()}, {case.outcome()}."


class CloneProof(Axiom):
    r"""Exact copies of one candidate never turn the order of two others.

    .. math:: \text{sgn}(f_u - f_v) \text{ is the same for every } c_z, \; z \ne u, v

    Tideman's clones, which the judges merely put next to each other, ask for more.

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
        return demand_same_order(ranks).where(others[:, :, None] & others[:, None, :] & copied)

    def words(self, case: Case) -> str:
        z = int(np.argmax(case.copies[1] - case.copies[0]))
        copies = int(case.copies[1, z] - case.copies[0, z])
        more = counted(copies, "more copy", "more copies")
        return f"{case.origin()}; with {more} of {bare(case.candidates[z])}, {case.outcome()}."

"""The participation criterion."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from deadheat.axioms.axiom import Axiom, Case, Demands, Inquiry, Questions, order, there
from deadheat.core.errors import bare
from deadheat.core.types import Booleans, Floats


class Participation(Axiom):
    r"""A judge that prefers u to v never turns the order of the two against u.

    .. math:: y_{uk} > y_{vk} \Rightarrow
        \text{sgn}(f_u - f_v) \ge \text{sgn}(f_u^{-k} - f_v^{-k})

    where -k is without judge k.

    .. [1] Pavao, Vaccaro, Guyon (2021), "Judging competitions and benchmarks", ESANN, sec. 2.2.
    """

    name = "participation"
    caveat = "every pair counts, not the winner alone; the candidates stay the same."

    def questions(self, inquiry: Inquiry) -> Iterator[Questions]:
        """Take away one judge of each profile at a time."""
        size = len(inquiry.profiles)
        enough = inquiry.profiles.sum(axis=1) > 1
        present = (inquiry.profiles > 0) & enough[:, None]
        if inquiry.heard is not None:
            present &= np.isin(np.arange(present.shape[1]), inquiry.heard)
        profile, judge = np.nonzero(present)
        for start in range(0, len(profile), inquiry.step):
            here, left_out = (of[start : start + inquiry.step] for of in (profile, judge))
            without = inquiry.profiles[here].copy()
            without[np.arange(len(here)), left_out] -= 1
            judges = np.concatenate([inquiry.profiles, without])
            yield inquiry.questions(judges, np.column_stack([size + np.arange(len(here)), here]))

    def demands(self, questions: Questions, ranks: Floats) -> Demands:
        more = questions.judges_of(1) - questions.judges_of(0)
        judge = np.argmax(more, axis=1)  # the one that joins, where there is one
        given = questions.scores.T[judge]
        prefers: Booleans = given[:, :, None] > given[:, None, :]
        joins = np.take_along_axis(more, judge[:, None], axis=1)[:, :, None] > 0
        before, after = ranks[:, 0], ranks[:, 1]
        pairs = prefers & joins & there(before) & there(after)
        return Demands(order(before), order(after), pairs)

    def words(self, case: Case) -> str:
        judge = bare(case.judges[int(np.argmax(case.present[1] - case.present[0]))])
        return (
            f"judge {judge} prefers {case.first} to {case.second}; without {judge} "
            f"{case.origin()}, with it {case.outcome()}."
        )

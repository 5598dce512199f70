"""What other judges may change: consistency of parts, and participation of one more."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from deadheat.axioms.axiom import Axiom, Case, Demands, Inquiry, Questions, demand_same_order
from deadheat.core.errors import bare
from deadheat.core.types import Booleans, Floats, Integers


class Consistency(Axiom):
    r"""Two parts of the judges that give the same ranking give it together.

    .. math:: \text{rank} f(A) = \text{rank} f(B)
        \Rightarrow \text{rank} f(A + B) = \text{rank} f(A)

    Whole rankings are compared, ties included. The proof of [1]_ for Relative Difference supposes
    that the first ranks differ, which is not without loss of generality; the result holds because
    the merit is a sum over judges, as with mean, average rank and success rate.

    .. [1] Pavao, Vaccaro, Guyon (2021), "Judging competitions and benchmarks", ESANN, sec. 2.2.
    """

    name = "consistency"
    caveat = "the candidates are the same in both parts, and whole rankings agree."
    most_judges = (3, 7, 12, 17, 17)

    def questions(self, inquiry: Inquiry) -> Iterator[Questions]:
        """Ask about parts that rank alike: given ones, or profiles that happen to."""
        parts = inquiry.profiles if inquiry.parts is None else inquiry.parts.astype(np.float64)
        if len(parts) < 2:
            return
        alone = np.nan_to_num(inquiry.ranks(parts))  # no rank is 0
        keys = np.unique(alone, axis=0, return_inverse=True)[1].reshape(-1)
        pairs = _neighbours(keys)
        if inquiry.parts is not None:
            alike = [(a, b) for a, b in combinations(range(len(keys)), 2) if keys[a] == keys[b]]
            pairs = np.array(alike, dtype=np.int64).reshape(-1, 2)
        for start in range(0, len(pairs), inquiry.step):
            here = pairs[start : start + inquiry.step]
            judges = np.concatenate([parts, parts[here[:, 0]] + parts[here[:, 1]]])
            together = len(parts) + np.arange(len(here))
            yield inquiry.questions(judges, np.column_stack([here, together]))

    def demands(self, questions: Questions, ranks: Floats) -> Demands:  # noqa: ARG002 - as all
        one, other = np.nan_to_num(ranks[:, 0]), np.nan_to_num(ranks[:, 1])
        return demand_same_order(ranks).where((one == other).all(axis=1)[:, None, None])

    def words(self, case: Case) -> str:
        return (
            f"by judges {case.judges_of(0)} alone, and by judges {case.judges_of(1)} alone, "
            f"{case.origin()} (before); by all together {case.outcome()} (after)."
        )

    def units(self, weights: Integers) -> list[Integers]:
        """Return a judge as members of one part or the other."""
        first, second = weights[:2].tolist()
        return [np.array([1, 0, 1])] * first + [np.array([0, 1, 1])] * second


def _neighbours(keys: Integers) -> Integers:
    """Return pairs of profiles with the same ranking, (Q, 2), each with the next few."""
    by_ranking = np.argsort(keys, kind="stable")
    found = []
    for distance in (1, 2, 3):
        one, other = by_ranking[:-distance], by_ranking[distance:]
        found.append(np.column_stack([one, other])[keys[one] == keys[other]])
    return np.concatenate(found)


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
        return demand_same_order(ranks).where(prefers & joins)

    def words(self, case: Case) -> str:
        judge = bare(case.judges[int(np.argmax(case.present[1] - case.present[0]))])
        return (
            f"judge {judge} prefers {case.first} to {case.second}; without {judge} "
            f"{case.origin()}, with it {case.outcome()}."
        )

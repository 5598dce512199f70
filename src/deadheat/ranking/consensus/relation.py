"""Rankings as 0/1 variables: who is at least as good as whom, and no cycles."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from deadheat.ranking.consensus.clock import Clock
from deadheat.ranking.consensus.contest import Contest
from deadheat.typing import Floats, Integers

VIOLATED = 1e-6
MOST_CUTS = 10_000  # triangles that are added at a time, the most violated first


@dataclass(frozen=True, eq=False)
class Rows:
    """Hold inequalities: coefficients (r, k) of variables (r, k), at most ``upper`` (r,)."""

    variables: Integers
    coefficients: Floats
    upper: Floats


@dataclass(frozen=True, eq=False)
class Relation:
    r"""Say how :math:`y_{ij}` (i is at least as good as j) follows from 0/1 variables z.

    :math:`y_{ij} = a_{ij} + s_{ij} z_{v(i,j)}`. Every z costs at least 0 and is 0 where the pair
    is as it would be alone, so that z = 0 is the optimum without triangles. In a strict ranking
    :math:`y_{ij} + y_{ji} = 1` and a pair has one variable; in a weak one it has two, and
    :math:`y_{ij} + y_{ji} \ge 1` is one more inequality.
    """

    variable: Integers
    sign: Floats
    start: Floats
    costs: Floats
    strict: bool

    def matrix(self, values: Floats) -> Floats:
        """Return y (n, n) from the values of the variables, 0 on the diagonal."""
        y: Floats = self.start + self.sign * values[self.variable]
        np.fill_diagonal(y, 0.0)
        return y

    def of_places(self, places: Integers) -> Floats:
        """Return y of a ranking, by places from the best on."""
        apart = places[None, :] - places[:, None]
        return (apart > 0 if self.strict else apart >= 0).astype(np.float64)

    def values(self, y: Floats) -> Floats:
        """Return the variables from y."""
        values = np.zeros(len(self.costs))
        i, j = np.nonzero(~np.eye(len(y), dtype=bool))
        values[self.variable[i, j]] = (y[i, j] - self.start[i, j]) * self.sign[i, j]
        return values

    def violated(self, values: Floats, clock: Clock) -> list[Rows]:
        """Return the most violated inequalities, at most one triangle per pair; maybe none.

        Once the time is over, only some of the triangles were looked at.
        """
        y = self.matrix(values)
        i, j, k, by = _triangles(y, clock)
        if self.strict:  # the three turns of a cycle are one inequality
            turns = np.stack([i, j, k], axis=1)
            first = np.argmin(turns, axis=1)
            turned = np.stack([turns[np.arange(len(i)), (first + t) % 3] for t in range(3)], axis=1)
            _, once = np.unique(turned, axis=0, return_index=True)
            i, j, k, by = i[once], j[once], k[once], by[once]
        chosen = np.argsort(-by, kind="stable")[:MOST_CUTS]
        found = [self._rows(i[chosen], j[chosen], k[chosen])]
        found += [] if self.strict else [self._pairs(y)]
        return [rows for rows in found if len(rows.upper)]

    def excluding(self, order: Integers) -> Rows:
        """Return the inequality that forbids one strict order.

        Every other order turns round two that are neighbours in it.
        """
        i, j = order[:-1], order[1:]
        upper = len(i) - 1 - self.start[i, j].sum()
        return Rows(self.variable[i, j][None], self.sign[i, j][None], np.array([upper]))

    def _rows(self, i: Integers, j: Integers, k: Integers) -> Rows:
        """Return y_ij + y_jk - y_ik <= 1 in the variables."""
        pairs = ((i, j, 1.0), (j, k, 1.0), (i, k, -1.0))
        upper = 1.0 - sum(factor * self.start[a, b] for a, b, factor in pairs)
        return Rows(
            np.stack([self.variable[a, b] for a, b, _ in pairs], axis=1),
            np.stack([factor * self.sign[a, b] for a, b, factor in pairs], axis=1),
            np.asarray(upper),
        )

    def _pairs(self, y: Floats) -> Rows:
        """Return y_ij + y_ji >= 1 where it is violated."""
        i, j = np.nonzero(np.triu(y + y.T < 1 - VIOLATED, 1))
        return Rows(
            np.stack([self.variable[i, j], self.variable[j, i]], axis=1),
            -np.stack([self.sign[i, j], self.sign[j, i]], axis=1),
            -1 + self.start[i, j] + self.start[j, i],
        )


def strict_relation(contest: Contest, order: Integers) -> Relation:
    """Return the relation of strict rankings; pairs without a majority start as in ``order``."""
    n = contest.n
    i, j = np.triu_indices(n, 1)
    place = np.argsort(order)
    tied = contest.margins[i, j] == 0
    ahead = np.where(tied, place[i] < place[j], contest.margins[i, j] > 0)
    variable = np.zeros((n, n), dtype=np.intp)
    variable[i, j] = variable[j, i] = np.arange(len(i))
    start, sign = np.zeros((n, n)), np.zeros((n, n))
    start[i, j], start[j, i] = ahead, ~ahead
    sign[i, j] = np.where(ahead, -1.0, 1.0)
    sign[j, i] = -sign[i, j]
    return Relation(variable, sign, start, np.abs(contest.margins[i, j]), strict=True)


def weak_relation(contest: Contest) -> Relation:
    """Return the relation of rankings with ties."""
    n = contest.n
    i, j = np.nonzero(~np.eye(n, dtype=bool))
    price = (contest.level - contest.above.T)[i, j]  # of y_ij = 1: level instead of j above i
    variable = np.zeros((n, n), dtype=np.intp)
    variable[i, j] = np.arange(len(i))
    start, sign = np.zeros((n, n)), np.zeros((n, n))
    start[i, j] = price <= 0
    sign[i, j] = np.where(price <= 0, -1.0, 1.0)
    return Relation(variable, sign, start, np.abs(price), strict=False)


def _triangles(y: Floats, clock: Clock) -> tuple[Integers, Integers, Integers, Floats]:
    """Return, for every pair (i, k), the j that violates y_ij + y_jk <= 1 + y_ik most, if any.

    Of those j that there was time for.
    """
    n = len(y)
    most = np.full((n, n), -np.inf)
    through = np.zeros((n, n), dtype=np.intp)
    for j in range(n):
        if clock.is_over():
            break
        sums = y[:, j, None] + y[None, j, :]
        sums[j] = sums[:, j] = -np.inf
        better = sums > most
        most[better] = sums[better]
        through[better] = j
    by = most - y - 1
    np.fill_diagonal(by, -np.inf)
    i, k = np.nonzero(by > VIOLATED)
    return i, through[i, k], k, by[i, k]

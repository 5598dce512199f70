r"""The likelihood of rankings with ties under Plackett and Luce, and its gradient.

A round is a sequence of choices: of those who are left, the best. With ties a set is chosen. In
the model of Davidson and Luce [1]_ a set C is as attractive as the geometric mean of its worths,
times the prevalence of ties of that size:

.. math::

    f(C) = \delta_{|C|} \Big( \prod_{i \in C} e^{b_i} \Big)^{1/|C|}, \qquad
    P(C \mid A) = f(C) \Big/ \sum_{C' \subseteq A} f(C'), \qquad \delta_1 = 1

where the sum takes sets of all sizes at which ties were seen. The sum over the sets of size d is
an elementary symmetric polynomial of :math:`e^{b_i/d}`. It grows by one candidate at a time, from
the worst to the best, by cumulative sums of positive terms; the gradient runs the same sums
backwards.

References
----------
.. [1] Firth, Kosmidis, Turner (2019), "Davidson-Luce model for multi-item choice with ties",
   arXiv:1909.07123.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from deadheat.errors import DataError
from deadheat.ranking.blocks import WORKING_SET
from deadheat.typing import Booleans, Floats, Integers

MOST_TIED = 20


@dataclass(frozen=True, eq=False)
class Rounds:
    """Rankings as sequences of choices. Places run from the worst to the best, the absent first."""

    ranks: Floats
    """(S, n), lowest is best, NaN is absent."""

    @cached_property
    def candidates(self) -> Integers:
        """(S, n) who stands on each place."""
        behind = np.where(np.isnan(self.ranks), np.inf, self.ranks)
        return np.argsort(-behind, axis=1, kind="stable")

    @cached_property
    def places(self) -> Integers:
        """(S, n) on which place each candidate stands."""
        return np.argsort(self.candidates, axis=1)

    @cached_property
    def present(self) -> Booleans:
        """(S, n) whether the place is taken."""
        return ~np.isnan(self._ordered)

    @cached_property
    def chosen(self) -> Integers:
        """(S, n) how many are chosen when all up to this place are left; 0: this is no choice."""
        ordered = self._ordered
        last = np.ones(ordered.shape, dtype=bool)
        last[:, :-1] = ordered[:, 1:] != ordered[:, :-1]
        last &= self.present
        place = np.broadcast_to(np.arange(1, ordered.shape[1] + 1), ordered.shape)
        ends = np.maximum.accumulate(np.where(last, place, 0), axis=1)
        absent = (~self.present).sum(axis=1, keepdims=True)
        before = np.hstack([np.zeros_like(absent), ends[:, :-1]])
        return np.where(last, place - np.maximum(before, absent), 0)

    @cached_property
    def left(self) -> Integers:
        """(S, n) how many are left at each place."""
        return np.cumsum(self.present, axis=1)

    @cached_property
    def tie_sizes(self) -> tuple[int, ...]:
        """The sizes of ties that were seen, in ascending order."""
        sizes = tuple(np.unique(self.chosen[self.chosen > 1]).tolist())
        if sizes and sizes[-1] > MOST_TIED:
            number = int(np.argwhere(self.chosen == sizes[-1])[0, 0]) + 1
            raise DataError(
                f"round {number}: {sizes[-1]} candidates are tied; this model goes up to "
                f"{MOST_TIED}.",
                hint="Bradley-Terry ratings take any number of ties as half wins.",
            )
        return sizes

    @property
    def parameters(self) -> int:
        """The number of ratings and tie parameters."""
        return len(self.ranks.T) + len(self.tie_sizes)

    @cached_property
    def _ordered(self) -> Floats:
        return np.take_along_axis(self.ranks, self.candidates, axis=1)

    @cached_property
    def observed(self) -> Floats:
        """(S, p) the gradient of what was chosen: its share of each candidate, and tie sizes."""
        shares = np.zeros(self.ranks.shape)
        size = np.zeros(len(shares), dtype=np.intp)
        for place in reversed(range(len(shares.T))):  # the best of a group knows its size
            size = np.where(self.chosen[:, place] > 0, self.chosen[:, place], size)
            shares[:, place] = np.where(self.present[:, place], 1 / np.maximum(size, 1), 0)
        ties = [(self.chosen == d).sum(axis=1) for d in self.tie_sizes]
        by_candidate = np.take_along_axis(shares, self.places, axis=1)
        return np.column_stack([by_candidate, *ties]) if ties else by_candidate

    def score(self, parameters: Floats) -> tuple[Floats, Floats]:
        """Return the log-likelihood (B, S) of each round and its gradient (B, S, p).

        The parameters (B, p) are the ratings and then the logarithms of the tie prevalences.
        """
        n = self.ranks.shape[1]
        b, prevalence = parameters[:, :n], np.exp(parameters[:, n:])
        shifted = b - b.max(axis=1, keepdims=True)
        worths = np.where(self.present, shifted[:, self.candidates], -np.inf)
        sums = {d: _chains(np.exp(worths / d), d) for d in (1, *self.tie_sizes)}
        total = sums[1][1].copy()
        for t, d in enumerate(self.tie_sizes):
            total += prevalence[:, t, None, None] * sums[d][d]
        choice = self.chosen > 0
        safe = np.where(choice, total, 1.0)
        expected = np.zeros((len(parameters), *self.observed.shape))
        pull = np.where(choice, 1 / safe, 0.0)
        pulled = _pulled(sums[1], pull)
        for t, d in enumerate(self.tie_sizes):
            weight = prevalence[:, t, None, None] * pull
            pulled += _pulled(sums[d], weight) / d
            expected[..., n + t] = (weight * sums[d][d]).sum(axis=2)
        expected[..., :n] = np.take_along_axis(pulled, self.places[None], axis=2)
        shift = parameters.copy()
        shift[:, :n] = shifted
        likelihood = shift @ self.observed.T - np.log(safe).sum(axis=2)
        return likelihood, self.observed - expected

    def information(self, ratings: Floats, weights: Floats) -> Floats:
        """Return minus the second derivative (n, n) of the likelihood of rounds without ties."""
        n = len(ratings)
        x = np.where(self.present, np.exp(ratings - ratings.max())[self.candidates], 0.0)
        sums = np.where(self.chosen > 0, np.cumsum(x, axis=1), np.inf)
        chances = weights[:, None] * _backwards(1 / sums) * x
        both = weights[:, None] * _backwards(1 / sums**2)  # of two, what follows the better one
        found: Floats = np.diag(np.bincount(self.candidates.ravel(), chances.ravel(), minlength=n))
        for places, worths, squares in zip(self.places, x, both, strict=True):
            by_candidate = worths[places]
            better = np.maximum(places[:, None], places)
            found -= by_candidate[:, None] * by_candidate * squares[better]
        return found

    def total(self, parameters: Floats, weights: Floats) -> tuple[Floats, Floats]:
        """Return the log-likelihood (B,) and its gradient (B, p) over rounds of weight (B, S)."""
        step = max(1, WORKING_SET // (self.ranks.size * (1 + sum(self.tie_sizes))))
        parts = []
        for start in range(0, len(parameters), step):
            rows = slice(start, start + step)
            likelihood, gradient = self.score(parameters[rows])
            w = np.broadcast_to(weights, (len(parameters), weights.shape[1]))[rows]
            summed = np.matmul(w[:, None, :], gradient)[:, 0]
            parts.append(((w * likelihood).sum(axis=1), summed))
        return np.concatenate([p[0] for p in parts]), np.concatenate([p[1] for p in parts])


def _chains(x: Floats, d: int) -> list[Floats]:
    """Return the elementary symmetric polynomials 0 to d of the first places, then x itself."""
    chains = [np.ones_like(x)]
    for _ in range(d):
        chains.append(np.cumsum(x * _before(chains[-1], first=len(chains) == 1), axis=-1))
    return [*chains, x]


def _before(chain: Floats, *, first: bool) -> Floats:
    """Return a chain one place earlier: nothing before the first place, but for the empty set."""
    if first:
        return chain
    return np.concatenate([np.zeros_like(chain[..., :1]), chain[..., :-1]], axis=-1)


def _pulled(chains: list[Floats], pull: Floats) -> Floats:
    """Return the derivative by log x of the last chain, pulled at each place; backwards."""
    *chain, x = chains
    found = np.zeros_like(x)
    for k in range(len(chain) - 1, 0, -1):
        back = _backwards(pull)
        found += back * x * _before(chain[k - 1], first=k == 1)
        pull = np.zeros_like(x)
        pull[..., :-1] = (back * x)[..., 1:]
    return found


def _backwards(values: Floats) -> Floats:
    """Return the sums from each place to the best one."""
    return np.asarray(np.cumsum(values[..., ::-1], axis=-1)[..., ::-1])

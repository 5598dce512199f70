"""What can be said between candidates of whom one never lost: no resampling shows it."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from scipy.special import logit, ndtr

from deadheat.inference.corrections import require_alpha
from deadheat.inference.intervals import NORMAL
from deadheat.inference.pair_tests import ratios
from deadheat.ranking.rating.bradley_terry import fit
from deadheat.ranking.rating.covariance import fisher
from deadheat.ranking.rating.existence import Existence
from deadheat.ranking.rating.levels import Levels
from deadheat.ranking.rating.pair_counts import PairCounts, sums_by_candidate
from deadheat.ranking.rating.tie_levels import runaway_levels, ties_run_away
from deadheat.typing import Booleans, Floats, Integers

MOST_BOUNDED = 3_000  # candidates for whom a matrix (n, n) is inverted
ROUNDING = 1e-9  # of a number of matches
MAIN = 0.9  # share of the candidates in a part whose ratings have intervals by themselves


@dataclass(frozen=True, eq=False, kw_only=True)
class Separation:
    r"""Hold the parts of a field between which no finite difference of ratings fits best.

    Every resample of battles that all went one way says the same, were there two or two hundred.
    So between parts nothing comes from resamples, nor from a sandwich. If a chain of wins leads
    from i down to j,

    - the interval of :math:`b_i - b_j` has no upper end. Its lower end is the larger of two: that
      of Wald's interval with Firth's penalty, each pair with as many matches as were independent
      of each other; and the exact binomial one of the :math:`N_{ij}` matches that the two had,
      where the probability of a win is :math:`(\alpha/2)^{1/N_{ij}}`;
    - the p-value of "i is no better than j" is the smaller of Wald's and
      :math:`2^{-N_{ij}}`, the chance that as many matches between equals all end that way.

    If no chain of wins leads either way, the interval has no ends and p is 1.

    In models with a tie parameter (Davidson, Rao and Kupper) ties between parts do not join them
    where wins and ties never contradict each other
    (:func:`deadheat.ranking.rating.tie_levels.ties_run_away`): parts are then those between which
    differences grow without limit, and :math:`N_{ij}` counts decided matches. In Davidson's model
    the odds of a decided match are those of the ratings. In that of Rao and Kupper they are at
    most twice those in logarithms, so that the exact end, if above 0, is halved.

    Attributes
    ----------
    part
        (n,), the number of the part of each candidate, best first.
    above
        (K, K), whether a chain of wins leads from one part down to another.
    ratings, covariance
        Firth's ratings (n,) from independent matches, and Fisher's covariance (n, n) of them; None
        for more than 3,000 candidates, where only matches of the two themselves count.
    keys, matches
        ``first * n + second`` of the pairs that met, ascending, and their independent matches
        that were decided. None are given where circumstances or team mates had a part in them.
    ties
        How ties were modelled.
    """

    part: Integers
    above: Booleans
    ratings: Floats | None
    covariance: Floats | None
    keys: Integers = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    matches: Floats = field(default_factory=lambda: np.zeros(0))
    ties: str = "half"

    @property
    def main(self) -> Integers | None:
        """The members of the part that has nine candidates of ten; None if no part has."""
        sizes = np.bincount(self.part)
        most = int(sizes.argmax())
        return np.flatnonzero(self.part == most) if sizes[most] >= MAIN * len(self.part) else None

    def apart(self, i: Integers, j: Integers) -> Booleans:
        """Return whether two candidates are in different parts."""
        return np.asarray(self.part[i] != self.part[j])

    def higher(self, i: Integers, j: Integers) -> Booleans:
        """Return whether i is in a part above that of j."""
        return np.asarray(self.above[self.part[i], self.part[j]])

    def nearest(self, i: Integers, j: Integers, alpha: float) -> Floats:
        """Return the lower ends of the differences of pairs whose first is in a part above."""
        require_alpha(alpha)
        met = self._met(i, j)
        exact = logit(np.where(met > 0, (alpha / 2) ** (1 / np.maximum(met, 1)), 0.0))
        if self.ties == "rao-kupper":
            exact = np.minimum(exact, exact / 2)
        if self.ratings is None:
            return np.asarray(exact)
        wald = self.ratings[i] - self.ratings[j] - _quantile(alpha) * self._errors(i, j)
        return np.asarray(np.maximum(wald, exact))

    def bounded(
        self, i: Integers, j: Integers, *, values: Floats, low: Floats, high: Floats, alpha: float
    ) -> tuple[Floats, Floats]:
        """Return the intervals of differences, those between parts as said above."""
        up, down, apart = self.higher(i, j), self.higher(j, i), self.apart(i, j)
        near, far = self.nearest(i, j, alpha), -self.nearest(j, i, alpha)
        least = np.where(near <= values, near, -np.inf)  # a ridge shrinks ratings past the bound
        most = np.where(far >= values, far, np.inf)
        low = np.where(apart, np.where(up, least, -np.inf), low)
        high = np.where(apart, np.where(down, most, np.inf), high)
        return low, high

    def bounded_ratings(self, values: Floats, alpha: float) -> tuple[Floats, Floats]:
        """Return the intervals of ratings that add up to 0.

        A rating is the mean of its differences from all. Its interval has an upper end only if
        nobody is in a part below or beside, a lower end only if nobody is above or beside. That of
        somebody alone in a part is the larger of Wald's and the mean of those of its differences.
        """
        require_alpha(alpha)
        itself = np.eye(len(self.above), dtype=bool)
        topmost = np.all(self.above | itself, axis=1)[self.part]
        lowest = np.all(self.above.T | itself, axis=1)[self.part]
        low, high = np.full(len(values), -np.inf), np.full(len(values), np.inf)
        if self.ratings is not None and self.covariance is not None:
            half = _quantile(alpha) * np.sqrt(np.maximum(np.diagonal(self.covariance), 0.0))
            low[topmost] = (self.ratings - half)[topmost]
            high[lowest] = (self.ratings + half)[lowest]
        n = len(values)
        alone = np.bincount(self.part)[self.part] == 1
        for i in np.flatnonzero(alone & (topmost | lowest)).tolist():
            others = np.delete(np.arange(n), i)
            mine = np.full(n - 1, i)
            if topmost[i]:
                low[i] = max(low[i], self.nearest(mine, others, alpha).sum() / n)
            else:
                high[i] = min(high[i], -self.nearest(others, mine, alpha).sum() / n)
        return np.where(low <= values, low, -np.inf), np.where(high >= values, high, np.inf)

    def p_values(self, i: Integers, j: Integers) -> Floats:
        """Return the p-values of "i is no better than j"; 0, which says nothing, within a part."""
        wald = np.ones(len(i))
        if self.ratings is not None:
            wald = ndtr(-ratios(self.ratings[i] - self.ratings[j], self._errors(i, j)))
        least = np.minimum(wald, 0.5 ** self._met(i, j))
        return np.where(self.apart(i, j), np.where(self.higher(i, j), least, 1.0), 0.0)

    def _met(self, i: Integers, j: Integers) -> Floats:
        """Return how many independent matches two candidates had."""
        if not len(self.keys):
            return np.zeros(len(i))
        n = len(self.part)
        wanted = np.minimum(i, j) * n + np.maximum(i, j)
        at = np.minimum(np.searchsorted(self.keys, wanted), len(self.keys) - 1)
        return np.where(self.keys[at] == wanted, self.matches[at], 0.0)

    def _errors(self, i: Integers, j: Integers) -> Floats:
        assert self.covariance is not None
        own = np.diagonal(self.covariance)
        return np.sqrt(np.maximum(own[i] + own[j] - 2 * self.covariance[i, j], 0.0))


def separation(
    there: Existence, pairs: PairCounts, independent: Floats, units: float, *, ties: str = "half"
) -> Separation | None:
    """Return the parts of a field; None if there is only one.

    Parameters
    ----------
    independent
        (P,), how many matches of each pair were independent of each other, whatever they weigh.
    units
        How many things were independent in all: nobody's matches count for more in Wald's bounds.
    """
    levels = _levels(there, pairs, ties)
    if len(levels.above) < 2:
        return None
    ratings = covariance = None
    if pairs.n <= MOST_BOUNDED:
        total = sums_by_candidate(pairs, independent, independent)
        most = np.maximum(total[pairs.first], total[pairs.second])
        known = independent * np.minimum(1.0, units / np.maximum(most, 1.0))
        times = np.divide(known, pairs.met, out=np.zeros(len(known)), where=pairs.met > 0)
        even = pairs.with_counts(pairs.wins * times, pairs.losses * times, pairs.ties * times)
        fitted = fit(even, penalty="firth", ties=ties)
        ratings, covariance = fitted.ratings, fisher(fitted, even)
    keys = pairs.first.astype(np.int64) * pairs.n + pairs.second
    order = np.argsort(keys)
    decided = np.divide(
        pairs.wins + pairs.losses, pairs.met, out=np.zeros(len(keys)), where=pairs.met > 0
    )
    matches = np.floor(independent * decided + ROUNDING)
    return Separation(
        part=levels.part,
        above=levels.above,
        ratings=ratings,
        covariance=covariance,
        keys=keys[order],
        matches=np.asarray(matches, dtype=np.float64)[order],
        ties=ties,
    )


def open_ends(parts: Separation | None) -> tuple[str, ...]:
    """Warn of intervals without ends, where there are parts."""
    told = (
        "between parts of the field of which one never lost to the other, no match tells how far "
        "they are apart at most: low or high is empty there, and so is se."
    )
    if parts is None:
        return ()
    if parts.main is not None:
        told += (
            f" The {len(parts.main):,} candidates of the largest part have intervals of what they "
            "are above or below its mean."
        )
    return (told,)


def _levels(there: Existence, pairs: PairCounts, ties: str) -> Levels:
    """Return the parts of a field and who is above whom."""
    decided = (pairs.wins + pairs.losses).any()
    if ties != "half" and decided and pairs.ties.any() and ties_run_away(pairs):
        return runaway_levels(pairs)
    part = np.empty(pairs.n, dtype=np.int64)
    for k, members in enumerate(there.strong):
        part[list(members)] = k
    return Levels(part, _above(pairs, part, len(there.strong)))


def _above(pairs: PairCounts, part: Integers, size: int) -> Booleans:
    """Return from which part a chain of wins leads to which; parts come best first."""
    decided = pairs.wins + pairs.losses > 0
    first, second = part[pairs.first[decided]], part[pairs.second[decided]]
    beaten = np.zeros((size, size), dtype=bool)
    beaten[np.minimum(first, second), np.maximum(first, second)] = True
    np.fill_diagonal(beaten, val=False)
    above = np.zeros((size, size), dtype=bool)
    for k in reversed(range(size)):
        above[k] = beaten[k] | above[beaten[k]].any(axis=0)
    return above


def _quantile(alpha: float) -> float:
    return NORMAL.inv_cdf(1 - alpha / 2)

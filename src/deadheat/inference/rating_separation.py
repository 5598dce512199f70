"""What can be said between candidates of whom one never lost: no resampling shows it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import logit, ndtr

from deadheat.inference.corrections import require_alpha
from deadheat.inference.intervals import NORMAL
from deadheat.inference.pair_tests import ratios
from deadheat.ranking.rating.bradley_terry import fit
from deadheat.ranking.rating.covariance import fisher
from deadheat.ranking.rating.existence import Existence
from deadheat.ranking.rating.pair_counts import PairCounts, sums_by_candidate
from deadheat.typing import Booleans, Floats, Integers

MOST_BOUNDED = 3_000  # candidates for whom a matrix (n, n) is inverted


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
        ``first * n + second`` of the pairs that met, ascending, and their independent matches.
    """

    part: Integers
    above: Booleans
    ratings: Floats | None
    covariance: Floats | None
    keys: Integers
    matches: Floats

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
        n = len(self.part)
        wanted = np.minimum(i, j) * n + np.maximum(i, j)
        at = np.minimum(np.searchsorted(self.keys, wanted), len(self.keys) - 1)
        return np.where(self.keys[at] == wanted, self.matches[at], 0.0)

    def _errors(self, i: Integers, j: Integers) -> Floats:
        assert self.covariance is not None
        own = np.diagonal(self.covariance)
        return np.sqrt(np.maximum(own[i] + own[j] - 2 * self.covariance[i, j], 0.0))


def separation(
    there: Existence, pairs: PairCounts, independent: Floats, units: float
) -> Separation | None:
    """Return the parts of a field; None if there is only one.

    Parameters
    ----------
    independent
        (P,), how many matches of each pair were independent of each other, whatever they weigh.
    units
        How many things were independent in all: nobody's matches count for more in Wald's bounds.
    """
    if len(there.strong) < 2:
        return None
    part = np.empty(pairs.n, dtype=np.int64)
    for k, members in enumerate(there.strong):
        part[list(members)] = k
    ratings = covariance = None
    if pairs.n <= MOST_BOUNDED:
        total = sums_by_candidate(pairs, independent, independent)
        most = np.maximum(total[pairs.first], total[pairs.second])
        known = independent * np.minimum(1.0, units / np.maximum(most, 1.0))
        times = np.divide(known, pairs.met, out=np.zeros(len(known)), where=pairs.met > 0)
        even = pairs.with_counts(pairs.wins * times, pairs.losses * times, pairs.ties * times)
        fitted = fit(even, penalty="firth")
        ratings, covariance = fitted.ratings, fisher(fitted, even)
    keys = pairs.first.astype(np.int64) * pairs.n + pairs.second
    order = np.argsort(keys)
    return Separation(
        part=part,
        above=_above(pairs, part, len(there.strong)),
        ratings=ratings,
        covariance=covariance,
        keys=keys[order],
        matches=np.asarray(independent, dtype=np.float64)[order],
    )


def _above(pairs: PairCounts, part: Integers, size: int) -> Booleans:
    """Return from which part a chain of wins leads to which; parts come best first."""
    met = pairs.met > 0
    first, second = part[pairs.first[met]], part[pairs.second[met]]
    beaten = np.zeros((size, size), dtype=bool)
    beaten[np.minimum(first, second), np.maximum(first, second)] = True
    np.fill_diagonal(beaten, val=False)
    above = np.zeros((size, size), dtype=bool)
    for k in reversed(range(size)):
        above[k] = beaten[k] | above[beaten[k]].any(axis=0)
    return above


def _quantile(alpha: float) -> float:
    return NORMAL.inv_cdf(1 - alpha / 2)

"""How sure ratings are: intervals of ratings, of their differences and of win probabilities."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from scipy.special import expit, logit, ndtr, stdtr, stdtrit

from deadheat.core.errors import DataError, UnknownNameError, UsageError, counted, say
from deadheat.core.types import Booleans, Floats, Integers
from deadheat.models.rating.bradley_terry import fit
from deadheat.models.rating.existence import Existence, Levels, runaway_levels, ties_run_away
from deadheat.models.rating.newton import centred_twice
from deadheat.models.rating.pair_counts import PairCounts, Sums
from deadheat.models.rating.uncertainty import fisher
from deadheat.ranking.ranks import best_of
from deadheat.rate.units import Linear
from deadheat.statistics.evidence import (
    STEPS,
    Corrected,
    leader_corrected,
    merit_errors,
    studentized_merits,
)
from deadheat.statistics.intervals import NORMAL, intervals
from deadheat.statistics.pair_tests import ratios
from deadheat.statistics.units import FEWEST_JUDGES, every_pair, parts

# ------------------------------------------------------------------------------
# What can be said between candidates of whom one never lost: no resampling shows it.

MOST_BOUNDED = 3_000  # candidates for whom a matrix (n, n) is inverted
ROUNDING_OF_MATCHES = 1e-9  # of a number of matches
MAIN = 0.9  # share of the candidates in a part whose ratings have intervals by themselves


@dataclass(frozen=True, eq=False, kw_only=True)
class Separation:
    r"""Hold the parts of a field between which no finite difference of ratings fits best.

    Every resample of battles that all went one way says the same, were there two or two hundred.
    So between parts nothing comes from resamples, nor from a sandwich. If a chain of wins leads
    from i down to j (``above``),

    - the interval of :math:`b_i - b_j` has no upper end. Its lower end is the larger of two: that
      of Wald's interval with Firth's penalty, each pair with as many matches as were independent
      of each other; and the exact binomial one of the :math:`N_{ij}` matches that the two had,
      where the probability of a win is :math:`(\alpha/2)^{1/N_{ij}}`;
    - the p-value of "i is no better than j" is the smaller of Wald's and
      :math:`2^{-N_{ij}}`, the chance that as many matches between equals all end that way.

    If no chain of wins leads either way, the interval has no ends and p is 1.

    In models with a tie parameter ties between parts do not join them where wins and ties never
    contradict each other (:func:`deadheat.models.rating.existence.ties_run_away`): parts are then
    those between which differences grow without limit, and :math:`N_{ij}` counts decided matches.
    In Davidson's model the odds of a decided match are those of the ratings. In that of Rao and
    Kupper they are at most twice those in logarithms, so that the exact end, if above 0, is halved.

    ``ratings`` and ``covariance`` are Firth's and Fisher's; None for more than 3,000 candidates,
    where only matches of the two themselves count. ``keys`` are ``first * n + second`` of the pairs
    that met, ascending, ``matches`` their independent decided ones; none are given where
    circumstances or team mates had a part in them.
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
        return np.asarray(self.part[i] != self.part[j])

    def higher(self, i: Integers, j: Integers) -> Booleans:
        return np.asarray(self.above[self.part[i], self.part[j]])

    def nearest(self, i: Integers, j: Integers, alpha: float) -> Floats:
        """Return the lower ends of the differences of pairs whose first is in a part above."""
        met = self._met(i, j)
        exact = logit(np.where(met > 0, (alpha / 2) ** (1 / np.maximum(met, 1)), 0.0))
        if self.ties == "rao-kupper":
            exact = np.minimum(exact, exact / 2)
        if self.ratings is None:
            return np.asarray(exact)
        half = NORMAL.inv_cdf(1 - alpha / 2) * self._errors(i, j)
        return np.asarray(np.maximum(self.ratings[i] - self.ratings[j] - half, exact))

    def bounded(self, i: Integers, j: Integers, found: Bounds) -> Bounds:
        apart, values, alpha = self.apart(i, j), found.values, found.alpha
        near, far = self.nearest(i, j, alpha), -self.nearest(j, i, alpha)
        # a ridge shrinks ratings past the bound
        least = np.where(self.higher(i, j) & (near <= values), near, -np.inf)
        most = np.where(self.higher(j, i) & (far >= values), far, np.inf)
        return replace(
            found,
            errors=np.where(apart, np.nan, found.errors),
            low=np.where(apart, least, found.low),
            high=np.where(apart, most, found.high),
        )

    def bounded_ratings(self, values: Floats, alpha: float) -> tuple[Floats, Floats]:
        """Return the intervals of ratings that add up to 0.

        A rating is the mean of its differences from all. Its interval has an upper end only if
        nobody is in a part below or beside, a lower end only if nobody is above or beside. That of
        somebody alone in a part is the larger of Wald's and the mean of those of its differences.
        """
        itself = np.eye(len(self.above), dtype=bool)
        topmost = np.all(self.above | itself, axis=1)[self.part]
        lowest = np.all(self.above.T | itself, axis=1)[self.part]
        low, high = np.full(len(values), -np.inf), np.full(len(values), np.inf)
        if self.ratings is not None and self.covariance is not None:
            half = NORMAL.inv_cdf(1 - alpha / 2) * np.sqrt(
                np.maximum(np.diagonal(self.covariance), 0.0)
            )
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


def part_of(parts: Sequence[Sequence[int]], n: int) -> Integers:
    found = np.empty(n, dtype=np.int64)
    for k, members in enumerate(parts):
        found[list(members)] = k
    return found


def separation(
    there: Existence, pairs: PairCounts, independent: Floats, units: float, *, ties: str = "half"
) -> Separation | None:
    """Return the parts of a field; None if there is only one.

    ``independent`` (P,) is how many matches of each pair were independent, whatever they weigh;
    nobody's matches count for more than ``units`` in Wald's bounds.
    """
    levels = _levels(there, pairs, ties)
    if len(levels.above) < 2:
        return None
    ratings = covariance = None
    if pairs.n <= MOST_BOUNDED:
        total = Sums(pairs)(independent, independent)
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
    matches = np.floor(independent * decided + ROUNDING_OF_MATCHES)
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
    if parts is None:
        return ()
    said = (
        "between parts of the field of which one never lost to the other, no match tells how far "
        "they are apart at most: low or high is empty there, and so is se."
    )
    if parts.main is None:
        return (said,)
    inside = f"The {len(parts.main):,} candidates of the largest part have intervals of what"
    return (f"{said} {inside} they are above or below its mean.",)


def _levels(there: Existence, pairs: PairCounts, ties: str) -> Levels:
    """Return the parts of a field, best first, and from which a chain of wins leads to which."""
    decided = pairs.wins + pairs.losses > 0
    if ties != "half" and decided.any() and pairs.ties.any() and ties_run_away(pairs):
        return runaway_levels(pairs)
    part, size = part_of(there.strong, pairs.n), len(there.strong)
    first, second = part[pairs.first[decided]], part[pairs.second[decided]]
    beaten = np.zeros((size, size), dtype=bool)
    beaten[np.minimum(first, second), np.maximum(first, second)] = True
    np.fill_diagonal(beaten, val=False)
    above = np.zeros((size, size), dtype=bool)
    for k in reversed(range(size)):
        above[k] = beaten[k] | above[beaten[k]].any(axis=0)
    return Levels(part, above)


# ------------------------------------------------------------------------------
# Ratings, how they vary, and their intervals.

KINDS = ("percentile", "basic", "expanded-percentile", "wald")
ROUNDING = 1e-12


@dataclass(frozen=True, eq=False, kw_only=True)
class RatingEvidence:
    """Hold ratings (n,) and how they vary: replicates (B, n), or a covariance (n, n), or both.

    Replicates are used where both are given. ``units`` were drawn, None if nobody said, in so many
    ``strata``; ``linear`` has the ratings as means over them, so that tests of them hold.
    """

    ratings: Floats
    replicates: Floats | None = None
    covariance: Floats | None = None
    units: int | None = None
    strata: int = 1
    separation: Separation | None = None
    linear: Linear | None = None

    @property
    def n(self) -> int:
        return len(self.ratings)

    @property
    def freedom(self) -> float:
        """The degrees of freedom of Student's t: units less strata; infinite where not known."""
        return np.inf if self.units is None else max(1, self.units - self.strata)

    @property
    def too_few(self) -> bool:
        """Whether there are too few units for any test; one of each stratum tells nothing."""
        return self.freedom + 1 < FEWEST_JUDGES

    @property
    def noun(self) -> str:
        return "unit" if self.linear is None else self.linear.noun

    @property
    def luckiest(self) -> float:
        """The chance that all independent units favour the same one of two equals."""
        return 0.0 if self.units is None else 0.5**self.units

    def in_words(self) -> str:
        strata = f" in {self.strata:,} strata" if self.strata > 1 else ""
        return f"{counted(self.units or 0, self.noun)}{strata}"

    def tail(self, statistic: Floats) -> Floats:
        return np.asarray(stdtr(self.freedom, -statistic))

    @cached_property
    def errors(self) -> Floats:
        if self.replicates is not None:
            freedom = min(1, len(self.replicates) - 1)
            return np.asarray(self.replicates.std(axis=0, ddof=freedom))
        assert self.covariance is not None
        return np.sqrt(np.maximum(np.diagonal(self.covariance), 0.0))

    def differences(self, i: Integers, j: Integers) -> Floats:
        return np.asarray(self.ratings[i] - self.ratings[j], dtype=np.float64)

    def errors_of(self, i: Integers, j: Integers) -> Floats:
        """Return the standard errors of the differences of pairs; what is only rounding is 0."""
        if self.replicates is not None:
            columns = self.columns
            freedom = min(1, columns.shape[1] - 1)
            found = [
                (columns[i[p]] - columns[j[p]]).std(axis=1, ddof=freedom)
                for p in parts(len(i), columns.shape[1])
            ]
            errors = np.concatenate(found or [np.zeros(0)])
            return np.where(errors <= ROUNDING * (1 + np.abs(self.ratings).max()), 0.0, errors)
        assert self.covariance is not None
        own = np.diagonal(self.covariance)
        squares = own[i] + own[j] - 2 * self.covariance[i, j]
        return np.sqrt(np.where(squares <= ROUNDING * (own[i] + own[j]), 0.0, squares))

    def among(self, members: Integers) -> RatingEvidence:
        """Return what is known of some candidates whom finite ratings join, their sum 0."""
        ratings = self.ratings[members]
        covariance, drawn = self.covariance, self.replicates
        if covariance is not None:
            covariance = centred_twice(covariance[np.ix_(members, members)])
        if drawn is not None:
            drawn = drawn[:, members]
            drawn = drawn - drawn.mean(axis=1, keepdims=True)
        return RatingEvidence(
            ratings=ratings - ratings.mean(),
            replicates=drawn,
            covariance=covariance,
            units=self.units,
            strata=self.strata,
        )

    @cached_property
    def columns(self) -> Floats:
        """The replicates with those of one candidate side by side, (n, B)."""
        assert self.replicates is not None
        return np.ascontiguousarray(self.replicates.T, dtype=np.float64)


@dataclass(frozen=True, eq=False, kw_only=True)
class Bounds:
    """Hold estimates with their standard errors and intervals, one array each.

    Between parts of a field an interval has one end or none: the other is infinite, the error NaN.
    """

    values: Floats
    errors: Floats
    low: Floats
    high: Floats
    kind: str
    alpha: float


class WinMatrix(NamedTuple):
    """Hold at [i, j] the probability that i beats j, (n, n), with its interval; .5 where i = j."""

    p: Floats
    low: Floats
    high: Floats


def rating_intervals(
    evidence: RatingEvidence, *, alpha: float = 0.05, kind: str | None = None
) -> Bounds:
    """Return the interval of each rating, relative to what the ratings add up to.

    Wald's has as many degrees of freedom as units less strata: 10 rounds have no normal tails.
    Where no finite ratings join all, see :class:`Separation`. Where they join nine candidates of
    ten, the intervals of these are of what they are above the mean of these.
    """
    kind = _kind(evidence, kind)
    observed = np.asarray(evidence.ratings, dtype=np.float64)
    if evidence.separation is not None:
        low, high = evidence.separation.bounded_ratings(observed, alpha)
        errors = np.full(len(observed), np.nan)
        main = evidence.separation.main
        if main is not None:
            level = observed[main].mean()
            found = rating_intervals(evidence.among(main), alpha=alpha, kind=kind)
            low[main], high[main] = found.low + level, found.high + level
            errors[main] = found.errors
        return Bounds(values=observed, errors=errors, low=low, high=high, kind=kind, alpha=alpha)
    found = _wald(evidence, observed, evidence.errors, alpha)
    if kind == "wald" or evidence.replicates is None:
        return found
    low, high = intervals(
        kind, observed=observed, merits=evidence.replicates, alpha=alpha, m=evidence.units or 2
    )
    return replace(found, low=low, high=high, kind=kind)


def difference_intervals(
    evidence: RatingEvidence,
    i: Integers,
    j: Integers,
    *,
    alpha: float = 0.05,
    kind: str | None = None,
) -> Bounds:
    """Return the intervals of the differences of pairs, the same under every anchor.

    Differs from Gosiewska et al. (2019) and its software, whose standard errors are those of
    independent matches. One score enters many matches: with 5 candidates and 20 splits the 95 %
    interval from Fisher's information holds the true difference in 26 % of cases where all splits
    meet, and in 85 % where only equal ones do. The bootstrap over splits holds it in 90 %.
    """
    i, j = np.asarray(i), np.asarray(j)
    kind = _kind(evidence, kind)
    found = _wald(evidence, evidence.differences(i, j), evidence.errors_of(i, j), alpha)
    if kind != "wald":
        columns, m = evidence.columns, evidence.units or 2
        low, high = np.empty(len(i)), np.empty(len(i))
        for p in parts(len(i), columns.shape[1]):
            merits = (columns[i[p]] - columns[j[p]]).T
            low[p], high[p] = intervals(
                kind, observed=found.values[p], merits=merits, alpha=alpha, m=m
            )
        found = replace(found, low=low, high=high, kind=kind)
    return found if evidence.separation is None else evidence.separation.bounded(i, j, found)


def win_matrix(
    evidence: RatingEvidence, *, alpha: float = 0.05, kind: str | None = None
) -> WinMatrix:
    """Return the win probabilities of all pairs, their intervals those of the differences.

    Differs from Gosiewska et al. (2019), sec. 4.1 "Ad 2.2", which reads the probability as a test:
    it is the size of an effect. Whether .6 is noise is what its interval says.
    """
    n = evidence.n
    i, j = every_pair(n)
    bounds = difference_intervals(evidence, i, j, alpha=alpha, kind=kind)
    p, low, high = (np.full((n, n), 0.5) for _ in range(3))
    for found, ahead, behind in (
        (p, bounds.values, bounds.values),
        (low, bounds.low, bounds.high),
        (high, bounds.high, bounds.low),
    ):
        found[i, j] = expit(ahead)
        found[j, i] = expit(-behind)
    return WinMatrix(p, low, high)


def leader_of_ratings(evidence: RatingEvidence, *, alpha: float = 0.05) -> Corrected | None:
    """Return the highest rating corrected for having been chosen, with an interval that holds.

    None where it cannot be had: for models whose ratings are no means over units to first order,
    from too few of these, between parts that no finite ratings join, where nothing varies, and
    where it would take long.
    """
    means = evidence.linear
    if means is None or evidence.separation is not None or evidence.too_few:
        return None
    try:
        found = means.units
    except DataError:  # one unit in every stratum
        return None
    if found.n * found.u * means.plan.replicates > STEPS:
        return None
    some = means.tested
    every: Floats = np.asarray(evidence.ratings, dtype=np.float64)
    if best_of(every) not in some:
        return None
    among, ratings = means.among(some), every[some]
    drawn = (
        ratings + merit_errors(among, slice(None))[1]
        if evidence.replicates is None
        else evidence.replicates[:, some]
    )
    best = leader_corrected(ratings, drawn, alpha=alpha, studentized=studentized_merits(among))
    return replace(best, leader=int(some[best.leader])) if best.low < best.high else None


def _wald(evidence: RatingEvidence, values: Floats, errors: Floats, alpha: float) -> Bounds:
    half = float(stdtrit(evidence.freedom, 1 - alpha / 2)) * errors
    low, high = values - half, values + half
    return Bounds(values=values, errors=errors, low=low, high=high, kind="wald", alpha=alpha)


def _kind(evidence: RatingEvidence, kind: str | None) -> str:
    if kind is None:
        return "wald" if evidence.replicates is None else "percentile"
    if kind not in KINDS:
        raise UnknownNameError("interval of a rating", str(kind), KINDS)
    if kind != "wald" and evidence.replicates is None:
        raise UsageError(
            f"the interval {kind} needs replicates, and there is only a covariance.",
            hint=f"take {say('interval', 'wald')}, or {say('errors', 'bootstrap')}.",
        )
    return kind

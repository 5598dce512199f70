"""How sure ratings are: their intervals, tests of all pairs, tie groups of rated candidates."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any, NamedTuple

import numpy as np
from scipy.special import expit, logit, ndtr, stdtr, stdtrit

from deadheat.core.errors import (
    DataError,
    UnknownNameError,
    UsageError,
    Words,
    command_with,
    counted,
)
from deadheat.core.options import RATING_INTERVALS, RATING_TESTS
from deadheat.core.types import Booleans, Floats, Integers
from deadheat.core.weights import TRIFLE
from deadheat.models.rating.bradley_terry import fit
from deadheat.models.rating.existence import Existence, Levels, runaway_levels, ties_run_away
from deadheat.models.rating.newton import centred_twice
from deadheat.models.rating.pair_counts import PairCounts, Sums
from deadheat.models.rating.uncertainty import fisher
from deadheat.ranking.ranks import best_of, ranks
from deadheat.rate.matches import Linear, Matches
from deadheat.statistics import groups as tie_groups
from deadheat.statistics.corrections import ROUNDING, adjusted_p_values
from deadheat.statistics.evidence import (
    STEPS,
    CorrectedEstimate,
    Spread,
    correct_leader,
    merit_errors,
    spread,
    studentized_merits,
)
from deadheat.statistics.intervals import NORMAL, intervals
from deadheat.statistics.max_t import max_t, max_t_fixed
from deadheat.statistics.pair_tests import PairTests, pair_tests, rank_sets, ratios
from deadheat.statistics.units import FEWEST_JUDGES, every_pair, parts

# What can be said between candidates of whom one never lost: no resampling shows it.

MOST_BOUNDED = 3_000  # candidates for whom a matrix (n, n) is inverted
ROUNDING_OF_MATCHES = 1e-9  # of a number of matches
MAIN = 0.9  # share of the candidates in a part whose ratings have intervals by themselves


@dataclass(frozen=True, eq=False, kw_only=True)
class Separation:
    r"""Hold the parts of a field between which no finite difference of ratings fits best.

    Every resample of battles that all went one way says the same, were there two or two hundred. So
    if a chain of wins leads from i down to j (``above``), the interval of :math:`b_i - b_j` has no
    upper end, and its lower end is the larger of two: that of Wald's interval with Firth's penalty,
    of as many matches as were independent; and the exact binomial one of the :math:`N_{ij}` decided
    matches of the two, where a win has the probability :math:`(\alpha/2)^{1/N_{ij}}`. The p-value
    of "i is no better than j" is the smaller of Wald's and :math:`2^{-N_{ij}}`. Without such a
    chain the interval has no ends and p is 1. In the model of Rao and Kupper the log-odds of a
    decided match are at most twice the difference, so that the exact end, if above 0, is halved.

    ``ratings`` and ``covariance`` are Firth's and Fisher's, of at most 3,000 candidates. ``keys``
    are ``first * n + second`` of the pairs that met, ascending, ``matches`` their independent
    decided ones.
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
        met = self._matches_between(i, j)
        exact = logit(np.where(met > 0, (alpha / 2) ** (1 / np.maximum(met, 1)), 0.0))
        if self.ties == "rao-kupper":
            exact = np.minimum(exact, exact / 2)
        if self.ratings is None:
            return np.asarray(exact)
        half = NORMAL.inv_cdf(1 - alpha / 2) * self._errors(i, j)
        return np.asarray(np.maximum(self.ratings[i] - self.ratings[j] - half, exact))

    def bound_differences(self, i: Integers, j: Integers, found: Bounds, alpha: float) -> Bounds:
        apart, values = self.apart(i, j), found.values
        near, far = self.nearest(i, j, alpha), -self.nearest(j, i, alpha)
        # a ridge shrinks ratings past the bound
        least = np.where(self.higher(i, j) & (near <= values), near, -np.inf)
        most = np.where(self.higher(j, i) & (far >= values), far, np.inf)
        low, high = np.where(apart, least, found.low), np.where(apart, most, found.high)
        return Bounds(values, np.where(apart, np.nan, found.errors), low, high, found.kind)

    def bounded_ratings(self, values: Floats, alpha: float) -> tuple[Floats, Floats]:
        """Return the intervals of ratings that add up to 0.

        One has an upper end only if nobody is in a part below or beside, a lower end only if nobody
        is above or beside. That of somebody alone in a part is the larger of Wald's and the mean of
        those of its differences from all.
        """
        itself, n = np.eye(len(self.above), dtype=bool), len(values)
        topmost = np.all(self.above | itself, axis=1)[self.part]
        lowest = np.all(self.above.T | itself, axis=1)[self.part]
        low, high = np.full(n, -np.inf), np.full(n, np.inf)
        if self.ratings is not None and self.covariance is not None:
            errors = np.sqrt(np.maximum(np.diagonal(self.covariance), 0.0))
            half = NORMAL.inv_cdf(1 - alpha / 2) * errors
            low[topmost] = (self.ratings - half)[topmost]
            high[lowest] = (self.ratings + half)[lowest]
        alone = np.bincount(self.part)[self.part] == 1
        for i in np.flatnonzero(alone & (topmost | lowest)).tolist():
            others, mine = np.delete(np.arange(n), i), np.full(n - 1, i)
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
        least = np.minimum(wald, 0.5 ** self._matches_between(i, j))
        return np.where(self.apart(i, j), np.where(self.higher(i, j), least, 1.0), 0.0)

    def shown_apart(self, i: int, alpha: float) -> tuple[Booleans, Booleans, Booleans]:
        """Return whom of other parts (n,) matches show above i, and below it, and neither."""
        everybody = np.arange(len(self.part))
        mine = np.full(len(everybody), i)
        away = self.apart(mine, everybody)
        ahead = away & (self.p_values(everybody, mine) <= alpha / 2)
        behind = away & (self.p_values(mine, everybody) <= alpha / 2)
        return ahead, behind, away & ~ahead & ~behind

    def _matches_between(self, i: Integers, j: Integers) -> Floats:
        if not len(self.keys):
            return np.zeros(len(i))
        key = np.minimum(i, j) * len(self.part) + np.maximum(i, j)
        at = np.minimum(np.searchsorted(self.keys, key), len(self.keys) - 1)
        return np.where(self.keys[at] == key, self.matches[at], 0.0)

    def _errors(self, i: Integers, j: Integers) -> Floats:
        assert self.covariance is not None
        own = np.diagonal(self.covariance)
        return np.sqrt(np.maximum(own[i] + own[j] - 2 * self.covariance[i, j], 0.0))


def part_of(parts: Sequence[Sequence[int]], n: int) -> Integers:
    found = np.empty(n, dtype=np.int64)
    for k, members in enumerate(parts):
        found[list(members)] = k
    return found


def separation(there: Existence, matches: Matches, *, ties: str = "half") -> Separation | None:
    """Return the parts of a field; None if there is only one."""
    pairs = matches.pairs
    levels = _levels(there, pairs, ties)
    if len(levels.above) < 2:
        return None
    ratings = covariance = None
    independent, nothing = matches.independent, np.zeros(len(pairs.first))
    if pairs.n <= MOST_BOUNDED:
        total = Sums(pairs)(independent, independent)
        most = np.maximum(total[pairs.first], total[pairs.second])
        # nobody's matches count for more than there are units
        known = independent * np.minimum(1.0, matches.units / np.maximum(most, 1.0))
        times = np.divide(known, pairs.met, out=nothing.copy(), where=pairs.met > 0)
        even = pairs.with_counts(pairs.wins * times, pairs.losses * times, pairs.ties * times)
        fitted = fit(even, penalty="firth", ties=ties)
        ratings, covariance = fitted.ratings, fisher(fitted, even)
    keys = pairs.first.astype(np.int64) * pairs.n + pairs.second
    order = np.argsort(keys)
    decided = np.divide(pairs.wins + pairs.losses, pairs.met, out=nothing, where=pairs.met > 0)
    number = np.floor(independent * decided + ROUNDING_OF_MATCHES)
    return Separation(
        part=levels.part,
        above=levels.above,
        ratings=ratings,
        covariance=covariance,
        keys=keys[order],
        matches=np.asarray(number, dtype=np.float64)[order],
        ties=ties,
    )


def open_ends(parts: Separation | None) -> tuple[str, ...]:
    if parts is None:
        return ()
    far = "no match tells how far they are apart at most: low or high is empty there, and so is se"
    said = f"between parts of the field of which one never lost to the other, {far}."
    if parts.main is not None:
        said += " Intervals inside the largest part are of what one is above or below its mean."
    return (Words(said, weight=TRIFLE),)


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


# Ratings, how they vary, and their intervals.

NOISE = 1e-12  # of what ratings are


@dataclass(frozen=True, eq=False, kw_only=True)
class RatingEvidence:
    """Hold ratings (n,) and how they vary: by replicates (B, n), else by a covariance (n, n).

    ``units`` were drawn, None if nobody said, in so many ``strata``; ``linear`` has the ratings as
    means over them, so that tests of them hold.
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

    def tail(self, i: Integers, j: Integers, *, two: bool = False) -> Floats:
        """Return Student's p-values of the differences of pairs, of one side or of both."""
        t = ratios(self.differences(i, j), self.errors_of(i, j))
        return np.asarray(2 * stdtr(self.freedom, -np.abs(t)) if two else stdtr(self.freedom, -t))

    @cached_property
    def errors(self) -> Floats:
        if self.replicates is not None:
            freedom = min(1, len(self.replicates) - 1)
            return np.asarray(self.replicates.std(axis=0, ddof=freedom))
        assert self.covariance is not None
        return np.sqrt(np.maximum(np.diagonal(self.covariance), 0.0))

    def untested(self, i: Integers, j: Integers) -> Booleans:
        """Return which pairs no test tells anything of: somebody was in too few units."""
        tested = np.arange(self.n) if self.linear is None else self.linear.tested
        silent = ~(np.isin(i, tested) & np.isin(j, tested))
        return silent if self.separation is None else silent & ~self.separation.apart(i, j)

    def differences(self, i: Integers, j: Integers) -> Floats:
        return np.asarray(self.ratings[i] - self.ratings[j], dtype=np.float64)

    def errors_of(self, i: Integers, j: Integers) -> Floats:  # what is only rounding is 0
        if self.replicates is not None:
            columns = self.columns
            freedom = min(1, columns.shape[1] - 1)
            found = [
                (columns[i[p]] - columns[j[p]]).std(axis=1, ddof=freedom)
                for p in parts(len(i), columns.shape[1])
            ]
            errors = np.concatenate(found or [np.zeros(0)])
            return np.where(errors <= NOISE * (1 + np.abs(self.ratings).max()), 0.0, errors)
        assert self.covariance is not None
        own = np.diagonal(self.covariance)
        squares = own[i] + own[j] - 2 * self.covariance[i, j]
        noise = squares <= NOISE * np.abs(own[i] + own[j])
        return np.sqrt(np.where(noise | (squares < 0), 0.0, squares))

    def among(self, members: Integers) -> RatingEvidence:
        """Return what is known of some candidates whom finite ratings join, their sum 0."""
        ratings, covariance, drawn = self.ratings[members], self.covariance, self.replicates
        if covariance is not None:
            covariance = centred_twice(covariance[np.ix_(members, members)])
        if drawn is not None:
            drawn = drawn[:, members]
            drawn = drawn - drawn.mean(axis=1, keepdims=True)
        units: dict[str, Any] = {"units": self.units, "strata": self.strata}
        ratings = ratings - ratings.mean()
        return RatingEvidence(ratings=ratings, replicates=drawn, covariance=covariance, **units)

    @cached_property
    def columns(self) -> Floats:
        """The replicates with those of one candidate side by side, (n, B)."""
        assert self.replicates is not None
        return np.ascontiguousarray(self.replicates.T, dtype=np.float64)


class Bounds(NamedTuple):
    values: Floats
    errors: Floats  # NaN between parts of a field, where low or high or both are infinite
    low: Floats
    high: Floats
    kind: str


class WinMatrix(NamedTuple):
    p: Floats
    low: Floats
    high: Floats


def rating_intervals(e: RatingEvidence, *, alpha: float = 0.05, kind: str | None = None) -> Bounds:
    """Return the interval of each rating; Wald's is of Student's t, as 10 rounds need it.

    Where finite ratings join nine of ten, theirs are of what they are above the mean of these.
    """
    kind, apart = _kind(e, kind), e.separation
    observed = np.asarray(e.ratings, dtype=np.float64)
    if apart is not None:
        low, high = apart.bounded_ratings(observed, alpha)
        errors = np.full(len(observed), np.nan)
        main = apart.main
        if main is not None:
            level = observed[main].mean()
            found = rating_intervals(e.among(main), alpha=alpha, kind=kind)
            low[main], high[main] = found.low + level, found.high + level
            errors[main] = found.errors
        return Bounds(observed, errors, low, high, kind)
    if kind == "wald" or e.replicates is None:
        return _wald(e, observed, e.errors, alpha)
    m, merits = e.units or 2, e.replicates
    low, high = intervals(kind, observed=observed, merits=merits, alpha=alpha, m=m)
    return Bounds(observed, e.errors, low, high, kind)


def difference_intervals(
    e: RatingEvidence, i: Integers, j: Integers, *, alpha: float = 0.05, kind: str | None = None
) -> Bounds:
    """Return the intervals of the differences of pairs, the same under every anchor.

    Differs from Gosiewska et al. (2019), whose standard errors are those of independent matches:
    with 5 candidates and 20 splits their 95 % interval holds the true difference in 26 % of cases
    where all splits meet, and in 85 % where only equal ones do; the bootstrap over splits in 90 %.
    """
    i, j = np.asarray(i), np.asarray(j)
    kind, apart = _kind(e, kind), e.separation
    found = _wald(e, e.differences(i, j), e.errors_of(i, j), alpha)
    if kind != "wald":
        columns, m = e.columns, e.units or 2
        low, high = np.empty(len(i)), np.empty(len(i))
        for p in parts(len(i), columns.shape[1]):
            merits, observed = (columns[i[p]] - columns[j[p]]).T, found.values[p]
            low[p], high[p] = intervals(kind, observed=observed, merits=merits, alpha=alpha, m=m)
        found = found._replace(low=low, high=high, kind=kind)
    return found if apart is None else apart.bound_differences(i, j, found, alpha)


def win_matrix(e: RatingEvidence, *, alpha: float = 0.05, kind: str | None = None) -> WinMatrix:
    """Return the win probabilities of all pairs, their intervals those of the differences.

    Differs from Gosiewska et al. (2019), sec. 4.1 "Ad 2.2", which reads the probability as a test.
    """
    i, j = every_pair(e.n)
    values, _, low, high, _ = difference_intervals(e, i, j, alpha=alpha, kind=kind)
    found = np.full((3, e.n, e.n), 0.5)
    for matrix, ahead, behind in zip(found, (values, low, high), (values, high, low), strict=True):
        matrix[i, j], matrix[j, i] = expit(ahead), expit(-behind)
    return WinMatrix(*found)


def leader_of_ratings(evidence: RatingEvidence, *, alpha: float = 0.05) -> CorrectedEstimate | None:
    """Return the highest rating corrected for having been chosen; None where it cannot be had."""
    means = evidence.linear
    if means is None or evidence.separation is not None or evidence.too_few:
        return None
    try:
        steps = means.units.n * means.units.u * means.plan.replicates
    except DataError:  # one unit in every stratum
        return None
    some = means.tested
    every: Floats = np.asarray(evidence.ratings, dtype=np.float64)
    if steps > STEPS or best_of(every) not in some:
        return None
    among, ratings, drawn = means.among(some), every[some], evidence.replicates
    drawn = ratings + merit_errors(among, slice(None))[1] if drawn is None else drawn[:, some]
    best = correct_leader(ratings, drawn, alpha=alpha, studentized=studentized_merits(among))
    return replace(best, leader=int(some[best.leader])) if best.low < best.high else None


def _wald(evidence: RatingEvidence, values: Floats, errors: Floats, alpha: float) -> Bounds:
    half = float(stdtrit(evidence.freedom, 1 - alpha / 2)) * errors
    return Bounds(values, errors, values - half, values + half, "wald")


def _kind(evidence: RatingEvidence, kind: str | None) -> str:
    if kind is None:
        return "wald" if evidence.replicates is None else "percentile"
    if kind not in RATING_INTERVALS:
        raise UnknownNameError("interval of a rating", str(kind), RATING_INTERVALS)
    if kind != "wald" and evidence.replicates is None:
        raise _no_replicates(f"the interval {kind}", interval="wald")
    return kind


def _no_replicates(what: str, **instead: str) -> UsageError:
    hint = f"without replicates: {command_with(**instead)}"
    return UsageError(f"{what} needs replicates, and there is only a covariance.", hint=hint)


# Tests of all pairs, and tie groups.


class RatingGroups(NamedTuple):
    """Hold tie groups of ratings, ranges of ranks, and the tests behind strict groups.

    Ranges are simultaneous confidence sets from tests, else those of resamples; ``first`` are
    shares of replicates, NaN where no resample can show them. None for what there is not.
    """

    groups: tie_groups.Groups
    tests: PairTests | None
    rank_low: Floats | Integers | None
    rank_high: Floats | Integers | None
    first: Floats | None


def rating_tests(
    e: RatingEvidence, *, alpha: float = 0.05, test: str | None = None, together: bool = True
) -> PairTests:
    """Test all pairs of ratings for a difference, each by itself if not ``together`` (``holm``).

    ``max-t``, the default: ratings are means over units to first order (:class:`Linear`), and
    tested as merits are; ``holm`` corrects Student's p-values of single pairs. Among equals some
    pair is told apart in at most .06 of simulated tables and logs at alpha = .05; refitted
    replicates, all measured by one error, do so in .18. Candidates in fewer than 10 units are not
    tested: their p-values are 1.

    Other models have no such units, and how often their tests err is not known: ``max-t`` is that
    of :func:`deadheat.statistics.max_t.max_t_fixed`, ``holm`` takes twice the smaller of the two
    one-sided shares of replicates, or Wald's p-values where there is only a covariance. Between
    parts p-values are those of :class:`Separation`, by Holm over all pairs; none of N units is
    below 2 ** (1 - N).
    """
    adjust = partial(adjusted_p_values, method="holm") if together else np.asarray
    found, parts = _tests_within_parts(e, alpha, test, adjust), e.separation
    if parts is None and e.units is None:
        return found
    p = found.p.copy()
    if parts is not None:
        i, j = every_pair(e.n)
        apart = parts.apart(i, j)
        least = 2 * np.minimum(parts.p_values(i, j), parts.p_values(j, i))
        between = adjust(np.where(apart, np.minimum(1.0, least), 1.0))[apart]
        p[i[apart], j[apart]] = p[j[apart], i[apart]] = between
    p = np.maximum(p, min(1.0, 2 * e.luckiest))
    better = (p <= alpha * (1 + ROUNDING)) & (found.differences > 0)
    return replace(found, p=p, better=better)


def _tests_within_parts(
    evidence: RatingEvidence, alpha: float, test: str | None, adjust: Callable[[Floats], Floats]
) -> PairTests:
    means, drawn, n = evidence.linear, evidence.replicates, evidence.n
    test = test or ("holm" if drawn is None and means is None else "max-t")
    if test not in RATING_TESTS:
        raise UnknownNameError("test of ratings", str(test), RATING_TESTS)
    i, j = every_pair(n)
    critical, replicates, method = np.nan, 0, "wald with holm"
    if means is not None:  # p is 1 for candidates with too few units
        differences, errors = means.units.differences(i, j), means.units.errors(i, j)
        there = np.isin(i, means.tested) & np.isin(j, means.tested)
        p: Floats = np.ones(len(i))
        if test == "holm":
            single = 2 * stdtr(means.units.freedom, -np.abs(ratios(differences, errors)))
            p[there] = adjust(single[there])
        else:
            replicates, method = means.plan.replicates, "max-t"
        if test == "max-t" and len(means.tested) > 1:
            found = max_t(means.among(means.tested).units, means.plan, alpha=alpha, on=means.on)
            p[there], critical = found.p[every_pair(len(means.tested))], found.critical
    elif test == "max-t":
        if drawn is None:
            raise _no_replicates("the test max-t", test="holm")
        return max_t_fixed(evidence.ratings, drawn, alpha=alpha)
    else:
        differences, errors = evidence.differences(i, j), evidence.errors_of(i, j)
        single = evidence.tail(i, j, two=True)
        if drawn is not None:
            replicates, method = len(drawn), "bootstrap with holm"
            one_sided = tie_groups.all_pairs(spread(drawn, alpha=alpha, unit=1.0).places)
            single = np.minimum(1.0, 2 * np.minimum(one_sided[i, j], one_sided[j, i]))
        p = adjust(single)
    how: dict[str, Any] = {
        "critical": critical,
        "method": method,
        "alpha": alpha,
        "replicates": replicates,
    }
    return pair_tests(n, p, differences=differences, errors=errors, **how)


def rating_groups(
    evidence: RatingEvidence, *, alpha: float = 0.05, strict: bool = False, test: str | None = None
) -> RatingGroups:
    """Return tie groups of rated candidates, made as those of a verdict.

    Between parts p-values are those of :class:`Separation`; none of N units is below 2 ** -N.
    """
    standing, parts = ranks(np.asarray(evidence.ratings, dtype=np.float64)), evidence.separation
    around: Spread | None = None
    places: Integers = (2 * standing[None]).astype(np.int64)
    medians = -standing
    if evidence.replicates is not None:
        around = spread(evidence.replicates, alpha=alpha, unit=1.0)
        places, medians = around.places, -around.standing
    low, high, first = (None, None, None) if around is None else _ranges(around, parts, alpha)
    if strict or test is not None:
        tests = rating_tests(evidence, alpha=alpha, test=test)
        merits = -standing
        if evidence.linear is not None and len(evidence.linear.tested):
            silent = np.setdiff1d(np.arange(evidence.n), evidence.linear.tested)
            places = places.copy()
            places[:, silent] = places.max() + 1  # who is not tested shows nobody worse
            merits[silent] -= evidence.n
        p, draws = np.where(tests.differences > 0, tests.p, 1.0), tests.replicates or None
        how: dict[str, Any] = {"medians": medians, "p": p, "alpha": alpha, "draws": draws}
        groups = tie_groups.greedy_groups(tests.better, places, merits, **how)
        return RatingGroups(groups, tests, *rank_sets(tests.better), first)
    columns = None if around is None else tie_groups.columnwise(places)

    def p_of(first: int, others: Integers) -> Floats:
        mine = np.full(len(others), first)
        if columns is None:
            p = evidence.tail(mine, others)
        else:
            p = tie_groups.p_beats(columns, first, others)
        if parts is not None:
            p = np.where(parts.apart(mine, others), parts.p_values(mine, others), p)
        return np.maximum(p, evidence.luckiest)

    draws = None if around is None else len(places)
    groups = tie_groups.robust_groups(
        places, -standing, medians=medians, alpha=alpha, p_of=p_of, draws=draws
    )
    return RatingGroups(groups, None, low, high, first)


def _ranges(
    around: Spread, separation: Separation | None, alpha: float
) -> tuple[Floats, Floats, Floats]:
    """Return ranges of ranks, and shares of first places, of replicates.

    Whoever is in another part, and not told apart by matches, may stand above or below: ranges have
    room for them, and where one of them is ever first, shares are NaN. Where nearly all are in one
    part, it is the few others of whom nothing is known.
    """
    low, high, first = around.rank_low.copy(), around.rank_high.copy(), around.first.copy()
    if separation is None:
        return low, high, first
    main = [] if separation.main is None else separation.main.tolist()
    n = len(first)
    for i in range(n):
        ahead, behind, unknown = separation.shown_apart(i, alpha)
        number = np.count_nonzero(unknown)
        if number:
            low[i] = min(low[i], max(low[i] - number, 1 + np.count_nonzero(ahead)))
            high[i] = max(high[i], min(high[i] + number, n - np.count_nonzero(behind)))
        if number and around.first[i] > 0:
            unknown[i] = True
            unknown[main] = False
            first[unknown] = np.nan
    return low, high, first

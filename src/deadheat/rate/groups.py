"""Which ratings differ beyond noise: tests of all pairs, and tie groups of rated candidates."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy.special import stdtr

from deadheat.core.errors import UnknownNameError, UsageError, say
from deadheat.core.types import Booleans, Floats, Integers
from deadheat.ranking.ranks import ranks
from deadheat.rate.intervals import RatingEvidence, Separation
from deadheat.rate.units import Linear
from deadheat.statistics.corrections import ROUNDING, adjusted
from deadheat.statistics.evidence import Spread, spread
from deadheat.statistics.groups import (
    Groups,
    all_pairs,
    columnwise,
    greedy_groups,
    p_beats,
    robust_groups,
)
from deadheat.statistics.max_t import max_t, max_t_fixed
from deadheat.statistics.pair_tests import PairTests, pair_tests, rank_sets, ratios
from deadheat.statistics.units import every_pair

TESTS = ("max-t", "holm")


@dataclass(frozen=True, eq=False, kw_only=True)
class RatingGroups:
    """Hold tie groups of ratings, what they were made from, and ranges of ranks.

    Without replicates there is no ``spread``; ``tests`` of all pairs are behind strict groups only.
    Ranges of ranks are simultaneous confidence sets from tests, else those of resamples; ``first``
    are shares of replicates, NaN where no resample can show them. None for what there is not.
    """

    groups: Groups
    spread: Spread | None
    tests: PairTests | None
    rank_low: Floats | Integers | None
    rank_high: Floats | Integers | None
    first: Floats | None


def rating_tests(
    evidence: RatingEvidence, *, alpha: float = 0.05, test: str | None = None
) -> PairTests:
    """Test all pairs of ratings for a difference.

    ``max-t``, the default: ratings are means over units to first order
    (:class:`deadheat.rate.units.Linear`), and tested as merits are. ``holm`` corrects p-values of
    single pairs by Student's t with one degree of freedom less than units.

    Notes
    -----
    Among equals some pair is told apart in at most .06 of simulated tables and logs at alpha =
    .05: Bradley-Terry ratings of 5 to 30 candidates on 10 to 50 rounds, and of 150 to 2,000 battles
    with ties, by voters of strong taste or alone. Refitted replicates, all measured by one error,
    do so in .18 (10 candidates on 10 rounds, 30 on 20). Candidates with a part in fewer than 10
    rounds, battles or clusters are not tested: their p-values are 1.

    Other models have no such units. There ``max-t`` is that of
    :func:`deadheat.statistics.max_t.max_t_fixed`, and ``holm`` takes twice the smaller of the two
    one-sided shares of replicates, or Wald's p-values where there is only a covariance (then the
    default). How often these err is not known. Differs from the authors' software, whose Wald test
    of one contrast uses two degrees of freedom and the covariance of independent matches.

    Between parts that no finite ratings join, p-values are those of the number of matches
    (:class:`deadheat.rate.intervals.Separation`), corrected by Holm over all pairs.
    No p-value of N independent units is below 2 ** (1 - N).
    """
    found, parts = _resampled_tests(evidence, alpha, test), evidence.separation
    if parts is None and evidence.units is None:
        return found
    p = found.p.copy()
    if parts is not None:
        i, j = every_pair(evidence.n)
        apart = parts.apart(i, j)
        least = 2 * np.minimum(parts.p_values(i, j), parts.p_values(j, i))
        between = adjusted(np.where(apart, np.minimum(1.0, least), 1.0), "holm")[apart]
        p[i[apart], j[apart]] = p[j[apart], i[apart]] = between
    p = np.maximum(p, min(1.0, 2 * evidence.luckiest))
    better = (p <= alpha * (1 + ROUNDING)) & (found.differences > 0)
    return replace(found, p=p, better=better)


def _resampled_tests(evidence: RatingEvidence, alpha: float, test: str | None) -> PairTests:
    means, drawn = evidence.linear, evidence.replicates
    chosen = test or ("holm" if drawn is None and means is None else "max-t")
    if chosen not in TESTS:
        raise UnknownNameError("test of ratings", str(test), TESTS)
    if means is not None:
        return _tests_of_means(means, evidence.ratings, alpha, chosen)
    if chosen == "max-t":
        if drawn is None:
            raise UsageError(
                "the test max-t needs replicates, and there is only a covariance.",
                hint=f"take {say('test', 'holm')}, or {say('errors', 'bootstrap')}.",
            )
        return max_t_fixed(evidence.ratings, drawn, alpha=alpha)
    i, j = every_pair(evidence.n)
    differences, errors = evidence.differences(i, j), evidence.errors_of(i, j)
    single = 2 * evidence.tail(np.abs(ratios(differences, errors)))
    if drawn is not None:
        one_sided = all_pairs(spread(drawn, alpha=alpha, unit=1.0).places)
        single = np.minimum(1.0, 2 * np.minimum(one_sided[i, j], one_sided[j, i]))
    return pair_tests(
        evidence.n,
        adjusted(single, "holm"),
        differences=differences,
        errors=errors,
        critical=np.nan,
        method="wald with holm" if drawn is None else "bootstrap with holm",
        alpha=alpha,
        replicates=0 if drawn is None else len(drawn),
    )


def _tests_of_means(means: Linear, ratings: Floats, alpha: float, test: str) -> PairTests:
    """Return the tests of candidates with enough units; p is 1 for others."""
    n, some = len(ratings), means.tested
    i, j = every_pair(n)
    differences, errors = means.units.differences(i, j), means.units.errors(i, j)
    there = np.isin(i, some) & np.isin(j, some)
    p, critical = np.ones(len(i)), np.nan
    if test == "holm":
        single = 2 * stdtr(means.units.freedom, -np.abs(ratios(differences, errors)))
        p[there] = adjusted(single[there], "holm")
    elif len(some) > 1:
        units = means.among(some).units
        found = max_t(units, means.plan, alpha=alpha, on=means.on)
        p[there], critical = found.p[every_pair(len(some))], found.critical
    return pair_tests(
        n,
        p,
        differences=differences,
        errors=errors,
        critical=critical,
        method="wald with holm" if test == "holm" else "max-t",
        alpha=alpha,
        replicates=0 if test == "holm" else means.plan.replicates,
    )


def rating_groups(
    evidence: RatingEvidence, *, alpha: float = 0.05, strict: bool = False, test: str | None = None
) -> RatingGroups:
    """Return tie groups of rated candidates, made as those of a verdict.

    Whoever won all of few matches is above in every replicate, and yet not shown better: between
    parts that no finite ratings join, p-values are those of the number of matches
    (:class:`deadheat.rate.intervals.Separation`), and ranges of ranks have room for
    whoever is not told apart by them. Shares of first places are unknown for two such candidates
    of whom one is ever first. Nor is any p-value of N independent units below 2 ** -N.

    Without replicates nobody is first in a share of them, and the best rating leads a group.
    """
    standing = ranks(np.asarray(evidence.ratings, dtype=np.float64))
    around: Spread | None = None
    places: Integers = (2 * standing[None]).astype(np.int64)
    medians = -standing
    if evidence.replicates is not None:
        around = spread(evidence.replicates, alpha=alpha, unit=1.0)
        places, medians = around.places, -around.standing
    first = None if around is None else _first(around, evidence.separation, alpha)
    if strict or test is not None:
        tests = rating_tests(evidence, alpha=alpha, test=test)
        merits = -standing
        if evidence.linear is not None and len(evidence.linear.tested):
            silent = np.setdiff1d(np.arange(evidence.n), evidence.linear.tested)
            places = places.copy()
            places[:, silent] = places.max() + 1  # who is not tested shows nobody worse
            merits[silent] -= evidence.n
        groups = greedy_groups(
            tests.better,
            places,
            merits,
            medians=medians,
            p=np.where(tests.differences > 0, tests.p, 1.0),
            alpha=alpha,
            leader="plurality",
            draws=tests.replicates or None,
        )
        low, high = rank_sets(tests.better)
        return RatingGroups(
            groups=groups, spread=around, tests=tests, rank_low=low, rank_high=high, first=first
        )
    columns = None if around is None else columnwise(places)

    def p_of(first: int, others: Integers) -> Floats:
        """Return the p-values of "first is no better", between parts from the matches alone."""
        mine = np.full(len(others), first)
        if columns is None:
            gap, error = evidence.differences(mine, others), evidence.errors_of(mine, others)
            p = evidence.tail(ratios(gap, error))
        else:
            p = p_beats(columns, first, others, plus_one=True)
        parts = evidence.separation
        if parts is not None:
            p = np.where(parts.apart(mine, others), parts.p_values(mine, others), p)
        return np.maximum(p, evidence.luckiest)

    groups = robust_groups(
        places,
        -standing,
        medians=medians,
        alpha=alpha,
        p_of=p_of,
        draws=None if around is None else len(places),
    )
    ends = (None, None) if around is None else _ranges(around, evidence.separation, alpha)
    return RatingGroups(
        groups=groups, spread=around, tests=None, rank_low=ends[0], rank_high=ends[1], first=first
    )


def _ranges(
    around: Spread, separation: Separation | None, alpha: float
) -> tuple[Floats | Integers, Floats | Integers]:
    """Return ranges of ranks, with room for all of other parts who are not told apart.

    Each of them may stand above or below, whatever the replicates say; ranks within a part are
    those of the replicates.
    """
    low, high = around.rank_low, around.rank_high
    if separation is None:
        return low, high
    n, least, most = len(low), low.copy(), high.copy()
    for i in range(n):
        away, ahead, behind = _shown_apart(separation, i, n, alpha)
        unknown = np.count_nonzero(away & ~ahead & ~behind)
        if unknown:
            least[i] = min(low[i], max(low[i] - unknown, 1 + np.count_nonzero(away & ahead)))
            most[i] = max(high[i], min(high[i] + unknown, n - np.count_nonzero(away & behind)))
    return least, most


def _first(around: Spread, separation: Separation | None, alpha: float) -> Floats:
    """Return shares of first places, NaN where luck that no resample shows could change them.

    Where nearly all are in one part, it is the few others of whom nothing is known.
    """
    first = around.first.copy()
    if separation is None:
        return first
    main = () if separation.main is None else separation.main
    for i in np.flatnonzero(around.first > 0).tolist():
        away, ahead, behind = _shown_apart(separation, i, len(first), alpha)
        unknown = away & ~ahead & ~behind
        if unknown.any():
            unknown[i] = True
            unknown[list(main)] = False
            first[unknown] = np.nan
    return first


def _shown_apart(
    parts: Separation, i: int, n: int, alpha: float
) -> tuple[Booleans, Booleans, Booleans]:
    """Return who (n,) is in another part than i, and whom matches show above it and below it."""
    mine, everybody = np.full(n, i), np.arange(n)
    ahead = parts.p_values(everybody, mine) <= alpha / 2
    behind = parts.p_values(mine, everybody) <= alpha / 2
    return parts.apart(mine, everybody), ahead, behind

"""How sure ratings are: intervals of ratings, of their differences and of win probabilities."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from scipy.special import expit, stdtr, stdtrit

from deadheat.errors import DataError, UnknownNameError, UsageError, counted
from deadheat.inference.claims import FEWEST_JUDGES
from deadheat.inference.corrections import require_alpha
from deadheat.inference.intervals import intervals
from deadheat.inference.merit_intervals import merit_errors, studentized_merits
from deadheat.inference.rating_separation import Separation
from deadheat.inference.rating_units import Linear
from deadheat.inference.units import every_pair, parts
from deadheat.inference.winner import STEPS, Corrected, leader_corrected
from deadheat.ranking.ranks import best_of
from deadheat.ranking.rating.sparse import centred_twice
from deadheat.typing import Floats, Integers

KINDS = ("percentile", "basic", "expanded-percentile", "wald")
ROUNDING = 1e-12


@dataclass(frozen=True, eq=False, kw_only=True)
class RatingEvidence:
    """Hold ratings (n,) and how they vary: replicates (B, n), or a covariance (n, n), or both.

    Attributes
    ----------
    replicates
        The ratings of resampled rounds or battles. They are used where both are given.
    covariance
        That of the ratings: a sandwich, or Fisher's on request.
    units, strata
        How many rounds, tasks, battles or clusters were resampled, None if nobody said, and in how
        many strata they are.
    separation
        The parts between which only the number of matches says anything; None if there is one.
    linear
        The ratings as means over these units, where all pairs can be tested with a known error.
    """

    ratings: Floats
    replicates: Floats | None = None
    covariance: Floats | None = None
    units: int | None = None
    strata: int = 1
    separation: Separation | None = None
    linear: Linear | None = None

    def __post_init__(self) -> None:
        n = len(self.ratings)
        if self.replicates is None and self.covariance is None:
            raise UsageError(
                "nothing says how the ratings vary.", hint="give replicates or a covariance."
            )
        if self.replicates is not None and self.replicates.shape[1:] != (n,):
            raise UsageError(
                f"replicates of shape {self.replicates.shape} do not fit {n} ratings.",
                hint="one row per replicate, one column per candidate.",
            )
        if self.covariance is not None and self.covariance.shape != (n, n):
            raise UsageError(
                f"a covariance of shape {self.covariance.shape} does not fit {n} ratings.",
                hint="one row and one column per candidate.",
            )

    @property
    def n(self) -> int:
        """The number of candidates."""
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
        """What a unit is called."""
        return "unit" if self.linear is None else self.linear.noun

    def in_words(self) -> str:
        """Return how many units are independent of each other, in few words."""
        strata = f" in {self.strata:,} strata" if self.strata > 1 else ""
        return f"{counted(self.units or 0, self.noun)}{strata}"

    def tail(self, statistic: Floats) -> Floats:
        """Return the chance that a difference over its error reaches so much."""
        return np.asarray(stdtr(self.freedom, -statistic))

    @cached_property
    def errors(self) -> Floats:
        """The standard error of each rating, (n,)."""
        if self.replicates is not None:
            freedom = min(1, len(self.replicates) - 1)
            return np.asarray(self.replicates.std(axis=0, ddof=freedom))
        assert self.covariance is not None
        return np.sqrt(np.maximum(np.diagonal(self.covariance), 0.0))

    def differences(self, i: Integers, j: Integers) -> Floats:
        """Return rating i less rating j of pairs."""
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
        covariance = None if self.covariance is None else self.covariance[np.ix_(members, members)]
        drawn = None if self.replicates is None else self.replicates[:, members]
        return RatingEvidence(
            ratings=ratings - ratings.mean(),
            replicates=None if drawn is None else drawn - drawn.mean(axis=1, keepdims=True),
            covariance=None if covariance is None else centred_twice(covariance),
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

    Between parts of a field (:class:`Separation`) an interval has one end or none: the other is
    infinite, and the error NaN.
    """

    values: Floats
    errors: Floats
    low: Floats
    high: Floats
    kind: str
    alpha: float


@dataclass(frozen=True, eq=False, kw_only=True)
class WinMatrix:
    """Hold at [i, j] the probability that i beats j, (n, n), with its interval; .5 where i = j."""

    p: Floats
    low: Floats
    high: Floats
    kind: str
    alpha: float


def rating_intervals(
    evidence: RatingEvidence, *, alpha: float = 0.05, kind: str | None = None
) -> Bounds:
    r"""Return the interval of each rating.

    Parameters
    ----------
    kind
        ``"percentile"`` (the default with replicates), ``"basic"``, ``"expanded-percentile"``
        (see :func:`deadheat.inference.intervals.intervals`), or ``"wald"``: the rating plus and
        minus :math:`t_{1-\alpha/2}` standard errors (the default without replicates), with as many
        degrees of freedom as units less strata: 10 rounds have no normal tails.

    Notes
    -----
    A rating is relative to what the ratings add up to, or to the anchor; so is its interval. That
    of a difference (:func:`difference_intervals`) is the same under every anchor.

    Where no finite ratings join all, see
    :class:`deadheat.inference.rating_separation.Separation`. Where they join nine candidates of
    ten, the intervals of these are of what they are above the mean of these.
    """
    kind = _kind(evidence, kind)
    observed = np.asarray(evidence.ratings, dtype=np.float64)
    if evidence.separation is not None:
        low, high = evidence.separation.bounded_ratings(observed, alpha)
        errors = np.full(len(observed), np.nan)
        main = evidence.separation.main
        if main is not None:
            inner, level = evidence.among(main), observed[main].mean()
            found = rating_intervals(inner, alpha=alpha, kind=kind)
            low[main], high[main], errors[main] = (
                found.low + level,
                found.high + level,
                inner.errors,
            )
        return Bounds(values=observed, errors=errors, low=low, high=high, kind=kind, alpha=alpha)
    if kind == "wald":
        return _wald(evidence, observed, evidence.errors, alpha)
    assert evidence.replicates is not None
    low, high = intervals(
        kind, observed=observed, merits=evidence.replicates, alpha=alpha, m=evidence.units or 2
    )
    return Bounds(
        values=observed, errors=evidence.errors, low=low, high=high, kind=kind, alpha=alpha
    )


def difference_intervals(
    evidence: RatingEvidence,
    i: Integers,
    j: Integers,
    *,
    alpha: float = 0.05,
    kind: str | None = None,
) -> Bounds:
    r"""Return the intervals of the differences of pairs, as :func:`rating_intervals`.

    Notes
    -----
    Differs from [1]_ and its software, whose standard errors are those of independent matches. One
    score enters many matches: with 5 candidates and 20 splits the 95 % interval from Fisher's
    information holds the true difference in 26 % of cases where all splits meet, and in 85 % where
    only equal ones do. The percentile bootstrap over splits holds it in 90 %.

    References
    ----------
    .. [1] Gosiewska, Woznica, Bakala, Zwolinski, Biecek (2019), "EPP: interpretable score of model
           predictive power", sec. 4.1.
    """
    i, j = np.asarray(i), np.asarray(j)
    kind = _kind(evidence, kind)
    found = _resampled_differences(evidence, i, j, alpha=alpha, kind=kind)
    if evidence.separation is None:
        return found
    low, high = evidence.separation.bounded(
        i, j, values=found.values, low=found.low, high=found.high, alpha=alpha
    )
    errors = np.where(evidence.separation.apart(i, j), np.nan, found.errors)
    return replace(found, errors=errors, low=low, high=high)


def _resampled_differences(
    evidence: RatingEvidence, i: Integers, j: Integers, *, alpha: float, kind: str
) -> Bounds:
    """Return the intervals of differences from replicates or a covariance alone."""
    differences, errors = evidence.differences(i, j), evidence.errors_of(i, j)
    if kind == "wald":
        return _wald(evidence, differences, errors, alpha)
    require_alpha(alpha)
    low, high = np.empty(len(i)), np.empty(len(i))
    columns = evidence.columns
    for p in parts(len(i), columns.shape[1]):
        low[p], high[p] = intervals(
            kind,
            observed=differences[p],
            merits=(columns[i[p]] - columns[j[p]]).T,
            alpha=alpha,
            m=evidence.units or 2,
        )
    return Bounds(values=differences, errors=errors, low=low, high=high, kind=kind, alpha=alpha)


def win_matrix(
    evidence: RatingEvidence,
    *,
    alpha: float = 0.05,
    kind: str | None = None,
    chance: Callable[[Floats], Floats] = expit,
) -> WinMatrix:
    r"""Return the win probabilities of all pairs, their intervals those of the differences.

    .. math:: p_{ij} = 1 / (1 + \exp(-(b_i - b_j)))

    is increasing in the difference, so that the ends of its interval give those of the
    probability.

    Parameters
    ----------
    chance
        Another increasing function of the difference: that of a model with ties of its own. The
        default is the probability to win plus half of that to tie.

    Notes
    -----
    Differs from [1]_, sec. 4.1 "Ad 2.2", which reads the probability as a test: it is the size of
    an effect. Whether .6 is noise is what its interval says.

    References
    ----------
    .. [1] Gosiewska et al. (2019), "EPP: interpretable score of model predictive power", eq. 5.
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
        found[i, j] = chance(ahead)
        found[j, i] = chance(-behind)
        np.fill_diagonal(found, chance(np.zeros(n)))
    return WinMatrix(p=p, low=low, high=high, kind=bounds.kind, alpha=alpha)


def leader_of_ratings(evidence: RatingEvidence, *, alpha: float = 0.05) -> Corrected | None:
    """Return the highest rating corrected for having been chosen, with an interval that holds.

    See :func:`deadheat.inference.winner.leader_corrected`. None where it cannot be had: for models
    whose ratings are no means over units to first order, from too few of these, between parts that
    no finite ratings join, where nothing varies, and where it would take long.
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
    drawn: Floats
    if evidence.replicates is None:
        drawn = ratings + merit_errors(among, slice(None))[1]
    else:
        drawn = evidence.replicates[:, some]
    best = leader_corrected(ratings, drawn, alpha=alpha, studentized=studentized_merits(among))
    return replace(best, leader=int(some[best.leader])) if best.low < best.high else None


def _wald(evidence: RatingEvidence, values: Floats, errors: Floats, alpha: float) -> Bounds:
    require_alpha(alpha)
    half = float(stdtrit(evidence.freedom, 1 - alpha / 2)) * errors
    return Bounds(
        values=values,
        errors=errors,
        low=values - half,
        high=values + half,
        kind="wald",
        alpha=alpha,
    )


def _kind(evidence: RatingEvidence, kind: str | None) -> str:
    """Return the kind of interval, or refuse one that the evidence cannot give."""
    if kind is None:
        return "wald" if evidence.replicates is None else "percentile"
    if kind not in KINDS:
        raise UnknownNameError("interval of a rating", str(kind), KINDS)
    if kind != "wald" and evidence.replicates is None:
        raise UsageError(
            f"the interval {kind} needs replicates, and there is only a covariance.",
            hint="take interval='wald' (--interval wald), "
            "or errors='bootstrap' (--errors bootstrap).",
        )
    if kind == "expanded-percentile" and evidence.units is None:
        raise UsageError(
            "the interval expanded-percentile needs to know how many units were resampled.",
            hint="give units=, the number of rounds, tasks or clusters.",
        )
    return kind

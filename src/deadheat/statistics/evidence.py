"""What every statement about a table rests on: observed merits, and those of many replicates."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, Protocol

import numpy as np
from scipy.special import ndtri

from deadheat.core.errors import (
    DataError,
    UsageError,
    ask,
    command_with,
    counted,
    listed,
    quoted,
)
from deadheat.core.types import Floats, Integers, codes
from deadheat.data.results import Results
from deadheat.ranking.block import WORKING_SET, slices
from deadheat.ranking.contributions import Contributions
from deadheat.ranking.function import RankingFunction, spoken
from deadheat.ranking.on_tables import observed as observed_merits
from deadheat.ranking.ranks import RELATIVE_TOLERANCE, best_first, ranks
from deadheat.resampling.engines import Engine, Progress, engine
from deadheat.resampling.plans import Jackknife, Plan, blocks
from deadheat.resampling.replicate import replicate
from deadheat.statistics import intervals
from deadheat.statistics.intervals import Ends
from deadheat.statistics.max_t import statistics, worlds
from deadheat.statistics.pair_tests import inverse_errors
from deadheat.statistics.units import FEWEST_JUDGES, Units, units


def require_enough(results: Results) -> None:
    """Refuse a table of which nothing can be drawn: one candidate, or one judge."""
    present = int(np.count_nonzero(results.weights))
    if results.n == 1:
        few = f"{counted(results.n, 'candidate')}: nobody to compare it with"
        hint = f"at least 2 are needed; what was understood: {ask('check', 'FILE')}"
        raise DataError(f"{results.source} has {few}.", hint=hint)
    if present > 1:
        return
    if results.only_score:
        score = f"one score for each {results.nouns.candidate} ({quoted(results.only_score)})"
        each = f"{results.source} has {score}"
        if results.tells_its_errors:
            hint = f"who is level with the best by the standard errors: {ask('rank', 'FILE')}"
            raise DataError(f"{each}: nothing to resample.", hint=hint)
        more = "add a column of standard errors or intervals, or scores on 20 tasks."
        hint = f"who is first by it: {ask('rank', 'FILE')}\nto know how sure that is, {more}"
        raise DataError(f"{each}: nothing shows how far the scores would vary.", hint=hint)
    weighty = " with a weight above 0" if results.m > present else ""
    few = f"{results.nouns.judges(present)}{weighty}: nothing shows how far the scores would vary"
    least = results.nouns.judges(2)
    hint = f"at least {least}, and 20 for a claim, are needed; what was understood: "
    raise DataError(f"{results.source} has {few}.", hint=hint + ask("check", "FILE"))


def require_judges_drawn(plan: Plan) -> None:
    if not plan.one_field:
        raise UsageError(
            "the plan resamples candidates, and this is about those that are there.",
            hint=f"resample judges; to resample candidates: {ask('criteria', 'FILE')}",
        )


def require_enough_replicates(
    replicates: int, alpha: float, rivals: int = 1, *, usual: int = 10_000
) -> None:
    if replicates + 1 < (1 - 1e-9) / alpha:  # the number may be beyond all floats
        fewest = int(np.ceil(rivals / alpha - 1e-9)) - 1
        few = f"{counted(replicates, 'replicate')} {'is' if replicates == 1 else 'are'} too few"
        raise UsageError(
            f"{few} for alpha = {alpha:g}: no p-value can be below 1/{replicates + 1:,}.",
            hint=f"at least {fewest:,} for {counted(rivals, 'test')}: "
            + command_with(replicates=max(fewest, usual)),
        )


CACHED = 2**14  # merits that are ranked at a time


@dataclass(frozen=True, eq=False, kw_only=True)
class Spread:
    places: Integers  # twice the rank in each replicate, (B, n): the tied share mean ranks
    first: Floats  # the share of replicates in which a candidate is first, alone or not
    medians: Floats  # of the merit over the replicates
    standing: Floats  # the rank by it
    # The alpha/2 and 1 - alpha/2 quantiles of the ranks: no confidence interval of a rank
    # (:data:`~deadheat.statistics.error_rates.RANGE_HOLDS_ONE_RANK`).
    rank_low: Floats
    rank_high: Floats
    iqr: Floats  # the inter-quartile range of the ranks


def spread(merits: Floats, *, alpha: float, unit: Floats | float) -> Spread:
    """Return what replicates (B, n) say; ``unit`` tells the ties, as in :func:`ranks`."""
    columns = np.asfortranarray(twice_the_ranks(merits, unit))
    levels = np.array([alpha / 2, 0.25, 0.75, 1 - alpha / 2])
    quantiles = [_quantiles_of_counts(np.bincount(c), levels) for c in columns.T]
    low, first, third, high = np.stack(quantiles, axis=1) / 2
    best = columns.min(axis=1)  # nobody beats it: the first place, shared or not
    medians = intervals.medians(merits)
    return Spread(
        places=columns,
        first=np.array([np.count_nonzero(c == best) for c in columns.T]) / len(merits),
        medians=medians.astype(np.float64),
        standing=ranks(medians, unit=unit),
        rank_low=low,
        rank_high=high,
        iqr=third - first,
    )


def _quantiles_of_counts(counts: Integers, levels: Floats) -> Floats:
    """Return quantiles of whole numbers, of which each number comes so often.

    >>> _quantiles_of_counts(np.bincount([2, 1, 7, 2]), np.array([0.25, 0.5, 0.75]))
    array([1.75, 2.  , 3.25])
    """
    upto = np.cumsum(counts)
    places = levels * (upto[-1] - 1)
    below = np.floor(places)
    start, end = (np.searchsorted(upto, k, side="right") for k in (below, np.ceil(places)))
    return np.asarray(start + (places - below) * (end - start))


def whole(merits: Floats) -> tuple[Floats, int]:
    """Return the replicates in which everybody has a merit, and how many were left out."""
    undefined = np.isnan(merits).any(axis=1)
    if undefined.all():
        raise DataError(
            "in every resample some candidate has no judge that scored it.",
            hint=f"with the worst score for a missing one: {command_with(missing='worst')}",
        )
    return (merits[~undefined] if undefined.any() else merits), int(undefined.sum())


def twice_the_ranks(merits: Floats, unit: Floats | float) -> Integers:
    """Return twice the mean ranks (B, n), as many replicates at a time as stay in the cache."""
    n = merits.shape[1]
    twice = np.empty(merits.shape, dtype=np.min_scalar_type(2 * n))
    for part in slices(len(merits), n, of=CACHED):
        twice[part] = 2 * ranks(merits[part], unit=unit)
    return twice


@dataclass(frozen=True, eq=False, kw_only=True)
class Evidence:
    results: Results
    function: RankingFunction
    plan: Plan
    observed: Floats
    merits: Floats
    contributions: Contributions | None  # of each judge, where the function is a mean over them
    skipped: int = 0  # how many replicates were left out because somebody had no merit in them
    rows: Integers | None = None  # under a jackknife, which of its replicates these are; None: all
    on: str | Engine = "threads"

    @property
    def size(self) -> tuple[int, int, int]:
        """The numbers n, m and B of tests of all pairs; m = 0 where there are no contributions."""
        m = 0 if self.contributions is None else self.results.m
        drawn = self.plan.with_replacement
        return self.results.n, m, len(self.merits) if drawn else self.plan.bootstrap().replicates

    @property
    def no_mean(self) -> str:
        nouns = self.results.nouns
        if self.function.additive and self.results.has_holes:
            own = f"{nouns.candidates()} have {nouns.judges()} of their own"
            return f"scores are missing, so that {own}"
        return f"{spoken(self.function.name)} is not a mean over the {nouns.judges()}"

    @property
    def whole(self) -> float:
        """The share of the replicates in which everybody has a merit: others are left out."""
        return len(self.merits) / (len(self.merits) + self.skipped)

    @cached_property
    def unit(self) -> Floats | float:
        """The size of the numbers that merits are summed from, which tells their ties."""
        return self.function.unit(self.results.scores, self.results.weights)

    @cached_property
    def ranks(self) -> Floats:
        return ranks(self.observed, unit=self.unit)

    @cached_property
    def independent(self) -> int:
        """How many things were drawn independently of each other: clusters, else judges."""
        if self.plan.clusters is not None:
            return len(set(self.plan.clusters))
        return int(np.count_nonzero(self.results.weights))

    @property
    def effective(self) -> float:
        """How many equal judges, or clusters, the table is worth under its weights."""
        return self.plan.effective(self.results.weights)

    @cached_property
    def units(self) -> Units:
        """What the plan draws, and what each of it adds; only where there are contributions."""
        known = self.contributions
        assert known is not None
        labels = (self.plan.clusters, self.plan.strata)
        clusters, strata = (None if each is None else codes(each) for each in labels)
        return units(known.per_judge, weights=known.weights, clusters=clusters, strata=strata)

    @cached_property
    def left_out_strata(self) -> Integers | None:
        """Under a jackknife inside strata, the stratum of what each replicate leaves out, (B,)."""
        of_units = self.plan.left_out_strata(self.results.m)
        return of_units if of_units is None or self.rows is None else of_units[self.rows]

    @cached_property
    def freedom(self) -> int:
        """How many units there are beyond the first of every stratum."""
        if self.plan.random:
            units, strata = self.plan.present(self.results.weights)
            return units - strata
        of_units = self.left_out_strata
        return len(self.merits) - (1 if of_units is None else len(np.unique(of_units)))

    @cached_property
    def too_few(self) -> bool:
        """Whether there are too few judges for any claim; one of each stratum tells nothing."""
        return min(self.freedom + 1, self.effective) < FEWEST_JUDGES

    def quantiles(self, kind: str) -> str:
        """Return the interval that is meant by a kind: with Rao-Wu weights by Student's t."""
        return "expanded-percentile" if kind == "percentile" and self.plan.rao_wu else kind


def too_few_units(results: Results, plan: Plan) -> bool:
    drawn, strata = plan.present(results.weights)
    return min(drawn - strata + 1, plan.effective(results.weights)) < FEWEST_JUDGES


def units_in_words(results: Results, plan: Plan) -> str:
    (drawn, strata), worth = plan.present(results.weights), plan.effective(results.weights)
    number = counted(drawn, results.nouns.unit(plan.unit))
    if worth < min(FEWEST_JUDGES, drawn - strata + 1):
        return f"{number}, worth {worth:.2g} of equal weight,"
    few = strata > 1 and drawn - strata + 1 < FEWEST_JUDGES
    return f"{number} in {strata:,} strata" if few else number


def require_variation(results: Results, plan: Plan) -> None:
    units, strata = plan.present(results.weights)
    if units <= strata:
        where = "" if units == 1 else ", each in a stratum of its own"
        number = counted(units, results.nouns.unit(plan.unit))
        raise DataError(
            f"{number}{where}: every resample would be the table itself.",
            hint="at least 2 are needed in some stratum, and 20 for a claim; one by one: "
            + command_with(plan="bootstrap"),
        )


def collect_evidence(
    results: Results,
    f: RankingFunction,
    plan: Plan,
    *,
    on: str | Engine = "threads",
    progress: Progress | None = None,
) -> Evidence:
    (observed,) = observed_merits(results, [f])
    undefined = [results.candidates[i] for i in np.flatnonzero(np.isnan(observed)).tolist()]
    if undefined:
        whom = f"{counted(len(undefined), 'candidate')}: {listed(undefined, most=5)}"
        raise DataError(
            f"{f.name} gives no merit to {whom}.",
            hint="every candidate that is present needs a merit; check its kernel.",
        )
    require_variation(results, plan)
    merits, known = replicate(results, f, plan, on=on, progress=progress)
    if known is not None and merits.dtype == np.float32:
        # In float64: one sum over thousands of judges in float32 is off by more than replicates
        # are, which matrix products sum in parts, and would lie beside them.
        sums = [row.astype(np.float64) @ known.weights for row in known.values]
        observed = np.array(np.array(sums) / known.weights.sum(), dtype=np.float32)
    rows = plan.leaves_out(results.weights)
    merits = merits if rows is None else merits[rows]
    defined, skipped = whole(merits)
    if skipped and rows is not None:
        rows = rows[~np.isnan(merits).any(axis=1)]
    return Evidence(
        results=results,
        function=f,
        plan=plan,
        observed=observed,
        merits=defined,
        contributions=known,
        skipped=skipped,
        rows=rows,
        on=on,
    )


def leaving_out(evidence: Evidence) -> Evidence:
    e = evidence
    plan = Jackknife(labels=e.plan.clusters or tuple(e.results.judges), strata=e.plan.strata)
    return collect_evidence(e.results, e.function, plan, on=e.on)


POWER = 0.8


def detectable(
    evidence: Evidence, leader: int, tied: Sequence[int], *, alpha: float, critical: float | None
) -> float | None:
    r"""Return the lead that tests would have shown in 4 of 5 cases, on the scale of merits.

    .. math:: (c + z_{.80}) \max_j se(leader - j)

    over all j that tie with the leader; None beyond what the scores of any judge are apart.
    """
    rivals = np.array([i for i in tied if i != leader], dtype=np.int64)
    if not len(rivals):
        return None
    known, widest = evidence.contributions, np.inf
    if known is not None:
        errors = evidence.units.errors(np.full(len(rivals), leader), rivals)
        widest = np.ptp(known.values, axis=0).max() / (known.scale if known.counts else 1.0)
    else:
        mine = evidence.merits[:, leader].astype(np.float64)
        errors = np.array([np.std(mine - evidence.merits[:, i]) for i in rivals.tolist()])
    lead = detectable_lead(errors, alpha=alpha, others=evidence.results.n - 1, critical=critical)
    return lead if lead is not None and lead < widest else None


def detectable_lead(
    errors: Floats, *, alpha: float, others: int, critical: float | None
) -> float | None:
    """Return the lead that tests with these errors show in 4 of 5 cases; None where none is.

    Without a critical value of tests of all pairs it is Holm's first step of one-sided ones.
    """
    if critical is None:
        critical = float(-ndtri(alpha / others))
    lead = (critical + float(ndtri(POWER))) * float(errors.max())
    return lead if 0 < lead < np.inf else None


# Intervals of merits, of any kind, from the evidence of a table.

INTERVALS = (*intervals.KINDS, "simultaneous")
AT_ONCE = WORKING_SET // 4  # numbers of some candidates: half a dozen such arrays are needed
FEWEST = 32  # candidates at a time: for fewer, drawing the replicates would be most of the work


class Means(Protocol):
    """Merits, or ratings, that are means over units: what these are, and what draws them."""

    @property
    def units(self) -> Units: ...
    @property
    def plan(self) -> Plan: ...
    @property
    def on(self) -> str | Engine: ...


def merit_intervals(kind: str, evidence: Evidence, *, alpha: float) -> Ends:
    e = evidence
    if not e.plan.random:
        return _by_jackknife(kind, e, alpha)
    if kind == "simultaneous":
        return _at_once(e, alpha)
    if kind == "bootstrap-t":
        return _by_bootstrap_t(e, alpha)
    known: dict[str, Any] = {"freedom": e.freedom, "kept": e.plan.variance_kept(e.results.m)}
    if kind == "bca" and e.contributions is not None:
        known["acceleration"] = intervals.of_units(e.units)
    elif kind == "bca":
        alone = leaving_out(e)
        by_strata = alone.merits, alone.left_out_strata
        known["acceleration"] = intervals.jackknife_accelerations(*by_strata)
    elif kind == "wilson":
        known |= _shares(e)
    known |= {"observed": e.observed, "merits": e.merits, "alpha": alpha, "m": e.independent}
    return intervals.intervals(e.quantiles(kind), **known)


def _at_once(e: Evidence, alpha: float) -> Ends:
    if e.contributions is None or not e.plan.with_replacement:
        fixed = intervals.by_fixed_errors(e.observed, e.merits)
        return intervals.studentized_band(e.observed, fixed, alpha)
    if (zero := zero_of_shares(e)) is not None:
        low, high = intervals.share_ends(e.observed - zero, e.effective, alpha / (2 * e.results.n))
        return low + zero, high + zero
    return intervals.studentized_band(e.observed, studentized_merits(e), alpha)


def zero_of_shares(evidence: Evidence) -> float | None:
    """Return what a failure is worth where every judge gives 0 or 1 (or -1 or 0), else None."""
    known = evidence.contributions
    if known is None:
        return None
    given = known.values if known.scale == 1 else known.per_judge  # mostly no copy
    return intervals.zero_of(given, lower=bool(evidence.results.lower.all()))


def _by_bootstrap_t(e: Evidence, alpha: float) -> Ends:
    """Return bootstrap-t intervals, of so few candidates at a time that memory stays bounded."""
    needs = "the interval bootstrap-t needs"
    if e.contributions is None:
        raise UsageError(
            f"{needs} merits that are means over {e.results.nouns.judges()}, and {e.no_mean}.",
            hint=f"for other merits: {command_with(interval='expanded-percentile')}",
        )
    if not e.plan.with_replacement:
        raise UsageError(
            f"{needs} a plan that draws with replacement.",
            hint=f"by such a plan: {command_with(plan=None)}\n"
            f"for this plan: {command_with(interval='percentile')}",
        )
    ends = np.empty((2, e.units.n))
    for part in _affordable(e):
        errors, shifts, of_replicates = merit_errors(e, part)
        some = {"observed": e.observed[part], "merits": e.observed[part] + shifts}
        some |= {"errors": errors, "replicate_errors": of_replicates}
        ends[:, part] = intervals.intervals("bootstrap-t", **some, alpha=alpha, m=e.independent)
    return ends[0], ends[1]


def studentized_merits(evidence: Means) -> Iterator[tuple[Floats, Floats]]:
    """Yield the errors of some candidates (k,), and their studentized replicates (B, k)."""
    for part in _affordable(evidence):
        errors, shifts, of_replicates = merit_errors(evidence, part)
        floored = np.maximum(of_replicates, intervals.SMALLEST_ERROR * errors)
        yield errors, np.divide(shifts, floored, out=np.zeros_like(shifts), where=floored > 0)


def _affordable(evidence: Means) -> list[slice]:
    of_all = evidence.units
    step = max(FEWEST, AT_ONCE // max(of_all.u, evidence.plan.bootstrap().replicates))
    return [slice(start, start + step) for start in range(0, of_all.n, step)]


def merit_errors(evidence: Means, part: slice) -> tuple[Floats, Floats, Floats]:
    """Return standard errors of some merits (n,), shifts of replicates, and their errors (B, n).

    A merit is its difference to a candidate to which every judge gives 0.
    """
    of_all, plan = evidence.units, evidence.plan.bootstrap()
    values = of_all.values[part]
    some = replace(of_all, values=np.concatenate([values, np.zeros((1, of_all.u))]))
    i, j = np.arange(len(values)), np.full(len(values), len(values))
    errors = some.errors(i, j)
    work = partial(_errors_of_block, units=some, plan=plan, n=of_all.n, pairs=(i, j), errors=errors)
    both, done = np.empty((2, plan.replicates, len(values))), 0
    with engine(evidence.on) as running:
        for rows in running.map(work, blocks(plan, of_all.n, of_all.m)):
            both[:, done : done + rows.shape[1]] = rows
            done += rows.shape[1]
    return errors, both[0, :done], both[1, :done]


def _errors_of_block(
    k: int, *, units: Units, plan: Plan, n: int, pairs: tuple[Integers, Integers], errors: Floats
) -> Floats:
    parts: list[Floats] = [np.empty((2, 0, len(errors)))]
    for some, asked, _ in worlds(units, plan, k, n=n):  # others have no merits and are left out too
        shift, variance = statistics(units, some, *pairs, inverse_errors(errors))
        both = np.stack([shift, np.sqrt(np.maximum(variance, 0))]).transpose(0, 2, 1)
        parts.append((both * errors)[:, :asked])
    return np.concatenate(parts, axis=1)


def jackknife_errors(left_out: Floats, strata: Integers | None = None) -> Floats:
    r"""Return the standard errors that leaving out one at a time (U, n) gives.

    .. math:: se^2 = \sum_h \frac{n_h - 1}{n_h} \sum_{u \in h} (f_{(u)} - \bar f_h)^2

    over strata h of :math:`n_h` units (Wolter 2007, "Introduction to Variance Estimation", 2nd ed.,
    sec. 4.5). Wrong for functions that do not change smoothly with the weights, such as medians.
    """
    variance = np.zeros(left_out.shape[1])
    labels = np.zeros(len(left_out)) if strata is None else strata
    for h in np.unique(labels):
        inside = left_out[labels == h].astype(np.float64)
        inside -= inside.mean(axis=0)
        variance += (len(inside) - 1) / len(inside) * np.square(inside).sum(axis=0)
    return np.sqrt(variance)


def jackknife_p(evidence: Evidence, leader: int, others: Integers) -> Floats:
    """Return one-sided p-values of "the leader is better", by Student's t with jackknife errors."""
    from scipy.special import stdtr

    observed, merits = evidence.observed.astype(np.float64), evidence.merits
    differences = observed[leader] - observed[others]
    errors = jackknife_errors(merits[:, [leader]] - merits[:, others], evidence.left_out_strata)
    noise = np.abs(observed[others]) + abs(float(observed[leader]))
    noise = RELATIVE_TOLERANCE.get(merits.dtype, 1e-12) * noise
    still = errors <= noise
    differences[np.abs(differences) <= noise] = 0.0
    t = np.divide(differences, errors, out=np.zeros_like(differences), where=~still)
    p = np.asarray(stdtr(evidence.freedom, -t))
    return np.where(still, np.where(differences > 0, 0.0, 1.0), np.where(differences == 0, 1.0, p))


def _by_jackknife(kind: str, evidence: Evidence, alpha: float) -> Ends:
    if kind != "percentile":
        raise UsageError(
            f"the jackknife gives standard errors and no {kind} intervals.",
            hint=f"by resampling: {command_with(plan=None)}\n"
            f"by standard errors: {command_with(interval='percentile')}",
        )
    from scipy.special import stdtrit

    errors = jackknife_errors(evidence.merits, evidence.left_out_strata)
    half = errors * float(stdtrit(evidence.freedom, 1 - alpha / 2))
    return evidence.observed - half, evidence.observed + half


def _shares(evidence: Evidence) -> dict[str, Any]:
    scores, weights = evidence.results.scores, evidence.results.weights
    known = ~np.isnan(scores)
    means = np.where(known, scores, 0.0) @ weights / (known @ weights)
    if not np.allclose(means, evidence.observed, rtol=0, atol=1e-6):
        raise UsageError(
            "the interval wilson is for shares, and the merits by "
            f"{evidence.function.name} are not means of the scores.",
            hint=f"for other merits: {command_with(interval='expanded-percentile')}\n"
            f"by means: {command_with(by='mean')}",
        )
    effective: Floats | float = evidence.effective
    if not known.all():  # how many judges the merits are worth, one number each
        effective = np.array([evidence.plan.effective(weights * row) for row in known])
    lower = bool(evidence.results.lower.all())
    return {"scores": scores, "lower": lower, "effective": effective}


# The winner's own number: what the best of many is worth, having been chosen for being best.

STEPS = 2e10  # a few seconds that nobody asked for


@dataclass(frozen=True, kw_only=True)
class CorrectedEstimate:
    leader: int
    estimate: float
    low: float
    high: float


def correct_leader(
    observed: Floats,
    replicates: Floats,
    *,
    alpha: float,
    unit: Floats | float = 1.0,
    studentized: Iterable[tuple[Floats, Floats]] = (),
    ends: tuple[float, float] | None = None,
) -> CorrectedEstimate:
    r"""Correct the number of the observed leader L for the choice, with an interval that holds.

    In replicate b the leader :math:`L_b` looks better than it is by :math:`f^*_{b L_b} -
    \hat f_{L_b}`; the estimate is less by the mean of that (Efron, Tibshirani 1993, ch. 10), two
    thirds of the bias at equality (``docs/validity.md``, study "equal"). The interval is

    .. math:: \Big[\hat f_L - q_{1-\alpha/2}\big(\max_i T^*_i\big)\, s_L,\;
              \hat f_L - q_{\alpha/2}\big(T^*_L\big)\, s_L\Big], \qquad
              T^*_i = \frac{f^*_i - \hat f_i}{s^*_i}

    The lower end holds for all candidates at once, so for whichever is chosen. The upper end is the
    usual one: if L leads and is worth more than it shows by z errors, then so is the truly best.
    ``studentized`` are s (k,) and :math:`T^*` (B, k) of some after the other, for unknown ``ends``.
    """
    leader = int(best_first(observed, unit=unit)[0])
    mine = float(observed[leader])
    if ends is None:
        done, error = 0, 0.0
        largest: Floats = np.full(1, -np.inf)
        own: Floats = np.zeros(1)
        for errors, statistics in studentized:
            largest = np.maximum(largest, statistics.max(axis=1))
            if done <= leader < done + len(errors):
                own, error = statistics[:, leader - done].copy(), float(errors[leader - done])
            done += len(errors)
        best, worst = np.quantile(largest, 1 - alpha / 2), np.quantile(own, alpha / 2)
        ends = mine - float(best) * error, mine - float(worst) * error
    low, high = ends
    estimate = min(max(mine - max(luck_of_the_leader(observed, replicates), 0.0), low), high)
    return CorrectedEstimate(leader=leader, estimate=float(estimate), low=low, high=high)


def leader_of(evidence: Evidence, *, alpha: float) -> CorrectedEstimate | None:
    """Return the corrected merit of the leader; None where it is unknown or takes long."""
    e, ends = evidence, None
    few = min(e.freedom + 1, e.effective) < FEWEST_JUDGES
    if few or not e.plan.with_replacement or e.contributions is None:
        return None
    if (zero := zero_of_shares(e)) is not None:
        share = float(e.observed.max()) - zero
        low, _ = intervals.share_ends(share, e.effective, alpha / (2 * e.results.n))
        _, high = intervals.share_ends(share, e.effective, alpha / 2)
        ends = (float(low) + zero, float(high) + zero)
    elif e.units.n * e.units.u * len(e.merits) > STEPS:
        return None
    known: Any = {"studentized": studentized_merits(e), "ends": ends}  # the former where no ends
    return correct_leader(e.observed, e.merits, alpha=alpha, unit=e.unit, **known)


def luck_of_the_leader(observed: Floats, replicates: Floats) -> float:
    luck = 0.0
    for some in slices(len(replicates), len(observed)):
        rows = replicates[some]
        first = np.argmax(rows, axis=1)
        best = rows[np.arange(len(rows)), first].astype(np.float64)
        luck += float((best - observed[first]).sum())
    return luck / len(replicates)

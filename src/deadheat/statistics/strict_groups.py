"""Stricter groups: all pairs tested at once, by resamples or by classical tests."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from deadheat.core.errors import UsageError, command_with
from deadheat.core.options import Leader
from deadheat.core.types import Floats, Integers
from deadheat.ranking.ranks import ranks
from deadheat.resampling.engines import Progress
from deadheat.statistics.corrections import adjusted_p_values
from deadheat.statistics.evidence import Evidence, Spread, collect_evidence
from deadheat.statistics.groups import Groups, greedy_groups
from deadheat.statistics.max_t import (
    TOO_MUCH,
    Flips,
    cost_in_words,
    flips,
    max_t,
    max_t_fixed,
    sign_flip,
)
from deadheat.statistics.pair_tests import PairTests, pair_tests, rank_sets, ratios
from deadheat.statistics.units import Units, every_pair, parts

# The classical tests of all pairs: paired t and Wilcoxon with Holm, and Nemenyi.

LONGEST_EXACT = 50
Outcome = tuple[Floats, Floats, Floats, float]  # p, differences, errors, the critical value
DIGITS = 12  # differences of the largest score that agree to so many are tied


def classical(test: str, units: Units, *, alpha: float) -> PairTests:
    return pair_tests(units.n, *CLASSICAL[test](units, *every_pair(units.n), alpha), test, alpha)


def _t_holm(units: Units, i: Integers, j: Integers, alpha: float) -> Outcome:
    """Test by the paired t-test over units, with Holm's correction; Bonferroni's critical value."""
    from scipy.special import stdtr, stdtrit

    differences, errors = units.differences(i, j), units.errors(i, j)
    p = 2 * stdtr(units.freedom, -np.abs(ratios(differences, errors)))
    critical = float(stdtrit(units.freedom, 1 - alpha / (2 * max(len(i), 1))))
    return adjusted_p_values(p, "holm"), differences, errors, critical


def _wilcoxon_holm(units: Units, i: Integers, j: Integers, alpha: float) -> Outcome:  # noqa: ARG001
    """Test by Wilcoxon's signed ranks over units (1945), with Holm's correction.

    Without ties the p-value of up to 50 units is exact. What is tested is that differences are
    symmetric about 0, not that merits are equal
    (:data:`~deadheat.statistics.error_rates.WILCOXON_ERRS_ON_SKEWED`). ``differences`` are the
    matched-pair rank-biserial correlations, which may point another way than the merits.
    """
    _require_equal_sizes("wilcoxon-holm", units)
    both, scores = np.zeros((2, len(i))), units.means
    scores = scores / max(float(np.abs(scores).max(initial=0.0)), np.finfo(float).tiny)
    for part in parts(len(i), units.u):
        both[:, part] = _wilcoxon(np.round(scores[i[part]] - scores[j[part]], DIGITS))
    return adjusted_p_values(both[0], "holm"), both[1], np.full(len(i), np.nan), np.nan


def _nemenyi(units: Units, i: Integers, j: Integers, alpha: float) -> Outcome:
    r"""Test by the differences of mean ranks over m units (Demšar 2006, JMLR 7, sec. 3.2.2).

    .. math:: CD = \frac{q_\alpha}{\sqrt 2} \sqrt{\frac{n (n + 1)}{6 m}}

    is ``critical * errors``, with the studentized range q of n and infinite degrees of freedom.
    """
    _require_equal_sizes("nemenyi", units)
    n, m = units.n, units.u
    mean_ranks = ranks(units.means.T).mean(axis=0)
    differences = np.round(mean_ranks[j] - mean_ranks[i], DIGITS)
    error = np.sqrt(n * (n + 1) / (6 * m))
    p, critical = np.ones(len(i)), np.nan
    if n > 1:
        from scipy.stats import studentized_range

        distinct, back = np.unique(np.abs(differences), return_inverse=True)
        p = np.clip(studentized_range.sf(distinct / error * np.sqrt(2), n, np.inf), 0, 1)[back]
        critical = float(studentized_range.isf(alpha, n, np.inf)) / np.sqrt(2)
    return p, differences, np.full(len(i), error), critical


def _wilcoxon(differences: Floats) -> tuple[Floats, Floats]:
    from scipy.stats import rankdata, wilcoxon

    sizes = np.abs(differences)
    some = np.any(sizes > 0, axis=1)
    ordered = np.sort(sizes, axis=1)
    clean = (ordered[:, 0] > 0) & (ordered[:, 1:] > ordered[:, :-1]).all(axis=1)
    exact = clean & (differences.shape[1] <= LONGEST_EXACT)
    p = np.ones(len(differences))
    for rows, how in ((exact, "exact"), (some & ~exact, "asymptotic")):
        if rows.any():
            p[rows] = wilcoxon(differences[rows], axis=1, method=how).pvalue
    place = rankdata(np.where(sizes > 0, sizes, np.nan), axis=1, nan_policy="omit")
    place = np.nan_to_num(place)
    return p, (place * np.sign(differences)).sum(axis=1) / np.maximum(place.sum(axis=1), 1)


def _require_equal_sizes(test: str, units: Units) -> None:
    least, most = float(units.sizes.min()), float(units.sizes.max())
    if most - least > 1e-9 * most:
        clustered = units.u < len(units.judges)
        what = "clusters of unequal size" if clustered else "judges of unequal weight"
        raise UsageError(
            f"{test} counts all alike, and there are {what} ({least:g} to {most:g}).",
            hint=f"by a test that weighs them: {command_with(test='max-t')}",
        )


PATIENCE = 60  # times TOO_MUCH, about an hour of one core: more is refused
ASIDE = TOO_MUCH // 15  # about four seconds: what may be computed without being asked for
PER_PAIR = 350  # steps per pair and replicate, whatever the number of judges
PER_JUDGE = 1_500  # steps per judge and replicate, whatever the number of candidates
PER_FLIP = 60  # steps of a sign-flip per score
PER_DIFFERENCE = {"t-holm": 500, "wilcoxon-holm": 10_000, "nemenyi": 500}
CLASSICAL: dict[str, Callable[[Units, Integers, Integers, float], Outcome]] = {
    "t-holm": _t_holm,
    "wilcoxon-holm": _wilcoxon_holm,
    "nemenyi": _nemenyi,
}


@dataclass(frozen=True, eq=False, kw_only=True)
class Strict(Groups):
    tests: PairTests
    rank_low: Integers
    rank_high: Integers


def strict_groups(
    evidence: Evidence,
    spread: Spread,
    *,
    test: str,
    alpha: float,
    leader: Leader,
    most: int | None = None,
    progress: Progress | None = None,
) -> Strict:
    """Show tests of all pairs, on all replicates or the first ``most`` of them, as groups."""
    tests = all_pair_tests(evidence, test=test, alpha=alpha, most=most, progress=progress)
    low, high = rank_sets(tests.better)
    draws = tests.replicates or None
    if tests.method == "sign-flip" and draws == 2 ** (evidence.units.u - 1):
        draws = None  # all signs there are: the p-values are exact
    groups = greedy_groups(
        tests.better,
        spread.places,
        -evidence.ranks,
        medians=-spread.standing,
        p=np.where(tests.differences > 0, tests.p, 1.0),
        alpha=alpha,
        leader=leader,
        draws=draws,
    )
    return Strict(**vars(groups), tests=tests, rank_low=low, rank_high=high)


def all_pair_tests(
    evidence: Evidence,
    *,
    test: str,
    alpha: float,
    most: int | None = None,
    progress: Progress | None = None,
) -> PairTests:
    """Test all pairs, drawing with replacement, or refuse that with what it would cost."""
    e, plan, on = evidence, evidence.plan.bootstrap(), evidence.on
    if most is None:
        _require_patience(e, test)
    else:
        plan = plan.with_replicates(min(most, plan.replicates))
    if e.contributions is None:
        if test != "max-t":
            raise _needs_contributions(e, test, test="max-t")
        if not e.plan.with_replacement:
            e = collect_evidence(e.results, e.function, plan, on=on, progress=progress)
        return max_t_fixed(e.observed, e.merits[:most], alpha=alpha)
    if test in CLASSICAL:
        return classical(test, e.units, alpha=alpha)
    if test == "max-t":
        return max_t(e.units, plan, alpha=alpha, on=on, progress=progress)
    signs: dict[str, Any] = {"replicates": plan.replicates, "seed": plan.seed}
    return sign_flip(e.units, alpha=alpha, **signs, on=on, progress=progress)


def flip_signs(evidence: Evidence, progress: Progress | None) -> Flips:
    """Flip the signs of what is drawn, to test leaders by; as often as the plan resamples."""
    e, plan = evidence, evidence.plan.bootstrap()
    if e.contributions is None:
        raise _needs_contributions(e, "sign-flip", p_value="plus-one")
    return flips(e.units, replicates=plan.replicates, seed=plan.seed, on=e.on, progress=progress)


def _needs_contributions(evidence: Evidence, name: str, /, **instead: str) -> UsageError:
    return UsageError(
        f"{name} works on what each {evidence.results.nouns.judge} contributes, and "
        f"{evidence.no_mean}.",
        hint=f"by one that draws: {command_with(**instead)}",
    )


def steps_of(n: int, m: int, replicates: int, test: str) -> int:
    if test in PER_DIFFERENCE:
        return n * n * m * PER_DIFFERENCE[test]
    if test == "sign-flip":
        return replicates * (n * n * PER_PAIR + n * m * PER_FLIP)
    return replicates * (n * n * (m + PER_PAIR) + PER_JUDGE * m)


def bearable(evidence: Evidence, test: str, *, times: int = 1) -> bool:
    return times * steps_of(*evidence.size, test) <= PATIENCE * TOO_MUCH


def affordable(evidence: Evidence, test: str = "max-t") -> bool:
    """Return whether all pairs can be tested aside, in a few seconds."""
    return steps_of(*evidence.size, test) <= ASIDE and not _again(evidence)


def cost_of(evidence: Evidence, test: str = "max-t") -> str:
    words, number = cost_in_words(steps_of(*evidence.size, test)), evidence.size[-1]
    again = f"{number:,} resamples with replacement and " if _again(evidence) else ""
    return f"{again}{words}"


def _require_patience(evidence: Evidence, test: str) -> None:
    if bearable(evidence, test):
        return
    n, m, replicates = evidence.size
    steps = steps_of(n, m, replicates, test)
    drawn = "" if test in PER_DIFFERENCE else f" in {replicates:,} resamples"
    fewer = int(replicates * PATIENCE * TOO_MUCH / steps)
    hour = f"; in an hour: {command_with(replicates=fewer)}" if drawn and fewer else ""
    nouns = evidence.results.nouns
    raise UsageError(
        f"testing all pairs of {nouns.candidates(n)} on {nouns.judges(m)}{drawn} by {test} would "
        f"take {cost_in_words(steps)} on one core.",
        hint=f"test fewer {nouns.candidates()}{hour}",
    )


def _again(evidence: Evidence) -> bool:
    return evidence.contributions is None and not evidence.plan.with_replacement

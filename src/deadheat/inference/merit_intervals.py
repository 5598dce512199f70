"""Intervals of merits, of any kind, from the evidence of a table."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np

from deadheat.errors import UsageError
from deadheat.inference.bands import simultaneous
from deadheat.inference.evidence import Evidence, drawing
from deadheat.inference.intervals import KINDS, Ends, intervals
from deadheat.inference.pair_tests import inverted
from deadheat.inference.studentized import statistics, worlds
from deadheat.inference.units import Units
from deadheat.resampling.engine import engine
from deadheat.resampling.plans import Jackknife, Plan, blocks
from deadheat.typing import Floats, Integers

INTERVALS = (*KINDS, "simultaneous")


def merit_intervals(kind: str, evidence: Evidence, *, alpha: float) -> Ends:
    """Return the ends of an interval for each merit: one of :data:`INTERVALS`.

    Under the jackknife, which has no distribution to take quantiles from, it is the merit plus or
    minus its standard error times a quantile of Student's t.
    """
    if isinstance(evidence.plan, Jackknife):
        return _by_jackknife(kind, evidence, alpha)
    if kind == "simultaneous":
        return simultaneous(evidence.observed, evidence.merits, alpha)
    errors, of_replicates = None, None
    if kind == "wilson":
        _require_shares(evidence)
    if kind == "bootstrap-t":
        _require_mean(kind, evidence)
        errors, of_replicates = merit_errors(evidence)
    return intervals(
        kind,
        observed=evidence.observed,
        merits=evidence.merits,
        alpha=alpha,
        m=evidence.independent,
        jackknife=evidence.jackknife() if kind == "bca" else None,
        errors=errors,
        replicate_errors=of_replicates,
        scores=evidence.results.scores if kind == "wilson" else None,
        effective=_effective(evidence) if kind == "wilson" else None,
    )


def merit_errors(evidence: Evidence) -> tuple[Floats, Floats]:
    """Return the standard errors of the merits, observed (n,) and in every replicate (B, n).

    A merit is its difference to a candidate to which every judge gives 0.
    """
    of_all = evidence.units
    nobody = np.zeros((1, of_all.u))
    each = replace(of_all, values=np.concatenate([of_all.values, nobody]))
    i, j = np.arange(of_all.n), np.full(of_all.n, of_all.n)
    errors = each.errors(i, j)
    plan = drawing(evidence.plan)
    work = partial(_errors_of_block, units=each, plan=plan, pairs=(i, j), errors=errors)
    with engine(evidence.on) as running:
        numbers = blocks(plan, each.n - 1, each.m)
        found = np.concatenate(list(running.map(work, numbers)))
    return errors, found


def _errors_of_block(
    k: int, *, units: Units, plan: Plan, pairs: tuple[Integers, Integers], errors: Floats
) -> Floats:
    """Return the standard errors of the merits in the replicates of block k, (B, n)."""
    weights = units.multiplicities(plan.draw(k, units.n - 1, units.m).judges)
    there = weights @ units.sizes > 0  # the merits of the others are undefined and left out too
    parts = [np.empty((0, units.n - 1))]
    for some in worlds(units, weights[there]):
        _, variance = statistics(units, some, *pairs, inverted(errors))
        parts.append(np.sqrt(np.maximum(variance, 0)).T * errors)
    return np.concatenate(parts)


def jackknife_errors(left_out: Floats) -> Floats:
    r"""Return the standard errors that leaving out one at a time (U, n) gives.

    .. math:: se^2 = \frac{U - 1}{U} \sum_u (f_{(u)} - \bar f_{(\cdot)})^2

    References
    ----------
    .. [1] Efron, Stein (1981), "The jackknife estimate of variance", Annals of Statistics 9.
    """
    number = len(left_out)
    away = left_out - left_out.mean(axis=0)
    return np.asarray(np.sqrt((number - 1) / number * (away**2).sum(axis=0)))


def jackknife_p(evidence: Evidence, leader: int, others: Integers) -> Floats:
    """Return one-sided p-values of "the leader is better", by Student's t with jackknife errors."""
    from scipy.special import stdtr

    differences = evidence.observed[leader] - evidence.observed[others]
    errors = jackknife_errors(evidence.merits[:, [leader]] - evidence.merits[:, others])
    sizes = np.abs(evidence.observed[others]) + abs(float(evidence.observed[leader]))
    still = errors <= 1e-12 * sizes
    differences[np.abs(differences) <= 1e-12 * sizes] = 0.0
    t = np.divide(differences, errors, out=np.zeros_like(differences), where=~still)
    p = np.asarray(stdtr(len(evidence.merits) - 1, -t))
    return np.where(still, np.where(differences > 0, 0.0, 1.0), np.where(differences == 0, 1.0, p))


def _by_jackknife(kind: str, evidence: Evidence, alpha: float) -> Ends:
    if kind != "percentile":
        raise UsageError(
            f"the jackknife gives standard errors and no {kind} intervals.",
            hint="leave out --interval, or choose the plan bootstrap.",
        )
    from scipy.special import stdtrit

    half = jackknife_errors(evidence.merits) * float(
        stdtrit(len(evidence.merits) - 1, 1 - alpha / 2)
    )
    return evidence.observed - half, evidence.observed + half


def _effective(evidence: Evidence) -> Floats | float:
    """Return how many judges the merits are worth; one number each where scores are missing."""
    known = ~np.isnan(evidence.results.scores)
    if known.all():
        return evidence.effective
    return np.array([evidence.effective_of(row) for row in known])


def _require_shares(evidence: Evidence) -> None:
    """Refuse Wilson's interval of merits that are no means of the scores."""
    scores, weights = evidence.results.scores, evidence.results.weights
    known = ~np.isnan(scores)
    means = np.where(known, scores, 0.0) @ weights / (known @ weights)
    if not np.allclose(means, evidence.observed, rtol=0, atol=1e-6):
        raise UsageError(
            "the interval wilson is for shares, and the merits by "
            f"{evidence.function.name} are no means of the scores.",
            hint="rank by mean, or choose expanded-percentile.",
        )


def _require_mean(kind: str, evidence: Evidence) -> None:
    if evidence.contributions is None:
        raise UsageError(
            f"the interval {kind} needs a ranking function that is a mean over the judges, and "
            f"{evidence.function.name} is none here.",
            hint="choose expanded-percentile.",
        )
    if drawing(evidence.plan) is not evidence.plan:
        raise UsageError(
            f"the interval {kind} needs a plan that draws with replacement.",
            hint="choose percentile, or the plan bootstrap.",
        )

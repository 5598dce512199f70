"""The winner's own number: what the best of many is worth, having been chosen for being best."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from deadheat.core.types import Floats
from deadheat.ranking.block import WORKING_SET
from deadheat.ranking.ranks import best_first
from deadheat.statistics.evidence import Evidence, studentized_merits, zero_of_shares
from deadheat.statistics.intervals import share_ends
from deadheat.statistics.units import FEWEST_JUDGES

Ends = tuple[float, float]
STEPS = 2e10  # a few seconds that nobody asked for


@dataclass(frozen=True, kw_only=True)
class Corrected:
    leader: int
    estimate: float
    low: float
    high: float


def leader_corrected(
    observed: Floats,
    replicates: Floats,
    *,
    alpha: float,
    unit: Floats | float = 1.0,
    studentized: Iterable[tuple[Floats, Floats]] = (),
    ends: Ends | None = None,
) -> Corrected:
    r"""Correct the number of the observed leader L for the choice, with an interval that holds.

    In replicate b the leader :math:`L_b` looks better than it is by :math:`f^*_{b L_b} -
    \hat f_{L_b}`; the estimate is less by the mean of that (Efron, Tibshirani 1993, ch. 10). The
    interval is

    .. math:: \Big[\hat f_L - q_{1-\alpha/2}\big(\max_i T^*_i\big)\, s_L,\;
              \hat f_L - q_{\alpha/2}\big(T^*_L\big)\, s_L\Big], \qquad
              T^*_i = \frac{f^*_i - \hat f_i}{s^*_i}

    The lower end holds for all candidates at once, so for whichever is chosen. The upper end is the
    usual one: if L leads and is worth more than it shows by z errors, then so is the truly best.
    At equality the estimate takes off two thirds of the bias: a bootstrap sees the candidates
    further apart than they are (``docs/validity.md``, study "equal"). ``studentized`` are s (k,)
    and :math:`T^*` (B, k) of some candidates after the other, unless the ``ends`` are known.
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
    return Corrected(leader=leader, estimate=float(estimate), low=low, high=high)


def leader_of(evidence: Evidence, *, alpha: float) -> Corrected | None:
    """Return the corrected merit of the leader of a table.

    None by plans that do not draw with replacement, from fewer than 10 judges or clusters, by
    functions that are no mean over the judges, and where it would take long.
    """
    e, ends = evidence, None
    few = min(e.freedom + 1, e.effective) < FEWEST_JUDGES
    if few or not e.plan.with_replacement or e.contributions is None:
        return None
    if (zero := zero_of_shares(e)) is not None:
        share = float(e.observed.max()) - zero
        low, _ = share_ends(share, e.effective, alpha / (2 * e.results.n))
        _, high = share_ends(share, e.effective, alpha / 2)
        ends = (float(low) + zero, float(high) + zero)
    elif e.units.n * e.units.u * len(e.merits) > STEPS:
        return None
    parts = studentized_merits(e)  # computed only where the ends are not known
    return leader_corrected(
        e.observed, e.merits, alpha=alpha, unit=e.unit, studentized=parts, ends=ends
    )


def luck_of_the_leader(observed: Floats, replicates: Floats) -> float:
    luck, step = 0.0, max(1, WORKING_SET // len(observed))
    for start in range(0, len(replicates), step):
        rows = replicates[start : start + step]
        first = np.argmax(rows, axis=1)
        best = rows[np.arange(len(rows)), first].astype(np.float64)
        luck += float((best - observed[first]).sum())
    return luck / len(replicates)

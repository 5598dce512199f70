"""What kind of candidate wins: one that judges rank high, the Condorcet or majority winner."""

from __future__ import annotations

import numpy as np

from deadheat.core.types import Booleans
from deadheat.criteria.criterion import Measurement, criterion
from deadheat.criteria.trials import Trials
from deadheat.ranking.duels import majority_winners


@criterion(
    "winner_rank",
    heading="winner rank",
    over="trials",
    of_winners=True,
    led_by=("average_rank", "borda", "success_rate_half"),
)
def winner_rank(trials: Trials) -> Measurement:
    r"""Tell how high the judges rank the winner: 1 if all put it first, 0 if all put it last.

    .. math:: 1 - \frac{\bar r_T - 1}{N - 1}

    where :math:`\bar r_T` is the mean over the winners of their mean rank over the judges, and N
    the number of candidates, copies counted. Who ranks by mean rank is best by definition. [1]_
    prints m - 1 as the divisor, but ranks run up to the number of candidates.

    .. [1] Pavao, Vaccaro, Guyon (2021), "Judging competitions and benchmarks", ESANN, sec. 2.3.
    """
    own = np.where(trials.present, trials.mean_ranks, 0.0)
    rank = (trials.shares * own).sum(axis=2)
    return Measurement(1 - (rank - 1) / np.maximum(trials.field_sizes - 1, 1))


def _rate(trials: Trials, winners: Booleans, event: str) -> Measurement:
    """Return how far each function elects the winner, (F, B), where a trial has one."""
    there = winners.any(axis=1)
    elected = np.where(winners, trials.shares, 0.0).sum(axis=2)
    return Measurement(np.where(there, elected, np.nan), {event: there.astype(int)})


@criterion(
    "condorcet_rate", heading="Cond. rate", over="trials", of_winners=True, certain="condorcet"
)
def condorcet_rate(trials: Trials) -> Measurement:
    r"""Tell how often the candidate wins that beats every other one, where there is one.

    .. math:: \frac{1}{\#\{u \text{ exists}\}} \sum \frac{[u \in T]}{|T|}, \quad
        G_{uv} > G_{vu} \text{ for all } v \ne u

    A winner that is tied with t - 1 others counts 1/t. In the authors' notebook a candidate that
    is drawn twice ties with its copy and is no Condorcet winner.

    .. [1] Pavao, Vaccaro, Guyon (2021), "Judging competitions and benchmarks", ESANN, sec. 2.3.
    """
    once = trials.candidates == 1 if trials.task.notebook else True
    return _rate(trials, trials.condorcet & once, "condorcet winners")


@criterion(
    "majority_rate", heading="majority rate", over="trials", of_winners=True, certain="majority"
)
def majority_rate(trials: Trials) -> Measurement:
    r"""Tell how often the candidate wins that more than half of the judges put first.

    .. math:: \frac{1}{\#\{u \text{ exists}\}} \sum \frac{[u \in T]}{|T|}, \quad
        \sum_k w_k [u \text{ alone first on } k] > \tfrac W2

    A judge with several candidates in first place supports nobody.

    .. [1] Pavao, Vaccaro, Guyon (2021), "Judging competitions and benchmarks", ESANN, sec. 2.2.
    """
    levels, weights = trials.task.by_order(trials.judges * trials.task.results.weights)
    winners = majority_winners(levels.order, levels.last, weights, trials.copies)
    return _rate(trials, winners & (trials.distinct > 1)[:, None], "majority winners")

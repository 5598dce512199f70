"""How often the majority's favourite wins."""

from __future__ import annotations

from deadheat.criteria.criterion import Measured, criterion
from deadheat.criteria.trials import Trials, rate_of
from deadheat.ranking.duels import majority_winners


@criterion(
    "majority_rate", heading="majority rate", over="trials", of_winners=True, certain="majority"
)
def majority_rate(trials: Trials) -> Measured:
    r"""Tell how often the candidate wins that more than half of the judges put first.

    .. math:: \frac{1}{\#\{u \text{ exists}\}} \sum \frac{[u \in T]}{|T|}, \quad
        \sum_k w_k [u \text{ alone first on } k] > \tfrac W2

    A judge with several candidates in first place supports nobody.

    .. [1] Pavao, Vaccaro, Guyon (2021), "Judging competitions and benchmarks", ESANN, sec. 2.2.
    """
    levels, weights = trials.task.by_order(trials.judges * trials.task.results.weights)
    chosen = majority_winners(levels.order, levels.last, weights, trials.copies)
    chosen &= (trials.distinct > 1)[:, None]
    there = chosen.any(axis=1)
    return Measured(rate_of(chosen, trials), {"majority winners": there.astype(int)})

"""How often the Condorcet winner wins."""

from __future__ import annotations

from deadheat.criteria.criterion import Measured, criterion
from deadheat.criteria.trials import Trials, rate_of


@criterion(
    "condorcet_rate", heading="Cond. rate", over="trials", of_winners=True, certain="condorcet"
)
def condorcet_rate(trials: Trials) -> Measured:
    r"""Tell how often the candidate wins that beats every other one, where there is one.

    .. math:: \frac{1}{\#\{u \text{ exists}\}} \sum \frac{[u \in T]}{|T|}, \quad
        G_{uv} > G_{vu} \text{ for all } v \ne u

    A winner that is tied with t - 1 others counts 1/t. Tables without such a candidate say
    nothing.

    Differs from the authors' notebook, in which a candidate that is drawn twice ties with its
    copy and is no Condorcet winner: here different candidates are compared.

    .. [1] Pavao, Vaccaro, Guyon (2021), "Judging competitions and benchmarks", ESANN, sec. 2.3.
    """
    chosen = trials.condorcet
    if trials.task.notebook:
        chosen = chosen & (trials.candidates == 1)
    there = chosen.any(axis=1)
    return Measured(rate_of(chosen, trials), {"condorcet winners": there.astype(int)})

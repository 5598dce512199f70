"""How high the judges rank the winner on average."""

from __future__ import annotations

import numpy as np

from deadheat.criteria.criterion import Measured, criterion
from deadheat.criteria.trials import Trials


@criterion(
    "winner_rank",
    heading="winner rank",
    over="trials",
    of_winners=True,
    led_by=("average_rank", "borda", "success_rate_half"),
)
def winner_rank(trials: Trials) -> Measured:
    r"""Tell how high the judges rank the winner: 1 if all put it first, 0 if all put it last.

    .. math:: 1 - \frac{\bar r_T - 1}{N - 1}

    where :math:`\bar r_T` is the mean over the winners of their mean rank over the judges, and N
    the number of candidates, copies counted. Who ranks by mean rank is best by definition.

    Differs from [1]_, which prints m - 1 as the divisor: ranks run up to the number of
    candidates. Several winners are averaged over; none is picked.

    .. [1] Pavao, Vaccaro, Guyon (2021), "Judging competitions and benchmarks", ESANN, sec. 2.3.
    """
    own = np.where(trials.present, trials.mean_ranks, 0.0)
    rank = (trials.shares * own).sum(axis=2)
    return Measured(1 - (rank - 1) / np.maximum(trials.drawn - 1, 1))

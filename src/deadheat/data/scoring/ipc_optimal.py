"""The optimal track of the planning competitions: solved, unless the domain is forfeited."""

from __future__ import annotations

import numpy as np

from deadheat.core.types import Floats
from deadheat.data.runs import WRONG, Runs
from deadheat.data.scoring.ipc_sat import lowest_cost
from deadheat.data.scoring_rule import scores_runs

SAME_COST = 1e-9  # relative


@scores_runs("ipc-optimal", total="solved", aliases=("ipc-opt",))
def ipc_optimal(runs: Runs) -> Floats:
    r"""Count solved runs, but none of a domain in which the candidate gave a wrong answer.

    .. math:: s = [\text{solved}] \cdot [\text{no wrong answer in the domain}]

    Notes
    -----
    Domains are the strata; without strata all instances are one domain. A wrong answer is a run
    of that status or, where a quality is known, a plan that costs more than the best one seen on
    its instance or the ``reference``. The competitions also disqualify whoever is wrong in two
    domains: ``wrong="disqualify"`` does so after the first.

    References
    ----------
    .. [1] Vallati, Chrpa, Grzes, McCluskey, Roberts, Sanner (2015), "The 2014 International
           Planning Competition: progress and trends", AI Magazine 36(3).

    Examples
    --------
    >>> ipc_optimal(Runs(candidate=["a", "a", "a"], instance=["p1", "p2", "q1"],
    ...                  stratum=["p", "p", "q"], status=["ok", "invalid", "ok"]))
    array([0., 0., 1.])
    """
    size = len(runs.candidates)
    domain = runs.categories.astype(np.int64) * size + runs.candidate
    forfeited = np.zeros(int(domain.max()) + 1, dtype=bool)
    wrong = runs.status == WRONG
    if runs.quality is not None:
        best = lowest_cost(runs, runs.quality)
        wrong |= runs.solved & (runs.quality > best + SAME_COST * np.abs(best))
    forfeited[domain[wrong]] = True
    return np.asarray(runs.solved & ~forfeited[domain], dtype=float)

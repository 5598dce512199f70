"""The satisficing track of the planning competitions: cost relative to the best."""

from __future__ import annotations

import numpy as np

from deadheat.core.types import Floats
from deadheat.data.runs import Runs
from deadheat.data.scoring_rule import not_solved, require_of_solved, scores_runs


@scores_runs(
    "ipc-sat",
    total="IPC score",
    needs=("quality",),
    replicate="ipc_sat",
    aliases=("ipc-satisficing", "ipc-quality"),
)
def ipc_sat(runs: Runs) -> Floats:
    r"""Give each solved run the best cost of its instance over its own; 0 if not solved.

    .. math:: s = Q^* / Q

    Notes
    -----
    Q* is the lowest cost that any solved run of the instance has, over all candidates and seeds,
    or the ``reference`` where one is given and nobody was better. Where Q* is 0 a cost of 0 scores
    1 and any other 0. With ``reference="replicate"`` Q* is looked for again among the runs that are
    in a replicate; where the best cost of all runs is 0 the others then stay at 0.

    References
    ----------
    .. [1] Vallati, Chrpa, Grzes, McCluskey, Roberts, Sanner (2015), "The 2014 International
           Planning Competition: progress and trends", AI Magazine 36(3).

    Examples
    --------
    >>> ipc_sat(Runs(candidate=["a", "b", "c"], instance=["i"] * 3, quality=[10, 20, np.nan]))
    array([1. , 0.5, 0. ])
    """
    cost = require_of_solved(runs, "quality", "ipc-sat")
    best = lowest_cost(runs, cost)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.where(cost == best, 1.0, best / cost)
    return not_solved(runs, ratio, 0.0)


def lowest_cost(runs: Runs, cost: Floats) -> Floats:
    seen = runs.best(cost, runs.solved)
    return seen if runs.reference is None else np.fmin(seen, runs.reference)

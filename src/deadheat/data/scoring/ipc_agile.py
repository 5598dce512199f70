"""The agile track of the planning competition 2014: time relative to the fastest."""

from __future__ import annotations

import numpy as np

from deadheat.core.types import Floats
from deadheat.data.runs import Runs
from deadheat.data.scoring_rule import not_solved, require_of_solved, scores_runs

LEAST = 1.0  # second; nobody gains by being faster


@scores_runs(
    "ipc-agile",
    total="IPC score",
    needs=("time",),
    replicate="ipc_agile",
    aliases=("ipc-agile-2014",),
)
def ipc_agile(runs: Runs) -> Floats:
    r"""Give each solved run a score that falls with the order of magnitude of its time.

    .. math:: s = \frac{1}{1 + \log_{10}(T / T^*)}

    Notes
    -----
    T* is the time of the fastest solved run of the instance, over all candidates and seeds. Times
    below 1 s count as 1 s, so that such a run scores 1. Not solved is 0.

    References
    ----------
    .. [1] Vallati, Chrpa, Grzes, McCluskey, Roberts, Sanner (2015), "The 2014 International
           Planning Competition: progress and trends", AI Magazine 36(3).

    Examples
    --------
    >>> status = ["ok", "ok", "ok", "timeout"]
    >>> ipc_agile(Runs(candidate=["a", "b", "c", "d"], instance=["i"] * 4, status=status,
    ...                time=[0.2, 1, 10, 300]))
    array([1. , 1. , 0.5, 0. ])
    """
    time = np.maximum(require_of_solved(runs, "time", "ipc-agile"), LEAST)
    with np.errstate(divide="ignore", invalid="ignore"):
        score = 1 / (1 + np.log10(time / runs.best(time, runs.solved)))
    return not_solved(runs, score, 0.0)

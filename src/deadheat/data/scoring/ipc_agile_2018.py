"""The agile track of the planning competitions since 2018: time relative to the cutoff."""

from __future__ import annotations

import numpy as np

from deadheat.core.errors import DataError
from deadheat.core.types import Floats
from deadheat.data.runs import Runs
from deadheat.data.scoring.ipc_agile import LEAST
from deadheat.data.scoring_rule import not_solved, require_of_solved, scores_runs


@scores_runs(
    "ipc-agile-2018", total="IPC score", needs=("time", "cutoff"), aliases=("ipc-agile-2023",)
)
def ipc_agile_2018(runs: Runs) -> Floats:
    r"""Give each solved run a score that falls from 1 at one second to 0 at the cutoff.

    .. math:: s = 1 - \frac{\log T}{\log \text{cutoff}}

    Notes
    -----
    Times below 1 s count as 1 s. Not solved is 0. It looks at no other candidate.

    References
    ----------
    .. [1] Taitler et al. (2024), "The 2023 International Planning Competition", AI Magazine 45(2).

    Examples
    --------
    >>> ipc_agile_2018(Runs(candidate=["a", "b"], instance=["i", "i"], status=["ok", "ok"],
    ...                     time=[0.5, 10], cutoff=100))
    array([1. , 0.5])
    """
    if (runs.cutoff <= LEAST).any():
        fact = f"ipc-agile-2018 cannot score a cutoff of {runs.cutoff.min():g} s."
        raise DataError(fact, hint="it must be above 1 second; is it given in seconds?")
    time = np.maximum(require_of_solved(runs, "time", "ipc-agile-2018"), LEAST)
    return not_solved(runs, 1 - np.log(time) / np.log(runs.cutoff), 0.0)

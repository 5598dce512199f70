"""The tracks of the planning competitions: agile, satisficing, optimal."""

from __future__ import annotations

import numpy as np

from deadheat.core.errors import DataError, command_with
from deadheat.core.types import Floats
from deadheat.data.runs import WRONG, Runs
from deadheat.data.scoring_rule import not_solved, require_of_solved, scores_runs

LEAST = 1.0  # second; nobody gains by being faster
SAME_COST = 1e-9  # relative


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
        hint = f"write all times in seconds.\nby a rule for any cutoff: {command_with(rule='par2')}"
        raise DataError(fact, hint=hint)
    time = np.maximum(require_of_solved(runs, "time", "ipc-agile-2018"), LEAST)
    return not_solved(runs, 1 - np.log(time) / np.log(runs.cutoff), 0.0)


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

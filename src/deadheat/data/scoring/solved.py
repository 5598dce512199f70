"""Number of solved runs, verified or not."""

from __future__ import annotations

import numpy as np

from deadheat.core.types import Floats
from deadheat.data.runs import Runs
from deadheat.data.scoring_rule import scores_runs


@scores_runs("solved", total="solved", aliases=("coverage", "claimed"))
def solved(runs: Runs) -> Floats:
    r"""Count the runs that are solved, verified or not.

    .. math:: s = [\text{solved}]

    Notes
    -----
    A claim counts until somebody refutes it. An answer known to be wrong does not count unless
    ``wrong="solved"`` says so: the official totals of the SAT Competition 2016 count 7 such claims.

    References
    ----------
    .. [1] Fawcett, Vallati, Hoos, Gerevini (2023), "Competitions in AI: robustly ranking solvers
           using statistical resampling", "SAT competition analysis".

    Examples
    --------
    >>> solved(Runs(candidate=["a", "b"], instance=["i", "i"], status=["SAT", "timeout"]))
    array([1., 0.])
    """
    return runs.solved.astype(float)


@scores_runs("solved-verified", total="verified", needs=("verified",), aliases=("verified",))
def solved_verified(runs: Runs) -> Floats:
    r"""Count the runs that are solved and whose answer was checked and found right.

    .. math:: s = [\text{solved and verified}]

    Notes
    -----
    An answer is verified where the status says so (``SAT-VERIFIED``) or the column ``verified``.
    ``unverified="unsolved"`` asks the same of every rule, such as PAR2.

    References
    ----------
    .. [1] Fawcett, Vallati, Hoos, Gerevini (2023), "Competitions in AI: robustly ranking solvers
           using statistical resampling", "SAT competition analysis".

    Examples
    --------
    >>> words = ["SAT-VERIFIED", "UNSAT"]
    >>> solved_verified(Runs(candidate=["a", "b"], instance=["i", "i"], status=words))
    array([1., 0.])
    """
    return np.asarray(runs.solved & runs.verified, dtype=float)

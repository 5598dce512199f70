"""Mean quality: an accuracy, of which more is better, or an error."""

from __future__ import annotations

import numpy as np

from deadheat.core.types import Floats
from deadheat.data.runs import WRONG, Runs
from deadheat.data.scoring_rule import scores_runs


@scores_runs("accuracy", needs=("quality",), unsolved=False, aliases=("quality",))
def accuracy(runs: Runs) -> Floats:
    r"""Average the quality of the runs; higher is better.

    .. math:: s = Q

    Notes
    -----
    The status is not looked at, but the quality of a wrong answer counts as missing. A run without
    a quality is a missing score: ``missing="worst"`` gives it the worst of its instance.

    References
    ----------
    .. [1] Fawcett, Vallati, Hoos, Gerevini (2023), "Competitions in AI: robustly ranking solvers
           using statistical resampling", "ImageNet ILSVRC competition analysis".

    Examples
    --------
    >>> accuracy(Runs(candidate=["a", "b"], instance=["i", "i"], quality=[0.9, 0.7]))
    array([0.9, 0.7])
    """
    return np.where(runs.status == WRONG, np.nan, runs.quality)


@scores_runs("error", better="lower", needs=("quality",), unsolved=False, aliases=("cost",))
def error(runs: Runs) -> Floats:
    r"""Average the quality of the runs, an error or a cost; lower is better.

    .. math:: s = Q

    Notes
    -----
    Wrong answers and runs without a quality count as for ``accuracy``.

    References
    ----------
    .. [1] Fawcett, Vallati, Hoos, Gerevini (2023), "Competitions in AI: robustly ranking solvers
           using statistical resampling", "ImageNet ILSVRC competition analysis".

    Examples
    --------
    >>> error(Runs(candidate=["a", "b"], instance=["i", "i"], quality=[0.1, 0.3]))
    array([0.1, 0.3])
    """
    return accuracy(runs)

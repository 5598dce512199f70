"""Mean quality, lower is better."""

from __future__ import annotations

from deadheat.core.types import Floats
from deadheat.data.runs import Runs
from deadheat.data.scoring.accuracy import accuracy
from deadheat.data.scoring_rule import scores_runs


@scores_runs("error", better="lower", needs=("quality",), unsolved=False, aliases=("cost",))
def error(runs: Runs) -> Floats:
    r"""Average the quality of the runs, an error or a cost; lower is better.

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
    >>> error(Runs(candidate=["a", "b"], instance=["i", "i"], quality=[0.1, 0.3]))
    array([0.1, 0.3])
    """
    return accuracy(runs)

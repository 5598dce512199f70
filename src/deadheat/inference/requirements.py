"""What a table and a request need before anything is inferred from them."""

from __future__ import annotations

import numpy as np

from deadheat.data.results import Results
from deadheat.errors import DataError, UsageError, counted
from deadheat.inference.corrections import require_alpha
from deadheat.resampling.plans import Plan

__all__ = ["require_alpha", "require_enough"]


def require_enough(results: Results) -> None:
    """Raise unless there are two candidates to compare, and two judges that could disagree.

    A judge of weight 0 is absent.
    """
    if results.n < 2:
        raise DataError(
            f"{results.source} has {counted(results.n, 'candidate')}: nobody to compare it with.",
            hint="at least 2 candidates are needed; deadheat check shows what was understood.",
        )
    present = int(np.count_nonzero(results.weights))
    if present < 2:
        absent = " with a weight above 0" if results.m > present else ""
        raise DataError(
            f"{results.source} has {counted(present, 'judge')}{absent}: nothing shows how far the "
            "scores would vary.",
            hint="at least 2 judges are needed, and 20 for a claim; deadheat check shows what was "
            "understood.",
        )


def require_judges_drawn(plan: Plan) -> None:
    """Refuse a plan that resamples candidates."""
    if not plan.one_field:
        raise UsageError(
            "the plan resamples candidates, and this is about those that are there.",
            hint="resample judges; deadheat criteria measures how a ranking function takes other "
            "candidates.",
        )


def require_enough_replicates(
    replicates: int, alpha: float, rivals: int = 1, *, usual: int = 10_000
) -> None:
    """Refuse so few replicates that no test at all could come out.

    The hint names how many are enough for Holm's test of one leader against all its rivals.
    """
    if replicates + 1 < (1 - 1e-9) / alpha:  # the number may be beyond all floats
        fewest = int(np.ceil(rivals / alpha - 1e-9)) - 1
        verb = "is" if replicates == 1 else "are"
        raise UsageError(
            f"{counted(replicates, 'replicate')} {verb} too few for alpha = {alpha:g}: no p-value "
            f"can be below 1/{replicates + 1:,}.",
            hint=f"take at least {fewest:,} for {counted(rivals, 'test')}; {usual:,} is the usual "
            "number.",
        )

"""How well a ranking predicts judges that it has not seen."""

from __future__ import annotations

import numpy as np

from deadheat.criteria.agreeing import agreement_with
from deadheat.criteria.criterion import Measured, criterion
from deadheat.criteria.trial import Trials


@criterion("generalization", heading="unseen judges", over="trials")
def generalization(trials: Trials) -> Measured:
    r"""Tell how well the ranking agrees with judges that were not drawn.

    .. math:: \frac{1}{|J|} \sum_{k \in J} \sigma(f, y_{\cdot k})

    where J are the judges out of the bag and :math:`\sigma` is a rank correlation over the
    candidates that are there, each counted once.

    Notes
    -----
    Differs from [1]_, which divides by m instead of the number of judges out of the bag, and
    writes the correlation of merits, higher is better, with ranks, lower is better. Differs from
    the authors' notebook, which counts a candidate as often as it was drawn. Judges who tie
    everybody have no correlation; they are skipped and counted, and so are trials in which no
    judge was left out, or that have fewer than two candidates.

    References
    ----------
    .. [1] Pavao, Vaccaro, Guyon (2021), "Judging competitions and benchmarks", ESANN, sec. 2.3.
    """
    weights = trials.task.results.weights
    unseen = (trials.judges == 0) & (weights > 0)
    asked = unseen & (trials.distinct > 1)[:, None]
    levels, weighed = trials.task.by_order(np.where(asked, weights, 0.0))
    sums, total, constant = agreement_with(
        levels,
        trials.groups,
        trials.copies,
        weighed,
        trials.task.by_order(np.asarray(asked, dtype=np.float32))[1],
        correlation=trials.task.correlation,
    )
    with np.errstate(invalid="ignore", divide="ignore"):
        values = np.where(total > 0, sums / total, np.nan)
    return Measured(
        values,
        {
            "no judge out of the bag": 1 - unseen.any(axis=1),
            "fewer than two candidates": (trials.distinct < 2).astype(int),
            "judges out of the bag": np.count_nonzero(asked, axis=1),
            "constant judges": constant,
        },
    )

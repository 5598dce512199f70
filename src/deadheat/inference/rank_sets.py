"""Which ranks each candidate may have, simultaneously for all of them."""

from __future__ import annotations

import numpy as np

from deadheat.typing import Booleans, Integers


def rank_sets(better: Booleans) -> tuple[Integers, Integers]:
    r"""Return the lowest and the highest rank of each candidate, 1 = best.

    .. math:: L_i = 1 + \#\{j \text{ shown better than } i\}, \quad
              U_i = n - \#\{j \text{ shown worse than } i\}

    Where ``better`` (n, n) comes from tests with family-wise control at level alpha, all true ranks
    lie between these bounds at once with probability 1 - alpha [1]_. Candidates that are truly
    equal share all ranks that they take together.

    Notes
    -----
    Differs from the quantiles of ranks over replicates, which say nothing of the kind: where
    candidates are nearly tied, those seldom hold all true ranks
    (:data:`~deadheat.inference.measured.RANGES_HOLD_ALL_RANKS`).

    References
    ----------
    .. [1] Mogstad, Romano, Shaikh, Wilhelm (2023), "Inference for ranks with applications to
       mobility across neighbourhoods and academic achievement across countries", Review of
       Economic Studies 91(1), sec. 3.

    Examples
    --------
    >>> rank_sets(np.array([[False, True, True], [False, False, False], [False, False, False]]))
    (array([1, 2, 2]), array([1, 3, 3]))
    """
    return 1 + np.count_nonzero(better, axis=0), len(better) - np.count_nonzero(better, axis=1)

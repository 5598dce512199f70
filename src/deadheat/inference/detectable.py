"""The smallest difference that could have been seen, where candidates tie at the top."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.special import ndtri

from deadheat.inference.evidence import Evidence
from deadheat.typing import Floats, Integers

POWER = 0.8


def detectable(
    evidence: Evidence, leader: int, tied: Sequence[int], *, alpha: float, critical: float | None
) -> float | None:
    r"""Return the lead that tests would have shown in 4 of 5 cases, on the scale of merits.

    .. math:: (c + z_{.80}) \max_j se(leader - j)

    over all j that tie with the leader. The critical value c is that of the tests of all pairs, or
    where there is none, for one-sided tests of a leader against M others, the normal quantile of
    :math:`1 - \alpha/M`, the first step of Holm's test. None where nobody ties, and where it is
    more than the scores of any judge are apart.
    """
    rivals = np.array([i for i in tied if i != leader], dtype=np.int64)
    if not len(rivals):
        return None
    errors = _errors(evidence, leader, rivals)
    found = lead_seen(errors, alpha=alpha, others=evidence.results.n - 1, critical=critical)
    return found if found is not None and found < _widest(evidence) else None


def lead_seen(errors: Floats, *, alpha: float, others: int, critical: float | None) -> float | None:
    """Return the lead that tests with these errors show in 4 of 5 cases; None where none is."""
    if critical is None:
        critical = float(-ndtri(alpha / others))
    found = (critical + float(ndtri(POWER))) * float(errors.max())
    return found if 0 < found < np.inf else None


def _widest(evidence: Evidence) -> float:
    """Return how far two candidates are apart at most on one judge: no lead is larger."""
    known = evidence.contributions
    if known is None:
        return np.inf
    return float(np.ptp(known.values, axis=0).max() / (known.scale if known.counts else 1.0))


def _errors(evidence: Evidence, leader: int, rivals: Integers) -> Floats:
    """Return the standard error of the leader's difference to each rival."""
    if evidence.contributions is not None:
        return evidence.units.errors(np.full(len(rivals), leader), rivals)
    mine = evidence.merits[:, leader].astype(np.float64)
    return np.array([np.std(mine - evidence.merits[:, i]) for i in rivals.tolist()])

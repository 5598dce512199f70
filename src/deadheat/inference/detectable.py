"""The smallest difference that could have been seen, where candidates tie at the top."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.special import ndtri

from deadheat.inference.claims import first_leader, shows
from deadheat.typing import Floats, Integers

if TYPE_CHECKING:
    from deadheat.inference.verdict import Verdict

POWER = 0.8


def detectable(v: Verdict) -> float | None:
    r"""Return the lead that tests would have shown in 4 of 5 cases, on the scale of merits.

    .. math:: (c + z_{.80}) \max_j se(leader - j)

    over all j that tie with the leader. The critical value c is that of the tests of all pairs, or
    for one-sided tests of a leader against M others the normal quantile of :math:`1 - \alpha/M`,
    the first step of Holm's test. None where nobody ties, and where tests can show nothing.
    """
    if len(v.members[0]) == 1 or v.undecided or not shows(v):
        return None
    leader = first_leader(v)
    rivals = np.array([i for i in v.members[0] if i != leader])
    critical = float(-ndtri(v.alpha / (len(v.candidates) - 1)))
    if v.strictly is not None:
        critical = v.strictly.tests.critical
    found = (critical + float(ndtri(POWER))) * float(_errors(v, leader, rivals).max())
    return found if np.isfinite(found) and found > 0 else None


def _errors(v: Verdict, leader: int, rivals: Integers) -> Floats:
    """Return the standard error of the leader's difference to each rival."""
    if v.evidence.contributions is not None:
        return v.evidence.units.errors(np.full(len(rivals), leader), rivals)
    mine = v.merits[:, leader].astype(np.float64)
    return np.array([np.std(mine - v.merits[:, i]) for i in rivals.tolist()])

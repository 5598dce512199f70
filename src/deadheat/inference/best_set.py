"""Who may be the best: a confidence set that never contradicts the groups."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deadheat.inference.claims import OF_RANKS, too_few
from deadheat.inference.corrections import ROUNDING
from deadheat.inference.strict import affordable, pairs_tested
from deadheat.typing import Booleans, Floats

if TYPE_CHECKING:
    from deadheat.inference.verdict import Verdict


def may_be_best(v: Verdict) -> Booleans | None:
    """Return who may be the best, (n,); None where no set is known to hold.

    A given best candidate is among them with confidence 1 - alpha, also after the leader was
    chosen. They are those whom comparisons with the best do not leave out
    (:func:`~deadheat.inference.max_t.max_t`) and the first group, without those whom tests of all
    pairs show worse than somebody.
    """
    if too_few(v) or v.evidence.contributions is None:
        return None
    if v.strictly is not None and v.test in OF_RANKS:
        return None  # tests of something else
    p = _p_values(v)
    if p is None:
        return None
    found = p > v.alpha * (1 + ROUNDING)
    found[list(v.members[0])] = True
    if v.all_pairs is not None and v.test not in OF_RANKS:
        found &= ~v.all_pairs.tests.better.any(axis=0)
    return found


def _p_values(v: Verdict) -> Floats | None:
    """Return the p-values of "this one is one of the best", where they are quick to have."""
    if v.test == "max-t":
        return None if v.all_pairs is None else v.all_pairs.tests.best_p
    if not affordable(v.evidence):
        return None
    return pairs_tested(v.evidence, test="max-t", alpha=v.alpha).best_p

"""How the numbers and groups of a verdict are read, whether it was just made or read back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from deadheat.inference.claims import shows
from deadheat.inference.leaders import leaders
from deadheat.inference.pairs import monte_carlo_error
from deadheat.resampling.plans import Jackknife
from deadheat.typing import Floats

if TYPE_CHECKING:
    from deadheat.inference.verdict import Verdict


@dataclass(frozen=True, kw_only=True)
class Reading:
    """Hold how the numbers and groups of a verdict are read.

    ``heading`` is what the shown number is called, and ``lower_is_better`` whether people write
    small ones for good candidates, as with ranks and times. ``leaders`` are those of the tie
    groups, best group first; ``shows`` is whether the groups may be said to show anybody better.
    """

    heading: str
    lower_is_better: bool
    leaders: tuple[str, ...]
    shows: bool

    @property
    def axis(self) -> str:
        """What the numbers are called, and which of them are good."""
        return f"{self.heading} ({'lower' if self.lower_is_better else 'higher'} is better)"

    def facts(self) -> dict[str, Any]:
        """Return it for JSON."""
        return {**vars(self), "leaders": list(self.leaders)}


def reading_of(v: Verdict) -> Reading:
    """Return how a verdict is read."""
    worst = float(v.low.min())
    ends = np.array([worst, worst + max(1.0, abs(worst))])  # a candidate, and a better one
    first, last = v.function.shown(ends, v.evidence.results).tolist()
    return Reading(
        heading=v.heading,
        lower_is_better=bool(first > last),
        leaders=tuple(v.candidates[i] for i in leaders(v)),
        shows=shows(v),
    )


def first_error(v: Verdict, share: Floats | float) -> Floats:
    """Return the Monte-Carlo error of shares ranked first; 0 where nothing is random."""
    if isinstance(v.evidence.plan, Jackknife):
        return np.zeros_like(share)
    return monte_carlo_error(share, len(v.merits))

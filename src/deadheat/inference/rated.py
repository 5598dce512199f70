"""What every rating model hands over, whatever it was fitted to."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from deadheat.inference.matches import Matches
from deadheat.inference.rating_intervals import RatingEvidence
from deadheat.ranking.rating.bradley_terry import Fit
from deadheat.typing import Floats


@dataclass(frozen=True, eq=False, kw_only=True)
class Rated:
    """Hold ratings and how they vary.

    Attributes
    ----------
    mle
        Plain maximum-likelihood ratings (n,); infinite or NaN where they do not exist.
    record
        Wins, losses and ties of each candidate, (3, n).
    errors, drawn
        Where standard errors come from, and what was drawn, in words.
    skipped
        How many replicates were left out because somebody met nobody in them.
    penalised
        How many replicates needed a penalty that the fit did not.
    cautions
        What else the reader of this model's ratings must be warned of.
    """

    candidates: tuple[str, ...]
    evidence: RatingEvidence
    mle: Floats
    record: Floats
    errors: str
    drawn: str
    fit: Fit | None = None
    matches: Matches | None = None
    split_sd: float | None = None
    skipped: int = 0
    penalised: int = 0
    cautions: tuple[str, ...] = ()
    extra: dict[str, Any] = field(default_factory=dict)

"""Ratings of many replicates, wherever the work runs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from deadheat.inference.matches import Matches
from deadheat.ranking.rating.bradley_terry import Fit
from deadheat.ranking.rating.refits import Refitter
from deadheat.resampling.engine import Engine, engine
from deadheat.resampling.replicate import Progress, watched
from deadheat.typing import Floats


@dataclass(frozen=True, eq=False)
class _Refits:
    """Everything a worker needs besides the number of its block."""

    matches: Matches
    refit: Refitter

    def __call__(self, k: int) -> Floats:
        """Return the ratings (B, n) of the replicates of block k."""
        tiles = self.matches.drawn(k)
        return np.concatenate([self.refit(pairs)[:asked] for pairs, asked in tiles])


def rating_replicates(
    matches: Matches,
    fit: Fit,
    *,
    on: str | Engine = "threads",
    progress: Progress | None = None,
) -> Floats:
    """Return the ratings (B, n) of every replicate, with the penalty of the fit."""
    matches.pairs  # noqa: B018 - made once, before the workers ask for it
    with engine(on) as running:
        answers = running.map(_Refits(matches, Refitter(fit)), matches.parts)
        return np.concatenate(list(watched(answers, len(matches.parts), progress)))

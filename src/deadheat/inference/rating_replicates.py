"""Ratings of many replicates, wherever the work runs."""

from __future__ import annotations

from dataclasses import dataclass, field

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
    stopped: list[bool] = field(default_factory=list)
    """Not empty once nobody waits for the answer any more."""

    def __call__(self, k: int) -> Floats:
        """Return the ratings (B, n) of the replicates of block k."""
        rows = []
        for pairs, asked in self.matches.drawn(k):
            if self.stopped:
                raise KeyboardInterrupt
            rows.append(self.refit(pairs)[:asked])
        return np.concatenate(rows)


def rating_replicates(
    matches: Matches,
    fit: Fit,
    *,
    on: str | Engine = "threads",
    progress: Progress | None = None,
) -> Floats:
    """Return the ratings (B, n) of every replicate, with the penalty of the fit."""
    matches.pairs  # noqa: B018 - made once, before the workers ask for it
    work = _Refits(matches, Refitter(fit))
    with engine(on) as running:
        try:
            answers = running.map(work, matches.parts)
            return np.concatenate(list(watched(answers, len(matches.parts), progress)))
        except BaseException:  # an interrupt above all: threads that are at work see it too
            work.stopped.append(True)
            raise

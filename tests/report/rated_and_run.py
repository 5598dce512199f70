"""Ratings, ratings of several data sets, and runs, made of a table of scores."""

from __future__ import annotations

from typing import Any

import numpy as np

import deadheat as dh
from deadheat.data.runs import Runs

QUICK: dict[str, Any] = {"replicates": 100, "simulations": 0}
CUTOFF = 100.0


def ratings_of(table: dh.Results) -> Any:
    return dh.rate(table, **QUICK)


def parts_of(table: dh.Results) -> Any:
    """Five data sets of five rounds, on the last of which the settings are the other way round."""
    sets = [f"data set {j // 5}" for j in range(table.scores.shape[1])]
    last = [name == sets[-1] for name in sets]
    scores = np.where(last, table.scores[::-1], table.scores)
    made = dh.Results(scores=scores, candidates=table.candidates, better="higher", clusters=sets)
    return dh.rate(made, tournament="cluster", **QUICK)


def runs_of(table: dh.Results) -> Runs:
    """Runs whose times fall with the score; those above the cutoff are timeouts."""
    n, m = table.scores.shape
    times = np.exp(4.6 - 2 * table.scores).ravel()
    j = np.tile(np.arange(m), n)
    return Runs(
        candidate=np.repeat(table.candidates, m),
        instance=[f"i{k}" for k in j],
        stratum=[f"family {k % 4}" for k in j],
        time=np.minimum(times, CUTOFF),
        cutoff=CUTOFF,
    )

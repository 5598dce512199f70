"""Results of every type that has pictures, small and made once."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from rated_and_run import parts_of, ratings_of, runs_of

import deadheat as dh
from deadheat.compare.api import Comparison
from deadheat.criteria.convergence import Convergence
from deadheat.influence.api import Influence
from deadheat.rank.api import Ranking
from deadheat.verdict.result import Verdict

# A helper who adds pictures of another type adds one line here.
SUBJECTS: dict[type, Callable[[dh.Results], Any]] = {
    Verdict: lambda table: dh.verdict(table, replicates=400),
    Influence: dh.influence,
    dh.Agreement: dh.agreement,
    dh.Criteria: lambda table: dh.criteria(table, trials=40, q=4, repeats=2),
    Convergence: lambda table: dh.convergence(table, trials=20),
    Comparison: lambda table: dh.compare(table, *table.candidates[:2], replicates=400),
    dh.Ratings: ratings_of,
    dh.RatingParts: parts_of,
    dh.Runs: runs_of,
    dh.Results: lambda table: table,
    Ranking: lambda table: dh.rank(table, by="all"),
}


@cache
def field(n: int, m: int = 25, names: str = "candidate") -> dh.Results:
    """A table of n candidates and m judges whose strengths differ a little."""
    rng = np.random.default_rng(n * 1000 + m)
    scores = np.linspace(1, 0, n)[:, None] + rng.normal(0, 0.4, (n, m))
    return dh.Results(scores=scores, candidates=[f"{names} {i}" for i in range(n)], better="higher")


@cache
def subject(kind: type, n: int, m: int = 25, names: str = "candidate") -> Any:
    return SUBJECTS[kind](field(n, m, names))

"""Ranking functions x plan x engine -> merits of every replicate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from deadheat.data.results import Results
from deadheat.ranking.function import RankingFunction
from deadheat.ranking.table import merits_of, require_usable
from deadheat.resampling.engine import Engine, engine
from deadheat.resampling.plans import Plan, blocks
from deadheat.typing import Floats


@dataclass(frozen=True, eq=False, kw_only=True)
class Replicates:
    """Hold the merits (B, n) of every replicate by every function, by name."""

    results: Results
    functions: tuple[RankingFunction, ...]
    plan: Plan
    merits: dict[str, Floats]


def replicate(
    results: Results,
    functions: Sequence[RankingFunction],
    plan: Plan,
    *,
    on: str | Engine = "threads",
) -> Replicates:
    """Apply functions to every replicate of a plan; all see the same replicates.

    Tasks are block numbers and workers draw their own weights, so the engine and the number of
    workers never change the answer.
    """
    for f in functions:
        require_usable(results, f)
    work = partial(_merits, results=results, functions=tuple(functions), plan=plan)
    with engine(on) as running:
        parts = list(running.map(work, blocks(plan, results.n, results.m)))
    merits = {f.name: np.concatenate([part[f.name] for part in parts]) for f in functions}
    return Replicates(results=results, functions=tuple(functions), plan=plan, merits=merits)


def _merits(
    k: int, *, results: Results, functions: tuple[RankingFunction, ...], plan: Plan
) -> dict[str, Floats]:
    weights = plan.draw(k, results.n, results.m)
    return merits_of(results, functions, weights.judges, weights.candidates)

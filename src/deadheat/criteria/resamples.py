"""Sets of tables with one axis resampled, whose rankings are compared with each other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from deadheat.criteria.trial import Task
from deadheat.resampling.draws import multiplicities, stream
from deadheat.typing import Floats, Integers

Axis = Literal["judges", "candidates"]
Stability = Literal["mean", "kendall_w"]
KEYS = {"judges": 2, "candidates": 3}  # of the random numbers: the trials have keys of their own


@dataclass(frozen=True, eq=False, kw_only=True)
class Resamples:
    """Hold q rankings by each of F functions, dense ranks (F, q, n), 0 = absent."""

    task: Task
    groups: Integers
    stability: Stability = "mean"


def resamples_of(task: Task, axis: Axis, k: int, q: int, stability: Stability) -> Resamples:
    """Resample one axis q times and rank; set k depends on (seed, k) alone."""
    n, m = task.results.scores.shape
    rng = stream(task.seed, KEYS[axis], k)
    judges: Floats = np.ones((q, m), dtype=np.float32)
    candidates: Floats = np.ones((q, n), dtype=np.float32)
    if axis == "judges":
        judges = multiplicities(rng, q, m)
    else:
        candidates = multiplicities(rng, q, n)
    groups, _ = task.ranked(judges, candidates, (KEYS[axis], k))
    return Resamples(task=task, groups=groups, stability=stability)

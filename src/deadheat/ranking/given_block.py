"""A block of replicates from plain arrays, as people give them."""

from __future__ import annotations

from typing import Any

import numpy as np

from deadheat.errors import UsageError
from deadheat.ranking.blocks import Block
from deadheat.typing import Floats


def block_of(scores: Any, judge_weights: Any = None, candidate_weights: Any = None) -> Block:
    """Return a block from plain arrays; weights may be one row or many, 1 where not given."""
    table = np.asarray(scores)
    if table.dtype != np.float32:
        table = np.asarray(table, dtype=np.float64)
    if table.ndim != 2:
        raise UsageError(
            f"scores must be candidates x judges, got {table.ndim} dimension(s).",
            hint="one row per candidate, one column per judge.",
        )
    n, m = table.shape
    judges = _rows(judge_weights, m, "judge")
    candidates = _rows(candidate_weights, n, "candidate")
    size = max(len(judges), len(candidates))
    if not {len(judges), len(candidates)} <= {1, size}:
        raise UsageError(
            f"{len(judges)} rows of judge weights, {len(candidates)} of candidate weights.",
            hint="give one row of weights for each replicate, or one for all.",
        )
    return Block(table, np.broadcast_to(judges, (size, m)), np.broadcast_to(candidates, (size, n)))


def _rows(weights: Any, size: int, kind: str) -> Floats:
    if weights is None:
        return np.ones((1, size))
    rows = np.atleast_2d(np.asarray(weights, dtype=np.float64))
    if rows.ndim != 2 or rows.shape[1] != size:
        raise UsageError(f"{kind} weights have shape {np.shape(weights)} for {size} {kind}s.")
    if not (rows >= 0).all():
        raise UsageError(f"{kind} weights must be at least 0, got {np.nanmin(rows):g}.")
    if kind == "candidate" and (rows != np.rint(rows)).any():
        raise UsageError(
            f"candidate weights are numbers of copies, got {rows[rows != np.rint(rows)][0]:g}.",
            hint="give whole numbers; judge weights may be any.",
        )
    return rows

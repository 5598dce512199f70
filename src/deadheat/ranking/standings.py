"""Where each candidate stands with the judges: the part of the duels that needs no n x n array."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from deadheat.ranking.blocks import Block, running_sums, tie_groups
from deadheat.ranking.duels import Duels, against
from deadheat.typing import Floats

CACHE_SHARE = 8  # work on an eighth of the working set at a time: it then stays in the cache


@dataclass(frozen=True, eq=False)
class Standings:
    r"""Hold, per replicate and candidate, numbers of rivals averaged over the judges, (B, n).

    ``above`` is how many rivals a judge puts above the candidate,
    :math:`\frac1W \sum_{j \ne i} c_j G_{ji}`; ``level`` how many it ties with it, its own copies
    included and itself not; ``below`` the rest of the ``rivals``, (B, 1).
    """

    above: Floats
    level: Floats
    rivals: Floats

    @property
    def below(self) -> Floats:
        """How many rivals a judge puts below the candidate, on average."""
        return self.rivals - self.above - self.level


def standings(block: Block) -> Standings:
    """Return where each candidate stands, in O(n m) per replicate.

    Every judge is sorted once; how many copies stand above is then a cumulative sum of the
    candidate weights. With the same field in all replicates it is one product with the judge
    weights. With missing scores every pair is averaged over the judges it has in common; a pair
    with none counts as level.
    """
    if block.has_holes:
        parts = [_of_common_judges(part) for part in block.replicates(block.shape[1] ** 2)]
        above, level = (np.concatenate(sums) for sums in zip(*parts, strict=True))
        return Standings(above, level, block.present - 1)
    if block.one_field:
        above, upto = _of_one_field(block)
    else:
        parts = [_of_many_fields(p) for p in block.replicates(block.shape[1] * CACHE_SHARE)]
        above, upto = (np.concatenate(sums) for sums in zip(*parts, strict=True))
    above, upto = above.astype(np.float64), upto.astype(np.float64)
    level = (upto - above - block.total) / block.total  # minus the candidate itself
    return Standings(above / block.total, level, block.present - 1)


def places(scores: Floats, candidate_weights: Floats) -> tuple[Floats, Floats]:
    """Return how many copies each judge puts above a candidate, and above or level with it.

    ``candidate_weights`` (B, n) and scores (n, k) give two arrays (n, k, B), in the type of the
    weights.
    """
    order, first, last = tie_groups(scores)
    n, k = scores.shape
    by_candidate = np.ascontiguousarray(candidate_weights.T)
    cumulative = np.zeros((n + 1, k, by_candidate.shape[1]), dtype=by_candidate.dtype)
    np.take(by_candidate, order, axis=0, out=cumulative[1:], mode="clip")  # "raise" copies
    running_sums(cumulative[1:])
    judge = np.arange(k)
    return cumulative[first, judge], cumulative[last + 1, judge]


def _of_one_field(block: Block) -> tuple[Floats, Floats]:
    size, n, _ = block.shape
    dtype = block.counting
    field = np.asarray(block.candidate_weights[:1], dtype=dtype)
    judges = np.asarray(block.judge_weights, dtype=dtype)
    sums = np.zeros((2, size, n), dtype=dtype)
    for part in block.judges(n):
        above, upto = places(block.scores[:, part], field)
        sums[0] += judges[:, part] @ above[:, :, 0].T
        sums[1] += judges[:, part] @ upto[:, :, 0].T
    return sums[0], sums[1]


def _of_many_fields(block: Block) -> tuple[Floats, Floats]:
    size, n, _ = block.shape
    dtype = block.counting
    candidates = np.asarray(block.candidate_weights, dtype=dtype)
    judges = np.ascontiguousarray(block.judge_weights.T, dtype=dtype)
    sums = np.zeros((2, n, size), dtype=dtype)
    for part in block.judges(n * size * CACHE_SHARE):
        weights = judges[part]
        for kind, counted in enumerate(places(block.scores[:, part], candidates)):
            for k in range(len(weights)):
                counted[:, k] *= weights[k]
                sums[kind] += counted[:, k]
    return sums[0].T, sums[1].T


def _of_common_judges(block: Block) -> tuple[Floats, Floats]:
    duels = Duels(block)
    met = np.where(duels.common > 0, duels.common, 1.0)
    lost = (duels.wins / met).swapaxes(1, 2)
    level = np.where(duels.common > 0, duels.ties / met, 1.0)
    own = np.diagonal(level, axis1=1, axis2=2)
    weights = block.candidate_weights
    return against(lost, weights), against(level, weights) - own

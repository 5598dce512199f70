"""Whether a tie parameter and the ratings grow together without limit, and who is then above."""

from __future__ import annotations

from typing import Any

import numpy as np

from deadheat.ranking.rating.levels import Levels
from deadheat.ranking.rating.pair_counts import PairCounts
from deadheat.typing import Floats, Integers

MOST_ORDERED = 1_000  # candidates for whom all paths are looked up


def ties_run_away(pairs: PairCounts) -> bool:
    """Return whether a tie parameter and the ratings can grow together without limit.

    In the models of Davidson and of Rao and Kupper that is so where candidates can be put on
    levels such that every win bridges two levels or more and every tie two at most.
    """
    from scipy.sparse.csgraph import NegativeCycleError, bellman_ford

    if ((pairs.wins > 0) & (pairs.losses > 0)).any():
        return False
    try:
        bellman_ford(_bounds(pairs, rooted=True), directed=True, indices=pairs.n)
    except NegativeCycleError:
        return False
    return True


def runaway_levels(pairs: PairCounts) -> Levels:
    r"""Return who moves away from whom, for counts (P,) of which ties run away.

    Whatever fits better and better takes levels from inside the set of all that are possible.
    There :math:`d_i > d_j` if no levels have :math:`d_i < d_j` and some have :math:`d_i > d_j`:
    the largest differences are shortest paths. For more than 1,000 candidates everybody is a part
    of which nothing is known.
    """
    from scipy.sparse.csgraph import floyd_warshall

    if pairs.n > MOST_ORDERED:
        return Levels.unknown(pairs.n)
    most = floyd_warshall(_bounds(pairs), directed=True)  # of d[column] - d[row]
    together = (most == 0) & (most.T == 0)
    return Levels.of(together, (most <= 0) & ~together)


def _bounds(pairs: PairCounts, *, rooted: bool = False) -> Any:
    """Return the sparse graph whose edges bound d[head] - d[tail]; a root reaches everybody."""
    from scipy.sparse import csr_array

    won, lost, tied = pairs.wins > 0, pairs.losses > 0, pairs.ties > 0
    first, second, n = pairs.first, pairs.second, pairs.n
    ahead, behind = np.r_[first[won], second[lost]], np.r_[second[won], first[lost]]
    level, other = np.r_[first[tied], second[tied]], np.r_[second[tied], first[tied]]
    root = n if rooted else 0
    bounds = np.repeat([-2.0, 2.0, 4.0 * n], [len(ahead), len(level), root])
    tails = np.r_[ahead, level, np.full(root, n)]
    heads = np.r_[behind, other, np.arange(root)]
    size = n + rooted
    bounds, tails, heads = _tightest(bounds, tails, heads, size)
    return csr_array((bounds, (tails, heads)), shape=(size, size))


def _tightest(
    bounds: Floats, tails: Integers, heads: Integers, size: int
) -> tuple[Floats, Integers, Integers]:
    """Keep the smallest bound where a pair has two: a sparse matrix would add them."""
    order = np.lexsort((bounds, heads, tails))
    keys = (tails * size + heads)[order]
    kept = order[np.flatnonzero(np.diff(keys, prepend=-1))]
    return bounds[kept], tails[kept], heads[kept]

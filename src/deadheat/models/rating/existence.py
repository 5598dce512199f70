"""Whether Bradley-Terry ratings exist: who can be compared with whom, and who never lost."""

from __future__ import annotations

from dataclasses import dataclass
from graphlib import TopologicalSorter
from typing import Any

import numpy as np

from deadheat.core.errors import DataError
from deadheat.core.types import Booleans, Floats, Integers
from deadheat.models.rating.pair_counts import PairCounts, Sums

Parts = tuple[tuple[int, ...], ...]
MOST_PARTS = 6  # that a message names
KINDS = ("strong", "weak")  # of connections: by chains of wins both ways, or of battles


@dataclass(frozen=True)
class Existence:
    connected: bool  # whether a chain of battles links everybody: else there is no common scale
    strongly_connected: bool
    """Whether a chain of wins links everybody to everybody, a tie being a win for both: exactly
    then the plain maximum-likelihood ratings are finite (Ford 1957)."""
    components: Parts  # the parts that met nobody of another part, largest first
    strong: Parts  # linked by chains of wins both ways, best first: the later never won nor tied
    undefeated: tuple[int, ...]
    winless: tuple[int, ...]  # who won all battles, who lost all: a tie is neither

    @property
    def largest(self) -> tuple[int, ...]:
        return min(self.strong, key=lambda part: (-len(part), part))


def existence(pairs: PairCounts) -> Existence:
    won, lost = pairs.points > 0, pairs.points_against > 0
    weak = _labels(pairs, won | lost, won | lost, "weak")
    strong = _labels(pairs, won, lost, "strong")
    up = Sums(pairs)(won.astype(float), lost.astype(float))
    down = Sums(pairs)(lost.astype(float), won.astype(float))
    return Existence(
        connected=int(weak.max(initial=0)) == 0,
        strongly_connected=int(strong.max(initial=0)) == 0,
        components=tuple(sorted(_parts(weak), key=lambda part: (-len(part), part))),
        strong=_best_first(pairs, won, lost, strong),
        undefeated=tuple(np.flatnonzero((up > 0) & (down == 0)).tolist()),
        winless=tuple(np.flatnonzero((up == 0) & (down > 0)).tolist()),
    )


def separated(pairs: PairCounts) -> Booleans:
    """Return where (B,) a chain of wins is missing in a connected part: no finite ratings fit."""
    rows = zip(pairs.points > 0, pairs.points_against > 0, strict=True)
    numbers = ([_labels(pairs, *row, kind).max(initial=0) for kind in KINDS] for row in rows)
    return np.array([strong > weak for strong, weak in numbers], dtype=bool)


def weak_labels(pairs: PairCounts) -> Integers:
    met = pairs.met > 0
    return _labels(pairs, met, met, "weak")


def mle_around(pairs: PairCounts, part: tuple[int, ...], inside: Floats | float) -> Floats:
    """Return the plain ratings (n,) of a part, +inf above it by a chain of wins, -inf below it."""
    from scipy.sparse.csgraph import breadth_first_order

    graph = _graph(pairs, pairs.points > 0, pairs.points_against > 0)
    mle = np.full(pairs.n, np.nan)
    for directed, beyond in ((graph.T.tocsr(), np.inf), (graph, -np.inf)):
        mle[breadth_first_order(directed, part[0], return_predecessors=False)] = beyond
    mle[list(part)] = inside
    return mle


def _graph(pairs: PairCounts, won: Booleans, lost: Booleans) -> Any:
    from scipy.sparse import csr_array

    tails, heads = _ends(pairs, won, lost)
    ones = np.ones(len(tails), dtype=np.int8)
    return csr_array((ones, (tails, heads)), shape=(pairs.n, pairs.n))


def _ends(pairs: PairCounts, won: Booleans, lost: Booleans) -> tuple[Integers, Integers]:
    """Return who won against whom, by pairs that ``first`` won, and those that it lost."""
    first, second = pairs.first, pairs.second
    return np.r_[first[won], second[lost]], np.r_[second[won], first[lost]]


def _labels(pairs: PairCounts, won: Booleans, lost: Booleans, connection: str) -> Integers:
    from scipy.sparse.csgraph import connected_components

    graph = _graph(pairs, won, lost)
    labels: Integers = connected_components(graph, directed=True, connection=connection)[1]
    return labels


def _parts(labels: Integers) -> list[tuple[int, ...]]:
    order = np.argsort(labels, kind="stable")
    starts = np.flatnonzero(np.diff(labels[order], prepend=-1))
    return [tuple(part.tolist()) for part in np.split(order, starts[1:]) if len(part)]


def _best_first(pairs: PairCounts, won: Booleans, lost: Booleans, labels: Integers) -> Parts:
    """Return the parts such that no win leads upwards: in layers, and by number within one."""
    parts = _parts(labels)
    winner, loser = (labels[end] for end in _ends(pairs, won, lost))
    apart = winner != loser
    above: dict[int, set[int]] = {k: set() for k in range(len(parts))}
    for k, worse in np.unique(np.stack([winner[apart], loser[apart]]), axis=1).T.tolist():
        above[worse].add(k)
    depth: dict[int, int] = {}
    for k in TopologicalSorter(above).static_order():
        depth[k] = 1 + max((depth[better] for better in above[k]), default=-1)
    return tuple(parts[k] for k in sorted(range(len(parts)), key=lambda k: (depth[k], parts[k])))


def require_connected(pairs: PairCounts) -> Existence:
    found = existence(pairs)
    if pairs.n < 2:
        hint = "give a match of two candidates."
        raise DataError(f"ratings need two candidates or more, got {pairs.n}.", hint=hint)
    if not found.connected:
        shown = "; ".join(pairs.names_of(part) for part in found.components[:MOST_PARTS])
        more = len(found.components) - MOST_PARTS
        raise DataError(
            f"no battle links the {len(found.components)} parts of the field, so their ratings "
            f"have no common scale: {shown}{f'; and {more} more' if more > 0 else ''}.",
            hint="add a match of somebody of one part against somebody of another, or keep the "
            "rows of one part only.",
        )
    return found


@dataclass(frozen=True, eq=False)
class Levels:
    """Who moves away from whom as the likelihood grows, where no finite ratings fit best."""

    part: Integers  # (n,) the part of each candidate: of those whose differences stay finite
    above: Booleans  # (K, K) whether the first part moves up from the second without limit

    @classmethod
    def unknown(cls, n: int) -> Levels:
        return cls(np.arange(n), np.zeros((n, n), dtype=bool))

    @classmethod
    def of(cls, together: Booleans, above: Booleans) -> Levels:
        """Return the parts of who stays together (n, n), and of who is above whom (n, n)."""
        heads, part = np.unique(together.argmax(axis=1), return_inverse=True)
        return cls(part, above[np.ix_(heads, heads)])

    def mle(self, within: Floats) -> Floats:
        """Return ratings (n,): those of the largest part, +inf above it, -inf below, else NaN."""
        sizes = np.bincount(self.part)
        largest = int(sizes.argmax())
        if sizes[largest] == 1:
            up, down = (side.sum(axis=1) == len(sizes) - 1 for side in (self.above, self.above.T))
        else:
            up, down = self.above[:, largest], self.above[largest]
        mle = np.where(up, np.inf, np.where(down, -np.inf, np.nan))[self.part]
        if sizes[largest] > 1:
            inside = self.part == largest
            mle[inside] = within[inside] - within[inside].mean()
        return np.asarray(mle)


# Whether a tie parameter and the ratings grow together without limit, and who is then above.

MOST_ORDERED = 1_000  # candidates: of more not all paths are looked up


def ties_run_away(pairs: PairCounts) -> bool:
    """Return whether on some levels every win bridges two or more, every tie at most two."""
    from scipy.sparse.csgraph import NegativeCycleError, bellman_ford

    if ((pairs.wins > 0) & (pairs.losses > 0)).any():
        return False
    try:
        bellman_ford(_bounds(pairs, rooted=True), directed=True, indices=pairs.n)
    except NegativeCycleError:
        return False
    return True


def runaway_levels(pairs: PairCounts) -> Levels:
    """Return who moves away from whom, for counts (P,) of which ties run away.

    :math:`d_i > d_j` if no levels have :math:`d_i < d_j` and some have :math:`d_i > d_j`: the
    largest differences are shortest paths. Of more than 1,000 candidates nothing is known.
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
    n, root = pairs.n, pairs.n if rooted else 0
    (ahead, behind), (level, other) = _ends(pairs, won, lost), _ends(pairs, tied, tied)
    bounds = np.repeat([-2.0, 2.0, 4.0 * n], [len(ahead), len(level), root])
    tails = np.r_[ahead, level, np.full(root, n)]
    heads = np.r_[behind, other, np.arange(root)]
    size = n + rooted
    # Where a pair has two bounds the smallest stays: a sparse matrix would add them.
    order = np.lexsort((bounds, heads, tails))
    keys = (tails * size + heads)[order]
    kept = order[np.flatnonzero(np.diff(keys, prepend=-1))]
    return csr_array((bounds[kept], (tails[kept], heads[kept])), shape=(size, size))

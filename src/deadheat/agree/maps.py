"""Pictures of judges: a table with alike judges and candidates side by side, and a map."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from deadheat.core.types import Floats, Integers
from deadheat.data.results import Results
from deadheat.statistics.concordance import JudgeRanks, unit_ranks
from deadheat.statistics.embedding import RatingMatrix, embedding

LARGEST_TREE = 2_000  # things of which all pairs are looked at
MOST_SEEN = 10_000_000  # cells of a table of which all judges are looked at
SAME_RANKS = 1e-9  # of ranks that differ by no more


# Trees of what is alike: average linkage, the order of the leaves, and the lines to draw.

Blocks = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, eq=False, kw_only=True)
class Tree:
    merges: Floats  # (k - 1, 3), two nodes and the distance between them; row i makes node k + i
    members: Blocks  # the items in each leaf: one, or several where the tree was cut
    order: Integers  # of the leaves from left to right, so that lines do not cross

    def __len__(self) -> int:
        return len(self.members)

    def branches(self) -> list[tuple[tuple[float, float], ...]]:
        """Return the four corners (place, height) of each join; leaf i stands at i + 0.5."""
        size = len(self)
        places, heights = np.zeros((2, size + len(self.merges)))
        places[self.order] = np.arange(size) + 0.5
        corners: list[tuple[tuple[float, float], ...]] = []
        for row, (a, b, height) in enumerate(self.merges.tolist(), start=size):
            left, right = sorted((int(a), int(b)), key=lambda node: places[node])
            x, y = float(places[left]), float(places[right])
            low, end = float(heights[left]), float(heights[right])
            corners.append(((x, low), (x, height), (y, height), (y, end)))
            places[row], heights[row] = (x + y) / 2, height
        return corners


def tree_of(distances: Floats, *, keys: Floats, most: int | None = None) -> Tree:
    """Return the tree of items, low keys left; beyond ``most`` leaves early joins become one."""
    size = len(distances)
    if size < 2:
        return Tree(merges=np.empty((0, 3)), members=_single(size), order=np.arange(size))
    from scipy.cluster.hierarchy import linkage
    from scipy.spatial.distance import squareform

    apart = np.array(distances, dtype=np.float64)
    np.fill_diagonal(apart, 0)
    joined = linkage(squareform((apart + apart.T) / 2, checks=False), "average")[:, :3]
    merges, members = _last_merges(joined, size, size if most is None else max(1, min(most, size)))
    weights = [float(len(items)) for items in members]
    values = [float(keys[list(items)].mean()) for items in members]
    orders = [[leaf] for leaf in range(len(members))]
    for a, b in merges[:, :2].astype(int).tolist():
        weights.append(weights[a] + weights[b])
        values.append((weights[a] * values[a] + weights[b] * values[b]) / weights[-1])
        orders.append(orders[b] + orders[a] if values[b] < values[a] else orders[a] + orders[b])
    return Tree(merges=merges, members=members, order=np.array(orders[-1], dtype=np.int64))


def _last_merges(joined: Floats, size: int, kept: int) -> tuple[Floats, Blocks]:
    """Return the last joins, and what the earlier ones had put together."""
    first = size - kept
    inside: dict[int, list[int]] = {i: [i] for i in range(size)}
    for row, (a, b) in enumerate(joined[:first, :2].astype(int).tolist()):
        inside[size + row] = inside.pop(a) + inside.pop(b)
    nodes = [*sorted(inside), *range(size + first, 2 * size - 1)]
    merges = joined[first:].copy()
    merges[:, :2] = np.searchsorted(nodes, merges[:, :2])
    return merges, tuple(tuple(inside[node]) for node in nodes[:kept])


# Judges and candidates side by side with those most like them: the ranks, in blocks if many.


@dataclass(frozen=True, eq=False, kw_only=True)
class ClusteredTable:
    values: Floats  # means, (blocks of candidates, blocks of judges) in the order of the trees
    candidates: list[tuple[int, ...]]  # who is in each block, by position in the table
    judges: list[tuple[int, ...]]
    candidate_tree: Tree
    judge_tree: Tree
    seen: int  # judges: in huge tables not all

    @property
    def means(self) -> Floats:
        sizes = np.array([len(block) for block in self.judges])
        return np.asarray(self.values @ sizes / self.seen)


def _sample_judges(results: Results) -> tuple[Integers, Results]:
    """Return the judges to draw; of a huge table, evenly spaced ones."""
    most = max(1, MOST_SEEN // results.n)
    if results.m <= most:
        return np.arange(results.m), results
    judges = np.linspace(0, results.m - 1, most).astype(np.int64)
    return judges, results.of_judges(judges)


def cluster_table(
    results: Results, *, scores: bool, most_judges: int = 200, most_candidates: int = 200
) -> ClusteredTable:
    """Return a table without holes, alike judges and alike candidates side by side.

    Of ``scores`` both are as far apart as the root mean square difference of theirs. Of ranks
    candidates are, too, and judges as 1 - Spearman's correlation. Better candidates stand above,
    judges closer to the rest left, as far as the trees allow. Beyond ``most``, those joined first
    share a block; beyond 2,000, neighbours (by mean; along the first principal component) are put
    together before.
    """
    judges, seen = _sample_judges(results)
    cells = seen.original.astype(np.float64).T if scores else JudgeRanks(seen).whole  # (m, n)
    worse = 1.0 if not scores or results.lower.all() else -1.0
    rows = _neighbours(worse * cells.mean(axis=0))
    table = _means(cells.T, rows)
    candidate_tree = tree_of(
        _distances(table), keys=worse * table.mean(axis=1), most=most_candidates
    )
    columns = _single(len(cells))
    if len(cells) > LARGEST_TREE:  # along the first principal component
        centred = table.T - table.T.mean(axis=0)
        _, vectors = np.linalg.eigh(centred.T @ centred)
        columns = _neighbours(centred @ vectors[:, -1])
    by_judge = _means(cells, columns)
    if scores:
        judge_tree = tree_of(_distances(by_judge), keys=by_judge.mean(axis=1), most=most_judges)
    else:
        units = np.nan_to_num(unit_ranks(by_judge))
        silent = ~units.any(axis=1)  # judges that tie all: 0 apart, and 1 from others
        apart = 1 - np.clip(units @ units.T, -1, 1)
        apart[np.ix_(silent, silent)] = 0
        judge_tree = tree_of(apart, keys=-(units @ units.sum(axis=0)), most=most_judges)
    of_candidates, of_judges = (
        _leaf_members(candidate_tree, rows),
        _leaf_members(judge_tree, columns),
    )
    return ClusteredTable(
        values=_means(_means(cells, of_judges).T, of_candidates),
        candidates=of_candidates,
        judges=[tuple(judges[list(block)].tolist()) for block in of_judges],
        candidate_tree=candidate_tree,
        judge_tree=judge_tree,
        seen=len(judges),
    )


def _distances(rows: Floats) -> Floats:
    """Return the root mean square difference of every two rows, (k, k)."""
    squares = (rows**2).sum(axis=1)
    between = squares[:, None] + squares[None, :] - 2 * rows @ rows.T
    return np.asarray(np.sqrt(np.maximum(between, 0) / rows.shape[1]))


def _single(size: int) -> Blocks:
    return tuple((i,) for i in range(size))


def _neighbours(values: Floats) -> Blocks:
    """Return everything for itself, or of more than a tree can have runs in the order of values."""
    if len(values) <= LARGEST_TREE:
        return _single(len(values))
    parts = np.array_split(np.argsort(values, kind="stable"), LARGEST_TREE)
    return tuple(tuple(part.tolist()) for part in parts)


def _means(table: Floats, blocks: Sequence[tuple[int, ...]]) -> Floats:
    if all(len(block) == 1 for block in blocks):
        return np.asarray(table[[block[0] for block in blocks]])
    return np.stack([table[list(block)].mean(axis=0) for block in blocks])


def _leaf_members(tree: Tree, blocks: Sequence[tuple[int, ...]]) -> list[tuple[int, ...]]:
    return [tuple(i for k in tree.members[leaf] for i in blocks[k]) for leaf in tree.order]


# Judges as points and candidates as directions: a biplot of the ranks.


@dataclass(frozen=True, eq=False, kw_only=True)
class JudgeMap:
    judges: Integers  # those looked at, by position in the table
    points: Floats  # of judges, (m, 2)
    arrows: Floats  # of candidates, (n, 2)
    shares: tuple[float, float]  # of all differences between judges that the two axes show


def judge_map(results: Results) -> JudgeMap:
    """Return the two principal components of the ranks that judges give, without holes."""
    judges, seen = _sample_judges(results)
    better = -JudgeRanks(seen).whole
    points, arrows, shares = np.zeros((len(judges), 2)), np.zeros((results.n, 2)), np.zeros(2)
    if len(judges) > 1 and np.ptp(better, axis=0).max() > SAME_RANKS:
        matrix = RatingMatrix(
            data_sets=tuple(results.judges[j] for j in judges.tolist()),
            settings=tuple(results.candidates),
            ratings=better,
            separated=np.zeros(better.shape, dtype=bool),
        )
        plane = embedding(matrix, components=2)
        kept = plane.points.shape[1]
        points[:, :kept], arrows[:, :kept] = plane.points, plane.arrows
        shares[:kept] = plane.shares
    both = (float(shares[0]), float(shares[1]))
    return JudgeMap(judges=judges, points=points, arrows=arrows, shares=both)


def bin_points(points: Floats, *, cells: int) -> tuple[Floats, Integers]:
    """Return points put together in a grid, ``cells`` long: their means, and how many."""
    low = points.min(axis=0)
    side = float(np.ptp(points, axis=0).max()) / cells
    if side <= 0:
        return points[:1], np.array([len(points)])
    _, heap, counts = np.unique(
        np.floor((points - low) / side), axis=0, return_inverse=True, return_counts=True
    )
    sums = np.stack([np.bincount(heap.ravel(), weights=column) for column in points.T], axis=1)
    return sums / counts[:, None], counts

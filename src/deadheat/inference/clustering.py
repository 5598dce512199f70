"""Trees of what is alike: average linkage, the order of the leaves, and the lines to draw."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from deadheat.typing import Floats, Integers


@dataclass(frozen=True, eq=False, kw_only=True)
class Tree:
    """Hold how k leaves are joined.

    Attributes
    ----------
    merges
        (k - 1, 4) as SciPy has them: two nodes, the distance between them, the number of leaves.
        Node k + i is what row i makes.
    members
        The items in each leaf: one, or several where the tree was cut.
    order
        The leaves from left to right; lines of the tree do not cross.
    """

    merges: Floats
    members: tuple[tuple[int, ...], ...]
    order: Integers

    def __len__(self) -> int:
        return len(self.members)

    @property
    def items(self) -> list[tuple[int, ...]]:
        """The items of each leaf, from left to right."""
        return [self.members[leaf] for leaf in self.order.tolist()]

    def branches(self) -> list[tuple[tuple[float, float], ...]]:
        """Return the four corners (place, height) of each join; leaf i stands at i + 0.5."""
        size = len(self)
        places = np.empty(size + len(self.merges))
        heights = np.zeros(size + len(self.merges))
        places[self.order] = np.arange(size) + 0.5
        found: list[tuple[tuple[float, float], ...]] = []
        for row, (a, b, height, _) in enumerate(self.merges.tolist()):
            left, right = sorted((int(a), int(b)), key=lambda node: places[node])
            x, y = float(places[left]), float(places[right])
            found.append(
                ((x, float(heights[left])), (x, height), (y, height), (y, float(heights[right])))
            )
            places[size + row], heights[size + row] = (x + y) / 2, height
        return found


def tree_of(distances: Floats, *, keys: Floats | None = None, most: int | None = None) -> Tree:
    """Return the tree of items with these distances (k, k), by average linkage.

    Parameters
    ----------
    keys
        (k,): at every join the side with the lower mean of these stands left. Without them the
        order is SciPy's.
    most
        The leaves there may be; beyond, what is joined first becomes one leaf.
    """
    size = len(distances)
    if size < 2:
        return Tree(
            merges=np.empty((0, 4)),
            members=tuple((i,) for i in range(size)),
            order=np.arange(size),
        )
    from scipy.cluster.hierarchy import linkage
    from scipy.spatial.distance import squareform

    apart = np.array(distances, dtype=np.float64)
    np.fill_diagonal(apart, 0)
    joined = linkage(squareform((apart + apart.T) / 2, checks=False), "average")
    merges, members = _cut(joined, size, size if most is None else max(1, min(most, size)))
    means = None if keys is None else np.array([keys[list(items)].mean() for items in members])
    return Tree(merges=merges, members=members, order=_leaves(merges, members, means))


def _cut(joined: Floats, size: int, kept: int) -> tuple[Floats, tuple[tuple[int, ...], ...]]:
    """Return the last joins, and what the earlier ones had put together."""
    first = size - kept
    inside: dict[int, list[int]] = {i: [i] for i in range(size)}
    for row in range(first):
        a, b = joined[row, :2].astype(int).tolist()
        inside[size + row] = inside.pop(a) + inside.pop(b)
    nodes = sorted(inside)
    number = {node: leaf for leaf, node in enumerate(nodes)}
    number |= {size + row: kept + row - first for row in range(first, size - 1)}
    merges = joined[first:].copy()
    for row, (a, b) in enumerate(joined[first:, :2].astype(int).tolist()):
        merges[row, :2] = number[a], number[b]
    counts = np.ones(2 * kept - 1)
    for row, (a, b) in enumerate(merges[:, :2].astype(int).tolist()):
        merges[row, 3] = counts[kept + row] = counts[a] + counts[b]
    return merges, tuple(tuple(inside[node]) for node in nodes)


def _leaves(merges: Floats, members: tuple[tuple[int, ...], ...], means: Floats | None) -> Integers:
    """Return the leaves from left to right."""
    size = len(members)
    sides = merges[:, :2].astype(int).tolist()
    if means is not None:
        weights = [float(len(items)) for items in members]
        values = means.tolist()
        for row, (a, b) in enumerate(sides):
            weight = weights[a] + weights[b]
            values.append((weights[a] * values[a] + weights[b] * values[b]) / weight)
            weights.append(weight)
            if values[b] < values[a]:
                sides[row] = [b, a]
    waiting = [size + len(sides) - 1]
    found: list[int] = []
    while waiting:
        node = waiting.pop()
        if node < size:
            found.append(node)
        else:
            waiting += sides[node - size][::-1]
    return np.array(found, dtype=np.int64)

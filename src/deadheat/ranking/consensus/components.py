"""Who must be above whom: candidates in parts that can be ranked one by one."""

from __future__ import annotations

import heapq

import numpy as np

from deadheat.typing import Booleans, Floats, Integers


def closure(edges: Booleans) -> Booleans:
    """Return who reaches whom along edges (B, n, n), everybody himself."""
    reach = edges.copy()
    n = reach.shape[1]
    reach[:, np.arange(n), np.arange(n)] = True
    for k in range(n):
        reach |= reach[:, :, k, None] & reach[:, None, k, :]
    return reach


def components(edges: Booleans, order: Integers) -> list[Integers]:
    """Return the strongly connected components of edges (n, n), sources first.

    Among components that could come next, the one whose members stand first in ``order`` on
    average does; members stand in that order too.

    Examples
    --------
    >>> edges = np.array([[0, 1, 0], [1, 0, 0], [1, 1, 0]], dtype=bool)
    >>> [part.tolist() for part in components(edges, np.arange(3))]
    [[2], [0, 1]]
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    number, labels = connected_components(csr_array(edges), directed=True, connection="strong")
    place = np.argsort(order)
    sorting = np.lexsort((place, labels))
    starts = np.searchsorted(labels[sorting], np.arange(number))
    parts = np.split(sorting, starts[1:])
    keys = np.array([place[part].mean() for part in parts])
    return [
        parts[k] for k in _sources_first(_between(edges[np.ix_(sorting, sorting)], starts), keys)
    ]


def _between(edges: Booleans, starts: Integers) -> Booleans:
    """Return whether an edge leads from one component to another, the members side by side."""
    rows = np.logical_or.reduceat(edges, starts, axis=0)
    whole: Booleans = np.logical_or.reduceat(rows, starts, axis=1)
    np.fill_diagonal(whole, val=False)
    return whole


def _sources_first(edges: Booleans, keys: Floats) -> list[int]:
    waiting = edges.sum(axis=0)
    ready = [(float(keys[k]), int(k)) for k in np.flatnonzero(waiting == 0)]
    heapq.heapify(ready)
    found: list[int] = []
    while ready:
        _, k = heapq.heappop(ready)
        found.append(k)
        waiting[edges[k]] -= 1
        for freed in np.flatnonzero(edges[k] & (waiting == 0)).tolist():
            heapq.heappush(ready, (float(keys[freed]), freed))
    return found

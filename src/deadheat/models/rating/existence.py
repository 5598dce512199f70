"""Whether Bradley-Terry ratings exist: who can be compared with whom, and who never lost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from deadheat.ranking.rating.pair_counts import PairCounts, sums_by_candidate
from deadheat.typing import Booleans, Integers

Parts = tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Existence:
    """Say what can be estimated.

    Parameters
    ----------
    connected
        Whether everybody is linked to everybody by a chain of battles: else there is no common
        scale.
    strongly_connected
        Whether everybody is linked to everybody by a chain of wins, a tie being a win for both:
        exactly then the plain maximum-likelihood ratings are finite (Ford 1957).
    components
        The parts that met nobody of another part, largest first.
    strong
        The parts within which chains of wins lead from each to each, best first: whoever is later
        never won against, nor tied with, whoever is earlier.
    undefeated, winless
        Who won all battles, who lost all: a tie is neither.
    """

    connected: bool
    strongly_connected: bool
    components: Parts
    strong: Parts
    undefeated: tuple[int, ...]
    winless: tuple[int, ...]


def existence(pairs: PairCounts) -> Existence:
    """Return what can be estimated from counts (P,); it raises nothing.

    References
    ----------
    .. [1] Ford (1957), "Solution of a ranking problem from binary comparisons", American
           Mathematical Monthly 64(8).
    """
    won, lost = pairs.points > 0, pairs.points_against > 0
    weak = _labels(pairs, won | lost, won | lost, "weak")
    strong = _labels(pairs, won, lost, "strong")
    up = sums_by_candidate(pairs, won.astype(float), lost.astype(float))
    down = sums_by_candidate(pairs, lost.astype(float), won.astype(float))
    return Existence(
        connected=int(weak.max(initial=0)) == 0,
        strongly_connected=int(strong.max(initial=0)) == 0,
        components=tuple(sorted(_parts(weak), key=lambda part: (-len(part), part))),
        strong=_best_first(pairs, won, lost, strong),
        undefeated=tuple(np.flatnonzero((up > 0) & (down == 0)).tolist()),
        winless=tuple(np.flatnonzero((up == 0) & (down > 0)).tolist()),
    )


def separated(pairs: PairCounts) -> Booleans:
    """Return for which replicates (B, P) a chain of wins is missing between some who are connected.

    Exactly then no finite ratings fit best within each connected part.
    """
    won, lost = pairs.points > 0, pairs.points_against > 0
    found = np.empty(len(won), dtype=bool)
    for b, (up, down) in enumerate(zip(won, lost, strict=True)):
        strong, weak = _labels(pairs, up, down, "strong"), _labels(pairs, up, down, "weak")
        found[b] = strong.max(initial=0) > weak.max(initial=0)
    return found


def weak_labels(pairs: PairCounts) -> Integers:
    """Return the number of the part of the comparison graph that each candidate is in, (n,)."""
    met = pairs.met > 0
    return _labels(pairs, met, met, "weak")


def above_and_below(pairs: PairCounts, part: tuple[int, ...]) -> tuple[Booleans, Booleans]:
    """Return who reaches some candidates by a chain of wins, and whom they reach, both (n,)."""
    from scipy.sparse.csgraph import breadth_first_order

    graph = _graph(pairs, pairs.points > 0, pairs.points_against > 0)
    found = []
    for directed in (graph.T.tocsr(), graph):
        reached = np.zeros(pairs.n, dtype=bool)
        start = part[0]
        reached[breadth_first_order(directed, start, return_predecessors=False)] = True
        reached[list(part)] = False
        found.append(reached)
    return found[0], found[1]


def _graph(pairs: PairCounts, won: Booleans, lost: Booleans) -> Any:
    """Return the sparse graph with an edge from each winner to each loser."""
    from scipy.sparse import csr_array

    tails = np.concatenate([pairs.first[won], pairs.second[lost]])
    heads = np.concatenate([pairs.second[won], pairs.first[lost]])
    shape = (pairs.n, pairs.n)
    return csr_array((np.ones(len(tails), dtype=np.int8), (tails, heads)), shape=shape)


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
    winner = np.concatenate([labels[pairs.first[won]], labels[pairs.second[lost]]])
    loser = np.concatenate([labels[pairs.second[won]], labels[pairs.first[lost]]])
    apart = winner != loser
    edges = np.unique(np.stack([winner[apart], loser[apart]]), axis=1)
    depth = np.zeros(len(parts), dtype=np.int64)
    below = np.split(edges[1], np.flatnonzero(np.diff(edges[0])) + 1) if edges.size else []
    followers = {int(tail): heads for tail, heads in zip(np.unique(edges[0]), below, strict=True)}
    waiting = np.bincount(edges[1], minlength=len(parts)) if edges.size else depth.copy()
    ready = np.flatnonzero(waiting == 0).tolist()
    while ready:
        k = ready.pop()
        for head in followers.get(k, np.empty(0, dtype=np.int64)).tolist():
            depth[head] = max(depth[head], depth[k] + 1)
            waiting[head] -= 1
            if waiting[head] == 0:
                ready.append(head)
    return tuple(parts[k] for k in sorted(range(len(parts)), key=lambda k: (depth[k], parts[k])))

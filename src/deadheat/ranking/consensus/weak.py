"""Kemeny's rule with ties in the answer, proven part by part."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from deadheat.ranking.consensus.branching import Bounded, proven
from deadheat.ranking.consensus.buckets import MOST_IN_BUCKETS, best_buckets
from deadheat.ranking.consensus.clock import Clock
from deadheat.ranking.consensus.components import components
from deadheat.ranking.consensus.contest import Contest
from deadheat.ranking.consensus.descent import inserted
from deadheat.ranking.consensus.found import Found
from deadheat.ranking.consensus.partitions import cheapest_groups, shared_ranks
from deadheat.ranking.consensus.relation import weak_relation
from deadheat.typing import Booleans, Floats, Integers


def closest_weak(contest: Contest, clock: Clock) -> Found:
    """Return the ranking, ties allowed, with the fewest disagreements.

    Where i above j is strictly cheaper than a tie and than j above i for all i of one part and j
    of another, every optimal ranking puts the first part above the second. Such parts are ranked
    one by one, and the number of optima is the product of theirs. Where they are too large, parts
    in which «strictly» is left out will do for one optimum.
    """
    parts = components(_open(contest, ahead=np.less), contest.mean_order)
    small = max(map(len, parts)) <= MOST_IN_BUCKETS
    if not small:
        parts = components(_open(contest, ahead=np.less_equal), contest.mean_order)
    ranks, number, start = np.empty(contest.n), 1, 0
    value: list[float] = []
    bound: list[float] = []
    leads: frozenset[frozenset[int]] = frozenset()
    between = _between(contest, parts)
    waiting = [_in_order(contest.of(members)) for members in parts]
    for k, members in enumerate(parts):
        least, most = math.fsum(bound), math.fsum((*value, *waiting[k + 1 :]))
        part = _optimum(contest.of(members), clock.beside(between + least, most - least))
        best = part.best
        ranks[members] = start + _mean_ranks(best.places)
        start += len(members)
        value.append(best.value)
        bound.append(best.bound)
        number *= part.number
        leads = leads or frozenset(frozenset(members[f].tolist()) for f in part.firsts)
    objective = math.fsum(value) + between
    done = contest.weak_steps.met(math.fsum(value), math.fsum(bound))
    return Found(
        ranks=ranks,
        objective=objective,
        bound=objective if done else math.fsum(bound) + between,
        status="optimal" if done else "time limit",
        unique=number == 1 if small else None,
        number=number if small else None,
        leads=leads if small else None,
        every=_is_indifferent(contest),
    )


@dataclass(frozen=True, eq=False)
class Part:
    """Hold the best ranking of a part; how many are as good, and who is first in them, if known."""

    best: Bounded
    number: int = 1
    firsts: Sequence[Integers] = ()


def _is_indifferent(contest: Contest) -> bool:
    """Return whether all rankings cost the same: a tie of two as much as either order."""
    apart = contest.above - contest.level
    np.fill_diagonal(apart, 0.0)
    return bool((np.abs(apart) < contest.weak_steps.size / 2).all())


def _in_order(contest: Contest) -> float:
    """Return what the candidates cost one above the other, as they stand."""
    return float(np.triu(contest.above, 1).sum())


def _open(contest: Contest, *, ahead: np.ufunc) -> Booleans:
    """Return the pairs (u, v) that are not settled for v above u."""
    cheapest = np.minimum(contest.level, contest.above.T)
    settled: Booleans = ahead(contest.above, cheapest)
    found: Booleans = ~settled.T
    np.fill_diagonal(found, val=False)
    return found


def _between(contest: Contest, parts: list[Integers]) -> float:
    """Return what the pairs of different parts cost."""
    order = np.concatenate(parts)
    part = np.repeat(np.arange(len(parts)), [len(p) for p in parts])
    costs = contest.above[np.ix_(order, order)]
    return float(costs[part[:, None] < part[None, :]].sum())


def _optimum(contest: Contest, clock: Clock) -> Part:
    """Return the optimum of a part, and what is known of others."""
    n = contest.n
    if n <= MOST_IN_BUCKETS:
        tolerance = contest.weak_steps.size / 2
        found = best_buckets(contest.above, contest.level, tolerance=tolerance)
        places = np.empty(n, dtype=np.intp)
        for place, bucket in enumerate(found.buckets):
            places[bucket] = place
        return Part(Bounded(places, found.cost, found.cost), found.number, found.firsts)
    pairs = np.minimum(np.minimum(contest.above, contest.above.T), contest.level)
    floor = float(np.triu(pairs, 1).sum())

    def grouped(order: Integers) -> tuple[Integers, float]:
        places, value = _merged(contest, order)
        return places, value - floor

    def rounded(y: Floats) -> tuple[Integers, float]:
        return grouped(np.argsort(y.sum(axis=0) - y.sum(axis=1), kind="stable"))

    first = Bounded(*grouped(inserted(contest.losses, np.arange(n), clock)), 0.0)
    relation = weak_relation(contest)
    here = clock.beside(floor)
    best = proven(relation, first, rounded, steps=contest.weak_steps, clock=here)
    return Part(Bounded(best.places, best.value + floor, best.bound + floor))


def _merged(contest: Contest, order: Integers) -> tuple[Integers, float]:
    """Return the best way to tie neighbours of an order, as places, and what it costs."""
    n = len(order)
    above = np.triu(contest.above[np.ix_(order, order)], 1)
    saved = np.zeros((n + 1, n + 1))
    saved[1:, 1:] = (np.triu(contest.level[np.ix_(order, order)], 1) - above).cumsum(0).cumsum(1)
    corner = np.diagonal(saved)
    costs = corner[None, :] - saved - saved.T + corner[:, None]
    change, groups = cheapest_groups(costs)
    places = np.empty(n, dtype=np.intp)
    for place, group in enumerate(groups):
        places[order[group]] = place
    return places, float(above.sum()) + change


def _mean_ranks(places: Integers) -> Floats:
    order = np.argsort(places, kind="stable")
    starts = np.flatnonzero(np.diff(places[order], prepend=-1))
    ends = np.append(starts[1:], len(places))
    ranks = np.empty(len(places))
    ranks[order] = shared_ranks([slice(int(s), int(e)) for s, e in zip(starts, ends, strict=True)])
    return ranks

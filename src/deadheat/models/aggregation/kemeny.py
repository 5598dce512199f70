"""Kemeny's rule: the closest ranking by Kendall's distance, exact where that is possible."""

from __future__ import annotations

import math
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from deadheat.core.errors import TooLongError, ask
from deadheat.core.types import Booleans, Floats, Integers
from deadheat.models.aggregation import programs
from deadheat.models.aggregation.ballots import (
    MOST_LISTED,
    Ballots,
    Clock,
    Contest,
    FoundRanking,
    Output,
    alone,
    closure,
    components,
    ranks_of,
)
from deadheat.models.aggregation.programs import BoundedRanking, WeakPart
from deadheat.ranking.block import slices
from deadheat.ranking.ranks import ranks as mean_ranks_of

# A good order quickly: move one candidate at a time to where it costs least.


def order_by_moves(losses: Floats, order: Integers, clock: Clock) -> Integers:
    """Return an order, best first, that no move of one candidate improves."""
    gains, order, improved = losses - losses.T, np.array(order), True
    while improved and not clock.is_over():
        improved = False
        for i in order.copy():
            if clock.is_over():
                break
            here = int(np.flatnonzero(order == i)[0])
            others = np.delete(order, here)
            places = np.r_[0.0, np.cumsum(-gains[i, others])]  # i below ever more, in O(n)
            there = int(np.argmin(places))
            if places[there] < places[here] - 1e-9 * (1 + abs(places[here])):
                order = np.insert(others, there, i)
                improved = True
    return order


# The strict ranking with the fewest disagreements, proven part by part.


class StrictPart(NamedTuple):
    """The best order of a component, best first, its loss, and what none loses less than."""

    order: Integers
    loss: float
    bound: float
    unique: bool | None


def strict_parts(contest: Contest, clock: Clock, *, wants_unique: bool = True) -> list[StrictPart]:
    """Return optimal orders of the components of the strict-majority graph, best first.

    Every majority between two of them points forwards, so no margin between them is lost, and no
    ranking loses less than the sum of their optima (the extended Condorcet criterion of Truchon
    1998). ``wants_unique`` asks whether they are the only ones, which can take longer.
    """
    parts = components(contest.margins > 0, contest.mean_order)
    quick = sorted(range(len(parts)), key=lambda k: len(parts[k]))
    found: dict[int, StrictPart] = {}
    waiting = {k: contest.against(parts[k]) for k in quick}
    for k in quick:  # the small ones first: a time limit should hit the hardest part only
        del waiting[k]
        loss, bound = loss_and_bound(list(found.values()))
        here = clock.beside(bound, loss - bound + sum(waiting.values()))
        found[k] = _strict_optimum(contest.of(parts[k]), parts[k], here, wants_unique=wants_unique)
    return [found[k] for k in range(len(parts))]


def _strict_optimum(
    contest: Contest, members: Integers, clock: Clock, *, wants_unique: bool
) -> StrictPart:
    if contest.n == 1:
        return StrictPart(members, 0.0, 0.0, unique=True)
    if contest.n <= programs.MOST:
        optima = all_optima(contest)
        (order,) = optima.orders(most=1)
        loss = float(optima.best[0])
        return StrictPart(members[order], loss, loss, unique=bool(optima.number[0] == 1))

    def rounded(y: Floats) -> tuple[Integers, float]:
        start = np.argsort(-y.sum(axis=1), kind="stable")
        order = order_by_moves(contest.losses, start, clock)
        return np.argsort(order), contest.against(order)

    order = order_by_moves(contest.losses, np.arange(contest.n), clock)
    first = BoundedRanking(np.argsort(order), contest.against(order), 0.0)
    relation = programs.strict_relation(contest, order)
    best = programs.prove(relation, first, rounded, steps=contest.strict_steps, clock=clock)
    order = np.argsort(best.places)
    if not contest.strict_steps.proves_optimal(best.value, best.bound):
        return StrictPart(members[order], best.value, best.bound, unique=None)
    unique = _is_unique_part(contest, order, best.value, clock) if wants_unique else None
    return StrictPart(members[order], best.value, best.value, unique)


def all_optima(contest: Contest) -> programs.Optima:
    tolerance = np.array([contest.strict_steps.size / 2])
    return programs.optimal_orders(contest.losses[None], tolerance=tolerance)


def _is_unique_part(contest: Contest, order: Integers, loss: float, clock: Clock) -> bool | None:
    """Return whether no other order is as good, None where the time does not suffice.

    A neighbour that may as well be on the other side settles it, or a program without this order.
    """
    steps = contest.strict_steps
    if (contest.margins[order[:-1], order[1:]] == 0).any():
        return False
    relation = programs.strict_relation(contest, order)
    growing, whole = programs.program(relation.costs / steps.size), False
    i, j = order[:-1], order[1:]  # every other order turns round two neighbours
    upper = np.array([len(i) - 1 - relation.start[i, j].sum()])
    growing.add(programs.Rows(relation.variable[i, j][None], relation.sign[i, j][None], upper))
    while not clock.is_over():
        left = clock.left
        solved = growing.whole(left, gap=programs.WITHIN) if whole else growing.relaxed(left)
        if steps.next_whole_step(solved.bound) > loss + steps.size / 2:
            return True
        if not solved.optimal or solved.values is None:
            return None
        values: Floats = np.rint(solved.values) if whole else solved.values
        violated = relation.violated(values, clock)
        if clock.is_over():
            return None
        if violated:
            growing.add(*violated)
        elif whole or (np.abs(values - np.rint(values)) < 1e-6).all():
            return False
        else:
            whole = True
    return None


def loss_and_bound(parts: list[StrictPart]) -> tuple[float, float]:
    return math.fsum(p.loss for p in parts), math.fsum(p.bound for p in parts)


# The same with ties in the answer.


def closest_weak(contest: Contest, clock: Clock) -> FoundRanking:
    """Return the ranking, ties allowed, with the fewest disagreements.

    Where i above j is strictly cheaper than a tie and than j above i for all i of one part and j of
    another, every optimal ranking puts the first part above the second, and the number of optima is
    the product of theirs. Where such parts are too large, those without «strictly» will do.
    """
    cheapest = np.minimum(contest.level, contest.above.T)
    for ahead in (np.less, np.less_equal):
        settled: Booleans = ahead(contest.above, cheapest)
        unsettled = ~settled.T  # pairs (u, v) that are not settled for v above u
        np.fill_diagonal(unsettled, val=False)
        parts = components(unsettled, contest.mean_order)
        small = ahead is np.less and max(map(len, parts)) <= programs.MOST_IN_BUCKETS
        if small:
            break
    place = np.concatenate([np.full(len(part), k) for k, part in enumerate(parts)])
    costs = contest.above[np.ix_(*[np.concatenate(parts)] * 2)]
    between = float(costs[place[:, None] < place].sum())  # of pairs of different parts
    waiting = [float(np.triu(contest.of(part).above, 1).sum()) for part in parts]
    ranks, start, found = np.empty(contest.n), 0, list[WeakPart]()
    for k, members in enumerate(parts):
        least = math.fsum(part.best.bound for part in found)
        most = math.fsum((*(part.best.value for part in found), *waiting[k + 1 :]))
        part = _weak_optimum(contest.of(members), clock.beside(between + least, most - least))
        ranks[members] = start + mean_ranks_of(-part.best.places.astype(np.float64))
        start += len(members)
        found.append(part)
    value = math.fsum(part.best.value for part in found)
    bound = math.fsum(part.best.bound for part in found)
    done = contest.weak_steps.proves_optimal(value, bound)
    apart = contest.above - contest.level
    np.fill_diagonal(apart, 0.0)
    number = math.prod(part.number for part in found)
    leads = frozenset(frozenset(parts[0][first].tolist()) for first in found[0].firsts)
    known: dict[str, Any] = {"unique": number == 1, "number": number, "leads": leads}
    return FoundRanking(
        ranks=ranks,
        objective=value + between,
        bound=(value if done else bound) + between,
        status="optimal" if done else "time limit",
        **known if small else {},
        every=bool((np.abs(apart) < contest.weak_steps.size / 2).all()),
    )


def _weak_optimum(contest: Contest, clock: Clock) -> WeakPart:
    n = contest.n
    if n <= programs.MOST_IN_BUCKETS:
        tolerance = contest.weak_steps.size / 2
        return programs.best_buckets(contest.above, contest.level, tolerance=tolerance)
    pairs = np.minimum(np.minimum(contest.above, contest.above.T), contest.level)
    floor = float(np.triu(pairs, 1).sum())

    def grouped(order: Integers) -> tuple[Integers, float]:
        """Return the best way to tie neighbours of an order, as places, and what it costs."""
        above = np.triu(contest.above[np.ix_(order, order)], 1)
        level = np.triu(contest.level[np.ix_(order, order)], 1)
        saved = np.pad((level - above).cumsum(0).cumsum(1), ((1, 0), (1, 0)))
        corner = np.diagonal(saved)
        change, groups = programs.cheapest_groups(corner - saved - saved.T + corner[:, None])
        places = np.empty(n, dtype=np.intp)
        for place, group in enumerate(groups):
            places[order[group]] = place
        return places, float(above.sum()) + change - floor

    def rounded(y: Floats) -> tuple[Integers, float]:
        return grouped(np.argsort(y.sum(axis=0) - y.sum(axis=1), kind="stable"))

    order = order_by_moves(contest.losses, np.arange(n), clock)
    first, relation = BoundedRanking(*grouped(order), 0.0), programs.weak_relation(contest)
    beside, steps = clock.beside(floor), contest.weak_steps
    best = programs.prove(relation, first, rounded, steps=steps, clock=beside)
    return WeakPart(BoundedRanking(best.places, best.value + floor, best.bound + floor))


# The closest ranking by Kendall's distance.


def closest(ballots: Ballots, output: Output, clock: Clock) -> FoundRanking:
    """Return the ranking with the fewest pairs that a judge orders the other way (Kemeny 1959)."""
    contest = ballots.contest
    return closest_weak(contest, clock) if output == "weak" else closest_strict(contest, clock)


def closest_strict(contest: Contest, clock: Clock) -> FoundRanking:
    parts = strict_parts(contest, clock.beside(contest.floor))
    order = np.concatenate([part.order for part in parts])
    loss, bound = loss_and_bound(parts)
    ranks, objective, every = ranks_of(order), contest.floor + loss, not contest.margins.any()
    if not contest.strict_steps.proves_optimal(loss, bound):
        known: dict[str, Any] = {"bound": bound + contest.floor, "status": "time limit"}
        return FoundRanking(ranks=ranks, objective=objective, every=every, **known)
    # Neighbours of different parts could change sides where no majority orders them. Where one
    # orders all such neighbours, the order of the parts is forced.
    free = bool((contest.margins[order[:-1], order[1:]] == 0).any())
    single = {part.unique for part in parts}
    unique = False if free or False in single else None if None in single else True
    number, optima, leads = (1, (ranks,), None) if unique else _all(contest)
    unique = number == 1 if number else unique
    known = {"unique": unique, "number": number, "optima": optima, "every": every}
    leads = alone(order[:1]) if unique else leads
    return FoundRanking.proven(ranks, objective, leads=leads, **known)


Leads = frozenset[frozenset[int]] | None


def _all(contest: Contest) -> tuple[int | None, tuple[Floats, ...], Leads]:
    """Return how many optimal orders there are, their ranks where they are few, and who is first.

    In the graph of majorities and draws, every strongly connected component wins all duels against
    the next: optimal orders are the combinations of theirs. None where a component is too large.
    """
    edges = contest.margins >= 0
    np.fill_diagonal(edges, val=False)
    parts = components(edges, contest.mean_order)
    first, level = parts[0], not contest.of(parts[0]).margins.any()
    leads = alone(first) if level else None
    if not level and len(first) <= programs.MOST:
        leads = alone(first[all_optima(contest.of(first)).firsts])
    if max(map(len, parts)) > programs.MOST:
        return None if contest.margins.any() else math.factorial(contest.n), (), leads
    found = [all_optima(contest.of(part)) for part in parts]
    number = math.prod(int(optima.number[0]) for optima in found)
    if number > MOST_LISTED:
        return number, (), leads
    choices = [
        [part[order] for order in optima.orders(most=MOST_LISTED)]
        for part, optima in zip(parts, found, strict=True)
    ]
    orders = (np.concatenate(choice) for choice in product(*choices))
    return number, tuple(map(ranks_of, orders)), leads


# Mean ranks over all optima of many replicates: the ranking function.

LARGEST = 40  # candidates in one cycle of majorities: a second is enough for most
PATIENCE = 10.0  # seconds for one replicate; what is not proven then is refused, never guessed
SAME = 1e-9  # of the total weight: losses closer than this are equal


class Field:
    """The distinct candidates of every replicate: margins (B, n, n) and copies (B, n).

    Those whose margins against all differ by noise (B, 1) are one, their ``leader`` (B, n).
    """

    def __init__(self, margins: Floats, copies: Floats, *, noise: Floats, total: Floats) -> None:
        size, n, _ = margins.shape
        there = copies > 0
        same = np.empty((size, n, n), dtype=bool)
        for i in range(n):
            apart = np.abs(margins - margins[:, i, None, :]) > 2 * noise[:, :, None]
            same[:, i] = ~(apart & there[:, None, :]).any(axis=2)
        same &= there[:, :, None] & there[:, None, :]
        self.leader = np.where(there, np.argmax(same, axis=2), np.arange(n))
        leads = there & (self.leader == np.arange(n))
        self.copies = np.where(leads, np.einsum("bij,bj->bi", same, copies), 0.0)
        order = np.where(leads, -1, np.arange(n))  # the absent one by one, after the others
        placed = np.sign(order[:, None, :] - order[:, :, None])
        self.margins = np.where(leads[:, :, None] & leads[:, None, :], margins, placed)
        self.tolerance = np.where(noise == 0, 0.25, SAME * total)[:, 0]

    @property
    def blocks(self) -> tuple[Booleans, Booleans]:
        """Who shares a block with whom, and who is in a later block, (B, n, n) both."""
        reach = closure(self.margins >= 0)
        back = reach.swapaxes(1, 2)
        return reach & back, reach & ~back


def mean_ranks(field: Field) -> Floats:
    shared, later = field.blocks
    above = np.einsum("bij,bi->bj", later, field.copies)
    ranks = above + (field.copies + 1) / 2
    sizes = shared.sum(axis=2)
    heads = np.argmax(shared, axis=2) == np.arange(shared.shape[1])
    for size in np.unique(sizes[heads & (sizes > 1)]).tolist():  # all blocks of one size at once
        replicates, head = np.nonzero(heads & (sizes == size))
        members = np.nonzero(shared[replicates, head])[1].reshape(-1, size)
        solve = _by_subsets if size <= programs.MOST else _one_by_one
        first = np.take_along_axis(above[replicates], members, axis=1)
        ranks[replicates[:, None], members] = first + solve(field, replicates, members)
    return np.take_along_axis(ranks, field.leader, axis=1)


def _by_subsets(field: Field, replicates: Integers, members: Integers) -> Floats:
    k, size = members.shape
    found = []
    for some in slices(k, size << size):
        part, who = replicates[some], members[some]
        copies = field.copies[part[:, None], who]
        margins = field.margins[part[:, None, None], who[:, :, None], who[:, None, :]]
        losses = np.maximum(-margins, 0.0) * copies[:, :, None] * copies[:, None, :]
        optima = programs.optimal_orders(losses, tolerance=field.tolerance[part])
        found.append(optima.mean_ranks(copies))
    return np.concatenate(found)


def _one_by_one(field: Field, replicates: Integers, members: Integers) -> Floats:
    """Return the ranks in one optimal order, where there are too many candidates to know all."""
    ranks = np.empty(members.shape)
    for row, (b, who) in enumerate(zip(replicates, members, strict=True)):
        copies = field.copies[b, who]
        margins = field.margins[b][np.ix_(who, who)] * copies[:, None] * copies
        ties, unit = np.zeros_like(margins), 1.0 if field.tolerance[b] == 0.25 else 0.0
        order = _order_of(Contest(margins, ties, np.abs(margins), unit))
        before = np.cumsum(copies[order]) - copies[order]
        ranks[row, order] = before + (copies[order] + 1) / 2
    return ranks


def _order_of(contest: Contest) -> Integers:
    """Return an optimal order of candidates that are tied up in cycles, if it is soon proven."""
    reach = closure(contest.margins[None] > 0)[0]
    largest = int((reach & reach.T).sum(axis=1).max())
    why = (
        f"would take too long: {largest} candidates form one cycle of majorities, and it ranks at "
        f"most {LARGEST} such."
    )
    if largest <= LARGEST:
        parts = strict_parts(contest, Clock(PATIENCE), wants_unique=False)
        if all(contest.strict_steps.proves_optimal(part.loss, part.bound) for part in parts):
            return np.concatenate([part.order for part in parts])
        why = (
            f"takes too long: {PATIENCE:g} s did not suffice to prove the best order of {largest} "
            "candidates that form one cycle of majorities."
        )
    once = f"to rank them once, with a time limit: {ask('consensus', 'FILE')}"
    hint = f"rank by copeland, schulze or average_rank; or, {once}"
    raise TooLongError(why, subject="kemeny", hint=hint)

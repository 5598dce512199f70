"""Exact optima: dynamic programs for few candidates, linear ones, with lazy cuts, for many."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from deadheat.core.types import Booleans, Floats, Integers
from deadheat.models.aggregation.ballots import Clock, Contest, Steps


class BoundedRanking(NamedTuple):
    """The places of the best ranking found, what it costs, and what none costs less than."""

    places: Integers
    value: float
    bound: float

    def better(self, other: BoundedRanking) -> BoundedRanking:
        best = other if other.value < self.value else self
        return BoundedRanking(best.places, best.value, max(self.bound, other.bound))


class WeakPart(NamedTuple):
    """The best ranking of a part; how many are as good, and who is first in them, if known."""

    best: BoundedRanking
    number: int = 1
    firsts: Sequence[Integers] = ()


def cheapest_groups(costs: Floats) -> tuple[float, list[slice]]:
    """Return the smallest total and its groups, where ``costs[s, e]`` is that of s to e - 1."""
    n = len(costs) - 1
    totals, cuts = np.zeros(n + 1), np.zeros(n + 1, dtype=np.intp)
    for end in range(1, n + 1):
        options = totals[:end] + costs[:end, end]
        cuts[end] = np.argmin(options)  # the longer last group, if equal
        totals[end] = options[cuts[end]]
    groups: list[slice] = []
    end = n
    while end:
        groups.insert(0, slice(int(cuts[end]), int(end)))
        end = int(cuts[end])
    return float(totals[-1]), groups


# All optimal orders of a few candidates, by dynamic programming over subsets.

MOST = 12  # candidates: 4,096 subsets of which each looks at 12


@cache
def layers(n: int) -> tuple[tuple[Integers, ...], ...]:
    """Return the subsets of n candidates by size, as bits, from 1 candidate to all.

    Of each size: all subsets, who is in, what is left without, who is out, what is there with.
    """
    numbers = np.arange(1 << n)
    inside = (numbers[:, None] >> np.arange(n)) & 1 == 1
    sizes = inside.sum(axis=1)
    found = []
    for size in range(1, n + 1):
        subsets = np.flatnonzero(sizes == size)
        members = np.nonzero(inside[subsets])[1].reshape(len(subsets), size)
        outside = np.nonzero(~inside[subsets])[1].reshape(len(subsets), n - size)
        smaller, larger = subsets[:, None] ^ (1 << members), subsets[:, None] | (1 << outside)
        found.append((subsets, members, smaller, outside, larger))
    return tuple(found)


class Optima(NamedTuple):
    """The optimal orders of B contests of n candidates each."""

    best: Floats  # the smallest loss, (B,)
    last: Booleans  # whether an optimal order of a subset may end with a candidate, (B, 2**n, n)
    starts: Floats  # how many optimal orders a subset has, (B, 2**n)
    ends: Floats  # in how many ways each can be continued to an optimal order of all, (B, 2**n)

    @property
    def number(self) -> Floats:
        return self.starts[:, -1]

    def mean_ranks(self, copies: Floats) -> Floats:
        """Return mean ranks over all optimal orders (B, n); copies share theirs."""
        n = copies.shape[1]
        above = sums_over_subsets(copies[:, :, None])[:, :, 0]
        without = np.arange(1 << n)[:, None] & ~(1 << np.arange(n))
        ways = self.starts[:, without] * self.ends[:, :, None] * self.last
        places = above[:, without] + (copies[:, None, :] + 1) / 2
        total: Floats = np.einsum("bsi,bsi->bi", ways, places)
        return total / self.number[:, None]

    @property
    def firsts(self) -> Integers:
        """The candidates that are first in some optimal order of the first contest."""
        each = np.arange(self.last.shape[2])
        return np.flatnonzero(self.ends[0, 1 << each] > 0)

    def orders(self, *, most: int) -> list[Integers]:
        n = self.last.shape[2]
        return [np.array(order) for order in islice(self._endings((1 << n) - 1), most)]

    def _endings(self, subset: int) -> Iterator[tuple[int, ...]]:
        if not subset:
            yield ()
        for i in np.flatnonzero(self.last[0, subset])[::-1].tolist():  # later ones go last
            for before in self._endings(subset ^ (1 << i)):
                yield (*before, i)


def optimal_orders(losses: Floats, *, tolerance: Floats) -> Optima:
    """Return the optimal orders of contests in which i above j loses so much, (B, n, n).

    The best order of a subset that ends with i is the best order of the rest, and i below all of it
    (Held, Karp 1962). Losses within the tolerance (B,) are equal.
    """
    size, n, _ = losses.shape
    below = sums_over_subsets(losses)
    best, starts, ends = (np.zeros((size, 1 << n)) for _ in range(3))
    starts[:, 0] = ends[:, -1] = 1
    last = np.zeros((size, 1 << n, n), dtype=bool)
    for subsets, members, smaller, _, _ in layers(n):
        ending = best[:, smaller] + below[:, smaller, members]
        least = ending.min(axis=2, keepdims=True)
        best[:, subsets] = least[:, :, 0]
        optimal = ending <= least + tolerance[:, None, None]
        last[:, subsets[:, None], members] = optimal
        starts[:, subsets] = (optimal * starts[:, smaller]).sum(axis=2)
    for subsets, _, _, outside, larger in layers(n)[-2::-1]:
        ends[:, subsets] = (last[:, larger, outside] * ends[:, larger]).sum(axis=2)
    each = np.arange(n)
    ends[:, 0] = (last[:, 1 << each, each] * ends[:, 1 << each]).sum(axis=1)
    return Optima(best[:, -1], last, starts, ends)


def sums_over_subsets(rows: Floats) -> Floats:
    """Return the sums of rows (B, n, k) over every subset of the n, (B, 2**n, k)."""
    size, n, k = rows.shape
    sums = np.zeros((size, 1 << n, k))
    for i in range(n):
        np.add(sums[:, : 1 << i], rows[:, i, None], out=sums[:, 1 << i : 2 << i])
    return sums


# All optimal rankings with ties of a few candidates, by dynamic programming over subsets.

MOST_IN_BUCKETS = 10  # candidates: 59,049 pairs of a subset and its last bucket


def best_buckets(above: Floats, level: Floats, *, tolerance: float) -> WeakPart:
    """Return the best ranking with ties, given what i above j costs, and i level with j, in O(3^n).

    It ends with some bucket, below the best ranking of the rest.
    """
    n = len(above)
    over = sums_over_subsets(above[None])[0]  # over[T, j]: all of T above j
    under = sums_over_subsets(above.T[None])[0]  # under[T, j]: j above all of T
    beside = sums_over_subsets(level[None])[0]
    best, ways = np.zeros(1 << n), np.zeros(1 << n)
    last = np.zeros(1 << n, dtype=np.intp)
    endings: list[Integers] = [last[:0]]
    ways[0] = 1
    for subset in range(1, 1 << n):
        buckets, costs = np.zeros(1, dtype=np.intp), np.zeros(1)
        for j in range(n):
            if not subset >> j & 1:
                continue
            rest = subset & ~buckets & ~(1 << j)
            added = over[rest, j] - under[buckets, j] + beside[buckets, j]
            buckets = np.concatenate([buckets, buckets | 1 << j])
            costs = np.concatenate([costs, costs + added])
        totals = best[subset & ~buckets[1:]] + costs[1:]
        best[subset] = totals.min()
        chosen = buckets[1:][totals <= best[subset] + tolerance]
        last[subset] = chosen[-1]  # the later candidates go last
        ways[subset] = ways[subset & ~chosen].sum()
        endings.append(chosen)
    places, place, subset = np.empty(n, dtype=np.intp), 0, (1 << n) - 1
    while subset:
        places[subset_members(int(last[subset]), n)] = place
        subset, place = subset & ~int(last[subset]), place - 1
    places -= places.min()
    reached = np.zeros(1 << n, dtype=bool)
    reached[-1] = True
    firsts = []
    for subset in range((1 << n) - 1, 0, -1):
        if reached[subset]:
            before = subset & ~endings[subset]
            reached[before] = True
            firsts += [subset] if (before == 0).any() else []

    best_one = BoundedRanking(places, float(best[-1]), float(best[-1]))
    return WeakPart(best_one, int(ways[-1]), [subset_members(subset, n) for subset in firsts])


def subset_members(subset: int, n: int) -> Integers:
    return np.flatnonzero(subset >> np.arange(n) & 1)


# Rankings as 0/1 variables: who is at least as good as whom, and no cycles.

VIOLATED = 1e-6
MOST_CUTS = 10_000  # triangles that are added at a time, the most violated first


class Rows(NamedTuple):
    """Inequalities: coefficients (r, k) of variables (r, k), at most ``upper`` (r,)."""

    variables: Integers
    coefficients: Floats
    upper: Floats


@dataclass(frozen=True, eq=False)
class Relation:
    r"""Say how :math:`y_{ij}` (i is at least as good as j) follows from 0/1 variables z.

    :math:`y_{ij} = a_{ij} + s_{ij} z_{v(i,j)}`, with s = 1 where a = 0 and -1 where a = 1. Every z
    costs at least 0 and is 0 where the pair is as it would be alone. In a strict ranking
    :math:`y_{ij} + y_{ji} = 1` and a pair has one variable; in a weak one two, and :math:`y_{ij} +
    y_{ji} \ge 1`.
    """

    variable: Integers
    start: Floats
    costs: Floats
    strict: bool

    @cached_property
    def sign(self) -> Floats:
        return 1 - 2 * self.start

    def matrix(self, values: Floats) -> Floats:
        """Return y (n, n) from the values of the variables, 0 on the diagonal."""
        y: Floats = self.start + self.sign * values[self.variable]
        np.fill_diagonal(y, 0.0)
        return y

    def values(self, places: Integers) -> Floats:
        """Return the variables of a ranking, by places from the best on."""
        values = np.zeros(len(self.costs))
        i, j = np.nonzero(~np.eye(len(places), dtype=bool))
        y = places[j] > places[i] if self.strict else places[j] >= places[i]
        values[self.variable[i, j]] = (y - self.start[i, j]) * self.sign[i, j]
        return values

    def violated(self, values: Floats, clock: Clock) -> list[Rows]:
        """Return the most violated inequalities, at most one triangle per pair, as time allows."""
        y = self.matrix(values)
        i, j, k, by = _triangles(y, clock)
        if self.strict:  # the three turns of a cycle are one inequality
            turns = np.stack([i, j, k], axis=1)
            first = np.argmin(turns, axis=1)
            turned = np.stack([turns[np.arange(len(i)), (first + t) % 3] for t in range(3)], axis=1)
            _, once = np.unique(turned, axis=0, return_index=True)
            i, j, k, by = i[once], j[once], k[once], by[once]
        most = np.argsort(-by, kind="stable")[:MOST_CUTS]
        i, j, k = i[most], j[most], k[most]
        found = [self._rows((i, j, 1.0), (j, k, 1.0), (i, k, -1.0))]  # y_ij + y_jk - y_ik <= 1
        if not self.strict:
            i, j = np.nonzero(np.triu(y + y.T < 1 - VIOLATED, 1))
            found.append(self._rows((i, j, -1.0), (j, i, -1.0), most=-1.0))  # y_ij + y_ji >= 1
        return [rows for rows in found if len(rows.upper)]

    def _rows(self, *terms: tuple[Integers, Integers, float], most: float = 1.0) -> Rows:
        """Return that the sums of ``factor * y_ij`` are at most so much, in the variables."""
        return Rows(
            np.stack([self.variable[i, j] for i, j, _ in terms], axis=1),
            np.stack([factor * self.sign[i, j] for i, j, factor in terms], axis=1),
            np.asarray(most - sum(factor * self.start[i, j] for i, j, factor in terms)),
        )


def strict_relation(contest: Contest, order: Integers) -> Relation:
    """Return the relation of strict rankings; pairs without a majority start as in ``order``."""
    n = contest.n
    i, j = np.triu_indices(n, 1)
    place = np.argsort(order)
    tied = contest.margins[i, j] == 0
    ahead = np.where(tied, place[i] < place[j], contest.margins[i, j] > 0)
    variable, start = np.zeros((n, n), dtype=np.intp), np.zeros((n, n))
    variable[i, j] = variable[j, i] = np.arange(len(i))
    start[i, j], start[j, i] = ahead, ~ahead
    return Relation(variable, start, np.abs(contest.margins[i, j]), strict=True)


def weak_relation(contest: Contest) -> Relation:
    n = contest.n
    i, j = np.nonzero(~np.eye(n, dtype=bool))
    price = (contest.level - contest.above.T)[i, j]  # of y_ij = 1: level instead of j above i
    variable, start = np.zeros((n, n), dtype=np.intp), np.zeros((n, n))
    variable[i, j] = np.arange(len(i))
    start[i, j] = price <= 0
    return Relation(variable, start, np.abs(price), strict=False)


def _triangles(y: Floats, clock: Clock) -> tuple[Integers, Integers, Integers, Floats]:
    """Return, for every pair (i, k), the j that violates y_ij + y_jk <= 1 + y_ik most, if any."""
    n = len(y)
    most, through = np.full((n, n), -np.inf), np.zeros((n, n), dtype=np.intp)
    for j in range(n):
        if clock.is_over():
            break
        sums = y[:, j, None] + y[None, j, :]
        sums[j] = sums[:, j] = -np.inf
        better = sums > most
        most[better] = sums[better]
        through[better] = j
    by = most - y - 1
    np.fill_diagonal(by, -np.inf)
    i, k = np.nonzero(by > VIOLATED)
    return i, through[i, k], k, by[i, k]


# Programs that grow by rows, on highspy or on scipy.

WHOLE = 1e-6
LONGEST = 1e7  # seconds; HiGHS knows no infinity here


class Solution(NamedTuple):
    """What a program found, a lower bound of its optimum, and whether it is reached."""

    values: Floats | None  # of the variables; None where no solution was found in time
    bound: float
    optimal: bool


def program(costs: Floats) -> _Highs | _Scipy:
    """Return a program that minimises costs over variables between 0 and 1, without a row yet.

    ``relaxed`` allows fractions; ``whole`` does not; ``completed`` keeps what is whole already.
    """
    try:
        highspy: Any = importlib.import_module("highspy")
    except ImportError:
        return _Scipy(costs)
    return _Highs(highspy, costs)


def fixing_bounds(values: Floats) -> tuple[Floats, Floats]:
    """Return bounds that keep what is 0 or 1 and leave the rest free."""
    return np.floor(values + WHOLE), np.ceil(values - WHOLE)


class _Highs:
    """Keep one HiGHS model, so that every solution starts from the last."""

    def __init__(self, highspy: Any, costs: Floats) -> None:
        self.highspy, self.model, self.size = highspy, highspy.Highs(), len(costs)
        self.every = np.arange(self.size, dtype=np.int32)
        self._set(output_flag=False, threads=1, random_seed=0)
        none, bounds = np.zeros(0, dtype=np.int32), (np.zeros(self.size), np.ones(self.size))
        self.model.addCols(self.size, costs, *bounds, 0, none, none, np.zeros(0))

    def _set(self, **options: Any) -> None:
        for option, value in options.items():
            self.model.setOptionValue(option, value)

    def add(self, *parts: Rows) -> None:
        for rows in parts:
            number, width = rows.variables.shape
            starts = np.arange(number, dtype=np.int32) * width
            cells = rows.variables.astype(np.int32).ravel(), rows.coefficients.ravel()
            bounds = np.full(number, -np.inf), rows.upper
            status = self.model.addRows(number, *bounds, number * width, starts, *cells)
            assert status == self.highspy.HighsStatus.kOk, "HiGHS refuses a row"

    def relaxed(self, seconds: float) -> Solution:
        self._integral(is_whole=False)
        self._set(presolve="off")  # it would lose the basis
        # For linear programs the clock of a model runs on from one solution to the next.
        values, optimal = self._run(self.model.getRunTime() + seconds)
        bound = self.model.getInfo().objective_function_value if optimal else 0.0
        return Solution(values, bound, optimal)

    def whole(self, seconds: float, *, gap: float, start: Floats | None = None) -> Solution:
        self._integral(is_whole=True)
        self._set(presolve="choose", mip_abs_gap=gap, mip_rel_gap=0.0)
        self.model.clearSolver()  # HiGHS would first complete the fractions of the last solution
        if start is not None:
            self.model.setSolution(self.size, self.every, start)
        values, optimal = self._run(seconds)
        return Solution(values, max(self.model.getInfo().mip_dual_bound, 0.0), optimal)

    def completed(self, seconds: float, values: Floats) -> Solution:
        self.model.changeColsBounds(self.size, self.every, *fixing_bounds(values))
        found = self.whole(seconds, gap=0.0)
        self.model.changeColsBounds(self.size, self.every, np.zeros(self.size), np.ones(self.size))
        return found

    def _run(self, limit: float) -> tuple[Floats | None, bool]:
        self._set(time_limit=min(limit, LONGEST))
        self.model.run()
        solution = self.model.getSolution()
        values = np.array(solution.col_value) if solution.value_valid else None
        return values, self.model.getModelStatus() == self.highspy.HighsModelStatus.kOptimal

    def _integral(self, *, is_whole: bool) -> None:
        kinds = np.full(self.size, int(is_whole), dtype=np.uint8)
        self.model.changeColsIntegrality(self.size, self.every, kinds)


@dataclass(eq=False)
class _Scipy:
    """Solve anew every time, with the HiGHS that scipy carries."""

    costs: Floats
    rows: list[Rows] = field(default_factory=list)

    def add(self, *parts: Rows) -> None:
        self.rows += parts

    def relaxed(self, seconds: float) -> Solution:
        return self._solve(seconds)

    def whole(self, seconds: float, *, gap: float, start: Floats | None = None) -> Solution:  # noqa: ARG002
        # scipy knows relative gaps only, of which 0 asks for the optimum, and no start
        return self._solve(seconds, whole=True)

    def completed(self, seconds: float, values: Floats) -> Solution:
        return self._solve(seconds, whole=True, between=fixing_bounds(values))

    def _solve(
        self, seconds: float, *, whole: bool = False, between: tuple[Any, Any] = (0.0, 1.0)
    ) -> Solution:
        from scipy.optimize import Bounds, LinearConstraint, milp
        from scipy.sparse import csr_array

        constraints = []
        for rows in self.rows:
            number, width = rows.variables.shape
            cells = rows.coefficients.ravel(), rows.variables.ravel(), np.arange(number + 1) * width
            matrix = csr_array(cells, shape=(number, len(self.costs)))
            constraints.append(LinearConstraint(matrix, -np.inf, rows.upper))
        found = milp(
            self.costs,
            integrality=np.full(len(self.costs), int(whole)),
            bounds=Bounds(*between),
            constraints=constraints,
            options={"time_limit": min(seconds, LONGEST), "mip_rel_gap": 0.0},
        )
        optimal = found.status == 0
        bound = found.get("mip_dual_bound") if whole else found.fun if optimal else 0.0
        return Solution(found.x, max(float(bound or 0.0), 0.0), optimal)


# The optimum of one component, with a proof: lazy triangles, rounding, then whole numbers.

SHARE = 0.3  # of the time that is left for a better ranking before the proof
WITHIN = 0.9  # steps: nothing lies between two of them


Rounding = Callable[[Floats], tuple[Integers, float]]


def prove(
    relation: Relation, first: BoundedRanking, rounded: Rounding, *, steps: Steps, clock: Clock
) -> BoundedRanking:
    """Return the best ranking found and a bound; they meet unless the time is over.

    The linear program gets the triangles that its solution violates, again and again; its value,
    rounded up to the next step, is a bound. ``rounded`` makes a ranking of its solution. Where they
    do not meet, what is whole is kept for a better ranking, and then whole numbers decide.
    """
    clock.tell(first.value, first.bound)
    growing, best, values = _by_fractions(relation, first, rounded, steps=steps, clock=clock)
    if not steps.proves_optimal(best.value, best.bound) and not clock.is_over():
        completed = growing.completed(clock.left * SHARE, values)
        if completed.values is not None:
            ranking = rounded(relation.matrix(completed.values))
            best = best.better(BoundedRanking(*ranking, best.bound))
            clock.tell(best.value, best.bound)
    while not steps.proves_optimal(best.value, best.bound) and not clock.is_over():
        start = relation.values(best.places)
        solved = growing.whole(clock.left, gap=WITHIN, start=start)
        bound = steps.next_whole_step(solved.bound)
        if solved.values is None:
            return best.better(BoundedRanking(best.places, best.value, bound))
        places, value = rounded(relation.matrix(np.rint(solved.values)))
        best = best.better(BoundedRanking(places, value, min(bound, best.value, value)))
        clock.tell(best.value, best.bound)
        violated = relation.violated(np.rint(solved.values), clock)
        if not violated or clock.is_over():
            break
        growing.add(*violated)
    return best


def _by_fractions(
    relation: Relation, best: BoundedRanking, rounded: Rounding, *, steps: Steps, clock: Clock
) -> tuple[_Highs | _Scipy, BoundedRanking, Floats]:
    values: Floats = np.zeros(len(relation.costs))
    growing = program(relation.costs / steps.size)
    while not steps.proves_optimal(best.value, best.bound) and not clock.is_over():
        violated = relation.violated(values, clock)
        if clock.is_over():
            break
        if not violated:
            best = best.better(BoundedRanking(*rounded(relation.matrix(values)), best.bound))
            break
        growing.add(*violated)
        solved = growing.relaxed(clock.left)
        if not solved.optimal or solved.values is None:
            break
        values, bound = solved.values, steps.next_whole_step(solved.bound)
        best = best.better(BoundedRanking(best.places, best.value, bound))
        clock.tell(best.value, best.bound)
    return growing, best, values

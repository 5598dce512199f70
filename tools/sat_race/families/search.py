"""Bounded searches: a schedule, a plan, a run of a machine within a number of steps.

`job_shop`, `open_shop`: is there a schedule within the makespan? Start times in the order
encoding, one variable for the order of each two tasks that share a job or a machine [1]_.
`sliding`: is there a solution of the sliding puzzle in exactly so many moves? [2]_ The horizon is
the length of a shortest one, or two less.
`machine`: can a small processor reach a value from 0 within so many instructions? [3]_ The bound
is the true distance, or one less.

References
----------
.. [1] Tamura, Taga, Kitagawa, Banbara (2009), "Compiling finite linear CSP into SAT".
.. [2] Kautz, Selman (1992), "Planning as satisfiability", ECAI.
.. [3] Biere, Cimatti, Clarke, Zhu (1999), "Symbolic model checking without BDDs", TACAS.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations, pairwise
from random import Random

from sat_race.formula import Clauses, Formula

Tasks = list[list[int]]
State = tuple[int, ...]


def durations(rng: Random, jobs: int, machines: int, longest: int) -> Tasks:
    """Draw how long each job needs each machine."""
    return [[rng.randint(1, longest) for _ in range(machines)] for _ in range(jobs)]


def least_makespan(tasks: Tasks) -> int:
    """Give the longest job or the busiest machine, which no schedule beats."""
    return max(*map(sum, tasks), *map(sum, zip(*tasks, strict=True)))


def _starts(formula: Formula, tasks: Tasks, end: int) -> dict[tuple[int, int], list[int]]:
    """Give, for each task, the literals "starts at t or before" for t = 0 .. end."""
    starts = {}
    for j, row in enumerate(tasks):
        for m, need in enumerate(row):
            by = formula.many(end + 1)
            for earlier, later in pairwise(by):
                formula.add(-earlier, later)
            formula.add(by[end - need])
            starts[j, m] = by
    return starts


def _follows(formula: Formula, first: list[int], need: int, then: list[int], *given: int) -> None:
    """Ask that `then` starts at least `need` after `first`, where all of `given` are true."""
    unless = [-g for g in given]
    for t, by in enumerate(then):
        formula.add(*unless, -by, *([first[t - need]] if t >= need else []))


def open_shop(seed: int, *, jobs: int, longest: int, slack: int) -> Clauses:
    """Schedule jobs on as many machines in any order, within the lower bound plus slack."""
    tasks = durations(Random(seed), jobs, jobs, longest)
    end = least_makespan(tasks) + slack
    formula = Formula()
    starts = _starts(formula, tasks, end)
    for (a, b), (c, d) in combinations(starts, 2):
        if a == c or b == d:
            first = formula.new()
            _follows(formula, starts[a, b], tasks[a][b], starts[c, d], first)
            _follows(formula, starts[c, d], tasks[c][d], starts[a, b], -first)
    return formula.clauses


def job_shop(seed: int, *, jobs: int, machines: int, longest: int, slack: int) -> Clauses:
    """Schedule jobs that visit the machines each in an order of its own."""
    rng = Random(seed)
    tasks = durations(rng, jobs, machines, longest)
    routes = [rng.sample(range(machines), machines) for _ in range(jobs)]
    end = least_makespan(tasks) + slack
    formula = Formula()
    starts = _starts(formula, tasks, end)
    for j, route in enumerate(routes):
        for a, b in pairwise(route):
            _follows(formula, starts[j, a], tasks[j][a], starts[j, b])
    for m in range(machines):
        for i, j in combinations(range(jobs), 2):
            first = formula.new()
            _follows(formula, starts[i, m], tasks[i][m], starts[j, m], first)
            _follows(formula, starts[j, m], tasks[j][m], starts[i, m], -first)
    return formula.clauses


def neighbours(cell: int, rows: int, columns: int) -> list[int]:
    """List the cells beside a cell."""
    r, c = divmod(cell, columns)
    around = ((r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1))
    return [y * columns + x for y, x in around if 0 <= y < rows and 0 <= x < columns]


def _slides(state: State, rows: int, columns: int) -> Iterable[State]:
    blank = state.index(0)
    for cell in neighbours(blank, rows, columns):
        after = list(state)
        after[blank], after[cell] = after[cell], 0
        yield tuple(after)


def puzzle_of_depth(rng: Random, rows: int, columns: int, depth: int) -> State:
    """Draw a puzzle whose shortest solution has exactly so many moves."""
    layer: set[State] = {tuple(range(rows * columns))}
    seen: set[State] = set(layer)
    for _ in range(depth):
        layer = {after for state in layer for after in _slides(state, rows, columns)} - seen
        seen |= layer
    return rng.choice(sorted(layer))


def sliding(seed: int, *, rows: int, columns: int, depth: int, missing: int = 0) -> Clauses:
    """Ask for a solution in `depth - missing` moves of a puzzle that needs `depth`."""
    state = puzzle_of_depth(Random(seed), rows, columns, depth)
    cells = range(rows * columns)
    formula = Formula()
    now = [formula.many(len(cells)) for _ in cells]
    for cell in cells:
        formula.exactly_one(now[cell])
        formula.add(now[cell][state[cell]])
    for _ in range(depth - missing):
        after = [formula.many(len(cells)) for _ in cells]
        for cell in cells:
            formula.exactly_one(after[cell])
            beside = neighbours(cell, rows, columns)
            formula.add(-now[cell][0], *(after[b][0] for b in beside))
            for tile in cells[1:]:
                for b in beside:
                    formula.add(-now[cell][0], -after[b][0], -now[b][tile], after[cell][tile])
                formula.add(-now[cell][tile], after[cell][tile], after[cell][0])
            formula.add(-after[cell][0], *(now[b][0] for b in beside))
        for tile in cells:
            formula.exactly_one([after[cell][tile] for cell in cells])
        now = after
    for cell in cells:
        formula.add(now[cell][cell])
    return formula.clauses


def instructions(value: int, *, bits: int, add: int, mask: int) -> tuple[int, int, int, int]:
    """Do nothing, add a constant, rotate by one and xor a constant, or times three."""
    top = (1 << bits) - 1
    turned = (value << 1 | value >> (bits - 1)) & top
    return value, (value + add) & top, turned ^ mask, (3 * value) & top


def distances(*, bits: int, add: int, mask: int) -> dict[int, int]:
    """Give the least number of instructions that leads from 0 to each value."""
    found = {0: 0}
    layer = [0]
    while layer:
        ahead = dict.fromkeys(
            after
            for value in layer
            for after in instructions(value, bits=bits, add=add, mask=mask)
            if after not in found
        )
        steps = found[layer[0]] + 1
        found.update(dict.fromkeys(ahead, steps))
        layer = list(ahead)
    return found


def machine(seed: int, *, bits: int, steps: int, missing: int = 0) -> Clauses:
    """Ask for `steps - missing` instructions to a value that is `steps` away."""
    rng = Random(seed)
    add, mask = rng.getrandbits(bits) | 1, rng.getrandbits(bits)
    far = distances(bits=bits, add=add, mask=mask)
    target = rng.choice(sorted(value for value, away in far.items() if away == steps))
    formula = Formula()
    zero = formula.constant(value=False)
    now = [zero] * bits
    constant = [-zero if add >> k & 1 else zero for k in range(bits)]
    for _ in range(steps - missing):
        low, high = formula.many(2)
        added = formula.ripple(now, constant, zero)[:bits]
        turned = [-x if mask >> k & 1 else x for k, x in enumerate([now[-1], *now[:-1]])]
        tripled = formula.ripple(now, [zero, *now[:-1]], zero)[:bits]
        now = [
            formula.choose(high, formula.choose(low, d, c), formula.choose(low, b, a))
            for a, b, c, d in zip(now, added, turned, tripled, strict=True)
        ]
    formula.fix(now, target)
    return formula.clauses

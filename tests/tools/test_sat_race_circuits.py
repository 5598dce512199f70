"""The circuits and searches of sat-race against arithmetic, theorems and brute force."""

from __future__ import annotations

from itertools import permutations, product
from random import Random

import pytest
from dpll import models, satisfiable

from sat_race.families import circuits, extremal, search, sorting
from sat_race.formula import Formula


def value(model, bits):
    return sum((bit in model) << k for k, bit in enumerate(bits))


# --- extremal: the published numbers are the first sizes without a colouring


@pytest.mark.parametrize(("lengths", "number"), [((3, 3), 9), ((3, 4), 18)])
def test_van_der_waerden_numbers(lengths, number):
    assert satisfiable(extremal.van_der_waerden(1, n=number - 1, lengths=lengths))
    assert not satisfiable(extremal.van_der_waerden(1, n=number, lengths=lengths))


def test_the_first_ramsey_number_is_six():
    assert satisfiable(extremal.ramsey(1, n=5, cliques=(3, 3)))
    assert not satisfiable(extremal.ramsey(1, n=6, cliques=(3, 3)))


@pytest.mark.parametrize(("colours", "number"), [(1, 1), (2, 4), (3, 13)])
def test_schur_numbers(colours, number):
    assert satisfiable(extremal.schur(1, n=number, colours=colours))
    if colours < 3:
        assert not satisfiable(extremal.schur(1, n=number + 1, colours=colours))


# --- circuits


@pytest.mark.parametrize("product_of", [circuits.array_product, circuits.column_product])
def test_multipliers_multiply(product_of):
    for a, b in product(range(8), repeat=2):
        formula = Formula()
        left, right = formula.many(3), formula.many(3)
        out = product_of(formula, left, right)
        formula.fix(left, a)
        formula.fix(right, b)
        (model,) = models(formula.clauses)
        assert value(model, out) == a * b


@pytest.mark.parametrize("block", [2, 3])
def test_the_select_adder_adds(block):
    for a, b in product(range(0, 32, 5), repeat=2):
        formula = Formula()
        left, right = formula.many(5), formula.many(5)
        out = circuits.select_adder(formula, left, right, block)
        formula.fix(left, a)
        formula.fix(right, b)
        (model,) = models(formula.clauses)
        assert value(model, out) == a + b


@pytest.mark.parametrize("seed", range(4))
def test_a_model_of_factoring_decodes_to_factors(seed):
    rng = Random(seed)
    number = circuits.draw_prime(rng, 4) * circuits.draw_prime(rng, 4)
    model = next(models(circuits.factoring(seed, bits=4)))
    a, b = value(model, range(1, 5)), value(model, range(5, 9))
    assert min(a, b) > 1
    assert a * b == number


def test_a_prime_has_no_factors():
    assert not satisfiable(circuits.factoring(2, bits=3, prime=True))


def test_equal_circuits_never_differ():
    assert not satisfiable(circuits.multiplier_miter(1, bits=3))
    assert not satisfiable(circuits.adder_miter(1, bits=4, terms=2, block=2))
    assert satisfiable(circuits.multiplier_miter(1, bits=4, wrong=True))


@pytest.mark.parametrize("seed", range(3))
def test_an_inverted_hash_hashes_to_the_digest(seed):
    width, rounds = 6, 5
    rng = Random(seed)
    message = [rng.getrandbits(width) for _ in range(4)]
    clauses = circuits.hash_inversion(seed, width=width, rounds=rounds, unknown=5)
    model = next(models(clauses))
    found = [value(model, range(w * width + 1, (w + 1) * width + 1)) for w in range(4)]
    digests = [circuits.run_toy_hash(m, width=width, rounds=rounds) for m in (message, found)]
    assert digests[0][-2:] == digests[1][-2:]


# --- sorting


@pytest.mark.parametrize("wires", [2, 3, 5, 6, 8, 11])
@pytest.mark.parametrize("network_of", [sorting.batcher, sorting.bubble])
def test_networks_sort_every_input(network_of, wires):
    for bits in product((0, 1), repeat=wires):
        state = list(bits)
        for low, high in network_of(wires):
            state[low], state[high] = sorted((state[low], state[high]))
        assert state == sorted(bits)


@pytest.mark.parametrize(("wires", "depth"), [(2, 1), (3, 3), (4, 3)])
def test_least_depths_of_sorting_networks(wires, depth):
    assert satisfiable(sorting.search(1, wires=wires, depth=depth))
    if depth > 1:
        assert not satisfiable(sorting.search(1, wires=wires, depth=depth - 1))


def test_two_sorting_networks_agree():
    assert not satisfiable(sorting.equivalent(1, wires=5))


# --- search


@pytest.mark.parametrize("seed", range(3))
def test_two_machines_in_any_order_reach_the_lower_bound(seed):
    """Gonzalez, Sahni (1976): the open shop with two machines has no slack."""
    assert satisfiable(search.open_shop(seed, jobs=2, longest=3, slack=0))
    assert not satisfiable(search.open_shop(seed, jobs=2, longest=3, slack=-1))


def best_makespan(tasks, routes):
    """Try every order of starting the tasks, each as early as it can."""
    best = 10**9
    steps = [j for j, route in enumerate(routes) for _ in route]
    for order in set(permutations(steps)):
        job_free, machine_free = [0] * len(tasks), [0] * len(tasks[0])
        step = [0] * len(tasks)
        for j in order:
            m = routes[j][step[j]]
            job_free[j] = machine_free[m] = max(job_free[j], machine_free[m]) + tasks[j][m]
            step[j] += 1
        best = min(best, max(job_free))
    return best


@pytest.mark.parametrize("seed", range(6))
def test_a_job_shop_is_scheduled_within_its_best_makespan(seed):
    rng = Random(seed)
    tasks = search.durations(rng, 3, 2, 3)
    routes = [rng.sample(range(2), 2) for _ in range(3)]
    slack = best_makespan(tasks, routes) - search.least_makespan(tasks)
    shop = {"jobs": 3, "machines": 2, "longest": 3}
    assert satisfiable(search.job_shop(seed, **shop, slack=slack))
    assert not satisfiable(search.job_shop(seed, **shop, slack=slack - 1))


@pytest.mark.parametrize(("rows", "columns", "depth"), [(2, 2, 6), (2, 2, 3), (2, 3, 5)])
def test_a_puzzle_is_solved_in_its_depth_and_not_before(rows, columns, depth):
    puzzle = {"rows": rows, "columns": columns, "depth": depth}
    assert satisfiable(search.sliding(1, **puzzle))
    assert not satisfiable(search.sliding(1, **puzzle, missing=2))


def test_the_square_of_four_has_twelve_puzzles_of_depth_at_most_six():
    assert search.puzzle_of_depth(Random(1), 2, 2, 6)
    with pytest.raises(IndexError):
        search.puzzle_of_depth(Random(1), 2, 2, 7)


def test_a_machine_reaches_a_value_in_its_distance_and_not_before():
    assert satisfiable(search.machine(1, bits=4, steps=3))
    assert not satisfiable(search.machine(1, bits=4, steps=3, missing=1))


def test_distances_are_those_of_all_short_programs():
    far = search.distances(bits=5, add=7, mask=9)
    values = {0}
    for steps in range(5):
        assert values == {v for v, away in far.items() if away <= steps}
        values = {after for v in values for after in search.instructions(v, bits=5, add=7, mask=9)}

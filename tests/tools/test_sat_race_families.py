"""The formulas and proofs of sat-race against theorems and brute force."""

from __future__ import annotations

from itertools import permutations, product
from random import Random

import pytest
from dpll import models, satisfiable

from sat_race.families import drawn, parity, proofs
from sat_race.formula import Formula

# --- the formula and its gates


@pytest.mark.parametrize(("count", "most"), [(4, 0), (4, 1), (5, 2), (5, 4), (3, 3)])
def test_at_most_allows_just_the_small_subsets(count, most):
    formula = Formula()
    literals = formula.many(count)
    formula.at_most(literals, most)
    formula.add(literals[0], -literals[0])
    found = {frozenset(m) for m in models(formula.clauses, literals)}
    wanted = {
        frozenset(s * x for s, x in zip(signs, literals, strict=True))
        for signs in product((1, -1), repeat=count)
        if signs.count(1) <= most
    }
    assert found == wanted


@pytest.mark.parametrize("odd", [False, True])
@pytest.mark.parametrize("count", [1, 2, 3, 5, 7])
def test_parities_count_modulo_two(count, odd):
    for encode in (Formula.parity, Formula.long_parity):
        formula = Formula()
        literals = formula.many(count)
        encode(formula, literals, odd)
        found = list(models(formula.clauses, literals))
        assert len(found) == 2 ** (count - 1)
        assert {sum(x > 0 for x in model) % 2 for model in found} == {int(odd)}


def test_gates_compute_what_they_say():
    formula = Formula()
    a, b, c = formula.many(3)
    outs = {
        formula.both(a, b): lambda x, y, _: x and y,
        formula.either(a, b): lambda x, y, _: x or y,
        formula.differ(a, b): lambda x, y, _: x != y,
        formula.choose(a, b, c): lambda x, y, z: y if x else z,
        formula.majority(a, b, c): lambda x, y, z: x + y + z >= 2,
    }
    found = list(models(formula.clauses))
    assert len(found) == 8
    for model in found:
        for out, rule in outs.items():
            assert (out in model) == rule(a in model, b in model, c in model)


# --- drawn


def test_ksat_has_the_shape_it_says():
    clauses = drawn.ksat(3, k=5, variables=20, ratio=21.1)
    assert len(clauses) == 422
    assert all(len({abs(x) for x in clause}) == 5 for clause in clauses)
    assert {abs(x) for clause in clauses for x in clause} == set(range(1, 21))
    assert clauses == drawn.ksat(3, k=5, variables=20, ratio=21.1)
    assert clauses != drawn.ksat(4, k=5, variables=20, ratio=21.1)


@pytest.mark.parametrize("seed", range(8))
def test_a_graph_is_colourable_where_brute_force_colours_it(seed):
    edges = drawn.random_graph(seed, vertices=6, degree=3.6)
    brute = {
        paint
        for paint in product(range(3), repeat=6)
        if all(paint[a] != paint[b] for a, b in edges)
    }
    found = list(models(drawn.colouring_of(edges, vertices=6, colours=3)))
    assert len(found) == len(brute)


def test_a_planted_graph_is_colourable():
    for seed in range(5):
        clauses = drawn.colouring(seed, vertices=12, degree=6, colours=3, planted=True)
        assert satisfiable(clauses)


@pytest.mark.parametrize("seed", range(4))
def test_latin_squares_are_latin(seed):
    square = drawn.latin_square(seed, 9)
    assert all(sorted(line) == list(range(9)) for line in [*square, *zip(*square, strict=True)])


@pytest.mark.parametrize("seed", range(3))
def test_a_square_with_holes_has_as_many_completions_as_brute_force_finds(seed):
    order, holes = 4, 0.6
    square = drawn.latin_square(seed, order)
    cells = [(r, c) for r in range(order) for c in range(order)]
    rng = Random(f"holes {seed}")
    erased = set(rng.sample(cells, round(holes * len(cells))))

    def fits(rows):
        return all(len(set(column)) == len(column) for column in zip(*rows, strict=True))

    count = 0
    size = range(order)
    open_to = [
        [
            p
            for p in permutations(size)
            if all((r, c) in erased or p[c] == square[r][c] for c in size)
        ]
        for r in size
    ]
    for rows in product(*open_to):
        count += fits(rows)
    assert len(list(models(drawn.quasigroup(seed, order=order, holes=holes)))) == count > 0


# --- parity


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("good", [True, False])
def test_xor_systems_are_what_they_are_asked_to_be(seed, good):
    clauses = parity.xor_system(seed, variables=9, equations=9, satisfiable=good)
    assert satisfiable(clauses) == good


def test_the_learned_subset_errs_as_seldom_as_asked():
    clauses = parity.parity_learning(2, bits=5, samples=10, wrong=2)
    model = next(models(clauses))
    assert sum(x in model for x in range(6, 16)) <= 2


@pytest.mark.parametrize("odd", [False, True])
def test_tseitin_is_satisfiable_where_the_charges_are_even(odd):
    assert satisfiable(parity.tseitin_grid(1, rows=3, columns=3, odd=odd)) != odd
    assert satisfiable(parity.tseitin_regular(1, vertices=8, degree=3, odd=odd)) != odd


def test_graphs_have_their_degrees():
    for edges, vertices, low, high in (
        (parity.regular_graph(5, vertices=14, degree=4), 14, 4, 4),
        (parity.grid(rows=4, columns=5), 20, 3, 4),
        (parity.grid(rows=4, columns=2), 8, 2, 3),
    ):
        assert len(set(edges)) == len(edges)
        degrees = [sum(v in edge for edge in edges) for v in range(vertices)]
        assert min(degrees) == low
        assert max(degrees) == high


# --- proofs


@pytest.mark.parametrize("functional", [False, True])
@pytest.mark.parametrize(("pigeons", "holes", "room"), [(4, 3, 1), (3, 3, 1), (5, 2, 2), (4, 2, 2)])
def test_pigeons_fit_only_if_there_is_room(pigeons, holes, room, functional):
    clauses = proofs.pigeonhole(1, pigeons=pigeons, holes=holes, room=room, functional=functional)
    assert satisfiable(clauses) == (pigeons <= holes * room)


@pytest.mark.parametrize(("clique", "colours"), [(3, 2), (3, 3), (4, 3), (4, 4)])
def test_a_clique_needs_as_many_colours(clique, colours):
    clauses = proofs.clique_colouring(1, vertices=4, clique=clique, colours=colours)
    assert satisfiable(clauses) == (clique <= colours)


def test_an_order_has_a_least_element():
    assert not satisfiable(proofs.ordering(1, size=4))
    assert satisfiable(proofs.ordering(1, size=4, exempt=True))


def test_the_top_of_a_pyramid_can_be_pebbled():
    clauses = proofs.pebbling(1, height=3, width=2)
    assert not satisfiable(clauses)
    assert satisfiable(clauses[:-2])

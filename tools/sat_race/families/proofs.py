"""Principles of counting and order that are hard, or once thought hard, for resolution.

`pigeonhole`: more pigeons than places, in the plain form [1]_, in the functional form where no
pigeon sits in two holes, with holes that take several pigeons, and with missing pairs.
`clique_colouring`: a graph that has a clique of size k and a colouring with c colours [2]_;
unsatisfiable where c < k.
`ordering`: a total order without a least element [3]_; easy, but not without learning.
`pebbling`: a pyramid whose nodes stand for the xor of two variables [4]_.

References
----------
.. [1] Haken (1985), "The intractability of resolution", Theoretical Computer Science 39.
.. [2] Pudlak (1997), "Lower bounds for resolution and cutting plane proofs".
.. [3] Krishnamurthy (1985), "Short proofs for tricky formulas", Acta Informatica 22.
.. [4] Ben-Sasson, Nordstrom (2008), "Short proofs may be spacious".
"""

from __future__ import annotations

from itertools import combinations, pairwise, permutations, product
from random import Random

from sat_race.formula import Clauses, Formula


def pigeonhole(
    seed: int,
    *,
    pigeons: int,
    holes: int,
    room: int = 1,
    functional: bool = False,
    missing: float = 0.0,
) -> Clauses:
    """Put every pigeon into a hole that takes `room` of them; some pairs may be forbidden."""
    rng = Random(seed)
    formula = Formula()
    sits = [formula.many(holes) for _ in range(pigeons)]
    for row in sits:
        open_to = [x for x in row if rng.random() >= missing] or row
        formula.add(*open_to)
        for closed in set(row).difference(open_to):
            formula.add(-closed)
        if functional:
            formula.at_most_one(row)
    for hole in zip(*sits, strict=True):
        if room == 1:
            formula.at_most_one(hole)
        else:
            formula.at_most(hole, room)
    return formula.clauses


def clique_colouring(seed: int, *, vertices: int, clique: int, colours: int) -> Clauses:
    """Ask for a graph with a clique of that size and a colouring with so many colours.

    The seed only shuffles the order of the vertices in the clauses.
    """
    order = Random(seed).sample(range(vertices), vertices)
    formula = Formula()
    edge = {frozenset(pair): formula.new() for pair in combinations(order, 2)}
    member = [formula.many(vertices) for _ in range(clique)]
    paint = [formula.many(colours) for _ in range(vertices)]
    for row in member:
        formula.add(*row)
    for one, other in combinations(member, 2):
        for v in order:
            formula.add(-one[v], -other[v])
    for one, other in permutations(member, 2):
        for a, b in combinations(order, 2):
            formula.add(-one[a], -other[b], edge[frozenset((a, b))])
    for row in paint:
        formula.add(*row)
    for pair, joined in edge.items():
        a, b = sorted(pair)
        for x, y in zip(paint[a], paint[b], strict=True):
            formula.add(-joined, -x, -y)
    return formula.clauses


def ordering(seed: int, *, size: int, exempt: bool = False) -> Clauses:
    """Order the elements so that none is least; one exempt element makes it satisfiable."""
    order = Random(seed).sample(range(size), size)
    formula = Formula()
    below = {pair: formula.new() for pair in permutations(order, 2)}
    for a, b in combinations(order, 2):
        formula.add(-below[a, b], -below[b, a])
        formula.add(below[a, b], below[b, a])
    for a, b, c in permutations(order, 3):
        formula.add(-below[a, b], -below[b, c], below[a, c])
    for b in order[1:] if exempt else order:
        formula.add(*(below[a, b] for a in order if a != b))
    return formula.clauses


def pebbling(seed: int, *, height: int, width: int) -> Clauses:
    """Pebble a pyramid whose nodes are parities of `width` variables, but not its top."""
    rng = Random(seed)
    formula = Formula()
    rows = [
        [[rng.choice((-1, 1)) * v for v in formula.many(width)] for _ in range(height - level)]
        for level in range(height)
    ]

    def says(node: list[int], *, odd: bool) -> Clauses:
        piece = Formula()
        piece.parity(node, odd)
        return piece.clauses

    for node in rows[0]:
        formula.clauses += says(node, odd=True)
    for lower, upper in pairwise(rows):
        for k, node in enumerate(upper):
            unless = (says(lower[k], odd=False), says(lower[k + 1], odd=False))
            for parts in product(*unless, says(node, odd=True)):
                formula.add(*(x for part in parts for x in part))
    formula.clauses += says(rows[-1][0], odd=False)
    return formula.clauses

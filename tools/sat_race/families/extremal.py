"""Colourings of numbers and of edges that avoid a pattern, around the size where none is left.

`van_der_waerden`: colour 1..n so that colour i holds no arithmetic progression of length k_i;
W(3,5) = 22, W(3,6) = 32, W(3,7) = 46, W(4,4) = 35, W(3,8) = 58, W(4,5) = 55, W(3,3,3) = 27 [1]_.
`ramsey`: colour the edges of a complete graph without a clique of size k_i in colour i;
R(3,4) = 9, R(3,5) = 14, R(4,4) = 18, R(3,3,3) = 17 [2]_.
`schur`: colour 1..n so that no colour holds a + b = c; S(3) = 13, S(4) = 44 [3]_.

References
----------
.. [1] Ahmed, Kullmann, Snevily (2014), "On the van der Waerden numbers w(2; 3, t)".
.. [2] Radziszowski, "Small Ramsey numbers", Electronic Journal of Combinatorics DS1.
.. [3] Baumert, Golomb (1965), "Backtrack programming", Journal of the ACM 12(4).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import combinations
from random import Random

from sat_race.formula import Clauses, Formula

Patterns = Callable[[int], Iterable[list[int]]]


def avoid(seed: int, *, things: int, colours: int, patterns: Patterns) -> Clauses:
    """Colour the things so that no pattern of colour c is all of colour c.

    The seed names the things in a random order. Two colours need one variable for each thing.
    """
    name = Random(seed).sample(range(things), things)
    formula = Formula()
    if colours == 2:
        paint = [[x, -x] for x in formula.many(things)]
    else:
        paint = [formula.many(colours) for _ in range(things)]
        for row in paint:
            formula.add(*row)
    for colour in range(colours):
        for pattern in patterns(colour):
            formula.add(*(-paint[name[thing]][colour] for thing in pattern))
    return formula.clauses


def van_der_waerden(seed: int, *, n: int, lengths: tuple[int, ...]) -> Clauses:
    """Colour 1..n without a progression of length `lengths[c]` in colour c."""

    def progressions(colour: int) -> Iterable[list[int]]:
        k = lengths[colour]
        for step in range(1, (n - 1) // (k - 1) + 1):
            for first in range(n - step * (k - 1)):
                yield [first + step * j for j in range(k)]

    return avoid(seed, things=n, colours=len(lengths), patterns=progressions)


def ramsey(seed: int, *, n: int, cliques: tuple[int, ...]) -> Clauses:
    """Colour the edges of n vertices without a clique of size `cliques[c]` in colour c."""
    number = {edge: k for k, edge in enumerate(combinations(range(n), 2))}

    def complete(colour: int) -> Iterable[list[int]]:
        for corner in combinations(range(n), cliques[colour]):
            yield [number[edge] for edge in combinations(corner, 2)]

    return avoid(seed, things=len(number), colours=len(cliques), patterns=complete)


def schur(seed: int, *, n: int, colours: int) -> Clauses:
    """Colour 1..n without a + b = c in one colour."""

    def sums(_: int) -> Iterable[list[int]]:
        for a in range(1, n + 1):
            for b in range(a, n + 1 - a):
                yield sorted({a - 1, b - 1, a + b - 1})

    return avoid(seed, things=n, colours=colours, patterns=sums)

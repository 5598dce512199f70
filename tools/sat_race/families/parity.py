"""Systems of parities, easy for linear algebra and hard for resolution.

`xor_system`: random equations over three variables each, as many as variables; satisfiable when
the right sides come from a hidden solution, and made unsatisfiable by one equation that is the sum
of others with the wrong side.
`parity_learning`: find the hidden subset of bits whose parity agrees with all but a few of the
samples, after the instances par8, par16 and par32 [1]_.
`tseitin`: every vertex of a graph asks for a parity of its edges; the sum of the charges is odd,
so it is unsatisfiable, on grids [2]_ and on random regular graphs [3]_.

References
----------
.. [1] Crawford, Kearns, Schapire (1994), "The minimal disagreement parity problem as a hard
       satisfiability problem".
.. [2] Tseitin (1968), "On the complexity of derivation in propositional calculus".
.. [3] Urquhart (1987), "Hard examples for resolution", Journal of the ACM 34(1).
"""

from __future__ import annotations

from random import Random

from sat_race.formula import Clauses, Formula

Edges = list[tuple[int, int]]


def xor_system(seed: int, *, variables: int, equations: int, satisfiable: bool) -> Clauses:
    """Draw equations of three variables with the sides of a hidden solution.

    An unsatisfiable one also asks the wrong side of the sum of a few random equations.
    """
    rng = Random(seed)
    hidden = [rng.random() < 0.5 for _ in range(variables + 1)]
    formula = Formula()
    formula.many(variables)
    left = [rng.sample(range(1, variables + 1), 3) for _ in range(equations)]
    for row in left:
        formula.parity(row, odd=sum(hidden[v] for v in row) % 2 == 1)
    if not satisfiable:
        total: set[int] = set()
        for row in rng.sample(left, equations // 2):
            total ^= set(row)
        odd = sum(hidden[v] for v in total) % 2 == 1
        formula.long_parity(sorted(total), odd=not odd)
    return formula.clauses


def parity_learning(seed: int, *, bits: int, samples: int, wrong: int) -> Clauses:
    """Ask for a subset of the bits whose parity errs on at most `wrong` samples.

    The hidden subset errs on exactly so many, hence there is one.
    """
    rng = Random(seed)
    hidden = {b for b in range(bits) if rng.random() < 0.5}
    liars = set(rng.sample(range(samples), wrong))
    formula = Formula()
    subset = formula.many(bits)
    errs = formula.many(samples)
    for k in range(samples):
        sample = [b for b in range(bits) if rng.random() < 0.5]
        told = (len(hidden.intersection(sample)) + (k in liars)) % 2 == 1
        formula.long_parity([subset[b] for b in sample] + [errs[k]], odd=told)
    formula.at_most(errs, wrong)
    return formula.clauses


def grid(*, rows: int, columns: int) -> Edges:
    """List the edges of a grid that is closed to a torus in the direction of the columns."""
    edges = []
    for r in range(rows):
        for c in range(columns):
            if r + 1 < rows:
                edges.append((r * columns + c, (r + 1) * columns + c))
            if columns > 2 or c + 1 < columns:
                edges.append((r * columns + c, r * columns + (c + 1) % columns))
    return edges


def regular_graph(seed: int, *, vertices: int, degree: int) -> Edges:
    """Pair half-edges at random until there is no loop and no double edge."""
    rng = Random(seed)
    while True:
        halves = [v for v in range(vertices) for _ in range(degree)]
        rng.shuffle(halves)
        edges = {(min(e), max(e)) for e in zip(halves[::2], halves[1::2], strict=True)}
        if len(edges) == vertices * degree // 2 and all(a != b for a, b in edges):
            return sorted(edges)


def tseitin(seed: int, edges: Edges, *, odd: bool = True) -> Clauses:
    """Give every vertex a random charge; the sum of them is odd, or even."""
    rng = Random(seed)
    vertices = 1 + max(max(edge) for edge in edges)
    charges = [rng.random() < 0.5 for _ in range(vertices)]
    if (sum(charges) % 2 == 1) != odd:
        charges[0] = not charges[0]
    formula = Formula()
    around: list[list[int]] = [[] for _ in range(vertices)]
    for a, b in edges:
        edge = formula.new()
        around[a].append(edge)
        around[b].append(edge)
    for touching, charge in zip(around, charges, strict=True):
        formula.parity(touching, odd=charge)
    return formula.clauses


def tseitin_grid(seed: int, *, rows: int, columns: int, odd: bool = True) -> Clauses:
    """Charge the vertices of a grid."""
    return tseitin(seed, grid(rows=rows, columns=columns), odd=odd)


def tseitin_regular(seed: int, *, vertices: int, degree: int, odd: bool = True) -> Clauses:
    """Charge the vertices of a random regular graph."""
    return tseitin(seed, regular_graph(seed, vertices=vertices, degree=degree), odd=odd)

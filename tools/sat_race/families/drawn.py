"""Random formulas and random graphs, drawn near the place where they turn unsatisfiable.

`ksat`: clauses of k literals over different variables, drawn uniformly; the hard ratio of clauses
to variables is about 4.27 for k = 3, 21.1 for k = 5 and 87.8 for k = 7 [1]_.
`colouring`: is a random graph of mean degree d colourable with c colours? One variable for each
vertex and colour; the threshold for c = 3 is near d = 4.69, for c = 4 near 8.9, for c = 5 near
13.7 [2]_. A planted graph ("flat") draws only edges that a hidden colouring allows.
`quasigroup`: complete a Latin square from which a share of the cells was erased [3]_.

References
----------
.. [1] Mertens, Mezard, Zecchina (2006), "Threshold values of random K-SAT from the cavity method".
.. [2] Krzakala, Pagnani, Weigt (2004), "Threshold values, stability analysis and high-q
       asymptotics for the coloring problem on random graphs".
.. [3] Achlioptas, Gomes, Kautz, Selman (2000), "Generating satisfiable problem instances", AAAI.
"""

from __future__ import annotations

from itertools import combinations
from random import Random

from sat_race.formula import Clauses, Formula


def ksat(seed: int, *, k: int, variables: int, ratio: float) -> Clauses:
    """Draw round(ratio * variables) clauses of k literals."""
    rng = Random(seed)
    return [
        [rng.choice((-1, 1)) * v for v in rng.sample(range(1, variables + 1), k)]
        for _ in range(round(ratio * variables))
    ]


def random_graph(
    seed: int, *, vertices: int, degree: float, planted: int = 0
) -> list[tuple[int, int]]:
    """Draw different edges; with `planted` colours only such as join different colours."""
    rng = Random(seed)
    hidden = [v % planted if planted else v for v in range(vertices)]
    rng.shuffle(hidden)
    allowed = [(a, b) for a, b in combinations(range(vertices), 2) if hidden[a] != hidden[b]]
    return sorted(rng.sample(allowed, round(vertices * degree / 2)))


def colouring_of(edges: list[tuple[int, int]], *, vertices: int, colours: int) -> Clauses:
    """Encode that the graph has a colouring."""
    formula = Formula()
    paint = [formula.many(colours) for _ in range(vertices)]
    for row in paint:
        formula.exactly_one(row)
    for a, b in edges:
        for x, y in zip(paint[a], paint[b], strict=True):
            formula.add(-x, -y)
    return formula.clauses


def colouring(
    seed: int, *, vertices: int, degree: float, colours: int, planted: bool = False
) -> Clauses:
    """Draw a graph and encode that it has a colouring."""
    edges = random_graph(seed, vertices=vertices, degree=degree, planted=colours if planted else 0)
    return colouring_of(edges, vertices=vertices, colours=colours)


def latin_square(seed: int, order: int) -> list[list[int]]:
    """Shuffle a cyclic square by rows, columns and symbols, then switch random cycles in it."""
    rng = Random(seed)
    rows, columns, symbols = (rng.sample(range(order), order) for _ in range(3))
    square = [[symbols[(r + c) % order] for c in columns] for r in rows]
    for _ in range(order * order):
        one, other = rng.sample(range(order), 2)
        _switch(square, one, other, rng.randrange(order))
    return square


def _switch(square: list[list[int]], one: int, other: int, column: int) -> None:
    """Swap two rows along the one cycle of columns that passes through `column`."""
    start = column
    while True:
        top, bottom = square[one], square[other]
        wanted = bottom[column]
        top[column], bottom[column] = bottom[column], top[column]
        following = next((c for c in range(len(top)) if c != column and top[c] == wanted), start)
        if following == start:
            return
        column = following


def quasigroup(seed: int, *, order: int, holes: float) -> Clauses:
    """Erase a share of the cells of a Latin square and ask for a completion.

    Only symbols that the kept cells leave open get a variable.
    """
    square = latin_square(seed, order)
    rng = Random(f"holes {seed}")
    size = range(order)
    cells = [(r, c) for r in size for c in size]
    erased = set(rng.sample(cells, round(holes * len(cells))))
    formula = Formula()
    holds = {
        (r, c, s): formula.new()
        for r, c in sorted(erased)
        for s in size
        if not _stands(square, erased, r, c, s)
    }
    for axes in ((0, 1), (0, 2), (1, 2)):
        groups: dict[tuple[int, ...], list[int]] = {}
        for place, literal in holds.items():
            groups.setdefault(tuple(place[a] for a in axes), []).append(literal)
        for group in groups.values():
            formula.exactly_one(group)
    return formula.clauses


def _stands(
    square: list[list[int]], erased: set[tuple[int, int]], row: int, column: int, symbol: int
) -> bool:
    """Tell whether a cell that was kept in the row or column holds the symbol."""
    size = range(len(square))
    return any(square[row][c] == symbol and (row, c) not in erased for c in size) or any(
        square[r][column] == symbol and (r, column) not in erased for r in size
    )

"""Sorting networks: find one of a given depth, or show that one sorts.

`search`: is there a network of `depth` layers that sorts all 0-1 inputs? [1]_ A variable for
every comparator of every layer, and one for every wire after every layer and input. The least
depths are 3, 5, 5, 6, 6 for 4 to 8 wires [2]_.
`equivalent`: do the network of Batcher [3]_ and bubble sort, each fed in a random order, ever give
different outputs? They do not, since both sort.

References
----------
.. [1] Bundala, Zavodny (2014), "Optimal sorting networks", LATA.
.. [2] Knuth, "The Art of Computer Programming", volume 3, section 5.3.4.
.. [3] Batcher (1968), "Sorting networks and their applications", AFIPS.
"""

from __future__ import annotations

from itertools import combinations, product
from random import Random

from sat_race.formula import Clauses, Formula

Network = list[tuple[int, int]]


def search(seed: int, *, wires: int, depth: int) -> Clauses:
    """Ask for a network; its first layer compares neighbours, which loses nothing."""
    order = Random(seed).sample(range(wires), wires)
    formula = Formula()
    pairs = list(combinations(sorted(order), 2))
    layers = [{pair: formula.new() for pair in pairs} for _ in range(depth)]
    used = [[formula.new() for _ in range(wires)] for _ in range(depth)]
    for k in range(0, wires - 1, 2):
        formula.add(layers[0][k, k + 1])
    for layer, busy in zip(layers, used, strict=True):
        for wire in order:
            touching = [x for pair, x in layer.items() if wire in pair]
            formula.at_most_one(touching)
            formula.add(-busy[wire], *touching)
            for x in touching:
                formula.add(-x, busy[wire])
    for bits in product((False, True), repeat=wires):
        if list(bits) != sorted(bits):
            _sorts(formula, layers, used, bits)
    return formula.clauses


def _sorts(
    formula: Formula,
    layers: list[dict[tuple[int, int], int]],
    used: list[list[int]],
    bits: tuple[bool, ...],
) -> None:
    """Ask that the network sorts this input, the smaller value on the lower wire."""
    before = formula.many(len(bits))
    for wire, bit in zip(before, bits, strict=True):
        formula.add(wire if bit else -wire)
    for layer, busy in zip(layers, used, strict=True):
        after = formula.many(len(bits))
        for (low, high), x in layer.items():
            a, b = before[low], before[high]
            for least, one, other in ((after[low], a, b), (-after[high], -a, -b)):
                formula.add(-x, -least, one)
                formula.add(-x, -least, other)
                formula.add(-x, least, -one, -other)
        for wire, idle in enumerate(busy):
            formula.add(idle, -before[wire], after[wire])
            formula.add(idle, before[wire], -after[wire])
        before = after
    for wire, bit in zip(before, sorted(bits), strict=True):
        formula.add(wire if bit else -wire)


def batcher(wires: int) -> Network:
    """List the comparators of the odd-even merge sort for any number of wires (Knuth, 5.2.2M)."""
    network = []
    top = 1 << ((wires - 1).bit_length() - 1)
    p = top
    while p:
        q, r, d = top, 0, p
        while True:
            network += [(i, i + d) for i in range(wires - d) if i & p == r]
            if q == p:
                break
            d, q, r = q - p, q // 2, p
        p //= 2
    return network


def bubble(wires: int) -> Network:
    """List the comparators of bubble sort."""
    return [(i, i + 1) for last in range(wires - 1, 0, -1) for i in range(last)]


def equivalent(seed: int, *, wires: int) -> Clauses:
    """Ask for an input on which Batcher's network and bubble sort differ."""
    rng = Random(seed)
    formula = Formula()
    inputs = formula.many(wires)
    outputs = []
    for network in (batcher(wires), bubble(wires)):
        state = rng.sample(inputs, wires)
        for low, high in network:
            a, b = state[low], state[high]
            state[low], state[high] = formula.both(a, b), formula.either(a, b)
        outputs.append(state)
    formula.add(*(formula.differ(a, b) for a, b in zip(*outputs, strict=True)))
    return formula.clauses

"""A formula in conjunctive normal form that grows by clauses and by gates.

Gates are encoded after Tseitin: a new variable stands for the output, and clauses in both
directions tie it to the inputs.

References
----------
.. [1] Tseitin (1968), "On the complexity of derivation in propositional calculus".
.. [2] Sinz (2005), "Towards an optimal CNF encoding of Boolean cardinality constraints", CP.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations, product

Clauses = list[list[int]]


class Formula:
    """Clauses over the variables 1 to `variables`; a negative number is a negated variable."""

    def __init__(self) -> None:
        self.clauses: Clauses = []
        self.variables = 0

    def new(self) -> int:
        """Give a fresh variable."""
        self.variables += 1
        return self.variables

    def many(self, count: int) -> list[int]:
        """Give `count` fresh variables."""
        return [self.new() for _ in range(count)]

    def add(self, *literals: int) -> None:
        """Add one clause."""
        self.clauses.append(list(literals))

    def at_most_one(self, literals: Sequence[int]) -> None:
        """Forbid every pair."""
        for one, other in combinations(literals, 2):
            self.add(-one, -other)

    def exactly_one(self, literals: Sequence[int]) -> None:
        """Ask for one of them and forbid every pair."""
        self.add(*literals)
        self.at_most_one(literals)

    def at_most(self, literals: Sequence[int], most: int) -> None:
        """Count in unary with the sequential counter of [2]_."""
        if most == 0:
            for literal in literals:
                self.add(-literal)
            return
        before: list[int] = []
        for literal in literals:
            count = self.many(most)
            self.add(-literal, count[0])
            for k, held in enumerate(before):
                self.add(-held, count[k])
                if k + 1 < most:
                    self.add(-literal, -held, count[k + 1])
            if before:
                self.add(-literal, -before[most - 1])
            before = count

    def parity(self, literals: Sequence[int], odd: bool) -> None:  # noqa: FBT001
        """Ask that the number of true literals is odd, or even, without a new variable."""
        for signs in product((1, -1), repeat=len(literals)):
            if (signs.count(-1) % 2 == 1) != odd:
                self.add(*(s * x for s, x in zip(signs, literals, strict=True)))

    def long_parity(self, literals: Sequence[int], odd: bool, cut: int = 4) -> None:  # noqa: FBT001
        """Ask the same of many literals, cut into pieces that new variables link."""
        rest = list(literals)
        while len(rest) > cut:
            link = self.new()
            self.parity([*rest[: cut - 1], link], odd=False)
            rest = [*rest[cut - 1 :], link]
        self.parity(rest, odd)

    def both(self, a: int, b: int) -> int:
        """Give the output of an and gate."""
        out = self.new()
        self.add(-a, -b, out)
        self.add(a, -out)
        self.add(b, -out)
        return out

    def either(self, a: int, b: int) -> int:
        """Give the output of an or gate."""
        return -self.both(-a, -b)

    def differ(self, a: int, b: int) -> int:
        """Give the output of a xor gate."""
        out = self.new()
        self.parity([a, b, out], odd=False)
        return out

    def choose(self, switch: int, yes: int, no: int) -> int:
        """Give `yes` where the switch is on and `no` where it is off."""
        out = self.new()
        self.add(-switch, -yes, out)
        self.add(-switch, yes, -out)
        self.add(switch, -no, out)
        self.add(switch, no, -out)
        return out

    def majority(self, a: int, b: int, c: int) -> int:
        """Give what two of three inputs say."""
        out = self.new()
        for x, y in combinations((a, b, c), 2):
            self.add(-x, -y, out)
            self.add(x, y, -out)
        return out

    def constant(self, value: bool) -> int:  # noqa: FBT001
        """Give a literal that is always true, or always false."""
        out = self.new()
        self.add(out)
        return out if value else -out

    def half_adder(self, a: int, b: int) -> tuple[int, int]:
        """Give sum and carry of two bits."""
        return self.differ(a, b), self.both(a, b)

    def full_adder(self, a: int, b: int, c: int) -> tuple[int, int]:
        """Give sum and carry of three bits."""
        out = self.new()
        self.parity([a, b, c, out], odd=False)
        return out, self.majority(a, b, c)

    def ripple(self, left: Sequence[int], right: Sequence[int], carry: int) -> list[int]:
        """Add two numbers of equal width, lowest bit first; the last bit is the carry."""
        bits = []
        for a, b in zip(left, right, strict=True):
            total, carry = self.full_adder(a, b, carry)
            bits.append(total)
        return [*bits, carry]

    def fix(self, bits: Iterable[int], value: int) -> None:
        """Ask that the bits, lowest first, spell the number."""
        for k, bit in enumerate(bits):
            self.add(bit if value >> k & 1 else -bit)

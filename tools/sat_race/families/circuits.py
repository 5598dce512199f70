"""Questions about arithmetic circuits.

`factoring`: which inputs make a multiplier give N? [1]_ Satisfiable for a product of two primes,
unsatisfiable for a prime.
`multiplier_miter`, `adder_miter`: do two circuits for the same function ever differ? [2]_ Array
against carry-save multiplier with swapped operands, ripple against carry-select adder of three
numbers; a wrong gate in one of them makes most of these satisfiable.
`hash_inversion`: which message of a small hash of additions, rotations and xors [3]_ gives the
digest, when some of its bits are known?

References
----------
.. [1] Horie, Watanabe (1997), "Hard instance generation for SAT", ISAAC.
.. [2] Brand (1993), "Verification of large synthesized designs", ICCAD.
.. [3] Mironov, Zhang (2006), "Applications of SAT solvers to cryptanalysis of hash functions".
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from sat_race.formula import Clauses, Formula


def array_product(formula: Formula, left: Sequence[int], right: Sequence[int]) -> list[int]:
    """Add one row of partial products after the other, each by a ripple adder."""
    zero = formula.constant(value=False)
    rows = [[formula.both(a, b) for a in left] for b in right]
    out, rest = [rows[0][0]], [*rows[0][1:], zero]
    for row in rows[1:]:
        total = formula.ripple(rest, row, zero)
        out.append(total[0])
        rest = total[1:]
    return out + rest


def column_product(formula: Formula, left: Sequence[int], right: Sequence[int]) -> list[int]:
    """Collect partial products by their weight and press each column to one bit."""
    width = len(left) + len(right)
    columns: list[list[int]] = [[] for _ in range(width + 1)]
    for i, a in enumerate(left):
        for j, b in enumerate(right):
            columns[i + j].append(formula.both(a, b))
    out = []
    for weight in range(width):
        column = columns[weight]
        while len(column) > 1:
            if len(column) > 2:
                total, carry = formula.full_adder(*(column.pop(0) for _ in range(3)))
            else:
                total, carry = formula.half_adder(column.pop(0), column.pop(0))
            column.append(total)
            columns[weight + 1].append(carry)
        out.append(column[0] if column else formula.constant(value=False))
    return out


def is_prime(number: int) -> bool:
    """Divide by everything up to the root."""
    return number > 1 and all(number % d for d in range(2, int(number**0.5) + 1))


def draw_prime(rng: Random, bits: int) -> int:
    """Draw primes with exactly so many bits until one is found."""
    while True:
        number = rng.randrange(1 << (bits - 1), 1 << bits) | 1
        if is_prime(number):
            return number


def factoring(seed: int, *, bits: int, prime: bool = False) -> Clauses:
    """Ask for two factors of `bits` bits; they are the first variables, lowest bit first.

    The number is a product of two primes of that many bits, or a prime of twice as many.
    """
    rng = Random(seed)
    number = draw_prime(rng, 2 * bits) if prime else draw_prime(rng, bits) * draw_prime(rng, bits)
    formula = Formula()
    left, right = formula.many(bits), formula.many(bits)
    formula.fix(array_product(formula, left, right), number)
    return formula.clauses


def unlike(formula: Formula, left: Sequence[int], right: Sequence[int]) -> None:
    """Ask that the two outputs differ somewhere."""
    formula.add(*(formula.differ(a, b) for a, b in zip(left, right, strict=True)))


def broken(rng: Random, formula: Formula, bits: list[int]) -> list[int]:
    """Let one of the upper bits go wrong for one pattern of its neighbours."""
    k = rng.randrange(len(bits) // 2, len(bits) - 1)
    wrong = formula.both(formula.both(bits[k - 1], bits[k - 2]), -bits[k + 1])
    return [*bits[:k], formula.differ(bits[k], wrong), *bits[k + 1 :]]


def multiplier_miter(seed: int, *, bits: int, wrong: bool = False) -> Clauses:
    """Ask for inputs on which an array and a carry-save multiplier differ."""
    formula = Formula()
    left, right = formula.many(bits), formula.many(bits)
    one = array_product(formula, left, right)
    other = column_product(formula, right, left)
    unlike(formula, broken(Random(seed), formula, one) if wrong else one, other)
    return formula.clauses


def select_adder(formula: Formula, left: list[int], right: list[int], block: int) -> list[int]:
    """Add by blocks, each for both carries, and let the true carry choose."""
    carry = formula.constant(value=False)
    bits: list[int] = []
    for k in range(0, len(left), block):
        parts = left[k : k + block], right[k : k + block]
        without = formula.ripple(*parts, formula.constant(value=False))
        given = formula.ripple(*parts, formula.constant(value=True))
        chosen = [formula.choose(carry, y, n) for y, n in zip(given, without, strict=True)]
        bits += chosen[:-1]
        carry = chosen[-1]
    return [*bits, carry]


def adder_miter(
    seed: int, *, bits: int, terms: int = 3, block: int = 4, wrong: bool = False
) -> Clauses:
    """Ask for numbers whose sum depends on the order of adding and the kind of adder."""
    rng = Random(seed)
    formula = Formula()
    numbers = [formula.many(bits) for _ in range(terms)]
    zero = formula.constant(value=False)
    one, other = numbers[0], numbers[-1]
    for number in numbers[1:]:
        one = formula.ripple(one, number, zero)[:bits]
    for number in numbers[-2::-1]:
        other = select_adder(formula, other, number, block)[:bits]
    unlike(formula, broken(rng, formula, one) if wrong else one, other)
    return formula.clauses


def _rotate(word: list[int], places: int) -> list[int]:
    return word[-places:] + word[:-places]


def toy_hash(formula: Formula, words: Sequence[list[int]], *, rounds: int) -> list[list[int]]:
    """Mix words by adding, rotating and xor; the number of the round enters as a constant."""
    zero = formula.constant(value=False)
    state = [list(word) for word in words]
    for k in range(rounds):
        width = len(state[0])
        total = formula.ripple(state[0], state[1], zero)[:width]
        mixed = [formula.differ(a, b) for a, b in zip(_rotate(total, 3), state[-1], strict=True)]
        marked = [-x if (0x9E37 * (k + 1)) >> j & 1 else x for j, x in enumerate(mixed)]
        state = [*state[1:], marked]
    return state


def run_toy_hash(words: Sequence[int], *, width: int, rounds: int) -> list[int]:
    """Compute the same on numbers."""
    mask = (1 << width) - 1
    state = list(words)
    for k in range(rounds):
        total = (state[0] + state[1]) & mask
        total = (total << 3 | total >> (width - 3)) & mask
        state = [*state[1:], (total ^ state[-1] ^ (0x9E37 * (k + 1))) & mask]
    return state


def hash_inversion(
    seed: int, *, width: int, rounds: int, unknown: int, satisfiable: bool = True
) -> Clauses:
    """Ask for `unknown` bits of a message of four words; the others are told.

    The digest is the last two words. An unsatisfiable one asks for the digest of another message;
    that it has no solution is almost sure as long as the digest is much longer than `unknown`.
    """
    rng = Random(seed)
    message = [rng.getrandbits(width) for _ in range(4)]
    other = [rng.getrandbits(width) for _ in range(4)]
    places = [(w, b) for w in range(4) for b in range(width)]
    rng.shuffle(places)
    formula = Formula()
    words = [formula.many(width) for _ in range(4)]
    for w, b in places[unknown:]:
        formula.add(words[w][b] if message[w] >> b & 1 else -words[w][b])
    digest = run_toy_hash(message if satisfiable else other, width=width, rounds=rounds)
    state = toy_hash(formula, words, rounds=rounds)
    for word, value in zip(state[-2:], digest[-2:], strict=True):
        formula.fix(word, value)
    return formula.clauses

"""Shuffled copies: the same problem under other names and in another order."""

from __future__ import annotations

from random import Random

from sat_race.formula import Clauses


def shuffled(clauses: Clauses, seed: int) -> Clauses:
    """Rename the variables, flip some of them, and permute clauses and literals.

    Seed 0 gives the clauses as they are.
    """
    if seed == 0:
        return clauses
    rng = Random(seed)
    variables = sorted({abs(x) for clause in clauses for x in clause})
    names = rng.sample(variables, len(variables))
    to = {v: rng.choice((-1, 1)) * name for v, name in zip(variables, names, strict=True)}
    copy = [
        rng.sample([to[abs(x)] if x > 0 else -to[abs(x)] for x in clause], len(clause))
        for clause in clauses
    ]
    return rng.sample(copy, len(copy))

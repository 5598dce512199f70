"""A slow solver of a few lines, to test the generators without any of the solvers that race."""

from __future__ import annotations


def models(clauses, variables=None):
    """Yield every model as a set of literals, over the named variables only if given."""
    names = sorted({abs(x) for clause in clauses for x in clause})
    order = [*(variables or []), *(v for v in names if v not in set(variables or []))]
    shown = set(variables or names)
    seen = set()
    for model in _search([frozenset(c) for c in clauses], frozenset(), order):
        part = frozenset(x for x in model if abs(x) in shown)
        if part not in seen:
            seen.add(part)
            yield part


def satisfiable(clauses):
    return next(models(clauses), None) is not None


def _search(clauses, chosen, order):
    clauses, chosen = _propagate(clauses, chosen)
    if clauses is None:
        return
    free = next((v for v in order if v not in chosen and -v not in chosen), None)
    if free is None:
        yield chosen
        return
    if not clauses and len(chosen) < len(order):
        yield from _search(clauses, chosen | {free}, order)
        yield from _search(clauses, chosen | {-free}, order)
        return
    for literal in (free, -free):
        yield from _search([*clauses, frozenset([literal])], chosen, order)


def _propagate(clauses, chosen):
    while True:
        unit = next((c for c in clauses if len(c) == 1), None)
        if unit is None:
            return clauses, chosen
        (literal,) = unit
        chosen = chosen | {literal}
        left = []
        for clause in clauses:
            if literal in clause:
                continue
            rest = clause - {-literal}
            if not rest:
                return None, chosen
            left.append(rest)
        clauses = left

"""Counter-examples checked anew: rows and columns are copied, no weight is used.

Only the scores, the names of judges and candidates, and plain calls of the function on plain
tables count here; nothing of ``deadheat.axioms`` is asked.
"""

from __future__ import annotations

import numpy as np

from deadheat.ranking.ranks import ranks


def world(f, example, when):
    """Return the ranks by name in the table before or after, every copy as a row of its own."""
    scores = np.array(example["scores"])
    judges = [example["judges"].index(name) for name in example[f"judges_{when}"]]
    copies = example[f"copies_{when}"]
    names = [n for n, k in zip(example["candidates"], copies, strict=True) for _ in range(k)]
    rows = np.repeat(np.arange(len(copies)), copies)
    table = scores[rows][:, judges]
    found = ranks(f(table)[0], unit=f.unit(table))
    return table, names, found


def above(names, found, u, v):
    """Whether every copy of u stands above every copy of v."""
    mine = [r for name, r in zip(names, found, strict=True) if name == u]
    yours = [r for name, r in zip(names, found, strict=True) if name == v]
    return max(mine) < min(yours)


def order(world, u, v):
    _, names, found = world
    return int(above(names, found, u, v)) - int(above(names, found, v, u))


def is_violation(f, axiom, example):
    """Whether the example is a strong violation, by the words of the definition."""
    u, v = example["pair"]
    before = world(f, example, "before")
    if axiom in {"majority", "condorcet", "unanimity"}:
        return CLAIMS[axiom](*before[:2], u, v) and order(before, u, v) < 0
    after = world(f, example, "after")
    if axiom == "monotonicity":
        return _raised(example, before, after, u, v)
    if axiom == "reversal":
        return order(before, u, v) == order(after, u, v) != 0 and _opposite(before[0], after[0])
    turned = order(before, u, v) == -order(after, u, v) != 0
    return turned and CHANGES[axiom](f, example, before, after, u, v)


def _majority(table, names, u, v):
    others = np.delete(table, names.index(u), axis=0)
    return 2 * (table[names.index(u)] > others).all(axis=0).sum() > table.shape[1]


def _condorcet(table, names, u, v):
    mine = table[names.index(u)]
    return all(
        (mine > row).sum() > (row > mine).sum()
        for name, row in zip(names, table, strict=True)
        if name != u
    )


def _unanimity(table, names, u, v):
    return (table[names.index(u)] > table[names.index(v)]).all()


CLAIMS = {"majority": _majority, "condorcet": _condorcet, "unanimity": _unanimity}


def _consistency(f, example, before, after, u, v):
    first = set(example["judges_before"])
    rest = [name for name in example["judges_after"] if name not in first]
    other = world(f, example | {"judges_before": rest}, "before")
    return first < set(example["judges_after"]) and np.array_equal(before[2], other[2])


def _participation(f, example, before, after, u, v):
    (judge,) = set(example["judges_after"]) - set(example["judges_before"])
    column = np.array(example["scores"])[:, example["judges"].index(judge)]
    prefers = dict(zip(example["candidates"], column, strict=True))
    return prefers[u] > prefers[v] and order(before, u, v) > 0


def _iia(f, example, before, after, u, v):
    return before[1] != after[1] and example["judges_before"] == example["judges_after"]


def _liia(f, example, before, after, u, v):
    _, names, found = before
    kept = [rank for name, rank in zip(names, found, strict=True) if name in after[1]]
    gone = [rank for name, rank in zip(names, found, strict=True) if name not in after[1]]
    return gone != [] and not any(min(kept) <= rank <= max(kept) for rank in gone)


def _clones(f, example, before, after, u, v):
    more = [name for name in example["candidates"] if after[1].count(name) > before[1].count(name)]
    fewer = [name for name in example["candidates"] if after[1].count(name) < before[1].count(name)]
    return len(more) == 1 and not fewer and more[0] not in {u, v}


CHANGES = {
    "consistency": _consistency,
    "participation": _participation,
    "iia": _iia,
    "liia": _liia,
    "clones": _clones,
}


def _raised(example, before, after, u, v):
    (original,) = set(before[1]) - set(after[1])
    scores = dict(zip(example["candidates"], np.array(example["scores"]), strict=True))
    rises = (scores[u] >= scores[original]).all()
    return rises and order(before, original, v) > 0 and order(after, u, v) < 0


def _opposite(before, after):
    """Whether every judge orders all pairs the other way round."""
    one = np.sign(before[:, None] - before[None])
    return np.array_equal(one, -np.sign(after[:, None] - after[None]))

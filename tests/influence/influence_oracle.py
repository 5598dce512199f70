"""What leaving one out changes, spelled out with loops over tables without it."""

from __future__ import annotations

import deadheat as dh
from deadheat.ranking.on_tables import merits_of
from deadheat.ranking.ranks import ranks


def places(table, f):
    """Rank a table from nothing but itself."""
    merits = merits_of(table, [f])[f.name][0]
    return ranks(merits, unit=f.unit(table.scores, table.weights)).tolist()


def least(rank, k):
    """The top k: whose best shared place is at most k."""
    return {i for i in range(len(rank)) if 1 + sum(r < rank[i] for r in rank) <= k}


def order_among(rank, members):
    return {(i, j): (rank[i] > rank[j]) - (rank[i] < rank[j]) for i in members for j in members}


def row_by_loops(before, after, names):
    """What a removal changes, spelled out."""
    everybody = range(len(before))
    row = {"any": order_among(before, everybody) != order_among(after, everybody)}
    for k in (10, 3):
        old, new = least(before, k), least(after, k)
        row[f"top{k}_set"] = old != new
        row[f"top{k}_order"] = old == new and order_among(before, old) != order_among(after, old)
    row["winner"] = least(before, 1) != least(after, 1)
    row["moved"] = [names[i] for i in everybody if before[i] != after[i]]
    row["shift"] = max(abs(before[i] - after[i]) for i in everybody)
    return row


def by_loops(table, f, labels):
    before = places(table, f)
    found = {}
    for label in dict.fromkeys(labels):
        rest = table.of_judges([j for j, other in enumerate(labels) if other != label])
        found[label] = row_by_loops(before, places(rest, f), table.candidates)
    return found


def told(result):
    return {row.pop("judge"): row for row in result.rows()}


def same(mine, loops):
    assert mine.keys() == loops.keys()
    for judge, row in loops.items():
        assert {key: mine[judge][key] for key in row} == row, judge


def random_table(rng, n, m, *, grades=3, weights=None, **labels):
    scores = rng.integers(1, grades + 1, size=(n, m)) / grades
    return dh.Results(scores=scores, better="higher", judge_weights=weights, **labels)


def example(scores, **options):
    names = {"candidates": list("abcdefghijkl"[: len(scores)])}
    judges = {"judges": list("pqrstuvwxyz"[: len(scores[0])])}
    return dh.Results(scores=scores, **names, **judges, **({"better": "higher"} | options))

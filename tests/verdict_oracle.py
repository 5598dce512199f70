"""The robust ranking, literally and with loops: judges are repeated, never weighted."""

from __future__ import annotations

from statistics import fmean

import numpy as np

import deadheat as dh
from deadheat.resampling.plans import blocks


def table(scores, names="abcdefghij", **options):
    """Return a table of the scores (n, m), candidates named by single letters."""
    scores = np.asarray(scores)
    return dh.Results(
        scores=scores, candidates=list(names[: len(scores)]), **{"better": "higher"} | options
    )


def graded(seed=0, gaps=(0.5, 0.4, 0.0), m=40):
    """Return normal scores of candidates whose true means are the gaps."""
    return np.random.default_rng(seed).normal(np.array(gaps)[:, None], 1.0, (len(gaps), m))


def close_call(m=40):
    """Return two candidates of which the first beats the second at p near .05."""
    z = np.random.default_rng(1).normal(size=m)
    z = (z - z.mean()) / z.std()
    return table([z + 1.645 / m**0.5, np.zeros(m)])


def near_copies():
    """Return two near-copies that share their first places, and a worse third with more."""
    rng = np.random.default_rng(3)
    common = rng.normal(0.06, 1.0, 80)
    one, two = common + rng.normal(0, 0.02, 80), common + rng.normal(0, 0.02, 80)
    alone = rng.normal(0, 1, 80)
    alone += one.mean() - alone.mean() - 0.01
    one += two.mean() - one.mean() + 1e-4
    return table([one, two, alone])


def worlds(plan, n, m):
    """Return, for every replicate of a plan, the judges that were drawn, repeated."""
    drawn = []
    for k in blocks(plan, n, m):
        drawn += [_repeated(weights) for weights in plan.draw(k, n, m).judges]
    return drawn


def _repeated(weights):
    return [j for j, w in enumerate(weights) for _ in range(int(w))]


def mean_of(row, judges):
    return fmean(float(row[j]) for j in judges)


def rank_of(merits, i):
    """Return the mean rank of candidate i; merits closer than rounding are tied."""
    before = sum(x - merits[i] > 1e-9 for x in merits)
    level = sum(abs(x - merits[i]) <= 1e-9 for x in merits)
    return before + (level + 1) / 2


def first_shares(ranked, among):
    """Return how often each is first among some; a shared first place counts for all."""
    counts = dict.fromkeys(among, 0)
    for world in ranked:
        best = min(world[i] for i in among)
        for i in among:
            counts[i] += world[i] == best
    return counts


def holm(p_values, alpha):
    """Return which of {name: p} Holm's test rejects: stop at the first p above its threshold."""
    rejected = set()
    for place, name in enumerate(sorted(p_values, key=p_values.get)):
        if p_values[name] > alpha / (len(p_values) - place):
            break
        rejected.add(name)
    return rejected


def robust_ranking(merits, observed, alpha, *, plus_one=True, leader="plurality"):
    """Return the groups of Fawcett et al., from merits [replicate][candidate], as sets."""
    ranked = [[rank_of(world, i) for i in range(len(world))] for world in merits]
    remaining, groups = set(range(len(observed))), []
    while len(remaining) > 1:
        counts = first_shares(ranked, remaining)
        signs = [counts, observed] if leader == "plurality" else [observed, counts]
        first = min((*(-sign[i] for sign in signs), i) for i in remaining)[-1]
        p = {}
        for other in remaining - {first}:
            count = sum(world[first] >= world[other] for world in ranked)
            p[other] = (count + 1) / (len(ranked) + 1) if plus_one else count / len(ranked)
        rejected = holm(p, alpha)
        groups.append(remaining - rejected)
        remaining = rejected
    return groups + ([remaining] if remaining else [])


def quantile(values, level):
    """Return the linear quantile of numpy, R's type 7."""
    ordered = sorted(values)
    at = level * (len(ordered) - 1)
    below = int(at)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (at - below) * (ordered[above] - ordered[below])


def null(kind, n, m, rng):
    """Draw a table in which all candidates are equal (spec, table C1)."""
    shared = rng.normal(size=m)
    if kind == "normal":
        return rng.normal(size=(n, m)) + shared
    if kind == "binary":
        return (rng.logistic(size=(n, m)) < 1.5 * shared).astype(float)
    skewed = rng.exponential(size=(n, m)) - 1
    return np.where(np.arange(n)[:, None] % 2 == 0, skewed, -skewed) + shared

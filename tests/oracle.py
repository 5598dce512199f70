"""The judge of the kernels: every ranking function as its paper states it, slowly and literally.

Nothing here knows a weight. A table is a plain array (n candidates, m judges), higher is better;
what counts twice is there twice. NaN is a missing score: no comparison with it is true, and a
judge who misses one of two scores says nothing about the two.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations, permutations

import numpy as np
from scipy.stats import rankdata

Oracle = Callable[[np.ndarray], list[float]]


def judges_preferring(scores, i, j):
    return int(np.sum(scores[i] > scores[j]))


def judges_level(scores, i, j):
    return int(np.sum(scores[i] == scores[j]))


def judges_common(scores, i, j):
    return int(np.sum(~np.isnan(scores[i]) & ~np.isnan(scores[j])))


def margins(scores):
    """Return by how many judges i beats j, as a matrix of whole numbers."""
    n = len(scores)
    return [
        [judges_preferring(scores, i, j) - judges_preferring(scores, j, i) for j in range(n)]
        for i in range(n)
    ]


def rivals(n, i):
    return [j for j in range(n) if j != i]


def mean_over_rivals(n, worth):
    """Return (1/(n-1)) sum over j != i of worth(i, j), and 0 without a rival."""
    return [sum(worth(i, j) for j in rivals(n, i)) / (n - 1) if n > 1 else 0.0 for i in range(n)]


def share_of(scores, count):
    """Return count(i, j) per judge that knows both; a pair without such a judge is level."""

    def share(i, j, *, if_level):
        common = judges_common(scores, i, j)
        return count(scores, i, j) / common if common else if_level

    return share


# Averages of the scores


def known(row):
    return [float(score) for score in row if not math.isnan(score)]


def mean(scores):
    return [sum(known(row)) / len(known(row)) if known(row) else math.nan for row in scores]


def median(scores):
    return [float(np.median(known(row))) if known(row) else math.nan for row in scores]


def trimmed_mean(scores):
    """Write every score four times, so that a quarter of the weight is a whole number of them."""

    def of_row(row):
        fine = sorted(known(row) * 4)
        m = len(fine) // 4
        return sum(fine[m : 3 * m]) / (2 * m) if m else math.nan

    return [of_row(row) for row in scores]


def geometric_mean(scores):
    """Where all are costs (turned, so negative): minus the geometric mean of the costs."""
    given = [score for row in scores for score in known(row)]
    if given and max(given) < 0:
        return [-merit for merit in geometric_mean(-scores)]
    return [
        math.exp(sum(math.copysign(1, x) * math.log(abs(x)) for x in known(row)) / len(known(row)))
        if known(row)
        else math.nan
        for row in scores
    ]


# Ranks


def judge_ranks(scores):
    """Return the rank that each judge gives, 1 = best, ties sharing their mean rank."""
    columns = [rankdata(-scores[:, k], method="average") for k in range(scores.shape[1])]
    return np.array(columns).T


def average_rank(scores):
    if np.isnan(scores).any():
        return [points - len(scores) for points in borda(scores)]
    return [-sum(row) / len(row) for row in judge_ranks(scores)]


def borda(scores):
    """Count a point per rival below and half a point per rival level, averaged over judges."""
    won, level = share_of(scores, judges_preferring), share_of(scores, judges_level)
    n = len(scores)
    return [
        sum(won(i, j, if_level=0.0) + level(i, j, if_level=1.0) / 2 for j in rivals(n, i))
        for i in range(n)
    ]


def relative_difference_ranks(scores):
    ranks = judge_ranks(scores)
    m = scores.shape[1]

    def worth(i, j):
        return float(np.sum((ranks[j] - ranks[i]) / (ranks[j] + ranks[i]))) / m

    return mean_over_rivals(len(scores), worth)


# Pairs


def success_rate(scores):
    share = share_of(scores, judges_preferring)
    return mean_over_rivals(len(scores), lambda i, j: share(i, j, if_level=0.0))


def success_rate_half(scores):
    won, level = share_of(scores, judges_preferring), share_of(scores, judges_level)
    return mean_over_rivals(
        len(scores), lambda i, j: won(i, j, if_level=0.0) + level(i, j, if_level=1.0) / 2
    )


def relative_difference(scores):
    """Take (u - v) / (u + v) of the sizes; with costs, which are negative here, v - u above."""

    def total(scores, i, j):
        both = zip(scores[i].tolist(), scores[j].tolist(), strict=True)
        told_apart = [(u, v) for u, v in both if u > v or u < v]
        return sum((u - v) / (abs(u) + abs(v)) for u, v in told_apart)

    share = share_of(scores, total)
    return mean_over_rivals(len(scores), lambda i, j: share(i, j, if_level=0.0))


def copeland(scores):
    won = margins(scores)
    points = {1: 1.0, 0: 0.5, -1: 0.0}
    return mean_over_rivals(len(scores), lambda i, j: points[int(np.sign(won[i][j]))])


def copeland_hard(scores):
    won = margins(scores)
    return mean_over_rivals(len(scores), lambda i, j: 1.0 if won[i][j] > 0 else 0.0)


def minimax(scores):
    won = margins(scores)
    n = len(scores)
    return [-max([won[j][i] for j in rivals(n, i)], default=0) for i in range(n)]


def widest_paths(won, start):
    """Return the strength of the strongest path from start to each, the next strongest first."""
    strength = np.maximum(won[start], 0)
    waiting = np.arange(len(won)) != start
    while waiting.any():
        here = int(np.argmax(np.where(waiting, strength, -1)))
        waiting[here] = False
        onwards = np.minimum(strength[here], won[here])
        strength = np.where(waiting, np.maximum(strength, onwards), strength)
    return strength


def schulze(scores):
    """Compare the strongest paths, as strong as their smallest margin, in both directions."""
    won = np.array(margins(scores))
    n = len(scores)
    strength = [widest_paths(won, i).tolist() for i in range(n)]
    points = {1: 1.0, 0: 0.5, -1: 0.0}
    return mean_over_rivals(n, lambda i, j: points[int(np.sign(strength[i][j] - strength[j][i]))])


def kemeny(scores):
    """Try all orders, average the ranks in the best; equal margins keep candidates together."""
    won = np.array(margins(scores))
    _, first, group, copies = np.unique(
        won, axis=0, return_index=True, return_inverse=True, return_counts=True
    )
    orders = np.array(list(permutations(range(len(first)))))
    against = np.maximum(-won[np.ix_(first, first)], 0) * np.outer(copies, copies)
    lost = sum(against[orders[:, a], orders[:, b]] for a, b in combinations(range(len(first)), 2))
    lost = np.broadcast_to(lost, len(orders))
    sizes = copies[orders]
    middle = np.cumsum(sizes, axis=1) - (sizes - 1) / 2
    ranks = np.empty(orders.shape)
    np.put_along_axis(ranks, orders, middle, axis=1)
    return (-ranks[lost == lost.min()].mean(axis=0))[group].tolist()


def members(bits):
    """Yield the numbers of the bits that are set."""
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


def reachable(locked, start):
    """Return the set, as bits, of those whom locked pairs lead to from start."""
    found, fresh = 0, locked[start]
    while fresh:
        found |= fresh
        beyond = 0
        for i in members(fresh):
            beyond |= locked[i]
        fresh = beyond & ~found
    return found


def ranked_pairs(scores):
    """Lock victories from the largest margin on; equal ones by index of winner, then of loser."""
    won = margins(scores)
    n = len(scores)
    victories = [(-won[i][j], i, j) for i in range(n) for j in range(n) if won[i][j] > 0]
    locked = [0] * n  # the losers of each winner, as bits
    for _, winner, loser in sorted(victories):
        if not reachable(locked, loser) >> winner & 1:
            locked[winner] |= 1 << loser
    over = [reachable(locked, i) for i in range(n)]

    def worth(i, j):
        return 1.0 if over[i] >> j & 1 else 0.0 if over[j] >> i & 1 else 0.5

    return mean_over_rivals(n, worth)


def reaching(edges, start):
    """Return whom edges lead to from start, itself included."""
    found, fresh = {start}, [start]
    while fresh:
        beyond = [j for j in np.flatnonzero(edges[fresh.pop()]).tolist() if j not in found]
        found.update(beyond)
        fresh += beyond
    return found


def logistic_regression(won, lost, members, *, firth):
    """Fit won against lost, one row per pair and one column per member but the last, which is 0."""
    rows = [(i, j) for i, j in combinations(members, 2) if won[i, j] + lost[i, j]]
    design = np.array([[float(k == i) - (k == j) for k in members[:-1]] for i, j in rows])
    y = np.array([won[i, j] for i, j in rows])
    total = y + np.array([lost[i, j] for i, j in rows])
    beta = np.zeros(len(members) - 1)
    for _ in range(2000):
        p = 1 / (1 + np.exp(-design @ beta))
        q, _ = np.linalg.qr(np.sqrt(total * p * (1 - p))[:, None] * design)
        hat = (q**2).sum(axis=1) * firth
        score = design.T @ (y + hat / 2 - (total + hat) * p)
        curvature = design.T @ (((total + hat) * p * (1 - p))[:, None] * design)
        step = np.linalg.solve(curvature, score)
        beta = beta + step * min(1.0, 1.5 / max(np.abs(step).max(), 1e-300))
        if np.abs(step).max() < 1e-13 * (1 + np.abs(beta).max()):
            break
    else:
        raise AssertionError("the regression did not settle")
    beta = np.append(beta, 0.0)
    return beta - beta.mean()


def epp(scores):
    """Regress who wins on who plays; penalise by Jeffreys where a chain of wins is missing."""
    n = len(scores)
    won = np.array(
        [
            [judges_preferring(scores, i, j) + judges_level(scores, i, j) / 2 for j in range(n)]
            for i in range(n)
        ]
    )
    np.fill_diagonal(won, 0)
    merits = [0.0] * n
    for part in {frozenset(reaching((won + won.T) > 0, i)) for i in range(n)}:
        members = sorted(part)
        if len(members) > 1:
            firth = any(reaching(won > 0, i) != part for i in members)
            for i, beta in zip(
                members, logistic_regression(won, won.T, members, firth=firth), strict=True
            ):
                merits[i] = float(beta)
    return merits


# Elections


def votes(scores, alive):
    """Return the plurality votes among those alive; a shared first place is shared equally."""
    won = dict.fromkeys(alive, Fraction(0))
    for k in range(scores.shape[1]):
        best = max(scores[i, k] for i in alive)
        first = [i for i in alive if scores[i, k] == best]
        for i in first:
            won[i] += Fraction(1, len(first))
    return won


def plurality(scores):
    won = votes(scores, range(len(scores)))
    return [float(won[i] / scores.shape[1]) for i in range(len(scores))]


def instant_runoff(scores):
    """Eliminate all with the fewest votes together; who is left in a full tie stays together."""
    alive = list(range(len(scores)))
    merit = [0] * len(scores)
    number = 0
    while alive:
        number += 1
        won = votes(scores, alive)
        fewest = min(won.values())
        out = [i for i in alive if won[i] == fewest]
        for i in out:
            merit[i] = number
        alive = [i for i in alive if i not in out]
    return merit


def majority_judgement(scores):
    """Remove the lower median again and again; compare what was removed, in that order."""

    def removed(row):
        grades, sequence = sorted(row), []
        while grades:
            sequence.append(grades.pop((len(grades) - 1) // 2))
        return tuple(sequence)

    sequences = [removed(row.tolist()) for row in scores]
    best_first = sorted(set(sequences), reverse=True)
    return [-(best_first.index(sequence) + 1) for sequence in sequences]


ORACLES: dict[str, Oracle] = {
    f.__name__: f
    for f in (
        average_rank,
        borda,
        copeland,
        copeland_hard,
        epp,
        geometric_mean,
        instant_runoff,
        kemeny,
        majority_judgement,
        mean,
        median,
        minimax,
        plurality,
        ranked_pairs,
        relative_difference,
        relative_difference_ranks,
        schulze,
        success_rate,
        success_rate_half,
        trimmed_mean,
    )
}

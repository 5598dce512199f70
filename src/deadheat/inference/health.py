"""What is odd about a table: holes, constant judges, copies, values that look like mistakes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from deadheat.data.results import Results
from deadheat.ranking.words import lowest_and_highest
from deadheat.typing import Booleans, Floats

NEAR = 0.9
AFFORDABLE = 300_000_000
FAR = 50.0
ENOUGH_JUDGES = 5
SENTINELS = (-1.0, -9.0, -99.0, -999.0, -9999.0, 99.0, 999.0, 9999.0, 99999.0, 999999.0)
MOST_SUSPECTS = 1_000


@dataclass(frozen=True)
class Suspect:
    """Hold a score that looks like a mistake, and why."""

    i: int
    j: int
    score: float
    why: str


def constant_judges(results: Results) -> list[int]:
    """Return the judges that give everybody they scored, two or more, the same score."""
    low, high = lowest_and_highest(results)
    several = results.n - results.holes.sum(axis=0) > 1
    return np.flatnonzero((high == low) & several).tolist()


def idle_judges(results: Results) -> list[int]:
    """Return the judges that scored nobody or one candidate, and so compare nobody."""
    return np.flatnonzero(results.n - results.holes.sum(axis=0) < 2).tolist()


def identical_judges(results: Results) -> list[list[int]]:
    """Return groups of judges whose columns of scores are the same to the last digit."""
    telling = set(range(results.m)) - {*constant_judges(results), *idle_judges(results)}
    return [group for group in _same_rows(results.scores.T) if group[0] in telling]


def identical_candidates(results: Results) -> list[list[int]]:
    """Return groups of candidates whose scores, if they have any, are the same on every judge."""
    silent = set(np.flatnonzero(results.holes.all(axis=1)).tolist())
    return [group for group in _same_rows(results.scores) if group[0] not in silent]


def near_clones(results: Results) -> list[tuple[int, int, float]] | None:
    """Return pairs with the same score on nearly all judges that tell candidates apart.

    Pairs that are the same on all are left to :func:`identical_candidates`. None where there are
    too many cells to compare all pairs.
    """
    n, m = results.n, results.m
    if n * n * m > AFFORDABLE:
        return None
    telling = np.setdiff1d(np.arange(m), constant_judges(results))
    if len(telling) < 3:
        return []
    scores = results.scores[:, telling]
    found = []
    for i in range(n - 1):
        same = _close(scores[i], scores[i + 1 :], results.tie_tol)
        both = ~(np.isnan(scores[i]) | np.isnan(scores[i + 1 :]))
        share = same.sum(axis=1) / np.maximum(both.sum(axis=1), 1)
        near = (share >= NEAR) & (share < 1) & (both.sum(axis=1) >= 3)
        found += [(i, int(i + 1 + k), float(share[k])) for k in np.flatnonzero(near)]
    return found


def failed_strata(results: Results) -> list[tuple[int, str, int]]:
    """Return who has the worst score on all judges of a stratum while most others have not.

    Each is a candidate, a stratum and its number of judges, the largest first: a crash on a whole
    family looks like this. Enough of the judges must tell candidates apart. Of runs that a rule
    scored, the worst score is that of a run which failed.
    """
    if results.strata is None:
        return []
    names, place, sizes = np.unique(results.strata, return_inverse=True, return_counts=True)
    by_stratum = np.split(np.argsort(place, kind="stable"), np.cumsum(sizes)[:-1])
    low, high = lowest_and_highest(results)
    found = []
    for name, its in zip(names.tolist(), by_stratum, strict=True):
        if np.count_nonzero(high[its] > low[its]) < ENOUGH_JUDGES:
            continue
        floor = results.scores.min() if results.rule else low[its]  # the slowest run has solved
        worst = (results.scores[:, its] == floor).all(axis=1)
        if 2 * np.count_nonzero(worst) < results.n:
            found += [(int(i), name, len(its)) for i in np.flatnonzero(worst)]
    return sorted(found, key=lambda one: -one[2])


def suspects(results: Results) -> list[Suspect]:
    """Return scores that look like mistakes: far outliers, sentinels, mixed percentages.

    None where a rule computed them of runs: times of runs do lie far apart.
    """
    found: list[Suspect] = []
    if results.rule:
        return found
    original = results.original
    for j in range(results.m):
        column = original[:, j]
        known = column[np.isfinite(column)]
        if len(known) < 4:
            continue
        odd = _percentages(column, known) or _sentinels(column, known) or _outliers(column, known)
        found += [Suspect(int(i), j, float(column[i]), why) for i, why in odd]
        if len(found) > MOST_SUSPECTS:
            break
    return found


def tied_share(results: Results) -> float:
    """Return the share of (pair of candidates, judge) in which both scores are equal."""
    tied = pairs = 0
    for column in results.scores.T:
        known = column[~np.isnan(column)]
        _, counts = np.unique(known, return_counts=True)
        tied += int((counts * (counts - 1) // 2).sum())
        pairs += len(known) * (len(known) - 1) // 2
    return tied / pairs if pairs else 0.0


def components(results: Results) -> int:
    """Return into how many groups the candidates fall that no chain of common judges joins.

    Candidates without any score belong to none.
    """
    seen = ~results.holes
    unvisited = set(np.flatnonzero(seen.any(axis=1)).tolist())
    groups = 0
    while unvisited:
        groups += 1
        judges = seen[unvisited.pop()]
        while True:
            joined = {i for i in unvisited if (seen[i] & judges).any()}
            if not joined:
                break
            unvisited -= joined
            judges = judges | seen[sorted(joined)].any(axis=0)
    return groups


def _same_rows(rows: Floats) -> list[list[int]]:
    groups: dict[bytes, list[int]] = {}
    for i, row in enumerate(rows):
        groups.setdefault((np.ascontiguousarray(row) + 0.0).tobytes(), []).append(i)
    return [group for group in groups.values() if len(group) > 1]


def _close(mine: Floats, others: Floats, tolerance: float) -> Booleans:
    with np.errstate(invalid="ignore", over="ignore"):  # what is infinitely far is not close
        return np.asarray((mine == others) | (np.abs(mine - others) <= tolerance))


def _percentages(column: Floats, known: Floats) -> list[tuple[int, str]]:
    fractions = (known >= 0) & (known <= 1)
    if fractions.mean() < 0.75 or fractions.all() or known.min() < 0 or known.max() > 100:
        return []
    if np.unique(known[fractions]).size < 3:
        return []
    return [
        (int(i), "above 1 among fractions, perhaps a percentage")
        for i in np.flatnonzero(column > 1)
    ]


def _sentinels(column: Floats, known: Floats) -> list[tuple[int, str]]:
    found = []
    for value in SENTINELS:
        if value in (known.min(), known.max()):
            rest = known[known != value]
            if len(rest) > 2 and _gap(value, rest) > 3 * np.ptp(rest) > 0:
                why = "a number often written for «missing», far from the others"
                found += [(int(i), why) for i in np.flatnonzero(column == value)]
    return found


def _gap(value: float, rest: Floats) -> float:
    return float(np.abs(rest - value).min())


def _outliers(column: Floats, known: Floats) -> Iterator[tuple[int, str]] | list[tuple[int, str]]:
    low, middle, high = np.quantile(known, [0.25, 0.5, 0.75])
    if high <= low:
        return []
    with np.errstate(invalid="ignore", over="ignore"):  # nothing is farther than infinitely far
        far = np.flatnonzero(np.abs(column - middle) > FAR * (high - low))
    return [
        (int(i), f"farther from the median than {FAR:.0f} times the spread of the middle half")
        for i in far
    ]

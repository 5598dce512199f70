"""Newton's method for Bradley-Terry ratings: many replicates at once, as matrices (B, n, n)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from deadheat.typing import Booleans, Floats, Integers

MOST_STEPS = 200
SETTLED = 1e-13  # a step of this size, beside the size of the ratings, changes nothing
NOISE = 1e-11  # below this, steps that no longer shrink are rounding
FULL = 1.0  # a step that changes no difference by more than this is taken whole
IN_RANGE = 100.0  # differences of ratings beyond which nobody ever loses, as far as sums can tell
NEAR = 4.0  # differences beyond this bend the likelihood so little that they may change freely
CACHED = 100_000  # numbers in one array, so that they stay in the cache
ONE_BY_ONE = 40  # candidates from which on systems are solved one by one, without pivoting


@dataclass(frozen=True, eq=False)
class Matches:
    r"""Hold what replicates are fitted to.

    Parameters
    ----------
    wins
        (B, n, n): what i won against j, ties as half a win, the diagonal 0.
    copies
        (B, n): how often each candidate is there; 0 means absent.
    own
        (B, n): the weight of what two copies of a candidate play, all of it tied.
    parts
        (B, n): candidates with the same number are connected; each part has a mean of its own.
    """

    wins: Floats
    copies: Floats
    own: Floats
    parts: Integers

    def rows(self, chosen: Booleans | slice) -> Matches:
        """Return some of the replicates."""
        return Matches(self.wins[chosen], self.copies[chosen], self.own[chosen], self.parts[chosen])


@dataclass(frozen=True, eq=False)
class Solution:
    """Hold ratings (B, n), and per replicate the number of steps and whether they settled."""

    ratings: Floats
    steps: Integers
    settled: Booleans


def matches_of(wins: Floats) -> Matches:
    """Return the matches of connected candidates of whom each is there once."""
    size, n = wins.shape[:2]
    once = np.ones((size, n))
    return Matches(wins, once, np.zeros((size, n)), np.zeros((size, n), dtype=np.int64))


def newton(
    matches: Matches,
    *,
    firth: bool = False,
    ridge: float = 0.0,
    start: Floats | None = None,
    settled_at: float = SETTLED,
) -> Solution:
    r"""Return the ratings that maximise the likelihood, penalised or not.

    .. math:: \sum_{i<j} c_i c_j (W_{ij} \log p_{ij} + W_{ji} \log p_{ji})
        - \tfrac{\lambda}{2} \sum_i c_i b_i^2

    With ``firth`` half of the log-determinant of the information is added. Its gradient is that
    of :math:`h_{ij}/2` more wins for both sides of each pair, where :math:`h_{ij}` is the pair's
    leverage; copies are treated as if they stood in the table, so that a pair of copies has its
    leverage too.

    A large step is shortened to :math:`\log(1 + r)/r` of itself, where r is the largest change of
    a difference that matters: the likelihood is self-concordant in that sense, and needs no line
    search. Steps end with one that is ``settled_at`` or less beside the size of the ratings; what
    is missing then is a small part of that step.

    References
    ----------
    .. [1] Firth (1993), "Bias reduction of maximum likelihood estimates", Biometrika 80(1).
    .. [2] Sun, Tran-Dinh (2019), "Generalized self-concordant functions: a recipe for Newton-type
           methods", Mathematical Programming 178.
    """
    size, n = matches.copies.shape
    ratings = _first_guess(matches) if start is None else np.array(start, dtype=np.float64)
    steps, settled = np.zeros(size, dtype=np.int64), np.zeros(size, dtype=bool)
    rows = max(1, CACHED // n**2)
    for low in range(0, size, rows):
        part = slice(low, min(low + rows, size))
        few = matches.rows(part)
        found, steps[part], settled[part] = _climb(
            few, ratings[part], firth=firth, ridge=ridge, settled_at=settled_at
        )
        ratings[part] = _centred(found, few)
    return Solution(ratings, steps, settled)


def _climb(
    matches: Matches, ratings: Floats, *, firth: bool, ridge: float, settled_at: float
) -> tuple[Floats, Integers, Booleans]:
    weights = matches.copies[:, :, None] * matches.copies[:, None, :]
    now = Matches(matches.wins * weights, matches.copies, matches.own, matches.parts)
    size = len(ratings)
    steps, settled = np.zeros(size, dtype=np.int64), np.zeros(size, dtype=bool)
    last, active = np.full(size, np.inf), np.arange(size)
    for _ in range(MOST_STEPS):
        step = _step(now, ratings[active], firth=firth, ridge=ridge)
        reach = step.max(axis=1) - step.min(axis=1)
        ratings[active] += step * _shortened(ratings[active], step, reach)[:, None]
        steps[active] += 1
        scale = 1 + np.abs(ratings[active]).max(axis=1)
        done = (reach <= settled_at * scale) | ((reach <= NOISE * scale) & (reach >= last / 2))
        settled[active[done]] = True
        last = reach
        if done.any():
            now, active, last = now.rows(~done), active[~done], reach[~done]
        if not len(active):
            break
    return ratings, steps, settled


def _first_guess(matches: Matches) -> Floats:
    """Return the log-odds of each candidate's share of wins, one win and one loss added."""
    won = 1 + (matches.wins * matches.copies[:, None, :]).sum(axis=2)
    lost = 1 + (matches.wins * matches.copies[:, :, None]).sum(axis=1)
    guess: Floats = np.log(won / lost)
    return guess


def _centred(ratings: Floats, matches: Matches) -> Floats:
    """Return ratings whose mean over the copies in each connected part is 0."""
    same = matches.parts[:, :, None] == matches.parts[:, None, :]
    weights = same * matches.copies[:, None, :]
    total = weights.sum(axis=2)
    sums: Floats = (weights * ratings[:, None, :]).sum(axis=2)
    means: Floats = np.divide(sums, total, out=np.zeros_like(sums), where=total > 0)
    return ratings - means


def _shortened(ratings: Floats, step: Floats, reach: Floats) -> Floats:
    """Return by what to multiply each step (B,): 1 unless it changes a difference by much."""
    factor = np.ones(len(step))
    far = np.flatnonzero(reach > FULL)
    before = ratings[far, :, None] - ratings[far, None, :]
    change = step[far, :, None] - step[far, None, :]
    after = before + change
    near = (np.minimum(np.abs(before), np.abs(after)) < NEAR) | (before * after < 0)
    largest = (np.abs(change) * near).max(axis=(1, 2), initial=0.0)
    factor[far] = np.where(largest > FULL, np.log1p(largest) / np.maximum(largest, FULL), 1.0)
    return factor


def _step(now: Matches, ratings: Floats, *, firth: bool, ridge: float) -> Floats:
    lost = _chances_of_losing(ratings)
    spread = lost * lost.mT
    wins, met = now.wins, now.wins + now.wins.mT
    if firth:
        leverage = _leverages(now, met * spread)
        wins, met = wins + leverage / 2, met + leverage
    surprise = wins * lost  # W_ij q_ij - W_ji p_ij keeps its digits where W_ij - N_ij p_ij does not
    gradient = surprise.sum(axis=2) - surprise.sum(axis=1) - ridge * now.copies * ratings
    edges = np.multiply(met, spread, out=spread)
    system = laplacian(edges, now.parts, more=ridge * now.copies)
    return solved(system, gradient)


def _chances_of_losing(ratings: Floats) -> Floats:
    """Return the probability that j beats i, (B, n, n), with all its digits."""
    if np.ptp(ratings, axis=1).max() < IN_RANGE:
        strength = np.exp(ratings - ratings.max(axis=1, keepdims=True))
        chances: Floats = strength[:, None, :] / (strength[:, :, None] + strength[:, None, :])
        return chances
    from scipy.special import expit

    lost: Floats = expit(np.maximum(ratings[:, None, :] - ratings[:, :, None], -IN_RANGE))
    return lost


def _leverages(now: Matches, edges: Floats) -> Floats:
    """Return the leverages, summed over the copies of both: information times variance."""
    inverse = inverted(laplacian(edges, now.parts))
    own = np.diagonal(inverse, axis1=1, axis2=2)
    variances = own[:, :, None] + own[:, None, :] - 2 * inverse
    if (now.copies > 1).any():
        times = np.maximum(now.copies, 1)
        between = edges.sum(axis=2) / times + now.copies * now.own / 4
        apart = np.divide(1 - 1 / times, between, out=np.zeros_like(times), where=between > 0)
        variances = variances + apart[:, :, None] + apart[:, None, :]
    leverages: Floats = edges * variances
    return leverages


def laplacian(edges: Floats, parts: Integers, *, more: Floats | float = 0.0) -> Floats:
    """Return the system (B, n, n) of pairwise information, made regular part by part."""
    n = edges.shape[1]
    degrees = edges.sum(axis=2)
    level = np.maximum(degrees.mean(axis=1), np.finfo(float).tiny)[:, None, None] / n
    if parts.any():
        gauge = level * (parts[:, :, None] == parts[:, None, :])
        gauge[:, np.arange(n), np.arange(n)] += level[:, 0] * (degrees == 0)
        system = gauge - edges
    else:
        system = level - edges
    system[:, np.arange(n), np.arange(n)] += degrees + more
    regular: Floats = system
    return regular


def inverted(systems: Floats) -> Floats:
    """Return the inverses (B, n, n) of symmetric positive definite systems."""
    n = systems.shape[1]
    if n < ONE_BY_ONE:
        return np.linalg.inv(systems)
    from scipy.linalg.lapack import dposv

    found, unit = np.empty_like(systems), np.eye(n, order="F")
    for b, system in enumerate(systems):
        _, inverse, failed = dposv(system.T, unit, lower=True)
        found[b] = np.linalg.inv(system) if failed else inverse.T
    return found


def solved(systems: Floats, right: Floats) -> Floats:
    """Return the solutions (B, n) of symmetric positive definite systems (B, n, n)."""
    if right.shape[1] < ONE_BY_ONE:
        return np.linalg.solve(systems, right[:, :, None])[:, :, 0]
    from scipy.linalg.lapack import dposv

    found = np.empty_like(right)
    for b, (system, side) in enumerate(zip(systems, right, strict=True)):
        _, found[b], failed = dposv(system.T, side, lower=True, overwrite_a=True)
        if failed:
            found[b] = np.linalg.lstsq(systems[b], side, rcond=None)[0]
    return found

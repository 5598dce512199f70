"""Newton's method for ratings and a tie parameter together."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from deadheat.ranking.rating.pair_counts import PairCounts, sums_by_candidate
from deadheat.ranking.rating.tie_models import Terms, TieModel, first_tie, tie_model
from deadheat.typing import Floats

MOST_STEPS = 500
SETTLED = 1e-12
SHRINKING = 0.2  # a threshold is never cut to less than this share of itself in one step
NO_THRESHOLD = 1e-6  # where Firth's penalty of ties that weigh less than half a battle takes it


@dataclass(frozen=True, eq=False)
class TieSolution:
    """Hold the ratings (n,), the tie parameter and how they were found."""

    ratings: Floats
    tie: float
    steps: int
    settled: bool


def tie_newton(
    pairs: PairCounts,
    ties: str,
    *,
    firth: bool = False,
    ridge: float = 0.0,
    start: tuple[Floats, float] | None = None,
) -> TieSolution:
    r"""Return ratings and tie parameter that maximise the likelihood, penalised or not.

    With ``firth`` half of the log-determinant of the expected information of all n parameters
    is added; steps are then those of Fisher scoring, whose convergence is linear.
    """
    model = tie_model(ties)
    share = float(pairs.ties.sum() / max(pairs.met.sum(), np.finfo(float).tiny))
    ratings, tie = (np.zeros(pairs.n), first_tie(ties, share)) if start is None else start
    for number in range(1, MOST_STEPS + 1):
        step = _step(model, pairs, ratings, tie, firth=firth, ridge=ridge)
        reach = float(np.ptp(step[:-1]) + abs(step[-1]))
        taken = step * (np.log1p(reach) / reach if reach > 1 else 1.0)
        ratings = ratings + taken[:-1]
        ratings -= ratings.mean()
        positive = ties == "rao-kupper"
        tie += float(taken[-1])
        if positive:
            tie = max(tie, SHRINKING * (tie - float(taken[-1])), NO_THRESHOLD)
            reach -= abs(step[-1]) * (tie == NO_THRESHOLD)
        if reach <= SETTLED * (1 + np.abs(ratings).max() + abs(tie)):
            return TieSolution(ratings, tie, number, settled=True)
    return TieSolution(ratings, tie, MOST_STEPS, settled=False)


def _step(
    model: TieModel, pairs: PairCounts, ratings: Floats, tie: float, *, firth: bool, ridge: float
) -> Floats:
    terms = model(ratings[pairs.first] - ratings[pairs.second], tie)
    counts = np.stack([pairs.wins, pairs.losses, pairs.ties])
    along_x, along_t = (counts * terms.x).sum(axis=0), (counts * terms.t).sum(axis=0)
    if firth:
        shares = np.exp(terms.logs) * pairs.met
        system = bordered(
            pairs,
            (shares * terms.x**2).sum(axis=0),
            (shares * terms.x * terms.t).sum(axis=0),
            (shares * terms.t**2).sum(axis=0),
        )
        more_x, more_t = _towards_information(system, pairs, terms, shares)
        along_x, along_t = along_x + more_x, along_t + more_t
    else:
        seen = (-(counts * bend).sum(axis=0) for bend in (terms.xx, terms.xt, terms.tt))
        system = bordered(pairs, *seen)
    gradient = np.append(sums_by_candidate(pairs, along_x, -along_x), along_t.sum())
    gradient[:-1] -= ridge * ratings
    system[np.arange(pairs.n), np.arange(pairs.n)] += ridge
    found: Floats = np.linalg.solve(system, gradient)
    return found


def bordered(pairs: PairCounts, xx: Floats, xt: Floats, tt: Floats) -> Floats:
    """Return the information (n + 1, n + 1) of ratings and tie parameter, made regular."""
    n = pairs.n
    system = np.empty((n + 1, n + 1))
    degrees = sums_by_candidate(pairs, xx, xx)
    system[:n, :n] = degrees.mean() / n - pairs.matrix(xx, xx)
    system[np.arange(n), np.arange(n)] += degrees
    system[:n, n] = system[n, :n] = sums_by_candidate(pairs, xt, -xt)
    system[n, n] = tt.sum()
    return system


def _towards_information(
    system: Floats, pairs: PairCounts, terms: Terms, shares: Floats
) -> tuple[Floats, Floats]:
    r"""Return the derivatives of half the log-determinant along x and t of each pair.

    They are :math:`\tfrac12 \sum_{ab} V_{ab} \, \partial_c I_{ab}` over a, b in {x, t}, where V
    is the variance of (x, t) and :math:`I_{ab} = \sum_k P_k s_{ka} s_{kb}` over the outcomes k.
    """
    variance = np.linalg.inv(system)
    n, (i, j) = pairs.n, (pairs.first, pairs.second)
    own = np.diagonal(variance)
    of = {
        "xx": own[i] + own[j] - 2 * variance[i, j],
        "xt": variance[i, n] - variance[j, n],
        "tt": np.full(len(i), variance[n, n]),
    }
    score = {"x": terms.x, "t": terms.t}
    bend = {"xx": terms.xx, "xt": terms.xt, "tx": terms.xt, "tt": terms.tt}
    found = []
    for c in "xt":
        total = np.zeros(len(i))
        for (a, b), times in (("xx", 1), ("xt", 2), ("tt", 1)):
            change = score[a] * score[b] * score[c]
            change = change + bend[a + c] * score[b] + score[a] * bend[b + c]
            total += times * of[a + b] * (shares * change).sum(axis=0)
        found.append(total / 2)
    return found[0], found[1]

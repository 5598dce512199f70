"""Steps with the inverse Hessian of a fit: cheap, and enough where replicates are like the fit."""

from __future__ import annotations

import numpy as np

from deadheat.ranking.rating.bradley_terry import Fit
from deadheat.ranking.rating.covariance import information
from deadheat.ranking.rating.pair_counts import PairCounts, Sums
from deadheat.ranking.rating.sparse import DENSE, inverse_of
from deadheat.ranking.rating.tie_models import tie_model
from deadheat.ranking.rating.tie_newton import SHRINKING
from deadheat.typing import Booleans, Floats

SETTLED = 1e-9
MOST_STEPS = 30
ROUGHLY = 1e-3  # is near enough for the step of an iteration that corrects itself
MOST_LISTED = 40  # replicates that are solved together where there is no inverse matrix
FARTHEST = 200.0  # a rating; whoever gets there has run away
CACHED = 150_000  # counts that are worked on at a time, so that they stay in the cache


class HalfSteps:
    """Step ratings, ties as half wins.

    Parameters
    ----------
    fit
        Where to start.
    pairs
        What was fitted, with the wins that a penalty adds.
    """

    def __init__(self, fit: Fit, pairs: PairCounts) -> None:
        self._start, self._pairs, self._ridge = fit.ratings, pairs, _ridge(fit)
        x = fit.ratings[pairs.first] - fit.ratings[pairs.second]
        bends = -pairs.met * tie_model("half")(x, 0.0).xx[0]
        self._inverse = inverse_of(pairs, bends, more=self._ridge, residual=ROUGHLY)
        self._sums = Sums(pairs)

    def __call__(self, pairs: PairCounts) -> tuple[Floats, Booleans]:
        """Return the ratings (B, n) of replicates, and which of them settled."""
        size = len(pairs.wins)
        ratings, settled = np.tile(self._start, (size, 1)), np.zeros(size, dtype=bool)
        rows = MOST_LISTED if pairs.n > DENSE else max(1, CACHED // len(pairs.first))
        for low in range(0, size, rows):
            part = slice(low, low + rows)
            ties = pairs.ties[part] / 2
            won, lost = pairs.wins[part] + ties, pairs.losses[part] + ties
            settled[part] = self._stepped(ratings[part], won, lost)
        return ratings, settled

    def _stepped(self, ratings: Floats, won: Floats, lost: Floats) -> Booleans:
        r"""Step ratings in place; return which settled.

        What i should win is :math:`\pi_i \sum_j N_{ij} / (\pi_i + \pi_j)`: its strength times a sum
        that both sides of a pair share, without an exponential per pair.
        """
        first, second, sums = self._pairs.first, self._pairs.second, self._sums
        points, met = sums(won, lost), won + lost
        share, other = np.empty_like(met), np.empty_like(met)
        for _ in range(MOST_STEPS):
            strength = np.exp(ratings)
            np.take(strength, first, axis=1, out=share, mode="clip")
            share += np.take(strength, second, axis=1, out=other, mode="clip")
            np.divide(met, share, out=share)
            expected = strength * sums(share, share)
            step = self._inverse(points - expected - self._ridge * ratings)
            np.clip(ratings + step, -FARTHEST, FARTHEST, out=ratings)
            settled: Booleans = np.abs(step).max(axis=1) <= SETTLED
            if settled.all():
                break
        return settled


class TieSteps:
    """Step ratings and a tie parameter; the parameters are those of :class:`HalfSteps`."""

    def __init__(self, fit: Fit, pairs: PairCounts) -> None:
        self._start, self._tie, self._ridge = fit.ratings, fit.tie or 0.0, _ridge(fit)
        self._model, self._pairs, self._sums = tie_model(fit.ties), pairs, Sums(pairs)
        self._positive = fit.ties == "rao-kupper"
        self._inverse = np.linalg.inv(information(fit, pairs))

    def __call__(self, pairs: PairCounts) -> tuple[Floats, Booleans]:
        """Return the ratings (B, n) of replicates, and which of them settled."""
        size = len(pairs.wins)
        ratings, settled = np.tile(self._start, (size, 1)), np.zeros(size, dtype=bool)
        rows = max(1, CACHED // len(pairs.first))
        for low in range(0, size, rows):
            part = slice(low, low + rows)
            counts = np.stack([pairs.wins[part], pairs.losses[part], pairs.ties[part]])
            settled[part] = self._stepped(ratings[part], counts)
        return ratings, settled

    def _stepped(self, ratings: Floats, counts: Floats) -> Booleans:
        """Step ratings in place, given counts (3, B, P); return which settled."""
        n, tie = ratings.shape[1], np.full((len(ratings), 1), self._tie)
        gradient = np.empty((len(ratings), n + 1))
        for _ in range(MOST_STEPS):
            x = ratings[:, self._pairs.first] - ratings[:, self._pairs.second]
            terms = self._model(x, tie)
            along = (counts * terms.x).sum(axis=0)
            gradient[:, :n] = self._sums(along, -along) - self._ridge * ratings
            gradient[:, n] = (counts * terms.t).sum(axis=(0, 2))
            step = gradient @ self._inverse
            np.clip(ratings + step[:, :n], -FARTHEST, FARTHEST, out=ratings)
            ratings -= ratings.mean(axis=1, keepdims=True)
            lowest = tie * SHRINKING if self._positive else -FARTHEST
            np.clip(tie + step[:, n:], lowest, FARTHEST, out=tie)
            settled: Booleans = np.abs(step).max(axis=1) <= SETTLED
            if settled.all():
                break
        return settled


def _ridge(fit: Fit) -> float:
    return fit.strength if fit.penalty == "ridge" else 0.0

"""Steps with the inverse Hessian of a fit: cheap, and enough where replicates are like the fit."""

from __future__ import annotations

from typing import Any

import numpy as np

from deadheat.ranking.rating.bradley_terry import Fit
from deadheat.ranking.rating.covariance import information
from deadheat.ranking.rating.newton import laplacian, solved
from deadheat.ranking.rating.pair_counts import PairCounts, Sums
from deadheat.ranking.rating.sparse import DENSE, inverse_of
from deadheat.ranking.rating.tie_models import tie_model
from deadheat.ranking.rating.tie_newton import SHRINKING
from deadheat.typing import Booleans, Floats, Integers

SETTLED = 1e-9  # what is missing when steps end
MOST_STEPS = 60
MOST_SHARED, MOST_OWN = 30, 40  # steps with the Hessian of the fit, and with a replicate's own
MIXED = 0.5  # a step from which on the last ones correct the next
DEPTH, RIDGE = 4, 1e-14
FOLLOWING = 1e-3  # a step from which on leverages stay
NEAR = 0.1  # a step from which on the scales of the Hessian stay
LEAST = 1e-4  # share of its information in the fit that a candidate is taken to have
ALONE = 1e-6  # by which the leverage of a pair is below 1 that alone connects two parts, at most
SLOWEST = 0.99  # share of a step that the next one is taken to have at most
ROUGHLY = 1e-3  # is near enough for the step of an iteration that corrects itself
MOST_LISTED = 40  # replicates that are solved together where there is no inverse matrix
FARTHEST = 200.0  # a rating; whoever gets there has run away
CACHED = 100_000  # counts that are worked on at a time, so that they stay in the cache


class HalfSteps:
    r"""Step ratings, ties as half wins.

    The Hessian of a replicate is taken for :math:`S H S`, where H is that of the fit and S is
    diagonal, such that both have the same diagonal: who has few matches, all of small weight in
    the replicate, moves as far as they say, and not as far as they said in the fit. Whom that does
    not lead to an end, as some who hang on others by one match each, goes on with a Hessian of the
    replicate's own, O(n³) each.

    Parameters
    ----------
    fit
        Where to start.
    pairs
        What was fitted, with the wins that a penalty adds.
    leverages
        Firth's penalty for replicates, whose counts then come without it; else they hold all wins.
    """

    def __init__(
        self, fit: Fit, pairs: PairCounts, *, leverages: ScaledLeverages | None = None
    ) -> None:
        from scipy.sparse import csr_array

        self._start, self._pairs, self._ridge = fit.ratings, pairs, _ridge(fit)
        x = fit.ratings[pairs.first] - fit.ratings[pairs.second]
        bends = -pairs.met * tie_model("half")(x, 0.0).xx[0]
        self._inverse = inverse_of(pairs, bends, more=self._ridge, residual=ROUGHLY)
        self._sums = Sums(pairs)
        self._information = (self._sums(bends, bends) + self._ridge)[:, None]
        places = np.tile(np.arange(len(bends)), 2)
        both = np.concatenate([pairs.first, pairs.second])
        shape = (pairs.n, len(bends))
        self._of_pairs = csr_array((np.ones(len(both)), (both, places)), shape=shape)
        self._leverages = leverages

    def __call__(self, pairs: PairCounts) -> tuple[Floats, Booleans]:
        """Return the ratings (B, n) of replicates, and which of them settled."""
        size = len(pairs.wins)
        ratings, settled = np.empty((size, pairs.n)), np.zeros(size, dtype=bool)
        rows = MOST_LISTED if pairs.n > DENSE else max(1, CACHED // len(pairs.first))
        for low in range(0, size, rows):
            part = slice(low, low + rows)
            ties = pairs.ties[part] / 2
            won, lost = pairs.wins[part] + ties, pairs.losses[part] + ties
            points = np.ascontiguousarray(self._sums(won, lost).T)
            found, settled[part] = self._stepped(points, np.ascontiguousarray((won + lost).T))
            ratings[part] = found.T
        return ratings, settled

    def _stepped(self, points: Floats, met: Floats) -> tuple[Floats, Booleans]:
        """Return ratings (n, B) for points (n, B) and matches (P, B), and which settled."""
        ratings = np.repeat(self._start[:, None], points.shape[1], axis=1)
        settled: Booleans = np.zeros(points.shape[1], dtype=bool)
        for own in (False, True)[: 1 if len(points) > DENSE else 2]:
            left = np.flatnonzero(~settled)
            if len(left):
                walk = self._walked(ratings[:, left], points[:, left], met[:, left], own=own)
                ratings[:, left], settled[left] = walk
        return ratings, settled

    def _walked(
        self, ratings: Floats, points: Floats, met: Floats, *, own: bool
    ) -> tuple[Floats, Booleans]:
        r"""Return where steps lead from ratings (n, B), and which of them settled.

        What i should win is :math:`\pi_i \sum_j N_{ij} / (\pi_i + \pi_j)`: its strength times a sum
        that both sides of a pair share, without an exponential per pair. Who settled is left out
        of what follows, so that nobody's steps hang on those of others.
        """
        pairs, information = self._pairs, self._information
        found, done = ratings.copy(), np.zeros(ratings.shape[1], dtype=bool)
        at, reach = np.arange(len(done)), np.full(len(done), np.inf)
        scale, aim, total = np.ones(ratings.shape), points, met
        more: Floats = np.zeros(met.shape if self._leverages is not None else (0, len(done)))
        follows: Booleans = np.full(len(done), self._leverages is not None)
        mixed, room = Mixed(), np.empty((3, *met.shape))
        for _ in range(MOST_OWN if own else MOST_SHARED):
            strength = np.exp(ratings)
            first = np.take(strength, pairs.first, axis=0, mode="clip", out=room[0])
            second = np.take(strength, pairs.second, axis=0, mode="clip", out=room[1])
            both = np.add(first, second, out=room[2])
            if self._leverages is not None and follows.any():
                edges = first * second
                edges /= both
                edges /= both
                edges *= met
                levers = self._leverages(edges, self._of_pairs)
                more = levers if follows.all() else np.where(follows, levers, more)
                aim, total = points + (self._of_pairs @ more) / 2, met + more
            bent = reach > NEAR
            curved = own or bool(bent.any())
            share = np.divide(total, both, out=None if curved else both)
            surplus = aim - strength * (self._of_pairs @ share) - self._ridge * ratings
            if curved:
                share /= both
                share *= first
                share *= second
            if own:
                step = self._solved(share, surplus)
            else:
                if curved:
                    now = self._of_pairs @ share + self._ridge
                    now = np.sqrt(information / np.maximum(now, LEAST * information))
                    scale = np.where(bent, now, scale)
                step = scale * self._inverse((scale * surplus).T).T
            step -= step.mean(axis=0)
            last, reach = reach, np.abs(step).max(axis=0)
            follows &= reach > FOLLOWING
            step = np.where(
                reach < MIXED, mixed(ratings, step, reach < MIXED), step * _shortened(reach)
            )
            ratings = np.clip(ratings + step, -FARTHEST, FARTHEST)
            settled = _settled(reach, last)
            if settled.any():
                found[:, at[settled]], done[at[settled]] = ratings[:, settled], True
                left = np.flatnonzero(~settled)
                if not len(left):
                    return found, done
                at, reach, follows = at[left], reach[left], follows[left]
                ratings, points, scale = ratings[:, left], points[:, left], scale[:, left]
                met, more = met[:, left], more[:, left]
                aim = points if self._leverages is None else aim[:, left]
                total = met if self._leverages is None else total[:, left]
                room = np.empty((3, *met.shape))
                mixed.keep(left)
        found[:, at] = ratings
        return found, done

    def _solved(self, edges: Floats, surplus: Floats) -> Floats:
        """Return Newton's steps (n, B) for the information of pairs (P, B), each by itself."""
        parts = np.zeros((1, len(surplus)), dtype=np.int64)
        least = self._ridge + LEAST * self._information.T
        step = np.empty_like(surplus)
        for b, (one, right) in enumerate(zip(edges.T, surplus.T, strict=True)):
            system = laplacian(self._pairs.matrix(one, one)[None], parts, more=least)
            step[:, b] = solved(system, right[None])[0]
        return step


class Mixed:
    """Learn from the last steps (n, B) what the next one leaves undone: Anderson's mixing.

    References
    ----------
    .. [1] Walker, Ni (2011), "Anderson acceleration for fixed-point iterations", SIAM Journal on
           Numerical Analysis 49(4).
    """

    def __init__(self) -> None:
        self._last: tuple[Floats, Floats, Booleans] | None = None
        self._bends: list[Floats] = []
        self._moves: list[Floats] = []
        self._gram: Floats = np.zeros((0, 0, 0))

    def keep(self, chosen: Integers) -> None:
        """Forget all but some of the replicates."""
        if self._last is not None:
            place, step, near = self._last
            self._last = place[:, chosen], step[:, chosen], near[chosen]
        self._bends = [bend[:, chosen] for bend in self._bends]
        self._moves = [move[:, chosen] for move in self._moves]
        self._gram = self._gram[chosen] if self._bends else self._gram

    def __call__(self, place: Floats, step: Floats, near: Booleans) -> Floats:
        """Return the step to take from a place, given the plain one.

        Only from steps of replicates that were ``near`` (B,) is anything learned.
        """
        if self._last is not None:
            self._learn(place, step, near)
        self._last = place, step, near
        if not self._bends or not near.any():
            return step
        level = np.trace(self._gram, axis1=1, axis2=2) + np.finfo(float).tiny / RIDGE
        system = self._gram + RIDGE * level[:, None, None] * np.eye(len(self._bends))
        right = np.stack([_inner(bend, step) for bend in self._bends], axis=1)
        weights = np.linalg.solve(system, right[:, :, None])[:, :, 0].T
        found = step.copy()
        for weight, move in zip(weights, self._moves, strict=True):
            found -= weight * move
        return found

    def _learn(self, place: Floats, step: Floats, near: Booleans) -> None:
        """Keep how the step bent since the last place, and what that and the move add up to."""
        assert self._last is not None
        before, last, was_near = self._last
        both = near & was_near
        bend = (step - last) * both
        self._bends = [*self._bends[1 - DEPTH :], bend]
        self._moves = [*self._moves[1 - DEPTH :], bend + (place - before) * both]
        row = np.stack([_inner(other, bend) for other in self._bends], axis=1)
        size = row.shape[1]
        gram = np.empty((len(row), size, size))
        if size > 1:
            gram[:, :-1, :-1] = self._gram[:, 1 - size :, 1 - size :]
        gram[:, -1] = gram[:, :, -1] = row
        self._gram = gram


class ScaledLeverages:
    r"""Leverages of the pairs of replicates, each without an inverse of its own.

    .. math:: h_{ij} = e_{ij} (s_i^2 V_{ii} + s_j^2 V_{jj} - 2 s_i s_j V_{ij})

    where e is the pair's information in the replicate, V the covariance of the fit and
    :math:`s_i^2` the information about i in the fit divided by that in the replicate. Where the
    replicate is the fit, they are its own. A pair that alone connects two parts of the field, as
    that of a candidate with one opponent, has leverage 1 in every replicate. With 15 matches a
    candidate, standard errors from them are those of exact leverages within 3 % for nine
    candidates of ten.
    """

    def __init__(self, fit: Fit) -> None:
        pairs = self._pairs = fit.pairs
        x = fit.ratings[pairs.first] - fit.ratings[pairs.second]
        edges = -pairs.met * tie_model("half")(x, 0.0).xx[0]
        covariance = inverse_of(pairs, edges)(np.eye(pairs.n))
        self._errors = np.sqrt(np.diagonal(covariance))[:, None]
        across = covariance[pairs.first, pairs.second][:, None]
        self._apart = 2 - 2 * across / (self._errors[pairs.first] * self._errors[pairs.second])
        self._information = Sums(pairs)(edges, edges)[:, None]
        own = np.diagonal(covariance)
        variances = own[pairs.first] + own[pairs.second] - 2 * across[:, 0]
        self._alone = np.flatnonzero(edges * variances > 1 - ALONE)

    def __call__(self, edges: Floats, of_pairs: Any) -> Floats:
        """Return the leverages (P, B) of pairs with information (P, B)."""
        least = LEAST * self._information
        errors = self._errors * np.sqrt(self._information / np.maximum(of_pairs @ edges, least))
        first = np.take(errors, self._pairs.first, axis=0, mode="clip")
        second = np.take(errors, self._pairs.second, axis=0, mode="clip")
        found: Floats = first - second
        found *= found
        first *= second
        first *= self._apart
        found += first  # the variance: (e_i - e_j)^2 + 2 (1 - r) e_i e_j
        found *= edges
        found[self._alone] = edges[self._alone] > 0
        return np.minimum(found, 1.0, out=found)


def _inner(one: Floats, other: Floats) -> Floats:
    """Return the inner product (B,) of the columns of two arrays (n, B)."""
    return np.asarray(np.einsum("nb,nb->b", one, other))


def _shortened(reach: Floats) -> Floats:
    """Return by what to multiply steps of some reach: 1 unless they go far."""
    return np.where(reach > 1, np.log1p(reach) / np.maximum(reach, 1.0), 1.0)


def _settled(reach: Floats, last: Floats) -> Booleans:
    """Return where all further steps together are negligible, if they shrink as the last one."""
    ratio = np.where(last < np.inf, reach / np.maximum(last, np.finfo(float).tiny), SLOWEST)
    shrinks = np.minimum(ratio, SLOWEST)
    return np.asarray(reach * shrinks <= SETTLED * (1 - shrinks))


class TieSteps:
    """Step ratings and a tie parameter; the parameters are those of :class:`HalfSteps`.

    Where Firth's penalty stands in the counts as wins of both sides, these are not quite its own
    gradient: what is missing in the fit is added to that of every replicate.
    """

    def __init__(self, fit: Fit, pairs: PairCounts) -> None:
        self._start, self._tie, self._ridge = fit.ratings, fit.tie or 0.0, _ridge(fit)
        self._model, self._pairs, self._sums = tie_model(fit.ties), pairs, Sums(pairs)
        self._positive = fit.ties == "rao-kupper"
        self._inverse = np.linalg.inv(information(fit, pairs))
        counts = np.stack([pairs.wins, pairs.losses, pairs.ties])[:, None]
        gradient, self._information = self._derivatives(
            counts, fit.ratings[None], np.array([[self._tie]]), bent=True
        )
        self._missing = -gradient if fit.penalty == "firth" else np.zeros((1, pairs.n + 1))

    def __call__(self, pairs: PairCounts) -> tuple[Floats, Booleans]:
        """Return the ratings (B, n) of replicates, and which of them settled."""
        ratings, _, settled = self.with_ties(pairs)
        return ratings, settled

    def with_ties(self, pairs: PairCounts) -> tuple[Floats, Floats, Booleans]:
        """Return the same with the tie parameters (B,)."""
        size = len(pairs.wins)
        ratings, settled = np.tile(self._start, (size, 1)), np.zeros(size, dtype=bool)
        tie = np.full((size, 1), self._tie)
        rows = max(1, CACHED // len(pairs.first))
        for low in range(0, size, rows):
            part = slice(low, low + rows)
            counts = np.stack([pairs.wins[part], pairs.losses[part], pairs.ties[part]])
            settled[part] = self._stepped(ratings[part], tie[part], counts)
        return ratings, tie[:, 0], settled

    def _stepped(self, ratings: Floats, tie: Floats, counts: Floats) -> Booleans:
        """Step ratings and ties in place, given counts (3, B, P); return which settled."""
        size, n = ratings.shape
        reach, scale = np.full(size, np.inf), np.ones(1)
        for _ in range(MOST_STEPS):
            bent = bool(reach.max() > NEAR)
            gradient, now = self._derivatives(counts, ratings, tie, bent=bent)
            if bent:
                scale = np.sqrt(self._information / np.maximum(now, LEAST * self._information))
            step = scale * ((scale * (gradient + self._missing)) @ self._inverse)
            step[:, :n] -= step[:, :n].mean(axis=1, keepdims=True)
            last, reach = reach, np.abs(step).max(axis=1)
            step *= _shortened(reach)[:, None]
            np.clip(ratings + step[:, :n], -FARTHEST, FARTHEST, out=ratings)
            lowest = tie * SHRINKING if self._positive else -FARTHEST
            np.clip(tie + step[:, n:], lowest, FARTHEST, out=tie)
            settled = _settled(reach, last)
            if settled.all():
                break
        return settled

    def _derivatives(
        self, counts: Floats, ratings: Floats, tie: Floats, *, bent: bool
    ) -> tuple[Floats, Floats]:
        """Return the gradient (B, n + 1), and if asked for minus the second derivatives."""
        pairs, n = self._pairs, ratings.shape[1]
        terms = self._model(ratings[:, pairs.first] - ratings[:, pairs.second], tie)
        along = (counts * terms.x).sum(axis=0)
        gradient, now = np.empty((len(ratings), n + 1)), np.empty((len(ratings), n + 1))
        gradient[:, :n] = self._sums(along, -along) - self._ridge * ratings
        gradient[:, n] = (counts * terms.t).sum(axis=(0, 2))
        if bent:
            along = -(counts * terms.xx).sum(axis=0)
            now[:, :n] = self._sums(along, along) + self._ridge
            now[:, n] = -(counts * terms.tt).sum(axis=(0, 2))
        return gradient, now


def _ridge(fit: Fit) -> float:
    return fit.strength if fit.penalty == "ridge" else 0.0

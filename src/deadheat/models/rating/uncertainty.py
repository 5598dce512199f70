"""How sure ratings are: covariances, and replicates refitted by cheap steps from a fit."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import numpy.typing as npt

from deadheat.core.errors import DataError
from deadheat.core.types import Booleans, Floats, Integers
from deadheat.models.rating import newton
from deadheat.models.rating.bradley_terry import Fit, estimate, with_pseudo_wins
from deadheat.models.rating.bradley_terry import fit as fitted
from deadheat.models.rating.existence import separated, ties_run_away, weak_labels
from deadheat.models.rating.pair_counts import CellPairs, PairCounts, Sums, checked_rounds
from deadheat.ranking.block import slices

if TYPE_CHECKING:
    from deadheat.data.battles import Battles


def fisher(fit: Fit, pairs: PairCounts) -> Floats:
    """Return the covariance (n, n) by the inverse information: all battles independent.

    Where one score enters many battles, as in EPP, its errors are 2 to 6 times too small.
    """
    return newton.centred_twice(_bread(fit, pairs)[: pairs.n, : pairs.n])


def sandwich_of_battles(fit: Fit, battles: Battles) -> Floats:
    r"""Return the covariance (n, n) with the clusters of a log as units, or every battle.

    :math:`V = H^{-1} (\sum_c u_c u_c^\top) H^{-1}` (White 1982, Econometrica 50).
    """
    cells = CellPairs(battles)
    pairs = cells.counts()
    if battles.clusters is None:
        along_x, along_t = _along(fit, cells, battles)
        number = np.maximum(np.asarray(battles.battles, dtype=np.float64), 1.0)
        squares = (along_x**2, along_x * along_t, along_t**2)
        sums = [np.bincount(cells.pair, s / number, len(pairs.first)) for s in squares]
        meat = newton.bordered_information(pairs, *np.asarray(sums, dtype=np.float64))
        meat[: pairs.n, : pairs.n] = newton.centred_twice(meat[: pairs.n, : pairs.n])
    else:
        meat = meat_of_clusters(scores_of_cells(fit, battles, cells), battles.clusters).toarray()
    return _between(fit, pairs, meat)


def scores_of_cells(
    fit: Fit, battles: Battles, cells: CellPairs | None = None, *, stretched: bool = False
) -> Any:
    r"""Return what the cells of a log add to the likelihood equations, sparse (C, n + 1).

    With ``stretched`` residuals r of variance v and leverage h, of which the fit has left (1 - h)
    v, become :math:`\pm\sqrt{r^2 + h \varphi v}` (MacKinnon, White 1985, J. of Econometrics 29),
    where :math:`\varphi` is the variance of all residuals beside the model's.
    """
    from scipy.sparse import coo_array

    cells = cells or CellPairs(battles)
    along_x, along_t = _along(fit, cells, battles)
    if stretched:
        along_x = _stretched_residuals(fit, cells, battles, along_x)
    size = len(along_x)
    values = np.r_[along_x, -along_x, along_t]
    columns = np.r_[cells.first[cells.pair], cells.second[cells.pair], np.full(size, cells.n)]
    rows = np.tile(np.arange(size), 3)
    return coo_array((values, (rows, columns)), shape=(size, cells.n + 1)).tocsr()


def sandwich_of_rounds(
    fit: Fit, scores: Floats, *, clusters: Sequence[object] | None = None, **rounds: Any
) -> Floats:
    """Return the covariance (n, n) with the rounds of a table (n, S), or clusters, as units."""
    by_round, weights = scores_of_rounds(fit, scores, **rounds)
    return _between(fit, fit.pairs, meat_of_units(by_round, weights, clusters))


def scores_of_rounds(
    fit: Fit, scores: Floats, *, pairing: str = "same", **how: Any
) -> tuple[Floats, Floats]:
    """Return the derivatives (S, n + 1) of the likelihood equations by weights of rounds (S,)."""
    table, rows = checked_rounds(scores, pairing=pairing, **how)
    n, rounds = table.shape
    weights = np.ones(rounds) if rows is None else rows[0]
    terms = fit.terms(fit.ratings[:, None] - fit.ratings[None, :])
    by_round = np.zeros((rounds, n + 1))
    for s in range(rounds):
        if pairing == "same":
            mine, yours = table[:, s, None], table[None, :, s]
            counts = weights[s] * np.stack([mine > yours, mine < yours, mine == yours])
        else:
            counts = weights[s] * _outcomes_of_round(table, weights, s)
        counts[:, np.arange(n), np.arange(n)] = 0.0
        by_round[s, :n] = np.einsum("kij,kij->i", counts, terms.x)
        by_round[s, n] = np.einsum("kij,kij->", counts, terms.t) / 2
    return by_round, weights


def influences(fit: Fit, by_unit: Floats, sizes: Floats) -> Floats:
    r"""Return how far each unit moves the ratings, to first order, (n, U) (Huber 1967).

    :math:`\psi_u = H^{-1} (s_u - w_u \sum_v s_v / \sum_v w_v)` with the scores s (U, n + 1) and the
    sizes w (U,). The sum is not 0 only where ratings are penalised.
    """
    bread = _bread(fit, fit.pairs)[: fit.pairs.n]
    found: Floats = (bread - bread.mean(axis=0)) @ np.asarray(by_unit.T)
    return np.asarray(found - found.sum(axis=1, keepdims=True) * (sizes / sizes.sum()))


def meat_of_clusters(scores: Any, clusters: npt.NDArray[Any]) -> Any:
    """Return K / (K - 1) times the sum (p, p) of squares of scores (S, p), summed by K clusters."""
    from scipy.sparse import coo_array

    units, row = np.unique(clusters, return_inverse=True)
    if len(units) < 2:
        raise DataError(
            f"a sandwich covariance needs two clusters or more, got {len(units)}.",
            hint="take every battle or round as a unit, or Fisher's covariance.",
        )
    size = len(row)
    members = coo_array((np.ones(size), (row, np.arange(size))), shape=(len(units), size))
    sums = members.tocsr() @ scores
    return sums.T @ sums * (len(units) / (len(units) - 1))


def meat_of_units(
    by_round: Floats, weights: Floats, clusters: Sequence[object] | None = None
) -> Floats:
    """Return the same for rounds (S,), or their clusters; a round of weight 0 is not a unit."""
    there = weights > 0
    labels = np.arange(len(by_round)) if clusters is None else np.asarray(clusters)
    return np.asarray(meat_of_clusters(by_round[there], labels[there]))


def information(fit: Fit, pairs: PairCounts) -> Floats:
    """Return the information (n + 1, n + 1), made regular; without ties 0, ..., 0, 1 at the end."""
    terms, counts = fit.terms_of(pairs), pairs.outcomes
    bends = (-(counts * bend).sum(axis=0) for bend in (terms.xx, terms.xt, terms.tt))
    system = newton.bordered_information(pairs, *bends)
    system[np.arange(pairs.n), np.arange(pairs.n)] += fit.ridge
    if not fit.with_parameter:
        system[-1, -1] = 1.0
    return system


def _bread(fit: Fit, pairs: PairCounts) -> Floats:
    counts = with_pseudo_wins(pairs, fit.strength) if fit.penalty == "pseudo" else pairs
    return np.asarray(np.linalg.inv(information(fit, counts)))


def _between(fit: Fit, pairs: PairCounts, meat: Floats) -> Floats:
    bread = _bread(fit, pairs)
    bread[: pairs.n] -= bread[: pairs.n].mean(axis=0)
    return newton.centred_twice((bread @ meat @ bread.T)[: pairs.n, : pairs.n])


def _along(fit: Fit, cells: CellPairs, battles: Battles) -> tuple[Floats, Floats]:
    """Return what each cell says of the difference of its pair, and of the tie parameter."""
    terms = fit.terms_of(cells.counts())
    at, weights = (cells.kind, cells.pair), np.asarray(battles.weights, dtype=np.float64)
    return terms.x[at] * weights, terms.t[at] * weights


def _stretched_residuals(fit: Fit, cells: CellPairs, battles: Battles, along_x: Floats) -> Floats:
    """Return what cells say of differences, with the variance that it had before the fit."""
    pairs, counts = cells.counts(), np.asarray(battles.battles, dtype=np.float64)
    each = np.asarray(battles.weights, dtype=np.float64) / counts
    bends = -(pairs.outcomes * fit.terms_of(pairs).xx).sum(axis=0)
    bread = _bread(fit, fit.pairs)
    own = np.diagonal(bread)
    far = own[pairs.first] + own[pairs.second] - 2 * bread[pairs.first, pairs.second]
    usual = np.divide(bends, pairs.met, out=np.zeros(len(bends)), where=pairs.met > 0)[cells.pair]
    leverage = np.clip(each * usual * far[cells.pair], 0.0, 1.0)
    residual = np.divide(along_x, counts * each, out=np.zeros(len(each)), where=each > 0)
    left = float((counts * each**2 * usual * (1 - leverage)).sum())
    times = float((counts * each**2 * residual**2).sum()) / left if left > 0 else 0.0
    whole = np.copysign(np.sqrt(residual**2 + leverage * times * usual), residual)
    return np.asarray(whole * counts * each)


def _outcomes_of_round(scores: Floats, weights: Floats, s: int) -> Floats:
    """Return the weight of what was won, lost and tied with a part of round s, (3, n, n)."""
    n, here = len(scores), scores[:, s]
    there = ~np.isnan(here)
    below, upto, total = np.zeros((n, n)), np.zeros((n, n)), np.zeros(n)
    for j, row in enumerate(scores):
        order = np.argsort(row)[: np.count_nonzero(~np.isnan(row))]
        reached = np.append(0.0, np.cumsum(weights[order]))
        total[j] = reached[-1]
        below[there, j] = reached[np.searchsorted(row[order], here[there], side="left")]
        upto[there, j] = reached[np.searchsorted(row[order], here[there], side="right")]
    won = below + (total * there[:, None] - upto).T
    tied = upto - below
    return np.stack([won, won.T, tied + tied.T])


# Cheap steps of replicates, ties as half wins or with a parameter.

STEPS_SETTLED = 1e-9  # what is missing when steps end
MOST_SHARED, MOST_OWN = 30, 40  # steps with the Hessian of the fit, and with a replicate's own
MIXED = 0.5  # a step from which on the last ones correct the next
DEPTH, RIDGE = 4, 1e-14
FOLLOWING = 1e-3  # a step from which on leverages stay
MANY = 200  # matches of a candidate beside which the leverages of the fit do
NEAR = 0.1  # a step from which on the scales of the Hessian stay
LEAST = 1e-4  # share of its information in the fit that a candidate is taken to have
ALONE = 1e-6  # by which the leverage of a pair is below 1 that alone connects two parts, at most
SLOWEST = 0.99  # share of a step that the next one is taken to have at most
ROUGHLY = 1e-3  # is near enough for the step of an iteration that corrects itself
MOST_LISTED = 40  # replicates that are solved together where there is no inverse matrix
FARTHEST = 200.0  # a rating; whoever gets there has run away
CACHED = 300_000  # counts that are worked on at a time, so that they stay in the cache


class HalfSteps:
    """Rate replicates of a fit by cheap steps, ties as half wins.

    The Hessian of a replicate is taken for :math:`S H S`, where H is that of the fit and S is
    diagonal, such that both have the same diagonal. Who does not settle goes on with the
    replicate's own Hessian, O(n³) each. ``pairs`` hold the wins that a penalty adds, unless
    ``leverages`` are there: Firth's penalty for replicates, whose counts come without it.
    """

    def __init__(self, fit: Fit, pairs: PairCounts, leverages: ScaledLeverages | None) -> None:
        self.start, self.pairs, self.ridge = fit.ratings, pairs, fit.ridge
        self.leverages = leverages
        bends = -pairs.met * fit.terms_of(pairs).xx[0]
        self.inverse = newton.inverse_of(pairs, bends, more=self.ridge, residual=ROUGHLY)
        self.sums, self.of_pairs = Sums(pairs), _incidence(pairs)
        self.information = (self.sums(bends, bends) + self.ridge)[:, None]

    def __call__(self, pairs: PairCounts) -> tuple[Floats, Booleans]:
        size = len(pairs.wins)
        ratings, settled = np.tile(self.start, (size, 1)), np.zeros(size, dtype=bool)
        each = CACHED // MOST_LISTED if pairs.n > newton.DENSE else len(pairs.first)
        for part in slices(size, each, of=CACHED):
            low = part.start
            ties = pairs.ties[part] / 2
            won, lost = pairs.wins[part] + ties, pairs.losses[part] + ties
            points, met = self.sums(won, lost).T, (won + lost).T
            for own in (False, True)[: 1 if pairs.n > newton.DENSE else 2]:
                left = np.flatnonzero(~settled[part])
                if len(left):
                    walk = _Walk(self, points[:, left], met[:, left], own=own)
                    peaks = newton.climb(walk, ratings[low + left])
                    ratings[low + left], settled[low + left] = peaks.parameters, peaks.settled
        return ratings, settled


class _Walk(newton.Objective):
    """The likelihoods of replicates that have points (n, B) and matches (P, B)."""

    def __init__(self, fit: HalfSteps, points: Floats, met: Floats, *, own: bool) -> None:
        self.fit, self.own, self.most_steps = fit, own, MOST_OWN if own else MOST_SHARED
        self.points, self.met = np.ascontiguousarray(points), np.ascontiguousarray(met)
        self.aim, self.total, self.scale = self.points, self.met, np.ones(points.shape)
        if fit.leverages is not None:
            self.aim, self.total = points + fit.leverages.points, met + fit.leverages.of_fit
        self.follows = np.full(points.shape[1], fit.leverages is not None)
        self.reach = np.full(points.shape[1], np.inf)
        self.mixed, self.room = AndersonMixing(), np.empty((3, *met.shape))

    def rows(self, kept: Booleans) -> Self:
        """Leave out who settled, so that nobody's steps hang on those of others."""
        few, left = copy(self), np.flatnonzero(kept)
        for name in ("points", "met", "aim", "total", "scale", "follows", "reach"):
            setattr(few, name, getattr(self, name)[..., left])
        few.room = np.empty((3, *few.met.shape))
        few.mixed.keep(left)
        return few

    def step(self, at: Floats) -> Floats:
        """Return steps (B, n) with the Hessian of the fit, scaled, or of the replicate's own."""
        fit, met, ratings = self.fit, self.met, np.ascontiguousarray(at.T)
        strength = np.exp(ratings)
        # What i should win is its strength times a sum of N / (strength of both): no exponential
        # per pair.
        first = np.take(strength, fit.pairs.first, axis=0, mode="clip", out=self.room[0])
        second = np.take(strength, fit.pairs.second, axis=0, mode="clip", out=self.room[1])
        both = np.add(first, second, out=self.room[2])
        if fit.leverages is not None and self.follows.any():
            few = fit.leverages.few
            edges = first[few] * second[few]
            edges /= both[few]
            edges /= both[few]
            edges *= met[few]
            levers, gained = fit.leverages(edges)
            self.aim = np.where(self.follows, self.points + gained, self.aim)
            self.total[few] = np.where(self.follows, met[few] + levers, self.total[few])
        bent = self.reach > NEAR
        curved = self.own or bool(bent.any())
        share = np.divide(self.total, both, out=None if curved else both)
        surplus = self.aim - strength * (fit.of_pairs @ share) - fit.ridge * ratings
        if curved:
            share /= both
            share *= first
            share *= second
        if self.own:
            step = self._newton_steps(share, surplus)
        else:
            if curved:
                now = np.maximum(fit.of_pairs @ share + fit.ridge, LEAST * fit.information)
                self.scale = np.where(bent, np.sqrt(fit.information / now), self.scale)
            step = self.scale * fit.inverse((self.scale * surplus).T).T
        step -= step.mean(axis=0)
        return step.T

    def follow(self, at: Floats, step: Floats, last: Floats) -> tuple[Floats, Floats, Booleans]:
        """Mix small steps with those before, and keep ratings in range."""
        ratings, step = np.ascontiguousarray(at.T), step.T
        self.reach = np.abs(step).max(axis=0)
        self.follows = self.follows & (self.reach > FOLLOWING)
        near = self.reach < MIXED
        mixed, damped = self.mixed(ratings, step, near), step * newton.step_factor(self.reach)
        step = np.where(near, mixed, damped)
        there = np.clip(ratings + step, -FARTHEST, FARTHEST).T
        return there, self.reach, _steps_negligible(self.reach, last)

    def _newton_steps(self, edges: Floats, surplus: Floats) -> Floats:
        """Return Newton's steps (n, B) for the information of pairs (P, B), each by itself."""
        parts = np.zeros((1, len(surplus)), dtype=np.int64)
        least = self.fit.ridge + LEAST * self.fit.information.T
        step = np.empty_like(surplus)
        for b, (one, right) in enumerate(zip(edges.T, surplus.T, strict=True)):
            system = newton.laplacian(self.fit.pairs.matrix(one, one)[None], parts, more=least)
            step[:, b] = newton.solve_each(system, right[None])[0]
        return step


def _incidence(pairs: PairCounts) -> Any:
    """Return the sparse matrix (n, P) that sums over the pairs of each candidate."""
    from scipy.sparse import csr_array

    number = len(pairs.first)
    rows, columns = np.r_[pairs.first, pairs.second], np.tile(np.arange(number), 2)
    return csr_array((np.ones(2 * number), (rows, columns)), shape=(pairs.n, number))


class AndersonMixing:
    """Learn from the last steps (n, B) what the next one leaves undone (Walker, Ni 2011)."""

    def __init__(self) -> None:
        self._last: tuple[Floats, Floats, Booleans] | None = None
        self._bends: list[Floats] = []
        self._moves: list[Floats] = []
        self._gram: Floats = np.zeros((0, 0, 0))

    def keep(self, chosen: Integers) -> None:
        if self._last is not None:
            place, step, near = self._last
            self._last = place[:, chosen], step[:, chosen], near[chosen]
        self._bends = [bend[:, chosen] for bend in self._bends]
        self._moves = [move[:, chosen] for move in self._moves]
        self._gram = self._gram[chosen] if self._bends else self._gram

    def __call__(self, place: Floats, step: Floats, near: Booleans) -> Floats:
        """Return the step to take, given the plain one; only who is ``near`` (B,) teaches."""
        if self._last is not None:
            before, last, was_near = self._last
            both = near & was_near
            bend = (step - last) * both
            self._bends = [*self._bends[1 - DEPTH :], bend]
            self._moves = [*self._moves[1 - DEPTH :], bend + (place - before) * both]
            row = _inner(self._bends, bend)
            size = row.shape[1]
            gram = np.empty((len(row), size, size))
            if size > 1:
                gram[:, :-1, :-1] = self._gram[:, 1 - size :, 1 - size :]
            gram[:, -1] = gram[:, :, -1] = row
            self._gram = gram
        self._last = place, step, near
        if not self._bends or not near.any():
            return step
        level = np.trace(self._gram, axis1=1, axis2=2) + np.finfo(float).tiny / RIDGE
        system = self._gram + RIDGE * level[:, None, None] * np.eye(len(self._bends))
        right = _inner(self._bends, step)
        weights = np.linalg.solve(system, right[:, :, None])[:, :, 0].T
        found = step.copy()
        for weight, move in zip(weights, self._moves, strict=True):
            found -= weight * move
        return found


def _inner(ones: Sequence[Floats], other: Floats) -> Floats:
    """Return the inner products (B, k) of the columns of k arrays (n, B) with those of another."""
    return np.stack([np.einsum("nb,nb->b", one, other) for one in ones], axis=1)


class ScaledLeverages:
    """Leverages of the pairs of replicates, each without an inverse of its own.

    .. math:: h_{ij} = e_{ij} (s_i^2 V_{ii} + s_j^2 V_{jj} - 2 s_i s_j V_{ij})

    where e is the pair's information in the replicate, V the covariance of the fit and
    :math:`s_i^2` the information about i in the fit divided by that in the replicate. With 15
    matches a candidate, standard errors are those of exact leverages within 3 % for nine of ten.
    Pairs of two with ``MANY`` matches each keep the leverage of the fit: errors change by less than
    1 %.
    """

    def __init__(self, fit: Fit) -> None:
        pairs = fit.pairs
        edges, of_pairs = _bends(fit), _incidence(pairs)
        covariance = newton.inverse_of(pairs, edges)(np.eye(pairs.n))
        own = np.diagonal(covariance)
        across = covariance[pairs.first, pairs.second]
        leverages = edges * (own[pairs.first] + own[pairs.second] - 2 * across)
        self.of_fit = np.minimum(leverages, 1.0)[:, None]
        self.points = (of_pairs @ self.of_fit) / 2  # half of their sum over each one's pairs
        rare = of_pairs @ pairs.met < MANY
        few = np.flatnonzero(rare[pairs.first] | rare[pairs.second])  # pairs whose leverages follow
        self.few: Integers | slice = slice(None) if len(few) == len(edges) else few
        self._first, self._second = pairs.first[self.few], pairs.second[self.few]
        self._of_few = of_pairs[:, self.few]
        self._errors = np.sqrt(own)[:, None]
        together = self._errors[self._first] * self._errors[self._second]
        self._apart = 2 - 2 * across[self.few, None] / together
        self._information = (of_pairs @ edges)[:, None]
        self._steady = self._information - (self._of_few @ edges[self.few])[:, None]
        self._steady_points = self.points - (self._of_few @ self.of_fit[self.few]) / 2
        self._alone = np.flatnonzero(leverages[self.few] > 1 - ALONE)

    def __call__(self, edges: Floats) -> tuple[Floats, Floats]:
        """Return leverages of the few pairs with information (F, B), and the points of all."""
        now = np.maximum(self._of_few @ edges + self._steady, LEAST * self._information)
        errors = self._errors * np.sqrt(self._information / now)
        first = np.take(errors, self._first, axis=0, mode="clip")
        second = np.take(errors, self._second, axis=0, mode="clip")
        found: Floats = first - second
        found *= found
        first *= second
        first *= self._apart
        found += first  # the variance: (e_i - e_j)^2 + 2 (1 - r) e_i e_j
        found *= edges
        found[self._alone] = edges[self._alone] > 0
        np.minimum(found, 1.0, out=found)
        return found, self._steady_points + (self._of_few @ found) / 2


def _steps_negligible(reach: Floats, last: Floats) -> Booleans:
    """Return where all further steps together are negligible, if they shrink as the last one."""
    ratio = np.where(last < np.inf, reach / np.maximum(last, np.finfo(float).tiny), SLOWEST)
    shrinks = np.minimum(ratio, SLOWEST)
    return np.asarray(reach * shrinks <= STEPS_SETTLED * (1 - shrinks))


class TieSteps(newton.Objective):
    """The same with a tie parameter, the last of the parameters (B, n + 1)."""

    most_steps, together = 60, True

    def __init__(self, fit: Fit, pairs: PairCounts) -> None:
        self._start, self._ridge = np.append(fit.ratings, fit.tie or 0.0), fit.ridge
        self._model, self._pairs, self._sums = newton.tie_model(fit.ties), pairs, Sums(pairs)
        self._positive = fit.ties == "rao-kupper"
        self._inverse = np.linalg.inv(information(fit, pairs))
        self.counts = pairs.outcomes[:, None]
        gradient, self._information = self._derivatives(self._start[None], bent=True)
        # Wins of both sides are not quite the gradient of Firth's penalty: what the fit lacks.
        self._missing = -gradient if fit.penalty == "firth" else np.zeros((1, pairs.n + 1))
        self._reach, self._scale = np.full(1, np.inf), np.ones((1, 1))

    def __call__(self, pairs: PairCounts) -> tuple[Floats, Booleans]:
        found = np.tile(self._start, (len(pairs.wins), 1))
        settled = np.zeros(len(found), dtype=bool)
        for part in slices(len(found), len(pairs.first), of=CACHED):
            few = copy(self)
            few.counts = pairs.of_replicate(part).outcomes
            peaks = newton.climb(few, found[part])
            found[part], settled[part] = peaks.parameters, peaks.settled
        return found, settled

    def step(self, at: Floats) -> Floats:
        bent = bool(self._reach.max() > NEAR)
        gradient, now = self._derivatives(at, bent=bent)
        if bent:
            self._scale = np.sqrt(self._information / np.maximum(now, LEAST * self._information))
        step = self._scale * ((self._scale * (gradient + self._missing)) @ self._inverse)
        step[:, :-1] -= step[:, :-1].mean(axis=1, keepdims=True)
        return np.asarray(step)

    def follow(self, at: Floats, step: Floats, last: Floats) -> tuple[Floats, Floats, Booleans]:
        self._reach = np.abs(step).max(axis=1)
        there = np.clip(at + step * newton.step_factor(self._reach)[:, None], -FARTHEST, FARTHEST)
        if self._positive:
            there[:, -1] = np.maximum(there[:, -1], at[:, -1] * newton.SHRINKING)
        return there, self._reach, _steps_negligible(self._reach, last)

    def _derivatives(self, at: Floats, *, bent: bool) -> tuple[Floats, Floats]:
        """Return the gradient (B, n + 1), and if ``bent`` minus the second derivatives."""
        pairs, counts, ratings = self._pairs, self.counts, at[:, :-1]
        terms = self._model(ratings[:, pairs.first] - ratings[:, pairs.second], at[:, -1:])
        along = (counts * terms.x).sum(axis=0)
        gradient, now = np.empty(at.shape), np.empty(at.shape)
        gradient[:, :-1] = self._sums(along, -along) - self._ridge * ratings
        gradient[:, -1] = (counts * terms.t).sum(axis=(0, 2))
        if bent:
            along = -(counts * terms.xx).sum(axis=0)
            now[:, :-1] = self._sums(along, along) + self._ridge
            now[:, -1] = -(counts * terms.tt).sum(axis=(0, 2))
        return gradient, now


# Bradley-Terry ratings of replicates: a few cheap steps from the fit, in full where they fail.

REFIT_SETTLED = 1e-9  # a step of this size, beside the size of the ratings, changes no replicate
RUNNING_AWAY = 8.0  # by which ratings are farther apart than in the fit, if they may have no limit
MOST_EXACT = 100  # candidates: up to here leverages are those of the replicate


class Refitter:
    """Rate replicates of what was fitted; for block after block it inverts the Hessian once.

    All have the penalty of the fit; one without penalty and without finite ratings takes Firth's.
    That is exact for up to 100 candidates; beyond, leverages are :class:`ScaledLeverages`; with a
    tie parameter, or beyond 1,500 candidates, those of the fit, whose standard errors of who has
    few matches are too small by some percent. Parts that no battle connects keep their mean in the
    fit. Who is in none of its battles gets NaN.
    """

    def __init__(self, fit: Fit) -> None:
        firth = fit.penalty == "firth"
        self.fit = fit
        self._exact = firth and fit.pairs.n <= MOST_EXACT
        self._follows = firth and not fit.with_parameter and fit.pairs.n <= newton.DENSE

    def __call__(self, pairs: PairCounts) -> Floats:
        """Return the ratings (B, n) of counts (B, P) of the pairs that were fitted."""
        ratings = _in_full(self.fit, pairs, firth=True) if self._exact else self._near(pairs)
        gaps = np.flatnonzero(np.any(pairs.met == 0, axis=1))
        met = pairs.of_replicate(gaps).met
        ratings[gaps] = np.where(Sums(pairs)(met, met) == 0, np.nan, ratings[gaps])
        return ratings

    def _near(self, pairs: PairCounts) -> Floats:
        fit = self.fit
        pairs = pairs if self._follows else self._with_prior(pairs)
        found, settled = self._step(pairs)
        ratings = found[:, : pairs.n]
        if fit.penalty == "none" or self._follows:  # steps do not know parts, nor what has no limit
            far = np.ptp(ratings, axis=1) > np.ptp(fit.ratings) + RUNNING_AWAY
            settled &= ~_labels(pairs).any(axis=1) & ~far
        if not settled.all():
            wrong = np.flatnonzero(~settled)
            ratings[wrong] = _in_full(fit, pairs.of_replicate(wrong), firth=self._follows)
        return ratings

    def with_ties(self, pairs: PairCounts) -> tuple[Floats, Floats]:
        """Return the ratings (B, n) and tie parameters (B,) of a fit that may have one."""
        fit, size = self.fit, len(pairs.wins)
        ratings: Floats = np.empty((size, pairs.n))
        tie: Floats = np.empty(size)
        settled: Booleans = np.zeros(size, dtype=bool)
        if fit.with_parameter and not self._exact:
            found, settled = self._step(self._with_prior(pairs))
            ratings, tie = found[:, :-1], found[:, -1]
        penalty = "auto" if fit.penalty == "none" else fit.penalty
        strength = fit.strength if fit.penalty in ("ridge", "pseudo") else None
        for b in np.flatnonzero(~settled).tolist():
            one = fitted(pairs.of_replicate(b), ties=fit.ties, penalty=penalty, strength=strength)
            ratings[b], tie[b] = one.ratings, one.tie
        return ratings, tie

    @cached_property
    def _prior(self) -> Floats | float:
        """The wins (P,) that the penalty adds to both sides of each pair."""
        if self.fit.penalty == "firth":
            return newton.leverages(self.fit.pairs, _bends(self.fit)) / 2
        return self.fit.strength

    def _with_prior(self, pairs: PairCounts) -> PairCounts:
        held = self.fit.penalty in ("firth", "pseudo")
        return with_pseudo_wins(pairs, self._prior) if held else pairs

    @cached_property
    def _step(self) -> HalfSteps | TieSteps:
        counts = self._with_prior(self.fit.pairs)
        if self.fit.with_parameter:
            return TieSteps(self.fit, counts)
        return HalfSteps(self.fit, counts, ScaledLeverages(self.fit) if self._follows else None)


def _bends(fit: Fit) -> Floats:
    """Return the information (P,) about the difference of each pair in the fit."""
    terms = fit.terms_of(fit.pairs)
    if not fit.with_parameter:
        return np.asarray(-fit.pairs.met * terms.xx[0])
    return np.asarray(fit.pairs.met * (np.exp(terms.logs) * terms.x**2).sum(axis=0))


def _in_full(fit: Fit, pairs: PairCounts, *, firth: bool = False) -> Floats:
    """Return the ratings of replicates whose counts hold prior wins already, but for ``firth``."""
    if fit.with_parameter or pairs.n > newton.DENSE:
        each = (pairs.of_replicate(b) for b in range(len(pairs.wins)))
        return np.array([_part_by_part(fit, one, firth=firth) for one in each])
    refit = partial(newton.fit_dense, ridge=fit.ridge, settled_at=REFIT_SETTLED)
    ratings = np.empty((len(pairs.wins), pairs.n))
    for some in slices(len(ratings), pairs.n**2):
        few = pairs.of_replicate(some)
        parts = _labels(few)
        parts *= fit.penalty != "ridge"  # which itself puts all parts on one scale
        split = np.full(len(parts), firth)
        split |= separated(few) if fit.penalty == "none" else False
        matches = newton.matches_of(few.matrix(few.points, few.points_against), parts)
        start = np.tile(fit.ratings, (len(parts), 1))
        for firth_too in (False, True):
            rows = split == firth_too
            if rows.any():
                best = refit(matches.rows(rows), firth=firth_too, start=start[rows])
                ratings[some][rows] = best
        means = [(np.bincount(p, fit.ratings) / np.bincount(p))[p] for p in parts]
        ratings[some] += np.array(means)
    return ratings


def _labels(pairs: PairCounts) -> Integers:
    """Return the connected part of each candidate (B, n); what was fitted is connected."""
    labels = np.zeros((len(pairs.wins), pairs.n), dtype=np.int64)
    for b in np.flatnonzero(np.any(pairs.met == 0, axis=1)).tolist():  # else it cannot fall apart
        labels[b] = weak_labels(pairs.of_replicate(b))
    return labels


def _part_by_part(fit: Fit, pairs: PairCounts, *, firth: bool) -> Floats:
    """Return the ratings of one replicate, each connected part by itself."""
    ratings = np.zeros(pairs.n)
    labels = weak_labels(pairs) * (fit.penalty != "ridge")
    for label in range(int(labels.max()) + 1):
        members = np.flatnonzero(labels == label)
        mean = fit.ratings[members].mean()
        inner = pairs.among(members)
        penalty = fit.penalty
        if penalty == "none":
            alone = inner.with_counts(inner.wins[None], inner.losses[None], inner.ties[None])
            lost = separated(alone)[0] or (fit.with_parameter and ties_run_away(inner))
            penalty = "firth" if lost else "none"
        elif penalty == "pseudo" or (penalty == "firth" and not firth):
            penalty = "none"  # the counts hold its wins
        start = (fit.ratings[members] - mean, fit.tie)
        how = {"ties": fit.ties, "penalty": penalty}
        ratings[members] = estimate(inner, **how, strength=fit.strength, start=start)[0] + mean
    return ratings

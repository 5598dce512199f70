"""Newton's method for ratings: one damped driver, and Bradley-Terry dense, sparse and with ties."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from typing import NamedTuple, Self

import numpy as np

from deadheat.core.errors import UnknownNameError
from deadheat.core.types import Booleans, Floats, Integers
from deadheat.models.rating.pair_counts import PairCounts, Sums
from deadheat.ranking.block import slices

FULL = 1.0  # a step that changes no difference by more than this is taken whole
LONGEST_STEP = 5.0  # of one parameter, where steps are halved or the information is fixed
ROUNDING = 1e-12  # of a likelihood
LEAST_WEIGHT = 1e-300


class Peaks(NamedTuple):
    """The best parameters (B, p), how many steps led there, and whether the last was negligible."""

    parameters: Floats
    steps: Integers
    settled: Booleans

    @property
    def first(self) -> Peaks:
        return Peaks(*(part[0] for part in self))


class Objective:
    """A likelihood that :func:`climb` follows upwards, for rows of parameters (B, p) at a time."""

    most_steps = 200
    settled_at = 1e-13  # a step of this size, beside the size of the parameters, changes nothing
    together = False  # whether rows that have settled go on until all have

    def step(self, at: Floats) -> Floats:
        """Return Newton's step (B, p), undamped."""
        raise NotImplementedError

    def follow(self, at: Floats, step: Floats, last: Floats) -> tuple[Floats, Floats, Booleans]:  # noqa: ARG002
        """Return where a damped step leads, its whole reach (given the last one), who settled."""
        reach = np.ptp(step, axis=1)
        there = at + step * step_factor(reach)[:, None]
        return there, reach, reach <= self.settled_at * (1 + np.abs(there).max(axis=1))

    def is_lost(self, at: Floats, slower: Floats, number: int) -> Booleans:  # noqa: ARG002
        """Return which of (B,) will not converge; this step is ``slower`` times the last."""
        return np.zeros(len(at), dtype=bool)

    def rows(self, kept: Booleans) -> Self:  # noqa: ARG002 - one row has no others
        return self


class Uphill(Objective):
    """The likelihood of one row, whose steps are halved until they lead upwards."""

    most_steps, settled_at = 100, 1e-10

    def __init__(self, start: Floats) -> None:
        self.height = self.value(start)

    def value(self, at: Floats) -> float:
        raise NotImplementedError

    def follow(self, at: Floats, step: Floats, last: Floats) -> tuple[Floats, Floats, Booleans]:  # noqa: ARG002
        size = np.abs(step).max(axis=1)
        step = step * (LONGEST_STEP / np.maximum(size, LONGEST_STEP))
        lowest = self.height - ROUNDING * abs(self.height)
        while (height := self.value((at + step)[0])) < lowest:
            step /= 2
        self.height = height
        return at + step, size, size < self.settled_at


class Nearby(Objective):
    """Likelihoods of replicates of a fit, each step with the inverse information (p, p) of it."""

    def __init__(self, inverse: Floats, weights: Floats, drawn: Floats, weight: float) -> None:
        self.inverse, self.weights = inverse, weights
        self.scale = weight / np.maximum(drawn, LEAST_WEIGHT)

    def follow(self, at: Floats, step: Floats, last: Floats) -> tuple[Floats, Floats, Booleans]:  # noqa: ARG002
        size = np.abs(step).max(axis=1)
        return at + np.clip(step, -LONGEST_STEP, LONGEST_STEP), size, size < self.settled_at

    def rows(self, kept: Booleans) -> Self:
        few = copy(self)
        few.weights, few.scale = self.weights[kept], self.scale[kept]
        return few


def climb(objective: Objective, start: Floats) -> Peaks:
    """Take damped Newton steps from parameters (B, p) until every row has settled or is lost."""
    at = np.array(start, dtype=np.float64)
    steps, settled = np.zeros(len(at), dtype=np.int64), np.zeros(len(at), dtype=bool)
    active, last = np.arange(len(at)), np.full(len(at), np.inf)
    for number in range(1, objective.most_steps + 1):
        here = at[active]
        at[active], reach, done = objective.follow(here, objective.step(here), last)
        steps[active], settled[active] = number, done
        slower = np.divide(reach, last, out=np.zeros_like(reach), where=last > 0)
        going = ~(done | objective.is_lost(at[active], slower, number))
        if not going.any():
            break
        last = reach
        if not (going.all() or objective.together):
            objective, active, last = objective.rows(going), active[going], reach[going]
    return Peaks(at, steps, settled)


def step_factor(reach: Floats) -> Floats:
    """Return by what to multiply steps of some reach: 1 unless they go far.

    Logistic models are self-concordant: a step that changes no difference by more than r is safe
    when cut to log(1 + r) / r of itself (Sun, Tran-Dinh 2019, Mathematical Programming 178).
    """
    return np.where(reach > FULL, np.log1p(reach) / np.maximum(reach, FULL), 1.0)


# Dense: replicates of up to some thousand candidates, all pairs in one matrix each.

NOISE = 1e-11  # below this, steps that no longer shrink are rounding
IN_RANGE = 100.0  # differences of ratings beyond which nobody ever loses, as far as sums can tell
NEAR = 4.0  # differences beyond this bend the likelihood so little that they may change freely
CACHED = 100_000  # numbers in one array, so that they stay in the cache
ONE_BY_ONE = 40  # candidates from which on systems are solved one by one, without pivoting


class Matches(NamedTuple):
    wins: Floats  # (B, n, n): what i won against j, ties as half a win, the diagonal 0
    copies: Floats  # (B, n): how often each candidate is there; 0 means absent
    own: Floats  # (B, n): the weight of what two copies of a candidate play, all of it tied
    parts: Integers  # (B, n): those with one number are connected; each part has a mean of its own

    def rows(self, kept: Booleans | slice) -> Matches:
        return Matches(self.wins[kept], self.copies[kept], self.own[kept], self.parts[kept])


def matches_of(wins: Floats, parts: Integers | None = None) -> Matches:
    """Return the matches of candidates of whom each is there once, connected unless in parts."""
    shape = wins.shape[:2]
    connected = np.zeros(shape, dtype=np.int64) if parts is None else parts
    return Matches(wins, np.ones(shape), np.zeros(shape), connected)


def fit_dense(
    matches: Matches,
    *,
    firth: bool = False,
    ridge: float = 0.0,
    start: Floats | None = None,
    settled_at: float = Objective.settled_at,
) -> Floats:
    r"""Return the ratings (B, n) that maximise the likelihood, penalised or not.

    .. math:: \sum_{i<j} c_i c_j (W_{ij} \log p_{ij} + W_{ji} \log p_{ji})
        - \tfrac{\lambda}{2} \sum_i c_i b_i^2

    With ``firth`` half of the log-determinant of the information is added (Firth 1993, Biometrika
    80(1)). Its gradient is that of :math:`h_{ij}/2` more wins for both sides of each pair, with the
    pair's leverage :math:`h_{ij}`; copies are treated as if they stood in the table.
    """
    if start is None:  # the log-odds of each one's share of wins, one win and one loss added
        won = 1 + (matches.wins * matches.copies[:, None, :]).sum(axis=2)
        start = np.log(won / (1 + (matches.wins * matches.copies[:, :, None]).sum(axis=1)))
    ratings = np.array(start, dtype=np.float64)
    for part in slices(*ratings.shape, of=CACHED // ratings.shape[1]):
        few = matches.rows(part)
        weights = few.copies[:, :, None] * few.copies[:, None, :]
        weighted = few._replace(wins=few.wins * weights)
        best = climb(_Dense(weighted, firth, ridge, settled_at), ratings[part]).parameters
        # The mean over the copies in each connected part is 0.
        same = few.parts[:, :, None] == few.parts[:, None, :]
        share = same * few.copies[:, None, :]
        total, sums = share.sum(axis=2), (share * best[:, None, :]).sum(axis=2)
        ratings[part] = best - np.divide(sums, total, out=np.zeros_like(sums), where=total > 0)
    return ratings


class _Dense(Objective):
    def __init__(self, matches: Matches, firth: bool, ridge: float, settled_at: float) -> None:  # noqa: FBT001
        self.matches, self.firth, self.ridge = matches, firth, ridge
        self.settled_at = settled_at

    def rows(self, kept: Booleans) -> Self:
        few = copy(self)
        few.matches = self.matches.rows(kept)
        return few

    def step(self, at: Floats) -> Floats:
        now = self.matches
        if np.ptp(at, axis=1).max() < IN_RANGE:  # else this would lose digits of who hardly loses
            strength = np.exp(at - at.max(axis=1, keepdims=True))
            lost = strength[:, None, :] / (strength[:, :, None] + strength[:, None, :])
        else:
            lost = _logistic(np.maximum(at[:, None, :] - at[:, :, None], -IN_RANGE))
        spread = lost * lost.mT
        wins, met = now.wins, now.wins + now.wins.mT
        if self.firth:
            leverage = _leverages(now, met * spread)
            wins, met = wins + leverage / 2, met + leverage
        surprise = wins * lost  # W_ij q_ij - W_ji p_ij keeps digits where W_ij - N_ij p_ij does not
        gradient = surprise.sum(axis=2) - surprise.sum(axis=1) - self.ridge * now.copies * at
        edges = np.multiply(met, spread, out=spread)
        system = laplacian(edges, now.parts, more=self.ridge * now.copies)
        return solve_each(system, gradient)

    def follow(self, at: Floats, step: Floats, last: Floats) -> tuple[Floats, Floats, Booleans]:
        """Shorten steps by the differences that matter: who is far ahead anyway may go on."""
        reach = step.max(axis=1) - step.min(axis=1)
        factor = np.ones(len(step))
        far = np.flatnonzero(reach > FULL)
        before = at[far, :, None] - at[far, None, :]
        change = step[far, :, None] - step[far, None, :]
        after = before + change
        near = (np.minimum(np.abs(before), np.abs(after)) < NEAR) | (before * after < 0)
        factor[far] = step_factor((np.abs(change) * near).max(axis=(1, 2), initial=0.0))
        there = at + step * factor[:, None]
        scale = 1 + np.abs(there).max(axis=1)
        rounding = (reach <= NOISE * scale) & (reach >= last / 2)
        return there, reach, (reach <= self.settled_at * scale) | rounding


def _leverages(now: Matches, edges: Floats) -> Floats:
    """Return the leverages, summed over the copies of both: information times variance."""
    inverse = _invert_each(laplacian(edges, now.parts))
    own = np.diagonal(inverse, axis1=1, axis2=2)
    variances = own[:, :, None] + own[:, None, :] - 2 * inverse
    if (now.copies > 1).any():
        times = np.maximum(now.copies, 1)
        between = edges.sum(axis=2) / times + now.copies * now.own / 4
        apart = np.divide(1 - 1 / times, between, out=np.zeros_like(times), where=between > 0)
        variances = variances + apart[:, :, None] + apart[:, None, :]
    return np.asarray(edges * variances)


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
    return np.asarray(system)


def _invert_each(systems: Floats) -> Floats:
    n = systems.shape[1]
    if n < ONE_BY_ONE:
        return np.linalg.inv(systems)
    from scipy.linalg.lapack import dposv

    found, unit = np.empty_like(systems), np.eye(n, order="F")
    for b, system in enumerate(systems):
        _, inverse, failed = dposv(system.T, unit, lower=True)
        found[b] = np.linalg.inv(system) if failed else inverse.T
    return found


def solve_each(systems: Floats, right: Floats) -> Floats:
    if right.shape[1] < ONE_BY_ONE:
        return np.linalg.solve(systems, right[:, :, None])[:, :, 0]
    from scipy.linalg.lapack import dposv

    found = np.empty_like(right)
    for b, (system, side) in enumerate(zip(systems, right, strict=True)):
        _, found[b], failed = dposv(system.T, side, lower=True, overwrite_a=True)
        if failed:
            found[b] = np.linalg.lstsq(systems[b], side, rcond=None)[0]
    return found


# Sparse: lists of pairs, for more candidates than fit in matrices (n, n).

DENSE = 1_500  # candidates up to which matrices (n, n) are formed and inverted
RESIDUAL = 1e-13  # of a conjugate-gradient solution, beside the right-hand side


def inverse_of(
    pairs: PairCounts, edges: Floats, *, more: float = 0.0, residual: float = RESIDUAL
) -> Callable[[Floats], Floats]:
    """Return what applies the pseudo-inverse of a Laplacian with edges (P,) to rows (K, n).

    ``more`` is added to the diagonal. Beyond ``DENSE`` candidates conjugate gradients solve all
    rows together up to ``residual``, with O(P) memory.
    """
    n, degrees = pairs.n, Sums(pairs)(edges, edges) + more
    if n <= DENSE:
        matrix = degrees.mean() / n - pairs.matrix(edges, edges)
        matrix[np.arange(n), np.arange(n)] += degrees
        dense = centred_twice(np.linalg.inv(matrix))
        return lambda rows: rows @ dense
    from scipy.sparse import coo_array, dia_array

    half = coo_array((edges, (pairs.first, pairs.second)), shape=(n, n))
    system = (dia_array((degrees[None, :], 0), shape=(n, n)) - half - half.T).tocsr()
    scale, tiny = 1 / degrees[:, None], np.finfo(float).tiny

    def solve(rows: Floats) -> Floats:
        right = (rows - rows.mean(axis=1, keepdims=True)).T.copy()
        found, rest = np.zeros_like(right), right.copy()
        ahead = along = scale * rest
        goal = residual * np.abs(right).max(axis=0)
        size = (rest * ahead).sum(axis=0)
        for _ in range(20 * n):
            if (np.abs(rest).max(axis=0) <= goal).all():
                break
            image = system @ along
            length = size / np.maximum((along * image).sum(axis=0), tiny)
            found += length * along
            rest -= length * image
            ahead = scale * rest
            size, before = (rest * ahead).sum(axis=0), size
            along = ahead + size / np.maximum(before, tiny) * along
        return np.ascontiguousarray((found - found.mean(axis=0)).T)

    return solve


def centred_twice(matrix: Floats) -> Floats:
    """Return a symmetric matrix without its part along the constant vector."""
    rows = matrix - matrix.mean(axis=0)
    found: Floats = rows - rows.mean(axis=1, keepdims=True)
    return (found + found.T) / 2


class SparseLikelihood(Objective):
    """The likelihood of connected candidates (1, n) from lists of pairs, one matrix with firth."""

    settled_at = 1e-11

    def __init__(self, pairs: PairCounts, *, firth: bool = False, ridge: float = 0.0) -> None:
        self.pairs, self.firth, self.ridge, self.sums = pairs, firth, ridge, Sums(pairs)

    def step(self, at: Floats) -> Floats:
        pairs, ratings = self.pairs, at[0]
        chance = _logistic(ratings[pairs.first] - ratings[pairs.second])
        spread = chance * (1 - chance)
        more = leverages(pairs, pairs.met * spread) if self.firth else np.zeros(len(chance))
        surprise = (pairs.points + more / 2) * (1 - chance)
        surprise -= (pairs.points_against + more / 2) * chance
        gradient = self.sums(surprise, -surprise) - self.ridge * ratings
        return inverse_of(pairs, (pairs.met + more) * spread, more=self.ridge)(gradient[None])


def leverages(pairs: PairCounts, edges: Floats) -> Floats:
    """Return the leverage (P,) of each pair: its information times its variance."""
    from scipy.linalg.lapack import dpotrf, dpotri

    n = pairs.n
    system = np.zeros((n - 1, n - 1), order="F")  # the last candidate is the origin
    inner = pairs.second < n - 1
    system[pairs.second[inner], pairs.first[inner]] = -edges[inner]
    system[np.arange(n - 1), np.arange(n - 1)] = Sums(pairs)(edges, edges)[:-1]
    factor, failed = dpotrf(system, lower=True, clean=False, overwrite_a=True)
    if failed:
        return np.zeros(len(edges))
    inverse, _ = dpotri(factor, lower=True, overwrite_c=True)
    own = np.append(np.diagonal(inverse), 0.0)
    across = np.zeros(len(edges))
    across[inner] = inverse[pairs.second[inner], pairs.first[inner]]
    return np.asarray(edges * (own[pairs.first] + own[pairs.second] - 2 * across))


# How a battle can end, given the difference of two ratings: half ties, Davidson, Rao-Kupper.


class Terms(NamedTuple):
    """Hold log-likelihoods (3, ...) of a battle that ``first`` won, lost, tied, and derivatives."""

    logs: Floats
    x: Floats  # by the difference of the ratings
    t: Floats  # by the tie parameter
    xx: Floats
    xt: Floats
    tt: Floats


def half(x: Floats, tie: Floats | float) -> Terms:  # noqa: ARG001 - the shape of a tie model
    """Take a tie as half a win and half a loss: a quasi-likelihood without a tie parameter."""
    won, none = _logistic(x), np.zeros((3, *x.shape))
    win, loss = _log_logistic(x), _log_logistic(-x)
    logs, along = [win, loss, (win + loss) / 2], [1 - won, -won, 0.5 - won]
    bend = np.broadcast_to(-won * (1 - won), none.shape)
    return Terms(np.stack(logs), np.stack(along), none, bend, none, none)


def davidson(x: Floats, tie: Floats | float) -> Terms:
    r"""Give win, loss and tie the odds :math:`e^{x/2} : e^{-x/2} : e^t` (Davidson 1970)."""
    log_odds = np.stack([x / 2, -x / 2, np.broadcast_to(np.asarray(tie, dtype=float), x.shape)])
    top = log_odds.max(axis=0)
    logs = log_odds - top - np.log(np.exp(log_odds - top).sum(axis=0))
    won, lost, tied = np.exp(logs)
    lead = (won - lost) / 2
    return Terms(
        logs,
        np.stack([0.5 - lead, -0.5 - lead, -lead]),
        np.stack([-tied, -tied, won + lost]),
        np.broadcast_to(lead**2 - (won + lost) / 4, logs.shape),
        np.broadcast_to(lead * tied, logs.shape),
        np.broadcast_to(-tied * (won + lost), logs.shape),
    )


def rao_kupper(x: Floats, tie: Floats | float) -> Terms:
    """Let a win be expit(x - t) likely, a loss expit(-x - t), t > 0 (Rao, Kupper 1967)."""
    not_won, not_lost = _logistic(tie - x), _logistic(tie + x)
    win, loss = _log_logistic(x - tie), _log_logistic(-x - tie)
    bent_win, bent_loss = not_won * (1 - not_won), not_lost * (1 - not_lost)
    rest = -np.expm1(-2 * np.asarray(tie, dtype=float))  # 1 - exp(-2t)
    bend = 4 * (1 - rest) / rest**2
    return Terms(
        np.stack([win, loss, win + loss + 2 * tie + np.log(rest)]),
        np.stack([not_won, -not_lost, not_won - not_lost]),
        np.stack([-not_won, -not_lost, 2 / rest - not_won - not_lost]),
        np.stack([-bent_win, -bent_loss, -bent_win - bent_loss]),
        np.stack([bent_win, -bent_loss, bent_win - bent_loss]),
        np.stack([-bent_win, -bent_loss, -bent_win - bent_loss - bend]),
    )


TieModel = Callable[[Floats, "Floats | float"], Terms]
MODELS: dict[str, TieModel] = {"half": half, "davidson": davidson, "rao-kupper": rao_kupper}


def tie_model(name: str) -> TieModel:
    if name not in tuple(MODELS):
        raise UnknownNameError("tie model", str(name), MODELS)
    return MODELS[name]


def _logistic(x: Floats) -> Floats:
    from scipy.special import expit

    return np.asarray(expit(x))


def _log_logistic(x: Floats) -> Floats:
    from scipy.special import log_expit

    return np.asarray(log_expit(x))


# Ratings and a tie parameter together.

SHRINKING = 0.2  # a threshold is never cut to less than this share of itself in one step
NO_THRESHOLD = 1e-6  # where Firth's penalty of ties that weigh less than half a battle takes it


class TieLikelihood(Objective):
    """The likelihood of one row (1, n + 1) of ratings and a tie parameter.

    ``firth`` adds half of the log-determinant of the expected information, by Fisher scoring.
    """

    most_steps, settled_at = 500, 1e-12

    def __init__(self, pairs: PairCounts, ties: str, *, firth: bool, ridge: float) -> None:
        self.pairs, self.firth, self.ridge = pairs, firth, ridge
        self.model, self.positive = tie_model(ties), ties == "rao-kupper"
        self.counts = pairs.outcomes

    def follow(self, at: Floats, step: Floats, last: Floats) -> tuple[Floats, Floats, Booleans]:  # noqa: ARG002
        """Keep the mean of the ratings at 0, and a threshold above 0."""
        change = np.abs(step[:, -1])
        reach = np.ptp(step[:, :-1], axis=1) + change
        there = at + step * step_factor(reach)[:, None]
        there[:, :-1] -= there[:, :-1].mean(axis=1, keepdims=True)
        if self.positive:
            lowest = np.maximum(SHRINKING * at[:, -1], NO_THRESHOLD)
            there[:, -1] = np.maximum(there[:, -1], lowest)
            reach = reach - change * (there[:, -1] == NO_THRESHOLD)
        size = np.abs(there[:, :-1]).max(axis=1) + np.abs(there[:, -1])
        return there, reach, reach <= self.settled_at * (1 + size)

    def step(self, at: Floats) -> Floats:
        pairs, ratings, counts = self.pairs, at[0, :-1], self.counts
        terms = self.model(ratings[pairs.first] - ratings[pairs.second], float(at[0, -1]))
        along_x, along_t = (counts * terms.x).sum(axis=0), (counts * terms.t).sum(axis=0)
        if self.firth:
            shares = np.exp(terms.logs) * pairs.met
            squares = (shares * terms.x**2, shares * terms.x * terms.t, shares * terms.t**2)
            system = bordered_information(pairs, *(square.sum(axis=0) for square in squares))
            more_x, more_t = _towards_information(system, pairs, terms, shares)
            along_x, along_t = along_x + more_x, along_t + more_t
        else:
            bends = (terms.xx, terms.xt, terms.tt)
            system = bordered_information(pairs, *(-(counts * bend).sum(axis=0) for bend in bends))
        gradient = np.append(Sums(pairs)(along_x, -along_x), along_t.sum())
        gradient[:-1] -= self.ridge * ratings
        system[np.arange(pairs.n), np.arange(pairs.n)] += self.ridge
        return np.linalg.solve(system, gradient)[None]


def bordered_information(pairs: PairCounts, xx: Floats, xt: Floats, tt: Floats) -> Floats:
    """Return the information (n + 1, n + 1) of ratings and tie parameter, made regular."""
    n = pairs.n
    system = np.empty((n + 1, n + 1))
    degrees = Sums(pairs)(xx, xx)
    system[:n, :n] = degrees.mean() / n - pairs.matrix(xx, xx)
    system[np.arange(n), np.arange(n)] += degrees
    system[:n, n] = system[n, :n] = Sums(pairs)(xt, -xt)
    system[n, n] = tt.sum()
    return system


def _towards_information(
    system: Floats, pairs: PairCounts, terms: Terms, shares: Floats
) -> tuple[Floats, Floats]:
    r"""Return the derivatives of half the log-determinant along x and t of each pair.

    :math:`\tfrac12 \sum_{ab} V_{ab} \, \partial_c I_{ab}`, where V is the variance of (x, t) and
    :math:`I_{ab} = \sum_k P_k s_{ka} s_{kb}` over the outcomes k.
    """
    variance = np.linalg.inv(system)
    n, i, j, own = pairs.n, pairs.first, pairs.second, np.diagonal(variance)
    of_xx, of_xt = own[i] + own[j] - 2 * variance[i, j], variance[i, n] - variance[j, n]
    score, bend = (terms.x, terms.t), ((terms.xx, terms.xt), (terms.xt, terms.tt))
    found = []
    for c in (0, 1):
        total = np.zeros(len(i))
        for a, b, times in ((0, 0, of_xx), (0, 1, 2 * of_xt), (1, 1, variance[n, n])):
            change = score[a] * score[b] * score[c]
            change = change + bend[a][c] * score[b] + score[a] * bend[b][c]
            total += times * (shares * change).sum(axis=0)
        found.append(total / 2)
    return found[0], found[1]

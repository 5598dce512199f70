"""Plackett-Luce ratings: what whole rankings of rounds say, with ties and absent candidates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, Self, get_args

import numpy as np
import numpy.typing as npt

from deadheat.core.errors import DataError, UnknownNameError, command_with
from deadheat.core.types import Booleans, Floats, Integers
from deadheat.models.rating.existence import Existence, existence, mle_around, require_connected
from deadheat.models.rating.newton import Nearby, Uphill, climb
from deadheat.models.rating.pair_counts import (
    PairCounts,
    checked_ranks,
    checked_strength,
    pairs_of_rounds,
)
from deadheat.models.rating.uncertainty import meat_of_units
from deadheat.ranking.block import slices

# The likelihood of rankings with ties under Plackett and Luce, and its gradient.
#
# A round is a sequence of choices: of those who are left, the best. With ties a set is chosen. In
# the model of Davidson and Luce (Firth, Kosmidis, Turner 2019, arXiv:1909.07123) a set C is as
# attractive as the geometric mean of its worths, times the prevalence of ties of that size:
#
#     f(C) = delta_|C| (product over i in C of exp(b_i))^(1/|C|),   delta_1 = 1,
#     P(C | A) = f(C) / (sum of f over the subsets of A)
#
# where the sum takes sets of all sizes at which ties were seen. The sum over the sets of size d is
# an elementary symmetric polynomial of exp(b_i / d). It grows by one candidate at a time, from the
# worst to the best, by cumulative sums of positive terms; the gradient runs these sums backwards.

MOST_TIED = 20


class Rounds:
    """Rankings (S, n) as sequences of choices, lowest is best, NaN is absent.

    Places run from the worst to the best, the absent first. ``candidates`` stand on them,
    ``places`` are theirs, ``chosen`` (or 0) are taken together when all up to a place are left.
    """

    def __init__(self, ranks: Floats) -> None:
        self.ranks = ranks
        behind = np.where(np.isnan(ranks), np.inf, ranks)
        self.candidates: Integers = np.argsort(-behind, axis=1, kind="stable")
        self.places: Integers = np.argsort(self.candidates, axis=1)
        ordered = np.take_along_axis(ranks, self.candidates, axis=1)
        self.present: Booleans = ~np.isnan(ordered)
        last = np.ones(ordered.shape, dtype=bool)
        last[:, :-1] = ordered[:, 1:] != ordered[:, :-1]
        last &= self.present
        place = np.broadcast_to(np.arange(1, ordered.shape[1] + 1), ordered.shape)
        ends = np.maximum.accumulate(np.where(last, place, 0), axis=1)
        absent = (~self.present).sum(axis=1, keepdims=True)
        before = np.hstack([np.zeros_like(absent), ends[:, :-1]])
        self.chosen: Integers = np.where(last, place - np.maximum(before, absent), 0)

    @cached_property
    def tie_sizes(self) -> tuple[int, ...]:
        sizes = tuple(np.unique(self.chosen[self.chosen > 1]).tolist())
        if sizes and sizes[-1] > MOST_TIED:
            number = int(np.argwhere(self.chosen == sizes[-1])[0, 0]) + 1
            raise DataError(
                f"round {number}: {sizes[-1]} candidates are tied, more than {MOST_TIED}.",
                hint=f"with ties as half wins: {command_with(model='epp')}",
            )
        return sizes

    @property
    def parameters(self) -> int:
        return len(self.ranks.T) + len(self.tie_sizes)

    @cached_property
    def observed(self) -> Floats:
        """(S, p) the gradient of what was chosen: its share of each candidate, and tie sizes."""
        shares = np.zeros(self.ranks.shape)
        size = np.zeros(len(shares), dtype=np.intp)
        for place in reversed(range(len(shares.T))):  # the best of a group knows its size
            size = np.where(self.chosen[:, place] > 0, self.chosen[:, place], size)
            shares[:, place] = np.where(self.present[:, place], 1 / np.maximum(size, 1), 0)
        ties = [(self.chosen == d).sum(axis=1) for d in self.tie_sizes]
        by_candidate = np.take_along_axis(shares, self.places, axis=1)
        return np.column_stack([by_candidate, *ties]) if ties else by_candidate

    def score(self, parameters: Floats) -> tuple[Floats, Floats]:
        """Return the log-likelihood (B, S) of each round and its gradient (B, S, p) at (B, p)."""
        n = self.ranks.shape[1]
        b, prevalence = parameters[:, :n], np.exp(parameters[:, n:])
        shifted = b - b.max(axis=1, keepdims=True)
        worths = np.where(self.present, shifted[:, self.candidates], -np.inf)
        sums = {d: _chains(np.exp(worths / d), d) for d in (1, *self.tie_sizes)}  # [d] is of size d
        total = sums[1][1].copy()
        for t, d in enumerate(self.tie_sizes):
            total += prevalence[:, t, None, None] * sums[d][d]
        choice = self.chosen > 0
        safe = np.where(choice, total, 1.0)
        expected = np.zeros((len(parameters), *self.observed.shape))
        pull = np.where(choice, 1 / safe, 0.0)
        pulled = _chain_derivative(sums[1], pull)
        for t, d in enumerate(self.tie_sizes):
            weight = prevalence[:, t, None, None] * pull
            pulled += _chain_derivative(sums[d], weight) / d
            expected[..., n + t] = (weight * sums[d][d]).sum(axis=2)
        expected[..., :n] = np.take_along_axis(pulled, self.places[None], axis=2)
        shift = parameters.copy()
        shift[:, :n] = shifted
        likelihood = shift @ self.observed.T - np.log(safe).sum(axis=2)
        return likelihood, self.observed - expected

    def information(self, ratings: Floats, weights: Floats) -> Floats:
        """Return minus the second derivative (n, n) of the likelihood of rounds without ties."""
        n = len(ratings)
        x = np.where(self.present, np.exp(ratings - ratings.max())[self.candidates], 0.0)
        sums = np.where(self.chosen > 0, np.cumsum(x, axis=1), np.inf)
        chances = weights[:, None] * _backwards(1 / sums) * x
        both = weights[:, None] * _backwards(1 / sums**2)  # of two, what follows the better one
        found: Floats = np.diag(np.bincount(self.candidates.ravel(), chances.ravel(), minlength=n))
        for places, worths, squares in zip(self.places, x, both, strict=True):
            by_candidate = worths[places]
            better = np.maximum(places[:, None], places)
            found -= by_candidate[:, None] * by_candidate * squares[better]
        return found

    def total(self, parameters: Floats, weights: Floats) -> tuple[Floats, Floats]:
        """Return the log-likelihood (B,) and its gradient (B, p) over rounds of weight (B, S)."""
        weights = np.broadcast_to(weights, (len(parameters), weights.shape[1]))
        heights, slopes = np.empty(len(parameters)), np.empty(parameters.shape)
        for rows in slices(len(parameters), self.ranks.size * (1 + sum(self.tie_sizes))):
            likelihood, gradient = self.score(parameters[rows])
            heights[rows] = (weights[rows] * likelihood).sum(axis=1)
            slopes[rows] = np.matmul(weights[rows, None, :], gradient)[:, 0]
        return heights, slopes


def _chains(x: Floats, d: int) -> list[Floats]:
    """Return the elementary symmetric polynomials 0 to d of the first places, then x itself."""
    chains = [np.ones_like(x)]
    for _ in range(d):
        chains.append(np.cumsum(x * _before(chains[-1], first=len(chains) == 1), axis=-1))
    return [*chains, x]


def _before(chain: Floats, *, first: bool) -> Floats:
    """Return a chain one place earlier: nothing before the first place, but for the empty set."""
    if first:
        return chain
    return np.concatenate([np.zeros_like(chain[..., :1]), chain[..., :-1]], axis=-1)


def _chain_derivative(chains: list[Floats], pull: Floats) -> Floats:
    """Return the derivative by log x of the last chain, pulled at each place; backwards."""
    *chain, x = chains
    found = np.zeros_like(x)
    for k in range(len(chain) - 1, 0, -1):
        back = _backwards(pull)
        found += back * x * _before(chain[k - 1], first=k == 1)
        pull = np.zeros_like(x)
        pull[..., :-1] = (back * x)[..., 1:]
    return found


def _backwards(values: Floats) -> Floats:
    return np.asarray(np.cumsum(values[..., ::-1], axis=-1)[..., ::-1])


# Penalties, and the peak of the likelihood for one set of round weights or many.

Penalty = Literal["none", "pseudo", "ridge"]

SLOW, PATIENCE = 0.7, 4  # give up where steps shrink less than that, from this one on
NUDGE = 1e-4  # for the differences of the gradient: off by its square, and by rounding over it
NO_TIES = -60.0  # the logarithm of a prevalence that stands for 0


@dataclass(frozen=True)
class PenalisedLikelihood:
    rounds: Rounds
    penalty: Penalty
    strength: float

    @property
    def n(self) -> int:
        return len(self.rounds.ranks.T)

    def total(self, parameters: Floats, weights: Floats) -> tuple[Floats, Floats]:
        likelihood, gradient = self.rounds.total(parameters, weights)
        b = parameters[:, : self.n]
        if self.penalty == "pseudo":
            pairs_tie = 2 in self.rounds.tie_sizes  # and so may the ghost
            worth = np.exp(b)
            tie = np.exp(parameters[:, self.n, None]) * np.exp(b / 2) if pairs_tie else 0.0
            either = 1 + worth + tie
            likelihood = likelihood + self.strength * (b - 2 * np.log(either)).sum(axis=1)
            gradient[:, : self.n] += self.strength * (1 - (2 * worth + tie) / either)
            if pairs_tie:
                gradient[:, self.n] -= 2 * self.strength * (tie / either).sum(axis=1)
        elif self.penalty == "ridge":
            likelihood = likelihood - self.strength / 2 * (b**2).sum(axis=1)
            gradient[:, : self.n] -= self.strength * b
        return likelihood, gradient

    def information(self, parameters: Floats, weights: Floats) -> Floats:
        """Return minus the second derivative (p, p); with ties by differences, to 8 digits."""
        if not self.rounds.tie_sizes:
            curve = np.full(self.n, self.strength if self.penalty == "ridge" else 0.0)
            if self.penalty == "pseudo":
                curve = self.strength / 2 / np.cosh(parameters / 2) ** 2
            return self.rounds.information(parameters, weights) + np.diag(curve)
        nudges = NUDGE * np.eye(len(parameters))
        ahead = self.total(parameters + nudges, weights[None])[1]
        behind = self.total(parameters - nudges, weights[None])[1]
        slopes = (behind - ahead) / (2 * NUDGE)
        return (slopes + slopes.T) / 2

    def anchored(self, information: Floats) -> Floats:
        """Return the information made invertible: nothing is known of the mean and the absent."""
        anchored = information.copy()
        if self.penalty == "none":
            anchored[: self.n, : self.n] += information.diagonal().mean() / self.n
        nothing = np.flatnonzero(information.diagonal() == 0)
        anchored[nothing, nothing] += 1
        return anchored


@dataclass(frozen=True, eq=False)
class LucePeak:
    parameters: Floats
    log_likelihood: float  # without the penalty
    information: Floats  # of the penalised likelihood, before the ratings were centred
    iterations: int
    converged: bool


class _Luce(Uphill):
    def __init__(self, model: PenalisedLikelihood, weights: Floats, start: Floats) -> None:
        self.model, self.weights = model, weights
        super().__init__(start)

    def value(self, at: Floats) -> float:
        likelihood, gradient = self.model.total(at[None], self.weights[None])
        self.gradient = gradient[0]  # comes with it, and is that of the next step
        return float(likelihood[0])

    def step(self, at: Floats) -> Floats:
        information = self.model.anchored(self.model.information(at[0], self.weights))
        try:
            return np.linalg.solve(information, self.gradient)[None]
        except np.linalg.LinAlgError:  # a tie parameter ran away and nothing tells it
            return np.asarray(np.linalg.lstsq(information, self.gradient)[0])[None]


def peak(model: PenalisedLikelihood, weights: Floats, start: Floats) -> LucePeak:
    at, steps, settled = climb(_Luce(model, weights, start), start[None]).first
    information = model.information(at, weights)
    at[: model.n] -= at[: model.n].mean()
    plain = float(model.rounds.total(at[None], weights[None])[0][0])
    return LucePeak(at, plain, information, int(steps), bool(settled))


class _Nearby(Nearby):
    """Replicates (B, S) near a peak; ``held`` (B, T) says which tie parameters stand for 0."""

    most_steps, settled_at = 40, 1e-8

    def __init__(self, fit: PlackettLuce, weights: Floats, held: Booleans) -> None:
        self.model, self.held = fit.model, held
        super().__init__(fit.bread, weights, weights.sum(axis=1), float(fit.weights.sum()))

    def step(self, at: Floats) -> Floats:
        gradient = self.model.total(at, self.weights)[1]
        gradient[:, self.model.n :][self.held] = 0
        step = gradient @ self.inverse * self.scale[:, None]
        step[:, self.model.n :][self.held] = 0
        return np.asarray(step)

    def is_lost(self, at: Floats, slower: Floats, number: int) -> Booleans:  # noqa: ARG002
        return (slower > SLOW) & (number > PATIENCE)

    def rows(self, kept: Booleans) -> Self:
        few = super().rows(kept)
        few.held = self.held[kept]
        return few


# The fit, and replicates of it.

STRENGTH = {"none": 0.0, "pseudo": 0.5, "ridge": 1.0}


@dataclass(frozen=True, eq=False)
class PlackettLuce:
    ratings: Floats
    mle: Floats  # plain ratings, as those of a Bradley-Terry fit
    ties: dict[int, float]  # the logarithm of the prevalence of ties, by their size
    model: PenalisedLikelihood
    existence: Existence  # of the graph of who was ranked above whom
    weights: Floats
    peak: LucePeak

    @property
    def bread(self) -> Floats:
        return np.linalg.inv(self.model.anchored(self.peak.information))

    def fisher(self) -> Floats:
        """Return the covariance (n, n) from the curvature of the likelihood without penalty."""
        plain = replace(self.model, penalty="none")
        information = plain.information(self.peak.parameters, self.weights)
        return self._centred(np.linalg.inv(plain.anchored(information)))

    def sandwich(self, clusters: Sequence[object] | None = None) -> Floats:
        if np.count_nonzero(self.weights) < 2:
            raise DataError("there is only one round.", hint="two or more show how they differ.")
        scores = self.model.rounds.score(self.peak.parameters[None])[1][0] * self.weights[:, None]
        meat = meat_of_units(scores, self.weights, clusters)
        return self._centred(self.bread @ meat @ self.bread)

    def _centred(self, covariance: Floats) -> Floats:
        part = covariance[: len(self.ratings), : len(self.ratings)]
        rows = part - part.mean(axis=0)
        return np.asarray(rows - rows.mean(axis=1, keepdims=True))


def plackett_luce(
    ranks: npt.ArrayLike,
    *,
    weights: npt.ArrayLike | None = None,
    penalty: str = "auto",
    strength: float | None = None,
    names: Sequence[str] = (),
) -> PlackettLuce:
    r"""Fit ratings to rankings: each round is one observation, not one match for each pair.

    .. math:: P(1 \succ \dots \succ k) = \prod_{j=1}^{k} \frac{e^{b_j}}{\sum_{l \ge j} e^{b_l}}

    Tied candidates are chosen together (Davidson, Luce): a tie of size d has the weight
    :math:`\delta_d` times the geometric mean of the worths. Without ties the maximum exists exactly
    where everybody is linked to everybody by a chain of being ranked above (Hunter 2004, Annals of
    Statistics 32(1)); with ties this is sufficient.

    The penalty ``pseudo``: each candidate wins and loses ``strength`` (one half) times against a
    ghost of worth 1, as in the R package PlackettLuce (there ``npseudo``; Turner, van Etten, Firth,
    Kosmidis 2020). ``ridge``: minus ``strength`` (1) / 2 times the sum of squares. ``auto``: none
    where plain maximum likelihood is surely finite, else ``pseudo``.
    """
    rounds = Rounds(checked_ranks(ranks))
    counted = np.ones(len(rounds.ranks)) if weights is None else np.asarray(weights, np.float64)
    pairs = _pairs(rounds, counted, names)
    require_connected(pairs)
    if rounds.tie_sizes:
        single = (rounds.chosen == 1) & (np.cumsum(rounds.present, axis=1) >= rounds.tie_sizes[0])
        if not (counted @ single).any():
            hint = f"with ties as half wins: {command_with(model='epp')}"
            raise DataError("every choice in every round is a tie.", hint=hint)
    strict = _without_ties(pairs)
    found = existence(strict)
    known: dict[str, Penalty] = {name: name for name in get_args(Penalty)}
    known["auto"] = "none" if found.strongly_connected else "pseudo"
    if penalty not in known:
        raise UnknownNameError("penalty", penalty, ("auto", *get_args(Penalty)))
    if penalty == "none" and not found.strongly_connected:
        raise DataError(
            "plain Plackett-Luce ratings need not exist: the candidates fall into "
            f"{len(found.strong)} groups of which the earlier are never ranked below.",
            hint=f"for finite ratings: {command_with(penalty='pseudo')}",
        )
    chosen = known[penalty]
    strength = STRENGTH[chosen] if strength is None else checked_strength(strength)
    model = PenalisedLikelihood(rounds, chosen, strength)
    top = peak(model, counted, np.zeros(rounds.parameters))
    if not top.converged:
        said = f"the Plackett-Luce ratings did not settle in {top.iterations} steps."
        hint = f"held together by a penalty: {command_with(penalty='pseudo')}"
        raise DataError(said, hint=hint)
    ratings = top.parameters[: model.n]
    mle = ratings if chosen == "none" else _mle(rounds, counted, strict, found)
    ties = dict(zip(rounds.tie_sizes, top.parameters[model.n :].tolist(), strict=True))
    return PlackettLuce(ratings, mle, ties, model, found, counted, top)


def plackett_luce_refits(fit: PlackettLuce, weights: Floats) -> tuple[Floats, Booleans]:
    """Return the ratings (B, n) under other round weights (B, S), and where they were separated.

    One whose plain maximum does not exist takes pseudo-wins; who is in none of its rounds NaN.
    """
    rounds, n = fit.model.rounds, fit.model.n
    counted = np.asarray(weights, dtype=np.float64)
    seen = np.array([(rounds.chosen == d).any(axis=1) for d in rounds.tie_sizes])
    held = counted @ seen.reshape(-1, len(rounds.ranks)).T == 0
    start = np.tile(fit.peak.parameters, (len(counted), 1))
    start[:, n:][held] = NO_TIES
    near = climb(_Nearby(fit, counted, held), start)
    found = near.parameters
    separated = np.zeros(len(counted), dtype=bool)
    for b in np.flatnonzero(~near.settled):
        there = counted[b] > 0
        drawn, its_weights = Rounds(rounds.ranks[there]), counted[b][there]
        again = replace(fit.model, rounds=drawn)
        if again.penalty == "none":
            pairs = _pairs(drawn, its_weights)
            seen_in = pairs.among(np.flatnonzero(its_weights @ (~np.isnan(drawn.ranks)) > 0))
            separated[b] = not existence(_without_ties(seen_in)).strongly_connected
        if separated[b]:
            again = PenalisedLikelihood(drawn, "pseudo", STRENGTH["pseudo"])
        found[b, :n] = peak(again, its_weights, np.zeros(drawn.parameters)).parameters[:n]
    ratings = found[:, :n]
    ratings[counted @ (~np.isnan(rounds.ranks)) == 0] = np.nan
    return ratings - np.nanmean(ratings, axis=1, keepdims=True), separated


def _pairs(rounds: Rounds, weights: Floats, names: Sequence[str] = ()) -> PairCounts:
    return pairs_of_rounds(-rounds.ranks.T, weights[None], names=tuple(names)).of_replicate(0)


def _without_ties(pairs: PairCounts) -> PairCounts:
    return pairs.with_counts(pairs.wins, pairs.losses, np.zeros(len(pairs.first)))


def _mle(rounds: Rounds, weights: Floats, strict: PairCounts, found: Existence) -> Floats:
    """Return the plain ratings of the largest part that has them, and where the others are."""
    part = found.largest
    inside: Floats | float = 0.0
    if len(part) > 1:
        inner = Rounds(rounds.ranks[:, list(part)])
        top = peak(PenalisedLikelihood(inner, "none", 0.0), weights, np.zeros(inner.parameters))
        inside = top.parameters[: len(part)] if top.converged else np.nan
    return mle_around(strict, part, inside)

"""Newton's method for Plackett-Luce ratings, one set of round weights at a time or many."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from deadheat.ranking.rating.luce_score import Rounds
from deadheat.typing import Booleans, Floats

Penalty = Literal["none", "pseudo", "ridge"]

MOST_STEPS = 100
MOST_FIXED_STEPS = 40
LONGEST_STEP = 5.0
LEAST_WEIGHT = 1e-300
ROUNDING = 1e-12  # of a likelihood
SETTLED = 1e-10  # the largest last step of a rating, and of one among many
SETTLED_AMONG_MANY = 1e-8
SLOW, PATIENCE = 0.7, 4  # give up where steps shrink less than that, from this one on
NUDGE = 1e-4  # for the differences of the gradient: off by its square, and by rounding over it
NO_TIES = -60.0  # the logarithm of a prevalence that stands for 0


@dataclass(frozen=True)
class Penalised:
    """The likelihood of rounds, with or without a penalty on the ratings."""

    rounds: Rounds
    penalty: Penalty
    strength: float

    @property
    def n(self) -> int:
        """The number of candidates."""
        return len(self.rounds.ranks.T)

    def total(self, parameters: Floats, weights: Floats) -> tuple[Floats, Floats]:
        """Return the penalised log-likelihood (B,) and its gradient (B, p)."""
        likelihood, gradient = self.rounds.total(parameters, weights)
        b = parameters[:, : self.n]
        if self.penalty == "pseudo":
            worth, prevalence = np.exp(b), self._prevalence_of_pairs(parameters)
            tie = prevalence * np.exp(b / 2)
            either = 1 + worth + tie
            likelihood = likelihood + self.strength * (b - 2 * np.log(either)).sum(axis=1)
            gradient[:, : self.n] += self.strength * (1 - (2 * worth + tie) / either)
            if 2 in self.rounds.tie_sizes:
                gradient[:, self.n] -= 2 * self.strength * (tie / either).sum(axis=1)
        elif self.penalty == "ridge":
            likelihood = likelihood - self.strength / 2 * (b**2).sum(axis=1)
            gradient[:, : self.n] -= self.strength * b
        return likelihood, gradient

    def _prevalence_of_pairs(self, parameters: Floats) -> Floats:
        """Return (B, 1) how often two tie, the ghost being one of them."""
        if 2 not in self.rounds.tie_sizes:
            return np.zeros((len(parameters), 1))
        return np.asarray(np.exp(parameters[:, self.n, None]))

    def information(self, parameters: Floats, weights: Floats) -> Floats:
        """Return minus the second derivative, (p, p).

        With ties it is the central difference of the gradient, good to 8 digits.
        """
        if not self.rounds.tie_sizes:
            return self.rounds.information(parameters, weights) + np.diag(self._curve(parameters))
        nudges = NUDGE * np.eye(len(parameters))
        ahead = self.total(parameters + nudges, weights[None])[1]
        behind = self.total(parameters - nudges, weights[None])[1]
        slopes = (behind - ahead) / (2 * NUDGE)
        return (slopes + slopes.T) / 2

    def _curve(self, b: Floats) -> Floats:
        """Return minus the second derivative of the penalty without ties, (n,)."""
        if self.penalty == "pseudo":
            return np.asarray(self.strength / 2 / np.cosh(b / 2) ** 2)
        return np.full(len(b), self.strength if self.penalty == "ridge" else 0.0)

    def anchored(self, information: Floats) -> Floats:
        """Return the information made invertible: nothing is known of the mean and the absent."""
        anchored = information.copy()
        if self.penalty == "none":
            anchored[: self.n, : self.n] += information.diagonal().mean() / self.n
        nothing = np.flatnonzero(information.diagonal() == 0)
        anchored[nothing, nothing] += 1
        return anchored


@dataclass(frozen=True, eq=False)
class Peak:
    """Where the likelihood is highest: ratings with mean 0, then the tie parameters."""

    parameters: Floats
    log_likelihood: float
    """Without the penalty."""
    information: Floats
    """Of the penalised likelihood, before the ratings were centred."""
    weight: float
    """Of all rounds."""
    iterations: int
    converged: bool


def peak(model: Penalised, weights: Floats, start: Floats) -> Peak:
    """Return the highest point, by Newton steps that are halved until they lead upwards."""
    at, converged, step_number = start.copy(), False, 0
    height, gradient = (found[0] for found in model.total(at[None], weights[None]))
    while step_number < MOST_STEPS and not converged:
        step_number += 1
        information = model.anchored(model.information(at, weights))
        step = _step(information, gradient)
        size = float(np.abs(step).max())
        converged = size < SETTLED
        step *= LONGEST_STEP / max(size, LONGEST_STEP)
        lowest = height - ROUNDING * abs(height)
        height, gradient = (x[0] for x in model.total((at + step)[None], weights[None]))
        while height < lowest:
            step /= 2
            height, gradient = (x[0] for x in model.total((at + step)[None], weights[None]))
        at += step
    information = model.information(at, weights)
    at[: model.n] -= at[: model.n].mean()
    plain = float(model.rounds.total(at[None], weights[None])[0][0])
    return Peak(at, plain, information, float(weights.sum()), step_number, converged)


def _step(information: Floats, gradient: Floats) -> Floats:
    """Return a Newton step; the shortest where a tie parameter ran away and nothing tells it."""
    try:
        return np.linalg.solve(information, gradient)
    except np.linalg.LinAlgError:
        return np.linalg.lstsq(information, gradient)[0]


def peaks(
    model: Penalised, weights: Floats, centre: Peak, held: Booleans
) -> tuple[Floats, Booleans]:
    """Return the parameters (B, p) that fit round weights (B, S), and which of them settled.

    The steps use the information at the estimate, scaled by the weight of the replicate: they
    cost a gradient each. ``held`` (B, T) says which tie parameters stand for 0.
    """
    n = model.n
    inverse = np.linalg.inv(model.anchored(centre.information))
    scale = centre.weight / np.maximum(weights.sum(axis=1), LEAST_WEIGHT)
    at = np.tile(centre.parameters, (len(weights), 1))
    at[:, n:][held] = NO_TIES
    settled = np.zeros(len(weights), dtype=bool)
    rows, last = np.arange(len(weights)), np.full(len(weights), np.inf)
    number = 0
    while number < MOST_FIXED_STEPS and len(rows):
        number += 1
        gradient = model.total(at[rows], weights[rows])[1]
        gradient[:, n:][held[rows]] = 0
        step = gradient @ inverse * scale[rows, None]
        step[:, n:][held[rows]] = 0
        at[rows] += np.clip(step, -LONGEST_STEP, LONGEST_STEP)
        size = np.abs(step).max(axis=1)
        settled[rows[size < SETTLED_AMONG_MANY]] = True
        slow = (size > SLOW * last) & (number > PATIENCE)
        going = ~(settled[rows] | slow)
        rows, last = rows[going], size[going]
    return at, settled

"""The best parameters of battles under circumstances, by Newton's steps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy.special import expit

from deadheat.ranking.rating.design import Design
from deadheat.typing import Floats

Penalty = Literal["none", "firth", "ridge"]

MOST_STEPS = 100
LONGEST_STEP = 5.0
SETTLED = 1e-10
ROUNDING = 1e-12  # of a likelihood
FARTHEST = 25.0  # log-odds of one who has run away


@dataclass(frozen=True, eq=False)
class Peak:
    """The best parameters (p,), how many steps led there, and whether they settled."""

    parameters: Floats
    steps: int
    settled: bool


def peak(
    design: Design, won: Floats, weights: Floats, start: Floats, penalty: Penalty, strength: float
) -> Peak:
    """Return the best parameters, by Newton steps that are halved until they lead upwards."""
    at, settled, number = start, False, 0
    height = _height(design, won, weights, at, penalty, strength)
    while number < MOST_STEPS and not settled:
        number += 1
        step = _step(design, won, weights, at, penalty, strength)
        size = float(np.abs(step).max())
        settled = size < SETTLED
        step *= LONGEST_STEP / max(size, LONGEST_STEP)
        lowest = height - ROUNDING * abs(height)
        while (height := _height(design, won, weights, at + step, penalty, strength)) < lowest:
            step /= 2
        at = at + step
        if penalty == "none" and np.abs(design.log_odds(at)).max() > FARTHEST:
            break
    return Peak(_centred(design, at), number, settled)


def _step(
    design: Design, won: Floats, weights: Floats, at: Floats, penalty: Penalty, strength: float
) -> Floats:
    p = expit(design.log_odds(at))
    certain = weights * p * (1 - p)
    information = design.information(certain)
    residuals = weights * (won - p)
    if penalty == "firth":
        inverse = np.linalg.inv(design.anchored(information))
        leverages = design.leverages(inverse, certain)
        residuals += leverages * (0.5 - p)
        information = design.information(certain + leverages * p * (1 - p))
    gradient = design.gradient(residuals)
    if penalty == "ridge":
        gradient -= strength * at
        information[np.diag_indices_from(information)] += strength
    return np.linalg.solve(design.anchored(information), gradient)


def _height(
    design: Design, won: Floats, weights: Floats, at: Floats, penalty: Penalty, strength: float
) -> float:
    height = likelihood(design, won, weights, at)
    if penalty == "ridge":
        height -= strength / 2 * float(at @ at)
    if penalty == "firth":
        p = expit(design.log_odds(at))
        information = design.anchored(design.information(weights * p * (1 - p)), fixed=1.0)
        height += float(np.linalg.slogdet(information)[1]) / 2
    return height


def likelihood(design: Design, won: Floats, weights: Floats, at: Floats) -> float:
    """Return the log-likelihood of parameters, without any penalty."""
    odds = design.log_odds(at)
    return float(weights @ (won * odds - np.logaddexp(0, odds)))


def _centred(design: Design, parameters: Floats) -> Floats:
    found = parameters.copy()
    if design.level:
        found[: design.n] -= found[: design.n].mean()
    return found

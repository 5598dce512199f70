"""Battles under circumstances: Bradley-Terry ratings beside covariates and a side's advantage."""

from __future__ import annotations

from dataclasses import dataclass
from typing import get_args

import numpy as np
import numpy.typing as npt
from scipy.special import expit

from deadheat.errors import DataError, UnknownNameError, UsageError
from deadheat.ranking.blocks import WORKING_SET
from deadheat.ranking.rating.contextual_peak import (
    LONGEST_STEP,
    Peak,
    Penalty,
    likelihood,
    peak,
)
from deadheat.ranking.rating.design import SIDE, Design
from deadheat.ranking.rating.levels import Levels
from deadheat.ranking.rating.separation import linearly_separated, runaway_directions
from deadheat.ranking.rating.sides import checked_outcome, share_won
from deadheat.typing import Booleans, Floats, Integers

MOST_FIXED_STEPS = 30
SETTLED_AMONG_MANY = 1e-9
LEAST_WEIGHT = 1e-300
HARDLY = 1e-8  # a ridge that only keeps still what no battle tells
SUSPICIOUS = 6.0  # log-odds from which on an estimate may be on its way to infinity


@dataclass(frozen=True, eq=False)
class Contextual:
    """Ratings at equal circumstances, and what the circumstances are worth, in log-odds."""

    parameters: Floats
    """(p,) the ratings, then the coefficients of the scaled columns of the design."""
    penalty: Penalty
    strength: float
    separated: bool
    """Whether plain maximum likelihood has no finite answer."""
    mle: Floats
    """(n,) plain maximum-likelihood ratings, whatever the penalty; where separated those of
    :meth:`Levels.mle`, or all NaN where teams of different sizes fix the level."""
    levels: Levels | None
    """Who moves away from whom; None where not separated."""
    log_likelihood: float
    """Without the penalty."""
    iterations: int
    converged: bool
    design: Design
    outcome: Integers

    @property
    def ratings(self) -> Floats:
        """(n,), with sum 0 where only differences count."""
        return self.parameters[: self.design.n]

    @property
    def side(self) -> float | None:
        """The log-odds of the left side among equals; None where the model has no such term."""
        return float(self.parameters[self.design.n]) if SIDE in self.design.context_names else None

    @property
    def standardised(self) -> Floats:
        """(k,) log-odds for a root mean square of each covariate, comparable with each other."""
        return self.parameters[self.design.n + (self.side is not None) :]

    @property
    def coefficients(self) -> Floats:
        """(k,) log-odds for one unit of each covariate."""
        return self.standardised / self.design.scales[self.side is not None :]


def contextual(
    design: Design,
    outcome: npt.ArrayLike,
    *,
    penalty: str = "auto",
    strength: float = 1.0,
) -> Contextual:
    r"""Fit ratings and the worth of circumstances together, by logistic regression.

    .. math:: \operatorname{logit} P(\text{left wins}) =
        \sum_{i \in \text{left}} b_i - \sum_{j \in \text{right}} b_j + h + z^\top g

    with h the advantage of the left side and z the covariates. A tie is half a win for both.
    Where all sides have one member, or equally many, the ratings sum to 0. Teams of different
    sizes fix the level themselves: a member with rating 0 adds nothing.

    Parameters
    ----------
    design : Design
        Who stood on which side, and the covariates.
    outcome : array_like of int, (C,)
        1 where the left side won, 0 for a tie, -1 where the right side won.
    penalty : {"auto", "none", "firth", "ridge"}
        ``firth``: half the logarithm of the determinant of the information, which keeps all
        estimates finite. ``ridge``: minus ``strength`` / 2 times the sum of squares of ratings and
        standardised coefficients. ``auto``: none where a finite estimate is best, else firth.

    Notes
    -----
    Differs from the style control of language-model arenas [1]_, which centres the differences of
    the covariates: without an advantage of the left side the answer then depends on who is
    written on the left.

    References
    ----------
    .. [1] Li, Angelopoulos, Chiang (2024), "Does style matter? Disentangling style and substance
       in Chatbot Arena", LMSYS.
    .. [2] Agresti (2002), "Categorical data analysis", 2nd ed., sec. 10.6.
    .. [3] Firth (1993), "Bias reduction of maximum likelihood estimates", Biometrika 80(1).
    """
    known = ("auto", *get_args(Penalty))
    if penalty not in known:
        raise UnknownNameError("penalty", penalty, known)
    if not (np.isfinite(strength) and strength > 0):
        raise UsageError(f"strength must be above 0, got {strength}.", hint="the default is 1.")
    results = checked_outcome(outcome, len(design.weights))
    won = share_won(results)
    start = np.zeros(design.parameters)
    plain = peak(design, won, design.weights, start, "none", strength)
    separated = _runs_away(design, plain) and linearly_separated(design, results, design.weights)
    if penalty == "none" and separated:
        raise DataError(
            "no finite ratings fit best: some combination of ratings and circumstances explains "
            "every battle.",
            hint="penalty='firth' (--penalty firth) gives finite ratings.",
        )
    chosen: Penalty = "none"
    if penalty == "ridge":
        chosen = "ridge"
    elif penalty == "firth" or separated:
        chosen = "firth"
    best = plain if chosen == "none" else peak(design, won, design.weights, start, chosen, strength)
    levels, mle = None, plain.parameters[: design.n]
    if separated:
        levels, undecided = runaway_directions(design, results, design.weights)
        mle = _mle(design, won, undecided, levels)
    return Contextual(
        parameters=best.parameters,
        penalty=chosen,
        strength=strength,
        separated=separated,
        mle=mle,
        levels=levels,
        log_likelihood=likelihood(design, won, design.weights, best.parameters),
        iterations=best.steps,
        converged=best.settled,
        design=design,
        outcome=results,
    )


def _mle(design: Design, won: Floats, undecided: Booleans, levels: Levels) -> Floats:
    """Return the plain ratings that undecided battles tell; the others say which way one goes."""
    if not design.level:
        return np.full(design.n, np.nan)
    start = np.zeros(design.parameters)
    best = peak(design, won, design.weights * undecided, start, "ridge", HARDLY)
    return levels.mle(best.parameters[: design.n])


def contextual_refits(fit: Contextual, weights: Floats) -> tuple[Floats, Booleans]:
    """Return the parameters (B, p) under other cell weights (B, C), and where separated.

    Each step takes the information of the fit. Where that does not settle, the replicate is
    fitted in full; one without penalty and without a finite estimate takes Firth's. A candidate
    in none of its battles gets NaN, and all do where teams cannot be told apart.
    """
    design, won = fit.design, share_won(fit.outcome)
    counted = np.asarray(weights, dtype=np.float64)
    found = np.tile(fit.parameters, (len(counted), 1))
    settled = np.zeros(len(counted), dtype=bool)
    separated = np.zeros(len(counted), dtype=bool)
    if fit.penalty != "firth":
        step = max(1, WORKING_SET // len(won))
        for start in range(0, len(counted), step):
            rows = slice(start, start + step)
            found[rows], settled[rows] = _nearby(fit, won, counted[rows])
    for b in np.flatnonzero(~settled):
        found[b], separated[b] = _refitted(fit, won, counted[b])
    absent = (abs(design.turned[: design.n]) @ counted.T).T == 0
    found[:, : design.n][absent] = np.nan
    if design.level:
        found[:, : design.n] -= np.nanmean(found[:, : design.n], axis=1, keepdims=True)
    return found, separated


def _refitted(fit: Contextual, won: Floats, weights: Floats) -> tuple[Floats, bool]:
    """Return one replicate fitted in full; NaN where its battles do not tell all parameters."""
    design, start = fit.design, np.zeros(fit.design.parameters)
    separated = False
    try:
        best = peak(design, won, weights, start, fit.penalty, fit.strength)
        if fit.penalty == "none" and _runs_away(design, best):
            separated = linearly_separated(design, fit.outcome, weights)
        if separated:
            best = peak(design, won, weights, start, "firth", fit.strength)
    except np.linalg.LinAlgError:  # teams that are only drawn together cannot be told apart
        return np.full(design.parameters, np.nan), False
    return best.parameters, separated


def _runs_away(design: Design, best: Peak) -> bool:
    odds = design.log_odds(best.parameters)
    return not best.settled or float(np.abs(odds).max()) > SUSPICIOUS


def _nearby(fit: Contextual, won: Floats, weights: Floats) -> tuple[Floats, Booleans]:
    """Return parameters (B, p) by steps with the information of the fit, and which settled."""
    design = fit.design
    p = expit(design.log_odds(fit.parameters))
    information = design.information(design.weights * p * (1 - p))
    ridge = fit.strength if fit.penalty == "ridge" else 0.0
    information[np.diag_indices_from(information)] += ridge
    inverse = np.linalg.inv(design.anchored(information))
    at = np.repeat(fit.parameters[:, None], len(weights), axis=1)
    columns = np.ascontiguousarray(weights.T)
    mass = design.weights.sum() / np.maximum(columns.sum(axis=0), LEAST_WEIGHT)
    settled = np.zeros(len(weights), dtype=bool)
    number = 0
    while number < MOST_FIXED_STEPS and not settled.all():
        number += 1
        residuals = expit(design.log_odds(at))
        np.subtract(won[:, None], residuals, out=residuals)
        residuals *= columns
        step = inverse @ (design.gradient(residuals) - ridge * at) * mass
        at += np.clip(step, -LONGEST_STEP, LONGEST_STEP)
        settled = np.abs(step).max(axis=0) < SETTLED_AMONG_MANY
    return at.T, settled

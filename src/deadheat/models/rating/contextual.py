"""Battles under circumstances: Bradley-Terry ratings beside covariates and a side's advantage."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt
from scipy.special import expit

from deadheat.core.errors import DataError, UnknownNameError, say
from deadheat.core.types import Booleans, Floats, Integers
from deadheat.models.rating.design import SIDE, Design, share_won
from deadheat.models.rating.existence import Levels
from deadheat.models.rating.newton import Nearby, Peak, Uphill, climb
from deadheat.models.rating.pair_counts import checked_strength
from deadheat.models.rating.uncertainty import meat_of_clusters
from deadheat.ranking.block import WORKING_SET

Penalty = Literal["none", "firth", "ridge"]

FARTHEST = 25.0  # log-odds of one who has run away


class Likelihood(Uphill):
    def __init__(
        self, design: Design, won: Floats, weights: Floats, penalty: Penalty, strength: float
    ) -> None:
        self.design, self.won, self.weights = design, won, weights
        self.penalty, self.strength = penalty, strength
        super().__init__(np.zeros(design.parameters))

    def value(self, at: Floats) -> float:
        height = likelihood(self.design, self.won, self.weights, at)
        if self.penalty == "ridge":
            height -= self.strength / 2 * float(at @ at)
        if self.penalty == "firth":
            p = expit(self.design.log_odds(at))
            information = self.design.information(self.weights * p * (1 - p))
            # A determinant that is compared with others needs an anchor of one size.
            anchored = self.design.anchored(information, fixed=1.0)
            height += float(np.linalg.slogdet(anchored)[1]) / 2
        return height

    def step(self, at: Floats) -> Floats:
        design, p = self.design, expit(self.design.log_odds(at[0]))
        certain = self.weights * p * (1 - p)
        information = design.information(certain)
        residuals = self.weights * (self.won - p)
        if self.penalty == "firth":
            inverse = np.linalg.inv(design.anchored(information))
            leverages = design.leverages(inverse, certain)
            residuals += leverages * (0.5 - p)
            information = design.information(certain + leverages * p * (1 - p))
        gradient = design.gradient(residuals)
        if self.penalty == "ridge":
            gradient -= self.strength * at[0]
            information[np.diag_indices_from(information)] += self.strength
        return np.linalg.solve(design.anchored(information), gradient)[None]

    def is_lost(self, at: Floats, slower: Floats, number: int) -> Booleans:  # noqa: ARG002
        far = np.abs(self.design.log_odds(at[0])).max() > FARTHEST
        return np.array([self.penalty == "none" and far])


def peak(design: Design, won: Floats, weights: Floats, penalty: Penalty, strength: float) -> Peak:
    """Return the best parameters (p,), ratings with mean 0 where only differences count."""
    start = np.zeros((1, design.parameters))
    best = climb(Likelihood(design, won, weights, penalty, strength), start).first
    if design.level:
        best.parameters[: design.n] -= best.parameters[: design.n].mean()
    return best


def likelihood(design: Design, won: Floats, weights: Floats, at: Floats) -> float:
    odds = design.log_odds(at)
    return float(weights @ (won * odds - np.logaddexp(0, odds)))


# Whether some combination of ratings and coefficients explains every battle without an error.

WITHOUT_ERROR = 1e-6
SAME = 1e-12  # squared differences of directions that are nothing but rounding
MOST_ROWS, MOST_PARAMETERS = 50_000, 1_000  # for which programs say who is above whom
MOST_PARTS = 20


def linearly_separated(design: Design, outcome: Integers, weights: Floats) -> bool:
    """Return whether the likelihood of battles grows for ever in some direction.

    That is so where some parameters call no winner wrong, no tie anything but even, and at least
    one winner right: then no finite estimate is best (Albert, Anderson 1984, Biometrika 71(1)). A
    linear program decides.
    """
    there = weights > 0
    rows = design.matrix[there]
    result = outcome[there].astype(np.float64)
    decided = rows[result != 0].multiply(result[result != 0][:, None]).tocsr()
    if not decided.shape[0]:
        return False
    most = _lowest(-np.asarray(decided.sum(axis=0)).ravel(), decided, rows[result == 0])
    return bool(-most.fun > WITHOUT_ERROR)


def runaway_directions(
    design: Design, outcome: Integers, weights: Floats
) -> tuple[Levels, Booleans]:
    """Return who moves away from whom, and which battles (C,) stay undecided, where separated.

    The directions in which no battle is called wrong are a cone. A linear program finds a direction
    inside it: all battles that some direction calls right are called right by that one. The others
    stay undecided, and so do differences of ratings that these fix (Geyer 2009, Electronic Journal
    of Statistics 3). Candidate i is above j if no direction has :math:`d_i < d_j`, one program for
    each two parts. For very many battles, candidates or parts nobody is known to be above anybody.
    """
    there, n = weights > 0, design.n
    if np.count_nonzero(there) > MOST_ROWS or design.parameters > MOST_PARAMETERS:
        return Levels.unknown(n), np.zeros(len(weights), dtype=bool)
    signs = np.where(outcome == 0, 1.0, outcome)
    rows = design.matrix.multiply(signs[:, None]).tocsr()
    decided, tied = rows[there & (outcome != 0)], rows[there & (outcome == 0)]
    direction = _inside(decided, tied)
    undecided = there & ((outcome == 0) | (rows @ direction < 0.5))
    fixed = design.information(undecided.astype(np.float64))
    values, vectors = np.linalg.eigh(fixed)
    free = vectors[:n, values <= WITHOUT_ERROR * max(float(values.max()), 1.0)]
    squares = (free**2).sum(axis=1)
    together = squares[:, None] + squares - 2 * free @ free.T <= SAME
    levels = Levels.of(together, np.zeros((n, n), dtype=bool))
    heads = np.unique(levels.part, return_index=True)[1]
    if len(heads) <= MOST_PARTS:
        for (k, i), (m, j) in product(enumerate(heads.tolist()), repeat=2):
            if direction[i] > direction[j]:
                gap = np.zeros(design.parameters)
                gap[i], gap[j] = 1.0, -1.0
                levels.above[k, m] = _lowest(gap, decided, tied).fun > -WITHOUT_ERROR
    return levels, undecided


def _inside(decided: Any, tied: Any) -> Floats:
    """Return a direction that calls right, by 1 or more, all that any direction calls right."""
    from scipy.sparse import csr_array, eye_array, hstack

    number, size = decided.shape  # each battle has a variable of its own: by how much, up to 1
    answer = _lowest(
        np.r_[np.zeros(size), -np.ones(number)],
        hstack([decided, -eye_array(number)]),
        hstack([tied, csr_array((tied.shape[0], number))]) if tied.shape[0] else tied,
        bounds=[(None, None)] * size + [(0, 1)] * number,
    )
    return np.asarray(answer.x[:size], dtype=np.float64)


def _lowest(costs: Floats, decided: Any, tied: Any, *, bounds: Any = (-1, 1)) -> Any:
    """Return the cheapest direction that calls no decided battle wrong, and each tie even."""
    from scipy.optimize import linprog

    even = tied.shape[0] > 0
    return linprog(
        costs,
        A_ub=-decided,
        b_ub=np.zeros(decided.shape[0]),
        A_eq=tied if even else None,
        b_eq=np.zeros(tied.shape[0]) if even else None,
        bounds=bounds,
        method="highs",
    )


# The fit, and replicates of it.

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
    separated: bool  # whether plain maximum likelihood has no finite answer
    mle: Floats
    """(n,) plain maximum-likelihood ratings, whatever the penalty; where separated those of
    :meth:`Levels.mle`, or all NaN where teams of different sizes fix the level."""
    levels: Levels | None  # who moves away from whom; None where not separated
    log_likelihood: float  # without the penalty
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
    design: Design, outcome: npt.ArrayLike, *, penalty: str = "auto", strength: float = 1.0
) -> Contextual:
    r"""Fit ratings and the worth of circumstances together, by logistic regression.

    .. math:: \operatorname{logit} P(\text{left wins}) =
        \sum_{i \in \text{left}} b_i - \sum_{j \in \text{right}} b_j + h + z^\top g

    with h the advantage of the left side and z the covariates. A tie is half a win for both.
    Where all sides have one member, or equally many, the ratings sum to 0. Teams of different
    sizes fix the level themselves: a member with rating 0 adds nothing.

    Outcomes (C,) are 1 where the left side won, 0 for a tie, -1 where the right side won. The
    penalty ``firth`` is half the logarithm of the determinant of the information (Firth 1993,
    Biometrika 80(1)), which keeps all estimates finite; ``ridge`` minus ``strength`` / 2 times the
    sum of squares of ratings and standardised coefficients; ``auto`` none where a finite estimate
    is best, else firth.

    Differs from the style control of language-model arenas (Li, Angelopoulos, Chiang 2024), which
    centres the differences of the covariates: without an advantage of the left side the answer then
    depends on who is written on the left.
    """
    known = ("auto", *get_args(Penalty))
    if penalty not in known:
        raise UnknownNameError("penalty", penalty, known)
    strength = checked_strength(strength)
    results = np.asarray(outcome, dtype=np.int8)
    won = share_won(results)
    plain = peak(design, won, design.weights, "none", strength)
    separated = _runs_away(design, plain) and linearly_separated(design, results, design.weights)
    if penalty == "none" and separated:
        raise DataError(
            "no finite ratings fit best: some combination of ratings and circumstances explains "
            "every battle.",
            hint=f"{say('penalty', 'firth')} gives finite ratings.",
        )
    chosen: Penalty = "firth" if penalty == "firth" or separated else "none"
    chosen = "ridge" if penalty == "ridge" else chosen
    best = plain if chosen == "none" else peak(design, won, design.weights, chosen, strength)
    levels, mle = None, plain.parameters[: design.n]
    if separated:
        levels, undecided = runaway_directions(design, results, design.weights)
        mle = np.full(design.n, np.nan)
        if design.level:  # what undecided battles tell; the others say which way one goes
            within = peak(design, won, design.weights * undecided, "ridge", HARDLY)
            mle = levels.mle(within.parameters[: design.n])
    return Contextual(
        parameters=best.parameters,
        penalty=chosen,
        strength=strength,
        separated=separated,
        mle=mle,
        levels=levels,
        log_likelihood=likelihood(design, won, design.weights, best.parameters),
        converged=best.settled,
        design=design,
        outcome=results,
    )


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
            near = climb(_Nearby(fit, counted[rows]), found[rows])
            found[rows], settled[rows] = near.parameters, near.settled
    for b in np.flatnonzero(~settled):
        found[b], separated[b] = _refitted(fit, won, counted[b])
    absent = (abs(design.turned[: design.n]) @ counted.T).T == 0
    found[:, : design.n][absent] = np.nan
    if design.level:
        found[:, : design.n] -= np.nanmean(found[:, : design.n], axis=1, keepdims=True)
    return found, separated


def _refitted(fit: Contextual, won: Floats, weights: Floats) -> tuple[Floats, bool]:
    """Return one replicate fitted in full; NaN where its battles do not tell all parameters."""
    design, separated = fit.design, False
    try:
        best = peak(design, won, weights, fit.penalty, fit.strength)
        if fit.penalty == "none" and _runs_away(design, best):
            separated = linearly_separated(design, fit.outcome, weights)
        if separated:
            best = peak(design, won, weights, "firth", fit.strength)
    except np.linalg.LinAlgError:  # teams that are only drawn together cannot be told apart
        return np.full(design.parameters, np.nan), False
    return best.parameters, separated


def _runs_away(design: Design, best: Peak) -> bool:
    odds = design.log_odds(best.parameters)
    return not best.settled or float(np.abs(odds).max()) > SUSPICIOUS


class _Nearby(Nearby):
    most_steps, settled_at, together = 30, 1e-9, True

    def __init__(self, fit: Contextual, weights: Floats) -> None:
        self.design, self.won = fit.design, share_won(fit.outcome)[:, None]
        self.ridge = fit.strength if fit.penalty == "ridge" else 0.0
        self.by_cell = np.ascontiguousarray(weights.T)
        scale = self.design.weights.sum() / np.maximum(self.by_cell.sum(axis=0), LEAST_WEIGHT)
        super().__init__(_bread(fit, penalised=True), weights, scale)

    def step(self, at: Floats) -> Floats:
        columns = np.ascontiguousarray(at.T)  # the last bits of a product depend on the layout
        residuals = expit(self.design.log_odds(columns))
        np.subtract(self.won, residuals, out=residuals)
        residuals *= self.by_cell
        gradient = self.design.gradient(residuals) - self.ridge * columns
        return np.asarray(self.inverse @ gradient * self.scale).T


# How sure contextual ratings and coefficients are: Fisher and the clustered sandwich.


def contextual_fisher(fit: Contextual) -> Floats:
    """Return the covariance (p, p) by the inverse information: all battles independent.

    The parameters are the ratings, the advantage of the left side where there is one, and the
    coefficients for one unit of each covariate.
    """
    return _in_units(fit, _bread(fit))


def contextual_sandwich(
    fit: Contextual, *, clusters: npt.ArrayLike | None = None, battles: npt.ArrayLike | None = None
) -> Floats:
    """Return the covariance (p, p) that takes clusters (voters, prompts) as the units drawn.

    Without clusters every battle is a unit, and ``battles`` (C,) says how many a cell holds; by
    default as many as its weight.
    """
    design = fit.design
    p = expit(design.log_odds(fit.parameters))
    residuals = design.weights * (share_won(fit.outcome) - p)
    if clusters is None:
        number = design.weights if battles is None else np.asarray(battles, dtype=np.float64)
        meat = design.information(residuals**2 / np.maximum(number, 1.0))
    else:
        there = design.weights > 0
        scores = design.matrix[there].multiply(residuals[there][:, None]).tocsr()
        meat = meat_of_clusters(scores, np.asarray(clusters)[there]).toarray()
    bread = _bread(fit, penalised=True)
    return _in_units(fit, bread @ meat @ bread)


def _bread(fit: Contextual, *, penalised: bool = False) -> Floats:
    design = fit.design
    p = expit(design.log_odds(fit.parameters))
    information = design.information(design.weights * p * (1 - p))
    if penalised and fit.penalty == "ridge":
        information[np.diag_indices_from(information)] += fit.strength
    return np.asarray(np.linalg.inv(design.anchored(information)))


def _in_units(fit: Contextual, covariance: Floats) -> Floats:
    n = fit.design.n
    turn = np.diag(np.r_[np.ones(n), 1 / fit.design.scales])
    if fit.design.level:
        turn[:n, :n] -= 1 / n
    return np.asarray(turn @ covariance @ turn.T)

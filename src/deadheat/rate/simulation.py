"""Tables that a fitted rating model might have given: rounds of scores, or battles."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from scipy.special import expit, log_ndtr

from deadheat.core.types import Booleans, Floats
from deadheat.models.rating.pair_counts import PairCounts, pairs_of_rounds
from deadheat.rate.calibration import Counts, chances

# ------------------------------------------------------------------------------
# The noise from split to split, in which ratings of a score table are measured.


def split_sd(scores: Floats, *, pairing: str = "same") -> float:
    r"""Return the standard deviation of a score from split to split: the unit of the ratings.

    A rating is the logit of :math:`\Phi(\delta / (\sqrt 2 \sigma))` for a gap of scores
    :math:`\delta`, so that the same gap is a larger rating where :math:`\sigma` is smaller, for
    example on a larger test set. Where the ``same`` rounds meet, what all scores of a split share
    is no part of it. NaN where no two scores, or no two pairs on the same split, tell it.

    Differs from Gosiewska et al. (2019), sec. 4.1 "Ad 2.3", which says that ratings are comparable
    between data sets. As probabilities they are; as gains in score they are not.
    """
    given = np.asarray(scores, dtype=np.float64)
    given = np.where(np.isinf(given), np.nan, given)  # what a policy ranks last was not measured
    largest = float(np.fmax.reduce(np.abs(given), axis=None, initial=0.0))
    unit = 2.0 ** (math.frexp(largest)[1] - 1) if largest else 1.0  # so that squares are near 1
    given = given / unit
    there = ~np.isnan(given)
    filled = np.where(there, given, 0.0)
    number = there.sum(axis=1)
    middle = filled.sum(axis=1) / np.maximum(number, 1)
    centred = np.where(there, given - middle[:, None], 0.0)  # keeps the squares below small
    if pairing == "all":
        freedom = float(np.maximum(number - 1, 0).sum())
        return float(unit * np.sqrt((centred**2).sum() / freedom)) if freedom else float("nan")
    seen = there.astype(np.float64)
    met = seen @ seen.T
    sums = centred @ seen.T
    squares = (centred**2) @ seen.T
    gaps = sums - sums.T
    within = squares + squares.T - 2 * (centred @ centred.T) - gaps**2 / np.maximum(met, 1)
    pairs = np.triu_indices(len(given), 1)
    freedom = float(np.maximum(met[pairs] - 1, 0).sum())
    total = float(np.maximum(within[pairs], 0.0).sum())
    return float(unit * np.sqrt(total / freedom / 2)) if freedom else float("nan")


# ------------------------------------------------------------------------------

MOST_SHARED = 0.999
HALVINGS = 50
WIDEST = 1_000.0  # grid, in units of ratings: everything is tied
STRETCH = 10.0  # the most
ROUNDS = 8


@dataclass(frozen=True, eq=False, kw_only=True)
class SimulatedRounds:
    r"""Draw rounds of scores under which the model holds, and count them.

    A score is the rating plus noise of the extreme-value kind, so that i beats j with probability
    :math:`1/(1+\exp(-(b_i-b_j)))` exactly. Rounds and holes are those of the table. Scores are
    rounded down to a ``grid``, which makes ties; it lies anew in every round, or in every table
    where ``one_grid``. ``shared`` is the share of the noise that a round's candidates have in
    common: it cancels within a round, and not where every round meets every other.
    """

    ratings: Floats
    there: Booleans
    count: Callable[[Floats], PairCounts]
    grid: float = 0.0
    one_grid: bool = False
    shared: float = 0.0

    def scores(self, rng: np.random.Generator) -> Floats:
        noise = rng.standard_normal(self.there.shape)
        if self.shared:
            of_round = rng.standard_normal(self.there.shape[1])
            noise = np.sqrt(self.shared) * of_round + np.sqrt(1 - self.shared) * noise
        drawn = self.ratings[:, None] - np.log(-log_ndtr(noise))
        if self.grid:
            offset = rng.random(1 if self.one_grid else self.there.shape[1])
            drawn = np.floor(drawn / self.grid + offset)
        return np.where(self.there, drawn, np.nan)

    def __call__(self, rng: np.random.Generator) -> Counts:
        pairs = self.count(self.scores(rng))
        return pairs.wins, pairs.losses, pairs.ties


def rounds_like(
    scores: Floats,
    pairs: PairCounts,
    ratings: Floats,
    *,
    pairing: str = "same",
    round_weights: Floats | None = None,
) -> SimulatedRounds:
    """Return the simulation of a table of rounds that was counted to ``pairs``.

    Ties are made by rounding, as most ties of scores are. The grid is as wide as the share of ties
    asks for, and the ratings, those under which a tie is half a win, are stretched by as much as
    rounding draws shares towards one half.
    """
    weights = None if round_weights is None else np.asarray(round_weights, dtype=np.float64)[None]

    def count(drawn: Floats) -> PairCounts:
        found = pairs_of_rounds(drawn, weights, pairing=pairing)
        return found if weights is None else found.of_replicate(0)

    grid, stretch = _grid(pairs, ratings)
    return SimulatedRounds(
        ratings=stretch * ratings,
        there=~np.isnan(scores),
        count=count,
        grid=grid,
        one_grid=pairing == "all",
        shared=shared_noise(scores, pairing=pairing),
    )


def shared_noise(scores: Floats, *, pairing: str) -> float:
    """Return the share of the noise that all of a round share; 0 where it cancels."""
    if pairing == "same":
        return 0.0
    own, whole = split_sd(scores, pairing="same"), split_sd(scores, pairing="all")
    if not whole > 0 or np.isnan(own):
        return 0.0
    return float(np.clip(1 - (own / whole) ** 2, 0.0, MOST_SHARED))


def _grid(pairs: PairCounts, ratings: Floats) -> tuple[float, float]:
    """Return the width of the grid and the stretch of the ratings that give the observed ties."""
    ties, met = float(pairs.ties.sum()), pairs.met
    if not ties:
        return 0.0, 1.0
    gaps = np.abs(ratings[pairs.first] - ratings[pairs.second])
    points = float((met * gaps) @ expit(gaps))

    def ties_at(grid: float, stretch: float) -> float:
        return float(met @ _rounded(stretch * gaps, grid)[1])

    def points_at(stretch: float, grid: float) -> float:
        return float((met * gaps) @ _rounded(stretch * gaps, grid)[0])

    grid = stretch = 1.0
    for _ in range(ROUNDS):
        grid = _bisected(partial(ties_at, stretch=stretch), ties, WIDEST)
        if points:
            stretch = _bisected(partial(points_at, grid=grid), points, STRETCH)
    return grid, stretch


def _rounded(gaps: Floats, grid: float) -> tuple[Floats, Floats]:
    r"""Return the expected points, and the chance of a tie, of scores rounded to a random grid.

    For a gap D that is logistic about :math:`\delta`, a tie has probability
    :math:`E(1 - |D|/g)_+`, and the points are :math:`\tfrac12 + \tfrac12 E\,clip(D/g, -1, 1)`.
    Both are differences of :math:`s(x) = \log(1 + e^x)`.
    """
    ahead, behind = np.logaddexp(0, gaps), np.logaddexp(0, -gaps)
    far, near = np.logaddexp(0, -gaps - grid), np.logaddexp(0, gaps - grid)
    lead = (ahead - near - behind + far) / grid
    tied = (np.logaddexp(0, grid - gaps) + far - 2 * behind) / grid
    return 0.5 + lead / 2, tied


def _bisected(increasing: Callable[[float], float], value: float, most: float) -> float:
    low, high = 0.0, most
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if increasing(middle) >= value else (middle, high)
    return high


@dataclass(frozen=True, eq=False, kw_only=True)
class SimulatedBattles:
    won: Floats
    tied: Floats
    battles: Floats
    weight: Floats

    def __call__(self, rng: np.random.Generator) -> Counts:
        number = self.battles.astype(np.int64)
        tied = rng.binomial(number, self.tied)
        decided = np.where(self.tied < 1, self.won / np.maximum(1 - self.tied, 1e-300), 0.5)
        won = rng.binomial(number - tied, np.clip(decided, 0.0, 1.0))
        return won * self.weight, (number - tied - won) * self.weight, tied * self.weight


def battles_like(
    pairs: PairCounts,
    ratings: Floats,
    *,
    ties: str = "half",
    tie: float | None = None,
    battles: Floats | None = None,
) -> SimulatedBattles:
    """Return the simulation of a battle log; ``battles`` (P,) were fought where these have weights.

    Where ties are half wins, the model says nothing about how many there are: they are drawn with
    a probability proportional to :math:`p(1-p)`, as far as the fitted share of points allows, and
    as often in all as they were seen.
    """
    won, _, tied = chances(ratings[pairs.first] - ratings[pairs.second], ties=ties, tie=tie)
    number = np.rint(pairs.met if battles is None else battles)
    if ties == "half":
        tied = _tied(won, pairs.met, float(pairs.ties.sum()))
        won = won - tied / 2
    weight = np.divide(pairs.met, number, out=np.zeros(len(number)), where=number > 0)
    return SimulatedBattles(won=won, tied=tied, battles=number, weight=weight)


def _tied(points: Floats, met: Floats, ties: float) -> Floats:
    """Return the probability of a tie in each pair, such that so many are expected in all."""
    if not ties:
        return np.zeros(len(points))
    most = 2 * np.minimum(points, 1 - points)
    shape = 4 * points * (1 - points)
    share = _bisected(lambda x: float(met @ np.minimum(x * shape, most)), ties, 1.0)
    return np.asarray(np.minimum(share * shape, most))

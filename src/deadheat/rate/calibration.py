"""Whether a rating model fits at all: its deviance beside that of tables simulated from it."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from math import comb
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from scipy.special import expit, log_ndtr, xlogy

from deadheat.core.types import Booleans, Floats, Integers
from deadheat.models.rating.bradley_terry import Fit
from deadheat.models.rating.pair_counts import PairCounts, pairs_of_rounds
from deadheat.models.rating.uncertainty import Refitter
from deadheat.ranking.block import WORKING_SET
from deadheat.ranking.ranks import best_of
from deadheat.resampling.draws import stream
from deadheat.resampling.engines import Engine, engine
from deadheat.statistics.corrections import ROUNDING

# Triples of candidates that beat each other in a circle, which no ratings can show.

DENSE = 0.05  # share of pairs that met, above which a full matrix is faster


class CyclicTriples(NamedTuple):
    number: int
    triples: int  # whose three pairs met and are not even


def cyclic_triples(n: int, first: Integers, second: Integers, lead: Floats) -> CyclicTriples:
    r"""Count the triples in which i beats j, j beats k and k beats i; ``lead`` is wins less losses.

    If every pair met and none is even: :math:`\binom n 3 - \sum_i \binom{s_i}{2}`, where i beats
    :math:`s_i` rivals (Kendall, Babington Smith 1940), else :math:`tr(A^3) / 3`. Both are exact.
    """
    decided = np.flatnonzero(lead)
    ahead = np.where(lead[decided] > 0, first[decided], second[decided])
    behind = np.where(lead[decided] > 0, second[decided], first[decided])
    if len(decided) == n * (n - 1) // 2:
        beaten = np.bincount(ahead, minlength=n)
        return CyclicTriples(comb(n, 3) - int((beaten * (beaten - 1) // 2).sum()), comb(n, 3))
    if len(ahead) < DENSE * n * n / 2:
        from scipy.sparse import csr_array

        a = csr_array((np.ones(len(ahead)), (ahead, behind)), shape=(n, n))
        two = a @ a
        cycles, chains = int(two.multiply(a.T).sum()), int(two.multiply(a).sum())
        return CyclicTriples(cycles // 3, cycles // 3 + chains)
    whole = np.zeros((n, n), dtype=np.float32)  # counts of at most n are exact
    whole[ahead, behind] = 1
    cycles = chains = 0
    step = max(1, WORKING_SET // n)
    for start in range(0, n, step):
        rows = slice(start, start + step)
        two = whole[rows] @ whole
        cycles += int((two * whole[:, rows].T).sum(dtype=np.float64))
        chains += int((two * whole[rows]).sum(dtype=np.float64))
    return CyclicTriples(cycles // 3, cycles // 3 + chains)


# How ratings fit the battles they were made from: deviance, fitted against observed, residuals.

Tie: TypeAlias = Floats | float | None
BINS = 10
LEVEL = 1e-12  # chances this close to one half are even: the first of the table is the favourite
SMALLEST = 1e-300  # a probability that rounds to 0 has a logarithm nevertheless


def chances(differences: Floats, *, ties: str, tie: Tie) -> tuple[Floats, Floats, Floats]:
    r"""Return the probabilities that the first of a pair wins, that it loses, and of a tie.

    ``tie`` is the logarithm of Davidson's :math:`\nu`, or :math:`\eta` of Rao and Kupper, where the
    first wins with :math:`1/(1+e^{\eta-\delta})`.
    """
    if ties == "half":
        return expit(differences), expit(-differences), np.zeros_like(differences)
    assert tie is not None
    if ties == "davidson":
        logs = np.stack(np.broadcast_arrays(differences / 2, -differences / 2, tie))
        sizes = np.exp(logs - logs.max(axis=0))
        sizes /= sizes.sum(axis=0)
        return sizes[0], sizes[1], sizes[2]
    won, lost = expit(differences - tie), expit(-differences - tie)
    return won, lost, np.maximum(1 - won - lost, 0.0)


def deviances(
    pairs: PairCounts, ratings: Floats, *, ties: str = "half", tie: Tie = None
) -> tuple[Floats, Floats]:
    r"""Return the fitted share of ``first``, and the deviance of each pair, (P,) or (B, P).

    .. math:: 2 W_{ij} \log (W_{ij} / N_{ij} p_{ij}) + 2 W_{ji} \log (W_{ji} / N_{ij} p_{ji})

    where a tie is half a win; models with ties of their own have a term for ties. Differs from the
    authors' software, which enters every pair twice and doubles the deviance.
    """
    differences = ratings[..., pairs.first] - ratings[..., pairs.second]
    won, lost, tied = chances(differences, ties=ties, tie=tie)
    outcomes = [(pairs.points, won), (pairs.points_against, lost)]
    if ties != "half":
        outcomes = [(pairs.wins, won), (pairs.losses, lost), (pairs.ties, tied)]
    met = np.where(pairs.met > 0, pairs.met, 1.0)
    total = np.zeros(differences.shape)
    for count, chance in outcomes:
        total += 2 * (xlogy(count, count / met) - xlogy(count, np.maximum(chance, SMALLEST)))
    return won + tied / 2, np.maximum(total, 0.0)


class Bin(NamedTuple):
    low: float  # of the share that favourites are fitted to win
    high: float
    pairs: int
    battles: float
    fitted: float
    observed: float


class Calibration(NamedTuple):
    """Hold what the ratings predict for each pair that met and what happened, arrays (P,).

    The residual is the root of the pair's deviance, negative where ``first`` has less than its
    share; it stays in bounds where a sure favourite once did not win. It orders the pairs and is no
    test.
    """

    first: Integers
    second: Integers
    battles: Floats
    fitted: Floats
    observed: Floats
    residuals: Floats
    bins: tuple[Bin, ...]

    @property
    def worst(self) -> int | None:
        return best_of(np.abs(self.residuals)) if len(self.residuals) else None


def calibration(
    pairs: PairCounts, ratings: Floats, *, ties: str = "half", tie: Tie = None, bins: int = BINS
) -> Calibration:
    there = np.flatnonzero(pairs.met > 0)
    met, points = pairs.met[there], pairs.points[there]
    fitted, terms = (each[there] for each in deviances(pairs, ratings, ties=ties, tie=tie))
    observed = np.asarray(points / met)
    favourite = np.maximum(fitted, 1 - fitted)
    won = np.where(fitted >= 0.5 - LEVEL, observed, 1 - observed)
    edges = np.linspace(0.5, 1.0, bins + 1)
    of = np.clip(np.searchsorted(edges - LEVEL, favourite, side="right") - 1, 0, bins - 1)
    weight, expected, happened = (
        np.bincount(of, weights=values, minlength=bins)
        for values in (met, met * favourite, met * won)
    )
    below, number = np.where(weight > 0, weight, np.nan), np.bincount(of, minlength=bins)
    columns = (edges[:-1], edges[1:], number, weight, expected / below, happened / below)
    residuals = np.copysign(np.sqrt(terms), points - met * fitted)
    in_bins = tuple(map(Bin, *(column.tolist() for column in columns)))
    first, second = pairs.first[there], pairs.second[there]
    return Calibration(first, second, met, fitted, observed, residuals, in_bins)


def explained_share(pairs: PairCounts, ratings: Floats) -> float:
    rest, nothing = (
        float(deviances(pairs, each)[1].sum()) for each in (ratings, np.zeros(pairs.n))
    )
    return 1 - rest / nothing if nothing > 0 else float("nan")


def freedom(pairs: PairCounts, *, ties: str = "half") -> int:
    met = pairs.met > 0
    number = int(np.count_nonzero(met))
    present = len(np.unique(np.concatenate([pairs.first[met], pairs.second[met]])))
    return number - (present - 1) if ties == "half" else 2 * number - present


# The deviance beside that of simulated tables.

Counts: TypeAlias = tuple[Floats, Floats, Floats]  # wins, losses, ties of pairs, (P,) or (B, P)
Simulate: TypeAlias = Callable[[np.random.Generator], Counts]  # one table of the fitted model

SIMULATIONS = 199
IN_A_BLOCK = 50
FEWEST = 20  # simulations through which a line is drawn
STEEPEST = 1.0  # a deviance grows no faster than the variance of the ratings
SAME = 1e-20


class CalibratedStatistic(NamedTuple):
    """Hold a statistic, its mean in simulated tables, and its p-value; NaN without simulations."""

    observed: float
    mean: float
    p: float


class Goodness(NamedTuple):
    """Hold how well ratings fit; the deviance is the distance from a model of free pairs.

    ``df`` calibrate it only where battles are independent: in rounds one score enters many matches.
    """

    deviance: CalibratedStatistic
    df: int
    explained: float
    triples: CyclicTriples
    simulations: int


def goodness(
    fitted: Fit,
    simulate: Simulate,
    *,
    simulations: int = SIMULATIONS,
    seed: int = 0,
    on: str | Engine = "threads",
) -> Goodness:
    """Return how well ratings fit, calibrated by simulation from the model itself, refitted alike.

    Differs from the chi-square test, which takes all matches as independent: with 5 candidates on
    20 splits the deviance of a true model is 2.2 to 4.0 on 6 degrees of freedom.
    """
    pairs, tie = fitted.pairs, fitted.tie
    ties = None if tie is None else np.array([tie])
    tables = [_statistics(fitted, pairs, fitted.ratings[None], ties)]
    if simulations:
        # blocks depend on the request and nothing else
        size = max(1, min(IN_A_BLOCK, WORKING_SET // max(len(pairs.first), 1)))
        work = partial(_block, Refitter(fitted), simulate, simulations, size, seed)
        with engine(on) as running:
            tables += running.map(work, range(-(-simulations // size)))
    deviance, spread = np.concatenate(tables).T
    return Goodness(
        deviance=_calibrate(deviance, spread),
        df=freedom(pairs, ties=fitted.ties),
        explained=explained_share(pairs, fitted.ratings),
        triples=cyclic_triples(pairs.n, pairs.first, pairs.second, pairs.wins - pairs.losses),
        simulations=len(deviance) - 1,
    )


def _block(
    refitter: Refitter, simulate: Simulate, simulations: int, size: int, seed: int, k: int
) -> Floats:
    """Return the statistics of the tables of block k, a full one's first where it is not full."""
    fitted, rng = refitter.fit, stream(seed, k)
    tables = [simulate(rng) for _ in range(min(size, simulations - k * size))]
    again = fitted.pairs.with_counts(*map(np.stack, zip(*tables, strict=True)))
    if fitted.ties == "half":
        return _statistics(fitted, again, refitter(again), None)
    return _statistics(fitted, again, *refitter.with_ties(again))


def _statistics(fitted: Fit, pairs: PairCounts, ratings: Floats, tie: Floats | None) -> Floats:
    column = None if tie is None else tie[:, None]
    terms = deviances(pairs, ratings, ties=fitted.ties, tie=column)[1]
    return np.stack([terms.sum(axis=-1), ratings.var(axis=1)], axis=1)


def _beyond(values: Floats, spread: Floats) -> Floats:
    """Return how far values, the observed first, are beyond what is usual at their spread.

    The farther ratings are apart, the larger are deviances, and simulated tables have the spread of
    the fitted ratings, not of the true ones. Without a line through the logarithms p-values of a
    true model are too large: 3.5 % were below .10 (Davison, Hinkley 1997, sec. 4.2.3).
    """
    if len(values) < FEWEST or not (values > 0).all() or not (spread > 0).all():
        return values
    x, y = np.log(spread / spread[0]), np.log(values)
    around = x[1:] - x[1:].mean()
    size = float(around @ around)
    slope = float(around @ y[1:]) / size if size > SAME else 0.0
    return np.asarray(y - np.clip(slope, 0.0, STEEPEST) * x)


def _calibrate(values: Floats, spread: Floats) -> CalibratedStatistic:
    observed, simulated, compared = float(values[0]), values[1:], _beyond(values, spread)
    if not len(simulated):
        return CalibratedStatistic(observed, np.nan, np.nan)
    least = compared[0] - ROUNDING * (1 + abs(compared[0]))
    count = int(np.count_nonzero(compared[1:] >= least))
    return CalibratedStatistic(
        observed, float(simulated.mean()), (1 + count) / (len(simulated) + 1)
    )


# The noise from split to split, in which ratings of a score table are measured.


def split_sd(scores: Floats, *, pairing: str = "same") -> float:
    r"""Return the standard deviation of a score from split to split: the unit of the ratings.

    A rating is the logit of :math:`\Phi(\delta / (\sqrt 2 \sigma))` for a gap of scores
    :math:`\delta`. Where the ``same`` rounds meet, what all scores of a split share is no part of
    it. Differs from Gosiewska et al. (2019), sec. 4.1: gains in score cannot be compared by
    ratings.
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
    met, sums, squares = (rows @ seen.T for rows in (seen, centred, centred**2))
    gaps = sums - sums.T
    within = squares + squares.T - 2 * (centred @ centred.T) - gaps**2 / np.maximum(met, 1)
    pairs = np.triu_indices(len(given), 1)
    freedom = float(np.maximum(met[pairs] - 1, 0).sum())
    total = float(np.maximum(within[pairs], 0.0).sum())
    return float(unit * np.sqrt(total / freedom / 2)) if freedom else float("nan")


# Tables that a fitted model might have given: rounds of scores, or battles.

MOST_SHARED = 0.999
HALVINGS = 50
WIDEST = 1_000.0  # grid, in units of ratings: everything is tied
STRETCH = 10.0  # the most
ROUNDS = 8


@dataclass(frozen=True, eq=False, kw_only=True)
class SimulatedRounds:
    r"""Draw rounds of scores under which the model holds, and count them.

    A score is the rating plus extreme-value noise, so that i beats j with probability
    :math:`1/(1+\exp(-(b_i-b_j)))`, rounded down to a ``grid``, which makes ties and lies anew in
    every round, or table where all rounds meet. ``shared`` is the noise that a round has in common.
    """

    ratings: Floats
    there: Booleans
    weights: Floats | None
    pairing: str
    grid: float
    shared: float

    def scores(self, rng: np.random.Generator) -> Floats:
        noise = rng.standard_normal(self.there.shape)
        if self.shared:
            of_round = rng.standard_normal(self.there.shape[1])
            noise = np.sqrt(self.shared) * of_round + np.sqrt(1 - self.shared) * noise
        drawn = self.ratings[:, None] - np.log(-log_ndtr(noise))
        if self.grid:
            offset = rng.random(1 if self.pairing == "all" else self.there.shape[1])
            drawn = np.floor(drawn / self.grid + offset)
        return np.where(self.there, drawn, np.nan)

    def __call__(self, rng: np.random.Generator) -> Counts:
        weights = None if self.weights is None else self.weights[None]
        pairs = pairs_of_rounds(self.scores(rng), weights, pairing=self.pairing)
        pairs = pairs if weights is None else pairs.of_replicate(0)
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

    The grid is as wide as the share of ties asks for, and the ratings, those under which a tie is
    half a win, are stretched by as much as rounding draws shares towards one half.
    """
    ties, met = float(pairs.ties.sum()), pairs.met
    gaps = np.abs(ratings[pairs.first] - ratings[pairs.second])
    share = met * gaps
    points = float(share @ expit(gaps))
    grid, stretch = float(ties > 0), 1.0
    for _ in range(ROUNDS if ties else 0):
        grid = _bisect(lambda g, s: met @ _points_on_grid(s * gaps, g)[1], ties, WIDEST, stretch)
        if points:
            stretch = _bisect(
                lambda s, g: share @ _points_on_grid(s * gaps, g)[0], points, STRETCH, grid
            )
    return SimulatedRounds(
        ratings=stretch * ratings,
        there=~np.isnan(scores),
        weights=round_weights,
        pairing=pairing,
        grid=grid,
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


def _points_on_grid(gaps: Floats, grid: float) -> tuple[Floats, Floats]:
    r"""Return the expected points, and the chance of a tie, of scores rounded to a random grid.

    For a logistic gap D they are :math:`\tfrac12 + \tfrac12 E\,clip(D/g, -1, 1)` and :math:`E(1 -
    |D|/g)_+`, differences of :math:`s(x) = \log(1 + e^x)`.
    """
    ahead, behind = np.logaddexp(0, gaps), np.logaddexp(0, -gaps)
    far, near = np.logaddexp(0, -gaps - grid), np.logaddexp(0, gaps - grid)
    lead = (ahead - near - behind + far) / grid
    tied = (np.logaddexp(0, grid - gaps) + far - 2 * behind) / grid
    return 0.5 + lead / 2, tied


def _bisect(increasing: Callable[..., Any], value: float, most: float, *other: float) -> float:
    low, high = 0.0, most
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if increasing(middle, *other) >= value else (middle, high)
    return high


def battles_like(
    pairs: PairCounts,
    ratings: Floats,
    *,
    ties: str = "half",
    tie: float | None = None,
    battles: Floats | None = None,
) -> Simulate:
    """Return the simulation of a battle log; ``battles`` (P,) were fought where these have weights.

    Where ties are half wins, they are drawn with a probability proportional to p (1 - p), as far as
    the fitted share of points allows, and as often in all as they were seen.
    """
    won, _, tied = chances(ratings[pairs.first] - ratings[pairs.second], ties=ties, tie=tie)
    met, seen = pairs.met, float(pairs.ties.sum())
    number = np.rint(met if battles is None else battles)
    if ties == "half" and seen:
        most, shape = 2 * np.minimum(won, 1 - won), 4 * won * (1 - won)
        share = _bisect(lambda x: met @ np.minimum(x * shape, most), seen, 1.0)
        tied = np.minimum(share * shape, most)
        won = won - tied / 2
    weight = np.divide(met, number, out=np.zeros(len(number)), where=number > 0)
    decided = np.where(tied < 1, won / np.maximum(1 - tied, 1e-300), 0.5)
    return partial(_simulated_battles, number.astype(np.int64), tied, decided, weight)


def _simulated_battles(
    number: Integers, tied: Floats, won: Floats, weight: Floats, rng: np.random.Generator
) -> Counts:
    ties = rng.binomial(number, tied)
    wins = rng.binomial(number - ties, np.clip(won, 0.0, 1.0))
    return wins * weight, (number - ties - wins) * weight, ties * weight

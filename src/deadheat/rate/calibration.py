"""Whether a rating model fits at all: its deviance beside that of tables simulated from it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

import numpy as np

from deadheat.errors import UsageError
from deadheat.inference.corrections import ROUNDING
from deadheat.inference.cyclic_triples import CyclicTriples, cyclic_triples
from deadheat.inference.rating_calibration import deviances, explained, freedom, residuals
from deadheat.ranking.blocks import WORKING_SET
from deadheat.ranking.rating.pair_counts import PairCounts
from deadheat.resampling.draws import stream
from deadheat.resampling.engine import Engine, engine
from deadheat.resampling.replicate import Progress, watched
from deadheat.typing import Floats

Counts: TypeAlias = tuple[Floats, Floats, Floats]
"""Wins, losses and ties of the pairs of a table, (P,) each or (B, P)."""
Simulate: TypeAlias = Callable[[np.random.Generator], Counts]
"""Draws one table from the fitted model and counts it as the observed one was."""
Refit: TypeAlias = Callable[[PairCounts], tuple[Floats, Floats | None]]
"""Fits counts (B, P) as the observed ones were: ratings (B, n), and parameters of ties (B,)."""

SIMULATIONS = 199
IN_A_BLOCK = 50
FEWEST = 20  # simulations through which a line is drawn
STEEPEST = 1.0  # a deviance grows no faster than the variance of the ratings
SAME = 1e-20


@dataclass(frozen=True, kw_only=True)
class Calibrated:
    """Hold a statistic, and what it is in tables simulated from the model.

    ``p`` is (count + 1) / (simulations + 1), where count is how many simulated tables reach the
    observed value (see :func:`goodness`); ``mean`` and ``high`` are their mean and their 95 %
    quantile. All three are NaN without simulations.
    """

    observed: float
    mean: float
    high: float
    p: float


@dataclass(frozen=True, eq=False, kw_only=True)
class Goodness:
    """Hold how well a rating model fits.

    Attributes
    ----------
    deviance
        The distance from a model in which every pair is free.
    df
        Its degrees of freedom. They calibrate it only where battles are independent: in rounds one
        score enters many matches, and the deviance of a true model is far below them.
    explained
        The share of the deviance from "all are equal" that the ratings explain.
    worst
        The largest residual of a pair, in size.
    cycles
        The number of cyclic triples.
    triples
        The same with how many there could be.
    simulations, seed
        How many tables were simulated; 0 if none.
    """

    deviance: Calibrated
    df: int
    explained: float
    worst: Calibrated
    cycles: Calibrated
    triples: CyclicTriples
    simulations: int
    seed: int


def goodness(
    pairs: PairCounts,
    ratings: Floats,
    *,
    ties: str = "half",
    tie: float | None = None,
    simulate: Simulate | None = None,
    refit: Refit | None = None,
    simulations: int = SIMULATIONS,
    seed: int = 0,
    on: str | Engine = "threads",
    progress: Progress | None = None,
) -> Goodness:
    """Return how well ratings fit, calibrated by simulation from the model itself.

    Parameters
    ----------
    pairs, ratings, tie
        The observed counts (P,), the ratings (n,) and the parameter of ties fitted to them.
    simulate
        Draws tables like the observed one: see :mod:`deadheat.inference.rating_simulation`.
        Without it nothing is calibrated.
    refit
        Fits replicates (B, P) as the observed counts were fitted, the same penalty with it.

    Notes
    -----
    The farther ratings are apart, the larger are deviances and residuals, and simulated tables
    have the spread of the fitted ratings, not of the true ones. So both are compared as multiples
    of what is usual at the spread that a table has, by a line through the logarithms. Without that
    p-values of a true model are too large where all rounds meet: 3.5 % were below .10.

    Differs from the chi-square test of a generalised linear model, which takes all matches as
    independent: with 5 candidates on 20 splits the deviance of a true model is 2.2 to 4.0 on 6
    degrees of freedom, and the test would never find anything.

    References
    ----------
    .. [1] Davison, Hinkley (1997), "Bootstrap methods and their application", sec. 4.2.3.
    """
    if type(simulations) is not int or simulations < 0:
        raise UsageError(
            f"simulations must be a whole number of at least 0, got {simulations!r}.",
            hint=f"{SIMULATIONS} is the usual number.",
        )
    observed = _statistics(pairs, ratings[None], ties, None if tie is None else np.array([tie]))
    drawn = np.zeros((0, 4))
    if simulate is not None and refit is not None and simulations:
        size = in_a_block(pairs)
        numbers = range(-(-simulations // size))
        work = partial(
            _block,
            pairs=pairs,
            ties=ties,
            simulate=simulate,
            refit=refit,
            simulations=simulations,
            seed=seed,
        )
        with engine(on) as running:
            blocks = watched(running.map(work, numbers), len(numbers), progress)
            drawn = np.concatenate(list(blocks))
    both = np.concatenate([observed, drawn])
    spread = both[:, 3]
    deviance, worst = (_calibrated(both[:, k], _beyond(both[:, k], spread)) for k in (0, 1))
    return Goodness(
        deviance=deviance,
        df=freedom(pairs, ties=ties),
        explained=explained(pairs, ratings),
        worst=worst,
        cycles=_calibrated(both[:, 2], both[:, 2]),
        triples=cyclic_triples(pairs.n, pairs.first, pairs.second, pairs.wins - pairs.losses),
        simulations=len(drawn),
        seed=seed,
    )


def in_a_block(pairs: PairCounts) -> int:
    """Return how many tables one block simulates: a function of the request and nothing else."""
    return max(1, min(IN_A_BLOCK, WORKING_SET // max(len(pairs.first), 1)))


def _block(
    k: int,
    *,
    pairs: PairCounts,
    ties: str,
    simulate: Simulate,
    refit: Refit,
    simulations: int,
    seed: int,
) -> Floats:
    """Return the statistics of the tables of block k, a full one's first where it is not full."""
    size = in_a_block(pairs)
    rng = stream(seed, k)
    tables = [simulate(rng) for _ in range(min(size, simulations - k * size))]
    wins, losses, tied = (np.stack(column) for column in zip(*tables, strict=True))
    again = pairs.with_counts(wins, losses, tied)
    ratings, tie = refit(again)
    return _statistics(again, ratings, ties, tie)


def _statistics(pairs: PairCounts, ratings: Floats, ties: str, tie: Floats | None) -> Floats:
    """Return deviance, largest residual, number of cyclic triples and spread, (B, 4)."""
    column = None if tie is None else tie[:, None]
    lead = np.atleast_2d(pairs.wins - pairs.losses)
    cycles = [cyclic_triples(pairs.n, pairs.first, pairs.second, row).number for row in lead]
    away = residuals(pairs, ratings, ties=ties, tie=column)[1]
    found = np.empty((len(ratings), 4))
    found[:, 0] = deviances(pairs, ratings, ties=ties, tie=column)
    found[:, 1] = np.abs(away).max(axis=1, initial=0.0)
    found[:, 2] = cycles
    found[:, 3] = ratings.var(axis=1)
    return found


def _beyond(values: Floats, spread: Floats) -> Floats:
    """Return how far values, the observed first, are beyond what is usual at their spread."""
    if len(values) < FEWEST or not (values > 0).all() or not (spread > 0).all():
        return values
    x, y = np.log(spread / spread[0]), np.log(values)
    around = x[1:] - x[1:].mean()
    size = float(around @ around)
    slope = float(around @ y[1:]) / size if size > SAME else 0.0
    return np.asarray(y - np.clip(slope, 0.0, STEEPEST) * x)


def _calibrated(values: Floats, compared: Floats) -> Calibrated:
    """Return the first value beside the others, and the p-value of the first of the compared."""
    observed, drawn = float(values[0]), values[1:]
    if not len(drawn):
        nothing = float("nan")
        return Calibrated(observed=observed, mean=nothing, high=nothing, p=nothing)
    least = compared[0] - ROUNDING * (1 + abs(compared[0]))
    return Calibrated(
        observed=observed,
        mean=float(drawn.mean()),
        high=float(np.quantile(drawn, 0.95)),
        p=(1 + int(np.count_nonzero(compared[1:] >= least))) / (len(drawn) + 1),
    )

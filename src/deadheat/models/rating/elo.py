"""Online Elo: ratings that move a little after every battle of a stream."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import exp, log

import numpy as np
import numpy.typing as npt

from deadheat.core.errors import UsageError
from deadheat.core.types import Floats, Integers
from deadheat.models.rating.design import share_won
from deadheat.ranking.block import WORKING_SET

FEW_ORDERS = 32  # below this a loop over single numbers is faster than one over short arrays
STEEPEST = 700.0  # the largest exponent that a float can bear


@dataclass(frozen=True, eq=False)
class Elo:
    """Ratings after the last battle; over shuffled orders their mean and how far orders differ."""

    ratings: Floats
    spread: Floats | None
    """(n,) standard deviation over the shuffled orders; None in the order of the log."""
    shuffles: int


@dataclass(frozen=True, eq=False)
class _Stream:
    """Battles in some order, and how far each may move the ratings."""

    left: Integers
    right: Integers
    won: Floats
    steps: Floats  # the largest move of each battle
    steepness: float  # the expected score is logistic(steepness * difference)
    start: Floats  # (n,) the ratings before the first battle


def elo(
    left: npt.ArrayLike,
    right: npt.ArrayLike,
    outcome: npt.ArrayLike,
    n: int,
    *,
    weights: npt.ArrayLike | None = None,
    k: float = 4.0,
    base: float = 10.0,
    scale: float = 400.0,
    start: npt.ArrayLike = 1500.0,
    shuffles: int = 0,
    seed: int = 0,
) -> Elo:
    r"""Rate the candidates of a stream of battles, one battle after another.

    .. math:: S_1' = S_1 + K (A_1 - E_1), \quad E_1 = \frac{1}{1 + 10^{(S_2 - S_1)/400}}

    where :math:`A_1` is 1 for a win, one half for a tie and 0 for a loss. What one side gains the
    other loses, so the mean stays where it started. Differs from Gosiewska, Woznica, Biecek (2019,
    "Interpretable meta-measure for model performance", sec. 3), who print the exponent as
    :math:`(S_1 - S_2)/400`: a player 200 points ahead would be expected to win 24 % of the battles.
    It is 76 %, as in Elo (1978).

    Parameters
    ----------
    outcome
        (C,): 1 where the left side won, 0 for a tie, -1 where the right side won.
    weights
        A battle of weight w moves the ratings by w K at most.
    k
        The largest move. The default of 4 is the habit of language-model arenas; chess takes 10
        to 40. A small one forgets slowly and depends less on the order.
    start
        The rating before the first battle; with ratings of before a stream goes on.
    shuffles
        0 takes the battles as they come. S > 0 plays them in S random orders and returns the mean
        rating and its standard deviation over the orders: where there is no true order, the
        rating of a single one is an accident. Order s depends on (seed, s) alone.
    """
    check_shuffles(shuffles)
    won = share_won(outcome)
    steps = k * (np.ones(len(won)) if weights is None else np.asarray(weights, dtype=np.float64))
    sides = np.asarray(left, dtype=np.intp), np.asarray(right, dtype=np.intp)
    begin = np.broadcast_to(np.asarray(start, dtype=np.float64), (n,))
    stream = _Stream(*sides, won, steps, log(base) / scale, begin)
    if not shuffles:
        return Elo(_in_order(stream, range(len(won))), None, 0)
    ratings = _over_orders(stream, shuffles, seed)
    spread = ratings.std(axis=0, ddof=1) if shuffles > 1 else np.full(n, np.nan)
    return Elo(ratings.mean(axis=0), spread, shuffles)


def check_shuffles(shuffles: int) -> None:
    if type(shuffles) is not int or shuffles < 0:
        raise UsageError(
            f"shuffles must be a whole number of at least 0, got {shuffles!r}.",
            hint="0 takes the order of the log, 100 averages over 100 random orders.",
        )


def shuffled(battles: int, seed: int, s: int) -> Integers:
    """Return the random order number ``s`` of so many battles; it depends on (seed, s) alone."""
    bits = np.random.SFC64(np.random.SeedSequence(seed, spawn_key=(s,)))
    return np.random.Generator(bits).permutation(battles)


def _in_order(stream: _Stream, order: Iterable[int]) -> Floats:
    left, right = stream.left.tolist(), stream.right.tolist()
    won, steps, steepness = stream.won.tolist(), stream.steps.tolist(), stream.steepness
    ratings = stream.start.tolist()
    for battle in order:
        i, j = left[battle], right[battle]
        behind = steepness * (ratings[j] - ratings[i])
        expected = 1 / (1 + exp(behind)) if behind < STEEPEST else 0.0
        move = steps[battle] * (won[battle] - expected)
        ratings[i] += move
        ratings[j] -= move
    return np.array(ratings)


def _over_orders(stream: _Stream, shuffles: int, seed: int) -> Floats:
    battles = len(stream.won)
    ratings = np.empty((shuffles, len(stream.start)))
    at_once = max(1, WORKING_SET // battles)
    for first in range(0, shuffles, at_once):
        numbers = range(first, min(first + at_once, shuffles))
        orders = np.stack([shuffled(battles, seed, s) for s in numbers])
        if at_once >= FEW_ORDERS:
            ratings[numbers.start : numbers.stop] = _side_by_side(stream, orders)
        else:
            for s, order in zip(numbers, orders, strict=True):
                ratings[s] = _in_order(stream, order.tolist())
    return ratings


def _side_by_side(stream: _Stream, orders: Integers) -> Floats:
    """Play many orders at once: step t is the t-th battle of each."""
    n = len(stream.start)
    rows = np.arange(len(orders)) * n
    ratings = np.tile(stream.start, len(orders))
    for battle in np.ascontiguousarray(orders.T):
        i, j = rows + stream.left[battle], rows + stream.right[battle]
        behind = np.minimum(stream.steepness * (ratings[j] - ratings[i]), STEEPEST)
        move = stream.steps[battle] * (stream.won[battle] - 1 / (1 + np.exp(behind)))
        ratings[i] += move
        ratings[j] -= move
    return ratings.reshape(len(orders), n)

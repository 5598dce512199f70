"""Online Elo: ratings that move a little after every battle of a stream."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import exp, log

import numpy as np
import numpy.typing as npt

from deadheat.core.types import Floats, Integers, require_whole
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


def elo(
    left: npt.ArrayLike,
    right: npt.ArrayLike,
    outcome: npt.ArrayLike,
    n: int,
    *,
    weights: npt.ArrayLike | None = None,
    k: float = 4.0,
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
    won, steepness = share_won(outcome), log(10) / 400
    steps = k * (np.ones(len(won)) if weights is None else np.asarray(weights, dtype=np.float64))
    sides = np.asarray(left, dtype=np.intp), np.asarray(right, dtype=np.intp)
    begin: Floats = np.broadcast_to(np.asarray(start, dtype=np.float64), (n,))
    columns = (*sides, won, steps)
    lists = [column.tolist() for column in columns]

    def in_order(order: Iterable[int]) -> list[float]:
        """Return the ratings after the last battle."""
        firsts, seconds, wins, largest = lists
        ratings: list[float] = begin.tolist()
        for battle in order:
            i, j = firsts[battle], seconds[battle]
            behind = steepness * (ratings[j] - ratings[i])
            expected = 1 / (1 + exp(behind)) if behind < STEEPEST else 0.0
            move = largest[battle] * (wins[battle] - expected)
            ratings[i] += move
            ratings[j] -= move
        return ratings

    if not shuffles:
        return Elo(np.array(in_order(range(len(won)))), None, 0)
    found = np.empty((shuffles, n))
    at_once = max(1, WORKING_SET // len(won))
    for first in range(0, shuffles, at_once):
        numbers = range(first, min(first + at_once, shuffles))
        orders = np.stack([shuffled(len(won), seed, s) for s in numbers])
        if at_once >= FEW_ORDERS:
            found[numbers.start : numbers.stop] = _side_by_side(columns, steepness, begin, orders)
        else:
            for s, order in zip(numbers, orders, strict=True):
                found[s] = in_order(order.tolist())
    spread = found.std(axis=0, ddof=1) if shuffles > 1 else np.full(n, np.nan)
    return Elo(found.mean(axis=0), spread, shuffles)


def check_shuffles(shuffles: int) -> None:
    hint = "0 takes the order of the log, 100 averages over 100 random orders."
    require_whole("shuffles", shuffles, 0, hint=hint)


def shuffled(battles: int, seed: int, s: int) -> Integers:
    """Return the random order number ``s`` of so many battles; it depends on (seed, s) alone."""
    bits = np.random.SFC64(np.random.SeedSequence(seed, spawn_key=(s,)))
    return np.random.Generator(bits).permutation(battles)


def _side_by_side(
    columns: tuple[Integers, Integers, Floats, Floats],
    steepness: float,
    start: Floats,
    orders: Integers,
) -> Floats:
    """Play many orders at once: step t is the t-th battle of each."""
    left, right, won, steps = columns
    rows = np.arange(len(orders)) * len(start)
    ratings = np.tile(start, len(orders))
    for battle in np.ascontiguousarray(orders.T):
        i, j = rows + left[battle], rows + right[battle]
        behind = np.minimum(steepness * (ratings[j] - ratings[i]), STEEPEST)
        move = steps[battle] * (won[battle] - 1 / (1 + np.exp(behind)))
        ratings[i] += move
        ratings[j] -= move
    return ratings.reshape(len(orders), len(start))

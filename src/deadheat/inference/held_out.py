"""What a choice is worth on rounds that it was not made on: halves of the rounds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import TypeAlias

import numpy as np
from scipy.special import expit

from deadheat.errors import DataError, UsageError
from deadheat.ranking.blocks import WORKING_SET
from deadheat.ranking.ranks import best_of, winners
from deadheat.resampling.draws import stream
from deadheat.typing import Booleans, Floats, Integers

RateRounds: TypeAlias = Callable[[Floats, Floats], Floats]
"""Rates scores (n, S) under round weights (B, S), and returns ratings (B, n)."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Gain:
    """Hold what a chosen candidate gains over a reference, as seen and corrected.

    Attributes
    ----------
    chosen, reference
        Their numbers.
    difference, probability
        The rating of the chosen less that of the reference, and the probability that it beats it.
        Both were chosen and measured on the same rounds, so that they promise too much.
    held_out, held_out_probability
        The same where the choice is made on one half of the rounds and measured on the other,
        mean over halves; NaN with less than 2 rounds.
    held_out_wins
        The share of the rounds of the other halves in which the choice beat the reference, a tie
        counting one half: no model is in it. NaN where no round has both.
    halves
        How many choices the means are over. Halves in which somebody has no score are left out.
    """

    chosen: int
    reference: int
    difference: float
    probability: float
    held_out: float
    held_out_probability: float
    held_out_wins: float
    halves: int


class Halves:
    """Ratings on halves of the rounds, made once for all choices."""

    def __init__(
        self,
        scores: Floats,
        rate_rounds: RateRounds,
        most: int,
        seed: int,
        round_weights: Floats | None = None,
    ) -> None:
        if type(most) is not int or most < 2:
            raise UsageError(f"halves must be a whole number of at least 2, got {most!r}.")
        self.scores = np.asarray(scores, dtype=np.float64)
        self.weights = round_weights_of(self.scores, round_weights)
        chosen_on = halves_of(scores.shape[1], most=most, seed=seed)
        parts = [
            rated(scores, rate_rounds, chosen_on[rows] * self.weights, absent=True)
            for rows in _rows(len(chosen_on), scores.size)
        ]
        ratings = np.concatenate(parts) if parts else np.zeros((0, len(scores)))
        there: Booleans = ~np.any(np.isnan(ratings), axis=1)
        kept = np.repeat(there[::2] & there[1::2], 2)  # a half goes with its complement
        self.chosen_on, self.ratings = chosen_on[kept], ratings[kept]

    def gain(self, ratings: Floats, settings: Integers, references: Integers) -> Gain:
        """Return what the best of some settings gains over the best of some references."""
        best = int(settings[best_of(ratings[settings])])
        against = int(references[best_of(ratings[references])])
        ahead = float(ratings[best] - ratings[against])
        held_out = wins = float("nan")
        number = len(self.chosen_on)
        if number:
            rows = np.arange(number)
            other = rows ^ 1  # a half and its complement are neighbours
            ours = settings[_best(self.ratings[:, settings])]
            theirs = references[_best(self.ratings[:, references])]
            held_out = float((self.ratings[other, ours] - self.ratings[other, theirs]).mean())
            wins = self._wins(ours, theirs)
        return Gain(
            chosen=best,
            reference=against,
            difference=ahead,
            probability=float(expit(ahead)),
            held_out=held_out,
            held_out_probability=float(expit(held_out)),
            held_out_wins=wins,
            halves=number,
        )

    def _wins(self, ours: Integers, theirs: Integers) -> float:
        """Return the share of held-out rounds in which our choice beats theirs."""
        gaps = self.scores[ours] - self.scores[theirs]
        measured = ~self.chosen_on & ~np.isnan(gaps)
        weights = np.where(measured, self.weights, 0.0)
        if not weights.any():
            return float("nan")
        points = np.where(measured, (np.sign(gaps) + 1) / 2, 0.0)
        return float((weights * points).sum() / weights.sum())


def _best(ratings: Floats) -> Integers:
    """Return who has the highest rating in each row, the first of those who are level."""
    return np.asarray(winners(ratings).argmax(axis=1))


def round_weights_of(scores: Floats, round_weights: Floats | None) -> Floats:
    """Return the weights (S,) of the rounds, 1 where none are given."""
    if round_weights is None:
        return np.ones(scores.shape[1])
    return np.asarray(round_weights, dtype=np.float64)


def rated(
    scores: Floats, rate_rounds: RateRounds, weights: Floats, *, absent: bool = False
) -> Floats:
    """Return ratings (B, n) under round weights (B, S), or say what is wrong with them.

    ``absent``: whether somebody may have no score in the rounds that count, and the rating NaN.
    """
    found = np.asarray(rate_rounds(scores, weights), dtype=np.float64)
    right = np.isfinite(found) | (absent & np.isnan(found))
    if found.shape != (len(weights), len(scores)) or not right.all():
        raise DataError(
            f"the ratings of {len(scores)} candidates under {len(weights)} sets of round weights "
            f"have shape {found.shape} or are not all finite.",
            hint="rate with a penalty: in half of the rounds somebody may win all.",
        )
    return found


def halves_of(rounds: int, *, most: int, seed: int) -> Booleans:
    """Return halves of the rounds, (H, S): all of them if they are at most so many, else random.

    Every half comes with its complement, so that each round is chosen on as often as it is
    measured on; of an odd number the one has a round more.

    >>> halves_of(2, most=10, seed=0).astype(int)
    array([[1, 0],
           [0, 1]])
    """
    if rounds < 2:
        return np.zeros((0, rounds), dtype=bool)
    small = rounds // 2
    number = comb(rounds, small) // (1 if rounds % 2 else 2)
    if 2 * number <= most:
        first = np.zeros((number, rounds), dtype=bool)
        for row, chosen in zip(first, combinations(range(rounds), small), strict=False):
            row[list(chosen)] = True
    else:
        keys = stream(seed).random((max(1, most // 2), rounds))
        first = keys.argsort(axis=1).argsort(axis=1) < small
    return np.stack([first, ~first], axis=1).reshape(-1, rounds)


def _rows(number: int, size: int) -> Iterator[slice]:
    step = max(1, WORKING_SET // max(size, 1))
    return (slice(start, start + step) for start in range(0, number, step))

"""How much tuning gains: ratings of the settings of an algorithm, the best against the default."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import comb
from typing import NamedTuple, TypeAlias

import numpy as np
from scipy.special import expit

from deadheat.core.errors import UnknownNameError, UsageError, quoted, say
from deadheat.core.types import Booleans, Floats, Integers
from deadheat.models.rating.pair_counts import checked_rounds, pairs_of_rounds
from deadheat.models.rating.uncertainty import Refitter
from deadheat.ranking.block import WORKING_SET
from deadheat.ranking.ranks import best_of, winners
from deadheat.rate.estimates import RatingFacts
from deadheat.rate.matches import RoundMatches
from deadheat.resampling.draws import stream

HALVES = 100
Names: TypeAlias = Mapping[str, str] | None
RateRounds: TypeAlias = Callable[[Floats, Floats], Floats]  # scores (n, S), weights (B, S): (B, n)


class Gain(NamedTuple):
    """Hold what a chosen candidate gains over a reference, as seen and corrected.

    The ``held_out`` ones choose on one half of the rounds and measure on the other; NaN with less
    than 2 rounds. The others promise too much.
    """

    chosen: int
    reference: int
    difference: float
    probability: float
    held_out: float
    held_out_probability: float
    held_out_wins: float  # share of rounds of the other halves that the choice won, without a model
    halves: int


class Tunability(NamedTuple):
    algorithm: str
    settings: Integers
    range: float
    iqr: float
    sd: float
    best: int
    gain: Gain


@dataclass(frozen=True, eq=False, kw_only=True)
class Rounds:
    """Hold scores (n, S) of one data set, weights (S,) of its rounds, and what rates them."""

    scores: Floats
    weights: Floats
    rate: RateRounds
    seed: int = 0
    halves: int = HALVES  # of the rounds to choose on; all there are, if they are as few

    @cached_property
    def ratings(self) -> Floats:
        found: Floats = self.rate(self.scores, self.weights[None])[0]
        return found

    @cached_property
    def _halves(self) -> tuple[Booleans, Floats]:
        """Halves of the rounds (H, S), and the ratings (H, n) on them."""
        chosen_on = halves_of(self.scores.shape[1], most=self.halves, seed=self.seed)
        step = max(1, WORKING_SET // max(self.scores.size, 1))
        parts = [
            self.rate(self.scores, chosen_on[start : start + step] * self.weights)
            for start in range(0, len(chosen_on), step)
        ]
        ratings = np.concatenate(parts) if parts else np.zeros((0, len(self.scores)))
        there: Booleans = ~np.any(np.isnan(ratings), axis=1)
        kept = np.repeat(there[::2] & there[1::2], 2)  # a half goes with its complement
        return chosen_on[kept], ratings[kept]

    def tunability(
        self, algorithms: Sequence[str], defaults: Mapping[str, int]
    ) -> tuple[Tunability, ...]:
        found = []
        for name in dict.fromkeys(algorithms):
            settings = np.flatnonzero([algorithm == name for algorithm in algorithms])
            if defaults[name] not in settings:
                default = f"candidate {defaults[name]} is named as the default of {quoted(name)}"
                raise UsageError(f"{default}, and is no setting of it.")
            own = self.ratings[settings]
            quarter, three = np.quantile(own, [0.25, 0.75])
            sd = float(own.std(ddof=1)) if len(own) > 1 else float("nan")
            box = float(np.ptp(own)), float(three - quarter), sd, int(settings[best_of(own)])
            gain = self.gain(settings, np.array([defaults[name]]))
            found.append(Tunability(name, settings, *box, gain))
        return tuple(found)

    def gain(self, settings: Integers, references: Integers) -> Gain:
        """Return what the best of some settings gains over the best of others."""
        best = int(settings[best_of(self.ratings[settings])])
        against = int(references[best_of(self.ratings[references])])
        ahead = float(self.ratings[best] - self.ratings[against])
        chosen_on, ratings = self._halves
        held_out = wins = float("nan")
        if len(chosen_on):
            other = np.arange(len(chosen_on)) ^ 1  # a half and its complement are neighbours
            ours, theirs = (  # the first of those who are level
                those[winners(ratings[:, those]).argmax(axis=1)] for those in (settings, references)
            )
            held_out = float((ratings[other, ours] - ratings[other, theirs]).mean())
            gaps = self.scores[ours] - self.scores[theirs]
            measured = ~chosen_on & ~np.isnan(gaps)
            weights = np.where(measured, self.weights, 0.0)
            points = np.where(measured, (np.sign(gaps) + 1) / 2, 0.0)
            if weights.any():
                wins = float((weights * points).sum() / weights.sum())
        chances = float(expit(ahead)), float(expit(held_out))
        return Gain(best, against, ahead, chances[0], held_out, chances[1], wins, len(chosen_on))


def halves_of(rounds: int, *, most: int, seed: int) -> Booleans:
    """Return halves of the rounds, each beside its complement, (H, S): all, or at most so many."""
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


# Candidates as settings of algorithms.

NUMBER = re.compile(r"[\s_\-/.:#]*\d+$")


def algorithm_of(candidate: str) -> str:
    return NUMBER.sub("", candidate) or candidate  # xgboost_11, glmnet/3: xgboost, glmnet


def tunability_of(
    r: RatingFacts, *, algorithms: Names = None, defaults: Names = None
) -> tuple[Tunability, ...]:
    """Return how tunable each algorithm is, by the ratings of its settings.

    ``algorithms`` has the algorithm of each candidate, by default its name without the number at
    its end; ``defaults`` the candidate that is the default setting, by default the first. The gain
    is that of Probst, Boulesteix, Bischl (2019, "Tunability", JMLR 20(53)) on the scale of
    Gosiewska et al. (2019, "EPP", sec. 5.2). Differs from both: the best of many settings looks
    better than it is, so it is also chosen on one half of the rounds and measured on the rest.
    Where one setting wins every round of a half, its rating is as large as the penalty lets it be;
    ``held_out_wins`` is not.
    """
    rounds = rounds_of_ratings(r, "tunability")
    return rounds.tunability(*settings_by_algorithm(r, algorithms, defaults))


def settings_by_algorithm(
    r: RatingFacts, algorithms: Names, defaults: Names
) -> tuple[list[str], dict[str, int]]:
    """Return the algorithm of each candidate, and the default setting of each algorithm."""
    known = algorithms
    if known is None:
        known = {name: algorithm_of(name) for name in r.candidates}
    for candidate in r.candidates:
        if candidate not in known:
            raise UnknownNameError("candidate with an algorithm", candidate, tuple(known))
    of = [str(known[candidate]) for candidate in r.candidates]
    numbers = {name: of.index(name) for name in dict.fromkeys(of)}
    for name, candidate in (defaults or {}).items():
        if name not in numbers:
            raise UnknownNameError("algorithm", str(name), tuple(numbers))
        numbers[name] = r.at(candidate)
    return of, numbers


def rounds_of_ratings(r: RatingFacts, what: str) -> Rounds:
    """Return the rounds that ratings are of; refuse those of something else."""
    fitted, matches = r.fit, r.matches
    if fitted is None or not isinstance(matches, RoundMatches):
        fact = f"{what} needs scores in rounds, and these are {r.model} ratings of something else."
        raise UsageError(fact, hint=f"rate a table of scores with {say('model', 'epp')}.")
    results, pairing, refit = matches.results, matches.pairing, Refitter(fitted)
    scores, _ = checked_rounds(results.scores, None, pairing=pairing, tie_tol=results.tie_tol)
    return Rounds(
        scores=np.asarray(scores, dtype=np.float64),
        weights=np.asarray(results.weights, dtype=np.float64),
        rate=lambda scores, weights: refit(pairs_of_rounds(scores, weights, pairing=pairing)),
        seed=r.seed,
    )

"""How much tuning gains: ratings of the settings of an algorithm, and the best against the default.

Everything here works on the scores of one data set and on a function that rates them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from scipy.special import expit

from deadheat.core.errors import DataError, UnknownNameError, UsageError, quoted
from deadheat.core.types import Booleans, Floats, Integers
from deadheat.models.rating.pair_counts import checked_rounds, pairs_of_rounds
from deadheat.models.rating.uncertainty import Refitter
from deadheat.ranking.block import WORKING_SET
from deadheat.ranking.ranks import best_of, winners
from deadheat.rate.matches import RoundMatches
from deadheat.resampling.draws import stream

if TYPE_CHECKING:
    from deadheat.rate.result import Ratings


# ------------------------------------------------------------------------------
# What a choice is worth on rounds that it was not made on: halves of the rounds.

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


# ------------------------------------------------------------------------------

HALVES = 100


@dataclass(frozen=True, eq=False, kw_only=True)
class Tunability:
    """Hold how the settings of one algorithm differ on one data set.

    Attributes
    ----------
    algorithm
        Its name.
    settings
        The numbers of the candidates that are its settings.
    range, iqr, sd
        Of their ratings: the largest less the smallest, the distance of the quartiles (the length
        of the box of a box plot), and the standard deviation (over settings - 1; NaN for one).
    best
        The number of the setting with the highest rating.
    gain
        What the best gains over the default; None where no default is known.
    """

    algorithm: str
    settings: Integers
    range: float
    iqr: float
    sd: float
    best: int
    gain: Gain | None


def tunability(
    scores: Floats,
    rate_rounds: RateRounds,
    *,
    algorithms: Sequence[str],
    defaults: Mapping[str, int] | None = None,
    round_weights: Floats | None = None,
    halves: int = HALVES,
    seed: int = 0,
) -> tuple[Tunability, ...]:
    r"""Return how tunable each algorithm is on one data set, in the order of their first settings.

    The gain is that of [2]_ on the scale of [1]_: :math:`b_{best} - b_{default}`, and the
    probability that the best beats the default is its logistic function.

    Parameters
    ----------
    scores
        (n, S), all candidates of the tournament on its rounds.
    rate_rounds
        Rates scores (n, S) under round weights (B, S), and returns (B, n).
    algorithms
        The algorithm of each candidate.
    defaults
        The number of the candidate that is the default setting, by algorithm.
    round_weights
        (S,), how much each round counts; all the same by default.
    halves
        How many halves to choose on. All there are, if they are as few.

    Notes
    -----
    Differs from [1]_ and [2]_: the best of many settings looks better than it is, because it was
    chosen for it. So the best is also chosen on one half of the rounds and measured on the rest.
    That is what choosing on half of the rounds gains; on all of them one chooses a little better.
    Where one setting wins every round of a half, its rating there is as large as the penalty lets
    it be; ``held_out_wins`` does not depend on that.

    References
    ----------
    .. [1] Gosiewska, Woznica, Bakala, Zwolinski, Biecek (2019), "EPP: interpretable score of model
           predictive power", sec. 5.2.
    .. [2] Probst, Boulesteix, Bischl (2019), "Tunability: importance of hyperparameters of machine
           learning algorithms", JMLR 20(53).
    """
    if len(algorithms) != len(scores):
        raise UsageError(f"{len(algorithms)} algorithms are named for {len(scores)} candidates.")
    names = tuple(dict.fromkeys(map(str, algorithms)))
    of = np.array([names.index(str(name)) for name in algorithms])
    for name, default in (defaults or {}).items():
        _require_default(name, default, names, of)
    ratings = rated(scores, rate_rounds, round_weights_of(scores, round_weights)[None])[0]
    split = Halves(scores, rate_rounds, halves, seed, round_weights) if defaults else None
    found = []
    for a, name in enumerate(names):
        settings = np.flatnonzero(of == a)
        own = ratings[settings]
        quarter, three = np.quantile(own, [0.25, 0.75])
        best = int(settings[best_of(own)])
        gain = None
        if split is not None and defaults and name in defaults:
            gain = split.gain(ratings, settings, np.array([defaults[name]]))
        found.append(
            Tunability(
                algorithm=name,
                settings=settings,
                range=float(np.ptp(own)),
                iqr=float(three - quarter),
                sd=float(own.std(ddof=1)) if len(own) > 1 else float("nan"),
                best=best,
                gain=gain,
            )
        )
    return tuple(found)


def latest_gain(
    scores: Floats,
    rate_rounds: RateRounds,
    *,
    last: int,
    order: Sequence[int] | None = None,
    round_weights: Floats | None = None,
    halves: int = HALVES,
    seed: int = 0,
) -> Gain:
    """Return how the best of the last settings that were tried stands to the best before them.

    A stop rule for tuning: where the best of the last ``last`` settings beats the incumbent with a
    probability not above one half, those tries brought nothing. What settings that nobody has
    tried would bring cannot be known, and is not said here.

    Parameters
    ----------
    last
        How many settings were tried last.
    order
        The candidates in the order in which they were tried; as in the table by default. Others
        than these play and are rated, and are no settings.
    round_weights
        How much each round counts, (S,); all alike by default.

    Notes
    -----
    Differs from [1]_, sec. 6, which speaks of the probability that searching on improves the
    performance. Both sides are the best of some, chosen on the same rounds: the held-out numbers
    choose both on one half of the rounds and compare them on the other.

    References
    ----------
    .. [1] Gosiewska, Woznica, Bakala, Zwolinski, Biecek (2019), "EPP: interpretable score of model
           predictive power".
    """
    tried = np.arange(len(scores)) if order is None else np.asarray(order, dtype=np.int64)
    if len(np.unique(tried)) < len(tried) or (tried < 0).any() or (tried >= len(scores)).any():
        raise UsageError(
            f"the order must name candidates from 0 to {len(scores) - 1}, each at most once."
        )
    if type(last) is not int or not 1 <= last < len(tried):
        raise UsageError(
            f"last must be a whole number from 1 to {len(tried) - 1}, got {last!r}.",
            hint="at least one setting must have been tried before the last ones.",
        )
    ratings = rated(scores, rate_rounds, round_weights_of(scores, round_weights)[None])[0]
    split = Halves(scores, rate_rounds, halves, seed, round_weights)
    return split.gain(ratings, tried[-last:], tried[:-last])


def _require_default(name: str, default: int, names: Sequence[str], of: Integers) -> None:
    if name not in names:
        raise UnknownNameError("algorithm", name, names)
    if not 0 <= default < len(of) or names[of[default]] != name:
        raise UsageError(
            f"candidate {default} is named as the default of {quoted(name)}, and is no setting "
            "of it."
        )


# ------------------------------------------------------------------------------
# Candidates as settings of algorithms, and how to rate them on some of the rounds.

NUMBER = re.compile(r"[\s_\-/.:#]*\d+$")


def algorithm_of(candidate: str) -> str:
    """Return the name of a candidate without the number of its setting.

    >>> algorithm_of("xgboost_11"), algorithm_of("glmnet/3"), algorithm_of("svm")
    ('xgboost', 'glmnet', 'svm')
    """
    return NUMBER.sub("", candidate) or candidate


def chosen_defaults(
    defaults: Mapping[str, str] | None, algorithms: Sequence[str], candidates: Sequence[str]
) -> dict[str, int]:
    """Return the number of the default setting of each algorithm: as named, else its first."""
    found = {name: algorithms.index(name) for name in dict.fromkeys(algorithms)}
    for name, candidate in (defaults or {}).items():
        if name not in found:
            raise UnknownNameError("algorithm", str(name), tuple(found))
        if candidate not in candidates:
            raise UnknownNameError("candidate", str(candidate), candidates)
        found[name] = list(candidates).index(candidate)
    return found


def tunability_of(
    r: Ratings,
    *,
    algorithms: Mapping[str, str] | None = None,
    defaults: Mapping[str, str] | None = None,
) -> tuple[Tunability, ...]:
    """Return how tunable each algorithm is, by the ratings of its settings.

    Parameters
    ----------
    algorithms
        The algorithm of each candidate; by default its name without the number at its end.
    defaults
        The candidate that is the default setting of an algorithm; by default its first.
    """
    scores, weights = _rounds(r, "tunability")
    of = [_algorithm(algorithms, c) for c in r.candidates]
    return tunability(
        scores,
        rating_of_rounds(r),
        algorithms=of,
        defaults=chosen_defaults(defaults, of, r.candidates),
        round_weights=weights,
        seed=r.seed,
    )


def latest_gain_of(r: Ratings, *, last: int, order: Sequence[str] | None = None) -> Gain:
    """Return how the best of the last settings that were tried stands to the best before them.

    ``probability`` is that of the best of the last settings beating the incumbent, the best of
    those before; ``held_out_probability`` is the same where both were chosen on other rounds. Not
    above one half: the last tries brought nothing. See
    :func:`deadheat.rate.tunability.latest_gain`.

    Parameters
    ----------
    last
        How many settings were tried last.
    order
        The candidates in the order in which they were tried; as in the table by default. Others
        play and are rated, and are no settings.
    """
    scores, weights = _rounds(r, "the latest gain")
    return latest_gain(
        scores,
        rating_of_rounds(r),
        last=last,
        order=None if order is None else [r.at(name) for name in order],
        round_weights=weights,
        seed=r.seed,
    )


def _rounds(r: Ratings, what: str) -> tuple[Floats, Floats]:
    """Return the scores, equal where they are tied, and the weights of the rounds."""
    if r.fit is None or not isinstance(r.matches, RoundMatches):
        raise UsageError(
            f"{what} needs scores in rounds, and these are {r.model} ratings of something else.",
            hint="rate a table of scores with model='epp' (--model epp).",
        )
    results = r.matches.results
    scores, _ = checked_rounds(
        results.scores, None, pairing=r.matches.pairing, tie_tol=results.tie_tol
    )
    return scores, results.weights


def _algorithm(algorithms: Mapping[str, str] | None, candidate: str) -> str:
    if algorithms is None:
        return algorithm_of(candidate)
    if candidate not in algorithms:
        raise UnknownNameError("candidate with an algorithm", candidate, tuple(algorithms))
    return str(algorithms[candidate])


def rating_of_rounds(r: Ratings) -> RateRounds:
    """Return what rates the same table under other weights of its rounds."""
    fitted, matches = r.fit, r.matches
    assert fitted is not None
    assert isinstance(matches, RoundMatches)
    refit = Refitter(fitted)

    def rate_rounds(scores: Floats, weights: Floats) -> Floats:
        """Rate scores (n, S), equal where they are tied, under round weights (B, S)."""
        pairs = pairs_of_rounds(
            scores,
            np.asarray(weights, dtype=np.float64),
            pairing=matches.pairing,
        )
        return refit(pairs)

    return rate_rounds

"""Candidates as settings of algorithms, and how to rate them on some of the rounds."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from deadheat.errors import UnknownNameError, UsageError
from deadheat.inference.held_out import Gain, RateRounds
from deadheat.inference.matches import RoundMatches
from deadheat.inference.tunability import Tunability, latest_gain, tunability
from deadheat.ranking.rating.refits import Refitter
from deadheat.ranking.rating.round_pairs import checked_rounds, pairs_of_rounds
from deadheat.typing import Floats

if TYPE_CHECKING:
    from deadheat.inference.ratings import Ratings

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
    :func:`deadheat.inference.tunability.latest_gain`.

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

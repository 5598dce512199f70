"""Several tournaments, each rated by itself: those that can be, and why others cannot."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from hashlib import sha256

import numpy as np

from deadheat.data.battles import Battles
from deadheat.data.results import Results
from deadheat.errors import DataError, UnknownNameError, UsageError, counted, listed, quoted
from deadheat.inference.ratings import Ratings
from deadheat.resampling.replicate import Progress, watched

RateOne = Callable[[str, Results | Battles], Ratings]


def rated_each(
    parts: Mapping[str, Results | Battles], rate_one: RateOne, progress: Progress | None
) -> tuple[dict[str, Ratings], dict[str, str]]:
    """Return the ratings of each tournament, and why those without ratings have none.

    A tournament whose data cannot be rated is left out. Where that is true of all, the first of
    them is the error.
    """
    each: dict[str, Ratings] = {}
    refused: dict[str, DataError] = {}
    for name in watched(parts, len(parts), progress):
        try:
            each[name] = rate_one(name, parts[name])
        except DataError as error:
            refused[name] = error
        except UnknownNameError as error:
            raise UsageError(f"in {quoted(name)}: {error.fact}", hint=error.hint) from None
    if not each:
        name, first = next(iter(refused.items()))
        raise DataError(f"in {quoted(name)}: {first.fact}", hint=first.hint)
    return each, {name: error.fact for name, error in refused.items()}


def seed_of(seed: int, name: str) -> int:
    """Return the seed of a tournament, which depends on its name and not on other tournaments."""
    return int.from_bytes(sha256(f"{seed}/{name}".encode()).digest()[:4], "big")


def gathered(
    notes: tuple[str, ...], each: Mapping[str, Ratings], left_out: Mapping[str, str]
) -> tuple[str, ...]:
    """Return the warnings of all tournaments, each once and where it holds, and who is left out."""
    told = told_once({name: r.warnings for name, r in each.items()}, notes)
    reasons: dict[str, list[str]] = {}
    for name, reason in left_out.items():
        reasons.setdefault(reason, []).append(name)
    without = (
        f"{counted(len(names), 'part')} left out ({listed(names, most=3)}): {reason}"
        for reason, names in reasons.items()
    )
    return (*notes, *without, *told)


def told_once(each: Mapping[str, Iterable[str]], notes: Iterable[str]) -> list[str]:
    """Return what is said of each tournament once, with where it holds if not everywhere.

    What ``notes`` say of all is left out.

    >>> told_once({"a": ["few"], "b": ["few", "odd"]}, [])
    ['few', 'b: odd']
    """
    known, where = set(notes), dict[str, list[str]]()
    for name, texts in each.items():
        for text in texts:
            if text not in known:
                where.setdefault(text, []).append(name)
    return [
        text if len(names) == len(each) else f"{listed(names, most=3)}: {text}"
        for text, names in where.items()
    ]


def require_weights(
    weights: Mapping[str, float] | None, parts: Mapping[str, Results | Battles] | None
) -> None:
    """Refuse weights of tournaments that do not exist, and weights that are none."""
    if weights is None:
        return
    if parts is None:
        raise UsageError(
            "tournament_weights= (--tournament-weight) are given, and there is one tournament.",
            hint="name the column of the data sets (tournament=) or of the categories (category=).",
        )
    for name, weight in weights.items():
        if name not in parts:
            raise UnknownNameError("tournament", str(name), tuple(parts))
        if not (np.isfinite(weight) and weight >= 0):
            raise UsageError(
                f"the weight of {quoted(name)} is {weight!r}.",
                hint="weights are numbers of at least 0; those not named have weight 1.",
            )
    require_some_weight(weights, parts)


def require_some_weight(weights: Mapping[str, float] | None, parts: Iterable[str]) -> None:
    """Refuse weights that leave nothing to average over."""
    if weights is not None and not any(weights.get(name, 1.0) > 0 for name in parts):
        raise UsageError(
            "every tournament that is rated has weight 0.",
            hint="give one of them a weight above 0, or leave out --tournament-weight "
            "(tournament_weights=).",
        )

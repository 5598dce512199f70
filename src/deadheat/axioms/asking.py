"""Ranks of one table in many worlds, by the functions of the package and by those of its users."""

from __future__ import annotations

import numpy as np

from deadheat.axioms.axiom import Ranker
from deadheat.data.results import Results
from deadheat.errors import DeadheatError, UsageError
from deadheat.ranking.function import RankingFunction
from deadheat.ranking.ranks import ranks
from deadheat.ranking.table import merits_of
from deadheat.typing import Floats

WIDE = 1e4  # where scores differ more than this, what counts as a tie depends on who judges


def ranker(f: RankingFunction, scores: Floats) -> Ranker:
    """Return what ranks a small table in worlds (R, m) and (R, n)."""
    unit = f.unit(scores)

    def rank(judges: Floats, copies: Floats) -> Floats:
        merits = _called(f, scores, judges, copies)
        _require_numbers(f, scores, judges, copies, merits)
        return ranks(merits, unit=unit)

    return rank


def _called(f: RankingFunction, scores: Floats, judges: Floats, copies: Floats) -> Floats:
    """Return the merits; what a function of the user raises is told with the name of both."""
    try:
        return f(scores, judges, copies)
    except DeadheatError:
        raise
    except Exception as error:
        if f.shipped:
            raise
        raise UsageError(
            f"ranking function {f.name} failed on a small table of whole numbers: "
            f"{type(error).__name__}: {error}.",
            hint="it must rank every table, also one of a single judge or of two candidates.",
        ) from error


def ranker_of(f: RankingFunction, results: Results) -> Ranker:
    """Return what ranks a table of the user in worlds (R, m) and (R, n)."""
    known: dict[object, Floats] = {}
    unit = f.unit(results.scores, results.weights)
    own_units = np.ndim(unit) > 0 and _spread(results.scores) > WIDE

    def rank(judges: Floats, copies: Floats) -> Floats:
        merits = merits_of(results, [f], judges, copies, known=known)[f.name]
        _require_numbers(f, results.scores, judges * results.weights, copies, merits)
        return ranks(merits, unit=_units(judges) if own_units else unit)

    def _units(judges: Floats) -> Floats:
        kinds, which = np.unique(judges, axis=0, return_inverse=True)
        units = np.stack([f.unit(results.scores, results.weights * row) for row in kinds])
        return np.asarray(units[which.reshape(-1)])

    return rank


def _spread(scores: Floats) -> float:
    """Return how much larger the largest score is than a typical one."""
    sizes = np.abs(scores[np.isfinite(scores) & (scores != 0)])
    return float(sizes.max() / np.median(sizes)) if sizes.size else 1.0


def _require_numbers(
    f: RankingFunction, scores: Floats, judges: Floats, copies: Floats, merits: Floats
) -> None:
    """Raise, with a small table as the place, where somebody who is there gets no merit."""
    absent = (copies == 0) | (judges.sum(axis=1, keepdims=True) == 0)
    silent = np.isnan(scores).any()  # who has no score left has no merit, and rightly so
    bad = np.isnan(merits) & ~absent
    if silent or not bad.any():
        return
    b = int(np.argmax(bad.any(axis=1)))
    table = np.repeat(scores[copies[b] > 0], judges[b].astype(int), axis=1)
    table = np.repeat(table, copies[b][copies[b] > 0].astype(int), axis=0)
    told = f" on the scores {table.tolist()}" if table.size <= 30 else ""
    raise UsageError(
        f"ranking function {f.name} returned {merits[b].tolist()}{told}: "
        f"{int(bad[b].sum())} of the merits are NaN.",
        hint="every candidate that is present needs a merit; check its kernel.",
    )

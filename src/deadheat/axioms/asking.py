"""Ranks of one table in many worlds, by the functions of the package and by those of its users."""

from __future__ import annotations

import numpy as np

from deadheat.axioms.axiom import Ranker
from deadheat.axioms.faults import contradictory, failed, misshapen, table_of, told
from deadheat.data.results import Results
from deadheat.errors import DeadheatError, OwnFunctionError, UsageError
from deadheat.ranking.function import RankingFunction
from deadheat.ranking.ranks import ranks
from deadheat.ranking.table import merits_of
from deadheat.typing import Floats

WIDE = 1e4  # where scores differ more than this, what counts as a tie depends on who judges
ASKED_TWICE = 20  # worlds: a function of the user may forget to seed what is random in it


def ranker(f: RankingFunction, scores: Floats) -> Ranker:
    """Return what ranks a small table in worlds (R, m) and (R, n)."""
    unit = f.unit(scores)

    def rank(judges: Floats, copies: Floats) -> Floats:
        merits = _called(f, scores, judges, copies)
        _require_numbers(f, scores, judges, copies, merits)
        return ranks(merits, unit=unit)

    return rank


def _called(f: RankingFunction, scores: Floats, judges: Floats, copies: Floats) -> Floats:
    """Return the merits; what a function of the user raises is told with place and table."""
    try:
        return f(scores, judges, copies)
    except Exception as error:
        if f.shipped:
            raise
        cause = error.__cause__ if isinstance(error, OwnFunctionError) else None
        raise failed(f, scores, judges, copies, cause or error) from cause or error


def require_same_answer(f: RankingFunction, rank: Ranker, judges: Floats, copies: Floats) -> None:
    """Ask a function of the user twice, and refuse it if its answers differ."""
    if f.shipped:
        return
    some = slice(0, ASKED_TWICE)
    first, second = (rank(judges[some], copies[some]) for _ in range(2))
    if not np.array_equal(first, second, equal_nan=True):
        raise contradictory(f)


def ranker_of(f: RankingFunction, results: Results) -> Ranker:
    """Return what ranks a table of the user in worlds (R, m) and (R, n)."""
    known: dict[object, Floats] = {}
    unit = f.unit(results.scores, results.weights)
    own_units = np.ndim(unit) > 0 and _spread(results.scores) > WIDE

    def rank(judges: Floats, copies: Floats) -> Floats:
        merits = _merits(judges, copies)
        _require_numbers(f, results.scores, judges * results.weights, copies, merits)
        return ranks(merits, unit=_units(judges) if own_units else unit)

    def _merits(judges: Floats, copies: Floats) -> Floats:
        try:
            return merits_of(results, [f], judges, copies, known=known)[f.name]
        except OwnFunctionError:
            raise
        except DeadheatError as error:
            table = table_of(results.scores, judges[0] * results.weights, copies[0])
            raise misshapen(f, table) or error from None

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
    where = told(table_of(scores, judges[b], copies[b]))
    raise UsageError(
        f"ranking function {f.name} returned {merits[b].tolist()}{where}: "
        f"{int(bad[b].sum())} of the merits are NaN.",
        hint="every candidate that is present needs a merit; check its kernel.",
    )

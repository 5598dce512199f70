"""What to say of a user's own function that fails, returns nonsense or contradicts itself."""

from __future__ import annotations

import numpy as np

from deadheat.errors import DeadheatError, UsageError, counted
from deadheat.ranking.function import RankingFunction
from deadheat.ranking.own_faults import place_of
from deadheat.typing import Floats

MOST_CELLS = 30  # of a table that is told in a message


def table_of(scores: Floats, judges: Floats, copies: Floats) -> Floats:
    """Return a world as a plain table: who is there so often (n,), judged by so many (m,)."""
    columns = np.repeat(scores, judges.astype(int), axis=1)
    return np.asarray(np.repeat(columns, copies.astype(int), axis=0))


def told(table: Floats | None) -> str:
    """Return where it happened, if the table is small."""
    if table is None or table.size > MOST_CELLS:
        return ""
    return f" on the scores {table.tolist()}"


def failed(
    f: RankingFunction, scores: Floats, judges: Floats, copies: Floats, error: BaseException
) -> DeadheatError:
    """Return what to say of an error in one of the worlds (R, m) and (R, n)."""
    table = _failing(f, scores, judges, copies)
    if isinstance(error, DeadheatError):
        return misshapen(f, table) or error
    return UsageError(
        f"{place_of(f, error)}ranking function {f.name} failed{told(table)}: "
        f"{type(error).__name__}: {error}.",
        hint="it must rank every table, also one of a single judge or of two candidates.",
    )


def misshapen(f: RankingFunction, table: Floats | None) -> UsageError | None:
    """Return what a function of a plain table returned, where that is not a number for each."""
    if f.form != "table" or table is None:
        return None
    returned = np.asarray(f.kernel(table.copy()))
    n, m = table.shape
    if returned.shape == (n,) and returned.dtype.kind in "fiub":
        return None
    return UsageError(
        f"ranking function {f.name} returned {returned.dtype} of shape {returned.shape} for "
        f"{counted(n, 'candidate')} and {counted(m, 'judge')}{told(table)}.",
        hint=f"return one number per candidate, shape ({n},); rows are candidates.",
    )


def contradictory(f: RankingFunction, table: Floats | None = None) -> UsageError:
    """Return what to say of a function that is not one."""
    return UsageError(
        f"{f.name} gave two answers to the same table{told(table)}.",
        hint="a ranking function depends on the scores alone; seed what is random in it.",
    )


def _failing(f: RankingFunction, scores: Floats, judges: Floats, copies: Floats) -> Floats | None:
    """Return the first world that fails by itself, as a plain table."""
    for row, times in zip(judges, copies, strict=True):
        try:
            f(scores, row, times)
        except Exception:  # noqa: BLE001 - whatever a user's function raises
            return table_of(scores, row, times)
    return None

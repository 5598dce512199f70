"""Who of a battle log is rated: those with enough matches, in one part that matches connect."""

from __future__ import annotations

import numpy as np

from deadheat.data.battles import Battles
from deadheat.data.results import Results
from deadheat.data.wording import said_with_all
from deadheat.errors import DataError, UsageError, counted, listed, quoted
from deadheat.ranking.rating.existence import existence
from deadheat.ranking.rating.pair_counts import pairs_of_battles
from deadheat.typing import Booleans, Integers

NEARLY_ALL = 0.9  # share of the matches with which the largest part stands for the whole
MOST_NAMES, MOST_PARTS = 6, 4


def require_of_log(
    found: Results | Battles, *, largest_part: bool, min_matches: int | None, teams: str | None
) -> None:
    """Refuse to choose among candidates of whom no matches are known one by one."""
    if min_matches is not None and (type(min_matches) is not int or min_matches < 1):
        raise UsageError(
            f"min_matches must be a whole number of at least 1, got {min_matches!r}.",
            hint="whoever has fewer matches is left out: min_matches=3 (--min-matches 3).",
        )
    asked = {
        "largest_part=True (--largest-part)": largest_part,
        f"min_matches={min_matches} (--min-matches {min_matches})": min_matches is not None,
    }
    for option, given in asked.items():
        if given and (teams is not None or not isinstance(found, Battles)):
            what = "members of teams" if isinstance(found, Battles) else "a table of scores"
            raise UsageError(
                f"{option} says nothing about {what}.",
                hint="it is for logs of battles between two; leave it out.",
            )


def field_of(
    log: Battles, *, largest_part: bool, min_matches: int | None, connected: bool
) -> Battles:
    """Return the battles among those who are rated, with a note on who is left out.

    Parameters
    ----------
    largest_part
        Keep the largest part that matches connect, however small it is.
    min_matches
        Leave out whoever has fewer matches, again and again until everybody left has as many
        against others who are left.
    connected
        Whether the model needs one connected part. Then the largest one is kept if it has nine
        matches of ten, and else, unless it is asked for, the log is refused.
    """
    if min_matches is not None:
        log = _with_enough(log, min_matches)
    if not (largest_part or connected):
        return log
    parts = existence(pairs_of_battles(log)).components
    if len(parts) < 2:
        return log
    matches = [_matches_within(log, _among(log, part)) for part in parts]
    best = max(range(len(parts)), key=lambda k: (len(parts[k]), matches[k]))
    if not largest_part and matches[best] < NEARLY_ALL * log.total:
        raise _in_parts(log, parts, matches)
    return _kept(
        log,
        _among(log, parts[best]),
        f"no chain of matches connects them with the other {len(parts[best]):,}",
    )


def _with_enough(log: Battles, least: int) -> Battles:
    there = _core(log, least)
    if not there.any():
        low, high = 1, least - 1  # one match each is what everybody has
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if _core(log, middle).any() else (low, middle - 1)
        raise DataError(
            f"{log.source}: nobody is left with {least:,} matches or more against others who have "
            "as many.",
            hint=f"{low:,} is the most that leaves anybody: {said_with_all({'min_matches': low})}",
        )
    return _kept(
        log, there, f"fewer than {counted(least, 'match', 'matches')} each with the others"
    )


def _core(log: Battles, least: int) -> Booleans:
    """Return who is left (n,) once everybody left has so many matches against others left."""
    there = np.ones(log.n, dtype=bool)
    while True:
        enough = there & (_matches(log, there) >= least)
        if np.array_equal(enough, there):
            return there
        there = enough


def _matches(log: Battles, there: Booleans) -> Integers:
    """Return how many matches (n,) each candidate has against some of them."""
    inside = there[log.left] & there[log.right]
    number = np.where(inside, log.battles, 0)
    both = np.bincount(log.left, number, log.n) + np.bincount(log.right, number, log.n)
    return both.astype(np.int64)


def _among(log: Battles, part: tuple[int, ...]) -> Booleans:
    there = np.zeros(log.n, dtype=bool)
    there[list(part)] = True
    return there


def _matches_within(log: Battles, there: Booleans) -> int:
    return int(log.battles[there[log.left] & there[log.right]].sum())


def _kept(log: Battles, there: Booleans, why: str) -> Battles:
    """Return the battles among some, with a note on the others if there are any."""
    if there.all():
        return log
    kept = log.subset(there[log.left] & there[log.right])
    out = np.flatnonzero(~there).tolist()
    are = "is" if len(out) == 1 else "are"
    note = (
        f"{len(out):,} of {counted(log.n, 'candidate')} {are} not rated, with "
        f"{log.total - kept.total:,} of {counted(log.total, 'match', 'matches')}: {why} "
        f"({_named(log, out)})."
    )
    return kept.changed(notes=(note, *log.notes))


def _named(log: Battles, numbers: list[int] | tuple[int, ...]) -> str:
    return listed([quoted(log.candidates[i]) for i in numbers], most=MOST_NAMES)


def _in_parts(log: Battles, parts: tuple[tuple[int, ...], ...], matches: list[int]) -> DataError:
    shown = "; ".join(
        f"{counted(len(part), 'candidate')} with {counted(met, 'match', 'matches')} "
        f"({_named(log, part)})"
        for part, met in zip(parts[:MOST_PARTS], matches, strict=False)
    )
    more = len(parts) - MOST_PARTS
    return DataError(
        f"{log.source}: no battle links the {len(parts):,} parts of the field, so their ratings "
        f"have no common scale: {shown}{f'; and {more:,} more' if more > 0 else ''}.",
        hint=f"rate the largest part by itself: {said_with_all({'largest_part': True})}",
    )

"""Where the time limit of runs was: what their time-outs tell, and whether they contradict it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from deadheat.core.errors import Words, command_with
from deadheat.core.types import Booleans, Floats
from deadheat.core.weights import MISREAD
from deadheat.data.results import EXACT
from deadheat.data.runs import SOLVED, TIMEOUT, UNKNOWN, Runs

USUAL = 5000.0
BELOW, ABOVE = 1e-3, 0.01  # how far time-outs stand below and above the limit, as they are measured
NEAR = 0.9  # of the cutoff: some time-out comes so near
FEWEST = 3  # runs of one time, so that it may stand for a time-out
PENALTIES = (2, MOST := 10)  # as PAR2 and PAR10 have them
SLOW, MANY = 0.8, 100  # the share of the limit that the slowest takes, and runs that are many
HOUR, DAY = 3600.0, 86_400.0


def timeouts(runs: Runs) -> Booleans:
    """Return the runs that the limit ended: as they say, else unsolved ones as slow as any."""
    none = np.zeros(len(runs), dtype=bool)
    if runs.time is None:
        return none
    known = np.isfinite(runs.time) & (runs.time > 0)
    said = known & (runs.status == TIMEOUT)
    if said.any():
        return np.asarray(said)
    solved = known & (runs.status == SOLVED)
    slowest = runs.time[solved].max(initial=0.0)
    return np.asarray(known & (runs.status == UNKNOWN) & (runs.time >= slowest))


def likely_limit(runs: Runs) -> float:
    """Return the round number at which time-outs pile up, or else that no solved run exceeds.

    >>> times = {"status": ["ok", "TO", "TO"], "time": [4210.5, 5000.02, 5029]}
    >>> likely_limit(Runs(candidate=["a", "b", "c"], instance=["i"] * 3, **times))
    5000.0
    """
    if runs.time is None:
        return USUAL
    ended, known = ended_by_limit(runs), np.isfinite(runs.time)
    if not ended.any():
        return round_above(runs.time[known].max(initial=0.0))
    middle = float(np.median(runs.time[ended]))
    if (runs.time[ended] == middle).all():
        middle /= _penalty(runs.time[known & ~ended], middle) or 1
    return _round_between(middle * (1 - ABOVE), middle * (1 + BELOW))


def ended_by_limit(runs: Runs) -> Booleans:
    """Return the runs at the largest times if these pile up, else those that are time-outs.

    A cutoff that is said may have made others time-outs, or none of them.
    """
    if runs.time is None:
        return timeouts(runs)
    known = np.isfinite(runs.time) & np.isin(runs.status, (SOLVED, TIMEOUT, UNKNOWN))
    largest = runs.time[known].max(initial=0.0)
    pile = known & (runs.time >= largest * (1 - ABOVE))
    near = known & ~pile & (runs.time >= NEAR * largest)
    piled = largest > 0 and pile.sum() >= max(FEWEST, near.sum())
    return np.asarray(pile) if piled else timeouts(runs)


def round_above(longest: float) -> int:
    """Return the first of 10, 20, 50, 100, ... seconds that a time does not exceed.

    >>> round_above(60), round_above(0)
    (100, 5000)
    """
    if not longest:
        return int(USUAL)
    power = int("1".ljust(max(2, len(f"{int(longest)}")), "0"))
    return next(k * power for k in (1, 2, 5, 10) if k * power >= longest)


def _penalty(times: Floats, value: float) -> int:
    """Return how many times the limit a value is that stands for a time-out, 0 where it is none.

    The slowest of all other times comes near a half or a tenth of it, or many stay below a tenth.
    """
    slowest = times.max(initial=0.0)
    near = (k for k in PENALTIES if SLOW * value <= k * slowest <= value)
    below = MOST if len(times) >= MANY and MOST * slowest <= value else 0
    return next(near, below)


def _round_between(low: float, high: float) -> float:
    """Return the roundest number in between: of the fewest digits, or whole hours of a day."""
    size = np.floor(np.log10(high))
    hours = high // HOUR * HOUR if high <= DAY * (1 + ABOVE) else 0.0
    for digits in range(1, 17):
        step = 10 ** (size - digits + 1)
        found = high // step * step
        found = max(found, hours) if digits > 1 else found
        if found >= low:
            return float(f"{found:.12g}")
    return high


def far_from_timeouts(runs: Runs) -> Iterator[Words]:
    """Warn of a cutoff that is far from the limit at which runs ended, or from every run."""
    if runs.cutoff is None or runs.time is None:
        return
    ended, solved = ended_by_limit(runs), runs.solved & np.isfinite(runs.time)
    cutoff = float(np.median(runs.cutoff[ended]) if ended.any() else runs.cutoff.max())
    slowest = float(runs.time[solved].max(initial=0.0))
    if ended.any():
        if NEAR * cutoff <= likely_limit(runs) <= cutoff / NEAR:
            return
        fact = f"the longest time-out took {runs.time[ended].max():,.6g} s"
    elif int((runs.status == TIMEOUT).sum()) >= FEWEST and 0 < MOST * slowest <= cutoff:
        fact = f"the slowest solved run took {slowest:,.6g} s"
    else:
        return
    fact = f"{fact}, and the cutoff is said to be {cutoff:,.6g} s"
    yield Words(f"{fact}; {perhaps_limit(runs)}", page=f"{fact}.", weight=MISREAD, good=False)


def perhaps_limit(runs: Runs) -> str:
    """Return the command that says the likely limit."""
    limit = limit_to_say(runs)
    return f"if the limit was {limit:,.12g} s: {command_with(cutoff=limit)}"


def limit_to_say(runs: Runs) -> float:
    """Return the likely limit as people write it: 5000, not 5000.0."""
    limit = float(likely_limit(runs))
    return int(limit) if limit < EXACT and limit.is_integer() else limit

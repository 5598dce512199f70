"""What every model of battles asks of its columns: two sides, an outcome, a weight."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from deadheat.errors import DataError, UsageError
from deadheat.typing import Booleans, Floats, Integers


def checked_sides(left: npt.ArrayLike, right: npt.ArrayLike, n: int) -> tuple[Integers, Integers]:
    """Return the two columns of candidates as arrays, or say which battle is impossible."""
    sides = np.asarray(left, dtype=np.intp), np.asarray(right, dtype=np.intp)
    if sides[0].ndim != 1 or sides[0].shape != sides[1].shape:
        raise UsageError(
            f"left and right must be two columns of one length, got shapes {sides[0].shape} "
            f"and {sides[1].shape}.",
            hint="give one candidate for each side of each battle.",
        )
    if not len(sides[0]):
        raise DataError("there are no battles.", hint="a rating needs at least one.")
    for name, side in zip(("left", "right"), sides, strict=True):
        _refuse(
            (side < 0) | (side >= n),
            f"the {name} side is no candidate from 0 to {n - 1}",
            "sides are positions in the list of candidates.",
        )
    _refuse(
        sides[0] == sides[1], "a candidate meets itself", "leave such battles out: nobody can win."
    )
    return sides


def checked_outcome(outcome: npt.ArrayLike, battles: int) -> Integers:
    """Return the outcomes: 1 where the left side won, 0 for a tie, -1 where the right side won."""
    given = np.asarray(outcome)
    if given.shape != (battles,):
        raise UsageError(
            f"there are {battles} battles, but the outcomes have shape {given.shape}.",
            hint="give one outcome for each battle.",
        )
    _refuse(
        ~np.isin(given, (-1, 0, 1)),
        "the outcome is none of 1, 0, -1",
        "1: left won, 0: a tie, -1: right won.",
    )
    return given.astype(np.int8)


def checked_weights(weights: npt.ArrayLike | None, battles: int) -> Floats:
    """Return the weights of the battles, 1 each where none are given."""
    if weights is None:
        return np.ones(battles)
    given = np.asarray(weights, dtype=np.float64)
    if given.shape != (battles,):
        raise UsageError(
            f"there are {battles} battles, but the weights have shape {given.shape}.",
            hint="give one weight for each battle.",
        )
    _refuse(
        ~(np.isfinite(given) & (given >= 0)),
        "the weight is negative or no number",
        "a weight says how often a battle counts: 0 or more.",
    )
    return given


def share_won(outcome: Integers) -> Floats:
    """Return what the left side won: 1, one half of a tie, or 0."""
    return (outcome + 1) / 2


def _refuse(wrong: Booleans, fact: str, hint: str) -> None:
    if wrong.any():
        first, count = int(np.argmax(wrong)), int(wrong.sum())
        raise DataError(f"battle {first + 1}: {fact} ({count} in all).", hint=hint)

"""Which way is better, per judge, and the one place where scores are turned."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, get_args

import numpy as np

from deadheat.data.wording import both
from deadheat.errors import UnknownNameError, UsageError, counted, quoted
from deadheat.typing import Direction, Floats

DIRECTIONS: tuple[Direction, ...] = get_args(Direction)
EVERY_OTHER_JUDGE = "*"


def turned(scores: Floats, better: Sequence[Direction]) -> Floats:
    """Return the scores with the judges negated where lower is better; twice gives them back."""
    lower = np.array([direction == "lower" for direction in better])
    if not lower.any():
        return scores
    signs = np.where(lower, -1, 1).astype(scores.dtype)
    return scores * signs + scores.dtype.type(0)  # no negative zero


def directions(better: object, judges: Sequence[str]) -> tuple[Direction, ...]:
    """Return one direction per judge from one word, a mapping or a sequence."""
    if better is None:
        raise UsageError(
            "the direction of the scores is not known.",
            hint=f"say which is better: {both('better', 'higher')} or {both('better', 'lower')}, "
            "or per judge in a mapping or a sidecar file.",
        )
    if isinstance(better, str):
        better = [better] * len(judges)
    elif isinstance(better, Mapping):
        better = _from_mapping(better, judges)
    if not isinstance(better, Iterable):
        raise UsageError(
            f"better must be 'higher' or 'lower', got {better!r}.",
            hint="one word for all judges, one per judge, or a mapping from judge to direction.",
        )
    words = tuple(better)
    if len(words) != len(judges):
        raise UsageError(
            f"better has {counted(len(words), 'direction')} for {counted(len(judges), 'judge')}.",
            hint="give one word for all, one per judge, or a mapping from judge to direction.",
        )
    for word in words:
        if word not in DIRECTIONS:
            raise UsageError(
                f"better must be 'higher' or 'lower', got {word!r}.",
                hint="'higher' for accuracy or solved, 'lower' for error, loss, time or rank.",
            )
    return words


def _from_mapping(better: Mapping[Any, Any], judges: Sequence[str]) -> list[Any]:
    given = {str(judge): word for judge, word in better.items()}
    known = {*judges, EVERY_OTHER_JUDGE}
    for name in given:
        if name not in known:
            raise UnknownNameError("judge in better", name, judges)
    default = given.get(EVERY_OTHER_JUDGE)
    words = [given.get(judge, default) for judge in judges]
    if None in words:
        raise UsageError(
            f"better says nothing about judge {quoted(judges[words.index(None)])}.",
            hint="name every judge, or add '*' for all the others.",
        )
    return words

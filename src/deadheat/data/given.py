"""What scores, names, labels and weights must be before they are a table."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from deadheat.data.numbers import first_rounded
from deadheat.errors import DataError, counted, quoted
from deadheat.typing import Floats


def given_scores(scores: object, source: str) -> Floats:
    """Return scores as an array of candidates x judges; refuse one that holds nothing."""
    array = _floats(scores, f"{source}: the scores")
    if array.ndim != 2:
        raise DataError(
            f"scores must be candidates x judges, got {array.ndim} dimension(s).",
            hint="one row per candidate, one column per judge.",
        )
    n, m = array.shape
    if n == 0 or m == 0:
        raise DataError(
            f"{source} has {counted(n, 'candidate')} and {counted(m, 'judge')}: nothing to rank."
        )
    if np.isnan(array).all():
        raise DataError(
            f"{source} has no score at all: all {array.size:,} cells are missing.",
            hint="was the right column or layout chosen? deadheat check shows what was understood.",
        )
    return array


def _floats(given: object, what: str) -> Floats:
    """Return float64, or float32 where that was given; refuse what would lose a part."""
    try:
        array = np.asarray(given)
        if array.dtype.kind in "cmM":  # complex numbers, spans and points of time
            raise TypeError(f"they are {array.dtype}")  # noqa: TRY301
        if array.dtype == np.float32:
            return array
        floats = np.asarray(array, dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise DataError(
            f"{what} are not numbers ({error}).", hint="give numbers; NaN where one is missing."
        ) from None
    for place in first_rounded(array.ravel(), floats.ravel()):
        raise DataError(
            f"{what} hold {array.flat[place]}, which has more digits than a float keeps.",
            hint="give smaller numbers: in a larger unit, or less what all have in common.",
        )
    return floats


def given_names(given: Sequence[str], size: int, kind: str, source: str) -> tuple[str, ...]:
    """Return one name each, made up where none are given; refuse two that are equal."""
    names = tuple(str(name) for name in given)
    if not names:
        width = len(str(size))
        return tuple(f"{kind}_{i:0{width}}" for i in range(1, size + 1))
    if len(names) != size:
        raise DataError(
            f"{source}: {counted(len(names), f'{kind} name')} for {counted(size, kind)}."
        )
    if len(set(names)) < size:
        seen: dict[str, int] = {}
        for place, name in enumerate(names, start=1):
            if name in seen:
                raise DataError(
                    f"{source}: {kind} {quoted(name)} appears twice "
                    f"({kind}s {seen[name]:,} and {place:,}).",
                    hint=f"every {kind} needs a name of its own; rename or remove one.",
                )
            seen[name] = place
    return names


def given_labels(
    given: Sequence[str] | None, judges: Sequence[str], kind: str
) -> tuple[str, ...] | None:
    """Return one label per judge, or None where none are given."""
    if given is None:
        return None
    if len(given) != len(judges):
        raise DataError(
            f"{kind} has {counted(len(given), 'label')} for {counted(len(judges), 'judge')}.",
            hint="give one label per judge.",
        )
    return tuple(str(label) for label in given)


def given_weights(given: object, judges: Sequence[str]) -> Floats:
    """Return one weight per judge, 1 where none are given; refuse those that weigh nothing."""
    if given is None:
        return read_only(np.ones(len(judges)))
    weights = _floats(given, "the judge weights").astype(np.float64)
    if weights.shape != (len(judges),):
        raise DataError(
            f"judge_weights has shape {weights.shape} for {counted(len(judges), 'judge')}.",
            hint="give one weight per judge.",
        )
    bad = ~(np.isfinite(weights) & (weights >= 0))
    if bad.any():
        j = int(np.argmax(bad))
        raise DataError(
            f"the weight of judge {quoted(judges[j])} is {weights[j]:g}.",
            hint="weights are finite and at least 0; 0 leaves a judge out.",
        )
    if not weights.any():
        raise DataError(
            "all judge weights are 0: nobody judges.", hint="give some judge a weight above 0."
        )
    return read_only(weights)


def read_only(array: Floats) -> Floats:
    """Return an array through which nothing can be written."""
    view = array.view()
    view.flags.writeable = False
    return view

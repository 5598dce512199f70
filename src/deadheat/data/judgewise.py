"""Weights, strata and clusters of the judges, from columns or from the sidecar."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from deadheat.data.gathered import Gathered
from deadheat.data.numbers import BadCellError, Numbers
from deadheat.data.options import Options
from deadheat.data.turning import EVERY_OTHER_JUDGE
from deadheat.errors import DataError, UnknownNameError, UsageError, counted, quoted
from deadheat.typing import Floats

NO_STRATUM = "(none)"


def weights_of(table: Gathered, options: Options, numbers: Numbers) -> Floats | None:
    """Return one weight per judge, or None where nothing was said."""
    if "weight" in table.about:
        return _from_cells(table, numbers)
    if options.weights is None:
        return None
    given = _checked(options.weights, _known(table), "weights")
    default = given.get(EVERY_OTHER_JUDGE, 1)
    weights = [given.get(judge, default) for judge in _known(table)]
    for judge, weight in zip(_known(table), weights, strict=True):
        if isinstance(weight, bool) or not isinstance(weight, int | float):
            raise UsageError(
                f"the weight of judge {quoted(judge)} is {weight!r}, not a number.",
                hint=f"in the sidecar, for instance: {judge} = 1.5; 0 leaves a judge out.",
            )
    return np.array(weights, dtype=np.float64)


def _from_cells(table: Gathered, numbers: Numbers) -> Floats:
    cells = table.about["weight"]
    try:
        weights, _ = numbers.floats(cells)
    except BadCellError as bad:
        place = bad.place
    else:
        missing = np.isnan(weights)
        if not missing.any():
            return weights
        place = int(np.argmax(missing))
    judge = quoted(table.judges[place]) if table.judges else f"{place + 1:,}"
    raise DataError(
        f"the weight of judge {judge} is {quoted(cells[place])}.",
        hint="a weight is a number of at least 0; 0 leaves a judge out.",
    )


def labels_of(table: Gathered, options: Options, name: str) -> tuple[list[str] | None, str]:
    """Return the stratum or cluster of each judge, and a note where some have none."""
    if name in table.about:
        return _filled(table, name)
    given = options.strata if name == "stratum" else options.clusters
    if given is None:
        return None, ""
    judges = _known(table)
    named = _inverted(given, name)
    labels = _checked(named, judges, "strata" if name == "stratum" else "clusters")
    default = labels.get(EVERY_OTHER_JUDGE)
    found = [labels.get(judge, default) for judge in judges]
    if None in found:
        raise UsageError(
            f"the sidecar gives no {name} for judge {quoted(judges[found.index(None)])}.",
            hint="name every judge, or add '*' for all the others.",
        )
    return [str(label) for label in found], ""


def _filled(table: Gathered, name: str) -> tuple[list[str], str]:
    """Return labels in which a judge without one is in no stratum, or is its own cluster."""
    names = table.about[name]
    empty = names.count("")
    if not empty:
        return names, ""
    if name == "stratum":
        note = f"{counted(empty, 'judge')} without a stratum form one called {NO_STRATUM}."
        return [label or NO_STRATUM for label in names], note
    judges = table.judges or [str(k) for k in range(1, len(names) + 1)]
    note = f"{counted(empty, 'judge')} without a cluster count as clusters of their own."
    return [label or judge for label, judge in zip(names, judges, strict=True)], note


def _known(table: Gathered) -> Sequence[str]:
    """Return, for each judge, the name by which a sidecar calls it."""
    judges = table.origins if table.origins is not None else table.judges
    if judges:
        return judges
    size = table.values.shape[1]
    width = len(str(size))
    return [f"judge_{j:0{width}}" for j in range(1, size + 1)]


def _inverted(given: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Return judge -> label, also from label = [judges]."""
    labels: dict[str, Any] = {}
    for key, value in given.items():
        pairs = (
            [(str(judge), key) for judge in value] if isinstance(value, list) else [(key, value)]
        )
        for judge, label in pairs:
            if labels.setdefault(judge, label) != label:
                raise UsageError(
                    f"the sidecar gives judge {quoted(judge)} two values of {name}: "
                    f"{quoted(labels[judge])} and {quoted(label)}.",
                    hint=f"name it once: a judge has one {name}.",
                )
    return labels


def _checked(given: Mapping[str, Any], judges: Sequence[str], kind: str) -> Mapping[str, Any]:
    known = set(judges)
    for name in given:
        if name not in known and name != EVERY_OTHER_JUDGE:
            raise UnknownNameError(f"judge in {kind}", name, known)
    return given

"""From a table to results: weights, strata and clusters of judges, by columns or a sidecar."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import filterfalse
from typing import Any, cast

import numpy as np

from deadheat.core.errors import (
    DataError,
    UnknownNameError,
    UsageError,
    command_with,
    counted,
    quoted,
    say,
)
from deadheat.core.types import Floats, MissingPolicy
from deadheat.data.reading.numbers import (
    BadCellError,
    Numbers,
)
from deadheat.data.reading.options import EQUAL_STRATA, REPLACED_BY, Options
from deadheat.data.reading.tables import Table
from deadheat.data.results import EVERY_OTHER_JUDGE, Results, checked_names, read_only

NO_STRATUM = "(none)"


def results_of(table: Table, options: Options, weights: Floats | None, **more: Any) -> Results:
    strata, no_stratum = _labels(table, options, "stratum")
    clusters, no_cluster = _labels(table, options, "cluster")
    if options.weight == EQUAL_STRATA:
        if strata is None:
            raise strata_needed(table.families)
        sizes = Counter(strata)
        weights = np.array([len(strata) / (len(sizes) * sizes[label]) for label in strata])
    return Results(
        scores=read_only(table.values),  # nobody else has it: it need not be copied
        candidates=table.candidates,
        judges=table.judges,
        judge_weights=weights,
        strata=strata,
        clusters=table.origins if clusters is None else clusters,
        standard_errors=table.errors,
        missing=cast("MissingPolicy", options.missing or "error"),
        tie_tol=0.0 if options.tie_tol is None else options.tie_tol,
        by=options.by or "",
        heading=options.heading or "",
        total=options.total or "",
        notes=tuple(filter(None, (*table.notes, no_stratum, no_cluster))),
        **more,
    )


def strata_needed(families: Sequence[str]) -> UsageError:
    """Return what is said where strata are to count the same, and there are none."""
    fact = f"{say('weight', EQUAL_STRATA)} needs strata, and the table has none."
    ways = [f"strata in {quoted(c)}: {command_with(stratum=c)}" for c in families]
    return UsageError(fact, hint="\n".join([*ways, f"without it: {command_with(weight=None)}"]))


def weights_of(table: Table, options: Options, numbers: Numbers) -> Floats | None:
    if "weight" in table.about:
        cells = table.about["weight"]
        try:
            weights = numbers.floats(cells).values
            place = int(np.argmax(np.isnan(weights)))
            if not np.isnan(weights[place]):
                return weights
        except BadCellError as bad:
            place = bad.place
        judge = quoted(table.judges[place]) if table.judges else f"{place + 1:,}"
        fact = f"the weight of judge {judge} is {quoted(cells[place])}."
        raise DataError(fact, hint="a weight is a number of at least 0; 0 leaves a judge out.")
    if options.weights is None:
        return None
    by_judge = _of_judges(table, options.weights, "weights", default=1)
    for judge, weight in by_judge:
        if isinstance(weight, bool) or not isinstance(weight, int | float):
            fact = f"the weight of judge {quoted(judge)} is {weight!r}, not a number."
            hint = f"in the sidecar, for instance: {judge} = 1.5; 0 leaves a judge out."
            raise UsageError(fact, hint=hint)
    return np.array([weight for _, weight in by_judge], dtype=np.float64)


def _labels(table: Table, options: Options, name: str) -> tuple[list[str] | None, str]:
    """Return the stratum or cluster of each judge, and a note where some have none."""
    labels = table.about.get(name)
    if labels is not None and "" in labels:
        without = f"{counted(labels.count(''), 'judge')} without a {name}"
        if name == "stratum":
            note = f"{without} form one called {NO_STRATUM}."
            return [label or NO_STRATUM for label in labels], note
        judges = table.judges or map(str, range(1, len(labels) + 1))
        pairs = zip(labels, judges, strict=True)
        return [one or other for one, other in pairs], f"{without} count as clusters of their own."
    given = getattr(options, REPLACED_BY[name])
    if labels is not None or given is None:
        return labels, ""
    by_judge = _of_judges(table, _label_by_judge(given, name), REPLACED_BY[name])
    judge = next((judge for judge, label in by_judge if label is None), None)
    if judge is not None:
        fact = f"the sidecar gives no {name} for judge {quoted(judge)}."
        raise UsageError(fact, hint="name every judge, or add '*' for all the others.")
    return [str(label) for _, label in by_judge], ""


def _label_by_judge(given: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Return judge -> label, also from label = [judges]."""
    labels: dict[str, Any] = {}
    for key, value in given.items():
        many = isinstance(value, list)
        for judge, label in [(str(judge), key) for judge in value] if many else [(key, value)]:
            if labels.setdefault(judge, label) != label:
                both = f"{quoted(labels[judge])} and {quoted(label)}"
                fact = f"the sidecar gives judge {quoted(judge)} two values of {name}: {both}."
                raise UsageError(fact, hint=f"name it once: a judge has one {name}.")
    return labels


def _of_judges(
    table: Table, given: Mapping[str, Any], kind: str, default: object = None
) -> list[tuple[str, Any]]:
    judges = table.origins if table.origins is not None else table.judges
    judges = judges or checked_names((), table.values.shape[1], "judge", "")
    known = {*judges, EVERY_OTHER_JUDGE}
    for name in filterfalse(known.__contains__, given):
        raise UnknownNameError(f"judge in {kind}", name, set(judges))
    default = given.get(EVERY_OTHER_JUDGE, default)
    return [(judge, given.get(judge, default)) for judge in judges]

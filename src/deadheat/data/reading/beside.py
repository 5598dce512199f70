"""Columns of a wide table that stand beside scores: ranks, counts, means, keys of rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from deadheat.core.errors import (
    UsageError,
    Words,
    command_with,
    listed,
    named,
    quoted,
)
from deadheat.core.types import Floats
from deadheat.core.weights import MISREAD
from deadheat.data.reading.column_names import (
    begins_as_summary,
    is_called,
    is_summary,
    stands_beside,
)
from deadheat.data.reading.layout import Wide
from deadheat.data.reading.options import Options
from deadheat.data.reading.preview import Head
from deadheat.data.reading.repeats import (
    together,
)
from deadheat.data.reading.uncertainty import (
    likely_errors,
)

FEW_NAMES = 8
LEAST_ROWS, LEAST_COLUMNS, MOST_COLUMNS = 3, 3, 1_000  # where a column may be a mean of others
SOME_ROWS = 100  # that are looked at together
ALIKE = 0.9  # correlation of a column called a mean with the mean of the others
LEAST_PLACES = 4  # that a column of ranks has: fewer may be scores by chance
LEAST_BLOCK = 3  # consecutive rows, on average, that share a key
ROUNDED = 0.02  # of the spread of a row: a mean may be written with few digits


def tells_about_scores(name: str) -> bool:
    return stands_beside(name) or is_summary(name)


def not_scores(
    across: Sequence[str], rows: Floats, head: Head, layout: Wide, options: Options
) -> list[Words]:
    """Ask about the columns that hold no scores by their names; remark on those that may not."""
    _refuse_beside(across, rows, head, layout, options)
    return [*_perhaps_beside(across, rows, head, layout, options)]


def _perhaps_beside(
    across: Sequence[str], rows: Floats, head: Head, layout: Wide, options: Options
) -> Iterator[Words]:
    """Say which columns have numbers that look like something else than scores, if any have."""
    if not {"candidate", "judge"}.isdisjoint(head.states):
        return
    said = {*options.keep, *options.named_judges}
    kind = "candidate" if layout.rows_are_judges else "judge"
    columns = range(len(across))
    why = dict.fromkeys(_means_of_others(rows, columns), "is the mean of the others in every row")
    if layout.rows_are_judges:
        why |= dict.fromkeys(_in_blocks(rows, columns), "numbers blocks of rows")
    else:
        order = "numbers the rows in the order of their means"
        why |= dict.fromkeys(_in_their_order(rows, columns), order)
    for k, what in why.items():
        if across[k] not in said:
            fact = f"{kind} {quoted(across[k])} {what}"
            text = f"{fact}; if it holds no scores: {command_with(ignore=[across[k]])}"
            yield Words(text, page=f"{fact}.", weight=MISREAD, good=False)


def _refuse_beside(
    across: Sequence[str], rows: Floats, head: Head, layout: Wide, options: Options
) -> None:
    """Ask about the columns that by name tell about scores rather than hold them, if any do.

    A format that knows which column names the rows knows what the others are.
    """
    if not {"candidate", "judge"}.isdisjoint(head.states):
        return
    said = {*options.keep, *options.named_judges}
    errors = () if layout.rows_are_judges or layout.errors else likely_errors(across, rows)
    errors = () if any(across[k] in said for k in errors) else errors
    beside = {k for k, name in enumerate(across) if tells_about_scores(name)} - {*errors}
    others = [k for k in range(len(across)) if k not in {*beside, *errors}]
    beside |= {k for k in others if begins_as_summary(across[k]) and _tracks(rows, k, others)}
    others = [k for k in others if k not in beside]
    again = [k for k in sorted(beside) if LEAST_BLOCK * len(np.unique(rows[:, k])) <= len(rows)]
    again = [k for k in again if not (across[k] in said or is_summary(across[k]))]
    again += _in_blocks(rows, [k for k in others if k not in beside], again) if again else []
    beside |= {*again}
    others = [k for k in others if k not in beside]
    names = [across[k] for k in sorted(beside) if across[k] not in said]
    if errors and others:
        raise _errors_beside([across[k] for k in errors], names, head)
    if not others or not names:
        return
    kind = "candidate" if layout.rows_are_judges else "judge"
    these = listed(map(quoted, names), most=FEW_NAMES)
    fact, it = f"column {these} is counted as a {kind}, but does not look like one", "it"
    holds = "it holds"
    if len(names) > 1:
        fact, it = f"columns {these} are counted as {kind}s, but do not look like them", "them"
        holds = "they hold"
    remedy: dict[str, Any] = {"ignore": names}
    ways = [f"to leave {it} out: {command_with(**remedy)}"]
    groups = [across[k] for k in again if across[k] in names]
    rest = {"ignore": left} if (left := [name for name in names if name not in groups]) else {}
    if layout.rows_are_judges and layout.label is None and groups:
        remedy = {"cluster": tuple(groups)} | rest
        strata = {"stratum": tuple(groups)} | rest
        each = f"rows of one {named(groups)}"
        ways = [f"if {each} are alike: {command_with(**remedy)}"]
        ways += [f"if {each} are drawn each for itself: {command_with(**strata)}"]
    elif layout.rows_are_judges and layout.combine != "error" and groups:
        remedy = {"judge": (*together(options, layout.names["judge"]), *groups)} | rest
        name = "name" if groups[1:] else "names"
        ways = [f"if {named(groups)} {name} judges too: {command_with(**remedy)}"]
    weights = [name for name in names if is_called(name, "weight")]
    if layout.rows_are_judges and len(weights) == 1 and not options.weight:
        left = [name for name in names if name not in weights]
        remedy = {"weight": weights[0]} | ({"ignore": left} if left else {})
        ways.insert(0, f"if it says how much each row counts: {command_with(**remedy)}")
    ways.append(f"if {holds} scores: {command_with(keep=names)}")
    raise UsageError(f"{head.source}: {fact}.", hint="\n".join(ways), remedy=remedy)


def _errors_beside(errors: Sequence[str], others: list[str], head: Head) -> UsageError:
    """Return what asks to keep the errors of the only scores, and to leave other columns out."""
    these = " and ".join(map(quoted, errors))
    fact = f"column {these} is counted as a judge, but says how far the scores may be off"
    it, holds = "it", "it holds"
    if len(errors) > 1:
        fact = f"columns {these} are counted as judges, but are the ends of an interval"
        it, holds = "them", "they hold"
    without = {"ignore": others} if others else {}
    remedy = {"standard_error": tuple(errors)} | without
    also = ""
    if others:
        more = listed(map(quoted, others), most=FEW_NAMES)
        some = f"columns {more} do" if len(others) > 1 else f"column {more} does"
        fact += f"; {some} not look like {'judges' if len(others) > 1 else 'one'} either"
        also = f", without {'the others' if len(others) > 1 else more}"
    ways = [
        f"to keep {it} as errors of the scores{also}: {command_with(**remedy)}",
        f"to leave {'all' if others else it} out: {command_with(ignore=[*errors, *others])}",
        f"if {holds} scores{also}: {command_with(keep=[*errors], **without)}",
    ]
    return UsageError(f"{head.source}: {fact}.", hint="\n".join(ways), remedy=remedy)


def _means_of_others(rows: Floats, columns: Sequence[int]) -> list[int]:
    """Return the only one of some columns that is their mean in every row, up to rounding.

    A row of equal scores tells nothing.
    """
    size, width = len(rows), len(columns)
    possible = size >= LEAST_ROWS and LEAST_COLUMNS <= width <= MOST_COLUMNS
    left, told = np.arange(width if possible else 0), 0
    with np.errstate(over="ignore", invalid="ignore"):
        for start in range(0, size if possible else 0, SOME_ROWS):
            some = rows[start : start + SOME_ROWS, columns]
            spreads = np.ptp(some, axis=1, keepdims=True)
            means = (some.sum(axis=1, keepdims=True) - some[:, left]) / (width - 1)
            near = np.abs(some[:, left] - means) <= ROUNDED * spreads
            left, told = left[near.all(axis=0)], told + int((spreads > 0).sum())
            if not len(left):
                break
    return [columns[k] for k in left.tolist()] if len(left) == 1 and told >= LEAST_ROWS else []


def _tracks(rows: Floats, k: int, columns: Sequence[int]) -> bool:
    """Return whether a column rises and falls with the mean of the others."""
    means, its = _means(rows, k, columns), rows[:, k]
    known = np.isfinite(means) & np.isfinite(its)
    if known.sum() < LEAST_ROWS:
        return False
    means, its = means[known] - means[known].mean(), its[known] - its[known].mean()
    spread = float(np.sqrt((means**2).sum() * (its**2).sum()))
    return spread > 0 and float(means @ its) >= ALIKE * spread


def _in_blocks(rows: Floats, columns: Sequence[int], groups: Sequence[int] = ()) -> list[int]:
    """Return columns that number blocks of rows: whole numbers that rise from block to block.

    Within the groups that some columns tell, also fractions: 0.1 and 0.2 for each of some sizes. A
    baseline that is constant within each data set rises and falls.
    """
    new = np.zeros(max(len(rows) - 1, 0), dtype=bool)
    for k in groups:
        new |= rows[1:, k] != rows[:-1, k]
    found = []
    for k in columns if LEAST_COLUMNS <= len(columns) <= MOST_COLUMNS else ():
        steps = np.diff(rows[:, k])
        blocks, most = 1 + int((steps != 0).sum()), len(rows) // LEAST_BLOCK
        whole = groups or (rows[:, k] % 1 == 0).all()
        if 1 + int(new.sum()) < blocks <= most and (steps >= 0)[~new].all() and whole:
            found.append(k)
    return found


def _in_their_order(rows: Floats, columns: Sequence[int]) -> list[int]:
    """Return columns that number the rows in the order of their means of the other columns."""
    size = len(rows)
    if size < LEAST_PLACES:
        return []
    places = np.arange(1, size + 1)
    found = []
    for k in (k for k in columns if (np.sort(rows[:, k]) == places).all()):
        steps = np.diff(_means(rows, k, columns)[np.argsort(rows[:, k])])
        if (steps < 0).all() or (steps > 0).all():
            found.append(k)
    return found


def _means(rows: Floats, k: int, columns: Sequence[int]) -> Floats:
    others = [other for other in columns if other != k]
    return rows[:, others].mean(axis=1) if others else np.full(len(rows), np.nan)

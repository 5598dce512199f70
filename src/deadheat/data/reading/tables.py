"""Wide tables: one row per candidate and one column per judge, or the other way round."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence

import numpy as np

from deadheat.data.gathered import Gathered, refuse_mixed_percent
from deadheat.data.head import Head
from deadheat.data.mistakes import (
    FIRST_ROWS,
    bad_score,
    beside_the_number,
    header_again,
    header_below,
    like_a_header,
)
from deadheat.data.names import look_alikes, unique
from deadheat.data.numbers import BadCellError, Numbers, looks_numeric, matrix
from deadheat.data.orientation import Wide
from deadheat.data.roles import is_summary, names_rows, role_of, stands_beside
from deadheat.data.stream import Block
from deadheat.data.where import Filter
from deadheat.data.wording import both, flag, said_with
from deadheat.errors import DataError, listed, quoted
from deadheat.memory import Meter
from deadheat.typing import Booleans, Floats

FEW_NAMES = 8
LEAST_ROWS, LEAST_COLUMNS, MOST_COLUMNS = 3, 3, 1_000  # where a column may be a mean of others
SOME_ROWS = 100  # that are looked at together
ROUNDED = 1e-3  # of a mean that was written with few digits
CELL = 24  # bytes that a score takes at most, when the rows are put together
NAME = 250  # bytes that the label of a row takes, with its place


class _Rows:
    """The rows of a wide table so far."""

    def __init__(self, source: str) -> None:
        self.meter = Meter(source)
        self.values: list[Floats] = []
        self.percent: list[Booleans | None] = []
        self.labels: list[str] = []
        self.lines: list[int] = []
        self.about: dict[str, list[str]] = {}


def gather_wide(
    blocks: Iterable[Block], layout: Wide, head: Head, numbers: Numbers, keep: Filter
) -> Gathered:
    """Return the scores of a wide table."""
    rows = _Rows(head.source)
    for whole in blocks:
        block = keep(whole)
        if block.size:
            _add(rows, block, layout, head, numbers)
            if layout.undecided is not None:
                _unique_labels(rows, layout, head)
                raise layout.undecided
    if not rows.values:
        raise keep.nothing_left() if keep.conditions else header_only(head.source)
    return _oriented(rows, layout, head)


def header_only(source: str) -> DataError:
    """Return the error for a table without rows."""
    return DataError(
        f"{source} has a header but no rows: nothing to rank.",
        hint="each candidate (or judge, or score in a long table) needs a row.",
    )


def _add(rows: _Rows, block: Block, layout: Wide, head: Head, numbers: Numbers) -> None:
    rows.meter.add(block.size * (CELL * len(layout.scores) + NAME))
    try:
        values, percent = matrix(block, layout.scores, numbers)
    except BadCellError as bad:
        raise _explained(bad, block, layout, head, numbers) from None
    rows.values.append(values)
    rows.percent.append(percent)
    rows.lines.extend(block.lines)
    if layout.label is not None:
        rows.labels.extend(map(head.name, block.text(layout.label)))
    for name, k in layout.about.items():
        rows.about.setdefault(name, []).extend(map(head.name, block.text(k)))


def _explained(
    bad: BadCellError, block: Block, layout: Wide, head: Head, numbers: Numbers
) -> DataError:
    row, position = divmod(bad.place, len(layout.scores))
    k = layout.scores[position]
    column, line = quoted(head.columns[k]), block.lines[row]
    cells = block.text(k)
    words = not bad.infinite and not beside_the_number(bad.text)
    if words and block.size > 1 and not any(map(looks_numeric, cells)):
        found = listed(dict.fromkeys(quoted((cell or "").strip()) for cell in cells), most=3)
        return DataError(
            f"{head.source}: column {column} holds text ({found}), not scores.",
            hint=_use_of(head.columns[k], layout, head),
        )
    hint = _header_hint(block.of_rows([row]), layout, head) if words else ""
    if hint:
        fact = f"{head.source}: {head.unit} {line:,}, column {column}: {quoted(bad.text)}"
        return DataError(f"{fact} is not a number.", hint=hint)
    place = f"{head.unit} {line:,}, column {column}"
    return bad_score(bad, head.source, place, numbers.decimal)


def _use_of(column: str, layout: Wide, head: Head) -> str:
    """Return what to say about a column of text."""
    role = role_of(column)
    label = role_of(head.columns[layout.label]) if layout.label is not None else ""
    other = (
        f"use it with --stratum, --cluster or --where, or leave it out: {flag('ignore', column)}, "
        f"or ignore = [{json.dumps(column)}] in a sidecar file"
    )
    unlike = role != label if role and label else not (role or label)
    if layout.long and unlike:
        return f"if it is a long table: {layout.long}; else {other}."
    first = f"if it names the {role}s, say {both(role, column)}; else " if role else ""
    last = f", or read a long table: {layout.long}" if layout.long else ""
    return f"{first}{other}{last}."


def _header_hint(row: Block, layout: Wide, head: Head) -> str:
    """Return what to do about a row that looks like a header that others stand above of."""
    label = (row.text(layout.label)[0] if layout.label is not None else "") or ""
    if not like_a_header(label, [row.text(k)[0] for k in layout.scores]):
        return ""
    if head.first is not None and row.lines[0] < head.first.lines[0] + FIRST_ROWS:
        return header_below(head.unit, row.lines[0])
    return header_again(head.unit, row.lines[0]) if names_rows(label) else ""


def _oriented(rows: _Rows, layout: Wide, head: Head) -> Gathered:
    across = [head.name(head.columns[k]) for k in layout.scores] if head.named else []
    kinds = _kinds(layout)
    down = _unique_labels(rows, layout, head)
    column_of, line_of = _places(rows, layout, head)
    unique(across, kinds[1], head.source, column_of)
    alike = (*look_alikes(down, kinds[0], line_of), *look_alikes(across, kinds[1], column_of))
    judges, candidates = (down, across) if layout.rows_are_judges else (across, down)
    shape = (len(rows.lines), len(layout.scores))
    marked = any(part is not None for part in rows.percent)
    percent = _whole_marks(rows, shape[1]) if marked else None
    values = _stacked(rows.values, shape, turned=layout.rows_are_judges)
    if percent is not None:
        turned = percent.T if layout.rows_are_judges else percent
        refuse_mixed_percent(values, turned, judges, head.source)
    beside = _beside_scores(across, kinds[1], values.T if layout.rows_are_judges else values)
    return Gathered(
        values=values,
        candidates=candidates,
        judges=judges,
        about=rows.about,
        facts=layout.facts,
        notes=(*layout.notes, *alike, *_summaries(down, kinds[0], layout, head), *beside),
    )


def _kinds(layout: Wide) -> tuple[str, str]:
    return ("judge", "candidate") if layout.rows_are_judges else ("candidate", "judge")


def _unique_labels(rows: _Rows, layout: Wide, head: Head) -> Sequence[str]:
    line_of = _places(rows, layout, head)[1]
    kind = _kinds(layout)[0] if layout.undecided is None else "row"
    return unique(rows.labels, kind, head.source, line_of, long=layout.long)


def _places(
    rows: _Rows, layout: Wide, head: Head
) -> tuple[Callable[[int], str], Callable[[int], str]]:
    """Return what says where a column of scores and where a row stands."""
    return (
        lambda i: f"column {layout.scores[i] + 1:,}",
        lambda i: f"{head.unit} {rows.lines[i]:,}",
    )


def _summaries(down: Sequence[str], kind: str, layout: Wide, head: Head) -> list[str]:
    """Return a note for each row that seems to sum up the others."""
    label = head.columns[layout.label] if layout.label is not None and head.named else ""
    role = "competitor" if kind == "candidate" else "judge"
    return [
        f"{kind} {quoted(name)} looks like a summary, not a {role}; "
        + (f"to leave it out: {said_with('where', f'{label}!={name}')}" if label else "remove it?")
        for name in filter(is_summary, down)
    ]


def _beside_scores(across: Sequence[str], kind: str, rows: Floats) -> list[str]:
    """Return a note on the columns that tell about scores rather than hold them, if any do.

    ``rows`` are the scores as the file has them. Where all columns are such, they are the scores.
    """
    found = {k for k, name in enumerate(across) if stands_beside(name) or is_summary(name)}
    others = [k for k in range(len(across)) if k not in found]
    if not others:
        return []
    found.update(_means_of_others(rows, others))
    names = [across[k] for k in sorted(found)]
    if not names:
        return []
    said = listed(map(quoted, names), most=FEW_NAMES)
    way = said_with("ignore", *names)
    if len(names) == 1:
        return [f"column {said} looks like no {kind}, yet is read as one; to leave it out: {way}"]
    told = f"columns {said} look like no {kind}s, yet are read as such"
    return [f"{told}; to leave them out: {way}"]


def _means_of_others(rows: Floats, columns: Sequence[int]) -> list[int]:
    """Return the only one of some columns that is their mean in every row, up to rounding.

    It takes some rows at a time, and few: in most tables the first tell that there is none.
    """
    size, width = len(rows), len(columns)
    if size < LEAST_ROWS or not LEAST_COLUMNS <= width <= MOST_COLUMNS:
        return []
    left = np.arange(width)
    with np.errstate(over="ignore", invalid="ignore"):
        for start in range(0, size, SOME_ROWS):
            some = rows[start : start + SOME_ROWS, columns]
            found = some[:, left]
            others = (some.sum(axis=1, keepdims=True) - found) / (width - 1)
            left = left[(np.abs(found - others) <= ROUNDED * np.abs(others)).all(axis=0)]
            if not len(left):
                return []
    return [columns[k] for k in left.tolist()] if len(left) == 1 else []


def _whole_marks(rows: _Rows, width: int) -> Booleans:
    pairs = zip(rows.percent, rows.values, strict=True)
    return np.concatenate(
        [np.zeros((len(v), width), dtype=bool) if p is None else p for p, v in pairs]
    )


def _stacked(parts: list[Floats], shape: Sequence[int], *, turned: bool) -> Floats:
    """Return the blocks as one table, candidates first, freeing each block on the way."""
    if len(parts) == 1 and not turned:
        return parts[0]
    table = np.empty((shape[1], shape[0]) if turned else tuple(shape))
    parts.reverse()
    done = 0
    while parts:
        part = parts.pop()
        stop = done + len(part)
        if turned:
            table[:, done:stop] = part.T
        else:
            table[done:stop] = part
        done = stop
    return table

"""Wide tables: one row per candidate and one column per judge, or the other way round."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

import numpy as np

from deadheat.data.gathered import Gathered, refuse_mixed_percent
from deadheat.data.head import Head
from deadheat.data.mistakes import FIRST_ROWS, bad_score, header_below, like_a_header
from deadheat.data.names import unique
from deadheat.data.numbers import BadCellError, Numbers, looks_numeric, matrix
from deadheat.data.orientation import Wide
from deadheat.data.roles import is_summary, role_of
from deadheat.data.stream import Block
from deadheat.data.where import Filter
from deadheat.data.wording import both, flag
from deadheat.errors import DataError, listed, quoted
from deadheat.memory import Meter
from deadheat.typing import Booleans, Floats

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
    if not bad.infinite and block.size > 1 and not any(map(looks_numeric, cells)):
        found = listed(dict.fromkeys(quoted((cell or "").strip()) for cell in cells), most=3)
        return DataError(
            f"{head.source}: column {column} holds text ({found}), not scores.",
            hint=_use_of(head.columns[k], layout, head),
        )
    if not bad.infinite and _is_header(block.of_rows([row]), layout, head):
        fact = f"{head.source}: {head.unit} {line:,}, column {column}: {quoted(bad.text)}"
        return DataError(f"{fact} is not a number.", hint=header_below(head.unit, line))
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


def _is_header(row: Block, layout: Wide, head: Head) -> bool:
    """Return whether one of the first rows looks like a header that others stand above of."""
    if head.first is None or row.lines[0] >= head.first.lines[0] + FIRST_ROWS:
        return False
    label = row.text(layout.label)[0] if layout.label is not None else ""
    return like_a_header(label or "", [row.text(k)[0] for k in layout.scores])


def _oriented(rows: _Rows, layout: Wide, head: Head) -> Gathered:
    across = [head.name(head.columns[k]) for k in layout.scores] if head.named else []
    kinds = ("judge", "candidate") if layout.rows_are_judges else ("candidate", "judge")
    lines = [f"{head.unit} {line:,}" for line in rows.lines]
    down = unique(rows.labels, kinds[0], head.source, lines.__getitem__, long=layout.long)
    unique(across, kinds[1], head.source, lambda i: f"column {layout.scores[i] + 1:,}")
    judges, candidates = (down, across) if layout.rows_are_judges else (across, down)
    shape = (len(rows.lines), len(layout.scores))
    marked = any(part is not None for part in rows.percent)
    percent = _whole_marks(rows, shape[1]) if marked else None
    values = _stacked(rows.values, shape, turned=layout.rows_are_judges)
    if percent is not None:
        turned = percent.T if layout.rows_are_judges else percent
        refuse_mixed_percent(values, turned, judges, head.source)
    return Gathered(
        values=values,
        candidates=candidates,
        judges=judges,
        about=rows.about,
        facts=layout.facts,
        notes=(*layout.notes, *_summaries(down, across, kinds, layout, head)),
    )


def _summaries(
    down: Sequence[str], across: Sequence[str], kinds: Sequence[str], layout: Wide, head: Head
) -> list[str]:
    """Return a note for each row and column that seems to sum up the others."""
    label = head.columns[layout.label] if layout.label is not None and head.named else ""
    told = []
    for kind, names, in_rows in ((kinds[0], down, True), (kinds[1], across, False)):
        for name in filter(is_summary, names):
            if in_rows:
                way = f"{flag('where', f'{label}!={name}')} does." if label else "Remove the row."
            else:
                way = f"{flag('ignore', name)} does."
            role = "competitor" if kind == "candidate" else "judge"
            told.append(
                f"{kind} {quoted(name)} looks like a summary, not a {role}; leave it out? {way}"
            )
    return told


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

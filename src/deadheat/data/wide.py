"""Wide tables: one row per candidate and one column per judge, or the other way round."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

import numpy as np

from deadheat.data.gathered import Gathered, bad_score, refuse_mixed_percent
from deadheat.data.layout import Head, Wide
from deadheat.data.names import name_of, unique
from deadheat.data.numbers import BadCellError, Numbers, looks_numeric, matrix
from deadheat.data.stream import Block
from deadheat.data.where import Filter
from deadheat.errors import DataError, listed, quoted
from deadheat.typing import Booleans, Floats


class _Rows:
    """The rows of a wide table so far."""

    def __init__(self) -> None:
        self.values: list[Floats] = []
        self.percent: list[Booleans | None] = []
        self.labels: list[str] = []
        self.lines: list[int] = []
        self.about: dict[str, list[str | None]] = {}


def gather_wide(
    blocks: Iterable[Block], layout: Wide, head: Head, numbers: Numbers, keep: Filter, unit: str
) -> Gathered:
    """Return the scores of a wide table."""
    rows = _Rows()
    for whole in blocks:
        block = keep(whole)
        if block.size:
            _add(rows, block, layout, head, numbers, unit)
    if not rows.values:
        raise keep.nothing_left() if keep.conditions else header_only(head.source)
    return _oriented(rows, layout, head, unit)


def header_only(source: str) -> DataError:
    """Return the error for a table without rows."""
    return DataError(
        f"{source} has a header but no rows: nothing to rank.",
        hint="each candidate (or judge, or score in a long table) needs a row.",
    )


def _add(rows: _Rows, block: Block, layout: Wide, head: Head, numbers: Numbers, unit: str) -> None:
    try:
        values, percent = matrix(block, layout.scores, numbers)
    except BadCellError as bad:
        raise _explained(bad, block, layout, head, numbers, unit) from None
    rows.values.append(values)
    rows.percent.append(percent)
    rows.lines.extend(block.lines)
    if layout.label is not None:
        rows.labels.extend(map(name_of, block.text(layout.label)))
    for name, k in layout.about.items():
        rows.about.setdefault(name, []).extend(block.text(k))


def _explained(
    bad: BadCellError, block: Block, layout: Wide, head: Head, numbers: Numbers, unit: str
) -> DataError:
    row, position = divmod(bad.place, len(layout.scores))
    k = layout.scores[position]
    column = quoted(head.columns[k])
    cells = block.text(k)
    if not bad.infinite and block.size > 1 and not any(map(looks_numeric, cells)):
        found = listed(dict.fromkeys(quoted((cell or "").strip()) for cell in cells), most=3)
        return DataError(
            f"{head.source}: column {column} holds text ({found}), not scores.",
            hint=f"use it with --stratum, --cluster or --where, or list it as ignore = "
            f"[{json.dumps(head.columns[k])}] in a sidecar file{layout.hint}.",
        )
    return bad_score(
        bad, head.source, f"{unit} {block.lines[row]:,}, column {column}", numbers.decimal
    )


def _oriented(rows: _Rows, layout: Wide, head: Head, unit: str) -> Gathered:
    across = [name_of(head.columns[k]) for k in layout.scores] if head.named else []
    kinds = ("judge", "candidate") if layout.rows_are_judges else ("candidate", "judge")
    down = unique(rows.labels, kinds[0], head.source, lambda i: f"{unit} {rows.lines[i]:,}")
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
        notes=layout.notes,
    )


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

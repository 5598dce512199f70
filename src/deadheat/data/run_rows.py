"""Rows of runs, block by block, into one :class:`Runs`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from deadheat.data.cells import occurrences
from deadheat.data.head import Head
from deadheat.data.long import Codes, coded_column, first_places
from deadheat.data.mistakes import bad_score
from deadheat.data.names import look_alikes
from deadheat.data.numbers import BadCellError, Numbers, matrix
from deadheat.data.options import Options
from deadheat.data.run_columns import RunColumns
from deadheat.data.runs import Runs
from deadheat.data.status import verified_words
from deadheat.data.stream import Block
from deadheat.data.where import Filter
from deadheat.data.wide import header_only
from deadheat.errors import quoted
from deadheat.memory import Meter
from deadheat.typing import Floats, Integers

NUMBERS = ("time", "quality", "cutoff", "reference", "weight")
NAMED = ("candidate", "instance")
FREE = ("seed", "stratum", "cluster", "status", "verified")
NO_STRATUM = "(none)"
ROW = 170  # bytes that a run takes at most, when runs are put together and checked


class _Rows:
    """The columns so far: names and words as codes, numbers as they are."""

    def __init__(self, layout: RunColumns, head: Head) -> None:
        self.head = head
        places = {"candidate": layout.candidate, "instance": layout.judge}
        places |= {_FIELDS.get(role, role): k for role, k in layout.columns.items()}
        places |= layout.about
        self.names = {name: k for name, k in places.items() if name not in NUMBERS}
        self.numeric = {name: k for name, k in places.items() if name in NUMBERS}
        self.codes = {name: Codes(head.name, anything=name not in NAMED) for name in self.names}
        self.parts: dict[str, list[Integers]] = {name: [] for name in self.names}
        self.values: list[Floats] = []
        self.lines: list[Integers] = []
        self.meter = Meter(head.source)

    def add(self, block: Block, numbers: Numbers) -> None:
        """Add the rows of a block."""
        self.meter.add(ROW * block.size)
        chosen = list(self.numeric.values())
        if chosen:
            try:
                values, _ = matrix(block, chosen, numbers)
            except BadCellError as bad:
                row, k = divmod(bad.place, len(chosen))
                column = quoted(self.head.columns[chosen[k]])
                place = f"{self.head.unit} {block.lines[row]:,}, column {column}"
                raise bad_score(bad, self.head.source, place, numbers.decimal) from None
            self.values.append(values)
        for name, k in self.names.items():
            word = {"instance": "judge"}.get(name, name)
            codes = coded_column(self.codes[name], word, k, block, self.head, self.meter)
            self.parts[name].append(codes)
        self.lines.append(np.asarray(block.lines, dtype=np.int64))

    def columns(self) -> dict[str, Any]:
        """Return every column whole, and the names behind the codes."""
        found: dict[str, Any] = {name: np.concatenate(p) for name, p in self.parts.items()}
        whole = np.concatenate(self.values) if self.values else np.empty((0, 0))
        found |= {name: whole[:, k].copy() for k, name in enumerate(self.numeric)}
        return found | {"lines": np.concatenate(self.lines)}

    def words(self, name: str) -> list[str]:
        """Return the names or words that the codes of a column stand for."""
        return list(self.codes[name].names)


_FIELDS = {"repeat": "seed"}


def gather_runs(
    blocks: Iterable[Block],
    layout: RunColumns,
    head: Head,
    numbers: Numbers,
    keep: Filter,
    options: Options,
) -> Runs:
    """Return the runs of a table, whatever the order of its rows."""
    rows = _Rows(layout, head)
    for whole in blocks:
        block = keep(whole)
        if block.size:
            rows.add(block, numbers)
    if not rows.lines:
        raise keep.nothing_left() if keep.conditions else header_only(head.source)
    columns = rows.columns()
    size = len(columns["lines"])
    if layout.cutoff is not None:
        columns["cutoff"] = np.full(size, layout.cutoff)
    _name(columns, rows)
    _seeds(columns, rows, options, said=layout.repeat_said)
    alike = [
        note
        for kind, codes in (("candidate", "candidate"), ("judge", "instance"))
        for note in look_alikes(
            columns[f"{codes}s"], kind, first_places(columns[codes], columns["lines"], head.unit)
        )
    ]
    return Runs(
        **columns,
        notes=tuple(alike),
        statuses=options.statuses,
        late=options.late or "error",
        unit=head.unit,
        source=head.source,
        reading=layout.facts,
    ).in_order()


def _name(columns: dict[str, Any], rows: _Rows) -> None:
    """Give every column of codes its names, and turn words about the runs into what they mean."""
    for name, names in (("candidate", "candidates"), ("instance", "instances")):
        columns[names] = rows.words(name)
    if "stratum" in columns:
        columns["strata"] = [word or NO_STRATUM for word in rows.words("stratum")]
    if "cluster" in columns:
        columns["clusters"] = rows.words("cluster")
    if "status" in columns:
        columns["status"] = np.array(rows.words("status"), dtype=object)[columns["status"]]
    if "verified" in columns:
        known = verified_words(rows.words("verified"), source=rows.head.source)
        columns["verified"] = known[columns["verified"]]


def _seeds(columns: dict[str, Any], rows: _Rows, options: Options, *, said: bool) -> None:
    """Keep the seeds where they tell runs apart; number the runs where that was asked for."""
    pairs = columns["candidate"].astype(np.int64) * len(columns["instances"]) + columns["instance"]
    if "stratum" in columns:
        pairs = pairs * len(columns["strata"]) + columns["stratum"]
    several = len(np.unique(pairs)) < len(pairs)
    if "seed" in columns:
        seeds = rows.words("seed")
        if (several or said) and len(seeds) > 1:
            columns["seeds"] = seeds
        else:
            del columns["seed"]
    elif several and options.combine in {"judges", "mean"}:
        columns["seed"] = occurrences(pairs)
        columns["seeds"] = [str(k + 1) for k in range(int(columns["seed"].max()) + 1)]

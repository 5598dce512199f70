"""The collector of tables: wide or long cells become scores of candidates by judges."""

from __future__ import annotations

import json
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, cast

import numpy as np

from deadheat.core.errors import (
    DataError,
    NotOneScoreError,
    TwoValuesError,
    UnknownNameError,
    UsageError,
    counted,
    listed,
    quoted,
    said_with,
    say,
)
from deadheat.core.memory import Meter, require
from deadheat.core.types import Booleans, Floats, Integers, MissingPolicy
from deadheat.data.reading.column_names import is_summary, names_rows, role_of, stands_beside
from deadheat.data.reading.layout import Long, Wide
from deadheat.data.reading.numbers import (
    FIRST_ROWS,
    BadCellError,
    Numbers,
    bad_score,
    beside_the_number,
    header_again,
    header_below,
    like_a_header,
    looks_numeric,
    matrix,
)
from deadheat.data.reading.options import REPLACED_BY, Options
from deadheat.data.reading.preview import Head, look_alikes, unique
from deadheat.data.reading.source import Block, Facts
from deadheat.data.results import EVERY_OTHER_JUDGE, Results, given_names, read_only
from deadheat.data.runs import first_repeat


@dataclass(frozen=True, kw_only=True)
class Table:
    """Candidates x judges as they were written, before directions and policies.

    ``about`` holds the cells of the stratum, cluster and weight columns, one per judge. Of a long
    table, ``judge_codes`` says which judge of the file each column is, and ``origins`` how that
    judge is called where its repeats became judges.
    """

    values: Floats
    candidates: Sequence[str] = ()
    judges: Sequence[str] = ()
    judge_codes: Sequence[int] = ()
    about: dict[str, list[str]] = field(default_factory=dict)
    origins: Sequence[str] | None = None
    facts: Facts = ()
    notes: tuple[str, ...] = ()


def _refuse_mixed_percent(mixed: Any, judges: Sequence[str], source: str) -> None:
    if mixed.any():
        j = int(np.argmax(mixed))
        judge = quoted(judges[j]) if judges else f"{j + 1:,}"
        raise DataError(
            f"{source}: judge {judge} has scores with and without a percent sign.",
            hint="write all of them in one way: 91.2% and 0.912 would not be comparable.",
        )


# ------------------------------------------------------------------------------
# Wide tables: one row per candidate or judge.

FEW_NAMES = 8
LEAST_ROWS, LEAST_COLUMNS, MOST_COLUMNS = 3, 3, 1_000  # where a column may be a mean of others
SOME_ROWS = 100  # that are looked at together
ROUNDED = 1e-3  # of a mean that was written with few digits
CELL = 24  # bytes that a score takes at most, when the rows are put together
NAME = 250  # bytes that the label of a row takes, with its place


def wide_table(head: Head, layout: Wide, numbers: Numbers) -> Table:
    def column(i: int) -> str:
        return f"column {layout.scores[i] + 1:,}"

    label = {} if layout.label is None else {"label": layout.label}
    rows = Columns(
        head,
        label | layout.about,
        {str(k): k for k in layout.scores},
        row=CELL * len(layout.scores),
        anything=("label", *layout.about),
        explained=partial(_explained, layout, head),
    )
    turned = layout.rows_are_judges
    kinds = ("judge", "candidate") if turned else ("candidate", "judge")
    for block in head.rows():
        rows.add(block, numbers)
        if layout.undecided is not None:
            unique(rows.texts("label"), "row", head.source, rows.place, long=layout.long)
            raise layout.undecided
    down = unique(rows.texts("label"), kinds[0], head.source, rows.place, long=layout.long)
    across = [head.name(head.columns[k]) for k in layout.scores] if head.named else []
    unique(across, kinds[1], head.source, column)
    alike = (*look_alikes(down, kinds[0], rows.place), *look_alikes(across, kinds[1], column))
    judges, candidates = (down, across) if turned else (across, down)
    percent = rows.percent()
    values = _stacked(rows.values, rows.size, turned=turned)
    if percent is not None:
        percent = percent.T if turned else percent
        written = ~np.isnan(values)
        with_sign, without = ((written & each).any(axis=0) for each in (percent, ~percent))
        _refuse_mixed_percent(with_sign & without, judges, head.source)
    beside = _beside_scores(across, kinds[1], values.T if turned else values)
    return Table(
        values=values,
        candidates=candidates,
        judges=judges,
        about={name: rows.texts(name) for name in layout.about},
        facts=layout.facts,
        notes=(*layout.notes, *alike, *_summaries(down, kinds[0], layout, head), *beside),
    )


def _explained(
    layout: Wide, head: Head, bad: BadCellError, block: Block, row: int, k: int
) -> DataError | None:
    """Return what is wrong with a cell of words, if that can be told."""
    column, line = quoted(head.columns[k]), block.lines[row]
    cells = block.text(k)
    if bad.infinite or beside_the_number(bad.text):
        return None
    if block.size > 1 and not any(map(looks_numeric, cells)):
        found = listed(dict.fromkeys(quoted((cell or "").strip()) for cell in cells), most=3)
        return NotOneScoreError(
            f"{head.source}: column {column} holds text ({found}), not scores.",
            hint=_use_of(head.columns[k], layout, head),
        )
    label = (block.text(layout.label)[row] if layout.label is not None else "") or ""
    names = like_a_header(label, [block.text(k)[row] for k in layout.scores])
    near = head.first is not None and line < head.first.lines[0] + FIRST_ROWS
    if not names or not (near or names_rows(label)):
        return None
    return DataError(
        f"{head.source}: {head.unit} {line:,}, column {column}: {quoted(bad.text)} is not a "
        "number.",
        hint=header_below(head.unit, line) if near else header_again(head.unit, line),
    )


def _use_of(column: str, layout: Wide, head: Head) -> str:
    role = role_of(column)
    label = role_of(head.columns[layout.label]) if layout.label is not None else ""
    other = (
        f"use it with {say('stratum')}, {say('cluster')} or {say('where')}, or leave it out: "
        f"{say('ignore', column)}, or ignore = [{json.dumps(column)}] in a sidecar file"
    )
    unlike = role != label if role and label else not (role or label)
    if layout.long and unlike:
        return f"if it is a long table: {layout.long}; else {other}."
    first = f"if it names the {role}s, say {say(role, column)}; else " if role else ""
    last = f", or read a long table: {layout.long}" if layout.long else ""
    return f"{first}{other}{last}."


def _summaries(down: Sequence[str], kind: str, layout: Wide, head: Head) -> list[str]:
    label = head.columns[layout.label] if layout.label is not None and head.named else ""
    role = "competitor" if kind == "candidate" else "judge"
    return [
        f"{kind} {quoted(name)} looks like a summary, not a {role}; "
        + (f"to leave it out: {said_with('where', f'{label}!={name}')}" if label else "remove it?")
        for name in filter(is_summary, down)
    ]


def _beside_scores(across: Sequence[str], kind: str, rows: Floats) -> list[str]:
    """Return a note on the columns that tell about scores rather than hold them, if any do."""
    found = {k for k, name in enumerate(across) if stands_beside(name) or is_summary(name)}
    others = [k for k in range(len(across)) if k not in found]
    if not others:
        return []
    found.update(_means_of_others(rows, others))
    names = [across[k] for k in sorted(found)]
    if not names:
        return []
    said = listed(map(quoted, names), most=FEW_NAMES)
    told = f"column {said} looks like no {kind}, yet is read as one; to leave it out"
    if len(names) > 1:
        told = f"columns {said} look like no {kind}s, yet are read as such; to leave them out"
    return [f"{told}: {said_with('ignore', *names)}"]


def _means_of_others(rows: Floats, columns: Sequence[int]) -> list[int]:
    """Return the only one of some columns that is their mean in every row, up to rounding."""
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


def _stacked(parts: list[Floats], size: int, *, turned: bool) -> Floats:
    """Return the blocks as one table, candidates first, freeing each block on the way."""
    if len(parts) == 1 and not turned:
        return parts[0]
    width = parts[0].shape[1]
    table = np.empty((width, size) if turned else (size, width))
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


# ------------------------------------------------------------------------------
# Long tables: one row per score; runs are collected alike.

ROW = 90  # bytes that a row takes at most, when rows are put together and repeats looked for


class NoNameError(ValueError):
    """A cell in the place of a name is empty."""


class Codes(dict[str | None, int]):
    """Number the names in the order of their appearance; several spellings share one.

    With ``anything`` a cell may also be empty, as the words of a column may that names nobody.
    """

    def __init__(self, name_of: Callable[[str | None], str], *, anything: bool = False) -> None:
        super().__init__()
        self.names: dict[str, int] = {}
        self._name_of, self._anything = name_of, anything

    def __missing__(self, cell: str | None) -> int:
        name = self._name_of(cell)
        if not name and not self._anything:
            raise NoNameError
        code = self.names.setdefault(name, len(self.names))
        self[cell] = code
        return code


class Columns:
    """The columns of a table with one row per score or run, block by block.

    Names and words become codes; those of the roles ``anything`` may be empty. Numbers stay as they
    are. ``row`` is the number of bytes that a row takes.
    """

    def __init__(
        self,
        head: Head,
        names: Mapping[str, int],
        numeric: Mapping[str, int],
        *,
        row: int,
        anything: Container[str] = (),
        explained: Callable[[BadCellError, Block, int, int], DataError | None] = lambda *_: None,
    ) -> None:
        self.head, self._names, self._numeric, self._row = head, names, numeric, row
        self._explained = explained
        self.codes = {role: Codes(head.name, anything=role in anything) for role in names}
        self._parts: dict[str, list[Integers]] = {role: [] for role in names}
        self.values: list[Floats] = []
        self._percent: list[Booleans | None] = []
        self._lines: list[Integers] = []
        self._meter = Meter(head.source)

    def add(self, block: Block, numbers: Numbers) -> None:
        self._meter.add(self._row * block.size)
        chosen = list(self._numeric.values())
        try:
            values, percent = matrix(block, chosen, numbers)
        except BadCellError as bad:
            row, position = divmod(bad.place, len(chosen))
            k = chosen[position]
            place = f"{self.head.unit} {block.lines[row]:,}, column {quoted(self.head.columns[k])}"
            told = self._explained(bad, block, row, k)
            raise told or bad_score(bad, self.head.source, place, numbers.decimal) from None
        for role, k in self._names.items():
            self._parts[role].append(self._coded(role, k, block))
        self.values.append(values)
        self._percent.append(percent)
        self._lines.append(np.asarray(block.lines, dtype=np.int64))

    def _coded(self, role: str, k: int, block: Block) -> Integers:
        codes, cells = self.codes[role], block.text(k)
        known = len(codes)
        try:
            found = np.fromiter(map(codes.__getitem__, cells), np.int32, len(cells))
        except NoNameError:
            row = next(i for i, cell in enumerate(cells) if not self.head.name(cell))
            raise DataError(
                f"{self.head.source}: the {role} in {self.head.unit} {block.lines[row]:,}, "
                f"column {quoted(self.head.columns[k])}, has no name.",
                hint="fill the empty cell or remove the row.",
            ) from None
        self._meter.add(NAME * (len(codes) - known))
        return found

    def latest(self, role: str) -> Integers:
        return self._parts[role][-1]

    def whole(self) -> dict[str, Any]:
        """Return every column of all blocks, and where the rows stand as ``lines``."""
        found: dict[str, Any] = {role: np.concatenate(p) for role, p in self._parts.items()}
        for k, role in enumerate(self._numeric):
            found[role] = np.concatenate([values[:, k] for values in self.values])
        return found | {"lines": np.concatenate(self._lines)}

    @property
    def size(self) -> int:
        return sum(map(len, self._lines))

    def place(self, i: int) -> str:
        """Return where a row stands."""
        return f"{self.head.unit} {np.concatenate(self._lines)[i]:,}"

    def texts(self, role: str) -> list[str]:
        """Return the names or words of all rows; none where no column has the role."""
        names = list(self.codes[role].names) if role in self.codes else []
        return [names[code] for part in self._parts.get(role, ()) for code in part.tolist()]

    def words(self, role: str) -> tuple[str, ...]:
        return tuple(self.codes[role].names)

    def alike(self) -> list[str]:
        """Return a note for each name that looks like an earlier one, and where both come first."""
        notes: list[str] = []
        for role in ("candidate", "judge"):
            codes = np.concatenate(self._parts[role])
            place = partial(lambda known, code: self.place(int(np.argmax(known == code))), codes)
            notes += look_alikes(self.words(role), role, place)
        return notes

    def percent(self) -> Booleans | None:
        """Return where percent signs are; None where there are none."""
        if all(part is None for part in self._percent):
            return None
        pairs = zip(self._percent, self.values, strict=True)
        return np.concatenate([np.zeros(v.shape, dtype=bool) if p is None else p for p, v in pairs])


def long_table(head: Head, layout: Long, numbers: Numbers, options: Options) -> Table:
    names = {"candidate": layout.candidate, "judge": layout.judge}
    names |= {} if layout.repeat is None else {"repeat": layout.repeat}
    columns = Columns(head, names, {"values": layout.score}, row=ROW)
    about: dict[str, dict[int, str]] = {name: {} for name in layout.about}
    for block in head.rows():
        columns.add(block, numbers)
        for name, k in layout.about.items():
            _add_about(about[name], name, block.text(k), columns)
    cells = Cells(
        **columns.whole(),
        candidates=columns.words("candidate"),
        judges=columns.words("judge"),
        repeats=columns.words("repeat") if "repeat" in names else (),
        source=head.source,
        unused=layout.unused,
    )
    percent = columns.percent()
    if percent is not None:
        percent = percent[:, 0]
        written = ~np.isnan(cells.values)
        size = len(cells.judges)
        with_sign, without = (
            np.bincount(cells.judge[written & each], minlength=size) > 0
            for each in (percent, ~percent)
        )
        _refuse_mixed_percent(with_sign & without, cells.judges, head.source)
    available = options.missing == "available"
    table = table_of(cells, combine=options.combine or "error", available=available)
    return replace(
        table,
        about={name: [found[code] for code in table.judge_codes] for name, found in about.items()},
        facts=(*layout.facts, *table.facts),
        notes=(*table.notes, *columns.alike()),
    )


def _add_about(
    known: dict[int, str], name: str, cells: Sequence[str | None], columns: Columns
) -> None:
    head, judges = columns.head, columns.latest("judge").tolist()
    for judge, cell in dict.fromkeys(zip(judges, map(head.name, cells), strict=True)):
        first = known.setdefault(judge, cell)
        if first != cell:
            raise TwoValuesError(
                head.source,
                "judge",
                columns.words("judge")[judge],
                name,
                [quoted(value) for value in sorted([first, cell])],
                hint=f"a {name} belongs to a judge and is the same in all of its rows.",
            )


# ------------------------------------------------------------------------------
# From rows of (candidate, judge, score) to a table, with repeats refused or combined.

LARGE = 200_000_000  # cells: only a mistake in the columns makes such a table nearly empty
NEARLY_EMPTY = 0.001
MOST_ROWS = 5
SCORE = 24  # bytes that a cell of the table takes at most, while it is made


@dataclass(frozen=True, kw_only=True)
class Cells:
    candidate: Integers
    judge: Integers
    values: Floats
    lines: Integers
    candidates: tuple[str, ...]
    judges: tuple[str, ...]
    source: str
    repeat: Integers | None = None
    repeats: tuple[str, ...] = ()
    unused: tuple[str, ...] = ()

    @property
    def keys(self) -> Integers:
        return self.candidate.astype(np.int64) * len(self.judges) + self.judge


def table_of(cells: Cells, *, combine: str, available: bool) -> Table:
    if combine == "judges":
        return _as_judges(cells)
    _refuse_emptiness(cells)
    if combine == "mean":
        return _averaged(cells, available=available)
    return _placed(cells)


def _placed(cells: Cells, **more: Any) -> Table:
    """Return cells of which each has one score at most."""
    _refuse_repeats(cells)
    values = np.full((len(cells.candidates), len(cells.judges)), np.nan)
    values[cells.candidate, cells.judge] = cells.values
    return _table(cells, values, **more)


def _table(cells: Cells, values: Floats, **more: Any) -> Table:
    codes = {"judge_codes": range(len(cells.judges))} | more
    return Table(values=values, candidates=cells.candidates, judges=cells.judges, **codes)


def _refuse_emptiness(cells: Cells) -> None:
    n, m = len(cells.candidates), len(cells.judges)
    both = f"{cells.source}: {counted(n, 'candidate')} x {counted(m, 'judge')}"
    if n * m > LARGE and len(cells.values) < NEARLY_EMPTY * n * m:
        raise DataError(
            f"{both}, yet only {counted(len(cells.values), 'score')}.",
            hint=f"do {say('candidate')} and {say('judge')} name the right columns?",
        )
    require(SCORE * n * m, f"{both} are too many")


def _refuse_repeats(cells: Cells) -> None:
    found = first_repeat(cells.keys)
    if not len(found):
        return
    i, j = cells.candidate[found[0]], cells.judge[found[0]]
    rows = ", ".join(str(line) for line in cells.lines[found][:MOST_ROWS])
    more = ", ..." if len(found) > MOST_ROWS else ""
    unused = f" Or {say('where')} on {listed(cells.unused, most=4)}?" if cells.unused else ""
    raise NotOneScoreError(
        f"{cells.source}: candidate {quoted(cells.candidates[i])} has {len(found):,} scores on "
        f"judge {quoted(cells.judges[j])} (rows {rows}{more}).",
        hint=f"repeated runs? {say('combine', 'mean')}, or {say('combine', 'judges')}.{unused}",
    )


def _averaged(cells: Cells, *, available: bool) -> Table:
    n, m = len(cells.candidates), len(cells.judges)
    present = ~np.isnan(cells.values) if available else np.ones(len(cells.values), dtype=bool)
    keys = cells.keys
    counts = np.bincount(keys[present], minlength=n * m)
    rising = np.argsort(cells.values[present], kind="stable")  # a sum follows its order
    sums = np.bincount(
        keys[present][rising], weights=cells.values[present][rising], minlength=n * m
    )
    with np.errstate(invalid="ignore"):
        values = (sums / np.where(counts, counts, 1)).reshape(n, m)
    values[counts.reshape(n, m) == 0] = np.nan
    rows = np.bincount(keys, minlength=n * m)
    lost = int((np.isnan(values.ravel()) & (rows > 1)).sum())
    sentence = (
        f"{counted(lost, 'cell')} with a missing repeat counted as missing; "
        f"{say('missing', 'available')} averages the others."
    )
    least, most = int(rows[rows > 0].min()), int(rows.max())
    span = counted(most, "score") if least == most else f"{least:,} to {most:,} scores"
    facts = (("repeats", f"averaged, {span} per cell"),)
    return _table(cells, values, facts=facts, notes=(sentence,) if lost else ())


def _as_judges(cells: Cells) -> Table:
    """Make each repeat a judge of its own, which remembers the judge it repeats."""
    if cells.repeat is None:
        numbers = occurrences(cells.keys)
        words: tuple[str, ...] = tuple(str(k + 1) for k in range(int(numbers.max()) + 1))
    else:
        numbers, words = cells.repeat, cells.repeats
    pairs = cells.judge.astype(np.int64) * len(words) + numbers
    distinct, place = np.unique(pairs, return_inverse=True)
    codes = (distinct // len(words)).tolist()
    names = tuple(
        f"{cells.judges[code]} #{words[pair % len(words)]}"
        for code, pair in zip(codes, distinct.tolist(), strict=True)
    )
    split = replace(cells, judge=place, judges=names, repeat=None)
    _refuse_emptiness(split)
    per_judge = np.bincount(codes, minlength=len(cells.judges))
    least, most = int(per_judge.min()), int(per_judge.max())
    uneven = f"judges have {least:,} to {most:,} repeats; those with more count more."
    return _placed(
        split,
        judge_codes=codes,
        origins=tuple(cells.judges[code] for code in codes),
        facts=(("repeats", f"each is a judge, clustered by {len(cells.judges):,} originals"),),
        notes=(uneven,) if least < most else (),
    )


def occurrences(keys: Integers) -> Integers:
    """Return 0 for the first row of each key, 1 for the second, and so on."""
    order = np.argsort(keys, kind="stable")
    ordered = keys[order]
    starts = np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1]])
    lengths = np.diff(np.r_[starts, len(keys)])
    numbers = np.empty(len(keys), dtype=np.int64)
    numbers[order] = np.arange(len(keys)) - np.repeat(starts, lengths)
    return numbers


# ------------------------------------------------------------------------------
# From a table to results: weights, strata and clusters of the judges, by columns or a sidecar.

NO_STRATUM = "(none)"


def results_of(table: Table, options: Options, weights: Floats | None, **more: Any) -> Results:
    strata, no_stratum = _labels(table, options, "stratum")
    clusters, no_cluster = _labels(table, options, "cluster")
    return Results(
        scores=read_only(table.values),  # nobody else has it: it need not be copied
        candidates=table.candidates,
        judges=table.judges,
        judge_weights=weights,
        strata=strata,
        clusters=table.origins if clusters is None else clusters,
        missing=cast("MissingPolicy", options.missing or "error"),
        tie_tol=0.0 if options.tie_tol is None else options.tie_tol,
        notes=tuple(filter(None, (*table.notes, no_stratum, no_cluster))),
        **more,
    )


def weights_of(table: Table, options: Options, numbers: Numbers) -> Floats | None:
    if "weight" in table.about:
        return _weights_in(table, table.about["weight"], numbers)
    if options.weights is None:
        return None
    judges = _known(table)
    weights = _of_judges(options.weights, judges, "weights", default=1)
    for judge, weight in zip(judges, weights, strict=True):
        if isinstance(weight, bool) or not isinstance(weight, int | float):
            raise UsageError(
                f"the weight of judge {quoted(judge)} is {weight!r}, not a number.",
                hint=f"in the sidecar, for instance: {judge} = 1.5; 0 leaves a judge out.",
            )
    return np.array(weights, dtype=np.float64)


def _weights_in(table: Table, cells: Sequence[str], numbers: Numbers) -> Floats:
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


def _labels(table: Table, options: Options, name: str) -> tuple[list[str] | None, str]:
    """Return the stratum or cluster of each judge, and a note where some have none."""
    if name in table.about:
        names = table.about[name]
        empty = counted(names.count(""), "judge")
        if "" not in names:
            return names, ""
        if name == "stratum":
            note = f"{empty} without a stratum form one called {NO_STRATUM}."
            return [label or NO_STRATUM for label in names], note
        judges = table.judges or [str(k) for k in range(1, len(names) + 1)]
        note = f"{empty} without a cluster count as clusters of their own."
        return [label or judge for label, judge in zip(names, judges, strict=True)], note
    given = options.strata if name == "stratum" else options.clusters
    if given is None:
        return None, ""
    judges = _known(table)
    found = _of_judges(_inverted(given, name), judges, REPLACED_BY[name])
    if None in found:
        raise UsageError(
            f"the sidecar gives no {name} for judge {quoted(judges[found.index(None)])}.",
            hint="name every judge, or add '*' for all the others.",
        )
    return [str(label) for label in found], ""


def _known(table: Table) -> Sequence[str]:
    judges = table.origins if table.origins is not None else table.judges
    return judges or given_names((), table.values.shape[1], "judge", "")


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


def _of_judges(
    given: Mapping[str, Any], judges: Sequence[str], kind: str, default: object = None
) -> list[Any]:
    known = set(judges)
    for name in given:
        if name not in known and name != EVERY_OTHER_JUDGE:
            raise UnknownNameError(f"judge in {kind}", name, known)
    default = given.get(EVERY_OTHER_JUDGE, default)
    return [given.get(judge, default) for judge in judges]

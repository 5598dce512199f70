"""The collector of tables: wide or long cells become scores of candidates by judges."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from deadheat.core.errors import (
    DataError,
    NotOneScoreError,
    TwoValuesError,
    UnknownNameError,
    UsageError,
    both,
    counted,
    flag,
    listed,
    quoted,
    said_with,
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
from deadheat.data.reading.options import Options
from deadheat.data.reading.preview import Filter, Head, look_alikes, unique
from deadheat.data.reading.source import Block, Facts
from deadheat.data.results import EVERY_OTHER_JUDGE

# ------------------------------------------------------------------------------
# From rows of (candidate, judge, score) to a table, with repeats refused or combined.

LARGE = 200_000_000  # cells: only a mistake in the columns makes such a table nearly empty
NEARLY_EMPTY = 0.001
MOST_ROWS = 5
SCORE = 24  # bytes that a cell of the table takes at most, while it is made


@dataclass(frozen=True, kw_only=True)
class Cells:
    """The rows of a long table: positions of names, scores, and where each row stands."""

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
        """One number per (candidate, judge)."""
        return self.candidate.astype(np.int64) * len(self.judges) + self.judge


@dataclass(frozen=True, kw_only=True)
class Table:
    """Candidates x judges; ``judge_codes`` says which original judge each column is."""

    values: Floats
    judges: tuple[str, ...]
    judge_codes: tuple[int, ...]
    origins: tuple[str, ...] | None = None
    facts: Facts = ()
    notes: tuple[str, ...] = ()


def table_of(cells: Cells, *, combine: str, available: bool) -> Table:
    """Return the table; several scores of one candidate on one judge need ``combine``."""
    if combine == "judges":
        return _as_judges(cells)
    _refuse_emptiness(cells)
    if combine == "mean":
        return _averaged(cells, available=available)
    _refuse_repeats(cells)
    return Table(
        values=_placed(cells), judges=cells.judges, judge_codes=tuple(range(len(cells.judges)))
    )


def _placed(cells: Cells) -> Floats:
    table = np.full((len(cells.candidates), len(cells.judges)), np.nan)
    table[cells.candidate, cells.judge] = cells.values
    return table


def _refuse_emptiness(cells: Cells) -> None:
    size = len(cells.candidates) * len(cells.judges)
    if size > LARGE and len(cells.values) < NEARLY_EMPTY * size:
        raise DataError(
            f"{cells.source}: {counted(len(cells.candidates), 'candidate')} x "
            f"{counted(len(cells.judges), 'judge')}, yet only "
            f"{counted(len(cells.values), 'score')}.",
            hint="do --candidate and --judge name the right columns?",
        )
    require(
        SCORE * size,
        f"{cells.source}: {counted(len(cells.candidates), 'candidate')} x "
        f"{counted(len(cells.judges), 'judge')} are too many",
    )


def _refuse_repeats(cells: Cells) -> None:
    keys = cells.keys
    ordered = np.sort(keys)
    again = ordered[1:] == ordered[:-1]
    if not again.any():
        return
    repeated = np.unique(ordered[1:][again])
    key = keys[np.argmax(np.isin(keys, repeated))]  # the first of them in the file
    found = np.flatnonzero(keys == key)
    i, j = divmod(int(key), len(cells.judges))
    rows = ", ".join(str(line) for line in cells.lines[found][:MOST_ROWS])
    more = ", ..." if len(found) > MOST_ROWS else ""
    unused = f" Or --where on {listed(cells.unused, most=4)}?" if cells.unused else ""
    raise NotOneScoreError(
        f"{cells.source}: candidate {quoted(cells.candidates[i])} has {len(found):,} scores on "
        f"judge {quoted(cells.judges[j])} (rows {rows}{more}).",
        hint=f"repeated runs? {both('combine', 'mean')}, or {both('combine', 'judges')}.{unused}",
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
        "--missing available averages the others."
    )
    fact = ("repeats", f"averaged, {_span(rows[rows > 0])} per cell")
    return Table(
        values=values,
        judges=cells.judges,
        judge_codes=tuple(range(m)),
        facts=(fact,),
        notes=(sentence,) if lost else (),
    )


def _span(counts: Integers) -> str:
    least, most = int(counts.min()), int(counts.max())
    return counted(most, "score") if least == most else f"{least:,} to {most:,} scores"


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
    _refuse_repeats(split)
    per_judge = np.bincount(codes, minlength=len(cells.judges))
    notes = _uneven(per_judge)
    return Table(
        values=_placed(split),
        judges=names,
        judge_codes=tuple(codes),
        origins=tuple(cells.judges[code] for code in codes),
        facts=(("repeats", f"each is a judge, clustered by {len(cells.judges):,} originals"),),
        notes=notes,
    )


def _uneven(per_judge: Integers) -> tuple[str, ...]:
    least, most = int(per_judge.min()), int(per_judge.max())
    if least == most:
        return ()
    return (f"judges have {least:,} to {most:,} repeats; those with more count more.",)


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
# What a layout makes of the rows: candidates x judges, before directions and policies.


@dataclass(frozen=True, kw_only=True)
class Gathered:
    """The scores as they were written, and what the table says about its judges.

    ``about`` holds the cells of the stratum, cluster and weight columns, one per judge.
    ``origins`` names the judge that each repeat belongs to, where repeats became judges.
    """

    values: Floats
    candidates: Sequence[str] = ()
    judges: Sequence[str] = ()
    about: dict[str, list[str]] = field(default_factory=dict)
    origins: Sequence[str] | None = None
    facts: Facts = ()
    notes: tuple[str, ...] = ()


def refuse_mixed_percent(
    values: Floats, percent: Booleans, judges: Sequence[str], source: str
) -> None:
    """Refuse a judge of whose scores only some have a percent sign (candidates x judges)."""
    written = ~np.isnan(values)
    some = (percent & written).any(axis=0) & (~percent & written).any(axis=0)
    if some.any():
        j = int(np.argmax(some))
        judge = quoted(judges[j]) if judges else f"{j + 1:,}"
        raise mixed_percent(judge, source)


def mixed_percent(judge: str, source: str) -> DataError:
    """Return the error for one judge with and without percent signs."""
    return DataError(
        f"{source}: judge {judge} has scores with and without a percent sign.",
        hint="write all of them in one way: 91.2% and 0.912 would not be comparable.",
    )


# ------------------------------------------------------------------------------
# Weights, strata and clusters of the judges, from columns or from the sidecar.

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


# ------------------------------------------------------------------------------

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
        return NotOneScoreError(
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


# ------------------------------------------------------------------------------
# Long tables: one row per score.

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


def coded_column(
    codes: Codes, role: str, k: int, block: Block, head: Head, meter: Meter
) -> Integers:
    """Return the codes of the names in a column; refuse an empty cell in the place of a name."""
    cells, known = block.text(k), len(codes)
    try:
        found = np.fromiter(map(codes.__getitem__, cells), np.int32, len(cells))
    except NoNameError:
        row = next(i for i, cell in enumerate(cells) if not head.name(cell))
        raise DataError(
            f"{head.source}: the {role} in {head.unit} {block.lines[row]:,}, "
            f"column {quoted(head.columns[k])}, has no name.",
            hint="fill the empty cell or remove the row.",
        ) from None
    meter.add(NAME * (len(codes) - known))
    return found


class _Columns:
    """The columns of a long table so far, as numbers."""

    def __init__(self, layout: Long, head: Head) -> None:
        self.layout, self.head, self.unit = layout, head, head.unit
        self.codes = {role: Codes(head.name) for role in ("candidate", "judge", "repeat")}
        self.parts: dict[str, list[Integers]] = {role: [] for role in self.codes}
        self.values: list[Floats] = []
        self.percent: list[Booleans] = []
        self.lines: list[Integers] = []
        self.about: dict[str, dict[int, str]] = {name: {} for name in layout.about}
        self.meter = Meter(head.source)

    def add(self, block: Block, numbers: Numbers) -> None:
        """Add the rows of a block."""
        layout = self.layout
        self.meter.add(ROW * block.size)
        try:
            values, percent = matrix(block, [layout.score], numbers)
        except BadCellError as bad:
            column = quoted(self.head.columns[layout.score])
            place = f"{self.unit} {block.lines[bad.place]:,}, column {column}"
            raise bad_score(bad, self.head.source, place, numbers.decimal) from None
        self._code("candidate", layout.candidate, block)
        judges = self._code("judge", layout.judge, block)
        if layout.repeat is not None:
            self._code("repeat", layout.repeat, block)
        self.values.append(values[:, 0])
        self.percent.append(np.zeros(block.size, bool) if percent is None else percent[:, 0])
        self.lines.append(np.asarray(block.lines, dtype=np.int64))
        for name, k in layout.about.items():
            self._constant(name, judges, list(map(self.head.name, block.text(k))))

    def _code(self, role: str, k: int, block: Block) -> Integers:
        codes = coded_column(self.codes[role], role, k, block, self.head, self.meter)
        self.parts[role].append(codes)
        return codes

    def _constant(self, name: str, judges: Integers, cells: list[str]) -> None:
        known = self.about[name]
        for judge, cell in dict.fromkeys(zip(judges.tolist(), cells, strict=True)):
            first = known.setdefault(judge, cell)
            if first != cell:
                named = list(self.codes["judge"].names)[judge]
                raise TwoValuesError(
                    self.head.source,
                    "judge",
                    named,
                    name,
                    [quoted(value) for value in sorted([first, cell])],
                    hint=f"a {name} belongs to a judge and is the same in all of its rows.",
                )

    def cells(self) -> Cells:
        """Return all rows at once."""
        whole = {role: np.concatenate(p) if p else None for role, p in self.parts.items()}
        candidate, judge = whole["candidate"], whole["judge"]
        assert candidate is not None
        assert judge is not None
        return Cells(
            candidate=candidate,
            judge=judge,
            repeat=whole["repeat"],
            values=np.concatenate(self.values),
            lines=np.concatenate(self.lines),
            candidates=tuple(self.codes["candidate"].names),
            judges=tuple(self.codes["judge"].names),
            repeats=tuple(self.codes["repeat"].names),
            source=self.head.source,
            unused=self.layout.unused,
        )

    def refuse_mixed_percent(self, cells: Cells) -> None:
        """Refuse a judge of whose scores only some have a percent sign."""
        percent = np.concatenate(self.percent)
        if not percent.any():
            return
        written = ~np.isnan(cells.values)
        some = np.bincount(cells.judge[written & percent], minlength=len(cells.judges)) > 0
        plain = np.bincount(cells.judge[written & ~percent], minlength=len(cells.judges)) > 0
        if (some & plain).any():
            judge = cells.judges[int(np.argmax(some & plain))]
            raise mixed_percent(quoted(judge), cells.source)


def gather_long(
    blocks: Iterable[Block],
    layout: Long,
    head: Head,
    numbers: Numbers,
    keep: Filter,
    *,
    combine: str = "error",
    missing: MissingPolicy = "error",
) -> Gathered:
    """Return the scores of a long table; absent rows are missing scores."""
    columns = _Columns(layout, head)
    for whole in blocks:
        block = keep(whole)
        if block.size:
            columns.add(block, numbers)
    if not columns.values:
        raise keep.nothing_left() if keep.conditions else header_only(head.source)
    cells = columns.cells()
    columns.refuse_mixed_percent(cells)
    table = table_of(cells, combine=combine, available=missing == "available")
    about = {
        name: [found[judge] for judge in table.judge_codes] for name, found in columns.about.items()
    }
    return Gathered(
        values=table.values,
        candidates=cells.candidates,
        judges=table.judges,
        about=about,
        origins=table.origins,
        facts=(*layout.facts, *table.facts),
        notes=(*table.notes, *_look_alikes(cells, head.unit)),
    )


def _look_alikes(cells: Cells, unit: str) -> tuple[str, ...]:
    return tuple(
        note
        for kind, names, codes in (
            ("candidate", cells.candidates, cells.candidate),
            ("judge", cells.judges, cells.judge),
        )
        for note in look_alikes(names, kind, first_places(codes, cells.lines, unit))
    )


def first_places(codes: Integers, lines: Integers, unit: str) -> Callable[[int], str]:
    """Return what says where a name comes first."""
    return lambda code: f"{unit} {lines[np.argmax(codes == code)]:,}"

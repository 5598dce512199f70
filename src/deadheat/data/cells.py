"""From rows of (candidate, judge, score) to a table, with repeats refused or combined."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from deadheat.data.stream import Facts
from deadheat.data.wording import both
from deadheat.errors import DataError, counted, listed, quoted
from deadheat.memory import require
from deadheat.typing import Floats, Integers

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
    raise DataError(
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

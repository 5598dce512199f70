"""Rows of one name: which columns tell them apart, and what to do about them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain, combinations
from typing import Any

import numpy as np

from deadheat.core.errors import NotOneScoreError, Words, command_with, listed, named, quoted
from deadheat.core.types import Integers
from deadheat.core.weights import MISREAD
from deadheat.data.reading import column_names as words
from deadheat.data.reading.options import Options
from deadheat.data.reading.preview import Head, LinesAndRemedy, no_way
from deadheat.data.reading.source import Block

MOST_COLUMNS = 8  # of which some may tell rows apart
MOST_TOGETHER = 3
MOST_SHOWN = 3  # values of a column


class Rows:
    """Codes of the cells of some columns: of all rows that are added, else of the first ones."""

    def __init__(self, head: Head, columns: Iterable[int] = ()) -> None:
        self.head = head
        self._parts: dict[int, list[Integers]] = {k: [] for k in columns}

    @classmethod
    def telling(cls, head: Head, keys: Sequence[int], free: Iterable[int]) -> Rows:
        """Return rows to be added, with the keys and whatever may tell the same keys apart."""
        kinds = may_tell(head, keys, free)
        return cls(head, (*keys, *kinds) if kinds else ())

    @property
    def width(self) -> int:
        return len(self._parts)

    @property
    def columns(self) -> tuple[int, ...]:
        return tuple(self._parts)

    def add(self, block: Block) -> None:
        for k, parts in self._parts.items():
            parts.append(block.each(k, lambda cell: hash((cell or "").strip()), np.int64))

    def codes(self, k: int) -> Integers:
        parts = self._parts.get(k) or [_hashes(self.head.kept(k))]
        codes: Integers = np.unique(np.concatenate(parts), return_inverse=True)[1]
        return codes

    def shown(self, k: int) -> str:
        """Return the first values of a column, and how many more there are."""
        first = [*dict.fromkeys(map(quoted, self.head.kept(k)))][:MOST_SHOWN]
        more = len(np.unique(self.codes(k))) - len(first)
        return f"{', '.join(first)}{f' and {more:,} more' if more else ''}"

    def apart(self, columns: Sequence[int]) -> bool:
        """Return whether no two rows agree in all of some columns."""
        return _differ([*map(self.codes, columns)]) if columns else self.head.apart(())


def _hashes(texts: Sequence[str]) -> Integers:
    return np.fromiter(map(hash, texts), np.int64, len(texts))


def rounds_in(head: Head, columns: Iterable[int]) -> list[int]:
    """Return the columns that number or name rounds: folds, seeds, repetitions."""
    if not head.named:
        return []
    called = (k for k in columns if words.names_rounds(head.columns[k], head.columns))
    return [k for k in called if head.holds_whole_numbers(k) or not head.is_numeric(k)]


def is_repetition(name: str) -> bool:
    return words.is_called(name, "round", "repeat")


def may_tell(head: Head, keys: Sequence[int], free: Iterable[int]) -> list[int]:
    """Return the columns that may tell rows with the same keys apart; of too many, the rounds.

    Only names and whole numbers that come again can: a measurement tells nothing, nor does the
    number of a row.
    """
    whole = (k for k in free if head.holds_whole_numbers(k) or not head.is_numeric(k))
    kinds = [k for k in whole if k not in keys and not head.apart([k])]
    kinds.sort(key=lambda k: not is_repetition(head.columns[k]))
    return sorted(kinds[:MOST_COLUMNS])


def apart_by(rows: Rows, keys: Sequence[int], free: Iterable[int]) -> list[int]:
    """Return the fewest of some columns that tell rows with the same keys apart, rounds first.

    Nothing is returned where no row comes again, or no column helps.
    """
    kinds = may_tell(rows.head, keys, free)
    if not kinds or rows.apart(keys) or not rows.apart([*keys, *kinds]):
        return []
    codes = {k: rows.codes(k) for k in (*keys, *kinds)}
    rounds = [k for k in kinds if is_repetition(rows.head.columns[k])]
    some = (
        chain.from_iterable(combinations(each, size) for size in range(1, MOST_TOGETHER + 1))
        for each in (rounds, kinds)
    )
    found = (
        each for each in chain.from_iterable(some) if _differ([codes[k] for k in (*keys, *each)])
    )
    return [*next(found, ())]


def _differ(columns: Sequence[Integers]) -> bool:
    """Return whether no two rows have the same codes."""
    rows = columns[0]
    for codes in columns[1:]:
        pairs = rows * (int(codes.max()) + 1) + codes
        rows = np.unique(pairs, return_inverse=True)[1]
    return len(np.unique(rows)) == len(rows)


def together(options: Options, column: str) -> tuple[str, ...]:
    """Return the columns that were said together, or the only one."""
    return options.together.get(column, (column,))


def own_columns(head: Head, options: Options) -> list[int]:
    """Return the columns of the file, without those that were put together."""
    return [k for k, name in enumerate(head.columns) if name not in options.together]


def as_judges(
    head: Head, options: Options, judge: Sequence[str], more: Sequence[int]
) -> dict[str, Any]:
    """Return options that make a judge of each row which further columns tell apart.

    Rows of one judge are its cluster, unless the columns name judges too: cases of several tasks.
    """
    names = tuple(head.columns[k] for k in more)
    said: dict[str, Any] = {"judge": (*judge, *names)}
    groups = judge or tuple(name for name in names if not is_repetition(name))
    alone = bool(judge) and all(words.is_called(name, "judge") for name in names)
    if groups and not alone and not options.about_judges:
        said["cluster"] = groups if groups[1:] else groups[0]
    if not {*names}.isdisjoint(options.ignore):
        said["ignore"] = tuple(name for name in options.ignore if name not in names) or None
    return said


def ways_to_keep(
    head: Head, options: Options, label: int | None, *, rows_are_judges: bool | None
) -> LinesAndRemedy:
    """Return what rows of a wide table that have the same name, or none, can become."""
    if label is not None and is_repetition(head.columns[label]):
        label = None  # a fold of which data set?
    keys = [] if label is None else [label]
    by = apart_by(Rows(head), keys, own_columns(head, options))
    names = [head.columns[k] for k in by]
    lines: list[str] = []
    mean: dict[str, Any] = {}
    repeated = rows_are_judges is False or any(map(is_repetition, names))
    if rows_are_judges is not True and label is not None and repeated:
        mean = {"candidate": head.columns[label], "combine": "mean"}
        who = "rows of one name" if rows_are_judges is False else "rows of one candidate"
        lines.append(f"to take the mean of {who}: {command_with(**mean)}")
    if rows_are_judges is False:
        return lines, mean
    judge = () if label is None else together(options, head.columns[label])
    if not by and label is None:
        return no_way()
    said = {"judge": judge, "combine": "judges"}
    if by:
        said = as_judges(head, options, judge, by)
    groups = judge or tuple(name for name in names if not is_repetition(name))
    if all(groups) and groups:
        way = f"to take the mean of rows of one {named(groups)}"
        lines.append(f"{way}: {command_with(judge=groups, combine='mean')}")
    return [*lines, f"to keep every row as a judge: {command_with(**said)}"], said


def averaged(
    rows: Rows, options: Options, keys: Sequence[int], judge: str | None, free: Iterable[int]
) -> list[Words]:
    """Return a remark where scores are averaged over a column that tells no repetitions apart."""
    head, free = rows.head, [k for k in free if k not in keys]
    by = [k for k in apart_by(rows, keys, free) if not is_repetition(head.columns[k])]
    by = [k for k in by if not words.tells_days(head.columns[k])]
    by = [k for k in by if head.columns[k] != options.repeat]
    if not by:
        return []
    names = [head.columns[k] for k in by]
    over = f"each score is a mean over {listed(map(quoted, names))} ({rows.shown(by[0])})"
    text = f"{over}."
    if judge is not None:
        said = as_judges(head, options, together(options, judge), by)
        if rows.apart([*keys, *by]) and not any(is_repetition(head.columns[k]) for k in free):
            said["combine"] = None
        text = f"{over}; to keep them apart: {command_with(**said)}"
    return [Words(text, page=f"{over}.", weight=MISREAD, good=False)]


def tell_repeats(
    error: NotOneScoreError, rows: Rows, options: Options, keys: Sequence[int], free: Iterable[int]
) -> NotOneScoreError:
    """Return that a candidate has several scores on a judge, and what tells these apart."""
    head, by = rows.head, apart_by(rows, keys, free)
    names = [head.columns[k] for k in by]
    others = [name for name in names if not is_repetition(name)]
    judge = head.columns[keys[1]]
    if not by:
        return error
    if others:
        said = as_judges(head, options, together(options, judge), by)
        name = "name" if others[1:] else "names"
        way = f"if {listed(map(quoted, others))} {name} judges too: {command_with(**said)}"
        return NotOneScoreError(error.fact, hint=f"{way}\n{error.hint}", remedy=said)
    few_of = named(names)
    each = {"combine": "judges"} | ({"repeat": names[0]} if len(names) == 1 else {})
    mean: dict[str, Any] = {"combine": "mean"}
    hint = f"as is usual, take the mean over {few_of}: {command_with(**mean)}"
    hint += f"\nmake each {few_of} of a {judge} a judge: {command_with(**each)}"
    return NotOneScoreError(error.fact, hint=hint, remedy=mean)

"""How far scores may be off, as columns of their own say it: standard errors and intervals."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from deadheat.core.errors import (
    DataError,
    UsageError,
    Words,
    command_with,
    listed,
    named,
    quoted,
)
from deadheat.core.types import Floats
from deadheat.core.weights import MISREAD, TRIFLE
from deadheat.data.reading import column_names as words
from deadheat.data.reading.numbers import Numbers, is_missing
from deadheat.data.reading.preview import Head

# What a cell says of its score.


class Interval(NamedTuple):
    """An interval, from its ends; ``around`` where these are how far it reaches from the score."""

    low: float
    high: float
    around: bool


TWO = 2
_NUMBER = r"(?:\d(?:[\d.,]*\d)?|[.,]\d+)(?:[eE][+-]?\d+)?\s*%?"
_MINUS = "[-\N{MINUS SIGN}\N{EN DASH}\N{EM DASH}]"
_EVEN = re.compile(rf"(?:±|\+/-|\+-)\s*({_NUMBER})")
_SIDES = (
    re.compile(rf"\+\s*(?P<up>{_NUMBER})\s*[/,;|]?\s*{_MINUS}\s*(?P<down>{_NUMBER})"),
    re.compile(rf"{_MINUS}\s*(?P<down>{_NUMBER})\s*[/,;|]?\s*\+\s*(?P<up>{_NUMBER})"),
)
_BETWEEN = (  # the two ends; tried one by one
    r"\s*[;|]\s*",
    r",\s+",
    r"\s+to\s+",
    r"\s*(?:\.\.+|\N{HORIZONTAL ELLIPSIS})\s*",
    rf"\s+{_MINUS}\s+",
    rf"(?<=[\d%]){_MINUS}(?=[\d.,+\-\N{{MINUS SIGN}}])",
)
MOSTLY = 0.9  # of the scores lie between what are the ends of their intervals
_BRACKETS = {"[": "])", "(": ")]", "]": "["}


def interval(cell: str, numbers: Numbers) -> Interval | None:
    """Return the interval that a cell holds: +5/-4, ±5, 1305-1315, [1305, 1315]; else None."""
    text, inside = cell.strip(), cell.strip()[:1] in _BRACKETS
    if inside and text[-1:] in _BRACKETS[text[:1]]:
        text = text[1:-1].strip()
    if even := _EVEN.fullmatch(text):
        half = numbers.number(even[1])
        return None if half is None else Interval(-half, half, around=True)
    for pattern in _SIDES:
        if sides := pattern.fullmatch(text):
            up, down = (numbers.number(sides[name].strip()) for name in ("up", "down"))
            return None if up is None or down is None else Interval(-down, up, around=True)
    for between in (*_BETWEEN, *((",",) if inside else ())):  # elsewhere it is in a number
        parts = re.split(between, text)
        ends = [numbers.number(part.strip()) for part in parts if not is_missing(part)]
        known = [end for end in ends if end is not None]
        if len(parts) == TWO == len(known):
            low, high = known
            return Interval(low, high, around=False) if low <= high else None
    return None


def are_intervals(cells: Sequence[str | None]) -> bool:
    return hold_intervals(cells, None)


def hold_intervals(cells: Sequence[str | None], scores: Sequence[str] | None) -> bool:
    """Return whether cells are intervals, and most of those with ends hold the scores there."""
    return any(_hold_intervals(cells, scores, Numbers(decimal)) for decimal in ".,")


def _hold_intervals(
    cells: Sequence[str | None], scores: Sequence[str] | None, numbers: Numbers
) -> bool:
    known = [(i, interval(cell or "", numbers)) for i, cell in enumerate(cells)]
    found = [(i, each) for i, each in known if each is not None]
    if not found or len(found) < sum(not is_missing(cell) for cell in cells):
        return False
    if scores is None:
        return True
    pairs = [(each, numbers.number(scores[i])) for i, each in found]
    inside = [each.around or (x is not None and each.low <= x <= each.high) for each, x in pairs]
    return sum(inside) >= MOSTLY * len(inside)


# ------------------------------------------------------------------------------
# Which columns say it, and what they amount to.


class Errors(NamedTuple):
    """The standard error of each score, what they are made of, and notes."""

    errors: Floats
    what: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class ErrorColumns:
    """One column of standard errors or intervals, or the two ends of an interval."""

    head: Head
    places: tuple[int, ...]

    @classmethod
    def of(cls, head: Head, names: Sequence[str]) -> ErrorColumns:
        if len(names) > TWO:
            fact = f"{head.source}: {named(names)} are named, yet an interval has two ends."
            hint = f"without them: {command_with(standard_error=None)}"
            raise UsageError(fact, hint=hint)
        return cls(head=head, places=tuple(map(head.at, names)))

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.head.columns[k] for k in self.places)

    @property
    def roles(self) -> dict[str, int]:
        return {f"error {k}": place for k, place in enumerate(self.places)}

    @property
    def are_plain(self) -> bool:
        """Whether numbers stand there that are standard errors as they are."""
        numeric = len(self.places) == 1 and self.head.is_numeric(self.places[0])
        return numeric and not words.names_interval(self.names[0])

    def errors(
        self,
        cells: Sequence[Sequence[str]],
        scores: Floats,
        numbers: Numbers,
        place: Callable[[int], str],
    ) -> Errors:
        """Return the standard error of each score, what they are made of, and notes.

        Half the width of an interval, over the normal quantile of its level, is a standard error.
        """
        rows = enumerate(zip(*cells, strict=True))
        found = [self._of_row(row, numbers, partial(place, i)) for i, row in rows]
        these = listed(map(quoted, self.names))
        wide = self._are_intervals(cells, numbers)
        half = np.array([(e.high - e.low) / 2 if isinstance(e, Interval) else e for e in found])
        if not wide:
            return Errors(half, f"standard errors, from column {these}")
        level = words.level_of(*self.names)
        quantile = NormalDist().inv_cdf((1 + level) / 2)
        what = f"half of the {100 * level:g} % intervals in {these}, over {quantile:.3g}"
        return Errors(half / quantile, what, (*self._notes(found, scores),))

    def _are_intervals(self, cells: Sequence[Sequence[str]], numbers: Numbers) -> bool:
        """Return whether widths are those of intervals, not of one standard error: 5, ±5."""
        if len(self.places) > 1 or words.names_interval(self.names[0]):
            return True
        known = (cell for cell in cells[0] if not is_missing(cell))
        return any(not _EVEN.fullmatch(cell) and numbers.number(cell) is None for cell in known)

    def _of_row(
        self, row: Sequence[str], numbers: Numbers, place: Callable[[], str]
    ) -> Interval | float:
        values = [numbers.number(cell) for cell in row]
        if len(values) == TWO and None not in values:
            low, high = (np.nan if value is None else value for value in values)
            if not low > high:
                return Interval(low, high, around=False)
        elif len(values) == 1:
            value = values[0]
            if value is not None and not value < 0 and value != np.inf:
                return value
            if value is None and (found := interval(row[0], numbers)) is not None:
                return found
        what = "no standard error and no interval" if len(row) == 1 else "no ends of an interval"
        where = f"{self.head.source}: {place()}, column {listed(map(quoted, self.names))}"
        fact = f"{where}: {' and '.join(map(quoted, row))} is {what}."
        without = command_with(standard_error=None, ignore=[*self.names])
        hint = f"to leave it out: {without}"
        hint += "\nor write 5, ±5, +5/-4 or [1305, 1315], and nothing where it is not known."
        raise DataError(fact, hint=hint)

    def _notes(self, found: Sequence[Interval | float], scores: Floats) -> Iterable[Words]:
        pairs = [
            (i, s - e.low if not e.around else -e.low, e.high - s if not e.around else e.high)
            for i, (e, s) in enumerate(zip(found, scores.tolist(), strict=True))
            if isinstance(e, Interval) and not np.isnan(s + e.low + e.high)
        ]
        these = listed(map(quoted, self.names))
        outside = [i for i, down, up in pairs if min(down, up) < 0]
        if outside:
            who = f"{len(outside):,} of {len(pairs):,} scores lie outside their intervals"
            doubt = f"{who} in {these}: are these of the same scores?"
            yield Words(doubt, weight=MISREAD, good=False)
            return
        uneven = next((pair for pair in pairs if not np.isclose(pair[1], pair[2], 1e-6)), None)
        if uneven is not None:
            sides = f"+{uneven[2]:.4g} and -{uneven[1]:.4g}"
            mean = "the mean of both sides counts"
            yield Words(f"intervals in {these} are uneven (as {sides}): {mean}.", weight=TRIFLE)


def likely_errors(names: Sequence[str], rows: Floats) -> tuple[int, ...]:
    """Return the columns that say how far the scores of the only other column may be off."""
    beside = [words.stands_beside(name) or words.is_summary(name) for name in names]

    def only_score(without: Sequence[int]) -> int | None:
        left = [k for k in range(len(names)) if k not in without and not beside[k]]
        return left[0] if len(left) == 1 else None

    for low, high in words.ends_of_intervals(names):
        k = only_score((low, high))
        if k is not None:
            inside = (rows[:, low] <= rows[:, k]) & (rows[:, k] <= rows[:, high])
            if inside[~np.isnan(rows[:, [low, k, high]]).any(axis=1)].mean() >= MOSTLY:
                return low, high
    for k, name in enumerate(names):
        called = words.names_standard_error(name) or words.names_interval(name)
        if called and only_score((k,)) is not None and not (rows[:, k] < 0).any():
            return (k,)
    return ()
